#include "check/ctl/evidence_tree.hpp"

#include <algorithm>
#include <cassert>
#include <deque>
#include <unordered_map>

#include "check/ctl/fair_product.hpp"
#include "logic/word.hpp"
#include "support/components.hpp"
#include "trace/in_original.hpp"

namespace tideline::check::ctl {
namespace {

using State = Oracle::State;
using logic::Connective;

struct FoundPath {
    std::vector<State> states;
    std::optional<std::size_t> loop;
    bool stays = false;
};

// Nodes in the order of a breadth-first search from node 0, with their edges, among which a lasso is looked for.
class FoundGraph {
public:
    using Node = std::uint32_t;
    struct Edge {
        Node target;
        automata::Marks marks;
        model::TransitionId transition;
    };
    struct Cursor {
        const Edge* next;
        const Edge* end;
    };

    [[nodiscard]] std::uint64_t node_count() const { return rows.size(); }
    [[nodiscard]] Cursor successors(Node node) const {
        return {rows[node].data(), rows[node].data() + rows[node].size()};
    }
    [[nodiscard]] bool next(Cursor& cursor, Edge& edge) const {
        if (cursor.next == cursor.end) return false;
        edge = *cursor.next++;
        return true;
    }
    void read_enabled(Node node, const ProcessBits& processes, std::uint64_t* words) const {
        std::copy_n(enabled.begin() + static_cast<std::ptrdiff_t>(node * processes.words()), processes.words(), words);
    }

    std::vector<std::vector<Edge>> rows;
    std::vector<std::uint64_t> enabled;  // the processes that have a step, ProcessBits::words() per node
};

class Finder {
public:
    Finder(const Program& program, const PathReading& reading, Oracle& oracle, EvidenceLimits limits, Work& work)
        : program_(program),
          reading_(reading.deadlocks),
          processes_(reading.fairness),
          oracle_(oracle),
          limits_(limits),
          work_(work) {}

    Claim claim(NodeId n, State state, bool value, std::size_t position) {
        const Node& node = program_.nodes[n];
        if (node.kind == NodeKind::negation && !node.is_boolean)
            return claim(node.operands[0], state, !value, position);
        Claim result;
        result.node = n;
        result.formula = program_.text(n);
        result.value = value;
        result.first = result.last = position;
        if (limits_.claims != 0 && claims_ >= limits_.claims) {
            result.kind = Claim::Kind::cut;
            is_cut_ = true;
            return result;
        }
        ++claims_;
        if (node.is_boolean) {
            result.kind = Claim::Kind::evaluated;
            return result;
        }
        switch (node.kind) {
            case NodeKind::temporal:
                if ((node.quantifier == Quantifier::exists) == value) show_operation(result, node, state);
                break;
            case NodeKind::path:
                if ((node.quantifier == Quantifier::exists) == value) show_path(result, node, state);
                break;
            case NodeKind::infinite: show_infinite(result, node, state); break;
            default: show_parts(result, node, state);
        }
        return result;
    }

    [[nodiscard]] std::size_t claims() const { return claims_; }
    [[nodiscard]] bool is_cut() const { return is_cut_; }

private:
    // ---- boolean operators ------------------------------------------------------------------------------------------

    void show_parts(Claim& result, const Node& node, State state) {
        result.kind = Claim::Kind::parts;
        const auto add = [&](std::size_t i, bool value) {
            result.children.push_back(claim(node.operands[i], state, value, result.first));
        };
        // The first operand with the value, one without quantifiers if there is one.
        const auto add_one = [&](bool value) {
            std::optional<std::size_t> chosen;
            for (std::size_t i = 0; i < node.operands.size(); ++i) {
                const bool is_boolean = program_.nodes[node.operands[i]].is_boolean;
                if (chosen && !is_boolean) continue;
                if (oracle_.value(node.operands[i], state) != value) continue;
                chosen = i;
                if (is_boolean) break;
            }
            assert(chosen);
            add(*chosen, value);
        };
        switch (node.kind) {
            case NodeKind::conjunction:
            case NodeKind::disjunction:
                if (result.value == (node.kind == NodeKind::disjunction)) return add_one(result.value);
                for (std::size_t i = 0; i < node.operands.size(); ++i) add(i, result.value);
                return;
            case NodeKind::implication:
                if (!result.value) {
                    add(0, true);
                    add(1, false);
                } else if (const bool left = oracle_.value(node.operands[0], state); !left) {
                    add(0, false);
                } else {
                    add(1, true);
                }
                return;
            default:  // equivalence, exclusion
                for (std::size_t i = 0; i < 2; ++i) add(i, oracle_.value(node.operands[i], state));
        }
    }

