// Automata in the Hanoi Omega-Automata format, version 1 (Babiak et al., CAV 2015), which most tools of the field read.
#pragma once

#include <string>

#include "automata/automaton.hpp"

namespace tideline::automata {

// `name` is put into the header where it is not empty.
std::string to_hoa(const Automaton& automaton, const std::string& name = {});

}  // namespace tideline::automata
