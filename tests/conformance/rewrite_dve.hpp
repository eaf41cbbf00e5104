// Changes of a DVE program that leave its state space as it is, but for the names and the order of things.
//
// Each is a law: what is counted before is counted after. They work on the syntax tree, so a mistake in resolving names, in the
// order of declarations or in the enumeration of steps shows as a difference.
#pragma once

#include "input/dve/syntax.hpp"
#include "tests/differential/random_numbers.hpp"

namespace tideline::conformance {

using differential::RandomNumbers;

// New names for all variables, constants, channels, processes and locations. No local name hides a global one afterwards, and the new
// names sort the other way round than they are declared.
void rename_everything(dve::Program& program);

// The processes in another order. Not for `system sync`: there the effects happen process by process, each seeing the earlier
// ones, and the guards of a process are looked at only if those before it have a step, so the order of the file has a meaning.
void reorder_processes(dve::Program& program, RandomNumbers& numbers);

// Global and local variables and channels in another order. Constants go first and keep their order, since other constants,
// lengths and initial values are computed from them.
void reorder_declarations(dve::Program& program, RandomNumbers& numbers);

// The locations in the list of each process, and its transitions, in another order.
void reorder_locations_and_transitions(dve::Program& program, RandomNumbers& numbers);

// A transition of some process whose guard never holds; its effect would be a fault. It has no `sync`: the guard of a partner in a
// rendezvous is looked at first, and its faults would be counted once more.
void add_dead_transition(dve::Program& program, RandomNumbers& numbers);
// The same with a guard that always holds and a harmless effect: the one change here that makes a difference.
void add_live_transition(dve::Program& program, RandomNumbers& numbers);

// A global array and a local variable that nothing uses.
void add_unused_variables(dve::Program& program, RandomNumbers& numbers);

// A process with one location and no transitions. Not for `system sync`, where it would stop everything.
void add_idle_process(dve::Program& program, RandomNumbers& numbers);

}  // namespace tideline::conformance
