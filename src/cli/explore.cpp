// tideline explore: all reachable states, of the system or of its product with an automaton, with faults and failed
// assertions.
#include "cli/properties_of_options.hpp"
#include "cli/run_command.hpp"

namespace tideline::cli {

int run(const ExploreCommand& command, const Caller& caller) {
    run::RunSpec spec = command.search.spec;
    spec.task = run::Task::explore;
    spec.translator = command.formulas.translator;
    return run_and_report(std::move(spec), temporal_properties(command.formulas), command.search.output, caller);
}

}  // namespace tideline::cli