    // A quantifier over a formula of states.
    void show_infinite(Claim& result, const Node& node, State state) {
        const bool endless = oracle_.is_endless(state);
        if (endless && reading_ == DeadlockReading::ignore && (node.quantifier == Quantifier::exists) == result.value) {
            set_path(result, shortest(state, [](State) { return false; }, [](State) { return true; }, false));
        } else if (!endless) {
            return;  // stated: no infinite path begins here
        } else {
            result.kind = Claim::Kind::parts;
        }
        result.children.push_back(
            claim(node.operands[0], state, result.value, result.kind == Claim::Kind::path ? 0 : result.first));
    }

    // ---- operations of CTL ------------------------------------------------------------------------------------------

    [[nodiscard]] std::vector<State> steps(State state) {
        std::vector<State> targets = oracle_.successors(state);
        if (reading_ == DeadlockReading::ignore)
            std::erase_if(targets, [this](State t) { return !oracle_.is_endless(t); });
        return targets;
    }

    void show_operation(Claim& result, const Node& node, State state) {
        const bool exists = node.quantifier == Quantifier::exists;
        if (node.op == Connective::next) {
            FoundPath path{{state}, std::nullopt, false};
            if (oracle_.is_deadlock(state)) {
                assert(reading_ == DeadlockReading::stutter);
                path.loop = 0;
                path.stays = true;
            } else {
                for (const State target : steps(state)) {
                    if (oracle_.value(node.operands[0], target) != exists) continue;
                    path.states.push_back(target);
                    break;
                }
                assert(path.states.size() == 2);
            }
            set_path(result, std::move(path));
            const std::size_t end = result.states.size() - 1;
            result.children.push_back(claim(node.operands[0], result.states[end], exists, end));
            return;
        }
        const Fixpoint fixpoint = fixpoint_of(node);
        const NodeId right = node.operands.back();
        const NodeId left = node.operands.front();
        const auto f = [&](State s) { return fixpoint.has_left && oracle_.value(left, s); };
        const auto g = [&](State s) { return oracle_.value(right, s); };
        const auto own_stop = [&](State s) { return fixpoint.stop_is_both ? g(s) && f(s) : g(s); };
        const auto own_go = [&](State s) { return fixpoint.stop_is_both ? g(s) : !fixpoint.has_left || f(s); };
        const auto stop = [&](State s) { return exists ? own_stop(s) : !own_stop(s) && !own_go(s); };
        const auto go = [&](State s) { return exists ? own_go(s) : !own_stop(s); };
        const std::vector<State> first = oracle_.first_path(result.node, state);
        FoundPath path = shortest(state, stop, go, fixpoint.is_least == exists);
        set_path(result, std::move(path));
        if (!first.empty()) result.found_length = first.size() - 1;
        // What is claimed in the last state of a path that stops, and in those before it.
        const bool stops = !result.loop;
        const std::size_t last = result.states.size() - 1;
        if (stops) {
            const State end = result.states[last];
            if (exists) {
                if (fixpoint.stop_is_both) add_claim(result, left, end, true, last);
                add_claim(result, right, end, true, last);
            } else if (fixpoint.stop_is_both) {
                add_claim(result, right, end, false, last);
            } else {
                add_claim(result, right, end, false, last);
                if (fixpoint.has_left) add_claim(result, left, end, false, last);
            }
        }
        const std::size_t before = stops ? last : last + 1;
        if (before == 0) return;
        if (exists) {
            if (fixpoint.stop_is_both) add_claims(result, right, true, before);
            else if (fixpoint.has_left) add_claims(result, left, true, before);
        } else if (!fixpoint.stop_is_both) {
            add_claims(result, right, false, before);
        } else if (fixpoint.has_left) {
            add_claims(result, left, false, before);  // the right one may hold: not both do
        }
    }

    void add_claim(Claim& result, NodeId n, State state, bool value, std::size_t position) {
        result.children.push_back(claim(n, state, value, position));
    }

