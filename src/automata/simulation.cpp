#include "automata/simulation.hpp"

#include <algorithm>

#include "automata/components.hpp"
#include "automata/prune.hpp"

namespace tideline {
namespace {

// Relations are kept as matrices, and the work grows with their size times the number of edges.
constexpr std::size_t kLargest = 400;

// related[p][q]: q simulates p.
using Relation = std::vector<std::vector<bool>>;

// A step to be matched: forwards the edge out of a state, backwards the edge into it seen from its target.
struct Step {
    StateNumber other;
    Label label;
    Marks weakest;    // the marks that an answer must have at least
    Marks strongest;  // the marks that the step has as an answer
};

using Steps = std::vector<std::vector<Step>>;

// The largest simulation within `related`.
void refine(Relation& related, const Steps& steps, Labels& labels, const Budget& budget) {
    const std::size_t n = steps.size();
    const auto matches = [&](const Step& step, StateNumber q) {
        Label missing = step.label;
        for (const Step& answer : steps[q]) {
            if ((step.weakest & ~answer.strongest) != 0 || !related[step.other][answer.other]) continue;
            missing = labels.minus(missing, answer.label);
            if (missing == labels.falsity()) return true;
        }
        return false;
    };
    bool changed = true;
    while (changed) {
        changed = false;
        for (StateNumber p = 0; p < n; ++p) {
            budget.check(labels.size());
            for (StateNumber q = 0; q < n; ++q) {
                if (p == q || !related[p][q]) continue;
                if (std::all_of(steps[p].begin(), steps[p].end(), [&](const Step& step) { return matches(step, q); })) continue;
                related[p][q] = false;
                changed = true;
            }
        }
    }
}

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
Automaton joined_across(const Automaton& automaton, const Budget& budget) {
    const Components c = components(automaton);
    const std::size_t n = automaton.size();
    Steps steps(n);
    for (StateNumber s = 0; s < n; ++s)
        for (const Edge& e : automaton.states[s]) {
            const bool inside = c.is_inside(s, e);
            steps[s].push_back({e.target, e.label, inside ? e.marks : 0, inside ? e.marks : automaton.all_marks()});
        }
    Relation related = full_relation(n);
    refine(related, steps, *automaton.labels, budget);
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

// Edges of one state that another one of it makes needless. `related` is a partial order on states here.
void drop_dominated_forwards(Automaton& automaton, const Relation& related) {
    Labels& labels = *automaton.labels;
    for (std::vector<Edge>& edges : automaton.states) {
        const std::vector<Edge> before = edges;
        for (std::size_t i = 0; i < edges.size(); ++i)
            for (const Edge& f : before) {
                const Edge& e = before[i];
                if (f.target == e.target && f.marks == e.marks) continue;
                if ((e.marks & ~f.marks) == 0 && related[e.target][f.target]) edges[i].label = labels.minus(edges[i].label, f.label);
            }
    }
    merge_edges(automaton);
}

Automaton reduced_forwards(const Automaton& automaton, const Budget& budget) {
    const std::size_t n = automaton.size();
    Steps steps(n);
    for (StateNumber s = 0; s < n; ++s)
        for (const Edge& e : automaton.states[s]) steps[s].push_back({e.target, e.label, e.marks, e.marks});
    Relation related = full_relation(n);
    refine(related, steps, *automaton.labels, budget);
    Automaton result = automaton;
    redirect(result, representatives(related));
    merge_edges(result);
    drop_dominated_forwards(result, related);
    return renumbered(result);
}

Automaton reduced_backwards(const Automaton& automaton, const Budget& budget) {
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
    refine(related, steps, labels, budget);
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

}  // namespace

Automaton simulation_reduced(const Automaton& automaton, const Budget& budget) {
    Automaton best = pruned(automaton);
    while (best.size() <= kLargest) {
        budget.check(best.labels->size());
        Automaton next = pruned(joined_across(best, budget));
        next = pruned(reduced_forwards(next, budget));
        next = pruned(reduced_backwards(next, budget));
        if (next.size() > best.size() || (next.size() == best.size() && next.edge_count() >= best.edge_count())) return next.size() <= best.size() ? next : best;
        best = std::move(next);
    }
    return best;
}

}  // namespace tideline
