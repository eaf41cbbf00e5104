// Which engine decides which class of properties: one table, by property, engine, measure and input. The planner, its
// messages and the table in docs/manual.md (which a test compares) all come from it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "run/spec.hpp"

namespace tideline::run {

// Properties that the same engines decide.
enum class PropertyClass : std::uint8_t {
    exploration,  // no property: every state is visited
    state,        // of single states: invariants, assertions, deadlocks
    linear,       // linear-time: LTL, automata, property processes
    ctl,
    ctlstar,
};
[[nodiscard]] PropertyClass class_of(PropertyKind kind);
inline constexpr std::array kPropertyClasses{PropertyClass::exploration, PropertyClass::state, PropertyClass::linear,
                                             PropertyClass::ctl, PropertyClass::ctlstar};
// A set of classes: bit n is the class with the number n.
using PropertyClasses = std::uint8_t;
constexpr PropertyClasses classes(std::initializer_list<PropertyClass> all) {
    unsigned set = 0;
    for (const PropertyClass each : all) set |= 1U << static_cast<unsigned>(each);
    return static_cast<PropertyClasses>(set);
}

enum class InputKind : std::uint8_t { model, program };  // a file, or a system written in C++

enum class MeasureNeed : std::uint8_t {
    ignored,  // the engine has no use for one
    any,
    monotonic,  // found out while it runs
};

// Further abilities of an engine.
struct EngineTraits {
    Engine engine = Engine::automatic;
    PropertyClasses decides = 0;
    MeasureNeed measure = MeasureNeed::ignored;
    bool threads = false;     // may work with several
    bool ledger = false;      // may keep one, record in it and be resumed
    bool compresses = false;  // states
    bool programs = true;     // systems written in C++
    bool symmetry = true;     // works on representatives of states: it asks for nothing that those do not keep

    [[nodiscard]] bool can_decide(PropertyClass property) const {
        return (decides >> static_cast<unsigned>(property) & 1U) != 0;
    }
};
[[nodiscard]] const EngineTraits& traits_of(Engine engine);
// All engines but `automatic`.
[[nodiscard]] std::span<const EngineTraits> all_engines();

struct Capability {
    bool supported = false;
    std::string reason;  // where it is not
    std::string hint;
};
// `has_measure`: one is given, comes with the system, or was found.
[[nodiscard]] Capability capability(PropertyClass property, Engine engine, bool has_measure, InputKind input);

// Which variants an engine has.
[[nodiscard]] Capability variant_capability(EngineVariant variant, Engine engine);
// Whether an engine takes a property process: its acceptance is one set of states, or it is not.
[[nodiscard]] Capability marks_capability(Engine engine, bool has_accepting_states);
// Which readings of deadlocks a kind of property has a meaning for.
[[nodiscard]] Capability reading_capability(PropertyKind property, DeadlockReading reading);

// Which engines know fairness.
[[nodiscard]] Capability fairness_capability(PropertyKind property, Engine engine, Fairness fairness, InputKind input);

// Whether what counts as a run survives the exchange of processes.
[[nodiscard]] Capability symmetry_capability(Fairness fairness, const std::string& symmetry);

// The table of the manual.
[[nodiscard]] std::string capability_table();
// The names of the engines that keep a ledger, for messages.
[[nodiscard]] std::string engines_with_ledger();

}  // namespace tideline::run
