// Values that several commands have. A function that returns a usage error returns none where the value is right, or
// not given.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/option_values.hpp"

namespace tideline::cli {

inline constexpr unsigned kMostThreads = 256;
[[nodiscard]] unsigned threads_of(const GivenOptions& options);

[[nodiscard]] std::optional<UsageError> read_limits(const GivenOptions& options, support::BudgetLimits& limits);
[[nodiscard]] std::optional<UsageError> read_states(const GivenOptions& options, std::optional<std::uint64_t>& limit);
[[nodiscard]] std::optional<UsageError> read_trace_style(const GivenOptions& options, trace::TraceStyle& style);

[[nodiscard]] run::ProgressChoice progress_choice(const GivenOptions& options);
[[nodiscard]] run::ModelSpec model_spec(const GivenOptions& options);

}  // namespace tideline::cli
