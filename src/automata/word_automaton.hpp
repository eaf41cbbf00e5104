// Automata on finite words, as specifications of the sequences of labels that a system may show.
//
// The subset construction makes them deterministic (M. Rabin and D. Scott, IBM J. 3, 1959), refinement of partitions
// minimal (E. Moore, 1956). What a word may not go on with leads to `illegal()`, from which nothing leads away: the
// complement is where this state is reached.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tideline::automata {

// With several moves by a letter and silent ones.
struct WordGraph {
    struct Edge {
        std::uint32_t target = 0;
        std::optional<std::uint32_t> letter;  // nothing: silent
    };
    std::vector<std::string> letters;
    std::vector<std::vector<Edge>> states;
    std::vector<std::uint32_t> initial;
    std::vector<bool> final;  // by state: a word may end here for good
};

// Deterministic and complete.
struct WordAutomaton {
    std::vector<std::string> letters;
    // next[state][letter]; state 0 is the initial one, the last one illegal().
    std::vector<std::vector<std::uint32_t>> next;
    std::vector<bool> final;
    // By state, a number that no move lowers: that of its component, in the order in which words reach them.
    std::vector<std::uint32_t> rank;

    [[nodiscard]] std::uint32_t illegal() const { return static_cast<std::uint32_t>(next.size() - 1); }
};

// Every state of the graph is one in which a word may be. Nothing where it has more than `most` states.
[[nodiscard]] std::optional<WordAutomaton> determinised(const WordGraph& graph, std::size_t most);

// The same language with the fewest states.
[[nodiscard]] WordAutomaton minimal(const WordAutomaton& automaton);

}  // namespace tideline::automata
