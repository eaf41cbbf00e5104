// Automata in the DOT language of Graphviz.
#pragma once

#include <string>

#include "automata/automaton.hpp"

namespace tideline::automata {

// Accepting states have two circles; marks on edges are written beside the labels, in braces. Components that accept
// have a frame.
std::string to_dot(const Automaton& automaton, const std::string& name = {});

}  // namespace tideline::automata
