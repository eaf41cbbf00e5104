// The decision how a run is done, or why it is not. Planning is pure: it reads no file and runs nothing. It
// leaves open only what needs a run: the measure that `auto` finds, and with it the engine. execute() resolves that and
// stores it in the ledger's header before the first checkpoint that depends on it. The plan is what the header holds,
// and what `resume` executes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/loaded_system.hpp"
#include "run/refusal.hpp"
#include "run/spec.hpp"

namespace tideline::run {

enum class MeasureSource : std::uint8_t {
    none,
    own,    // comes with the system
    given,  // by the user
    found,  // by a search for one
    open,   // to be searched for by execute()
};
[[nodiscard]] std::string_view to_string(MeasureSource source);

struct RunPlan {
    RunSpec spec;                       // `properties` has the model's own where none were given
    bool explores_process = false;      // the property process is part of the system that is searched
    bool searches_states = true;        // one search decides all properties of states, or explores
    Engine engine = Engine::automatic;  // of that search; automatic: open
    MeasureSource measure_source = MeasureSource::none;
    std::string measure;                    // given or found
    std::optional<double> predicted_share;  // of the states, in memory at the peak, where a measure was found
    std::string engine_reason;              // why this engine, where none was requested
    bool changes_over = false;              // to a sweep, when memory becomes short; not stored, since it is done then
    support::Diagnostics warnings;          // not stored

    [[nodiscard]] bool is_resolved() const {
        return engine != Engine::automatic && measure_source != MeasureSource::open;
    }
    // Whether the search through states keeps a ledger.
    [[nodiscard]] bool keeps_ledger() const;
    // The property whose automaton is multiplied with the system by an exploration; null: none.
    [[nodiscard]] const PropertySpec* product() const;
};

// The budget bounds the parsing of large automata.
[[nodiscard]] OrRefusal<RunPlan> plan(RunSpec spec, const LoadedInput& input, const support::Budget& budget = {});

// The engine of a search through states that was left open, when it is known whether a measure was found.
[[nodiscard]] Engine engine_for(const RunPlan& plan, bool has_measure);

}  // namespace tideline::run
