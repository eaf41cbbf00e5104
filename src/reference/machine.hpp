// The slow, obvious implementation: a system that can be stepped, described by names and values only. It shares nothing
// with successor/ but the meaning of the language; tests compare the two, and every trace is replayed here before it is
// shown.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/fault.hpp"
#include "support/diagnostic.hpp"

namespace tideline::reference {

// The values of the components, in the order of Machine::names().
using State = std::vector<std::int64_t>;

// Who takes part in a step: a process and the line of the file where its transition begins (1-based).
struct Participant {
    std::string process;
    std::uint32_t line = 0;
    friend bool operator==(const Participant&, const Participant&) = default;
};

struct Step {
    std::vector<Participant> participants;  // in the order: sender, receiver; or one per process; the property's last
    model::FaultKind fault = model::FaultKind::none;
    State next;               // meaningless where there is a fault
    std::uint64_t marks = 0;  // bit i: the step belongs to acceptance set i of the property
};

struct Answer {
    model::FaultKind fault = model::FaultKind::none;
    std::int64_t value = 0;
};

// What an expression outside all processes may name besides the slots (Machine::names).
struct OutsideNames {
    struct Location {
        std::size_t slot = 0;
        std::int64_t value = 0;
    };
    std::map<std::string, Location> locations;  // P.s: 1 where the slot has this value
    std::map<std::string, std::int64_t> constants;
    std::map<std::string, std::vector<std::int64_t>> constant_arrays;
    std::map<std::string, std::vector<std::int64_t>> labels;  // by the value of slot 0
    std::set<std::string> numbers_of_locations;               // slots that are for measures only
    std::map<std::string, std::function<bool(const State&)>> predicates;
};

class Machine {
public:
    virtual ~Machine() = default;

    // Canonical names, unique: x  a[2]  P.x  P.a[2]  for variables; P for the location of process P (value: its place
    // in the list of locations); c.length and c[2] (or c[2].1 where a message has several fields) for a buffered
    // channel.
    [[nodiscard]] virtual const std::vector<std::string>& names() const = 0;
    // At least one, each once.
    [[nodiscard]] virtual std::vector<State> initial_states() const = 0;
    // Of the property; 0: no step has marks.
    [[nodiscard]] virtual std::size_t acceptance_sets() const { return 0; }
    [[nodiscard]] virtual OutsideNames outside_names() const { return {}; }
    // All steps in the canonical order of the language's page in docs/.
    [[nodiscard]] virtual std::vector<Step> steps(const State& state) const = 0;
    // An expression in the model's own language, over names as seen from outside all processes.
    [[nodiscard]] virtual support::Result<Answer> evaluate(const std::string& expression, const State& state) const = 0;
    // The assertions that fail in a state, by index (numbered through the file from 0), with the fault where evaluating
    // one faults.
    struct FailedAssertion {
        std::size_t index;
        model::FaultKind fault;
    };
    [[nodiscard]] virtual std::vector<FailedAssertion> failed_assertions(const State& state) const = 0;
    // All assertions of the file, by index.
    struct Assertion {
        std::string place;      // process and location: P.s
        std::string condition;  // as written
        bool takes_part;        // false: its process is left out
    };
    [[nodiscard]] virtual std::vector<Assertion> assertions() const { return {}; }
};

}  // namespace tideline::reference
