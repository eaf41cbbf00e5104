#include "run/resolve_plan.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "progress/find_measure.hpp"
#include "progress/visited_rating.hpp"
#include "run/capability.hpp"
#include "run/refusal.hpp"
#include "run/search_for_measure.hpp"
#include "support/memory.hpp"

namespace tideline::run {
namespace {

// What a sweep by a measure may keep in memory at most, of all states, to be preferred.
constexpr double kWorthwhile = 0.6;

progress::FoundMeasures found_measures(Execution& run, progress::SweepKind kind, const support::Budget& budget) {
    const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    const bool is_projection = run.spec().progress.kind == ProgressChoice::Kind::projection;
    progress::FoundMeasures found =
        search_for_measures(run.input.system, run.system.product(), kind, nullptr, budget,
                            is_projection ? progress::MeasureShape::projection : progress::MeasureShape::any);
    found.pilot = {};
    run.measure_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return found;
}

void use_found(Execution& run, progress::RatedMeasure& found) {
    run.plan.measure_source = MeasureSource::found;
    run.plan.measure = progress::measure_text(found.measure);
    run.plan.predicted_share = found.predicted_share;
    run.system.use_measure(std::move(found.measure));
}

// A constant is a measure: one layer, which an exact sweep visits as a breadth-first search with a ledger does.
void use_constant(Execution& run) {
    run.sink.notice("no measure of progress was found; the sweep has one layer");
    run.plan.measure_source = MeasureSource::found;
    run.plan.measure = "0";
    run.system.use_measure(run.plan.measure);
}

std::string engine_reason(const RunPlan& plan, bool is_good, bool is_cut) {
    if (is_good)
        return fmt::format("a measure of progress was found that keeps about {:.1f} % of the states in memory",
                           100 * *plan.predicted_share);
    return is_cut ? "no measure of progress was found in a quarter of the time"
                  : "no measure of progress was found that keeps states out of memory";
}

// Finds the measure, and decides with it on the engine.
void resolve(Execution& run) {
    RunPlan& plan = run.plan;
    const bool is_asked = is_sweep(plan.engine);
    // Unless a sweep was requested, most of the time is left to the search.
    support::BudgetLimits limits = run.budget.limits();
    if (limits.time) limits.time = *run.budget.time_left() / (is_asked ? 1 : 4);
    const support::Budget share(limits, [&run] { return run.budget.is_interrupted(); });
    progress::FoundMeasures found = found_measures(run, sweep_kind(run.spec()), share);
    support::release_free_memory();
    const bool is_cut = share.exhausted() == support::StopReason::time;
    if (is_cut) found.measures.clear();
    run.stop_if_exhausted();  // an interrupted search for a measure decides nothing
    const bool is_good = !found.measures.empty() && found.measures[0].predicted_share <= kWorthwhile;
    plan.measure_source = MeasureSource::none;
    if (is_good || (is_asked && !found.measures.empty())) use_found(run, found.measures[0]);
    if (!is_asked) plan.engine_reason = engine_reason(plan, is_good, is_cut);
    if (is_exact_sweep(plan.engine) && !run.system.measure().exists()) use_constant(run);
    if (is_asked && !run.system.measure().exists()) {
        const Capability capability =
            run::capability(PropertyClass::exploration, plan.engine, false, run.input.system.kind);
        throw Refusal{{support::diagnostic_about("", capability.reason + ", and none was found", capability.hint)},
                      support::StopReason::none};
    }
    plan.engine = engine_for(plan, plan.measure_source != MeasureSource::none);
}

progress::VisitedSample sample_of(const explore::StatesInMemory& states, model::SlotId slots) {
    constexpr std::uint64_t kStates = 50'000;
    constexpr std::uint64_t kValues = 2'000'000;
    const std::uint64_t most =
        std::max<std::uint64_t>(1, std::min(kStates, kValues / std::max<model::SlotId>(1, slots)));
    const std::uint64_t every = states.size() / most + 1;
    std::uint64_t count = 0;
    progress::VisitedSample sample(slots);
    states.for_each([&](const successor::Word* state) {
        if (count++ % every == 0) sample.add(states.system().decode(state));
    });
    return sample;
}

}  // namespace

support::StopReason resolve_plan(Execution& run, bool has_events) {
    if (run.spec().progress.kind == ProgressChoice::Kind::given) run.system.use_measure(run.spec().progress.measure);
    try {
        if (!run.plan.is_resolved()) resolve(run);
        if (!has_events) run.stop_if_exhausted();
    } catch (const Execution::Stopped& stopped) {
        return stopped.reason;
    }
    return support::StopReason::none;
}

void choose_measure(Execution& run, const explore::StatesInMemory& states) {
    run.plan.measure_source = MeasureSource::own;
    if (run.input.system.own_measure) return;
    progress::FoundMeasures found = found_measures(run, progress::SweepKind::with_ledger, run.budget);
    run.stop_if_exhausted();
    rate_again(found.measures, sample_of(states, run.model().slot_count()), run.model());
    support::release_free_memory();
    if (found.measures.empty()) use_constant(run);
    else use_found(run, found.measures[0]);
}

}  // namespace tideline::run
