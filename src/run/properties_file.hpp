// Files of properties: one per line, with a name and, if wanted, the verdict that is expected.
//
//   # what follows a number sign at the beginning of a line is a comment
//   mutex:             invariant not (P0.critical and P1.critical)
//   response violated: ltl G (P0.waiting -> F P0.critical)
//   never stuck:       deadlock
//   bad runs:          automaton bad.hoa
//
// A line that begins with a blank continues the property before it. docs/manual.md describes the format.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/spec.hpp"
#include "support/diagnostic.hpp"

namespace tideline::run {

// The properties of a text, with their positions in it. Automata are not read: their `file` is what is written there.
[[nodiscard]] support::Result<std::vector<PropertySpec>> parse_properties(
    const std::shared_ptr<const support::SourceText>& source);

// The properties of a file, and of the files with automata that it names, which are looked for beside it.
[[nodiscard]] support::Result<std::vector<PropertySpec>> read_properties_file(const std::string& path,
                                                                              const support::Budget& budget = {});

// An automaton in a file, as a property.
[[nodiscard]] support::Result<PropertySpec> read_automaton_file(std::string name, const std::string& path,
                                                                const support::Budget& budget = {});

}  // namespace tideline::run
