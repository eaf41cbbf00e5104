// The question that every linear-time check comes down to, whatever the engine: does a system with acceptance marks on
// its steps (a product with an automaton, or a model with a property process) have an infinite run from an initial
// state that carries every wanted mark infinitely often? This file has the engines' names, what they are given, and
// what they return.
//
// The answer comes first; runs are computed afterwards (EmptinessEvidence), from what the search has kept. An engine is
// a function from EmptinessTask to EmptinessResult, a file of its own, and a case of find_accepting_run() in
// engines.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/fairness.hpp"
#include "check/verdict.hpp"
#include "explore/search.hpp"
#include "successor/step_labels.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline::check::ltl {

enum class Engine : std::uint8_t {
    couvreur,           // any number of marks, on steps
    graph,              // the same, on the numbered graph in memory
    sweep,              // the same, with the states behind the sweep line in a ledger; a system with a progress measure
    ndfs,               // these take one mark at most, which all steps of a state carry or none:
    map,                // the state is accepting
    ltl_sweep_offline,  // and these a system with a progress measure
    ltl_sweep_online,
};

constexpr std::string_view to_string(Engine engine) {
    switch (engine) {
        case Engine::couvreur: return "couvreur";
        case Engine::graph: return "graph";
        case Engine::sweep: return "sweep";
        case Engine::ndfs: return "ndfs";
        case Engine::map: return "map";
        case Engine::ltl_sweep_offline: return "ltl-sweep-offline";
        case Engine::ltl_sweep_online: return "ltl-sweep-online";
    }
    return "unknown";
}

// Whether an engine takes automata with accepting states only.
constexpr bool is_state_based(Engine engine) {
    return engine != Engine::couvreur && engine != Engine::graph && engine != Engine::sweep;
}
// Whether an engine goes by a progress measure.
constexpr bool is_sweep(Engine engine) {
    return engine == Engine::sweep || engine == Engine::ltl_sweep_offline || engine == Engine::ltl_sweep_online;
}

// How an engine does it, where there are several ways.
struct Variant {
    bool plain = false;           // ndfs: without early detection of cycles
    bool progress_graph = false;  // ltl-sweep: states outside cycles of the progress graph are left out
    bool progress_order = false;  // ltl-sweep: of two persistent states the one with more progress is the larger
    bool mpp2 = false;            // ltl-sweep: persistent states wait for the next sweep also when they propagate

    friend bool operator==(const Variant&, const Variant&) = default;
};

// Fairness that is no matter of marks that must recur; the engines `graph` and `sweep` know it.
struct FairnessTask {
    Fairness kind = Fairness::none;
    std::shared_ptr<const successor::ProcessTable> processes{};
    std::optional<unsigned> enabled_marks{};  // from this mark on: which processes have a step in the source; nothing:
                                              // the row of the source shows them
    std::optional<unsigned> moved_marks{};    // and which of them the step moves; nothing: its transition shows them.
                                              // The sweep needs both
};

struct EmptinessTask {
    std::shared_ptr<const successor::System> system;
    model::Marks marks = 0;  // those that must recur; none: every cycle counts
    explore::SearchSettings settings;
    std::function<void(const explore::Statistics&)> tick = [](const explore::Statistics&) {};
    Variant variant{};
    FairnessTask fairness{};
    std::string certificate{};  // of an exact sweep: the directory for it; empty: none is wanted
};

// States of a run, one after the other.
struct PackedRun {
    std::vector<successor::Word> states;
    std::shared_ptr<const successor::System> system;  // as they are packed
};

// States of a run that ends in a cycle, one after the other: the last one has a step to the one at index `loop`.
struct PackedLasso {
    std::vector<successor::Word> states;
    std::size_t loop = 0;
    std::shared_ptr<const successor::System> system;  // as they are packed
    std::vector<model::TransitionId> transitions{};   // of the steps, the one back included; empty: not known
};

// A kind of faulty step that occurred.
struct MetFault {
    model::TransitionId transition = 0;
    model::FaultKind kind = model::FaultKind::none;
    std::uint64_t occurrences = 0;
    std::vector<successor::Word> state;  // of the first one, as EmptinessResult::system packs it
};

// What a search has kept. Where a run is not returned, the budget was exhausted, or there was not enough memory.
class EmptinessEvidence {
public:
    virtual ~EmptinessEvidence() = default;
    // Only where one was found.
    [[nodiscard]] virtual std::optional<PackedLasso> accepting_run(const support::Budget& budget) = 0;
    // A shortest path, perhaps among the states that were expanded, to the state of faults[i].
    [[nodiscard]] virtual std::optional<PackedRun> path_to_fault(std::size_t i, const support::Budget& budget) = 0;
};

struct EmptinessResult {
    bool complete = false;                                   // every reachable state was visited
    support::StopReason reason = support::StopReason::none;  // otherwise; violation: there is an accepting run
    std::vector<MetFault> faults;
    explore::Statistics statistics;
    std::shared_ptr<const successor::System> system;  // as it is packed in the end
    std::unique_ptr<EmptinessEvidence> evidence;
    // Of a sweep.
    bool forgets = false;                               // states were deleted and visited again: counts are not known
    std::optional<CycleKind> cycle{};                   // that was found
    std::optional<explore::OffendingStep> offending{};  // for no_key
    std::optional<ResidualFigures> residual{};          // of an exact sweep
    bool resumable = false;                             // its ledger has what a resumed run continues from
    std::optional<Engine> engine{};                     // that has decided it, where it is not the one that was asked
    // Of an engine that changes over: the search continues with this, and nothing else matters.
    std::optional<explore::ChangeTarget> continues_with{};
};

[[nodiscard]] EmptinessResult find_accepting_run(Engine engine, const EmptinessTask& task);

}  // namespace tideline::check::ltl
