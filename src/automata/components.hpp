// The strongly connected components of an automaton and what kind each is.
#pragma once

#include "automata/automaton.hpp"

namespace tideline::automata {

enum class ComponentKind : std::uint8_t {
    transient,  // one state without a cycle
    rejecting,  // no cycle is accepting
    accepting,  // some cycles are accepting, some are not
    weak,       // all cycles are accepting
    terminal,   // weak, and no letter leaves it: every word is accepted from here
};

struct Components {
    std::vector<std::uint32_t> of;     // by state; edges lead to the same or a smaller number
    std::vector<ComponentKind> kinds;  // by component
    std::vector<bool> useful;          // an accepting cycle can be reached
    std::vector<Marks> marks;          // on some edge inside

    [[nodiscard]] std::size_t count() const { return kinds.size(); }
    [[nodiscard]] bool is_inside(StateNumber s, const Edge& e) const { return of[s] == of[e.target]; }
    [[nodiscard]] bool is_accepting(std::uint32_t c) const { return kinds[c] >= ComponentKind::accepting; }
    // The component's position in the order of progress: it never decreases along an edge. The last component of a run
    // has the largest.
    [[nodiscard]] std::uint32_t rank(StateNumber s) const { return static_cast<std::uint32_t>(count()) - 1 - of[s]; }
};

Components components(const Automaton& automaton);

// Numbers of components of the subgraph of the edges that `keep` allows. Same order as above.
template <class Keep>
std::vector<std::uint32_t> component_numbers(const Automaton& automaton, Keep keep);

// The components as automata of their own: the states in order, and the edges inside.
std::vector<Automaton> component_graphs(const Automaton& automaton, const Components& components);

// Whether there is a cycle that avoids the marks `avoided` and carries all of `required`, wherever it is.
bool has_cycle(const Automaton& automaton, Marks avoided, Marks required);

bool is_empty(const Automaton& automaton);

}  // namespace tideline::automata

#include "automata/component_numbers.hpp"
