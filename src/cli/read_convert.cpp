#include <map>
#include <optional>
#include <string>
#include <utility>

#include "cli/read_commands.hpp"
#include "cli/read_search_options.hpp"
#include "cli/read_values.hpp"
#include "cli/usage_error.hpp"
#include "support/diagnostic.hpp"

namespace tideline::cli {
namespace {

// An option that means something only where states are written.
std::optional<UsageError> option_of_states(const GivenOptions& options) {
    for (const char* option : {"--label", "--progress", "--states", "--threads", "--compact"})
        if (options.has(option))
            return usage_error(std::string(option) + " is for conversions that write the states of a model",
                               "expected --to aut, dot or kripke");
    return std::nullopt;
}

CommandLine formula_command(const GivenOptions& options) {
    const OptionValues& values = options.values;
    const bool is_formula = !values.formulas.ltl.empty();
    if (options.has("MODEL"))
        return usage_error(is_formula ? "either a model or --ltl is converted, not both"
                                      : "either a model or --automaton is converted, not both",
                           options.help_hint);
    const std::string to = !options.has("--to") ? "hoa" : values.to;
    if (to != "hoa" && to != "never" && to != "dot")
        return usage_error("--to: unknown format " + support::in_quotes(values.to) +
                               (is_formula ? " of a formula" : " of an automaton"),
                           "expected hoa, never or dot");
    if (std::optional<UsageError> error = option_of_states(options)) return std::move(*error);
    ConvertCommand command{"", values.formulas, to, false};
    if (std::optional<UsageError> error = read_limits(options, command.limits)) return std::move(*error);
    return command;
}

CommandLine model_command(const GivenOptions& options) {
    const OptionValues& values = options.values;
    if (!options.has("--to")) return usage_error("--to is missing", "expected --to model, aut, dot or kripke");
    ConvertCommand command{values.model, {}, values.to, values.wrap, values.definitions, values.include_dirs};
    if (std::optional<UsageError> error = read_limits(options, command.limits)) return std::move(*error);
    using Format = run::StateSpaceFormat;
    const std::map<std::string, Format> formats = {
        {"aut", Format::aut}, {"dot", Format::dot}, {"kripke", Format::kripke}};
    const auto format = formats.find(values.to);
    if (format == formats.end() && values.to != "model")
        return usage_error("--to: unknown format " + support::in_quotes(values.to),
                           "expected model, aut, dot or kripke");
    if (format == formats.end()) {
        if (std::optional<UsageError> error = option_of_states(options)) return std::move(*error);
        return command;
    }
    if (format->second == Format::aut && !values.labels.empty())
        return usage_error("--label: the states of an Aldebaran file have no labels",
                           "expected --to dot or --to kripke");
    if (format->second != Format::kripke && options.has("--compact"))
        return usage_error("--compact: only Kripke structures have a compact form", "expected --to kripke");
    if (options.has("--compact") && values.compact.empty())
        return usage_error("--compact: the name of the file is empty", options.help_hint);
    command.compact = values.compact;
    if (format->second != Format::kripke && options.has("--progress"))
        return usage_error("--progress: only Kripke structures have progress", "expected --to kripke");
    command.states.emplace();
    command.states->format = format->second;
    command.states->labels = values.labels;
    command.states->progress = progress_choice(options);
    command.states->threads = threads_of(options);
    command.states->is_compact = !values.compact.empty();
    if (std::optional<UsageError> error = read_states(options, command.states->states)) return std::move(*error);
    return command;
}

}  // namespace

CommandLine read_convert(const GivenOptions& options) {
    if (std::optional<UsageError> error = check_formulas(options, false)) return std::move(*error);
    const FormulaOptions& formulas = options.values.formulas;
    if (!formulas.ltl.empty() || !formulas.automata.empty()) return formula_command(options);
    if (!options.has("MODEL"))
        return usage_error("the model is missing",
                           "expected tideline convert MODEL, --ltl FORMULA or --automaton FILE; " + options.help_hint);
    if (options.values.model.empty()) return usage_error("the name of the model is empty", options.help_hint);
    return model_command(options);
}

}  // namespace tideline::cli