    // In the first `count` states of a path. Of a formula without quantifiers at once.
    void add_claims(Claim& result, NodeId n, bool value, std::size_t count) {
        if (program_.nodes[n].kind == NodeKind::constant) return;
        if (program_.nodes[n].is_boolean) {
            Claim all = claim(n, result.states[0], value, 0);
            all.last = count - 1;
            result.children.push_back(std::move(all));
            return;
        }
        for (std::size_t i = 0; i < count; ++i) {
            result.children.push_back(claim(n, result.states[i], value, i));
            if (result.children.back().kind != Claim::Kind::cut) continue;
            result.children.back().last = count - 1;
            return;
        }
    }

    void set_path(Claim& result, FoundPath path) const {
        result.kind = Claim::Kind::path;
        result.states = std::move(path.states);
        result.loop = path.loop;
        result.stays = path.stays;
    }

    // A path through `go` to `stop` or, where that is no longer required, one that goes on for ever: the nearest of
    // each. There must be one.
    template <class Stop, class Go>
    FoundPath shortest(State from, const Stop& stop, const Go& go, bool is_least) {
        std::unordered_map<State, State> parents{{from, from}};
        std::deque<State> open{from};
        std::vector<State> seen;
        const auto path_to = [&](State state, const std::unordered_map<State, State>& tree, State root) {
            std::vector<State> path{state};
            while (path.back() != root) path.push_back(tree.at(path.back()));
            std::reverse(path.begin(), path.end());
            return path;
        };
        while (!open.empty()) {
            work_.poll();
            const State state = open.front();
            open.pop_front();
            if (stop(state)) return {path_to(state, parents, from), std::nullopt, false};
            if (!go(state)) continue;
            seen.push_back(state);
            if (!is_least && oracle_.is_deadlock(state)) {
                std::vector<State> path = path_to(state, parents, from);
                const std::size_t last = path.size() - 1;
                return {std::move(path), last, true};
            }
            for (const State target : steps(state)) {
                if (parents.contains(target)) continue;
                work_.ask(64);
                parents.emplace(target, state);
                open.push_back(target);
            }
        }
        assert(!is_least);
        // A cycle among the states that were seen.
        std::unordered_map<State, std::uint32_t> numbers;
        for (const State state : seen) numbers.emplace(state, static_cast<std::uint32_t>(numbers.size()));
        FoundGraph graph;
        for (const State state : seen) {
            work_.poll();
            auto& row = graph.rows.emplace_back();
            for (const Step& step : all_steps(state, graph))
                if (const auto found = numbers.find(step.target); found != numbers.end())
                    row.push_back({found->second, 0, step.transition});
        }
        const Lasso lasso = nearest_lasso(graph, 0);
        std::vector<State> path = path_to(seen[lasso.cycle.front()], parents, from);
        const std::size_t loop = path.size() - 1;
        for (std::size_t i = 1; i < lasso.cycle.size(); ++i) path.push_back(seen[lasso.cycle[i]]);
        return {std::move(path), loop, false};
    }

    struct Step {
        State target;
        model::TransitionId transition;
    };
    // All steps of the system; notes who has one, for the node that is added to a graph.
    std::vector<Step> all_steps(State state, FoundGraph& graph) {
        std::vector<Step> steps;
        const std::vector<State> targets = oracle_.successors(state);
        const bool is_fair = processes_.words() > 0;
        const std::vector<model::TransitionId> transitions =
            is_fair ? oracle_.transitions(state) : std::vector<model::TransitionId>();
        for (std::size_t i = 0; i < targets.size(); ++i)
            steps.push_back({targets[i], is_fair ? transitions[i] : successor::kNobodyMoves});
        if (!is_fair) return steps;
        const std::size_t at = graph.enabled.size();
        graph.enabled.resize(at + processes_.words());
        for (const model::TransitionId transition : transitions) processes_.enable(transition, &graph.enabled[at]);
        return steps;
    }

