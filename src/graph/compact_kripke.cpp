#include "graph/compact_kripke.hpp"

#include <bit>
#include <cassert>
#include <cstring>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "support/json_text.hpp"

namespace tideline::graph {
namespace {

constexpr std::uint64_t kWordBits = 32;

// Bits that tell `count` things apart.
unsigned bits_for(std::uint64_t count) { return count < 2 ? 0 : static_cast<unsigned>(std::bit_width(count - 1)); }

// Bits from the lowest of a byte to the highest.
class BitWriter {
public:
    explicit BitWriter(const support::TextSink& out) : out_(out) {}

    void put(std::uint64_t value, unsigned count) {
        bits_ += count;
        while (count > 0) {
            const unsigned some = std::min(count, 32U);
            pending_ |= (value & ((std::uint64_t{1} << some) - 1)) << used_;
            used_ += some;
            value >>= some;
            count -= some;
            while (used_ >= 8) take_byte();
        }
    }
    // Of a number from 1 on: as many zeros as bits follow its first one, then the number from that one on.
    void put_gamma(std::uint64_t number) {
        const auto more = static_cast<unsigned>(std::bit_width(number)) - 1;
        put(0, more);
        for (unsigned i = more + 1; i-- > 0;) put(number >> i & 1U, 1);
    }
    void finish() {
        if (used_ > 0) {
            used_ = 8;
            take_byte();
        }
        flush();
    }
    [[nodiscard]] std::uint64_t bits() const { return bits_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
    void take_byte() {
        buffer_.push_back(static_cast<char>(pending_ & 0xFFU));
        pending_ >>= 8U;
        used_ -= 8;
        constexpr std::size_t kBuffer = std::size_t{1} << 16U;
        if (buffer_.size() >= kBuffer) flush();
    }
    void flush() {
        bytes_ += buffer_.size();
        out_(buffer_);
        buffer_.clear();
    }

    const support::TextSink& out_;
    std::string buffer_;
    std::uint64_t pending_ = 0;
    unsigned used_ = 0;
    std::uint64_t bits_ = 0;
    std::uint64_t bytes_ = 0;
};

}  // namespace

support::StopReason write_compact_kripke(const CompactKripke& kripke, const support::TextSink& out,
                                         const support::Budget& budget, CompactKripkeSize& size) {
    LedgerGraph& graph = kripke.graph;
    assert(graph.is_complete() && graph.faulty_count() == 0);
    support::StopReason stopped = support::StopReason::none;
    const auto may_go_on = [&] {
        stopped = budget.exhausted();
        return stopped == support::StopReason::none;
    };
    // Transitions get the numbers 0, 1, ... in the order in which they occur.
    std::unordered_map<std::uint64_t, std::uint64_t> transitions;
    graph.read_forward([&](const RowBlock& block) {
        for (const std::uint64_t transition : block.transitions)
            transitions.try_emplace(transition, transitions.size());
        return may_go_on();
    });
    if (stopped != support::StopReason::none) return stopped;
    const unsigned state_bits = bits_for(graph.state_count());
    const unsigned transition_bits = bits_for(transitions.size());
    const nlohmann::json header{
        {"name", kripke.name},
        {"states", graph.state_count()},
        {"edges", graph.edge_count()},
        {"transitions", transitions.size()},
        {"labels", kripke.labels},
        {"initial", std::vector<StateNumber>(graph.initial_states().begin(), graph.initial_states().end())}};
    const std::string text = support::to_json_text(header);
    const auto length = static_cast<std::uint64_t>(text.size());
    char start[16] = {'T', 'L', 'K', 'C', 1, 0, 0, 0};
    std::memcpy(start + 8, &length, sizeof length);
    out({start, sizeof start});
    out(text);
    BitWriter writer(out);
    const std::size_t label_bytes = graph.label_bytes();
    graph.read_forward([&](const RowBlock& block) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < block.degrees.size(); ++i) {
            for (std::size_t label = 0; label < kripke.labels.size(); ++label)
                writer.put(block.labels[i * label_bytes + label / 8] >> (label % 8) & 1U, 1);
            writer.put_gamma(std::uint64_t{block.degrees[i]} + 1);
            for (const std::size_t end = at + block.degrees[i]; at < end; ++at) {
                writer.put(transitions.at(block.transitions[at]), transition_bits);
                writer.put(block.targets[at], state_bits);
            }
        }
        return may_go_on();
    });
    if (stopped != support::StopReason::none) return stopped;
    writer.finish();
    size.bits = writer.bits();
    size.bound = (2 * kWordBits + kripke.labels.size()) * graph.state_count() +
                 graph.edge_count() * (transition_bits + state_bits);
    size.bytes = sizeof start + text.size() + writer.bytes();
    return support::StopReason::none;
}

}  // namespace tideline::graph
