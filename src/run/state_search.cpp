#include "run/state_search.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "automata/hoa_print.hpp"
#include "check/reachability.hpp"
#include "run/change_to_sweep.hpp"
#include "run/resolve_plan.hpp"

namespace tideline::run {
namespace {

// A layer of more visited states takes a while to be read.
constexpr std::uint64_t kQuicklyRead = 1U << 14U;

explore::WalkOrder order_of(Engine engine) {
    switch (engine) {
        case Engine::dfs: return explore::WalkOrder::depth_first;
        case Engine::sweep:
        case Engine::ledger: return explore::WalkOrder::sweep;
        case Engine::scc_ctl:
        case Engine::sweep_basic: return explore::WalkOrder::sweep_basic;
        case Engine::automatic:
        case Engine::bfs:
        case Engine::couvreur:
        case Engine::graph:
        case Engine::labelling:
        case Engine::prod:
        case Engine::local:
        case Engine::ndfs:
        case Engine::map:
        case Engine::ltl_sweep_offline:
        case Engine::ltl_sweep_online: break;
    }
    return explore::WalkOrder::breadth_first;
}

// The automaton that the system is multiplied with; of a formula that is explored as the plan has it.
std::string product_text(const Execution& run) {
    if (run.system.product() == nullptr) return "";
    const PropertySpec* explored = run.plan.product();
    return explored != nullptr && explored->kind == PropertyKind::ltl
               ? explored->automaton
               : automata::to_hoa(run.system.product()->automaton);
}

class StateSearch {
public:
    StateSearch(Execution& run, const StateProperties& properties)
        : run_(run),
          properties_(properties),
          engine_(run.plan.engine),
          records_(run.plan.is_resolved() && run.plan.keeps_ledger()),
          purpose_(purpose_by(engine_)) {}

    check::Outcome search(trace::Confirm confirm, bool is_resumable) {
        check::ReachabilityRequest request = make_request(std::move(confirm));
        ChangeToSweep change(run_, [this](const explore::StatesInMemory& states) { return prepare_sweep(states); });
        if (run_.plan.changes_over && engine_ == Engine::bfs && !records_) {
            request.settings.change_over = &change;
            request.settings.change_at = run_.spec().change_at;
        }
        check::Outcome outcome = check::with_evidence(check::decide_reachability(request), run_.budget);
        if (run_.system.cut_off() != nullptr) look_behind_cut_off(std::move(request), outcome);
        scratch_.reset();
        run_.sink.progress_ended();
        if (outcome.statistics.threads_refused > 0)
            run_.sink.notice(fmt::format("the system did not allow {} threads; the search had {}", run_.spec().threads,
                                         outcome.statistics.threads));
        if (run_.ledger && outcome.resumable && outcome.reason != support::StopReason::violation &&
            !outcome.measure_error && is_resumable)
            run_.ledger.keep();
        return outcome;
    }

private:
    [[nodiscard]] LedgerPurpose purpose_by(Engine engine) const {
        return {properties_.properties, product_text(run_),
                is_sweep(engine) ? run_.system.measure().key_layout() : decltype(LedgerPurpose::key_layout)(),
                properties_.atoms};
    }

    check::ReachabilityRequest make_request(trace::Confirm confirm) {
        std::optional<successor::Layout> layout;
        if (records_ && run_.is_resumed()) layout = reopen_ledger();
        check::ReachabilityRequest request;
        request.system = run_.system.make(properties_.labels, is_sweep(engine_), std::move(layout));
        request.order = order_of(engine_);
        request.properties = properties_.properties;
        request.exploration = run_.spec().task == Task::explore || engine_ == Engine::ledger;
        request.settings = run_.settings();
        request.settings.sleep = run_.spec().sleep == SleepSets::automatic;
        request.settings.compress = run_.spec().compress;
        run_.give_notices(engine_, records_);
        const bool has_slots = request.system->layout() != nullptr;
        if (!records_ && is_exact_sweep(engine_) && has_slots)
            request.settings.block_bits = run_.system.measure().block_bits();
        if (records_) request.settings.ledger = set_up_ledger(*request.system, request.exploration);
        request.tick = [&run = run_](const explore::Statistics& statistics) { run.sink.progress(statistics); };
        request.confirm = confirm ? std::move(confirm) : run_.input.system.confirm;
        request.hidden_slots = run_.system.product() != nullptr ? 1 : 0;
        if (records_)
            request.scratch_ledger = [this](const successor::System& system) { return scratch_ledger(system); };
        return request;
    }

    // The ledger that the run is resumed from; how its states are packed.
    std::optional<successor::Layout> reopen_ledger() {
        run_.ledger.resume(run_.resumed, run_.spec().limits);
        run_.ledger->verify(purpose_);
        std::optional<successor::Layout> layout = run_.ledger->layout();
        if (layout) layout = run_.system.layout_without_product(*layout);
        return layout;
    }

