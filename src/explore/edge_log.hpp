// Edges on their way to a ledger: states are expanded by several threads at a time, in several batches each, and written in the order of
// their numbers.
//
// What a thread takes together is a chunk of consecutive numbers. Its edges are gathered until all of its states have been expanded, and
// chunks leave in order. When nothing that was taken is left to expand, none is here.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "ledger/ledger.hpp"
#include "successor/system.hpp"

namespace tideline {

class EdgeLog {
public:
    explicit EdgeLog(std::size_t threads) : open_(threads) {}

    // A thread has taken that many states; they have the next numbers.
    void begin(std::size_t thread, std::size_t states) {
        chunks_.emplace_back().states = states;
        open_[thread] = &chunks_.back();
    }

    // What it has expanded of them now; targets[i] is the number of the i-th entry where that has no fault.
    void add(std::size_t thread, const SuccessorBatch& batch, std::span<const std::uint64_t> targets) {
        if (batch.size() == 0 && batch.complete_sources() == 0) return;
        Chunk& chunk = *open_[thread];
        std::size_t at = 0;
        const auto take_until = [&](std::size_t end) {
            for (; at < end; ++at) {
                if (batch.fault(at) != FaultKind::none) continue;
                chunk.targets.push_back(targets[at]);
                chunk.transitions.push_back(batch.transition(at));
                ++chunk.begun;
            }
        };
        for (std::size_t n = 0; n < batch.complete_sources(); ++n) {
            take_until(batch.end(n));
            chunk.degrees.push_back(std::exchange(chunk.begun, 0));
        }
        take_until(batch.size());
    }

    // Writes what is complete.
    void flush(LedgerWriter& writer) {
        for (; !chunks_.empty() && chunks_.front().degrees.size() == chunks_.front().states; chunks_.pop_front())
            writer.append_edges(chunks_.front().degrees, chunks_.front().targets, chunks_.front().transitions);
    }
    [[nodiscard]] bool empty() const { return chunks_.empty(); }

private:
    struct Chunk {
        std::size_t states = 0;
        std::vector<std::uint32_t> degrees;  // of those that have been expanded
        std::uint32_t begun = 0;             // edges of the one that is being expanded
        std::vector<std::uint64_t> targets;
        std::vector<std::uint64_t> transitions;
    };

    std::deque<Chunk> chunks_;   // in the order of their numbers
    std::vector<Chunk*> open_;   // of each thread, the last one
};

}  // namespace tideline
