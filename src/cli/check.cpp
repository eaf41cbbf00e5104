// tideline check: properties of states (invariants, deadlocks, assertions) by one search, linear-time properties
// (formulas, automata, the model's own property process) by one search each; every property gets a verdict.
#include <filesystem>

#include "cli/properties_of_options.hpp"
#include "cli/run_command.hpp"
#include "run/properties_file.hpp"

namespace tideline::cli {
namespace {

// All properties of a command, in the order in which they are reported.
support::Result<std::vector<run::PropertySpec>> properties_of(const CheckCommand& command) {
    std::vector<run::PropertySpec> properties;
    add_properties(properties, "--invariant", "invariant", run::PropertyKind::invariant, command.invariants);
    if (command.deadlock) properties.push_back(run::no_deadlock());
    const auto append = [&](support::Result<std::vector<run::PropertySpec>> more) -> support::Diagnostics {
        if (!more) return std::move(more).diagnostics();
        properties.insert(properties.end(), more->begin(), more->end());
        return {};
    };
    if (support::Diagnostics errors = append(temporal_properties(command.formulas)); !errors.empty()) return errors;
    if (command.properties)
        if (support::Diagnostics errors = append(run::read_properties_file(*command.properties)); !errors.empty())
            return errors;
    return properties;
}

}  // namespace

int run(const CheckCommand& command, const Caller& caller) {
    run::RunSpec spec = command.search.spec;
    spec.task = run::Task::check;
    spec.translator = command.formulas.translator;
    std::error_code ignored;
    if (command.properties) spec.properties_file = std::filesystem::absolute(*command.properties, ignored).string();
    return run_and_report(std::move(spec), properties_of(command), command.search.output, caller);
}

}  // namespace tideline::cli
