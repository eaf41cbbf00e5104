#include "run/branching_sweep.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "check/layer_branching.hpp"
#include "check/ledger_branching.hpp"
#include "run/branching_run.hpp"
#include "run/ledger_atoms.hpp"
#include "run/linear_product.hpp"
#include "run/resolve_plan.hpp"
#include "run/state_search.hpp"
#include "run/symmetry.hpp"
#include "support/memory.hpp"

namespace tideline::run {
namespace {

void add_undecided(check::Outcome& outcome, const BranchingProperties& properties) {
    for (const check::BranchingProperty& property : properties.properties)
        outcome.verdicts.push_back(undecided(property.name, property.logic, property.formula, outcome.reason));
}

check::Outcome unsearched(const Execution& run, const BranchingProperties& properties, support::StopReason reason) {
    check::Outcome outcome = unsearched(run, StateProperties(), reason);
    add_undecided(outcome, properties);
    return outcome;
}

// `auto` has no other use for a ledger where all properties are of branching time.
bool changes_to_ledger(const Execution& run, const check::Outcome& outcome) {
    const std::vector<PropertySpec>& asked = run.spec().properties;
    return outcome.reason == support::StopReason::memory && run.spec().engine == Engine::automatic &&
           run.spec().ledger.kind == LedgerChoice::Kind::automatic &&
           std::ranges::all_of(asked, [](const PropertySpec& property) { return property.is_branching(); }) &&
           std::ranges::none_of(asked, [&](const PropertySpec& property) {
               return refused_by_sweeps(property, run.model(), Engine::ledger).has_value();
           });
}

// The graph does not fit into memory: its edges go to disk.
void use_ledger(Execution& run) {
    run.sink.notice("the graph does not fit into memory; a sweep leaves its edges on disk (engine ledger)");
    RunPlan& plan = run.plan;
    plan.spec.engine = plan.engine = Engine::ledger;
    plan.spec.record = explore::Recorded::edges;
    plan.engine_reason = "the graph did not fit into memory";
    using Kind = ProgressChoice::Kind;
    plan.measure_source = run.spec().progress.kind == Kind::given ? MeasureSource::given
                          : run.input.system.own_measure          ? MeasureSource::own
                                                                  : MeasureSource::open;
    plan.measure = run.spec().progress.measure;
    if (run.spec().progress.kind != Kind::none) return;
    plan.measure_source = MeasureSource::found;
    plan.measure = "0";
    run.system.use_measure(plan.measure);
}

// One sweep leaves the graph in a ledger, where all formulas are decided.
check::Outcome decide_on_ledger(Execution& run, const BranchingProperties& properties) {
    const LedgerAtoms atoms(properties, run.model());
    // A ledger that is resumed has the atoms of all formulas, those too that were not translated in time.
    const bool has_events = run.is_resumed() && properties.untranslated.empty();
    if (const support::StopReason reason = resolve_plan(run, has_events); reason != support::StopReason::none) {
        run.ledger.keep_unopened(run.resumed);
        return unsearched(run, properties, reason);
    }
    check::Outcome outcome = search_states(run, atoms.labels);
    outcome.engine = to_string(run.plan.engine);
    if (!outcome.complete) {
        add_undecided(outcome, properties);
        return outcome;
    }
    const ledger::LedgerWriter& writer = run.ledger->run().writer;
    check::LedgerBranchingRequest request;
    request.branching = branching_request(run.plan, properties, run.input.system, run.sink, run.budget);
    request.branching.system = run.system.make(atoms.labels.labels, is_sweep(run.plan.engine), run.ledger->layout());
    request.ledger = &run.ledger->run().writer;
    request.directory = run.ledger->directory();
    request.clusters.guards = atoms.guards;
    request.clusters.step_atoms = atoms.step_atoms;
    request.clusters.processes = atoms.processes;
    request.certifies = run.spec().ledger.kind == LedgerChoice::Kind::directory;
    if (const std::optional<std::uint64_t> disk = run.spec().limits.disk)
        request.certificate_bytes = *disk - std::min(*disk, writer.bytes());
    request.notice = [&run](const std::string& text) { run.sink.notice(text); };
    outcome = check::with_evidence(check::decide_on_ledger(request, std::move(outcome)), run.budget);
    if (!outcome.complete) run.ledger.keep();
    return outcome;
}

// The spanning tree of a sweep that forgets its states, where asked for. One that is there already stays.
void keep_tree(Execution& run, const successor::System& system) {
    if (run.spec().ledger.kind != LedgerChoice::Kind::directory) return;
    if (run.is_resumed()) run.ledger.reopen(run.resumed, run.spec().limits);
    else run.ledger.create(run.plan, system, {{}, "", run.system.measure().key_layout()}, run.sink);
}

// AG EF and AG AF, layer by layer. The states of a violation are forgotten: its evidence is found by labelling.
check::Outcome decide_by_layers(Execution& run, const BranchingProperties& properties) {
    if (const support::StopReason reason = resolve_plan(run, false); reason != support::StopReason::none)
        return unsearched(run, properties, reason);
    check::BranchingRequest request = branching_request(run.plan, properties, run.input.system, run.sink, run.budget);
    const std::shared_ptr<const successor::System> plain =
        run.system.make(properties.atoms, is_sweep(run.plan.engine), std::nullopt);
    request.system = with_step_atoms(plain, properties, run.model());
    run.give_notices(run.plan.engine, false);
    keep_tree(run, *plain);
    if (run.ledger && !run.ledger->has_checkpoint()) request.settings.ledger = &run.ledger->run();
    check::Outcome outcome = check::decide_by_layers(request);
    run.sink.progress_ended();
    if (!outcome.measure_error)
        add_branching_evidence(outcome, run.plan, properties, run.input.system, run.sink, run.budget);
    return outcome;
}

}  // namespace

void decide_branching(Execution& run, MergedOutcome& merged) {
    BranchingProperties properties = make_branching_properties(run.spec().properties, run.model(), run.budget);
    for (check::Verdict& verdict : properties.untranslated) merged.add(std::move(verdict), run.budget.exhausted());
    if (properties.properties.empty()) return;
    if (run.spec().fairness != Fairness::none) refuse_unknown_movers(run.model());
    refuse_step_atoms(run.spec(), properties.meanings);
    if (run.plan.engine == Engine::ledger) return merged.add(decide_on_ledger(run, properties));
    if (run.plan.engine == Engine::scc_ctl) return merged.add(decide_by_layers(run, properties));
    check::Outcome outcome = decide_branching_properties(run.plan, properties, run.input.system, run.sink, run.budget);
    if (!changes_to_ledger(run, outcome)) return merged.add(std::move(outcome));
    outcome = {};
    support::release_free_memory();
    use_ledger(run);
    merged.add(decide_on_ledger(run, properties));
}

}  // namespace tideline::run
