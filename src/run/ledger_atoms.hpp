// The labels of a sweep that leaves a graph for formulas of branching time: the atoms and, for each atom whose
// evaluation may be faulty, a *guard* `(atom) == (atom)`, whose bit is 0 where the atom cannot be evaluated. A ledger
// records bits of labels, not their faults.
#pragma once

#include <vector>

#include "check/ctl/clusters.hpp"
#include "run/branching_properties.hpp"
#include "run/state_properties.hpp"

namespace tideline::run {

struct LedgerAtoms {
    explicit LedgerAtoms(const BranchingProperties& properties);

    StateProperties labels;  // without properties
    std::vector<check::ctl::Guard> guards;
};

}  // namespace tideline::run
