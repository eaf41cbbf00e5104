// Safety formulas decided by a monitor (docs/algorithms/safety-monitor.md): breadth-first through the product with it,
// the first state where the monitor cannot continue ends a shortest bad prefix.
#pragma once

#include <optional>

#include "automata/automaton.hpp"
#include "check/verdict.hpp"
#include "run/execution.hpp"
#include "run/linear_property.hpp"

namespace tideline::run {

// The monitor of a formula that bad prefixes decide, by the reading of deadlocks and the kind of runs that count: every
// finite run must be the beginning of one that counts. Nothing: it is decided in another way.
[[nodiscard]] std::optional<automata::Automaton> monitor_for(const Execution& run, const LinearProperty& property);

[[nodiscard]] check::Outcome decide_by_monitor(Execution& run, const LinearProperty& property,
                                               automata::Automaton monitor);

}  // namespace tideline::run
