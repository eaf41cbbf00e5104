// Properties of branching time as a user gives them, formulas of CTL and CTL*, turned into what a check needs: one
// program for all of them, so that they share one exploration and equal subformulas are decided once.
#pragma once

#include <memory>
#include <vector>

#include "check/branching.hpp"
#include "model/model.hpp"
#include "run/formula_atoms.hpp"
#include "run/refusal.hpp"
#include "run/spec.hpp"
#include "support/budget.hpp"

namespace tideline::run {

// Errors and warnings of the property's text; nothing is translated. Its kind is ctl or ctlstar.
[[nodiscard]] support::Diagnostics check_branching_property(const PropertySpec& property, const model::Model& model,
                                                            DeadlockReading deadlocks);

// Whether a formula of CTL or CTL* has the atom `deadlock`.
[[nodiscard]] bool speaks_of_deadlocks(const PropertySpec& property, const model::Model& model);

// Why an engine that sweeps, ledger or scc-ctl, does not decide a property; nothing: it does.
[[nodiscard]] std::optional<Refusal> refused_by_sweeps(const PropertySpec& property, const model::Model& model,
                                                       Engine engine);

struct BranchingProperties {
    std::shared_ptr<const check::ctl::Program> program;  // null where there is no property
    std::vector<model::Expression> atoms;                // of the program; false where they speak of steps
    std::vector<AtomMeaning> meanings;                   // of the atoms
    std::vector<check::BranchingProperty> properties;    // a root of the program each
    // Whose automata could not be made within the limits: unknown, with the reason.
    std::vector<check::Verdict> untranslated;
};
// The system with the atoms that speak of steps, of one whose first labels are the atoms.
[[nodiscard]] std::shared_ptr<const successor::System> with_step_atoms(std::shared_ptr<const successor::System> system,
                                                                       const BranchingProperties& properties,
                                                                       const model::Model& model);

// Of those of these properties that are of branching time. Throws Refusal where one is wrong.
[[nodiscard]] BranchingProperties make_branching_properties(const std::vector<PropertySpec>& properties,
                                                            const model::Model& model, const support::Budget& budget);

}  // namespace tideline::run
