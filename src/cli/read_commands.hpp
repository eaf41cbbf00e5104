// Commands from their options, one function per command. Each checks what its options mean together; the first usage
// error takes the command's place.
#pragma once

#include "cli/option_values.hpp"

namespace tideline::cli {

[[nodiscard]] CommandLine read_explore(const GivenOptions& options);
[[nodiscard]] CommandLine read_check(const GivenOptions& options);
[[nodiscard]] CommandLine read_progress(const GivenOptions& options);
[[nodiscard]] CommandLine read_simulate(const GivenOptions& options);
[[nodiscard]] CommandLine read_resume(const GivenOptions& options);
[[nodiscard]] CommandLine read_audit(const GivenOptions& options);
[[nodiscard]] CommandLine read_trace(const GivenOptions& options);
[[nodiscard]] CommandLine read_convert(const GivenOptions& options);

}  // namespace tideline::cli
