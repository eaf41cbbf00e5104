#include "automata/obligation.hpp"

#include <algorithm>
#include <map>

#include "automata/components.hpp"
#include "automata/product.hpp"
#include "automata/prune.hpp"
#include "automata/subsets.hpp"

namespace tideline::automata {
namespace {

// A word that leads from `start` back to it inside its component: letters of a shortest cycle.
std::vector<std::uint64_t> cycle_word(const Automaton& automaton, const Components& c, StateNumber start) {
    constexpr StateNumber kNone = ~0U;
    struct Before {
        StateNumber state = kNone;
        std::uint64_t letter = 0;
    };
    std::vector<Before> before(automaton.size());
    std::vector<StateNumber> queue{start};
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (const Edge& e : automaton.states[queue[i]]) {
            if (!c.is_inside(queue[i], e) || before[e.target].state != kNone) continue;
            before[e.target] = {queue[i], automaton.labels->example(e.label)};
            queue.push_back(e.target);
        }
    std::vector<std::uint64_t> letters;
    StateNumber at = start;
    do {
        letters.push_back(before[at].letter);
        at = before[at].state;
    } while (at != start);
    std::reverse(letters.begin(), letters.end());
    return letters;
}

// Which components of the subset automaton accept, by one word for each.
std::vector<bool> accepting_components(const SubsetAutomaton& subsets, const Components& c,
                                       const Automaton& automaton) {
    std::vector<bool> result(c.count(), false);
    std::vector<bool> decided(c.count(), false);
    Automaton from = automaton;
    for (StateNumber s = 0; s < subsets.automaton.size(); ++s) {
        const std::uint32_t component = c.of[s];
        if (decided[component] || c.kinds[component] == ComponentKind::transient) continue;
        decided[component] = true;
        const logic::Lasso word{cycle_word(subsets.automaton, c, s), 0};
        result[component] = std::any_of(subsets.members[s].begin(), subsets.members[s].end(), [&](StateNumber member) {
            from.initial = member;
            return accepts(from, word);
        });
    }
    return result;
}

// Löding's colours: as large as possible, even where the component accepts and odd where it does not, never larger than
// those of successors. Whether the colour is even says how a state counts, also where no cycle decides it.
std::vector<bool> accepting_colours(const Automaton& automaton, const Components& c,
                                    const std::vector<bool>& accepting) {
    std::vector<std::size_t> least(c.count(), 2 * c.count() + 2);  // of successors, at the beginning an even bound
    std::vector<std::vector<std::uint32_t>> predecessors(c.count());
    for (StateNumber s = 0; s < automaton.size(); ++s)
        for (const Edge& e : automaton.states[s])
            if (!c.is_inside(s, e)) predecessors[c.of[e.target]].push_back(c.of[s]);
    std::vector<bool> even(c.count());
    for (std::uint32_t i = 0; i < c.count(); ++i) {  // successors first
        std::size_t colour = least[i];
        if (c.kinds[i] != ComponentKind::transient && (colour % 2 == 0) != accepting[i]) --colour;
        even[i] = colour % 2 == 0;
        for (const std::uint32_t p : predecessors[i]) least[p] = std::min(least[p], colour);
    }
    std::vector<bool> result(automaton.size());
    for (StateNumber s = 0; s < automaton.size(); ++s) result[s] = even[c.of[s]];
    return result;
}

// Moore's algorithm: classes are split by the targets of letters until they are stable.
std::vector<StateNumber> classes(const Automaton& automaton, const std::vector<bool>& accepting,
                                 const TranslationBudget& budget) {
    Labels& labels = *automaton.labels;
    std::vector<StateNumber> of(accepting.begin(), accepting.end());
    std::size_t count = 0;
    while (true) {
        budget.check();
        using Signature = std::pair<StateNumber, std::map<StateNumber, Label>>;
        std::map<Signature, StateNumber> numbers;
        std::vector<StateNumber> finer(automaton.size());
        for (StateNumber s = 0; s < automaton.size(); ++s) {
            Signature signature{of[s], {}};
            for (const Edge& e : automaton.states[s]) {
                Label& label = signature.second.emplace(of[e.target], labels.falsity()).first->second;
                label = labels.either(label, e.label);
            }
            finer[s] = numbers.emplace(std::move(signature), static_cast<StateNumber>(numbers.size())).first->second;
        }
        of = std::move(finer);
        if (numbers.size() == count) return of;
        count = numbers.size();
    }
}

Automaton with_accepting(Automaton automaton, const std::vector<bool>& accepting) {
    automaton.sets = 1;
    automaton.state_based = true;
    for (StateNumber s = 0; s < automaton.size(); ++s)
        for (Edge& e : automaton.states[s]) e.marks = accepting[s] ? 1 : 0;
    return automaton;
}

}  // namespace

std::optional<Automaton> minimal_weak(const Automaton& automaton, const Automaton& complement, std::size_t most_states,
                                      const TranslationBudget& budget) {
    const std::optional<SubsetAutomaton> subsets = subset_automaton(automaton, most_states, budget);
    if (!subsets) return std::nullopt;
    const Components c = components(subsets->automaton);
    const std::vector<bool> accepting =
        accepting_colours(subsets->automaton, c, accepting_components(*subsets, c, automaton));
    const std::vector<StateNumber> of = classes(subsets->automaton, accepting, budget);

    Automaton minimal = empty_like(automaton);
    minimal.states.resize(*std::max_element(of.begin(), of.end()) + 1);
    minimal.initial = of[subsets->automaton.initial];
    std::vector<bool> class_accepting(minimal.size(), false);
    for (StateNumber s = 0; s < subsets->automaton.size(); ++s) {
        class_accepting[of[s]] = accepting[s];
        if (!minimal.states[of[s]].empty()) continue;
        for (const Edge& e : subsets->automaton.states[s]) minimal.states[of[s]].push_back({of[e.target], e.label, 0});
    }
    merge_edges(minimal);
    minimal = with_accepting(std::move(minimal), class_accepting);
    if (!is_empty(product(minimal, complement, budget))) return std::nullopt;
    class_accepting.flip();
    if (!is_empty(product(with_accepting(minimal, class_accepting), automaton, budget))) return std::nullopt;
    return pruned(minimal);
}

}  // namespace tideline::automata
