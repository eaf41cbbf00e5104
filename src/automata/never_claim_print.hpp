// State-based Büchi automata as never claims of SPIN.
#pragma once

#include <string>

#include "automata/automaton.hpp"

namespace tideline::automata {

// For a state-based automaton. The formula, if given, is put into a comment. An atom that is not a name is written in
// parentheses.
std::string to_never_claim(const Automaton& automaton, const std::string& formula = {});

}  // namespace tideline::automata
