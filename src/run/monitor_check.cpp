#include "run/monitor_check.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "run/linear_product.hpp"
#include "run/state_search.hpp"

namespace tideline::run {
namespace {

// Replays the run and evaluates its word.
trace::Confirm confirm_prefix(const Execution& run, const LinearProperty& property) {
    return [&run, &property](const trace::Trace& trace, const support::Budget& budget) {
        const LoadedSystem& system = run.input.system;
        trace::Confirmation walked = system.confirm(trace, budget);
        const bool shows_prefix = trace.violation && trace.violation->kind == trace::ShownViolation::Kind::formula;
        const auto is_bad = [&] {
            if (!trace.loop) return is_bad_prefix(trace, property, run.spec(), system);
            const RunWord word = word_of(trace, property, run.spec(), system);
            return property.is_counterexample(word.word, word.ends);
        };
        if (walked.is_confirmed() && (shows_prefix || trace.loop) && !is_bad())
            walked.disagreement = "the run that was found does not violate " + property.formula;
        return walked;
    };
}

void complete_verdict(const Execution& run, const LinearProperty& property, check::Verdict& verdict) {
    if (verdict.answer != check::Answer::holds) return;
    const auto any = [&](const auto& flag) { return std::ranges::any_of(run.system.monitor_products(), flag); };
    if (any([](const LinearProduct& p) { return p.has_stayed->load(); }))
        verdict.note = note_on_deadlocks(run.spec().deadlocks);
    if (!property.antecedent_text.empty() && !any([](const LinearProduct& p) { return p.antecedent->seen.load(); }))
        verdict.vacuous = property.antecedent_text;
}

}  // namespace

std::optional<automata::Automaton> monitor_for(const Execution& run, const LinearProperty& property) {
    const RunSpec& spec = run.spec();
    if (spec.engine != Engine::automatic || spec.deadlocks == DeadlockReading::ignore ||
        spec.fairness != Fairness::none || spec.progress.kind == ProgressChoice::Kind::given ||
        spec.progress.kind == ProgressChoice::Kind::projection || spec.ledger.kind == LedgerChoice::Kind::directory ||
        !property.make_monitor)
        return std::nullopt;
    const bool asks_for_ends =
        spec.deadlocks == DeadlockReading::finite ||
        std::ranges::any_of(property.meanings, [](const AtomMeaning& meaning) {
            return meaning.kind == AtomMeaning::Kind::deadlock || meaning.kind == AtomMeaning::Kind::enabled;
        });
    if (asks_for_ends && !run.input.system.enabled_at) return std::nullopt;
    // Where no run violates the formula, whatever the system, there is nothing to search for.
    if (property.automaton.edge_count() == 0) return std::nullopt;
    return property.make_monitor();
}

check::Outcome decide_by_monitor(Execution& run, const LinearProperty& property, automata::Automaton monitor) {
    const RunPlan before = run.plan;
    auto product = std::make_unique<LinearProperty>(property);
    product->automaton = std::move(monitor);
    run.system.multiply_with(std::move(product), true);
    StateProperties question;
    question.properties.push_back({check::StateProperty::Kind::formula, property.name, property.formula, 0});
    run.plan.engine = Engine::bfs;
    run.plan.changes_over = run.spec().progress.kind == ProgressChoice::Kind::automatic &&
                            run.spec().ledger.kind == LedgerChoice::Kind::automatic && !run.spec().compress;
    const std::string reason = "a safety formula: a monitor decides it breadth-first";
    run.plan.engine_reason = reason;
    check::Outcome outcome = search_states(run, question, confirm_prefix(run, property), false);
    outcome.resumable = false;
    if (outcome.engine != to_string(Engine::bfs)) run.linear_components = run.system.measure().components();
    complete_verdict(run, property, outcome.verdicts.front());
    // The notice of a change to the sweep stands; everything else is as before.
    const RunPlan after = std::exchange(run.plan, before);
    if (!run.plan.searches_states) {
        run.plan.engine_reason = after.engine_reason == reason ? reason : reason + ", and " + after.engine_reason;
        run.plan.measure_source = after.measure_source;
        run.plan.predicted_share = after.predicted_share;
    }
    run.ledger.close();
    run.system.multiply_with(nullptr);
    return outcome;
}

}  // namespace tideline::run
