#include "run/capability.hpp"

#include <array>
#include <cassert>

namespace tideline::run {
namespace {

constexpr std::array<EngineTraits, 5> kEngines{{
    {Engine::bfs, MeasureNeed::ignored, true, true, true},
    {Engine::dfs, MeasureNeed::ignored, false, false, false},
    {Engine::sweep, MeasureNeed::any, true, true, false},
    {Engine::sweep_basic, MeasureNeed::monotonic, true, false, false},
    {Engine::couvreur, MeasureNeed::ignored, false, false, false},
}};

// A row per class of properties and engine. Every engine works on both kinds of input: what an engine sees of either is
// a System.
struct Row {
    PropertyClass property;
    Engine engine;
    bool model;
    bool program;
    const char* reason;
    const char* hint;
};
constexpr const char* kNoLinear = "does not decide linear-time properties";
constexpr const char* kLinearHint = "expected --engine auto or couvreur";
constexpr std::array<Row, 15> kRows{{
    {PropertyClass::exploration, Engine::bfs, true, true, "", ""},
    {PropertyClass::exploration, Engine::dfs, true, true, "", ""},
    {PropertyClass::exploration, Engine::sweep, true, true, "", ""},
    {PropertyClass::exploration, Engine::sweep_basic, true, true, "", ""},
    {PropertyClass::exploration, Engine::couvreur, false, false, "decides linear-time properties",
     "it is for 'check'; expected auto, bfs, dfs, sweep or sweep-basic"},
    {PropertyClass::state, Engine::bfs, true, true, "", ""},
    {PropertyClass::state, Engine::dfs, true, true, "", ""},
    {PropertyClass::state, Engine::sweep, true, true, "", ""},
    {PropertyClass::state, Engine::sweep_basic, true, true, "", ""},
    {PropertyClass::state, Engine::couvreur, false, false,
     "decides linear-time properties, not invariants, assertions or deadlocks",
     "with --engine auto each property gets one that fits"},
    {PropertyClass::linear, Engine::bfs, false, false, kNoLinear, kLinearHint},
    {PropertyClass::linear, Engine::dfs, false, false, kNoLinear, kLinearHint},
    {PropertyClass::linear, Engine::sweep, false, false, kNoLinear, kLinearHint},
    {PropertyClass::linear, Engine::sweep_basic, false, false, kNoLinear, kLinearHint},
    {PropertyClass::linear, Engine::couvreur, true, true, "", ""},
}};

const Row& row_of(PropertyClass property, Engine engine) {
    for (const Row& row : kRows)
        if (row.property == property && row.engine == engine) return row;
    assert(false && "every class and engine has a row");
    return kRows.front();
}

std::string_view text_of(MeasureNeed need) {
    switch (need) {
        case MeasureNeed::ignored: return "ignored";
        case MeasureNeed::any: return "any";
        case MeasureNeed::monotonic: return "monotonic";
    }
    return "unknown";
}

}  // namespace

PropertyClass class_of(PropertyKind kind) {
    switch (kind) {
        case PropertyKind::invariant:
        case PropertyKind::deadlock:
        case PropertyKind::assertion: return PropertyClass::state;
        case PropertyKind::ltl:
        case PropertyKind::automaton:
        case PropertyKind::process: return PropertyClass::linear;
    }
    return PropertyClass::state;
}

std::span<const EngineTraits> all_engines() { return kEngines; }

const EngineTraits& traits_of(Engine engine) {
    for (const EngineTraits& traits : kEngines)
        if (traits.engine == engine) return traits;
    assert(false && "an engine that runs has been chosen");
    return kEngines.front();
}

Capability capability(PropertyClass property, Engine engine, bool has_measure, InputKind input) {
    if (engine == Engine::automatic) return {true, "", ""};
    const Row& row = row_of(property, engine);
    const std::string name = "the engine " + std::string(to_string(engine)) + ' ';
    if (!(input == InputKind::model ? row.model : row.program)) return {false, name + row.reason, row.hint};
    if (traits_of(engine).measure != MeasureNeed::ignored && !has_measure)
        return {false, name + "needs a progress measure",
                "give one with --progress EXPR[,EXPR...], most significant first"};
    return {true, "", ""};
}

Capability reading_capability(PropertyKind property, DeadlockReading reading) {
    const bool is_automaton = property == PropertyKind::automaton || property == PropertyKind::process;
    if (is_automaton && reading == DeadlockReading::finite)
        return {false,
                "--deadlocks finite has no meaning for automata and property processes, which read infinite runs",
                "expected stutter or ignore"};
    return {true, "", ""};
}

std::string capability_table() {
    constexpr std::array kClasses{PropertyClass::exploration, PropertyClass::state, PropertyClass::linear};
    const auto yes = [](bool is) { return is ? std::string("yes") : std::string("no"); };
    std::string text =
        "| engine | `explore` | invariants, assertions, deadlocks | LTL, automata, property processes | measure | C++ systems | `--threads` | "
        "`--ledger`, `resume` | `--compress` |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const EngineTraits& traits : kEngines) {
        text += "| `" + std::string(to_string(traits.engine)) + "` |";
        bool programs = true;
        for (const PropertyClass property : kClasses) {
            const Row& row = row_of(property, traits.engine);
            text += ' ' + yes(row.model) + " |";
            programs = programs && row.program == row.model;
        }
        text += ' ' + std::string(text_of(traits.measure)) + " | " + yes(programs) + " | " + yes(traits.threads) +
                " | " + yes(traits.ledger) + " | " + yes(traits.compresses) + " |\n";
    }
    return text;
}

}  // namespace tideline::run
