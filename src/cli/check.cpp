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

// What invariants and the like are asked of: the system without its property process, whose name is told.
std::optional<Subject> system_alone(const CheckCommand& command, std::string& property) {
    const SearchOptions& search = command.search;
    std::optional<Subject> whole = subject_or_explain(search.model, {search.wrap, true}, search.output.quiet);
    if (!whole || !whole->names->observer) return whole;
    property = whole->names->processes[*whole->names->observer].name;
    return subject_or_explain(search.model, {search.wrap, false}, true);
}

}  // namespace

int run(const CheckCommand& command, const CppProgram* program) {
    const bool quiet = command.search.output.quiet;
    std::string property;
    std::optional<Subject> subject = program != nullptr ? program->make_subject() : system_alone(command, property);
    if (!subject) return kWrongInput;
    Session session(command.search, std::move(*subject));
    if (!session.choose_engine()) return kWrongInput;

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
            const std::size_t colon = assertion.name.find(": ");  // P.s: condition
            goals.push_back({Goal::Kind::assertion, "assert " + assertion.name.substr(0, colon), assertion.name.substr(colon + 2), labels.size()});
            labels.push_back(assertion.expression);
        }
    }
    if (goals.empty() && property.empty()) {
        print({diagnostic_about(command.search.model, "nothing to check: the model has no assertions and no property process",
                                "ask for --deadlock or --invariant EXPR")});
        return kWrongInput;
    }
    if (!session.outputs_are_writable()) return kWrongInput;
    Outcome outcome;
    outcome.engine = command.search.engine;
    if (!goals.empty()) outcome = session.run(std::move(goals), std::move(labels), false);
    if (own && !property.empty()) outcome.verdicts.push_back(property_not_decided(property));
    return session.report(std::move(outcome));
}

}  // namespace tideline