    // The nodes of a cycle that carries all marks and is fair, the nearest one first, which is not repeated at the end.
    struct Lasso {
        std::vector<std::uint32_t> cycle;
    };
    Lasso nearest_lasso(const FoundGraph& graph, automata::Marks marks) {
        using Contributions = ProductContributions<FoundGraph>;
        const Contributions contributions(graph, marks, processes_);
        FairSetSearch<Contributions> search(contributions);
        support::ComponentSearch<FoundGraph> components(graph);
        std::optional<FairSet> best;
        const auto keep_going = [&] {
            work_.poll();
            return true;
        };
        for (std::uint32_t root = 0; root < graph.rows.size(); ++root)
            components.search_from(root, support::KeepAllEdges{}, [&](std::span<const std::uint32_t> members) {
                work_.poll();
                const std::uint32_t number = components.number(members[0]);
                const auto is_inside = [&](std::uint64_t node) {
                    return components.number(static_cast<std::uint32_t>(node)) == number;
                };
                std::optional<FairSet> found = search.find(members, is_inside, keep_going);
                if (found && (!best || found->states.front() < best->states.front())) best = std::move(found);
            });
        if (!best) throw std::logic_error("a path is known to exist");
        return {cycle_through(*best, contributions)};
    }
    // From what is missing to what is missing, then back to the first node.
    std::vector<std::uint32_t> cycle_through(const FairSet& set,
                                             const ProductContributions<FoundGraph>& contributions) {
        const FoundGraph& graph = contributions.graph();
        const auto entry = static_cast<std::uint32_t>(set.states.front());
        std::vector<std::uint32_t> run{entry};
        std::vector<bool> is_inside(graph.rows.size(), false);
        for (const std::uint64_t node : set.states) is_inside[node] = true;
        std::vector<std::uint64_t> missing = set.wanted;
        std::vector<std::uint64_t> enabled(processes_.words());
        std::vector<std::uint64_t> bits(contributions.words());
        const auto contributed = [&](std::uint32_t node, const FoundGraph::Edge& edge) {
            if (processes_.words() > 0) graph.read_enabled(node, processes_, enabled.data());
            std::ranges::fill(bits, 0);
            contributions.add(edge, enabled.data(), bits.data());
        };
        // Appends the nodes behind the last one up to the target of the first edge that is wanted, which `bits` is of.
        const auto walk = [&](const auto& is_wanted) {
            const std::uint32_t from = run.back();
            std::unordered_map<std::uint32_t, std::uint32_t> tree;
            std::deque<std::uint32_t> queue{from};
            for (;;) {
                work_.poll();
                const std::uint32_t at = queue.front();
                queue.pop_front();
                for (const FoundGraph::Edge& edge : graph.rows[at]) {
                    if (!is_inside[edge.target]) continue;
                    if (is_wanted(at, edge)) {
                        std::vector<std::uint32_t> way;
                        for (std::uint32_t v = at; v != from; v = tree.at(v)) way.push_back(v);
                        run.insert(run.end(), way.rbegin(), way.rend());
                        run.push_back(edge.target);
                        return;
                    }
                    if (edge.target != from && tree.try_emplace(edge.target, at).second) queue.push_back(edge.target);
                }
            }
        };
        while (std::ranges::any_of(missing, [](std::uint64_t word) { return word != 0; })) {
            walk([&](std::uint32_t node, const FoundGraph::Edge& edge) {
                contributed(node, edge);
                for (std::size_t w = 0; w < bits.size(); ++w)
                    if ((bits[w] & missing[w]) != 0) return true;
                return false;
            });
            for (std::size_t w = 0; w < bits.size(); ++w) missing[w] &= ~bits[w];
        }
        if (run.size() == 1 || run.back() != entry)
            walk([&](std::uint32_t, const FoundGraph::Edge& edge) { return edge.target == entry; });
        run.pop_back();
        return run;
    }

    // ---- path formulas ----------------------------------------------------------------------------------------------

