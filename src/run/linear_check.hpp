// Properties of infinite runs: each is decided by a search of its own, a formula or an automaton on the product with
// the automaton of its counterexample runs, a property process on the model with this process.
#pragma once

#include "check/verdict.hpp"
#include "run/execution.hpp"
#include "run/linear_property.hpp"

namespace tideline::run {

// Throws Refusal where the engine cannot decide it, UnconfirmedTrace.
[[nodiscard]] check::Outcome decide_linear(Execution& run, const LinearProperty& property);
[[nodiscard]] check::Outcome decide_process(Execution& run, const PropertySpec& process);

// The property that is a process of the model; null: none is.
[[nodiscard]] const PropertySpec* property_process(const RunSpec& spec);

}  // namespace tideline::run
