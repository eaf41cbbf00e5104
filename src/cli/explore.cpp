// tideline explore: all reachable states, with faults and failed assertions on the way.
#include "cli/commands.hpp"
#include "cli/session.hpp"

namespace tideline {

int run(const ExploreCommand& command) {
    const LoadOptions load_options{command.search.wrap, true};
    std::optional<LoadedModel> loaded = load_or_explain(command.search.model, load_options, command.search.output.quiet);
    if (!loaded) return kWrongInput;
    Session session(command.search, std::move(*loaded), load_options);
    if (!session.outputs_are_writable()) return kWrongInput;
    std::vector<Goal> goals;
    std::vector<Expression> labels;
    for (const NamedExpression& assertion : session.model().assertions) {
        goals.push_back({Goal::Kind::assertion, "assert " + assertion.name, assertion.name, labels.size()});
        labels.push_back(assertion.expression);
    }
    return session.report(session.run(std::move(goals), std::move(labels), true));
}

}  // namespace tideline
