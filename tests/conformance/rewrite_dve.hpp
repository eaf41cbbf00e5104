// Changes of a DVE program that preserve its state space, except for names and orders.
//
// Each is a law: all counts stay the same. They work on the syntax tree, so an error in resolving names, in the order
// of declarations or in the enumeration of steps shows as a difference.
#pragma once

#include "input/dve/syntax.hpp"
#include "tests/differential/random_numbers.hpp"

namespace tideline::conformance {

using differential::RandomNumbers;

// New names for all variables, constants, channels, processes and locations. No local name hides a global one
// afterwards, and the new names sort in the reverse order of declaration.
void rename_everything(input::dve::Program& program);

// The processes in another order. Not for `system sync`: there the effects happen process by process, each seeing the
// earlier ones, and the guards of a process are evaluated only if those before it have a step, so the order of the file
// has a meaning.
void reorder_processes(input::dve::Program& program, differential::RandomNumbers& numbers);

// Global and local variables and channels in another order. Constants go first and keep their order, since other
// constants, lengths and initial values are computed from them.
void reorder_declarations(input::dve::Program& program, differential::RandomNumbers& numbers);

// The locations in the list of each process, and its transitions, in another order.
void reorder_locations_and_transitions(input::dve::Program& program, differential::RandomNumbers& numbers);

// A transition of some process whose guard never holds; its effect would be a fault. It has no `sync`: the guard of a
// partner in a rendezvous is evaluated first, and its faults would be counted again.
void add_dead_transition(input::dve::Program& program, differential::RandomNumbers& numbers);
// The same with a guard that always holds and a harmless effect: the one change here that makes a difference.
void add_live_transition(input::dve::Program& program, differential::RandomNumbers& numbers);

// An unused global array and an unused local variable.
void add_unused_variables(input::dve::Program& program, differential::RandomNumbers& numbers);

// A process with one location and no transitions. Not for `system sync`, where it would stop everything.
void add_idle_process(input::dve::Program& program, differential::RandomNumbers& numbers);

}  // namespace tideline::conformance
