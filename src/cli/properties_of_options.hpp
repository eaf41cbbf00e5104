// Properties given on the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "run/spec.hpp"
#include "support/diagnostic.hpp"

namespace tideline::cli {

// One property per text, named after its kind, with a number where there are several.
void add_properties(std::vector<run::PropertySpec>& properties, const char* option, const std::string& name,
                    run::PropertyKind kind, const std::vector<std::string>& texts);

// Formulas, and automata, whose files are read.
[[nodiscard]] support::Result<std::vector<run::PropertySpec>> temporal_properties(const FormulaOptions& formulas);

}  // namespace tideline::cli
