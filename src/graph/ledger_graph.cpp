#include "graph/ledger_graph.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <new>
#include <utility>

#include "explore/ledger_run.hpp"

namespace tideline::graph {
namespace {

// Ends prepare().
struct Exhausted {
    support::StopReason reason;
};

}  // namespace

static_assert(ledger::EdgeReader::kWaiting == kOpen);

LedgerGraph::LedgerGraph(ledger::LedgerContents& ledger, ledger::EdgeReaderSettings settings)
    : ledger_(ledger), settings_(std::move(settings)) {
    if (!ledger.header().edges)
        throw ledger::LedgerError(ledger::LedgerFault::missing, "edges", "this ledger has none");
    const explore::SavedSearch saved = explore::parse_saved_search(ledger.engine());
    is_complete_ = saved.complete;
    faulty_ = saved.statistics.faults;
}

support::StopReason LedgerGraph::prepare(const support::Budget& budget) {
    // Of each extent: what is here, and what sorting needs.
    const std::uint64_t wanted =
        ledger_.extent_count() * (sizeof(Layer) + sizeof(StateRange) + sizeof(Extent) + 2 * sizeof(std::uint32_t) +
                                  sizeof(std::pair<support::UInt128, std::uint32_t>)) +
        ledger_.key_count() * (sizeof(std::uint64_t) + 2 * sizeof(LayerNumber));
    if (!budget.allows(wanted)) return support::StopReason::memory;
    support::BudgetPoll poll(budget, 16);
    const std::function<void()> check = [&] {
        if (poll.is_exhausted()) throw Exhausted{poll.reason()};
    };
    try {
        collect_layers();
        index_extents();
        settings_.poll = check;
        reader_.emplace(ledger_, settings_);
        scan(check);
    } catch (const Exhausted& exhausted) {
        return exhausted.reason;
    } catch (const std::bad_alloc&) {
        return support::StopReason::memory;
    }
    return support::StopReason::none;
}

void LedgerGraph::collect_layers() {
    const std::uint64_t count = ledger_.extent_count();
    assert(count < std::numeric_limits<std::uint32_t>::max() && "the ledger's format allows for fewer");
    std::vector<std::pair<support::UInt128, std::uint32_t>> order;
    order.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) order.emplace_back(ledger_.extent(i).key, i);
    if (!std::ranges::is_sorted(order)) std::ranges::sort(order);
    layers_.clear();
    layers_.reserve(ledger_.key_count());
    ranges_.clear();
    ranges_.reserve(count);
    extents_.assign(count + 1, {ledger_.states(), 0});
    std::uint64_t most = 0;
    for (const auto& [key, i] : order) {
        const ledger::Extent extent = ledger_.extent(i);
        if (layers_.empty() || layers_.back().key != key) layers_.push_back({.key = key});
        ranges_.push_back({extent.first, extent.count});
        layers_.back().states += extent.count;
        layers_.back().ranges_end = static_cast<std::uint32_t>(ranges_.size());
        extents_[i] = {extent.first, static_cast<LayerNumber>(layers_.size() - 1)};
        most = std::max<std::uint64_t>(most, ranges(layer_count() - 1).size());
    }
    // The passes of a sweep come to each layer one after the other: with a decoded frame per pass, whoever reads the
    // layers in order decodes each frame once.
    constexpr std::uint64_t kFrameBytes = std::uint64_t{1} << 20U;  // decoded, about
    const std::uint64_t frames = std::min(most + 1, settings_.memory / kFrameBytes);
    ledger_.keep(ledger::Stream::edges, frames);
    if (label_bytes() > 0) ledger_.keep(ledger::Stream::labels, frames);
}

