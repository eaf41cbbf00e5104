// What a search for one linear-time property needs besides its product: the engine and its variant, the automaton in
// the form that the engine takes, and the measure where it goes by one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "automata/automaton.hpp"
#include "check/ltl/emptiness.hpp"
#include "run/loaded_system.hpp"
#include "run/measure_in_use.hpp"
#include "run/plan.hpp"

namespace tideline::run {

// `automatic` is Couvreur's.
[[nodiscard]] check::ltl::Engine linear_engine(Engine engine);
[[nodiscard]] Engine run_engine(check::ltl::Engine engine);
[[nodiscard]] check::ltl::Variant linear_variant(const std::vector<EngineVariant>& variants);

// Degeneralised, with accepting states, where the engine needs that. Throws Refusal where that exceeds the limits.
[[nodiscard]] automata::Automaton automaton_for(check::ltl::Engine engine, const automata::Automaton& automaton,
                                                const std::string& property, const support::Budget& budget);

struct LinearMeasure {
    MeasureInUse in_use;
    MeasureSource source = MeasureSource::none;
    std::string text{};  // given or found; empty: the system's own
    std::optional<double> predicted_share{};
    std::vector<std::string> components{};  // for the report, that of the automaton included
};
// The measure of a sweep through a system, or its product with an automaton (null: none): given, its own, or searched
// for; a constant where none is found. Throws Refusal where the one that is given does not fit. The system and the
// automaton must outlive the result.
[[nodiscard]] LinearMeasure linear_measure(const RunSpec& spec, const LoadedSystem& system,
                                           const automata::Automaton* product, const support::Budget& budget);

}  // namespace tideline::run
