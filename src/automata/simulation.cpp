#include "automata/simulation.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "automata/components.hpp"
#include "automata/prune.hpp"

namespace tideline::automata {
namespace {

// Relations are kept as matrices, and the work grows with the square of the number of edges. Larger automata are only
// reduced by bisimulation.
constexpr std::size_t kMostStates = 400;
constexpr std::size_t kMostEdges = 3000;
constexpr std::size_t kMostRounds = 100;  // of refining a bisimulation

bool is_small(const Automaton& automaton) {
    return automaton.size() <= kMostStates && automaton.edge_count() <= kMostEdges;
}

// related[p][q]: q simulates p.
using Relation = std::vector<std::vector<bool>>;

// A step to be matched: forwards the edge out of a state, backwards the edge into it seen from its target.
struct Step {
    StateNumber other;
    Label label;
    Marks weakest;    // the marks that a matching step must have at least
    Marks strongest;  // the marks that the step offers as a match
};

using Steps = std::vector<std::vector<Step>>;

// Refines a relation to the largest simulation within it.
class Refinement {
public:
    Refinement(Relation& related, const Steps& steps, Labels& labels, const TranslationBudget& budget)
        : related_(related),
          steps_(steps),
          labels_(labels),
          budget_(budget),
          demand_of_(steps.size()),
          versions_(steps.size(), 1) {
        std::map<std::pair<StateNumber, Marks>, std::uint32_t> numbers;
        for (StateNumber p = 0; p < steps.size(); ++p)
            for (const Step& step : steps[p]) {
                const auto [found, is_new] =
                    numbers.emplace(std::pair(step.other, step.weakest), static_cast<std::uint32_t>(demands_.size()));
                if (is_new) demands_.push_back({step.other, step.weakest});
                demand_of_[p].push_back(found->second);
            }
        answers_.assign(steps.size(), std::vector<Answer>(demands_.size()));
    }

    void run() {
        const std::size_t n = steps_.size();
        // What row p says follows from the rows of the states that its steps lead to; it is examined again when one of
        // these has changed.
        std::vector<std::vector<StateNumber>> dependents(n);
        for (StateNumber p = 0; p < n; ++p)
            for (const Step& step : steps_[p]) dependents[step.other].push_back(p);
        std::set<StateNumber, std::greater<>>
            open;  // states are numbered from the initial one on: descending order is mostly backwards
        for (StateNumber p = 0; p < n; ++p) open.insert(p);
        while (!open.empty()) {
            budget_.check();
            const StateNumber p = *open.begin();
            open.erase(open.begin());
            bool changed = false;
            for (StateNumber q = 0; q < n; ++q) {
                if (p == q || !related_[p][q] || is_simulated(p, q)) continue;
                related_[p][q] = false;
                changed = true;
            }
            if (!changed) continue;
            ++versions_[p];
            open.insert(dependents[p].begin(), dependents[p].end());
        }
    }

private:
    // A step is matched by steps to states that simulate its target, with at least its marks.
    struct Demand {
        StateNumber other;
        Marks marks;
    };
    // The letters for which a state has such steps; right as long as the row of the target has this version.
    struct Answer {
        std::uint32_t version = 0;
        Label label;
    };

    bool is_simulated(StateNumber p, StateNumber q) {
        for (std::size_t i = 0; i < steps_[p].size(); ++i)
            if (!labels_.implies(steps_[p][i].label, answer(q, demand_of_[p][i]))) return false;
        return true;
    }

    Label answer(StateNumber q, std::uint32_t number) {
        const Demand& demand = demands_[number];
        Answer& known = answers_[q][number];
        if (known.version == versions_[demand.other]) return known.label;
        Label label = labels_.falsity();
        for (const Step& step : steps_[q])
            if ((demand.marks & ~step.strongest) == 0 && related_[demand.other][step.other])
                label = labels_.either(label, step.label);
        known = {versions_[demand.other], label};
        return label;
    }

