#include "check/ltl/streamed_cycles.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "check/fair_sets.hpp"
#include "support/components.hpp"

namespace tideline::check::ltl {

namespace {

model::Marks bits_from(unsigned first, unsigned count) {
    return count == 0 ? 0 : (~model::Marks{0} >> (64 - count)) << first;
}

// Strong fairness on edges in arrays (fair_sets.hpp).
class StrongContributions {
public:
    using Node = std::uint32_t;
    using Graph = support::ArrayGraph<Node>;
    class Processes {
    public:
        explicit Processes(unsigned count) : count_(count) {}
        [[nodiscard]] static Fairness kind() { return Fairness::strong; }
        [[nodiscard]] std::size_t words() const { return count_ == 0 ? 0 : 1; }
        [[nodiscard]] std::uint64_t mask(std::size_t /*word*/) const { return bits_from(0, count_); }

    private:
        unsigned count_;
    };

    StrongContributions(const Graph& graph, const std::vector<model::Marks>& edges, model::Marks required,
                        const StreamedCycles::Strong& strong)
        : graph_(graph), edges_(edges), required_(required), strong_(strong), processes_(strong.processes) {}

    [[nodiscard]] const Graph& graph() const { return graph_; }
    [[nodiscard]] model::Marks marks() const { return required_; }
    [[nodiscard]] const Processes& processes() const { return processes_; }
    void read_enabled(Node node, std::uint64_t* enabled) const {
        Graph::Cursor cursor = graph_.successors(node);
        Graph::Edge edge{};
        enabled[0] = graph_.next(cursor, edge) ? part(edges_[edge.number], strong_.enabled) : 0;
    }
    void add(const Graph::Edge& edge, const std::uint64_t* /*enabled*/, std::uint64_t* bits) const {
        bits[0] |= edges_[edge.number] & required_;
        if (processes_.words() > 0) bits[1] |= part(edges_[edge.number], strong_.moved);
    }

private:
    [[nodiscard]] std::uint64_t part(model::Marks marks, unsigned first) const {
        return (marks >> first) & processes_.mask(0);
    }

    const Graph& graph_;
    const std::vector<model::Marks>& edges_;
    model::Marks required_;
    StreamedCycles::Strong strong_;
    Processes processes_;
};

}  // namespace

EdgeSpool StreamedCycles::new_spool() {
    model::Marks kept = settings_.required;
    if (settings_.strong)
        kept |= bits_from(settings_.strong->enabled, settings_.strong->processes) |
                bits_from(settings_.strong->moved, settings_.strong->processes);
    return EdgeSpool(files_, {settings_.directory, settings_.in_memory, settings_.block, kept, settings_.disk});
}

std::vector<StreamedCycles::Goal> StreamedCycles::goals() const {
    std::vector<Goal> result;
    for (model::Marks marks = settings_.required; marks != 0; marks &= marks - 1)
        result.push_back({static_cast<unsigned>(std::countr_zero(marks)), 0});
    for (unsigned p = 0; settings_.strong && p < settings_.strong->processes; ++p)
        result.push_back({settings_.strong->moved + p, model::Marks{1} << (settings_.strong->enabled + p)});
    return result;
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
    const std::size_t together = std::min(kTogether, goals().size());
    if (!budget_.allows(count_ / 8 * (1 + std::bit_ceil(std::max<std::size_t>(1, together)))))
        throw Stopped{support::StopReason::memory};
    is_left_.assign(count_);
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

// Which of the goals each state that is left can reach.
void StreamedCycles::find_reaching(std::span<const Goal> goals) {
    const unsigned all = (1U << goals.size()) - 1;
    const auto of = [&](model::Marks marks) {
        unsigned found = 0;
        for (std::size_t i = 0; i < goals.size(); ++i)
            found |= static_cast<unsigned>((marks >> goals[i].mark) & 1U) << i;
        return found;
    };
    reaches_.assign(count_, static_cast<unsigned>(std::bit_ceil(goals.size())));
    std::uint64_t missing = left_ * goals.size();
    bool backwards = true;
    for (bool grows = true; grows && missing > 0; backwards = !backwards) {
        grows = false;
        const auto visit = [&](std::size_t row) {
            const std::uint64_t source = block_.sources[row];
            const unsigned before = reaches_[source];
            if (before == all || !is_left_[source]) return false;
            unsigned now = before;
            for (std::size_t i = block_.begin(row); i < block_.ends[row] && now != all; ++i)
                if (const std::uint64_t target = block_.targets[i]; is_left_[target])
                    now |= of(block_.marks[i]) | reaches_[target];
            if (now == before) return false;
            reaches_.add(source, now);
            missing -= static_cast<unsigned>(std::popcount(now ^ before));
            return true;
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
}

std::uint64_t StreamedCycles::remove_without(std::span<const Goal> goals) {
    find_reaching(goals);
    std::uint64_t removed = 0;
    bool has_guards = false;
    for (std::size_t g = 0; g < goals.size(); ++g) {
        if (goals[g].guard != 0) {
            has_guards = true;
            continue;
        }
        // States that were removed for a goal before this one lie below those that are removed for this one: what they
        // lead to reaches that goal neither.
        for (std::uint64_t s = 0; s < count_; ++s)
            if (is_left_[s] && (reaches_[s] >> g & 1U) == 0) {
                is_left_.clear(s);
                log({Removal::Kind::mark, goals[g].mark}, s);
                ++removed;
            }
        end_log();
    }
    if (has_guards)
        read(false, [&](std::size_t row) {
            const std::uint64_t source = block_.sources[row];
            if (!is_left_[source]) return;
            model::Marks starved = 0;
            for (std::size_t g = 0; g < goals.size(); ++g)
                if ((reaches_[source] >> g & 1U) == 0) starved |= goals[g].guard;
            for (std::size_t i = block_.begin(row); i < block_.ends[row]; ++i) {
                if ((block_.marks[i] & starved) == 0) continue;
                is_left_.clear(source);
                ++removed;
                return;
            }
        });
    left_ -= removed;
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
        const std::vector<Goal> all = goals();
        for (std::size_t i = 0; i < all.size() && left_ > 0; i += kTogether)
            removed += remove_without(std::span(all).subspan(i, std::min(kTogether, all.size() - i)));
        if (removed > 0 || left_ == 0) continue;
        return is_left_.first();
    }
    return std::nullopt;
}

bool StreamedCycles::fits_components() const {
    // Number, place of its edges, and what the component search needs; sets of nodes, where these are refined.
    const std::uint64_t kNode = settings_.strong ? 80 : 40;
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
    std::optional<StrongContributions> contributions;
    if (settings_.strong) contributions.emplace(graph, marks, settings_.required, *settings_.strong);
    support::for_each_component(graph, support::KeepAllEdges{}, [&](std::span<const std::uint32_t> members) {
        const auto own = static_cast<std::uint32_t>(claims.size());
        for (const std::uint32_t member : members) rank[member] = own;
        if (contributions) {
            claims.emplace_back();
            const auto is_inside = [&](std::uint64_t node) { return rank[node] == own; };
            if (!found)
                if (const std::optional<FairSet> fair =
                        FairSetSearch(*contributions).find(members, is_inside, [] { return true; }))
                    found = numbers[fair->states.front()];
            return;
        }
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
