// The options of commands that search: explore, check and progress.
#pragma once

#include <optional>
#include <variant>

#include "cli/option_values.hpp"

namespace tideline::cli {

// The first usage error where there is one.
[[nodiscard]] std::variant<SearchOptions, UsageError> read_search_options(const GivenOptions& options);

// Whether the formulas and automata fit together; `takes_several`: the command decides any number of them.
[[nodiscard]] std::optional<UsageError> check_formulas(const GivenOptions& options, bool takes_several);

}  // namespace tideline::cli
