// Confirms a recorded run against a Machine, step by step: the final check of every counterexample before it is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference/machine.hpp"
#include "support/budget.hpp"

namespace tideline::reference {

// The values of all names, in any order.
using NamedValues = std::vector<std::pair<std::string, std::int64_t>>;

// A run: state 0, step 0, state 1, step 1, ... It ends with a state; or, where there is a fault, with the faulty step;
// or, where there is a loop, with the step back from the last state to state `loop`. A step back without participants
// is a run that stays for ever in a deadlock: it must lead from the last state to itself, and the state must have no
// step.
//
// It is read state by state, in this order except for the state that a loop goes back to, so that a long run need not
// be in memory.
class Run {
public:
    virtual ~Run() = default;
    [[nodiscard]] virtual std::size_t states() const = 0;
    [[nodiscard]] virtual std::size_t steps() const = 0;
    [[nodiscard]] virtual model::FaultKind fault() const = 0;
    [[nodiscard]] virtual std::optional<std::size_t> loop() const = 0;
    // The values in the order of the machine's names; or else what is wrong with them.
    [[nodiscard]] virtual std::optional<std::string> read_state(std::size_t i, State& state) const = 0;
    [[nodiscard]] virtual std::vector<Participant> participants_of(std::size_t i) const = 0;
};

// A run that is written out.
struct RecordedTrace {
    std::vector<NamedValues> states;
    std::vector<std::vector<Participant>> steps;
    model::FaultKind fault = model::FaultKind::none;
    std::optional<std::size_t> loop;
};

[[nodiscard]] NamedValues named_values(const Machine& machine, const State& state);

struct Replayed {
    support::StopReason stopped =
        support::StopReason::none;            // the budget was exhausted before the run was confirmed or refuted
    std::optional<std::string> disagreement;  // the first one, such as "step 3: ..." (steps are counted from 1)
};
[[nodiscard]] Replayed replay(const Machine& machine, const Run& run, const support::Budget& budget);

// Nothing where the run is confirmed; otherwise the first disagreement, such as "step 3: ..." (steps are counted from
// 1).
[[nodiscard]] std::optional<std::string> replay(const Machine& machine, const RecordedTrace& trace);

}  // namespace tideline::reference
