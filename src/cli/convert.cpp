// tideline convert: a model in another form, or a formula as an automaton.
#include <cstdio>

#include "automata/dot.hpp"
#include "automata/hoa_print.hpp"
#include "automata/never_claim_print.hpp"
#include "automata/translate.hpp"
#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "logic/parse.hpp"
#include "model/print.hpp"
#include "support/signals.hpp"

namespace tideline {
namespace {

int convert_formula(const std::string& text, const std::string& to) {
    Formulas formulas;
    const Result<Formula> formula = parse_formula(formulas, SourceText("--ltl", text), {Logic::ltl, {}, {}});
    print(formula.diagnostics());
    if (!formula) return kWrongInput;
    const Interrupt interrupt;
    TranslationLimits limits;
    limits.stop = [&] { return interrupt.requested(); };
    Labels labels;
    const Result<Automaton> automaton =
        translate(formulas, *formula, labels, to == "never" ? AutomatonKind::state_based : AutomatonKind::generalised, limits);
    print(automaton.diagnostics());
    if (!automaton) return kUndecided;
    const std::string written = to == "never" ? to_never_claim(*automaton, text) : to == "dot" ? to_dot(*automaton, text) : to_hoa(*automaton, text);
    std::fputs(written.c_str(), stdout);
    return end_of_output(kHolds);
}

}  // namespace

int run(const ConvertCommand& command, const CppProgram* /*program*/) {
    if (command.ltl) return convert_formula(*command.ltl, command.to);
    const std::optional<LoadedModel> loaded = load_or_explain(command.model, {command.wrap, true}, false);
    if (!loaded) return kWrongInput;
    std::fputs(to_text(*loaded->model).c_str(), stdout);
    return end_of_output(kHolds);
}

}  // namespace tideline
