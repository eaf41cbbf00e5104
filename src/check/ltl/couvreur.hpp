// Whether a system with acceptance marks on its steps (a product with an automaton, or a model with a property process)
// has an infinite run from an initial state that carries every mark infinitely often: Couvreur's on-the-fly search for
// strongly connected components (Couvreur, On-the-fly verification of linear temporal logic, FM 1999; in the form of
// Couvreur, Duret-Lutz and Poitrenaud, SPIN 2005).
//
// A depth-first search keeps the components of the part of the graph it has seen as a stack: of each its first state,
// the marks on steps inside, and the marks of the step that led into it. A step back to a state of an open component
// merges all components above that state's. Such a run exists if and only if some component gets all marks together at
// some time; this is noticed with the first step that closes such a cycle, for any number of marks and without making
// an ordinary Büchi automaton of it. With no marks at all, every cycle counts. A component that is closed without all
// marks has no such run, nor has anything behind it: its states are never visited again.
//
// What is kept: every state once, in the common numbered table, with its order of entering in five bytes; the steps not
// yet taken of the states on the search path. No recursion: the path lies on a stack of its own.
//
// What was tried and lost: NumberedTable::insert_batch(), which prefetches records too, takes 6 % more instructions and
// 10 % more time, since a state has few successors; the table's smaller growth steps save 5 % of the memory for 10 % of
// the time.
//
// The answer comes first; runs are computed afterwards (EmptinessEvidence), from the states that the search has kept
// and the component that was found (lasso.hpp). Paths to faulty steps come from one breadth-first search for all of
// them.
#pragma once

#include "check/ltl/emptiness.hpp"

namespace tideline::check::ltl {

// Of the settings the limits and `interrupted` count; there is one thread.
[[nodiscard]] EmptinessResult couvreur(const EmptinessTask& task);

}  // namespace tideline::check::ltl
