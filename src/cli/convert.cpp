// tideline convert: a model in another form, or its states; a formula as an automaton, an automaton in another form.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "automata/degeneralise.hpp"
#include "automata/dot.hpp"
#include "automata/hoa_print.hpp"
#include "automata/never_claim_print.hpp"
#include "cli/run_command.hpp"
#include "cli/terminal_output.hpp"
#include "cli/terminal_sink.hpp"
#include "model/print.hpp"
#include "run/linear_property.hpp"
#include "run/state_space_export.hpp"

namespace tideline::cli {
namespace {

// One with accepting states, which is what a never claim is.
automata::Automaton state_based(const automata::Automaton& automaton, const support::Budget& budget) {
    if (automaton.state_based && automaton.sets <= 1) return automaton;
    automata::TranslationLimits limits;
    limits.stop = [&] { return budget.is_exhausted(); };
    automata::DegeneralisationChoice choice;
    choice.order.resize(automaton.sets);
    std::iota(choice.order.begin(), choice.order.end(), 0);
    return automata::degeneralised(automaton, choice, automata::TranslationBudget(limits));
}

int convert_automaton(const ConvertCommand& command, const Caller& caller) {
    const support::Budget budget = budget_for(command.limits, caller);
    TerminalSink sink(false, false);
    const FormulaOptions& given = command.formulas;
    const run::OrRefusal<run::NamedAutomaton> made =
        given.ltl.empty()
            ? run::automaton_of_file(given.automata.front(), sink, budget)
            : run::automaton_of_formula(given.ltl.front(), given.translator, command.to == "never", sink, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&made)) return print(*refusal);
    const auto& [name, labels, automaton] = std::get<run::NamedAutomaton>(made);
    try {
        const std::string written = command.to == "never"
                                        ? automata::to_never_claim(state_based(automaton, budget), name)
                                    : command.to == "dot" ? automata::to_dot(automaton, name)
                                                          : automata::to_hoa(automaton, name);
        std::fputs(written.c_str(), stdout);
    } catch (const automata::LimitReached& limit) {
        print(
            {support::diagnostic_about(name, "the automaton with accepting states exceeds a limit: " + limit.reason)});
        return kUndecided;
    }
    return end_of_output(kHolds);
}

// To a file, which is there only if it is whole.
int convert_compact(const ConvertCommand& command, const run::LoadedSystem& system, run::Sink& sink,
                    const support::Budget& budget) {
    std::FILE* const file = std::fopen(command.compact.c_str(), "wb");
    if (file == nullptr) {
        print({support::diagnostic_about(command.compact, std::string("cannot be written: ") + std::strerror(errno))});
        return kWrongInput;
    }
    run::StateSpaceSpec spec = *command.states;
    spec.temporary_folder = temporary_folder();
    const std::optional<run::Refusal> refusal = run::export_state_space(spec, system, sink, budget, sink_into(file));
    const bool has_failed = std::ferror(file) != 0;
    const bool is_closed = std::fclose(file) == 0;
    if (!refusal && !has_failed && is_closed) return kHolds;
    std::remove(command.compact.c_str());
    if (refusal) return print(*refusal);
    print({support::diagnostic_about(command.compact, "cannot be written: there is no room, or the disk has failed")});
    return kUndecided;
}

}  // namespace

int run(const ConvertCommand& command, const Caller& caller) {
    if (command.model.empty()) return convert_automaton(command, caller);
    const support::Budget budget = budget_for(command.limits, caller);
    TerminalSink sink(false, false);
    run::RunSpec spec;
    spec.model.path = command.model;
    spec.model.wrap = command.wrap;
    spec.model.definitions = command.definitions;
    spec.model.include_dirs = command.include_dirs;
    const run::OrRefusal<run::LoadedInput> loaded = run::load(spec, budget);
    if (const auto* refusal = std::get_if<run::Refusal>(&loaded)) return print(*refusal);
    const auto& input = std::get<run::LoadedInput>(loaded);
    sink.report(input.warnings);
    if (!command.states) {
        std::fputs(model::to_text(*input.system.names).c_str(), stdout);
        return end_of_output(kHolds);
    }
    if (!command.compact.empty()) return convert_compact(command, input.system, sink, budget);
    const std::optional<run::Refusal> refusal =
        run::export_state_space(*command.states, input.system, sink, budget, sink_into(stdout));
    return end_of_output(refusal ? print(*refusal) : kHolds);
}

}  // namespace tideline::cli