    Relation& related_;
    const Steps& steps_;
    Labels& labels_;
    const TranslationBudget& budget_;
    std::vector<Demand> demands_;
    std::vector<std::vector<std::uint32_t>> demand_of_;  // by state and step
    std::vector<std::uint32_t> versions_;                // of the rows of the relation
    std::vector<std::vector<Answer>> answers_;           // by state and demand
};

Relation full_relation(std::size_t n) { return Relation(n, std::vector<bool>(n, true)); }

// The smallest state that is equivalent to each.
std::vector<StateNumber> representatives(const Relation& related) {
    std::vector<StateNumber> result(related.size());
    for (StateNumber p = 0; p < related.size(); ++p) {
        result[p] = p;
        for (StateNumber q = 0; q < p; ++q)
            if (related[p][q] && related[q][p]) {
                result[p] = result[q];
                break;
            }
    }
    return result;
}

void redirect(Automaton& automaton, const std::vector<StateNumber>& to) {
    for (std::vector<Edge>& edges : automaton.states)
        for (Edge& e : edges) e.target = to[e.target];
    automaton.initial = to[automaton.initial];
}

// Replaces states by ones of later components that accept the same words.
Automaton joined_across(const Automaton& automaton, const TranslationBudget& budget) {
    const Components c = components(automaton);
    const std::size_t n = automaton.size();
    Steps steps(n);
    for (StateNumber s = 0; s < n; ++s)
        for (const Edge& e : automaton.states[s]) {
            const bool inside = c.is_inside(s, e);
            steps[s].push_back({e.target, e.label, inside ? e.marks : 0, inside ? e.marks : automaton.all_marks()});
        }
    Relation related = full_relation(n);
    Refinement(related, steps, *automaton.labels, budget).run();
    std::vector<StateNumber> to(n);
    for (StateNumber p = 0; p < n; ++p) {
        to[p] = p;
        for (StateNumber q = 0; q < n; ++q)
            if (related[p][q] && related[q][p] && c.of[q] < c.of[to[p]]) to[p] = q;
    }
    // The relation need not be transitive, but equality of languages is: follow the replacements to their end.
    for (StateNumber p = 0; p < n; ++p)
        while (to[to[p]] != to[p]) to[p] = to[to[p]];
    Automaton result = automaton;
    redirect(result, to);
    merge_edges(result);
    return renumbered(result);
}

// Edges of a state that are subsumed by another edge of it. `related` is a partial order on states here.
void drop_dominated_forwards(Automaton& automaton, const Relation& related) {
    Labels& labels = *automaton.labels;
    for (std::vector<Edge>& edges : automaton.states) {
        const std::vector<Edge> before = edges;
        for (std::size_t i = 0; i < edges.size(); ++i)
            for (const Edge& f : before) {
                const Edge& e = before[i];
                if (f.target == e.target && f.marks == e.marks) continue;
                if ((e.marks & ~f.marks) == 0 && related[e.target][f.target])
                    edges[i].label = labels.minus(edges[i].label, f.label);
            }
    }
    merge_edges(automaton);
}

Automaton reduced_forwards(const Automaton& automaton, const TranslationBudget& budget) {
    const std::size_t n = automaton.size();
    Steps steps(n);
    for (StateNumber s = 0; s < n; ++s)
        for (const Edge& e : automaton.states[s]) steps[s].push_back({e.target, e.label, e.marks, e.marks});
    Relation related = full_relation(n);
    Refinement(related, steps, *automaton.labels, budget).run();
    Automaton result = automaton;
    redirect(result, representatives(related));
    merge_edges(result);
    drop_dominated_forwards(result, related);
    return renumbered(result);
}

Automaton reduced_backwards(const Automaton& automaton, const TranslationBudget& budget) {
    const std::size_t n = automaton.size();
    Labels& labels = *automaton.labels;
    Steps steps(n);
    for (StateNumber s = 0; s < n; ++s)
        for (const Edge& e : automaton.states[s]) steps[e.target].push_back({s, e.label, e.marks, e.marks});
    Relation related = full_relation(n);
    for (StateNumber p = 0; p < n; ++p)
        for (StateNumber q = 0; q < n; ++q) {
            if (p == automaton.initial && q != automaton.initial) related[p][q] = false;
            // The edges of a merged state are those of all its members, so these have to agree about acceptance.
            if (automaton.state_based && automaton.is_accepting(p) && !automaton.is_accepting(q)) related[p][q] = false;
        }
    Refinement(related, steps, labels, budget).run();
    const std::vector<StateNumber> to = representatives(related);
    Automaton result = automaton;
    for (StateNumber s = 0; s < n; ++s) {
        if (to[s] == s) continue;
        result.states[to[s]].insert(result.states[to[s]].end(), result.states[s].begin(), result.states[s].end());
        result.states[s].clear();
    }
    redirect(result, to);
    merge_edges(result);
    // Edges into one state that start in a state which another edge's start simulates in reverse.
    std::vector<std::vector<std::pair<StateNumber, Edge>>> into(n);
    for (StateNumber s = 0; s < n; ++s)
        for (const Edge& e : result.states[s]) into[e.target].emplace_back(s, e);
    for (StateNumber s = 0; s < n; ++s)
        for (Edge& e : result.states[s]) {
            const Edge before = e;
            for (const auto& [source, f] : into[before.target]) {
                if (source == s && f.marks == before.marks) continue;
                if ((before.marks & ~f.marks) == 0 && related[s][source]) e.label = labels.minus(e.label, f.label);
            }
        }
    merge_edges(result);
    return renumbered(result);
}

// Merges states with the same edges to merged states, for large automata. Long chains take as many rounds as they have
// states; they are left as they are.
Automaton bisimulation_reduced(const Automaton& automaton, const TranslationBudget& budget) {
    Labels& labels = *automaton.labels;
    using Signature = std::map<std::pair<StateNumber, Marks>, Label>;
    std::vector<StateNumber> of(automaton.size(), 0);
    std::size_t count = 1;
    for (std::size_t round = 0;; ++round) {
        budget.check();
        if (round == kMostRounds) return automaton;
        std::map<std::pair<StateNumber, Signature>, StateNumber> numbers;
        std::vector<StateNumber> finer(automaton.size());
        for (StateNumber s = 0; s < automaton.size(); ++s) {
            Signature signature;
            for (const Edge& e : automaton.states[s]) {
                Label& label = signature.emplace(std::pair(of[e.target], e.marks), labels.falsity()).first->second;
                label = labels.either(label, e.label);
            }
            finer[s] = numbers.emplace(std::pair(of[s], std::move(signature)), static_cast<StateNumber>(numbers.size()))
                           .first->second;
        }
        of = std::move(finer);
        if (numbers.size() == count) break;
        count = numbers.size();
    }
    std::vector<StateNumber> first(count, ~0U);
    for (StateNumber s = 0; s < automaton.size(); ++s) first[of[s]] = std::min(first[of[s]], s);
    for (StateNumber& s : of) s = first[s];
    Automaton result = automaton;
    redirect(result, of);
    merge_edges(result);
    return renumbered(result);
}

}  // namespace

Automaton simulation_reduced(const Automaton& automaton, const TranslationBudget& budget) {
    Automaton best = pruned(automaton);
    if (!is_small(best)) best = pruned(bisimulation_reduced(best, budget));
    while (is_small(best)) {
        Automaton next = pruned(joined_across(best, budget));
        next = pruned(reduced_forwards(next, budget));
        next = pruned(reduced_backwards(next, budget));
        const bool smaller =
            next.size() < best.size() || (next.size() == best.size() && next.edge_count() < best.edge_count());
        if (next.size() <= best.size()) best = std::move(next);
        if (!smaller) break;
    }
    return best;
}

}  // namespace tideline::automata