    // A lasso of the product from (state, initial state of the automaton).
    void show_path(Claim& result, const Node& node, State state) {
        const PathAutomaton& automaton = program_.paths[node.index];
        const auto letter = [&](State s) {
            std::uint64_t bits = 0;
            for (std::size_t i = 0; i < automaton.leaves().size(); ++i)
                if (oracle_.value(automaton.leaves()[i], s)) bits |= std::uint64_t{1} << i;
            return bits;
        };
        using Key = std::pair<State, std::uint32_t>;
        std::map<Key, std::uint32_t> numbers{{{state, automaton.initial()}, 0}};
        std::vector<Key> nodes{{state, automaton.initial()}};
        std::vector<std::uint32_t> parents{0};
        FoundGraph graph;
        for (std::uint32_t v = 0; v < nodes.size(); ++v) {
            work_.poll();
            work_.ask(128);
            const auto [s, q] = nodes[v];
            std::vector<Step> steps = all_steps(s, graph);
            if (steps.empty() && reading_ != DeadlockReading::ignore) steps.push_back({s, successor::kNobodyMoves});
            auto& row = graph.rows.emplace_back();
            for (const PathAutomaton::Step& of_automaton : automaton.steps(q, letter(s)))
                for (const Step& step : steps) {
                    const auto [found, is_new] = numbers.try_emplace({step.target, of_automaton.target},
                                                                     static_cast<std::uint32_t>(nodes.size()));
                    if (is_new) {
                        nodes.emplace_back(step.target, of_automaton.target);
                        parents.push_back(v);
                    }
                    row.push_back({found->second, of_automaton.marks, step.transition});
                }
        }
        const Lasso lasso = nearest_lasso(graph, automaton.marks());
        std::vector<std::uint32_t> run;
        for (std::uint32_t v = lasso.cycle.front(); v != 0; v = parents[v]) run.push_back(v);
        run.push_back(0);
        std::reverse(run.begin(), run.end());
        FoundPath path;
        path.loop = run.size() - 1;
        run.insert(run.end(), lasso.cycle.begin() + 1, lasso.cycle.end());
        for (const std::uint32_t v : run) path.states.push_back(nodes[v].first);
        // A deadlock that repeats is shown once.
        for (std::size_t i = 0; i < path.states.size(); ++i) {
            if (!oracle_.is_deadlock(path.states[i])) continue;
            path.states.resize(i + 1);
            path.loop = i;
            path.stays = true;
        }
        check_word(node, path, letter);
        set_path(result, std::move(path));
        // The state formulas that the path formula is made of have the values that they have; those with quantifiers
        // are shown.
        for (const NodeId leaf : automaton.leaves()) {
            const Node& inside = program_.nodes[leaf];
            for (std::size_t i = 0; i < result.states.size(); ++i) {
                Claim one = claim(leaf, result.states[i], oracle_.value(leaf, result.states[i]), i);
                const bool is_cut = one.kind == Claim::Kind::cut;
                // Equal neighbours without quantifiers are one claim.
                if (inside.is_boolean && !result.children.empty() && !is_cut) {
                    Claim& before = result.children.back();
                    if (before.node == leaf && before.last + 1 == i && before.value == one.value &&
                        before.kind == Claim::Kind::evaluated) {
                        before.last = i;
                        --claims_;
                        continue;
                    }
                }
                result.children.push_back(std::move(one));
                if (is_cut) {
                    result.children.back().last = result.states.size() - 1;
                    break;
                }
            }
        }
    }

    // The meaning of the path formula on the lasso, without the automaton.
    template <class Letter>
    void check_word(const Node& node, const FoundPath& path, const Letter& letter) const {
        const logic::Formulas& formulas = *program_.formulas;
        const logic::Formula psi = formulas.operand(node.formula, 0);
        std::vector<logic::Formula> leaves;
        for (const NodeId leaf : program_.paths[node.index].leaves()) leaves.push_back(program_.nodes[leaf].formula);
        logic::Lasso word;
        for (const State state : path.states) word.letters.push_back(letter(state));
        word.loop = *path.loop;
        if (logic::is_true_of_leaves(formulas, psi, word, leaves) != (node.quantifier == Quantifier::exists))
            throw std::logic_error("the path that was found does not show " + program_.text(result_node(node)));
    }
    [[nodiscard]] NodeId result_node(const Node& node) const {
        return static_cast<NodeId>(&node - program_.nodes.data());
    }

