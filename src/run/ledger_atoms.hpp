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
    LedgerAtoms(const BranchingProperties& properties, const model::Model& model);

    StateProperties labels;  // without properties
    std::vector<check::ctl::Guard> guards;
    // Atoms that speak of steps, which are recorded: their labels are 0.
    std::vector<check::ctl::StepAtom> step_atoms;
    std::shared_ptr<const successor::ProcessTable> processes;
};

}  // namespace tideline::run
