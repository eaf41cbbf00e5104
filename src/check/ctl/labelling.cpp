#include "check/ctl/labelling.hpp"

#include <limits>

#include "check/ctl/fair_product.hpp"
#include "support/components.hpp"

namespace tideline::check::ctl {

using graph::MemoryGraph;
using graph::StateNumber;

Labelling::Labelling(const MemoryGraph& graph, const Program& program, DeadlockReading reading, Work& work,
                     ProcessBits fairness)
    : graph_(graph),
      program_(program),
      reading_(reading),
      work_(work),
      contributions_(graph, 0, std::move(fairness)),
      sets_(program, graph.state_count()) {
    assert(graph.is_complete());
    // Numbers of 32 bits suffice for every graph that fits into memory today.
    if (graph.state_count() >= std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc();
}

void Labelling::run() {
    find_deadlocks();
    sets_.read_atoms(graph_, work_);
    bool needs_predecessors = reading_ == DeadlockReading::ignore;
    for (const Node& node : program_.nodes)
        needs_predecessors |= node.kind == NodeKind::temporal && node.op != logic::Connective::next;
    if (needs_predecessors) {
        const store::MemoryBudget try_reserve = [this](std::uint64_t bytes) { return work_.budget().allows(bytes); };
        predecessors_ = std::make_unique<graph::Predecessors<std::uint32_t>>(graph_, &try_reserve);
        work_.check();
    }
    if (reading_ == DeadlockReading::ignore) {
        work_.ask(4 * Bits::bytes_for(sets_.state_count()));
        endless_ = greatest({Bits(sets_.state_count()), Bits(sets_.state_count(), true)}, false);
    }
    for (NodeId n = 0; n < program_.nodes.size(); ++n) decide(n);
}

void Labelling::find_deadlocks() {
    work_.ask(Bits::bytes_for(sets_.state_count()));
    deadlocks_ = Bits(sets_.state_count());
    for (StateNumber s = 0; s < sets_.state_count(); ++s) {
        work_.poll();
        if (graph_.is_deadlock(s)) deadlocks_.set(s);
    }
}

void Labelling::decide(NodeId n) {
    const Node& node = program_.nodes[n];
    edge_visits_ = 0;
    switch (node.kind) {
        case NodeKind::atom: return;
        case NodeKind::infinite: sets_.decide_infinite(n, endless_); return;
        case NodeKind::temporal:
            sets_.set(n, node.op == logic::Connective::next ? next(node) : fixpoint(node));
            visits_.add(edge_visits_);
            return;
        case NodeKind::path: sets_.set(n, path(node)); return;
        default: sets_.decide_boolean(n, work_); return;
    }
}

Bits Labelling::next(const Node& node) {
    const Bits& f = sets_[node.operands[0]];
    const bool exists = node.quantifier == Quantifier::exists;
    work_.ask(Bits::bytes_for(sets_.state_count()));
    Bits result(sets_.state_count());
    for (StateNumber s = 0; s < sets_.state_count(); ++s) {
        work_.poll();
        // Whether a successor is one that decides: satisfies f for E, does not for A.
        bool decided = false;
        MemoryGraph::Cursor cursor = graph_.successors(s);
        for (MemoryGraph::Edge edge; !decided && graph_.next(cursor, edge);) {
            ++edge_visits_;
            decided = f[edge.target] == exists && (endless_.size() == 0 || endless_[edge.target]);
        }
        if (deadlocks_[s] && reading_ == DeadlockReading::stutter) decided = f[s] == exists;
        result.assign(s, decided == exists);
    }
    return result;
}

Bits Labelling::fixpoint(const Node& node) {
    const Fixpoint fixpoint = fixpoint_of(node);
    StateSets::Masks masks = sets_.masks(node, work_);
    const bool repeat = reading_ != DeadlockReading::ignore;
    if (fixpoint.quantifier == Quantifier::exists)
        return fixpoint.is_least ? least(std::move(masks)) : greatest(std::move(masks), repeat);
    masks = StateSets::complement(std::move(masks));
    Bits set = fixpoint.is_least ? greatest(std::move(masks), repeat) : least(std::move(masks));
    return std::move(set.flip());
}

// A path through `go` to `stop`.
Bits Labelling::least(StateSets::Masks masks) {
    if (endless_.size() > 0) {
        masks.stop &= endless_;
        masks.go &= endless_;
    }
    close_backward(masks.stop, masks.go);
    return std::move(masks.stop);
}

// A path through `go` to `stop`, or a fair one for ever through `go`.
Bits Labelling::greatest(StateSets::Masks masks, bool deadlocks_repeat) {
    if (endless_.size() > 0) {
        masks.stop &= endless_;
        masks.go &= endless_;
    }
    Bits& set = masks.stop;
    const Bits inside = Bits(masks.go).remove(set);
    if (deadlocks_repeat) set |= Bits(inside) &= deadlocks_;
    using View = graph::SuccessorView<std::uint32_t>;
    const View view(graph_);
    const std::uint64_t n = sets_.state_count();
    // Numbers, and at worst frames on the path of the search.
    work_.ask(n * sizeof(std::uint32_t) + Bits::bytes_for(n));
    Bits loops(n);
    const auto keep = [&](std::uint32_t source, const View::Edge& edge) {
        ++edge_visits_;
        if (edge.target == source) loops.set(source);
        return inside[edge.target];
    };
    support::ComponentSearch<View> search(view);
    FairSetSearch fair_sets(contributions_);
    const auto can_be_fair = [&](std::span<const std::uint32_t> members) {
        if (contributions_.processes().words() == 0) return true;
        ask_for_fair_sets(members.size());
        const std::uint32_t number = search.number(members[0]);
        const auto is_inside = [&](StateNumber s) { return search.number(static_cast<std::uint32_t>(s)) == number; };
        return fair_sets.find(members, is_inside, poll()).has_value();
    };
    inside.for_each([&](std::uint64_t root) {
        search.search_from(static_cast<std::uint32_t>(root), keep, [&](std::span<const std::uint32_t> members) {
            work_.poll();
            if (members.size() == 1 && !loops[members[0]]) return;
            if (!can_be_fair(members)) return;
            for (const std::uint32_t member : members) set.set(member);
        });
    });
    close_backward(set, masks.go);
    return std::move(set);
}

// Adds the states of `go` from which a path through `go` leads into the set.
void Labelling::close_backward(Bits& set, const Bits& go) {
    const auto enter = [&](std::uint64_t state) {
        for (const std::uint32_t source : predecessors_->of(state)) {
            ++edge_visits_;
            if (set[source] || !go[source]) continue;
            set.set(source);
            work_.grow(work_list_);
            work_list_.push_back(source);
        }
    };
    // What is added while the words are walked is either on the list or already done.
    const Bits start = set;
    start.for_each([&](std::uint64_t state) {
        work_.poll();
        enter(state);
        while (!work_list_.empty()) {
            const std::uint32_t next = work_list_.back();
            work_list_.pop_back();
            enter(next);
        }
    });
}

namespace {

// The product of a graph with an automaton: node s * size + q.
template <std::unsigned_integral NodeType>
class ProductView {
public:
    using Node = NodeType;
    struct Edge {
        Node target;
        automata::Marks marks;
        model::TransitionId transition;
    };
    struct Cursor {
        MemoryGraph::Cursor row{};
        const PathAutomaton::Step* first = nullptr;
        const PathAutomaton::Step* at = nullptr;
        const PathAutomaton::Step* end = nullptr;
        StateNumber target = 0;
        model::TransitionId transition = successor::kNobodyMoves;
        bool has_target = false;
        bool stays = false;  // in a deadlock
    };

    ProductView(const ltl::Contributions& contributions, const PathAutomaton& automaton, const StateSets& sets,
                const Bits* deadlocks)
        : contributions_(contributions),
          graph_(contributions.graph()),
          automaton_(automaton),
          sets_(sets),
          deadlocks_(deadlocks) {}

    [[nodiscard]] std::uint64_t node_count() const { return graph_.state_count() * automaton_.size(); }
    [[nodiscard]] Cursor successors(Node node) const {
        const StateNumber s = node / automaton_.size();
        std::uint64_t letter = 0;
        const std::vector<NodeId>& leaves = automaton_.leaves();
        for (std::size_t i = 0; i < leaves.size(); ++i)
            if (sets_[leaves[i]][s]) letter |= std::uint64_t{1} << i;
        const std::vector<PathAutomaton::Step>& steps =
            automaton_.steps(static_cast<std::uint32_t>(node % automaton_.size()), letter);
        Cursor cursor;
        if (steps.empty()) return cursor;
        cursor.first = steps.data();
        cursor.at = cursor.end = steps.data() + steps.size();
        if (deadlocks_ != nullptr && (*deadlocks_)[s]) {
            cursor.stays = cursor.has_target = true;
            cursor.target = s;
            cursor.at = cursor.first;
        } else {
            cursor.row = graph_.successors(s);
        }
        return cursor;
    }
    [[nodiscard]] bool next(Cursor& cursor, Edge& edge) const {
        if (cursor.at == cursor.end) {
            if (cursor.first == nullptr || cursor.stays) return false;
            MemoryGraph::Edge found;
            if (!graph_.next(cursor.row, found)) return false;
            cursor.target = found.target;
            cursor.transition = found.transition;
            cursor.at = cursor.first;
        }
        edge = {static_cast<Node>(cursor.target * automaton_.size() + cursor.at->target), cursor.at->marks,
                cursor.transition};
        ++cursor.at;
        return true;
    }
    void read_enabled(Node node, const ProcessBits& /*processes*/, std::uint64_t* enabled) const {
        contributions_.read_enabled(node / automaton_.size(), enabled);
    }

private:
    const ltl::Contributions& contributions_;
    const MemoryGraph& graph_;
    const PathAutomaton& automaton_;
    const StateSets& sets_;
    const Bits* deadlocks_;  // that repeat; null: none does
};

}  // namespace

Bits Labelling::path(const Node& node) {
    assert(reading_ != DeadlockReading::finite && "CTL* is not defined on finite paths");
    const PathAutomaton& automaton = program_.paths[node.index];
    const std::uint64_t nodes = sets_.state_count() * automaton.size();
    Bits set = nodes < std::numeric_limits<std::uint32_t>::max() ? path_with<std::uint32_t>(automaton)
                                                                 : path_with<std::uint64_t>(automaton);
    if (node.quantifier == Quantifier::forall) set.flip();
    return set;
}

template <class ProductNode>
Bits Labelling::path_with(const PathAutomaton& automaton) {
    using View = ProductView<ProductNode>;
    const View view(contributions_, automaton, sets_, reading_ == DeadlockReading::stutter ? &deadlocks_ : nullptr);
    const std::uint64_t nodes = view.node_count();
    work_.ask(nodes * sizeof(ProductNode) + Bits::bytes_for(nodes) + Bits::bytes_for(sets_.state_count()));
    Bits good(nodes);
    support::ComponentSearch<View> search(view);
    const ProcessBits& processes = contributions_.processes();
    const ProductContributions<View> contributions(view, automaton.marks(), processes);
    FairSetSearch fair_sets(contributions);
    std::uint64_t visits = 0;
    // A component is complete: fair itself, or a fair one lies behind it.
    const auto complete = [&](std::span<const ProductNode> members) {
        automata::Marks marks = 0;
        bool has_inner = false;
        bool reaches = false;
        const ProductNode number = search.number(members[0]);
        for (const ProductNode member : members) {
            work_.poll();
            typename View::Cursor cursor = view.successors(member);
            for (typename View::Edge edge{}; !reaches && view.next(cursor, edge);) {
                ++visits;
                if (search.number(edge.target) == number) {
                    marks |= edge.marks;
                    has_inner = true;
                } else {
                    reaches = good[edge.target];
                }
            }
            if (reaches) break;
        }
        if (!reaches && !(has_inner && (marks & automaton.marks()) == automaton.marks())) return;
        if (!reaches && processes.words() > 0) {
            ask_for_fair_sets(members.size());
            const auto is_inside = [&](std::uint64_t node) {
                return search.number(static_cast<ProductNode>(node)) == number;
            };
            if (!fair_sets.find(members, is_inside, poll())) return;
        }
        for (const ProductNode member : members) good.set(member);
    };
    const auto keep = [&](ProductNode, const typename View::Edge&) {
        ++visits;
        return true;
    };
    Bits result(sets_.state_count());
    for (StateNumber s = 0; s < sets_.state_count(); ++s) {
        work_.poll();
        const auto root = static_cast<ProductNode>(s * automaton.size() + automaton.initial());
        search.search_from(root, keep, complete);
        if (good[root]) result.set(s);
    }
    product_nodes_ += nodes;
    visits_.add(visits);
    return result;
}

}  // namespace tideline::check::ctl
