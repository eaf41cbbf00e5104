#include "check/branching.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "check/branching_evidence.hpp"
#include "check/ctl/labelling.hpp"
#include "check/ctl/local.hpp"
#include "graph/build_graph.hpp"
#include "graph/graph_paths.hpp"

namespace tideline::check {
namespace {

using ctl::NodeId;
using ctl::Oracle;
using Clock = std::chrono::steady_clock;

// A decided graph in memory.
class GraphOracle : public Oracle {
public:
    explicit GraphOracle(graph::BuiltGraph built) : built_(std::move(built)) {}

    [[nodiscard]] const graph::BuiltGraph& built() const { return built_; }
    [[nodiscard]] virtual const ctl::StateSets& sets() const = 0;
    [[nodiscard]] virtual const ctl::Bits& endless() const = 0;

    [[nodiscard]] bool value(NodeId node, State state) override { return sets()[node][state]; }
    [[nodiscard]] std::vector<State> successors(State state) override {
        std::vector<State> targets;
        graph::MemoryGraph::Cursor cursor = built_.graph.successors(state);
        for (graph::MemoryGraph::Edge edge; built_.graph.next(cursor, edge);) targets.push_back(edge.target);
        return targets;
    }
    [[nodiscard]] std::vector<model::TransitionId> transitions(State state) override {
        std::vector<model::TransitionId> transitions;
        graph::MemoryGraph::Cursor cursor = built_.graph.successors(state);
        for (graph::MemoryGraph::Edge edge; built_.graph.next(cursor, edge);) transitions.push_back(edge.transition);
        return transitions;
    }
    [[nodiscard]] bool is_deadlock(State state) override { return built_.graph.is_deadlock(state); }
    [[nodiscard]] bool is_endless(State state) override { return endless().size() == 0 || endless()[state]; }
    [[nodiscard]] const std::shared_ptr<const successor::System>& system() override { return built_.system; }
    [[nodiscard]] std::vector<successor::Word> packed_initial(State state) override {
        const auto& initial = built_.graph.initial_states();
        const auto place = static_cast<std::size_t>(std::find(initial.begin(), initial.end(), state) - initial.begin());
        return built_.system->initial_states().at(place);
    }
    [[nodiscard]] std::vector<successor::Word> packed_successor(State from, const std::vector<successor::Word>& packed,
                                                                State to) override {
        const std::uint64_t position =
            *graph::position_of_edge(built_.graph, from, to, [](const graph::MemoryGraph::Edge&) { return true; });
        std::uint64_t seen = 0;
        for (const successor::StepDetail& step : built_.system->steps(packed.data()))
            if (step.fault == model::FaultKind::none && seen++ == position) return step.next;
        throw std::logic_error("a step of the graph is none of the system");
    }

private:
    graph::BuiltGraph built_;
};

class LabelledGraph final : public GraphOracle {
public:
    LabelledGraph(graph::BuiltGraph built, const BranchingRequest& request)
        : GraphOracle(std::move(built)),
          work_(request.settings.limits()),
          labelling_(this->built().graph, *request.program, request.deadlocks, work_, request.fairness) {
        labelling_.run();
    }
    [[nodiscard]] const ctl::StateSets& sets() const override { return labelling_.sets(); }
    [[nodiscard]] const ctl::Bits& endless() const override { return labelling_.endless(); }
    [[nodiscard]] BranchingFigures figures() const {
        BranchingFigures figures;
        figures.operations = labelling_.visits().operators;
        figures.edges = built().graph.edge_count();
        figures.edge_visits = labelling_.visits().all;
        figures.most_edge_visits = labelling_.visits().most;
        figures.product_nodes = labelling_.product_nodes();
        return figures;
    }

private:
    ctl::Work work_;
    ctl::Labelling labelling_;
};

class ProdGraph final : public GraphOracle {
public:
    ProdGraph(graph::BuiltGraph built, const BranchingRequest& request)
        : GraphOracle(std::move(built)),
          work_(request.settings.limits()),
          prod_(this->built().graph, *request.program, request.deadlocks, request.order, work_) {
        prod_.run();
    }
    [[nodiscard]] const ctl::StateSets& sets() const override { return prod_.sets(); }
    [[nodiscard]] const ctl::Bits& endless() const override { return prod_.endless(); }
    [[nodiscard]] std::vector<State> first_path(NodeId node, State state) override {
        return prod_.first_path(node, state);
    }
    [[nodiscard]] BranchingFigures figures() const {
        BranchingFigures figures;
        figures.operations = prod_.visits().operators;
        figures.edges = built().graph.edge_count();
        figures.edge_visits = prod_.visits().all;
        figures.most_edge_visits = prod_.visits().most;
        figures.deepest_stack = prod_.deepest();
        figures.deepest_by_components = prod_.deepest_by_components();
        return figures;
    }

private:
    ctl::Work work_;
    ctl::Prod prod_;
};

class LocalOracle final : public Oracle {
public:
    explicit LocalOracle(std::unique_ptr<ctl::Local> local) : local_(std::move(local)) {}

