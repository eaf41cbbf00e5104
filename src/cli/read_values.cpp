#include "cli/read_values.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <string>
#include <tuple>

#include "cli/usage_error.hpp"
#include "support/processors.hpp"
#include "support/quantity.hpp"

namespace tideline::cli {

unsigned threads_of(const GivenOptions& options) {
    const OptionValues& values = options.values;
    return values.threads > 0 ? values.threads : std::min(support::available_processors(), kMostThreads);
}

std::optional<UsageError> read_limits(const GivenOptions& options, support::BudgetLimits& limits) {
    const OptionValues& values = options.values;
    for (const auto& [name, text, size] :
         {std::tuple("--memory", &values.memory, &limits.memory), std::tuple("--disk", &values.disk, &limits.disk)}) {
        if (!options.has(name)) continue;
        const support::Result<std::uint64_t> value = support::parse_size(*text);
        if (!value) return bad_value(name, value.diagnostics());
        *size = *value;
    }
    if (!options.has("--time")) return std::nullopt;
    const support::Result<std::chrono::nanoseconds> duration = support::parse_duration(values.time);
    if (!duration) return bad_value("--time", duration.diagnostics());
    limits.time = *duration;
    return std::nullopt;
}

std::optional<UsageError> read_states(const GivenOptions& options, std::optional<std::uint64_t>& limit) {
    const OptionValues& values = options.values;
    if (!options.has("--states")) return std::nullopt;
    std::uint64_t states = 0;
    const char* const end = values.states.data() + values.states.size();
    const auto [stop, problem] = std::from_chars(values.states.data(), end, states);
    if (stop != end || problem == std::errc::invalid_argument || (problem == std::errc() && states == 0))
        return usage_error("--states: unexpected value " + support::in_quotes(values.states),
                           "expected --states NUMBER>0");
    if (problem != std::errc())
        return usage_error("--states: " + support::in_quotes(values.states) + " is too large",
                           "expected --states NUMBER>0, at most 2^64 - 1");
    limit = states;
    return std::nullopt;
}

run::ProgressChoice progress_choice(const GivenOptions& options) {
    const OptionValues& values = options.values;
    using Progress = run::ProgressChoice;
    return values.progress == "auto"         ? Progress{}
           : values.progress == "none"       ? Progress{Progress::Kind::none, ""}
           : values.progress == "projection" ? Progress{Progress::Kind::projection, ""}
                                             : Progress{Progress::Kind::given, values.progress};
}

std::optional<UsageError> read_trace_style(const GivenOptions& options, trace::TraceStyle& style) {
    static const std::map<std::string, trace::TraceStyle> styles = {{"full", trace::TraceStyle::full},
                                                                    {"changes", trace::TraceStyle::changes},
                                                                    {"actions", trace::TraceStyle::actions},
                                                                    {"none", trace::TraceStyle::none}};
    const auto found = styles.find(options.values.trace);
    if (found == styles.end())
        return usage_error("--trace: unknown style " + support::in_quotes(options.values.trace),
                           "expected full, changes, actions or none");
    style = found->second;
    return std::nullopt;
}

run::ModelSpec model_spec(const GivenOptions& options) {
    const OptionValues& values = options.values;
    run::ModelSpec model;
    model.path = values.model;
    model.wrap = values.wrap;
    model.definitions = values.definitions;
    model.include_dirs = values.include_dirs;
    return model;
}

}  // namespace tideline::cli
