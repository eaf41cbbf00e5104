// tideline explore: all reachable states, with faults and failed assertions on the way.
#include "cli/commands.hpp"
#include "cli/session.hpp"

namespace tideline {

int run(const ExploreCommand& command, const CppProgram* program) {
    std::optional<Subject> subject =
        program != nullptr ? program->make_subject()
                           : subject_or_explain(command.search.model, {command.search.wrap, true}, command.search.output.quiet);
    if (!subject) return kWrongInput;
    Session session(command.search, std::move(*subject));
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
