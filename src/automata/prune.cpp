#include "automata/prune.hpp"

#include <bit>

#include "automata/components.hpp"

namespace tideline::automata {
namespace {

Automaton without_useless(const Automaton& automaton) {
    const Components c = components(automaton);
    Automaton result = automaton;
    for (StateNumber s = 0; s < automaton.size(); ++s)
        std::erase_if(result.states[s], [&](const Edge& e) { return !c.useful[c.of[s]] || !c.useful[c.of[e.target]]; });
    merge_edges(result);
    return renumbered(result);
}

// The sets that a component needs, the others being implied by them.
Marks needed_sets(const Automaton& component) {
    Marks needed = component.all_marks();
    for (std::size_t set = 0; set < component.sets; ++set) {
        const Marks bit = Marks{1} << set;
        if (!has_cycle(component, bit, needed & ~bit)) needed &= ~bit;
    }
    return needed;
}

// The bits of `marks` at the positions of `kept`, compacted.
Marks gathered(Marks marks, Marks kept) {
    Marks result = 0;
    unsigned at = 0;
    for (; kept != 0; kept &= kept - 1) {
        if ((marks & kept & (~kept + 1)) != 0) result |= Marks{1} << at;
        ++at;
    }
    return result;
}

}  // namespace

Automaton pruned(const Automaton& automaton) {
    Automaton result = without_useless(automaton);
    const Components c = components(result);
    const std::vector<Automaton> graphs = component_graphs(result, c);
    std::vector<Marks> needed(c.count(), 0);
    std::size_t sets = 0;
    bool rejecting = false;
    for (std::uint32_t i = 0; i < c.count(); ++i) {
        if (c.kinds[i] == ComponentKind::rejecting) rejecting = true;
        if (!c.is_accepting(i)) continue;
        needed[i] = needed_sets(graphs[i]);
        sets = std::max<std::size_t>(sets, static_cast<std::size_t>(std::popcount(needed[i])));
    }
    if (sets == 0 && (rejecting || automaton.state_based))
        sets = 1;  // to distinguish accepting components from the others
    result.sets = sets;
    for (StateNumber s = 0; s < result.size(); ++s) {
        const std::uint32_t component = c.of[s];
        const auto own = static_cast<unsigned>(std::popcount(needed[component]));
        for (Edge& e : result.states[s]) {
            // Edges out of a state of a state-based automaton keep the same marks.
            if (!c.is_accepting(component) || !(result.state_based || c.is_inside(s, e))) {
                e.marks = 0;
                continue;
            }
            // Sets that this component does not need hold all of its edges.
            const Marks rest = result.all_marks() & ~(own == kMostSets ? ~Marks{0} : (Marks{1} << own) - 1);
            e.marks = gathered(e.marks, needed[component]) | rest;
        }
    }
    merge_edges(result);
    return result;
}

}  // namespace tideline::automata
