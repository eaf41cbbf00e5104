// The path of a run, from the plan to the report:
//   1. formulas become automata (linear_property.hpp);
//   2. one search decides all properties of states, or explores (state_search.hpp): its measure and engine are found
//      where the plan leaves them open (resolve_plan.hpp), and the ledger is made, with the resolved plan in its
//      header, before the search begins;
//   3. every linear-time property has a search of its own (linear_check.hpp), those of branching time have one together
//      (branching_sweep.hpp);
//   4. the outcomes are merged into the report (execution_report.hpp).
// A search decides verdicts (check/verdict.hpp: decide()); their evidence is computed after it, within what is left of
// the budget. Each step checks the budget first. A run whose budget ends before a search leaves no ledger behind.
#include "run/execute.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "automata/hoa_print.hpp"
#include "run/branching_sweep.hpp"
#include "run/execution.hpp"
#include "run/execution_report.hpp"
#include "run/linear_check.hpp"
#include "run/linear_property.hpp"
#include "run/merge_outcomes.hpp"
#include "run/state_search.hpp"
#include "run/stored_plan.hpp"
#include "run/stubborn_run.hpp"
#include "run/symmetry.hpp"

namespace tideline::run {
namespace {

// The linear-time properties of a run.
struct LinearProperties {
    std::vector<LinearProperty> translated;
    std::vector<check::Verdict> untranslated;
    support::StopReason reason = support::StopReason::none;  // the limit that ended a translation
};

check::Verdict untranslated_verdict(const PropertySpec& property, const std::string& reason) {
    check::Verdict verdict;
    verdict.name = property.name;
    verdict.logic = "ltl";
    verdict.formula = property.text;
    verdict.reason = reason;
    return verdict;
}

// An exploration is of the product with the automaton of its property.
LinearProperties translate(Execution& run) {
    LinearProperties result;
    const bool is_product = run.spec().task == Task::explore;
    std::unique_ptr<LinearProperty> product;
    for (PropertySpec& property : run.plan.spec.properties) {
        if (property.kind != PropertyKind::ltl && property.kind != PropertyKind::automaton) continue;
        std::variant<LinearProperty, Untranslated> made = make_linear_property(
            property, run.model(), run.spec().deadlocks, run.spec().translator, run.sink, run.budget);
        if (const auto* untranslated = std::get_if<Untranslated>(&made)) {
            if (is_product)
                throw Refusal{{support::diagnostic_about("--ltl", untranslated->reason)}, support::StopReason::time};
            result.untranslated.push_back(untranslated_verdict(property, untranslated->reason));
            result.reason = run.budget.exhausted();
            continue;
        }
        auto& linear = std::get<LinearProperty>(made);
        // What another program translated is kept: a run that is resumed starts no programs. So is what the states
        // of a ledger refer to.
        if (property.kind == PropertyKind::ltl && property.automaton.empty() &&
            (is_product || !run.spec().translator.empty()))
            property.automaton = automata::to_hoa(linear.automaton);
        if (is_product) product = std::make_unique<LinearProperty>(std::move(linear));
        else result.translated.push_back(std::move(linear));
    }
    if (product) run.system.multiply_with(std::move(product));
    return result;
}

RunReport report_of(const RunPlan& plan, const LoadedInput& input, Sink& sink, const support::Budget& budget,
                    const std::string& resumed) {
    Execution run(plan, input, sink, budget, resumed);
    LinearProperties linear = translate(run);
    MergedOutcome merged;
    for (check::Verdict& verdict : linear.untranslated) merged.add(std::move(verdict), linear.reason);
    if (run.plan.searches_states) merged.add(answer_state_questions(run));
    for (const LinearProperty& property : linear.translated) merged.add(decide_linear(run, property));
    const PropertySpec* const process = property_process(run.spec());
    if (process != nullptr) merged.add(decide_process(run, *process));
    decide_branching(run, merged);
    const bool is_exploration = run.spec().task == Task::explore;
    RunReport report =
        execution_report(run, merged.take(is_exploration ? std::vector<PropertySpec>() : run.spec().properties),
                         linear.translated.size() + (process != nullptr ? 1 : 0));
    if (run.ledger && run.ledger.resumable().empty() && result_of(report) != Conclusion::undecided)
        run.ledger->finish();
    return report;
}

// Where the run does not search the whole state space.
std::optional<LoadedInput> reduced_input(const LoadedInput& whole, const RunSpec& spec) {
    if (spec.stubborn == StubbornSets::none) return std::nullopt;
    LoadedInput reduced = whole;
    reduced.system = with_stubborn_sets(std::move(reduced.system), spec);
    return reduced;
}

// A run through steps that were left out may be shorter.
void forget_shortest(check::Outcome& outcome) {
    const auto forget = [](std::optional<trace::Trace>& trace) {
        if (trace) trace->shortest = false;
    };
    for (check::Verdict& verdict : outcome.verdicts) forget(verdict.trace);
    for (check::FaultReport& fault : outcome.faults) forget(fault.trace);
}

// `is_temporary`: the ledger of `resumed` is none that the user named.
OrRefusal<RunReport> executed(RunPlan plan, const LoadedInput& input, Sink& sink, const support::Budget& budget,
                              std::string resumed, bool is_temporary) {
    try {
        std::optional<LoadedInput> grown;
        for (;;) {
            const LoadedInput& current = grown ? *grown : input;
            const std::optional<LoadedInput> with_fewer_steps = reduced_input(current, plan.spec);
            const SymmetricInput reduced(with_fewer_steps ? *with_fewer_steps : current, plan.spec, sink, budget);
            RunReport report = report_of(plan, reduced.input(), sink, budget, resumed);
            report.symmetry = reduced.report();
            if (with_fewer_steps) forget_shortest(report.outcome);
            const std::vector<check::FaultReport>& faults = report.outcome.faults;
            const auto missing = std::find_if(faults.begin(), faults.end(), [](const check::FaultReport& fault) {
                return fault.kind == model::FaultKind::instance;
            });
            if (missing == faults.end() || !current.grown) {
                if (current.system.visible_labels)
                    for (check::Verdict& verdict : report.outcome.verdicts)
                        if (verdict.trace && verdict.note.empty())
                            verdict.note = "visible labels: " + current.system.visible_labels(*verdict.trace);
                return report;
            }
            // What was found before holds only where every process can be created.
            const bool is_kept = plan.spec.ledger.kind == LedgerChoice::Kind::directory;
            if (!missing->trace || (is_kept && !is_temporary))
                throw Refusal{{support::diagnostic_about(
                                  input.system.path,
                                  "more processes are created than a pilot run has seen: another " + missing->text,
                                  "run without --ledger DIR, or with more memory")},
                              support::StopReason::none};
            OrRefusal<LoadedInput> next = current.grown(missing->trace->values(missing->trace->size() - 1));
            if (auto* refusal = std::get_if<Refusal>(&next)) return std::move(*refusal);
            grown = std::get<LoadedInput>(std::move(next));
            plan.spec.model.instances = grown->instances;
            if (!is_kept) continue;
            // A temporary ledger, which was resumed, began without that process: the search begins again.
            sink.notice("the run begins again, with another " + missing->text);
            plan.spec.ledger = {};
            std::error_code ignored;
            std::filesystem::remove_all(std::exchange(resumed, {}), ignored);
        }
    } catch (Refusal& refusal) {
        return std::move(refusal);
    }
}

}  // namespace

OrRefusal<RunReport> execute(RunPlan plan, const LoadedInput& input, Sink& sink, const support::Budget& budget) {
    return executed(std::move(plan), input, sink, budget, "", false);
}

OrRefusal<RunReport> resume(RunPlan stored, const std::string& directory, const LoadedInput& input, Sink& sink,
                            const support::Budget& budget) {
    if (const std::optional<std::string> what = difference(stored, input))
        return Refusal{
            {support::diagnostic_about("", directory + ": " + *what,
                                       "a run is resumed with the model and the properties that it began with")},
            support::StopReason::none};
    const bool is_temporary = stored.spec.ledger.kind != LedgerChoice::Kind::directory;
    stored.spec.ledger = {LedgerChoice::Kind::directory, directory};
    return executed(std::move(stored), input, sink, budget, directory, is_temporary);
}

OrRefusal<RunReport> run(RunSpec spec, Sink& sink, const support::Budget& budget) {
    OrRefusal<LoadedInput> input = load(spec, budget);
    if (auto* refusal = std::get_if<Refusal>(&input)) return std::move(*refusal);
    OrRefusal<RunPlan> planned = plan(std::move(spec), std::get<LoadedInput>(input), budget);
    if (auto* refusal = std::get_if<Refusal>(&planned)) return std::move(*refusal);
    auto& made = std::get<RunPlan>(planned);
    if (!made.warnings.empty()) sink.report(made.warnings);
    return execute(std::move(made), std::get<LoadedInput>(input), sink, budget);
}

}  // namespace tideline::run
