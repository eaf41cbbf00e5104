#include "run/branching_run.hpp"

#include <algorithm>
#include <utility>

#include "check/evidence.hpp"
#include "run/linear_product.hpp"
#include "successor/step_labels.hpp"

namespace tideline::run {
namespace {

// States that `auto` visits on the fly before it builds the whole graph.
constexpr std::uint64_t kFewStates = 100'000;

check::BranchingEngine engine_of(Engine engine) {
    switch (engine) {
        case Engine::prod: return check::BranchingEngine::prod;
        case Engine::local: return check::BranchingEngine::local;
        default: return check::BranchingEngine::labelling;
    }
}

// Evaluates atoms with independent code, those that speak of steps too.
check::ctl::EvaluateAtom evaluate_of(const BranchingProperties& properties, const LoadedSystem& system) {
    return [program = properties.program, meanings = properties.meanings, system = &system,
            names = successor::process_table(*system.names).names](const std::string& atom, const trace::Trace& trace,
                                                                   std::size_t i) -> std::optional<bool> {
        const auto found = std::ranges::find(program->atoms, atom);
        const AtomMeaning meaning = meanings[static_cast<std::size_t>(found - program->atoms.begin())];
        if (meaning.kind == AtomMeaning::Kind::expression) return system->evaluate(atom, trace, i);
        if (!system->enabled_at) return std::nullopt;
        const std::vector<std::string> enabled = system->enabled_at(trace, i);
        if (meaning.kind == AtomMeaning::Kind::deadlock) return enabled.empty();
        return std::ranges::find(enabled, names[meaning.process]) != enabled.end();
    };
}

class BranchingRun {
public:
    BranchingRun(const RunPlan& plan, const BranchingProperties& properties, const LoadedSystem& system, Sink& sink,
                 const support::Budget& budget)
        : plan_(plan), spec_(plan.spec), properties_(properties), system_(system), sink_(sink), budget_(budget) {}

    check::Outcome run() {
        check::BranchingRequest request = request_for_all();
        if (spec_.engine != Engine::automatic) {
            request.engine = engine_of(spec_.engine);
            if (request.engine == check::BranchingEngine::local && spec_.threads > 1 && spec_.are_threads_requested)
                sink_.notice("the engine local has one thread");
            return decide(request);
        }
        // Counts of states that satisfy a formula need all of them, automata a product with all, and fairness
        // components.
        if (spec_.branching.satisfying || spec_.fairness != Fairness::none || !properties_.program->paths.empty())
            return decide(request);
        const std::uint64_t most = std::min(kFewStates, spec_.states.value_or(kFewStates));
        request.engine = check::BranchingEngine::local;
        request.settings.states = most;
        request.settings.threads = 1;
        check::Outcome first = decide(request);
        for (check::Verdict& verdict : first.verdicts)
            if (verdict.answer != check::Answer::unknown && verdict.trace_reason == "states")
                verdict.trace_reason =
                    "to show it takes more states than to decide it; --engine labelling visits all of them";
        const bool is_cut = first.reason == support::StopReason::states && most == kFewStates;
        if (!is_cut) return first;
        return with_rest_by_labelling(std::move(first), std::move(request));
    }

    void add_evidence(check::Outcome& outcome) {
        check::BranchingRequest request = request_for_all();
        auto program = std::make_shared<check::ctl::Program>(*request.program);
        program->roots.clear();
        request.properties.clear();
        std::vector<std::size_t> violated;
        for (std::size_t p = 0; p < outcome.verdicts.size(); ++p) {
            if (outcome.verdicts[p].answer != check::Answer::violated) continue;
            violated.push_back(p);
            program->roots.push_back(properties_.program->roots[p]);
            request.properties.push_back(properties_.properties[p]);
        }
        if (violated.empty()) return;
        request.program = std::move(program);
        request.counts_satisfying = false;
        check::Outcome found = decide(request);
        for (std::size_t i = 0; i < violated.size(); ++i) {
            check::Verdict& verdict = outcome.verdicts[violated[i]];
            check::Verdict& shown = found.verdicts[i];
            if (shown.answer == check::Answer::holds)
                throw check::UnconfirmedTrace("two engines disagree about " + verdict.name);
            verdict.trace = std::move(shown.trace);
            verdict.tree = std::move(shown.tree);
            verdict.trace_reason =
                shown.answer == check::Answer::unknown ? std::move(shown.reason) : std::move(shown.trace_reason);
        }
    }

private:
    [[nodiscard]] check::BranchingRequest request_for_all() const {
        check::BranchingRequest request = branching_request(plan_, properties_, system_, sink_, budget_);
        const progress::Measure none;
        std::string notice;
        request.system = with_step_atoms(
            system_.make_system(properties_.atoms, &none, spec_.successors, std::nullopt, budget_, notice), properties_,
            *system_.names);
        if (!notice.empty()) sink_.notice(notice);
        return request;
    }

