#include "check/ctl/prod.hpp"

#include <cassert>
#include <limits>

#include "check/ctl/depth_first.hpp"
#include "support/components.hpp"

namespace tideline::check::ctl {

using graph::MemoryGraph;
using graph::StateNumber;

// The graph as the searches see it: within `endless`, where that is not empty.
class Prod::Access {
public:
    using State = std::uint32_t;
    using Cursor = MemoryGraph::Cursor;

    Access(const MemoryGraph& graph, const Bits& endless, Bits& marked, Bits& labelled,
           std::vector<std::uint32_t>& numbers)
        : graph_(graph), endless_(endless), marked_(marked), labelled_(labelled), numbers_(numbers) {}

    [[nodiscard]] bool is_marked(State s) const { return marked_[s]; }
    [[nodiscard]] bool is_labelled(State s) const { return labelled_[s]; }
    void mark(State s) { marked_.set(s); }
    void label(State s) { labelled_.set(s); }
    std::uint32_t& number(State s) { return numbers_[s]; }
    [[nodiscard]] Cursor successors(State s) const { return graph_.successors(s); }
    bool next(Cursor& cursor, State& target) const {
        for (MemoryGraph::Edge edge; graph_.next(cursor, edge);) {
            if (endless_.size() > 0 && !endless_[edge.target]) continue;
            target = static_cast<State>(edge.target);
            return true;
        }
        return false;
    }

private:
    const MemoryGraph& graph_;
    const Bits& endless_;
    Bits& marked_;
    Bits& labelled_;
    std::vector<std::uint32_t>& numbers_;
};

Prod::Prod(const MemoryGraph& graph, const Program& program, DeadlockReading reading, ProdOrder order, Work& work)
    : graph_(graph),
      program_(program),
      reading_(reading),
      order_(order),
      work_(work),
      sets_(program, graph.state_count()) {
    assert(graph.is_complete());
    if (graph.state_count() >= std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc();
}

void Prod::run() {
    work_.ask(Bits::bytes_for(sets_.state_count()) + sets_.state_count() * sizeof(std::uint32_t));
    numbers_.resize(sets_.state_count());
    deadlocks_ = Bits(sets_.state_count());
    for (StateNumber s = 0; s < sets_.state_count(); ++s) {
        work_.poll();
        if (graph_.is_deadlock(s)) deadlocks_.set(s);
    }
    if (order_ == ProdOrder::components) order_by_components();
    sets_.read_atoms(graph_, work_);
    if (reading_ == DeadlockReading::ignore) {
        // No infinite path begins where all paths come to a deadlock. A state with faulty steps only is none.
        const std::uint64_t n = sets_.state_count();
        endless_ = least(Quantifier::forall, {Bits(n), Bits(n, true)}, true).flip();
    }
    for (NodeId n = 0; n < program_.nodes.size(); ++n) decide(n);
}

void Prod::order_by_components() {
    using View = graph::SuccessorView<std::uint32_t>;
    const View view(graph_);
    work_.ask(2 * sets_.state_count() * sizeof(std::uint32_t));
    by_component_.reserve(sets_.state_count());
    support::for_each_component(view, support::KeepAllEdges{}, [&](std::span<const std::uint32_t> members) {
        work_.poll();
        by_component_.insert(by_component_.end(), members.begin(), members.end());
    });
}

void Prod::decide(NodeId n) {
    const Node& node = program_.nodes[n];
    switch (node.kind) {
        case NodeKind::atom: return;
        case NodeKind::infinite: sets_.decide_infinite(n, endless_); return;
        case NodeKind::temporal: {
            if (node.op == logic::Connective::next) {
                sets_.set(n, next(node));
                return;
            }
            const Fixpoint fixpoint = fixpoint_of(node);
            StateSets::Masks masks = sets_.masks(node, work_);
            if (fixpoint.is_least) {
                sets_.set(n, least(fixpoint.quantifier, std::move(masks), false));
            } else {
                const Quantifier other =
                    fixpoint.quantifier == Quantifier::exists ? Quantifier::forall : Quantifier::exists;
                Bits set = least(other, StateSets::complement(std::move(masks)), false);
                sets_.set(n, std::move(set.flip()));
            }
            return;
        }
        case NodeKind::path: assert(false && "path formulas are for other engines"); return;
        default: sets_.decide_boolean(n, work_); return;
    }
}

Bits Prod::next(const Node& node) {
    const Bits& f = sets_[node.operands[0]];
    const bool exists = node.quantifier == Quantifier::exists;
    work_.ask(Bits::bytes_for(sets_.state_count()));
    Bits result(sets_.state_count(), !exists);
    std::uint64_t visits = 0;
    for (StateNumber s = 0; s < sets_.state_count(); ++s) {
        work_.poll();
        if (deadlocks_[s]) {
            if (reading_ == DeadlockReading::stutter) result.assign(s, f[s]);
            continue;
        }
        MemoryGraph::Cursor cursor = graph_.successors(s);
        for (MemoryGraph::Edge edge; graph_.next(cursor, edge);) {
            ++visits;
            if (endless_.size() > 0 && !endless_[edge.target]) continue;
            if (f[edge.target] != exists) continue;
            result.assign(s, exists);
            break;
        }
    }
    visits_.add(visits);
    return result;
}

template <class Visit>
void Prod::in_order(const Bits& unmarked, const Visit& visit) const {
    if (order_ == ProdOrder::components) {
        for (const std::uint32_t state : by_component_)
            if (unmarked[state]) visit(state);
    } else {
        unmarked.for_each([&](std::uint64_t state) { visit(static_cast<std::uint32_t>(state)); });
    }
}

// f g    marked labelled
// 0 0    yes    no
// - 1    yes    yes
// 1 0    no     no
Prod::Start Prod::start_of(Quantifier quantifier, const StateSets::Masks& masks) const {
    Start start{Bits(masks.go).flip() |= masks.stop, masks.stop};
    if (endless_.size() > 0) {
        const Bits ends = Bits(endless_).flip();
        start.marked |= ends;
        // Where no infinite path begins, A is true and E false.
        if (quantifier == Quantifier::forall) start.labelled |= ends;
        else start.labelled &= endless_;
    }
    return start;
}

Bits Prod::least(Quantifier quantifier, StateSets::Masks masks, bool deadlocks_are_stop) {
    work_.ask(3 * Bits::bytes_for(sets_.state_count()));
    if (deadlocks_are_stop) masks.stop |= deadlocks_;
    auto [marked, labelled] = start_of(quantifier, masks);
    const auto run = [&](ProdOrder order, Bits& marks, Bits& labels) {
        Access access(graph_, endless_, marks, labels, numbers_);
        DepthFirstChecks<Access> checks(access, work_);
        const Bits unmarked = Bits(marks).flip();
        const auto visit = [&](std::uint32_t state) {
            if (marks[state]) return;
            if (quantifier == Quantifier::exists) checks.visit_eu(state);
            else checks.visit_au(state);
        };
        if (order == ProdOrder::components) in_order(unmarked, visit);
        else unmarked.for_each([&](std::uint64_t state) { visit(static_cast<std::uint32_t>(state)); });
        std::uint64_t& deepest = order == ProdOrder::components ? deepest_by_components_ : deepest_;
        deepest = std::max(deepest, checks.deepest());
        return checks.edge_visits();
    };
    if (order_ == ProdOrder::components) {
        Bits marks = marked;
        Bits labels = labelled;
        (void)run(ProdOrder::numbers, marks, labels);  // for its stack only
        visits_.add(run(ProdOrder::components, marked, labelled));
        assert(labels == labelled);
    } else {
        visits_.add(run(ProdOrder::numbers, marked, labelled));
    }
    return labelled;
}

std::vector<std::uint64_t> Prod::first_path(NodeId n, std::uint64_t state) {
    const Node& node = program_.nodes[n];
    if (node.kind != NodeKind::temporal || node.op == logic::Connective::next) return {};
    const Fixpoint fixpoint = fixpoint_of(node);
    StateSets::Masks masks = sets_.masks(node, work_);
    Quantifier quantifier = fixpoint.quantifier;
    if (!fixpoint.is_least) {
        masks = StateSets::complement(std::move(masks));
        quantifier = quantifier == Quantifier::exists ? Quantifier::forall : Quantifier::exists;
    }
    auto [marked, labelled] = start_of(quantifier, masks);
    if (marked[state]) return {};
    std::fill(numbers_.begin(), numbers_.end(), 0);
    Access access(graph_, endless_, marked, labelled, numbers_);
    DepthFirstChecks<Access> checks(access, work_);
    const auto root = static_cast<std::uint32_t>(state);
    const bool has_path = quantifier == Quantifier::exists ? checks.visit_eu(root) : !checks.visit_au(root);
    if (!has_path) return {};
    const std::vector<std::uint32_t> path = checks.path();
    return {path.begin(), path.end()};
}

}  // namespace tideline::check::ctl
