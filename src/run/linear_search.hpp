// The search that decides one linear-time property, by the engine that was chosen for it. `auto` begins with a
// depth-first probe; where that does not decide, all threads fill the numbered graph; where that does not fit into
// memory, a sweep with a ledger continues.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "check/ltl.hpp"
#include "run/execution.hpp"
#include "run/linear_engine.hpp"
#include "run/linear_product.hpp"

namespace tideline::run {

// What a linear-time property is decided on.
struct LinearSystem {
    // The measure for an engine; nothing: it goes by none.
    std::function<std::optional<LinearMeasure>(check::ltl::Engine)> measure;
    // The system with acceptance marks, by this measure (null: none), with states packed like this, and successors
    // computed like this unless the user has said it.
    std::function<LinearProduct(check::ltl::Engine, const LinearMeasure*, std::optional<successor::Layout>,
                                successor::Successors)>
        make;
    std::string automaton{};    // of the counterexample runs, in HOA; empty: a property process
    std::string uncertified{};  // why a sweep that shows that it holds does not write why; empty: it does
    bool fits_marks = true;     // fairness, for a sweep
};

// The outcome, with evidence. `request` has the property and the engine, but for the system.
[[nodiscard]] check::Outcome search_linear(Execution& run, check::LtlRequest request, const LinearSystem& system);

// A run with a single property, of linear time, is its sweep: its ledger may be the user's, and it is resumed.
[[nodiscard]] bool is_one_sweep(const RunPlan& plan);
// Whether `auto` may leave the numbered graph for a sweep. `fits_marks`: see LinearSystem.
[[nodiscard]] bool can_change_to_sweep(const RunSpec& spec, bool fits_marks);

// What was done before by another search for the same property counts.
void add_effort(check::Outcome& outcome, const explore::Statistics& before);

}  // namespace tideline::run
