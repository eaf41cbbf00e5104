// Generalised Büchi automata with acceptance on edges.
//
// An automaton reads infinite words whose letters are sets of atoms. An edge can be taken with the letters that satisfy
// its label; it may carry marks, one for each set of accepting edges it belongs to. A run is accepting if it takes
// edges of every set infinitely often; with no sets, every infinite run is. An ordinary Büchi automaton with accepting
// states is the case of one set where the edges out of a state carry the mark all or none.
//
// Automata need not be complete: where no edge fits the letter, the run ends and the word is not accepted by it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "automata/label.hpp"

namespace tideline::automata {

using StateNumber = std::uint32_t;
using Marks = std::uint64_t;  // bit i: the edge belongs to set i

constexpr std::size_t kMostSets = 64;

struct Edge {
    StateNumber target = 0;
    Label label;
    Marks marks = 0;
    friend bool operator==(const Edge&, const Edge&) = default;
    friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct Automaton {
    Labels* labels = nullptr;        // what the labels of edges belong to; outlives the automaton
    std::vector<std::string> atoms;  // the texts of variables 0, 1, ...
    std::size_t sets = 0;
    bool state_based = false;  // the edges out of a state carry the same marks
    StateNumber initial = 0;
    std::vector<std::vector<Edge>> states;  // the edges out of each

    [[nodiscard]] std::size_t size() const { return states.size(); }
    [[nodiscard]] Marks all_marks() const { return sets == kMostSets ? ~Marks{0} : (Marks{1} << sets) - 1; }
    // Of a state-based automaton: whether a state is accepting. A state without edges is not.
    [[nodiscard]] bool is_accepting(StateNumber s) const {
        return !states[s].empty() && states[s].front().marks == all_marks();
    }
    [[nodiscard]] std::size_t edge_count() const;
};

// The same automaton without the sets, states and edges: to be filled in by constructions.
Automaton empty_like(const Automaton& automaton);

// Edges between the same states with the same marks become one, edges without a letter vanish, the rest is sorted.
void merge_edges(Automaton& automaton);

// Only states that can be reached from the initial one, which becomes state 0, in breadth-first order.
Automaton renumbered(const Automaton& automaton);

bool is_deterministic(const Automaton& automaton);

}  // namespace tideline::automata