    const Program& program_;
    DeadlockReading reading_;
    ProcessBits processes_;
    Oracle& oracle_;
    EvidenceLimits limits_;
    Work& work_;
    std::size_t claims_ = 0;
    bool is_cut_ = false;
};

void pack(EvidenceTree& tree, Oracle& oracle, Work& work) {
    tree.packed.emplace(tree.initial, oracle.packed_initial(tree.initial));
    tree.for_each([&](const Claim& claim, const std::vector<State>&) {
        if (claim.kind != Claim::Kind::path) return;
        for (std::size_t i = 1; i < claim.states.size(); ++i) {
            if (tree.packed.contains(claim.states[i])) continue;
            work.poll();
            const std::vector<successor::Word>& before = tree.packed.at(claim.states[i - 1]);
            work.ask(before.size() * sizeof(successor::Word) + 64);
            tree.packed.emplace(claim.states[i], oracle.packed_successor(claim.states[i - 1], before, claim.states[i]));
        }
    });
}

void visit_claims(const Claim& claim, const std::vector<State>& above, const std::vector<State>& path,
                  const std::function<void(const Claim&, const std::vector<State>&)>& visit) {
    // `above` and `path`: the states before the nearest path above, and those on it.
    std::vector<State> before = above;
    before.insert(before.end(), path.begin(), path.begin() + static_cast<std::ptrdiff_t>(claim.first));
    visit(claim, before);
    if (claim.kind == Claim::Kind::path) {
        for (const Claim& child : claim.children) visit_claims(child, before, claim.states, visit);
    } else {
        for (const Claim& child : claim.children) visit_claims(child, above, path, visit);
    }
}

}  // namespace

void EvidenceTree::for_each(const std::function<void(const Claim&, const std::vector<State>&)>& visit) const {
    visit_claims(root, {}, {initial}, visit);
}

trace::Trace EvidenceTree::trace(const std::vector<State>& above, const Claim& claim) const {
    std::vector<successor::Word> words;
    const auto append = [&](State state) {
        const std::vector<successor::Word>& state_words = packed.at(state);
        words.insert(words.end(), state_words.begin(), state_words.end());
    };
    for (const State state : above) append(state);
    for (const State state : claim.states) append(state);
    trace::Trace trace = trace::make_trace(system, std::move(words));
    if (claim.loop) trace.loop = above.size() + *claim.loop;
    trace.stays = claim.stays;
    return trace::in_original(std::move(trace));
}

EvidenceTree find_evidence(const Program& program, const PathReading& reading, Oracle& oracle, NodeId root,
                           State initial, EvidenceLimits limits, Work& work) {
    Finder finder(program, reading, oracle, limits, work);
    EvidenceTree tree;
    tree.initial = initial;
    tree.root = finder.claim(root, initial, oracle.value(root, initial), 0);
    tree.claims = finder.claims();
    tree.is_cut = finder.is_cut();
    tree.system = oracle.system();
    pack(tree, oracle, work);
    tree.system = oracle.system();
    return tree;
}

std::optional<std::string> refuted(EvidenceTree& tree, const Program& program, const Confirmers& confirmers,
                                   const support::Budget& budget) {
    const EvaluateAtom& evaluate = confirmers.evaluate;
    std::optional<std::string> wrong;
    const auto note_unconfirmed = [&](const std::string& atom) {
        if (std::ranges::find(tree.unconfirmed, atom) == tree.unconfirmed.end()) tree.unconfirmed.push_back(atom);
    };
    // Claims that are evaluated are those of the states of the nearest path.
    const std::function<void(const Claim&, const std::vector<State>&, const std::vector<State>&)> visit =
        [&](const Claim& claim, const std::vector<State>& above, const std::vector<State>& path) {
            if (wrong) return;
            if (const support::StopReason reason = budget.exhausted(); reason != support::StopReason::none)
                throw Stopped{reason};
            if (claim.kind == Claim::Kind::path) {
                std::vector<State> before = above;
                before.insert(before.end(), path.begin(), path.begin() + static_cast<std::ptrdiff_t>(claim.first));
                if (confirmers.replay) {
                    const trace::Confirmation confirmation = confirmers.replay(tree.trace(before, claim), budget);
                    if (confirmation.stopped != support::StopReason::none) throw Stopped{confirmation.stopped};
                    if (confirmation.disagreement) {
                        wrong = claim.formula + ": " + *confirmation.disagreement;
                        return;
                    }
                }
                if (claim.loop && confirmers.is_fair && !confirmers.is_fair(tree.trace(before, claim))) {
                    wrong = claim.formula + ": the cycle is not fair";
                    return;
                }
                for (const Claim& child : claim.children) visit(child, before, claim.states);
                return;
            }
            if (claim.kind == Claim::Kind::evaluated && evaluate) {
                std::vector<successor::Word> words;
                for (std::size_t i = claim.first; i <= claim.last; ++i) {
                    const std::vector<successor::Word>& state = tree.packed.at(path[i]);
                    words.insert(words.end(), state.begin(), state.end());
                }
                const trace::Trace states = trace::make_trace(tree.system, std::move(words));
                for (std::size_t i = 0; i < states.size(); ++i) {
                    bool is_known = true;
                    const bool value = boolean_value(program, claim.node, [&](std::size_t atom) {
                        const std::optional<bool> answer = evaluate(program.atoms[atom], states, i);
                        if (!answer) note_unconfirmed(program.atoms[atom]);
                        is_known = is_known && answer;
                        return answer.value_or(false);
                    });
                    if (!is_known || value == claim.value) continue;
                    wrong = claim.formula + " is not " + (claim.value ? "true" : "false") + " where it is claimed";
                    return;
                }
            }
            for (const Claim& child : claim.children) visit(child, above, path);
        };
    visit(tree.root, {}, {tree.initial});
    return wrong;
}

}  // namespace tideline::check::ctl
