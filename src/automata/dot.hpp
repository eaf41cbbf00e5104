// Automata as pictures, for Graphviz.
#pragma once

#include <string>

#include "automata/automaton.hpp"

namespace tideline {

// Accepting states have two circles; marks on edges are written beside the labels, in braces. Components that accept have a frame.
std::string to_dot(const Automaton& automaton, const std::string& name = {});

}  // namespace tideline
