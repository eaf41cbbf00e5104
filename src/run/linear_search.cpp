#include "run/linear_search.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "run/change_to_sweep.hpp"

namespace tideline::run {
namespace {

class LinearSearch {
public:
    LinearSearch(Execution& run, const LinearSystem& system) : run_(run), system_(system) {}

    check::Outcome decide(check::LtlRequest request) {
        const std::optional<LinearMeasure> measure = system_.measure(request.engine);
        use(system_.make(request.engine, measure ? &*measure : nullptr, reopen_ledger(request.engine),
                         successor::Successors::automatic),
            request);
        request.settings = run_.settings();
        request.tick = [&run = run_](const explore::Statistics& statistics) { run.sink.progress(statistics); };
        request.variant = linear_variant(run_.spec().variants);
        run_.give_notices(run_engine(request.engine), false);
        if (run_.spec().engine == Engine::automatic && request.engine == check::ltl::Engine::couvreur)
            return probe_and_decide(std::move(request));
        if (request.engine == check::ltl::Engine::sweep) return sweep(std::move(request), measure->in_use);
        if (run_.spec().engine == Engine::automatic && request.engine == check::ltl::Engine::graph)
            return graph_or_sweep(std::move(request));
        return search(request);
    }

private:
    static void use(const LinearProduct& product, check::LtlRequest& request) {
        request.system = product.system;
        request.marks = product.marks;
        request.fairness = product.fairness;
    }

    check::Outcome search(const check::LtlRequest& request) {
        check::Outcome outcome = check::with_evidence(check::decide_ltl(request), run_.budget);
        run_.sink.progress_ended();
        return outcome;
    }

    // A depth-first search finds many violations within few states, and decides small products at once. Where it does
    // not, all processors fill the graph.
    check::Outcome probe_and_decide(check::LtlRequest request) {
        const RunSpec& spec = run_.spec();
        if (spec.change_at) return graph_or_sweep(std::move(request));
        constexpr std::uint64_t kProbedStates = 50'000;
        const bool is_last = spec.states && *spec.states <= kProbedStates;
        request.settings.states = is_last ? *spec.states : kProbedStates;
        const check::Outcome probed = search(request);
        if (probed.reason != support::StopReason::states || is_last) {
            run_.explain("a depth-first search decided it within the first states");
            return probed;
        }
        run_.explain(fmt::format("a depth-first probe of {} states decided nothing", kProbedStates));
        request.settings.states = spec.states;
        check::Outcome outcome = graph_or_sweep(std::move(request));
        add_effort(outcome, probed.statistics);
        return outcome;
    }

    // The graph in memory; where it does not fit, a sweep continues.
    check::Outcome graph_or_sweep(check::LtlRequest request) {
        request.engine = check::ltl::Engine::graph;
        std::optional<LinearMeasure> measure;  // of the sweep
        ChangeToSweep change(run_,
                             [&](const explore::StatesInMemory& states) { return prepare_sweep(states, measure); });
        if (can_change_to_sweep(run_.spec(), system_.fits_marks)) {
            request.settings.change_over = &change;
            request.settings.change_at = run_.spec().change_at;
        }
        std::unique_ptr<RunLedger> of_states = release_ledger_of_states();
        check::Outcome outcome = search(request);
        close_ledger(outcome, std::move(of_states));
        return outcome;
    }

    explore::ChangeTarget prepare_sweep(const explore::StatesInMemory& states, std::optional<LinearMeasure>& measure) {
        constexpr auto kSweep = check::ltl::Engine::sweep;
        measure = system_.measure(kSweep);
        std::vector<std::string> components = std::exchange(run_.linear_components, {});
        run_.stop_if_exhausted();
        run_.explain(reason_of_change(run_, states));
        const LinearProduct product = system_.make(kSweep, &*measure, layout_of(states), successors_as(states));
        require_packing(*product.system, states);
        explore::ChangeTarget target{product.system, &open_ledger(*product.system, measure->in_use)};
        run_.linear_components = std::move(components);
        return target;
    }

