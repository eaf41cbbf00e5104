// Checks why a property of runs is said to hold: the file `cycles` of a ledger (docs/ledger-format.md), which has a
// rank for every state. The rank never rises along an edge, and every class of states of equal rank has a required mark
// that no edge inside it carries, or no edge inside. So no cycle carries all required marks: all its states would have
// one rank.
//
// A rank is, from the most to the least significant: the range of the state (later ones are lower), the place of its
// removal in the range, and within a removal the number (where edges must lead upwards, or downwards), nothing, or a
// number of its own. Nothing of the program that wrote it is used here. The edges are those of the ledger; that they
// are the steps of the system with the automaton's marks is confirmed by the audit before.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "audit/ledger_file.hpp"

namespace tideline::audit {

struct CycleCheck {
    bool has_certificate = false;
    std::vector<std::string> findings;
};

// `required`: the marks that an accepting cycle carries. `poll` may throw. Throws Objection where the file cannot be
// understood.
[[nodiscard]] CycleCheck check_cycles(LedgerFile& ledger, const std::string& directory, std::uint64_t required,
                                      std::uint64_t states, const std::function<void()>& poll);

}  // namespace tideline::audit
