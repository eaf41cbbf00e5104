#include "graph/compact_kripke.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <memory>
#include <unordered_map>

#include <zstd.h>
#include <nlohmann/json.hpp>

#include "support/json_text.hpp"

namespace tideline::graph {
namespace {

constexpr std::uint64_t kWordBits = 32;
constexpr std::size_t kBlockStates = std::size_t{1} << 15U;

// Bits that distinguish `count` things.
unsigned bits_for(std::uint64_t count) { return count < 2 ? 0 : static_cast<unsigned>(std::bit_width(count - 1)); }

using Bytes = std::vector<std::uint8_t>;

// Bits from the lowest of a byte to the highest.
class BitWriter {
public:
    void put(std::uint64_t value, unsigned count) {
        while (count > 0) {
            const unsigned some = std::min(count, 32U);
            pending_ |= (value & ((std::uint64_t{1} << some) - 1)) << used_;
            used_ += some;
            value >>= some;
            count -= some;
            for (; used_ >= 8; used_ -= 8, pending_ >>= 8U) bytes_.push_back(static_cast<std::uint8_t>(pending_));
        }
    }
    // Of a number from 1 on: as many zeros as bits follow its first one, then the number from that one on.
    void put_gamma(std::uint64_t number) {
        const auto more = static_cast<unsigned>(std::bit_width(number)) - 1;
        put(0, more);
        for (unsigned i = more + 1; i-- > 0;) put(number >> i & 1U, 1);
    }
    // With zeros up to the end of a byte.
    [[nodiscard]] Bytes take() {
        if (used_ > 0) put(0, 8 - used_);
        return std::move(bytes_);
    }

private:
    Bytes bytes_;
    std::uint64_t pending_ = 0;
    unsigned used_ = 0;
};

// Seven bits per byte, the lowest first; all bytes but the last have the highest bit.
void put_number(Bytes& bytes, std::uint64_t number) {
    for (; number >= 128; number >>= 7U) bytes.push_back(static_cast<std::uint8_t>(number | 128U));
    bytes.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t zigzag(std::uint64_t difference) {
    return (difference << 1U) ^ (difference >> 63U ? ~std::uint64_t{0} : 0);
}

// Some consecutive states, until they are written.
class Block {
public:
    Block(std::uint64_t states, std::uint64_t transitions, std::size_t labels)
        : state_bits_(bits_for(states)),
          transition_bits_(bits_for(transitions)),
          label_count_(labels),
          last_targets_(transitions),
          by_transition_(transitions) {}

    [[nodiscard]] std::size_t size() const { return degrees_.size(); }
    [[nodiscard]] std::size_t edges() const { return targets_.size(); }
    void add_state(const std::uint8_t* labels, std::uint32_t degree) {
        degrees_.push_back(degree);
        for (std::size_t label = 0; label < label_count_; ++label)
            labels_.push_back((labels[label / 8] >> (label % 8) & 1U) != 0);
    }
    void add_edge(std::uint32_t transition, StateNumber target) {
        transitions_.push_back(transition);
        targets_.push_back(target);
    }
    // Which form, the number of bytes, the bytes.
    [[nodiscard]] Bytes take(ZSTD_CCtx* context) {
        const Bytes small = compressed(context);
        const Bytes large = plain();
        const bool is_smaller = small.size() < large.size();
        const Bytes& smaller = is_smaller ? small : large;
        Bytes block{static_cast<std::uint8_t>(is_smaller ? 1 : 0)};
        put_number(block, smaller.size());
        block.insert(block.end(), smaller.begin(), smaller.end());
        degrees_.clear();
        labels_.clear();
        transitions_.clear();
        targets_.clear();
        return block;
    }

private:
    [[nodiscard]] Bytes plain() const {
        BitWriter writer;
        std::size_t edge = 0;
        for (std::size_t i = 0; i < degrees_.size(); ++i) {
            for (std::size_t label = 0; label < label_count_; ++label)
                writer.put(labels_[i * label_count_ + label] ? 1 : 0, 1);
            writer.put_gamma(std::uint64_t{degrees_[i]} + 1);
            for (const std::size_t end = edge + degrees_[i]; edge < end; ++edge) {
                writer.put(transitions_[edge], transition_bits_);
                writer.put(targets_[edge], state_bits_);
            }
        }
        return writer.take();
    }

    [[nodiscard]] Bytes compressed(ZSTD_CCtx* context) {
        // The transition of each step by the one before it in the row: its rank among those that followed that one, the
        // latest first. The end of a row is a transition of its own, and stands before its first one.
        const auto end_of_row = static_cast<std::uint32_t>(by_transition_.size());
        std::vector<Bytes> ranks(by_transition_.size() + 1);
        std::vector<std::vector<std::uint32_t>> followers(by_transition_.size() + 1);
        Bytes unseen;  // those that had not followed it, in the order of rows
        const auto follow = [&](std::uint32_t before, std::uint32_t transition) {
            std::vector<std::uint32_t>& known = followers[before];
            const auto found = std::ranges::find(known, transition);
            put_number(ranks[before], static_cast<std::uint64_t>(found - known.begin()));
            if (found == known.end()) {
                put_number(unseen, transition);
                known.insert(known.begin(), transition);
            } else {
                std::rotate(known.begin(), found, found + 1);
            }
        };
        std::size_t edge = 0;
        for (const std::uint32_t degree : degrees_) {
            std::uint32_t before = end_of_row;
            for (const std::size_t end = edge + degree; edge < end; ++edge) {
                follow(before, transitions_[edge]);
                before = transitions_[edge];
            }
            follow(before, end_of_row);
        }
        Bytes lengths;
        Bytes all_ranks;
        for (const Bytes& of_one : ranks) {
            put_number(lengths, of_one.size());
            all_ranks.insert(all_ranks.end(), of_one.begin(), of_one.end());
        }
        for (std::size_t e = 0; e < targets_.size(); ++e) by_transition_[transitions_[e]].push_back(targets_[e]);
        Bytes first;  // of each target the first byte, and the others
        Bytes others;
        Bytes one;
        for (std::size_t transition = 0; transition < by_transition_.size(); ++transition) {
            for (const StateNumber target : by_transition_[transition]) {
                one.clear();
                put_number(one, zigzag(target - last_targets_[transition]));
                last_targets_[transition] = target;
                first.push_back(one.front());
                others.insert(others.end(), one.begin() + 1, one.end());
            }
            by_transition_[transition].clear();
        }
        BitWriter labels;  // label by label
        for (std::size_t label = 0; label < label_count_; ++label)
            for (std::size_t i = 0; i < degrees_.size(); ++i) labels.put(labels_[i * label_count_ + label] ? 1 : 0, 1);
        Bytes result;
        for (const Bytes& section : {lengths, all_ranks, unseen, labels.take(), first, others})
            append_section(result, section, context);
        return result;
    }

    // The number of bytes, that of those that are stored (0: as they are), the bytes.
    static void append_section(Bytes& result, const Bytes& section, ZSTD_CCtx* context) {
        constexpr int kLevel = 6;
        Bytes packed(ZSTD_compressBound(section.size()));
        const std::size_t size =
            ZSTD_compressCCtx(context, packed.data(), packed.size(), section.data(), section.size(), kLevel);
        const bool is_packed = ZSTD_isError(size) == 0 && size < section.size();
        put_number(result, section.size());
        put_number(result, is_packed ? size : 0);
        const Bytes& stored = is_packed ? packed : section;
        result.insert(result.end(), stored.begin(),
                      stored.begin() + static_cast<std::ptrdiff_t>(is_packed ? size : section.size()));
    }

    unsigned state_bits_;
    unsigned transition_bits_;
    std::size_t label_count_;
    std::vector<std::uint32_t> degrees_;
    std::vector<bool> labels_;
    std::vector<std::uint32_t> transitions_;
    std::vector<StateNumber> targets_;
    std::vector<StateNumber> last_targets_;  // by transition, of all blocks so far
    std::vector<std::vector<StateNumber>> by_transition_;
};

}  // namespace

support::StopReason write_compact_kripke(const CompactKripke& kripke, const support::TextSink& out,
                                         const support::Budget& budget, CompactKripkeSize& size) {
    LedgerGraph& graph = kripke.graph;
    assert(graph.is_complete() && graph.faulty_count() == 0);
    support::StopReason stopped = support::StopReason::none;
    const auto may_continue = [&] {
        stopped = budget.exhausted();
        return stopped == support::StopReason::none;
    };
    // Transitions get the numbers 0, 1, ... in the order in which they occur.
    std::unordered_map<std::uint64_t, std::uint64_t> transitions;
    graph.read_forward([&](const RowBlock& block) {
        for (const std::uint64_t transition : block.transitions)
            transitions.try_emplace(transition, transitions.size());
        return may_continue();
    });
    if (stopped != support::StopReason::none) return stopped;
    const nlohmann::json header{
        {"name", kripke.name},
        {"states", graph.state_count()},
        {"edges", graph.edge_count()},
        {"transitions", transitions.size()},
        {"labels", kripke.labels},
        {"initial", std::vector<StateNumber>(graph.initial_states().begin(), graph.initial_states().end())}};
    const std::string text = support::to_json_text(header);
    const auto length = static_cast<std::uint64_t>(text.size());
    char start[16] = {'T', 'L', 'K', 'C', 2, 0, 0, 0};
    std::memcpy(start + 8, &length, sizeof length);
    out({start, sizeof start});
    out(text);
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
    if (context == nullptr) throw std::bad_alloc();
    Block block_of_states(graph.state_count(), transitions.size(), kripke.labels.size());
    std::uint64_t written = 0;
    const auto write = [&] {
        if (block_of_states.size() == 0) return;
        const Bytes bytes = block_of_states.take(context.get());
        written += bytes.size();
        out({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    };
    graph.read_forward([&](const RowBlock& block) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < block.degrees.size(); ++i) {
            if (block_of_states.size() == kBlockStates) write();
            block_of_states.add_state(block.labels.data() + i * graph.label_bytes(), block.degrees[i]);
            for (const std::size_t end = at + block.degrees[i]; at < end; ++at)
                block_of_states.add_edge(static_cast<std::uint32_t>(transitions.at(block.transitions[at])),
                                         block.targets[at]);
        }
        return may_continue();
    });
    if (stopped != support::StopReason::none) return stopped;
    write();
    size.bits = 8 * written;
    size.bound = (2 * kWordBits + kripke.labels.size()) * graph.state_count() +
                 graph.edge_count() * (bits_for(transitions.size()) + bits_for(graph.state_count()));
    size.bytes = sizeof start + text.size() + written;
    return support::StopReason::none;
}

}  // namespace tideline::graph