    // With a ledger of its own, which is removed in the end unless the run can be resumed.
    check::Outcome sweep(check::LtlRequest request, const MeasureInUse& measure) {
        const bool is_one = is_one_sweep(run_.plan);
        if (run_.spec().ledger.kind == LedgerChoice::Kind::directory && !is_one)
            run_.sink.notice("several properties are checked; the ledgers of their sweeps are temporary ones");
        std::unique_ptr<RunLedger> of_states = release_ledger_of_states();
        if (run_.ledger) run_.ledger->verify(purpose_by(measure));
        request.settings.ledger = &open_ledger(*request.system, measure);
        if (is_one && !run_.ledger->is_temporary()) {
            if (system_.uncertified.empty()) request.certificate = run_.ledger->directory();
            else run_.sink.notice("there will be no certificate: " + system_.uncertified);
        }
        check::Outcome outcome = search(request);
        close_ledger(outcome, std::move(of_states));
        return outcome;
    }

    // ---- the ledger of a sweep

    [[nodiscard]] LedgerPurpose purpose_by(const MeasureInUse& measure) const {
        return {{}, system_.automaton, measure.key_layout()};
    }

    // Of a sweep that is resumed; how its states are packed.
    std::optional<successor::Layout> reopen_ledger(check::ltl::Engine engine) {
        if (engine != check::ltl::Engine::sweep || !run_.is_resumed() || !is_one_sweep(run_.plan)) return std::nullopt;
        run_.ledger.resume(run_.resumed, run_.spec().limits);
        return run_.ledger->layout();
    }

    // That of the properties of states, where there are such.
    [[nodiscard]] std::unique_ptr<RunLedger> release_ledger_of_states() {
        return is_one_sweep(run_.plan) ? nullptr : run_.ledger.release();
    }

    // The one that is resumed, or a new one.
    explore::LedgerRun& open_ledger(const successor::System& system, const MeasureInUse& measure) {
        const bool is_one = is_one_sweep(run_.plan);
        if (!run_.ledger) {
            RunPlan plan = run_.plan;
            plan.spec.engine = plan.engine = Engine::sweep;
            if (!is_one) plan.spec.ledger = {};
            plan.spec.record = explore::Recorded::edges;
            run_.ledger.create(plan, system, purpose_by(measure), run_.sink);
        }
        explore::LedgerRun& ledger = run_.ledger->run();
        if (!is_one) ledger.checkpoint_every = std::chrono::hours(24 * 365);  // it is never resumed
        if (system.layout() != nullptr) ledger.block_bits = measure.block_bits();
        return ledger;
    }

    void close_ledger(check::Outcome& outcome, std::unique_ptr<RunLedger> of_states) {
        const bool is_one = is_one_sweep(run_.plan);
        if (run_.ledger && is_one && outcome.resumable && !outcome.measure_error) run_.ledger.keep();
        outcome.resumable = outcome.resumable && is_one;
        run_.ledger.restore(std::move(of_states));
    }

    Execution& run_;
    const LinearSystem& system_;
};

}  // namespace

check::Outcome search_linear(Execution& run, check::LtlRequest request, const LinearSystem& system) {
    return LinearSearch(run, system).decide(std::move(request));
}

bool is_one_sweep(const RunPlan& plan) { return !plan.searches_states && plan.spec.properties.size() == 1; }

bool can_change_to_sweep(const RunSpec& spec, bool fits_marks) {
    return spec.engine == Engine::automatic && !spec.compress && spec.ledger.kind == LedgerChoice::Kind::automatic &&
           fits_marks && spec.progress.kind != ProgressChoice::Kind::none;
}

void add_effort(check::Outcome& outcome, const explore::Statistics& before) {
    outcome.statistics.expanded += before.expanded;
    outcome.statistics.seconds += before.seconds;
    check::Verdict& verdict = outcome.verdicts.front();
    verdict.expanded += before.expanded;
    verdict.seconds += before.seconds;
}

}  // namespace tideline::run