    check::Outcome decide(const check::BranchingRequest& request) {
        check::Outcome outcome = check::with_evidence(check::decide_branching(request), budget_);
        sink_.progress_ended();
        return outcome;
    }

    // What the first search left open.
    check::Outcome with_rest_by_labelling(check::Outcome first, check::BranchingRequest request) {
        auto program = std::make_shared<check::ctl::Program>(*request.program);
        program->roots.clear();
        request.properties.clear();
        for (std::size_t p = 0; p < first.verdicts.size(); ++p) {
            if (first.verdicts[p].answer != check::Answer::unknown) continue;
            program->roots.push_back(request.program->roots[p]);
            request.properties.push_back(properties_.properties[p]);
        }
        request.program = std::move(program);
        request.engine = check::BranchingEngine::labelling;
        request.settings.states = spec_.states;
        request.settings.threads = spec_.threads;
        const bool all_are_open = request.properties.size() == first.verdicts.size();
        check::Outcome outcome = decide(request);
        if (!all_are_open) outcome.engine = first.engine + ", " + outcome.engine;
        for (check::Verdict& verdict : first.verdicts)
            if (verdict.answer != check::Answer::unknown) outcome.verdicts.push_back(std::move(verdict));
        return outcome;
    }

    const RunPlan& plan_;
    const RunSpec& spec_;
    const BranchingProperties& properties_;
    const LoadedSystem& system_;
    Sink& sink_;
    const support::Budget& budget_;
};

}  // namespace

check::BranchingRequest branching_request(const RunPlan& plan, const BranchingProperties& properties,
                                          const LoadedSystem& system, Sink& sink, const support::Budget& budget) {
    const RunSpec& spec = plan.spec;
    check::BranchingRequest request;
    request.program = properties.program;
    request.properties = properties.properties;
    request.deadlocks = spec.deadlocks;
    if (spec.fairness != Fairness::none) {
        request.fairness = {spec.fairness,
                            std::make_shared<const successor::ProcessTable>(successor::process_table(*system.names))};
        request.is_fair = [fairness = spec.fairness, system = &system](const trace::Trace& trace) {
            return is_fair(trace, fairness, *system);
        };
    }
    request.settings.budget = &budget;
    request.settings.states = spec.states;
    request.settings.threads = spec.threads;
    request.tick = [&sink](const explore::Statistics& statistics) { sink.progress(statistics); };
    request.confirm = system.confirm;
    request.evaluate = evaluate_of(properties, system);
    request.order = spec.branching.order;
    if (spec.branching.evidence) request.evidence.claims = *spec.branching.evidence;
    request.counts_satisfying = spec.branching.satisfying;
    request.lists = spec.branching.list;
    return request;
}

check::Outcome decide_branching_properties(const RunPlan& plan, const BranchingProperties& properties,
                                           const LoadedSystem& system, Sink& sink, const support::Budget& budget) {
    return BranchingRun(plan, properties, system, sink, budget).run();
}

void add_branching_evidence(check::Outcome& outcome, const RunPlan& plan, const BranchingProperties& properties,
                            const LoadedSystem& system, Sink& sink, const support::Budget& budget) {
    BranchingRun(plan, properties, system, sink, budget).add_evidence(outcome);
}

}  // namespace tideline::run
