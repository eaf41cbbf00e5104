#include "check/ltl/graph.hpp"

#include <cassert>
#include <limits>
#include <map>
#include <utility>

#include "check/ltl/fair_components.hpp"
#include "check/ltl/graph_lasso.hpp"
#include "graph/build_graph.hpp"
#include "graph/graph_paths.hpp"
#include "support/components.hpp"

namespace tideline::check::ltl {
namespace {

using graph::MemoryGraph;
using graph::StateNumber;

// The component search was ended by the budget.
struct Stopped {
    support::StopReason reason;
};

// Looks for the fair set of a graph that is nearest to an initial state.
class Look {
public:
    Look(const MemoryGraph& graph, const EmptinessTask& task)
        : graph_(graph),
          contributions_(graph, task.marks, task.fairness),
          marks_(task.marks),
          budget_(task.settings.limits()) {}

    // Throws Stopped and std::bad_alloc.
    std::optional<FairSet> find() {
        return graph_.state_count() < std::numeric_limits<std::uint32_t>::max() ? find_by<std::uint32_t>()
                                                                                : find_by<std::uint64_t>();
    }

private:
    static constexpr std::uint32_t kEdgesPerLook = 1U << 16U;

    template <class Node>
    std::optional<FairSet> find_by() {
        // Of the numbers; stacks take as much in most graphs.
        if (!budget_.allows(graph_.state_count() * 2 * sizeof(Node))) throw Stopped{support::StopReason::memory};
        const graph::SuccessorView<Node> view(graph_);
        support::ComponentSearch<graph::SuccessorView<Node>> search(view);
        FairSetSearch fair_sets(contributions_);
        std::optional<FairSet> best;
        const auto poll = [&] {
            if (++polled_ % kEdgesPerLook != 0) return;
            if (const support::StopReason reason = budget_.exhausted(); reason != support::StopReason::none)
                throw Stopped{reason};
        };
        has_mark_.assign(marks_ != 0 ? graph_.state_count() : 0, false);
        const auto keep = [&](Node source, const auto& edge) {
            poll();
            if ((edge.marks & marks_) != 0) has_mark_[source] = true;
            return true;
        };
        const auto visit = [&](std::span<const Node> members) {
            const Node number = search.number(members.front());
            const auto is_inside = [&](StateNumber s) { return search.number(static_cast<Node>(s)) == number; };
            const auto keep_going = [&] {
                poll();
                return true;
            };
            if (!has_all_marks(members, is_inside, poll)) return;
            if (members.size() == 1 && !has_self_loop(members.front())) return;
            std::optional<FairSet> found = fair_sets.find(members, is_inside, keep_going);
            if (found && (!best || found->states.front() < best->states.front())) best = std::move(found);
        };
        for (const StateNumber root : graph_.initial_states()) search.search_from(static_cast<Node>(root), keep, visit);
        return best;
    }

    // Of acceptance, on the edges inside. Only the rows of states that have an edge with one are read again: in most
    // components these are few.
    template <class Node, class Inside, class Poll>
    [[nodiscard]] bool has_all_marks(std::span<const Node> members, const Inside& is_inside, const Poll& poll) const {
        model::Marks lacking = marks_;
        for (std::size_t i = 0; i < members.size() && lacking != 0; ++i) {
            poll();
            if (!has_mark_[members[i]]) continue;
            MemoryGraph::Cursor cursor = graph_.successors(members[i]);
            for (MemoryGraph::Edge edge; graph_.next(cursor, edge);)
                if ((edge.marks & lacking) != 0 && is_inside(edge.target)) lacking &= ~edge.marks;
        }
        return lacking == 0;
    }
    [[nodiscard]] bool has_self_loop(StateNumber state) const {
        MemoryGraph::Cursor cursor = graph_.successors(state);
        for (MemoryGraph::Edge edge; graph_.next(cursor, edge);)
            if (edge.target == state) return true;
        return false;
    }

    const MemoryGraph& graph_;
    Contributions contributions_;
    model::Marks marks_;
    const support::Budget& budget_;
    std::vector<bool> has_mark_;  // by state, while it is searched: one of its edges carries one of the marks
    std::uint32_t polled_ = 0;
};

class GraphEvidence final : public EmptinessEvidence {
public:
    GraphEvidence(graph::BuiltGraph built, const EmptinessTask& task, std::optional<FairSet> found,
                  std::vector<StateNumber> faults)
        : built_(std::move(built)),
          contributions_(built_.graph, task.marks, task.fairness),
          found_(std::move(found)),
          faults_(std::move(faults)) {}

