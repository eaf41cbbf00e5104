// Sequences of labels by the definition: is every sequence that one system shows one of another's?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tideline::reference {

struct WordSystem {
    struct Move {
        std::size_t from = 0;
        std::string label;  // empty: not visible
        std::size_t to = 0;
    };
    std::size_t states = 0;
    std::size_t initial = 0;
    std::vector<Move> moves;
    std::vector<bool> final;  // of a specification, by state; empty: all
};

struct IllegalRuns {
    // The fewest steps of a run whose labels the specification does not have; nothing: there is none.
    std::optional<std::size_t> steps;
    // A run ends, with labels that the specification has, but never in a final state.
    bool ends_badly = false;
};

[[nodiscard]] IllegalRuns illegal_runs(const WordSystem& system, const WordSystem& specification);

}  // namespace tideline::reference