// A bucket per extent, about.
void LedgerGraph::index_extents() {
    const std::uint64_t states = ledger_.states();
    const std::uint64_t extents = std::max<std::uint64_t>(ledger_.extent_count(), 1);
    bucket_bits_ = static_cast<unsigned>(std::bit_width(states / extents));
    buckets_.clear();
    buckets_.reserve((states >> bucket_bits_) + 2);
    std::uint32_t extent = 0;
    for (StateNumber first = 0; first < states; first += StateNumber{1} << bucket_bits_) {
        while (extents_[std::size_t{extent} + 1].first <= first) ++extent;
        buckets_.push_back(extent);
    }
    buckets_.push_back(static_cast<std::uint32_t>(extents - 1));
}

std::size_t LedgerGraph::extent_of(StateNumber state) const {
    assert(state < ledger_.states());
    const std::uint64_t bucket = state >> bucket_bits_;
    const auto begin = extents_.begin() + buckets_[bucket];
    const auto end = extents_.begin() + buckets_[bucket + 1] + 1;
    // The last one that does not begin behind it.
    const auto behind = std::upper_bound(begin, end, state, [](StateNumber n, const Extent& e) { return n < e.first; });
    return static_cast<std::size_t>(behind - extents_.begin()) - 1;
}

void LedgerGraph::scan(const std::function<void()>& poll) {
    edges_ = 0;
    layer_offsets_.assign({0});
    layer_offsets_.reserve(std::size_t{layer_count()} + 1);
    layer_targets_.clear();
    std::vector<LayerNumber> seen(layer_count(), 0);  // the last layer with an edge to it, plus one
    bool has_open = false;
    for (LayerNumber layer = 0; layer < layer_count(); ++layer) {
        std::uint64_t edges = 0;
        StateRange found{};  // where the target before was
        for (StateRange range : ranges(layer)) {
            while (range.count > 0) {
                poll();
                const ledger::Edges part = reader_->read_part(range.first, range.count);
                range.first += part.degrees.size();
                range.count -= part.degrees.size();
                edges += part.targets.size();
                for (const StateNumber target : part.targets) {
                    if (target - found.first < found.count) [[likely]]
                        continue;
                    if (target == kOpen) {
                        has_open = true;
                        continue;
                    }
                    if (target >= state_count())
                        throw ledger::LedgerError(ledger::LedgerFault::damaged, "edges",
                                                  "an edge leads to a state that is not there");
                    const std::size_t extent = extent_of(target);
                    found = {extents_[extent].first, extents_[extent + 1].first - extents_[extent].first};
                    if (std::exchange(seen[extents_[extent].layer], layer + 1) != layer + 1)
                        layer_targets_.push_back(extents_[extent].layer);
                }
            }
        }
        layers_[layer].edges = edges;
        edges_ += edges;
        layer_offsets_.push_back(layer_targets_.size());
    }
    if (has_open) is_complete_ = false;
}

RowBlock LedgerGraph::read_block(const StateRange& range) {
    assert(reader_ && "prepare() comes first");
    const ledger::Edges part = reader_->read_part(range.first, range.count);
    const std::size_t bytes = label_bytes();
    labels_.resize(part.degrees.size() * bytes);
    for (std::uint64_t done = 0; bytes > 0 && done < part.degrees.size();) {
        const ledger::Records labels =
            ledger_.read_part(ledger::Stream::labels, part.first + done, part.degrees.size() - done);
        std::ranges::copy(labels.bytes, labels_.begin() + static_cast<std::ptrdiff_t>(done * bytes));
        done += labels.count;
    }
    return {part.first, part.degrees, part.targets, part.transitions, part.marks, labels_};
}

std::uint64_t LedgerGraph::bytes() const {
    return layers_.size() * sizeof(Layer) + ranges_.size() * sizeof(StateRange) + extents_.size() * sizeof(Extent) +
           buckets_.size() * sizeof(std::uint32_t) + layer_offsets_.size() * sizeof(std::uint64_t) +
           layer_targets_.size() * sizeof(LayerNumber) + labels_.capacity() + (reader_ ? reader_->bytes() : 0);
}

}  // namespace tideline::graph
