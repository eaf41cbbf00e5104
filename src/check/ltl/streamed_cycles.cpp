#include "check/ltl/streamed_cycles.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "support/components.hpp"

namespace tideline::check::ltl {

EdgeSpool StreamedCycles::new_spool() {
    return EdgeSpool(files_,
                     {settings_.directory, settings_.in_memory, settings_.block, settings_.required, settings_.disk});
}

void StreamedCycles::note(std::uint64_t extra) {
    const std::uint64_t decoded = block_.sources.capacity() * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) +
                                  block_.targets.capacity() * (sizeof(std::uint64_t) + sizeof(model::Marks));
    peak_bytes_ = std::max(peak_bytes_, is_left_.bytes() + reaches_.bytes() + spool_->memory_bytes() + decoded + extra);
}

std::optional<std::uint64_t> StreamedCycles::find(std::uint64_t count, const Fill& fill) {
    stopped_ = support::StopReason::none;
    count_ = count;
    std::optional<std::uint64_t> found;
    try {
        spool_.emplace(new_spool());
        fill(*spool_);
        spool_->finish();
        spooled_rows_ = spool_->rows();
        peak_states_ = std::max(peak_states_, spool_->rows());
        peak_edges_ = std::max(peak_edges_, spool_->edges());
        peak_disk_ = std::max(peak_disk_, spool_->disk_bytes());
        found = decide();
    } catch (const Stopped& stop) {
        stopped_ = stop.reason;
    } catch (const DiskIsShort&) {
        stopped_ = support::StopReason::disk;
    }
    spool_.reset();
    return found;
}

template <class Visit>
void StreamedCycles::read(bool backwards, Visit&& visit) {
    read_blocks(backwards, [&] {
        const std::size_t rows = block_.sources.size();
        for (std::size_t row = 0; row < rows; ++row) visit(backwards ? rows - 1 - row : row);
    });
}

template <class Visit>
void StreamedCycles::read_blocks(bool backwards, Visit&& visit) {
    ++passes_;
    const std::size_t blocks = spool_->block_count();
    for (std::size_t i = 0; i < blocks; ++i) {
        if (const support::StopReason reason = budget_.exhausted(); reason != support::StopReason::none)
            throw Stopped{reason};
        spool_->read(backwards ? blocks - 1 - i : i, block_);
        visit();
    }
    note();
}

std::uint64_t StreamedCycles::Bits::first() const {
    for (std::size_t w = 0; w < words_.size(); ++w)
        if (words_[w] != 0) return w * 64 + static_cast<unsigned>(std::countr_zero(words_[w]));
    return words_.size() * 64;
}

void StreamedCycles::log(const Removal& removal, std::uint64_t number, std::uint32_t rank) {
    if (settings_.log == nullptr) return;
    if (!std::exchange(is_logging_, true)) settings_.log->begin(removal);
    settings_.log->add(number, rank);
}
void StreamedCycles::end_log(std::span<const std::optional<unsigned>> claims) {
    if (std::exchange(is_logging_, false)) settings_.log->end(claims);
}

// States without edges, and what leads only to them upwards: the first removal. Nothing is known to be left before.
void StreamedCycles::trim_first() {
    if (!budget_.allows(count_ / 4)) throw Stopped{support::StopReason::memory};
    is_left_.assign(count_);
    reaches_.assign(count_);
    left_ = 0;
    read(true, [&](std::size_t row) {
        const std::uint64_t source = block_.sources[row];
        for (std::size_t i = block_.begin(row); i < block_.ends[row]; ++i) {
            const std::uint64_t target = block_.targets[i];
            if (target > source && !is_left_[target]) continue;
            is_left_.set(source);
            ++left_;
            break;
        }
    });
    for (std::uint64_t s = 0; settings_.log != nullptr && s < count_; ++s)
        if (!is_left_[s]) log({Removal::Kind::ascending}, s);
    end_log();
}

std::uint64_t StreamedCycles::trim(bool backwards) {
    const Removal removal{backwards ? Removal::Kind::ascending : Removal::Kind::descending};
    std::uint64_t removed = 0;
    read(backwards, [&](std::size_t row) {
        const std::uint64_t source = block_.sources[row];
        if (!is_left_[source]) return;
        for (std::size_t i = block_.begin(row); i < block_.ends[row]; ++i)
            if (is_left_[block_.targets[i]]) return;
        is_left_.clear(source);
        log(removal, source);
        ++removed;
    });
    end_log();
    left_ -= removed;
    return removed;
}

