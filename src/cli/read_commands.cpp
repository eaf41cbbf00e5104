#include "cli/read_commands.hpp"

#include <string>
#include <utility>

#include "cli/read_search_options.hpp"
#include "cli/read_values.hpp"
#include "cli/usage_error.hpp"
#include "support/quantity.hpp"

namespace tideline::cli {
namespace {

// What the commands that search have in common, in the order in which errors are reported.
std::optional<UsageError> wrong_model_or_formulas(const GivenOptions& options, bool takes_several) {
    if (std::optional<UsageError> error = check_formulas(options, takes_several)) return error;
    if (!options.is_program && options.values.model.empty())
        return usage_error("the name of the model is empty", options.help_hint);
    return std::nullopt;
}

}  // namespace

CommandLine read_explore(const GivenOptions& options) {
    if (std::optional<UsageError> error = wrong_model_or_formulas(options, false)) return std::move(*error);
    std::variant<SearchOptions, UsageError> search = read_search_options(options);
    if (auto* error = std::get_if<UsageError>(&search)) return std::move(*error);
    return ExploreCommand{std::get<SearchOptions>(std::move(search)), options.values.formulas};
}

CommandLine read_check(const GivenOptions& options) {
    const OptionValues& values = options.values;
    if (std::optional<UsageError> error = wrong_model_or_formulas(options, true)) return std::move(*error);
    std::variant<SearchOptions, UsageError> search = read_search_options(options);
    if (auto* error = std::get_if<UsageError>(&search)) return std::move(*error);
    const bool has_file = options.has("--properties");
    if (values.expect && !has_file)
        return usage_error("--expect without --properties", "the expected verdicts stand in a file of properties");
    return CheckCommand{std::get<SearchOptions>(std::move(search)), values.invariants, values.deadlock, values.formulas,
                        has_file ? std::optional(values.properties) : std::nullopt};
}

CommandLine read_progress(const GivenOptions& options) {
    if (std::optional<UsageError> error = wrong_model_or_formulas(options, false)) return std::move(*error);
    std::variant<SearchOptions, UsageError> search = read_search_options(options);
    if (auto* error = std::get_if<UsageError>(&search)) return std::move(*error);
    ProgressCommand command{std::get<SearchOptions>(std::move(search)), options.values.measure, std::nullopt};
    if (options.has("--svg")) command.svg = options.values.svg;
    return command;
}

CommandLine read_simulate(const GivenOptions& options) {
    const OptionValues& values = options.values;
    if (!options.is_program && values.model.empty())
        return usage_error("the name of the model is empty", options.help_hint);
    SimulateCommand command;
    command.model = model_spec(options);
    command.invariants = values.invariants;
    command.watched = values.watched;
    const bool by_chance = options.has("--runs");
    if (by_chance) command.runs = values.runs;
    if (options.has("--steps") && !by_chance) return usage_error("--steps without --runs", "it bounds runs by chance");
    if (options.has("--along") && by_chance)
        return usage_error("either --along or --runs", "a run follows a trace, or chance");
    command.steps = values.steps;
    command.seed = values.seed;
    if (options.has("--along")) command.along = values.along;
    if (std::optional<UsageError> error = read_trace_style(options, command.trace)) return std::move(*error);
    if (std::optional<UsageError> error = read_limits(options, command.limits)) return std::move(*error);
    return command;
}

CommandLine read_resume(const GivenOptions& options) {
    const OptionValues& values = options.values;
    if (values.directory.empty()) return usage_error("the name of the ledger's directory is empty", options.help_hint);
    ResumeCommand command;
    command.directory = values.directory;
    command.status = values.status;
    if (std::optional<UsageError> error = read_limits(options, command.limits)) return std::move(*error);
    if (options.has("--threads")) command.threads = values.threads;
    command.output.quiet = values.quiet;
    command.output.command = values.command;
    if (options.has("--report")) command.output.html = values.html;
    if (options.has("--json")) command.output.json = values.json;
    return command;
}

CommandLine read_audit(const GivenOptions& options) {
    const OptionValues& values = options.values;
    if (values.directory.empty()) return usage_error("the name of the ledger's directory is empty", options.help_hint);
    AuditCommand command;
    command.directory = values.directory;
    command.quiet = values.quiet;
    if (!options.is_program && options.has("--model")) command.model = values.model;
    if (!options.has("--memory")) return command;
    const support::Result<std::uint64_t> size = support::parse_size(values.memory);
    if (!size) return bad_value("--memory", size.diagnostics());
    command.memory = *size;
    return command;
}

CommandLine read_trace(const GivenOptions& options) {
    const OptionValues& values = options.values;
    TraceCommand command;
    command.file = values.directory;
    const bool is_replayed = options.has("--replay");
    if (options.has("--to") || !is_replayed) {
        command.to = report::trace_form(options.has("--to") ? values.to : "text");
        if (!command.to)
            return usage_error("--to: unknown form " + support::in_quotes(values.to),
                               "expected text, mermaid, plantuml, dot or html");
    }
    for (const char* option : {"--wrap", "-D", "-I"})
        if (options.has(option) && !is_replayed)
            return usage_error(std::string(option) + " without --replay", "it says how the model is read");
    if (!is_replayed) return command;
    command.replay = model_spec(options);
    return command;
}

}  // namespace tideline::cli
