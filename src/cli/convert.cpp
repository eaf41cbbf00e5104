// tideline convert: a model in another form, a formula as an automaton, an automaton in another form.
#include <cstdio>
#include <numeric>

#include "automata/degeneralise.hpp"
#include "automata/dot.hpp"
#include "automata/hoa_print.hpp"
#include "automata/never_claim_print.hpp"
#include "cli/commands.hpp"
#include "cli/run_property.hpp"
#include "cli/session.hpp"
#include "model/print.hpp"
#include "support/signals.hpp"

namespace tideline {
namespace {

// One with accepting states, which is what a never claim is.
Automaton state_based(const Automaton& automaton, const Budget& budget) {
    if (automaton.state_based && automaton.sets <= 1) return automaton;
    TranslationLimits limits;
    limits.stop = [&budget] { return budget.is_exhausted(); };
    DegeneralisationChoice choice;
    choice.order.resize(automaton.sets);
    std::iota(choice.order.begin(), choice.order.end(), 0);
    return degeneralised(automaton, choice, TranslationBudget(limits));
}

int convert_automaton(const ConvertCommand& command) {
    const Interrupt interrupt;
    const Budget budget({.memory = default_memory_limit(), .disk = std::nullopt, .time = command.time}, [&] { return interrupt.requested(); });
    const FormulaOptions& given = command.formulas;
    AutomatonOrStatus made = given.ltl.empty() ? automaton_of_file(given.automata.front(), budget)
                                               : automaton_of_formula(given.ltl.front(), given.translator, command.to == "never", budget);
    if (const int* status = std::get_if<int>(&made)) return *status;
    const auto& [name, labels, automaton] = std::get<NamedAutomaton>(made);
    try {
        const std::string written = command.to == "never" ? to_never_claim(state_based(automaton, budget), name)
                                    : command.to == "dot" ? to_dot(automaton, name)
                                                          : to_hoa(automaton, name);
        std::fputs(written.c_str(), stdout);
    } catch (const LimitReached& limit) {
        print({diagnostic_about(name, "the automaton with accepting states exceeds a limit: " + limit.reason)});
        return kUndecided;
    }
    return end_of_output(kHolds);
}

}  // namespace

int run(const ConvertCommand& command, const CppProgram* /*program*/) {
    if (command.model.empty()) return convert_automaton(command);
    const Budget budget({.memory = default_memory_limit(), .disk = std::nullopt, .time = command.time});
    int status = kHolds;
    const std::optional<LoadedModel> loaded = loaded_or_explain(load_model(command.model, {command.wrap, true}, budget), false, status);
    if (!loaded) return status;
    std::fputs(to_text(*loaded->model).c_str(), stdout);
    return end_of_output(kHolds);
}

}  // namespace tideline