    explore::LedgerRun* set_up_ledger(const successor::System& system, bool is_exploration) {
        if (!run_.ledger) run_.ledger.create(run_.plan, system, purpose_, run_.sink);
        explore::LedgerRun& ledger = run_.ledger->run();
        if (is_sweep(engine_)) set_up_sweep(system, ledger);
        else if (is_exploration && properties_.properties.empty()) ledger.thin_above = kQuicklyRead;
        return &ledger;
    }

    // What a sweep with a ledger knows of its measure and of the question.
    void set_up_sweep(const successor::System& system, explore::LedgerRun& ledger) const {
        if (system.layout() != nullptr) {
            ledger.block_bits = run_.system.measure().block_bits();
            ledger.last_key = run_.system.measure().last_key();
        }
        if (run_.spec().task == Task::explore && properties_.properties.empty()) ledger.thin_above = kQuicklyRead;
    }

    // For one thread, to find again what several have found.
    explore::LedgerRun* scratch_ledger(const successor::System& system) {
        RunPlan plan = run_.plan;
        plan.spec.ledger = {};
        scratch_ = RunLedger::create(plan, system, purpose_, run_.sink);
        explore::LedgerRun& ledger = scratch_->run();
        ledger.checkpoint_every = std::chrono::hours(24 * 365);  // it is never resumed
        ledger.block_bits = run_.ledger->run().block_bits;
        ledger.thin_above = run_.ledger->run().thin_above;
        return &ledger;
    }

    explore::ChangeTarget prepare_sweep(const explore::StatesInMemory& states) {
        choose_measure(run_, states);
        run_.plan.engine = Engine::sweep;
        run_.plan.engine_reason = reason_of_change(run_, states);
        std::optional<successor::Layout> layout = layout_of(states);
        if (layout) layout = run_.system.layout_without_product(*layout);
        std::shared_ptr<const successor::System> system =
            run_.system.make(properties_.labels, true, std::move(layout), successors_as(states));
        require_packing(*system, states);
        run_.ledger.create(run_.plan, *system, purpose_by(Engine::sweep), run_.sink);
        set_up_sweep(*system, run_.ledger->run());
        return {std::move(system), &run_.ledger->run()};
    }

    // Whether the states behind the cut-off were visited in another way: a second search crosses those out that are.
    void look_behind_cut_off(check::ReachabilityRequest request, check::Outcome& outcome) {
        reduce::CutOff& cut_off = *run_.system.cut_off();
        outcome.resumable = false;
        CutOffReport& report = run_.cut_off.emplace(CutOffReport{run_.spec().cut_off, std::nullopt, 0});
        if (!outcome.complete) return;
        if (cut_off.left() > 0) {
            cut_off.begin(reduce::CutOff::Phase::recall);
            request.system = run_.system.make({}, is_sweep(engine_), std::nullopt);
            request.properties.clear();
            request.exploration = true;
            request.settings.ledger = nullptr;
            request.settings.change_over = nullptr;
            request.settings.paths = false;
            const check::Decision recalled = check::decide_reachability(request);
            if (!recalled.outcome.complete) {
                outcome.complete = false;
                outcome.reason = recalled.outcome.reason;
            }
        }
        report.unvisited = cut_off.left();
        if (outcome.complete) report.is_exact = report.unvisited == 0;
        if (report.is_exact == true) return;
        outcome.complete = false;
        for (check::Verdict& verdict : outcome.verdicts) {
            if (verdict.answer != check::Answer::holds) continue;
            verdict.answer = check::Answer::unknown;
            verdict.reason = "states behind the cut-off were not visited";
        }
    }

    Execution& run_;
    const StateProperties& properties_;
    const Engine engine_;  // that the search begins with
    const bool records_;
    const LedgerPurpose purpose_;
    std::unique_ptr<RunLedger> scratch_;
};

}  // namespace

check::Outcome answer_state_questions(Execution& run) {
    const StateProperties properties = state_properties(run.plan, run.model());
    // A run that is resumed may have violations in its ledger to report.
    if (const support::StopReason reason = resolve_plan(run, run.is_resumed()); reason != support::StopReason::none)
        return unsearched(run, properties, reason);
    return search_states(run, properties);
}

check::Outcome search_states(Execution& run, const StateProperties& properties, trace::Confirm confirm,
                             bool is_resumable) {
    return StateSearch(run, properties).search(std::move(confirm), is_resumable);
}

check::Outcome unsearched(const Execution& run, const StateProperties& properties, support::StopReason reason) {
    check::Outcome outcome;
    outcome.engine = to_string(run.plan.engine);
    outcome.reason = reason;
    if (run.spec().task == Task::check)
        for (const check::StateProperty& property : properties.properties)
            outcome.verdicts.push_back(
                undecided(property.name, std::string(logic_name(property.kind)), property.formula, reason));
    return outcome;
}

}  // namespace tideline::run
