// A run of a system as evidence: packed states, one behind the other, in the packing of a system that the trace keeps
// alive. Names, values and the texts of steps are made from the system when somebody reads them, one state at a time: a
// run of a million steps takes the bytes of a million packed states, and no more while it is replayed or shown.
//
// The step between two states is the first one, in the order of System::steps(), that leads from one to the other, with
// the transition that the trace names where it does.
#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/expression.hpp"
#include "model/fault.hpp"
#include "successor/system.hpp"

namespace tideline::trace {

struct TraceStep {
    std::vector<successor::StepPart> parts;
    std::string label;
    std::vector<successor::StepEvent> events{};  // messages and printed texts

    // Nobody moves: the system stays in a deadlock, or only an automaton beside it takes part.
    [[nodiscard]] bool is_empty() const { return parts.empty() && label.empty(); }
};

// A faulty step after the last state.
struct TraceFault {
    TraceStep step;  // empty where the fault belongs to the state
    model::FaultKind kind = model::FaultKind::none;
    std::string text;
};

// What the last state of a trace violates.
struct ShownViolation {
    enum class Kind : std::uint8_t {
        invariant,
        assertion,
        deadlock,
        formula,  // of runs: no run that begins like this satisfies it
    };
    Kind kind = Kind::invariant;
    std::string name;
    std::string formula{};                            // empty for a deadlock
    model::FaultKind fault = model::FaultKind::none;  // why it cannot be evaluated there; none: it is false there
};

struct Trace {
    // Which of the faulty steps of the last state.
    struct FaultyStep {
        model::TransitionId transition = 0;
        model::FaultKind kind = model::FaultKind::none;
    };

    std::shared_ptr<const successor::System> system;
    std::vector<successor::Word> words;  // of the states, from an initial one on
    std::size_t slots = 0;  // how many of the system's are shown: all, or all but the last one, that of an automaton
    std::optional<std::size_t> loop;  // the last state has a step to this one
    bool stays = false;               // that step is nobody's: the run stays in its last state, a deadlock, for ever
    // Of the steps, where it matters which of several between the same states is taken; empty: the first one.
    std::vector<model::TransitionId> transitions;
    std::optional<FaultyStep> fault;
    std::optional<bool> shortest;  // whether no run to such a violation or fault is shorter (false: one may be)
    std::optional<ShownViolation> violation;  // nothing: the trace shows a fault, a loop, or only how to get there

    [[nodiscard]] bool empty() const { return words.empty(); }
    [[nodiscard]] std::size_t size() const { return empty() ? 0 : words.size() / system->state_words(); }
    // With the step back of a lasso, without a faulty one.
    [[nodiscard]] std::size_t step_count() const { return loop ? size() : empty() ? 0 : size() - 1; }
    [[nodiscard]] const successor::Word* state(std::size_t i) const { return words.data() + i * system->state_words(); }
    // Where step i leads.
    [[nodiscard]] std::size_t target(std::size_t i) const { return i + 1 < size() ? i + 1 : loop.value(); }

    // Which of the system's initial states it begins with, from 0 on, and how many there are; nothing where it begins
    // elsewhere.
    struct Beginning {
        std::size_t number = 0;
        std::size_t of = 1;
    };
    [[nodiscard]] std::optional<Beginning> beginning() const;
    // Of the slots that are shown.
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] std::vector<model::Value> values(std::size_t i) const;
    [[nodiscard]] std::string text(std::size_t slot, model::Value value) const {
        return system->value_text(static_cast<model::SlotId>(slot), value);
    }
    // Of the slots that are shown.
    [[nodiscard]] std::vector<successor::ChannelSlots> channels() const;
    [[nodiscard]] TraceStep step(std::size_t i) const;
    // Only where there is one.
    [[nodiscard]] TraceFault fault_step() const;
};

// States one behind the other, as the system packs them, each with a step to the next. `hidden`: slots at the end that
// are not shown.
Trace make_trace(std::shared_ptr<const successor::System> system, std::vector<successor::Word> words,
                 std::size_t hidden = 0);

// The first faulty step of a state with that transition and kind. There must be one.
successor::StepDetail faulty_step(const successor::System& system, const successor::Word* state,
                                  model::TransitionId transition, model::FaultKind kind);

}  // namespace tideline::trace
