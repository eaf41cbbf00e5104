// tideline explore: all reachable states, of the system or of its product with an automaton, with faults and failed assertions on the way.
#include "cli/commands.hpp"
#include "cli/run_property.hpp"
#include "cli/session.hpp"

namespace tideline {
namespace {

// The automaton of the command's formula or file; a status where there is a mistake.
PropertyOrStatus chosen_property(const ExploreCommand& command, const Session& session) {
    const FormulaOptions& given = command.formulas;
    const PropertyContext context{session.model(), given.translator, session.budget(), command.search.output.quiet};
    if (given.ltl.empty()) return property_of_automaton(context, "automaton", given.automata.front());
    const SourceText source("--ltl", given.ltl.front());
    return property_of_formula(context, "ltl", source, {0, static_cast<std::uint32_t>(given.ltl.front().size())});
}

}  // namespace

int run(const ExploreCommand& command, const CppProgram* program) {
    // Where another automaton is given, the model's own property process has no part.
    const bool has_automaton = !command.formulas.ltl.empty() || !command.formulas.automata.empty();
    int status = kHolds;
    std::optional<Subject> subject =
        program != nullptr ? program->make_subject()
                           : subject_or_explain(command.search, {command.search.wrap, !has_automaton}, status);
    if (!subject) return status;
    Session session(command.search, std::move(*subject));
    PropertyOrStatus property = kHolds;
    if (has_automaton) {
        property = chosen_property(command, session);
        if (const int* failed = std::get_if<int>(&property)) return *failed;
        session.multiply_with(std::get<RunProperty>(property));
    }
    if (!session.choose_engine() || !session.outputs_are_writable()) return kWrongInput;
    std::vector<Goal> goals;
    std::vector<Expression> labels;
    for (const NamedExpression& assertion : session.model().assertions) {
        goals.push_back({Goal::Kind::assertion, "assert " + assertion.name, assertion.name, labels.size()});
        labels.push_back(assertion.expression);
    }
    return session.report(session.run(std::move(goals), std::move(labels), true));
}

}  // namespace tideline
