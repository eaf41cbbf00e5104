#include "run/linear_check.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "automata/hoa_print.hpp"
#include "automata/product.hpp"
#include "check/ltl.hpp"
#include "run/linear_engine.hpp"
#include "run/linear_product.hpp"
#include "run/linear_search.hpp"
#include "run/monitor_check.hpp"
#include "support/memory.hpp"
#include "support/quantity.hpp"

namespace tideline::run {
namespace {

// First, few states are in memory: one component of the automaton after the other. Last, accepting states are reached
// early.
automata::RankPlace rank_of(check::ltl::Engine engine) {
    return engine == check::ltl::Engine::sweep ? automata::RankPlace::first : automata::RankPlace::last;
}

// A graph that a sweep may continue with has what that needs on its edges.
FairnessBy fairness_by(const RunSpec& spec, check::ltl::Engine engine, bool fits_marks) {
    return engine == check::ltl::Engine::graph && !can_change_to_sweep(spec, fits_marks) ? FairnessBy::components
                                                                                         : FairnessBy::marks;
}

// The engine for an automaton with this number of sets. `is_swept`: it is a sweep, whatever engine was asked for.
check::ltl::Engine engine_for_sets(const Execution& run, std::size_t sets, const model::Model& model, bool is_swept) {
    const RunSpec& spec = run.spec();
    // With a ledger a verdict that holds can be audited.
    const bool records =
        spec.engine == Engine::automatic && spec.ledger.kind == LedgerChoice::Kind::directory && is_one_sweep(run.plan);
    if (is_swept || records) return check::ltl::Engine::sweep;
    if (spec.engine == Engine::automatic &&
        (spec.fairness == Fairness::strong || !fits_marks(sets, model, spec.fairness)))
        return check::ltl::Engine::graph;
    return linear_engine(spec.engine);
}

// The measure of a sweep for a linear-time property; nothing where the engine goes by none.
std::optional<LinearMeasure> measure_for(Execution& run, check::ltl::Engine engine, const LoadedSystem& system,
                                         const automata::Automaton* automaton) {
    if (!check::ltl::is_sweep(engine)) return std::nullopt;
    LinearMeasure measure = linear_measure(run.spec(), system, automaton, run.budget);
    run.plan.measure_source = measure.source;
    run.plan.predicted_share = measure.predicted_share;
    run.plan.measure = measure.text;
    run.linear_components = measure.components;
    return measure;
}

// Makes the system without an automaton. The run, the system and the measure must outlive it.
MakeSystem plain_by(Execution& run, const LoadedSystem& system, const LinearMeasure* measure,
                    std::optional<successor::Layout> layout, successor::Successors preferred) {
    return [&run, &system, measure, layout = std::move(layout), preferred](std::vector<model::Expression> labels) {
        const progress::Measure none;
        return run.system.make_plain(system, std::move(labels), measure != nullptr ? measure->in_use.given() : &none,
                                     layout, preferred);
    };
}

// The run is no counterexample to the formula. Throws Refusal where another program has made the automaton, and that
// accepts the run: then the product is right, and the automaton wrong.
void blame_translator(const LinearProperty& property, const RunWord& run, const support::Budget& budget) {
    if (!property.is_translated_elsewhere || !automata::accepts(property.automaton, run.word, budget).value_or(true))
        return;
    throw Refusal{{support::diagnostic_about("--ltl-translator",
                                             "the automaton for " + support::in_quotes(property.formula) +
                                                 " is wrong: it accepts a run that does not violate the formula",
                                             "expected an automaton of the negation of the formula")},
                  support::StopReason::none};
}

check::Outcome decide_on_product(Execution& run, const LinearProperty& property, bool is_swept) {
    if (!is_swept)
        if (std::optional<automata::Automaton> monitor = monitor_for(run, property))
            return decide_by_monitor(run, property, *std::move(monitor));
    const LoadedSystem& loaded = run.input.system;
    check::LtlRequest request;
    request.engine = engine_for_sets(run, property.automaton.sets, run.model(), is_swept);
    LinearProperty searched = property;
    searched.automaton = automaton_for(request.engine, property.automaton, property.name, run.budget);
    std::vector<LinearProduct> products;  // two where the search changed over
    LinearSystem system;
    system.fits_marks = fits_marks(property.automaton.sets, run.model(), run.spec().fairness);
    system.measure = [&](check::ltl::Engine engine) { return measure_for(run, engine, loaded, &searched.automaton); };
    system.make = [&](check::ltl::Engine engine, const LinearMeasure* measure, std::optional<successor::Layout> layout,
                      successor::Successors preferred) {
        automata::ProductSettings settings;
        if (measure != nullptr) settings.key_bits = measure->in_use.key_bits();
        if (measure != nullptr && measure->in_use.has_rank()) settings.rank = rank_of(engine);
        if (layout) layout = without_last_slot(*layout, run.model().slot_count());
        return products.emplace_back(linear_product(searched, run.spec(), run.model(), {},
                                                    plain_by(run, loaded, measure, std::move(layout), preferred),
                                                    fairness_by(run.spec(), engine, system.fits_marks), settings));
    };
    system.automaton = automata::to_hoa(searched.automaton);
    system.uncertified = why_not_certified(run.spec(), &property, run.model());
    request.names_transitions = property.reads_moves();
    request.name = property.name;
    request.logic = property.logic;
    request.formula = property.formula;
    request.confirm = loaded.confirm;
    request.is_bad = [&](const trace::Trace& trace) {
        const RunWord word = word_of(trace, property, run.spec(), loaded);
        if (!property.is_counterexample(word.word, word.ends)) {
            blame_translator(property, word, run.budget);
            return false;
        }
        return is_fair(trace, run.spec().fairness, loaded);
    };
    request.bad_prefix = [&](const trace::Trace& trace) { return bad_prefix_of(trace, property, run.spec(), loaded); };
    check::Outcome outcome = search_linear(run, std::move(request), system);
    check::Verdict& verdict = outcome.verdicts.front();
    const auto any = [&](const auto& flag) { return std::ranges::any_of(products, flag); };
    if (verdict.answer == check::Answer::holds && any([](const LinearProduct& p) { return p.has_stayed->load(); }))
        verdict.note = note_on_deadlocks(run.spec().deadlocks);
    if (verdict.answer == check::Answer::holds && products.front().antecedent &&
        !any([](const LinearProduct& p) { return p.antecedent->seen.load() || p.antecedent->has_gaps.load(); }))
        verdict.vacuous = property.antecedent_text;
    return outcome;
}

check::Outcome decide_with_process(Execution& run, const PropertySpec& process, bool is_swept) {
    const LoadedSystem& whole = run.input.with_process.value();
    check::LtlRequest request;
    request.engine = engine_for_sets(run, whole.names->acceptance_sets, *whole.names, is_swept);
    LinearSystem system;
    system.fits_marks = fits_marks(whole.names->acceptance_sets, *whole.names, run.spec().fairness);
    system.measure = [&](check::ltl::Engine engine) { return measure_for(run, engine, whole, nullptr); };
    system.make = [&](check::ltl::Engine engine, const LinearMeasure* measure, std::optional<successor::Layout> layout,
                      successor::Successors preferred) {
        return process_product(run.spec(), *whole.names, plain_by(run, whole, measure, std::move(layout), preferred),
                               fairness_by(run.spec(), engine, system.fits_marks));
    };
    system.uncertified = why_not_certified(run.spec(), nullptr, *whole.names);
    request.is_bad = [&](const trace::Trace& trace) { return is_fair(trace, run.spec().fairness, whole); };
    request.is_product = false;
    request.name = process.name;
    request.logic = "automaton";
    request.confirm = whole.confirm;
    return search_linear(run, std::move(request), system);
}

// Where the product does not fit into memory and the search could not change over, `auto` sweeps it from the start,
// with a ledger. The argument of `decide`: whether it is this sweep.
check::Outcome within_memory(Execution& run, bool fits_marks,
                             const std::function<check::Outcome(bool is_swept)>& decide) {
    check::Outcome first = decide(false);
    if (first.reason != support::StopReason::memory || !can_change_to_sweep(run.spec(), fits_marks) ||
        first.engine == to_string(Engine::sweep))
        return first;
    const explore::Statistics before = first.statistics;
    first = {};
    support::release_free_memory();
    run.sink.notice("the product does not fit into memory; a sweep with a ledger begins");
    check::Outcome outcome = decide(true);
    run.explain(fmt::format("the graph did not fit into memory after {} states", support::count_text(before.states)));
    add_effort(outcome, before);
    return outcome;
}

}  // namespace

check::Outcome decide_linear(Execution& run, const LinearProperty& property) {
    return within_memory(run, fits_marks(property.automaton.sets, run.model(), run.spec().fairness),
                         [&](bool is_swept) { return decide_on_product(run, property, is_swept); });
}

check::Outcome decide_process(Execution& run, const PropertySpec& process) {
    const model::Model& whole = *run.input.with_process.value().names;
    return within_memory(run, fits_marks(whole.acceptance_sets, whole, run.spec().fairness),
                         [&](bool is_swept) { return decide_with_process(run, process, is_swept); });
}

const PropertySpec* property_process(const RunSpec& spec) {
    const auto process = std::ranges::find(spec.properties, PropertyKind::process, &PropertySpec::kind);
    return process == spec.properties.end() ? nullptr : &*process;
}

}  // namespace tideline::run