    std::optional<PackedLasso> accepting_run(const support::Budget& budget) override {
        assert(found_);
        try {
            std::optional<GraphLasso> lasso = shortest_lasso(contributions_, *found_, budget);
            if (!lasso) return std::nullopt;
            std::optional<explore::PackedPath> path = graph::replay(lasso->path, built_.graph, built_.system, budget);
            if (!path) return std::nullopt;
            path->states.resize(path->states.size() - path->words());  // the state at `loop` again
            return PackedLasso{std::move(path->states), lasso->loop, path->system, std::move(path->transitions)};
        } catch (const std::bad_alloc&) {
            return std::nullopt;
        }
    }

    std::optional<PackedRun> path_to_fault(std::size_t i, const support::Budget& budget) override {
        std::optional<explore::PackedPath> path =
            graph::replay(graph::path_to(built_.graph, faults_[i]), built_.graph, built_.system, budget);
        if (!path) return std::nullopt;
        return PackedRun{std::move(path->states), path->system};
    }

private:
    graph::BuiltGraph built_;
    Contributions contributions_;
    std::optional<FairSet> found_;
    std::vector<StateNumber> faults_;  // sources of the faults of the result
};

class Ticks final : public explore::SearchObserver {
public:
    explicit Ticks(const EmptinessTask& task) : task_(task) {}
    [[nodiscard]] bool wants_deadlocks() const override { return false; }
    void tick(const explore::Statistics& statistics) override { task_.tick(statistics); }

private:
    const EmptinessTask& task_;
};

// One per transition and kind, in their order, and the sources of the first ones.
std::vector<MetFault> met_faults(const graph::BuiltGraph& built, std::vector<StateNumber>& sources) {
    struct First {
        StateNumber source;
        std::uint64_t occurrences;
    };
    std::map<std::pair<model::TransitionId, model::FaultKind>, First> first;
    for (const MemoryGraph::FaultyStep& step : built.graph.faulty_steps())
        ++first.try_emplace({step.transition, step.fault}, First{step.source, 0}).first->second.occurrences;
    const support::Budget unlimited;
    std::vector<MetFault> faults;
    for (const auto& [key, fault] : first) {
        const explore::PackedPath path =
            graph::replay(graph::path_to(built.graph, fault.source), built.graph, built.system, unlimited).value();
        const successor::Word* const state = path.state(path.size() - 1);
        faults.push_back({key.first, key.second, fault.occurrences, {state, state + path.words()}});
        sources.push_back(fault.source);
    }
    return faults;
}

}  // namespace

EmptinessResult graph_components(const EmptinessTask& task) {
    std::optional<FairSet> found;
    support::StopReason stopped = support::StopReason::none;
    const auto look = [&](const MemoryGraph& graph) {
        try {
            found = Look(graph, task).find();
        } catch (const Stopped& stop) {
            stopped = stop.reason;
        } catch (const std::bad_alloc&) {
            stopped = support::StopReason::memory;
        }
        return !found && stopped == support::StopReason::none;
    };
    // A search that can change over goes on where there is no memory for a look: it changes soon.
    const auto look_on_the_way = [&](const MemoryGraph& graph) {
        if (look(graph)) return true;
        if (stopped != support::StopReason::memory || task.settings.change_over == nullptr) return false;
        stopped = support::StopReason::none;
        return true;
    };
    Ticks ticks(task);
    graph::GraphSettings wanted;
    wanted.level_added = graph::WhenDoubled(look_on_the_way);
    wanted.observer = &ticks;
    graph::BuiltGraph built = graph::build_graph(task.system, task.settings, wanted);
    if (!found && stopped == support::StopReason::none &&
        (built.complete || built.reason == support::StopReason::states))
        (void)look(built.graph);
    EmptinessResult result;
    result.continues_with = std::move(built.continues_with);
    if (result.continues_with) return result;
    result.reason = found                                  ? support::StopReason::violation
                    : stopped != support::StopReason::none ? stopped
                                                           : built.reason;
    result.complete = result.reason == support::StopReason::none && built.complete;
    result.statistics = built.statistics;
    result.system = built.system;
    std::vector<StateNumber> sources;
    result.faults = met_faults(built, sources);
    result.evidence = std::make_unique<GraphEvidence>(std::move(built), task, std::move(found), std::move(sources));
    return result;
}

}  // namespace tideline::check::ltl