    [[nodiscard]] bool value(NodeId node, State state) override { return local_->value(node, narrow(state)); }
    [[nodiscard]] std::vector<State> successors(State state) override {
        const std::vector<ctl::Local::State> targets = local_->successors(narrow(state));
        return {targets.begin(), targets.end()};
    }
    [[nodiscard]] bool is_deadlock(State state) override { return local_->is_deadlock(narrow(state)); }
    [[nodiscard]] bool is_endless(State state) override { return local_->is_endless(narrow(state)); }
    [[nodiscard]] const std::shared_ptr<const successor::System>& system() override { return local_->system(); }
    [[nodiscard]] std::vector<successor::Word> packed_initial(State state) override {
        return local_->packed(narrow(state));
    }
    [[nodiscard]] std::vector<successor::Word> packed_successor(State /*from*/,
                                                                const std::vector<successor::Word>& /*packed*/,
                                                                State to) override {
        return local_->packed(narrow(to));
    }

private:
    static ctl::Local::State narrow(State state) { return static_cast<ctl::Local::State>(state); }
    std::unique_ptr<ctl::Local> local_;
};

std::vector<Satisfying> satisfying(const BranchingRequest& request, const GraphOracle& oracle, std::size_t property) {
    std::vector<Satisfying> result;
    const ctl::Program& program = *request.program;
    const std::vector<bool> needed = program.needed_by(program.roots[property]);
    for (NodeId n = 0; n < program.nodes.size(); ++n) {
        if (!needed[n]) continue;
        Satisfying one{program.text(n), oracle.sets()[n].count(), {}};
        std::vector<Oracle::State> some;
        for (Oracle::State s = 0; s < oracle.sets()[n].size() && some.size() < request.lists; ++s)
            if (oracle.sets()[n][s]) some.push_back(s);
        for (const Oracle::State s : some) {
            const std::optional<explore::PackedPath> path =
                graph::replay(graph::path_to(oracle.built().graph, s), oracle.built().graph, oracle.built().system,
                              request.settings.limits());
            if (!path) break;
            const std::size_t words = oracle.built().system->state_words();
            one.listed.push_back(state_text(*oracle.built().system, path->states.data() + path->states.size() - words));
        }
        result.push_back(std::move(one));
    }
    return result;
}

class GraphWatcher final : public explore::SearchObserver {
public:
    explicit GraphWatcher(const std::function<void(const explore::Statistics&)>& tick) : tick_(tick) {}
    [[nodiscard]] bool wants_deadlocks() const override { return false; }
    void tick(const explore::Statistics& statistics) override { tick_(statistics); }

private:
    const std::function<void(const explore::Statistics&)>& tick_;
};

// Faulty steps, one report per transition and kind, with shortest runs.
std::vector<FaultReport> fault_reports(const BranchingRequest& request, const graph::BuiltGraph& built) {
    std::map<std::pair<model::TransitionId, model::FaultKind>, std::pair<graph::StateNumber, std::uint64_t>> faults;
    for (const graph::MemoryGraph::FaultyStep& step : built.graph.faulty_steps())
        ++faults.try_emplace({step.transition, step.fault}, step.source, 0).first->second.second;
    std::vector<FaultReport> reports;
    FaultTexts texts;
    for (const auto& [key, found] : faults) {
        FaultReport report;
        report.kind = key.second;
        report.occurrences = found.second;
        report.text = "transition " + std::to_string(key.first);
        if (reports.size() >= kMostFaultTraces) {
            report.trace_reason = kTooManyFaults;
        } else if (std::optional<explore::PackedPath> path =
                       graph::replay(graph::path_to(built.graph, found.first), built.graph, built.system,
                                     request.settings.limits())) {
            const std::size_t words = built.system->state_words();
            const std::vector<successor::Word> last(path->states.end() - static_cast<std::ptrdiff_t>(words),
                                                    path->states.end());
            report.text = texts.text(*built.system, last, key.first, key.second);
            trace::Trace trace = trace::make_trace(built.system, std::move(path->states));
            trace.fault = trace::Trace::FaultyStep{key.first, key.second};
            ConfirmedTrace shown = confirmed(std::move(trace), request.confirm, request.settings.limits());
            report.trace = std::move(shown.trace);
            report.trace_reason = std::move(shown.reason);
        } else {
            report.trace_reason = why_missing(request.settings.limits(), "memory");
        }
        reports.push_back(std::move(report));
    }
    return reports;
}

template <class Decided>
Decision decide_on_graph(const BranchingRequest& request, const char* engine) {
    const Clock::time_point start = Clock::now();
    GraphWatcher watcher(request.tick);
    graph::GraphSettings wanted;
    wanted.labels = request.program->atoms.size();
    wanted.observer = &watcher;
    graph::BuiltGraph built = graph::build_graph(request.system, request.settings, wanted);
    Outcome outcome;
    outcome.engine = engine;
    outcome.statistics = built.statistics;
    outcome.complete = built.complete;
    outcome.reason = built.reason;
    const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    if (!built.complete) {
        outcome.faults = fault_reports(request, built);
        outcome.statistics.seconds = seconds();
        return undecided(request, std::move(outcome), built.reason);
    }
    const bool met_faults = !built.graph.faulty_steps().empty();
    const auto& faulty_labels = built.graph.faulty_labels();
    if (met_faults) outcome.faults = fault_reports(request, built);
    std::unique_ptr<Decided> decided;
    try {
        decided = std::make_unique<Decided>(std::move(built), request);
    } catch (const ctl::Stopped& stopped) {
        outcome.statistics.seconds = seconds();
        return undecided(request, std::move(outcome), stopped.reason);
    } catch (const std::bad_alloc&) {
        outcome.statistics.seconds = seconds();
        return undecided(request, std::move(outcome), support::StopReason::memory);
    }
    outcome.statistics.seconds = seconds();
    std::vector<BranchingEvidence::Shown> shown;
    const std::span<const graph::StateNumber> initial = decided->built().graph.initial_states();
    for (std::size_t p = 0; p < request.properties.size(); ++p) {
        Verdict verdict = verdict_of(request, p, outcome.statistics);
        const NodeId root = request.program->roots[p];
        std::string faulty_atom;
        const std::vector<bool> needed = request.program->needed_by(root);
        for (const auto& label : faulty_labels)
            for (NodeId n = 0; n < needed.size() && faulty_atom.empty(); ++n)
                if (needed[n] && request.program->nodes[n].kind == ctl::NodeKind::atom &&
                    request.program->nodes[n].index == label.label)
                    faulty_atom = request.program->atoms[label.label];
        std::size_t violating = 0;
        while (violating < initial.size() && decided->value(root, initial[violating])) ++violating;
        const bool holds = violating == initial.size();
        // With a fault nothing is certain, neither that it holds nor that it does not.
        if (met_faults || !faulty_atom.empty()) {
            decide(verdict, {.complete = true, .met_faults = true});
            if (!faulty_atom.empty()) verdict.reason = "'" + faulty_atom + "' cannot be evaluated in a reachable state";
        } else {
            decide(verdict, {.violated = !holds, .complete = true});
            const std::size_t index = holds ? 0 : violating;
            shown.push_back({p, initial[index], index, initial.size()});
            if (request.counts_satisfying) verdict.satisfying = satisfying(request, *decided, p);
        }
        verdict.branching = decided->figures();
        outcome.verdicts.push_back(std::move(verdict));
    }
    return {std::move(outcome), std::make_unique<BranchingEvidence>(request, std::move(decided), std::move(shown))};
}

Decision decide_locally(const BranchingRequest& request) {
    Outcome outcome;
    outcome.engine = "local";
    std::vector<BranchingEvidence::Shown> shown;
    std::unique_ptr<ctl::Local> local;
    bool all_known = true;
    const auto start_again = [&] {
        local = std::make_unique<ctl::Local>(request.system, *request.program, request.deadlocks, request.settings,
                                             request.tick);
    };
    explore::Statistics statistics;
    for (std::size_t p = 0; p < request.properties.size(); ++p) {
        Verdict verdict;
        try {
            if (!local) start_again();
            std::size_t violating = 0;
            while (violating < local->initial_count() &&
                   local->value(request.program->roots[p], static_cast<ctl::Local::State>(violating)))
                ++violating;
            const bool holds = violating == local->initial_count();
            statistics = local->statistics();
            verdict = verdict_of(request, p, statistics);
            decide(verdict, {.violated = !holds, .complete = true});
            shown.push_back({p, holds ? 0 : violating, holds ? 0 : violating, local->initial_count()});
        } catch (const ctl::FaultMet& fault) {
            statistics = local->statistics();
            verdict = verdict_of(request, p, statistics);
            decide(verdict, {.complete = true, .met_faults = true});
            if (fault.atom)
                verdict.reason =
                    "'" + request.program->atoms[*fault.atom] + "' cannot be evaluated in a reachable state";
            if (fault.transition) {
                FaultReport report;
                report.kind = fault.kind;
                report.occurrences = 1;
                FaultTexts texts;
                report.text = texts.text(*local->system(), fault.state, *fault.transition, fault.kind);
                report.trace_reason = "the search keeps no run to it";
                const bool known = std::any_of(outcome.faults.begin(), outcome.faults.end(), [&](const FaultReport& f) {
                    return f.kind == report.kind && f.text == report.text;
                });
                if (!known) outcome.faults.push_back(std::move(report));
            }
            // A search that was broken off leaves marks behind that mean nothing.
            local->forget_values();
        } catch (const ctl::Stopped& stopped) {
            if (local) statistics = local->statistics();
            verdict = verdict_of(request, p, statistics);
            decide(verdict, {.stopped = stopped.reason});
            outcome.reason = stopped.reason;
            all_known = false;
            if (local) local->forget_values();
        } catch (const std::bad_alloc&) {
            if (local) statistics = local->statistics();
            verdict = verdict_of(request, p, statistics);
            decide(verdict, {.stopped = support::StopReason::memory});
            outcome.reason = support::StopReason::memory;
            all_known = false;
            if (local) local->forget_values();
        }
        outcome.verdicts.push_back(std::move(verdict));
    }
    outcome.statistics = statistics;
    outcome.complete = all_known && statistics.waiting == 0;
    if (!local) return {std::move(outcome), nullptr};
    return {std::move(outcome), std::make_unique<BranchingEvidence>(
                                    request, std::make_unique<LocalOracle>(std::move(local)), std::move(shown))};
}

}  // namespace

Decision decide_branching(const BranchingRequest& request) {
    switch (request.engine) {
        case BranchingEngine::labelling: return decide_on_graph<LabelledGraph>(request, "labelling");
        case BranchingEngine::prod: return decide_on_graph<ProdGraph>(request, "prod");
        case BranchingEngine::local: break;
    }
    return decide_locally(request);
}

}  // namespace tideline::check