std::uint64_t StreamedCycles::remove_without(unsigned mark) {
    const model::Marks bit = model::Marks{1} << mark;
    std::uint64_t reaching = 0;
    reaches_.assign(count_);
    bool backwards = true;
    for (bool grows = true; grows && reaching < left_; backwards = !backwards) {
        grows = false;
        const auto visit = [&](std::size_t row) {
            const std::uint64_t source = block_.sources[row];
            if (!is_left_[source] || reaches_[source]) return false;
            for (std::size_t i = block_.begin(row); i < block_.ends[row]; ++i) {
                const std::uint64_t target = block_.targets[i];
                if (!is_left_[target] || ((block_.marks[i] & bit) == 0 && !reaches_[target])) continue;
                reaches_.set(source);
                ++reaching;
                return true;
            }
            return false;
        };
        // What can be found out inside a block is, while it is there.
        read_blocks(backwards, [&] {
            const std::size_t rows = block_.sources.size();
            bool towards_begin = backwards;
            for (bool changes = true; changes; towards_begin = !towards_begin) {
                changes = false;
                for (std::size_t row = 0; row < rows; ++row)
                    if (visit(towards_begin ? rows - 1 - row : row)) changes = true;
                grows = grows || changes;
            }
        });
    }
    const std::uint64_t removed = left_ - reaching;
    if (removed > 0)
        for (std::uint64_t s = 0; s < count_; ++s)
            if (is_left_[s] && !reaches_[s]) {
                is_left_.clear(s);
                log({Removal::Kind::mark, mark}, s);
            }
    end_log();
    left_ = reaching;
    return removed;
}

void StreamedCycles::keep_edges_left() {
    if (left_ > spooled_rows_ / 2) return;
    EdgeSpool fewer = new_spool();
    read(false, [&](std::size_t row) {
        const std::uint64_t source = block_.sources[row];
        if (!is_left_[source]) return;
        fewer.begin_row(source);
        for (std::size_t i = block_.begin(row); i < block_.ends[row]; ++i)
            if (is_left_[block_.targets[i]]) fewer.add(block_.targets[i], block_.marks[i]);
    });
    fewer.finish();
    peak_disk_ = std::max(peak_disk_, spool_->disk_bytes() + fewer.disk_bytes());
    spool_.emplace(std::move(fewer));
    spooled_rows_ = std::max<std::uint64_t>(1, left_);
}

std::optional<std::uint64_t> StreamedCycles::decide() {
    trim_first();
    const std::uint64_t kFew = 64;  // after a pass that removes fewer than one in kFew states the marks are used
    bool backwards = false;
    while (left_ > 0) {
        keep_edges_left();
        if (fits_components()) return decide_by_components();
        std::uint64_t removed = 0;
        std::uint64_t last = 0;
        do {
            last = trim(backwards);
            backwards = !backwards;
            removed += last;
            keep_edges_left();
        } while (last > left_ / kFew && left_ > 0);
        for (model::Marks marks = settings_.required; marks != 0 && left_ > 0; marks &= marks - 1)
            removed += remove_without(static_cast<unsigned>(std::countr_zero(marks)));
        if (removed > 0 || left_ == 0) continue;
        return is_left_.first();
    }
    return std::nullopt;
}

bool StreamedCycles::fits_components() const {
    constexpr std::uint64_t kNode = 40;  // number, place of its edges, and what the component search needs
    constexpr std::uint64_t kEdge = sizeof(std::uint32_t) + sizeof(model::Marks);
    return spool_->rows() < (std::uint64_t{1} << 32U) &&
           spool_->rows() * kNode + spool_->edges() * kEdge <= settings_.component_bytes;
}

std::optional<std::uint64_t> StreamedCycles::decide_by_components() {
    std::vector<std::uint64_t> numbers;
    read(false, [&](std::size_t row) {
        if (is_left_[block_.sources[row]]) numbers.push_back(block_.sources[row]);
    });
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::uint32_t> targets;
    std::vector<model::Marks> marks;
    read(false, [&](std::size_t row) {
        if (!is_left_[block_.sources[row]]) return;
        for (std::size_t i = block_.begin(row); i < block_.ends[row]; ++i) {
            const auto place = std::ranges::lower_bound(numbers, block_.targets[i]);
            if (place == numbers.end() || *place != block_.targets[i]) continue;
            targets.push_back(static_cast<std::uint32_t>(place - numbers.begin()));
            marks.push_back(block_.marks[i]);
        }
        offsets.push_back(targets.size());
    });
    std::vector<std::optional<unsigned>> claims;
    std::vector<std::uint32_t> rank(numbers.size(), ~0U);
    std::optional<std::uint64_t> found;
    const support::ArrayGraph<std::uint32_t> graph(offsets, targets);
    support::for_each_component(graph, support::KeepAllEdges{}, [&](std::span<const std::uint32_t> members) {
        const auto own = static_cast<std::uint32_t>(claims.size());
        for (const std::uint32_t member : members) rank[member] = own;
        model::Marks inner = 0;
        bool has_inner = false;
        for (const std::uint32_t member : members)
            for (std::uint64_t i = offsets[member]; i < offsets[member + 1]; ++i)
                if (rank[targets[i]] == own) {
                    inner |= marks[i];
                    has_inner = true;
                }
        const model::Marks lacking = settings_.required & ~inner;
        if (has_inner && lacking == 0 && !found) found = numbers[members.front()];
        claims.push_back(has_inner && lacking != 0 ? std::optional(static_cast<unsigned>(std::countr_zero(lacking)))
                                                   : std::nullopt);
    });
    for (std::size_t i = 0; i < numbers.size(); ++i) log({Removal::Kind::ranked}, numbers[i], rank[i]);
    end_log(claims);
    note(numbers.size() * 40 + targets.size() * (sizeof(std::uint32_t) + sizeof(model::Marks)));
    return found;
}

}  // namespace tideline::check::ltl
