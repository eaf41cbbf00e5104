// tideline check: invariants, deadlocks and assertions, each with a verdict.
#include "cli/commands.hpp"
#include "cli/session.hpp"
#include "model/parse_expression.hpp"

namespace tideline {
namespace {

// A property process is an automaton over infinite runs: no search for single states decides it.
Verdict property_not_decided(const std::string& name) {
    Verdict verdict;
    verdict.name = name;
    verdict.logic = "automaton";
    verdict.reason = "property processes cannot be checked yet; 'explore' counts the product";
    return verdict;
}

std::string property_name(const Model& model) { return model.observer ? model.processes[*model.observer].name : ""; }

}  // namespace

int run(const CheckCommand& command) {
    const bool quiet = command.search.output.quiet;
    std::optional<LoadedModel> whole = load_or_explain(command.search.model, {command.search.wrap, true}, quiet);
    if (!whole) return kWrongInput;
    const std::string property = property_name(*whole->model);
    const LoadOptions load_options{command.search.wrap, false};
    std::optional<LoadedModel> loaded =
        property.empty() ? std::move(whole) : load_or_explain(command.search.model, load_options, true);
    if (!loaded) return kWrongInput;
    Session session(command.search, std::move(*loaded), load_options);
    if (!session.outputs_are_writable()) return kWrongInput;

    std::vector<Goal> goals;
    std::vector<Expression> labels;
    for (std::size_t i = 0; i < command.invariants.size(); ++i) {
        const std::string& text = command.invariants[i];
        const Result<Expression> parsed = parse_expression(session.model(), SourceText("--invariant", text));
        if (!parsed || !quiet) print(parsed.diagnostics());
        if (!parsed) return kWrongInput;
        const std::string name = command.invariants.size() > 1 ? "invariant " + std::to_string(i + 1) : "invariant";
        goals.push_back({Goal::Kind::invariant, name, text, labels.size()});
        labels.push_back(*parsed);
    }
    if (command.deadlock) goals.push_back({Goal::Kind::deadlock, "deadlock", "", 0});
    const bool own = goals.empty();  // nothing asked for: what the model brings itself
    if (own) {
        for (const NamedExpression& assertion : session.model().assertions) {
            goals.push_back({Goal::Kind::assertion, "assert " + assertion.name, assertion.name, labels.size()});
            labels.push_back(assertion.expression);
        }
    }
    if (goals.empty() && property.empty()) {
        print({diagnostic_about(command.search.model, "nothing to check: the model has no assertions and no property process",
                                "ask for --deadlock or --invariant EXPR")});
        return kWrongInput;
    }
    Outcome outcome;
    outcome.complete = true;
    outcome.engine = command.search.engine;
    if (!goals.empty()) outcome = session.run(std::move(goals), std::move(labels), false);
    if (own && !property.empty()) outcome.verdicts.push_back(property_not_decided(property));
    return session.report(std::move(outcome));
}

}  // namespace tideline
