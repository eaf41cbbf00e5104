#include "run/capability.hpp"

#include <array>
#include <cassert>
#include <string>
#include <vector>

namespace tideline::run {
namespace {

constexpr PropertyClasses kStates = classes({PropertyClass::exploration, PropertyClass::state});
constexpr PropertyClasses kStatesAndLinear =
    classes({PropertyClass::exploration, PropertyClass::state, PropertyClass::linear});
constexpr PropertyClasses kLinear = classes({PropertyClass::linear});
constexpr PropertyClasses kCtl = classes({PropertyClass::ctl});
constexpr PropertyClasses kBranching = classes({PropertyClass::ctl, PropertyClass::ctlstar});

// What an engine sees of a model and of a system written in C++ is a System, so every engine works on both.
constexpr std::array kEngines{
    EngineTraits{Engine::bfs, kStates, MeasureNeed::ignored, true, true, true},
    EngineTraits{Engine::dfs, kStates, MeasureNeed::ignored, false, false, false},
    EngineTraits{Engine::sweep, kStatesAndLinear, MeasureNeed::any, true, true, false},
    EngineTraits{Engine::sweep_basic, kStates, MeasureNeed::monotonic, true, true, false},
    EngineTraits{Engine::couvreur, kLinear, MeasureNeed::ignored, false, false, false},
    EngineTraits{Engine::graph, kLinear, MeasureNeed::ignored, true, false, false},
    EngineTraits{Engine::ndfs, kLinear, MeasureNeed::ignored, false, false, false},
    EngineTraits{Engine::map, kLinear, MeasureNeed::ignored, false, false, false},
    EngineTraits{Engine::ltl_sweep_offline, kLinear, MeasureNeed::any, false, false, false},
    EngineTraits{Engine::ltl_sweep_online, kLinear, MeasureNeed::any, false, false, false},
    EngineTraits{Engine::labelling, kBranching, MeasureNeed::ignored, true, false, false},
    EngineTraits{Engine::prod, kCtl, MeasureNeed::ignored, true, false, false},
    EngineTraits{Engine::local, kCtl, MeasureNeed::ignored, false, false, false},
    EngineTraits{Engine::ledger, kBranching, MeasureNeed::any, true, true, false},
    EngineTraits{Engine::scc_ctl, kCtl, MeasureNeed::monotonic, false, true, false},
};

std::string_view text_of(PropertyClass property) {
    switch (property) {
        case PropertyClass::exploration: return "explorations";
        case PropertyClass::state: return "invariants, assertions or deadlocks";
        case PropertyClass::linear: return "linear-time properties";
        case PropertyClass::ctl: return "CTL";
        case PropertyClass::ctlstar: return "CTL*";
    }
    return "unknown";
}

// "auto, a, b or c".
std::string engines_for(PropertyClass property) {
    std::vector<std::string> names{"auto"};
    for (const EngineTraits& traits : kEngines)
        if (traits.can_decide(property)) names.emplace_back(to_string(traits.engine));
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i];
    return text;
}

std::string decided_by(const EngineTraits& traits) {
    if (traits.can_decide(PropertyClass::state)) return "states";
    std::string text;
    for (const PropertyClass property : kPropertyClasses)
        if (traits.can_decide(property)) text += (text.empty() ? "" : " and ") + std::string(text_of(property));
    return text;
}

Capability undecided(const EngineTraits& traits, PropertyClass property) {
    const std::string name = "the engine " + std::string(to_string(traits.engine)) + ' ';
    if (property == PropertyClass::exploration)
        return {false, name + "decides " + decided_by(traits), "it is for 'check'; expected " + engines_for(property)};
    if (traits.can_decide(PropertyClass::state))
        return {false, name + "does not decide " + std::string(text_of(property)),
                "expected --engine " + engines_for(property)};
    return {false, name + "decides " + decided_by(traits) + ", not " + std::string(text_of(property)),
            property == PropertyClass::state ? "with --engine auto each property gets one that fits"
                                             : "expected --engine " + engines_for(property)};
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
        case PropertyKind::ctl: return PropertyClass::ctl;
        case PropertyKind::ctlstar: return PropertyClass::ctlstar;
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
    const EngineTraits& traits = traits_of(engine);
    if (!traits.can_decide(property)) return undecided(traits, property);
    const std::string name = "the engine " + std::string(to_string(engine)) + ' ';
    if (input == InputKind::program && !traits.programs)
        return {false, name + "does not work on systems written in C++", "expected --engine auto"};
    if (traits.measure != MeasureNeed::ignored && !has_measure)
        return {false, name + "needs a progress measure",
                "give one with --progress EXPR[,EXPR...], most significant first"};
    return {true, "", ""};
}

Capability variant_capability(EngineVariant variant, Engine engine) {
    const bool is_of_ndfs = variant == EngineVariant::plain || variant == EngineVariant::early;
    const bool is_ltl_sweep = engine == Engine::ltl_sweep_offline || engine == Engine::ltl_sweep_online;
    if (is_of_ndfs ? engine == Engine::ndfs : is_ltl_sweep) return {true, "", ""};
    return {false,
            "the engine " + std::string(to_string(engine)) + " has no variant " + std::string(to_string(variant)),
            is_of_ndfs ? "it is for --engine ndfs" : "it is for --engine ltl-sweep-offline and ltl-sweep-online"};
}

Capability marks_capability(Engine engine, bool has_accepting_states) {
    const bool needs_states = engine == Engine::ndfs || engine == Engine::map || engine == Engine::ltl_sweep_offline ||
                              engine == Engine::ltl_sweep_online;
    if (!needs_states || has_accepting_states) return {true, "", ""};
    return {false,
            "the engine " + std::string(to_string(engine)) +
                " takes one set of accepting states; this property process has more, or runs that end do not count",
            "expected --engine auto or couvreur"};
}

Capability reading_capability(PropertyKind property, DeadlockReading reading) {
    const bool is_automaton = property == PropertyKind::automaton || property == PropertyKind::process;
    if (is_automaton && reading == DeadlockReading::finite)
        return {false,
                "--deadlocks finite has no meaning for automata and property processes, which read infinite runs",
                "expected stutter or ignore"};
    return {true, "", ""};
}

Capability fairness_capability(PropertyKind property, Engine engine, Fairness fairness, InputKind input) {
    if (fairness == Fairness::none) return {true, "", ""};
    const bool is_branching = class_of(property) == PropertyClass::ctl || class_of(property) == PropertyClass::ctlstar;
    if (class_of(property) != PropertyClass::linear && !is_branching)
        return {false, "--fair is about properties of runs: linear-time ones, CTL and CTL*",
                "leave it out, or ask for --ltl, --ctl, --ctlstar, --automaton or a property process alone"};
    if (input == InputKind::program)
        return {false, "--fair needs to know all processes, and a system written in C++ does not name them",
                "write the condition as a formula"};
    const std::string name = "the engine " + std::string(to_string(engine)) + ' ';
    if (engine == Engine::automatic || engine == Engine::graph) return {true, "", ""};
    if (is_branching) {
        if (engine == Engine::labelling || engine == Engine::ledger) return {true, "", ""};
        if (engine == Engine::prod)
            return {
                false,
                name +
                    "decides in one depth-first pass, and whether a path can stay in a set fairly is a matter of components",
                "expected --engine auto, labelling or ledger"};
        if (engine == Engine::local)
            return {false, name + "does not visit all states that decide which paths are fair",
                    "expected --engine auto, labelling or ledger"};
        return {false, name + "does not know fairness", "expected --engine auto, labelling or ledger"};
    }
    if (engine != Engine::couvreur && engine != Engine::sweep)
        return {false, name + "does not know fairness",
                "expected --engine auto, graph, sweep or, for weak fairness, couvreur"};
    if (fairness == Fairness::strong && engine == Engine::couvreur)
        return {false, name + "does not decide strong fairness, which is no matter of acceptance marks",
                "expected --engine auto, graph or sweep"};
    return {true, "", ""};
}

Capability symmetry_capability(Fairness fairness, const std::string& symmetry) {
    if (symmetry.empty() || fairness == Fairness::none) return {true, "", ""};
    return {
        false,
        "--symmetry: which process a step moves is not the same in a state and its representative, so fairness between processes is not kept",
        "leave --fair or --symmetry out"};
}

std::string engines_with_ledger() {
    std::string text;
    for (const EngineTraits& traits : kEngines)
        if (traits.ledger) text += (text.empty() ? "" : ", ") + std::string(to_string(traits.engine));
    return text;
}

std::string capability_table() {
    const auto yes = [](bool is) { return is ? std::string("yes") : std::string("no"); };
    std::string text =
        "| engine | `explore` | invariants, assertions, deadlocks | LTL, automata, property processes | CTL | CTL* | measure | C++ systems | "
        "`--threads` | `--ledger`, `resume` | `--compress` | `--symmetry` |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
    for (const EngineTraits& traits : kEngines) {
        text += "| `" + std::string(to_string(traits.engine)) + "` |";
        for (const PropertyClass property : kPropertyClasses) text += ' ' + yes(traits.can_decide(property)) + " |";
        text += ' ' + std::string(text_of(traits.measure)) + " | " + yes(traits.programs) + " | " +
                yes(traits.threads) + " | " + yes(traits.ledger) + " | " + yes(traits.compresses) + " | " +
                yes(traits.symmetry) + " |\n";
    }
    return text;
}

}  // namespace tideline::run
