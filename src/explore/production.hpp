// What a thread makes in a round: a batch of successors, the states that they are of, and who is to insert them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "explore/edge_sink.hpp"
#include "successor/system.hpp"

namespace tideline::explore {

// The entries of a batch that have no fault, by the thread that inserts them.
struct OwnedEntries {
    std::vector<std::uint32_t> indices;
    std::vector<std::size_t> ends;  // of those of each thread
    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t thread) const {
        const std::size_t begin = thread == 0 ? 0 : ends[thread - 1];
        return std::span(indices).subspan(begin, ends[thread] - begin);
    }
};

// What a thread makes in a round: successors, and of which states.
struct Production {
    Production(std::size_t state_words, std::size_t capacity) : batch(state_words, capacity), words(state_words) {}

    [[nodiscard]] const successor::Word* source(std::size_t i) const { return sources + i * words; }
    // Of a source, where somebody needs it.
    [[nodiscard]] StateNumber number(std::size_t i) const { return numbers != nullptr ? numbers[i] : first_number + i; }

    successor::SuccessorBatch batch;
    std::size_t words;   // of a state
    OwnedEntries owned;  // where several threads insert them
    const successor::Word* sources =
        nullptr;                       // all that were popped together, of which some may be expanded in other rounds
    std::vector<StateNumber> targets;  // numbers of the batch's states, where edges are recorded
    std::size_t popped = 0;
    bool has_just_popped = false;
    const StateNumber* numbers = nullptr;  // of the sources, where they are not consecutive
    std::uint64_t first_number = 0;        // of the sources, where they are recorded
    std::uint64_t expanded_before = 0;     // the sources
    std::uint64_t delivered_before = 0;    // successors of the batch's first source that came before this batch
};

}  // namespace tideline::explore
