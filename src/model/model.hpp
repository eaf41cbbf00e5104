// What a system is, independent of the language it was written in: slots with ranges, processes with locations,
// guarded transitions. Every input language is translated into a Model; every static analysis starts from one.
//
// How the languages' concepts are carried:
//   arrays                 a Variable of several slots, indexed by expressions
//   buffered channels      a length variable and an array per message field; send and receive are guards and effects
//   rendezvous             a Transition with two participants (one Transition per pair)
//   channels as values     numbers; a rendezvous of a channel variable compares them in its guard
//   process instances      a Process with a location that means "not running"; creating one assigns its slots
//   committed locations    Process::committed, Transition::committed
//   atomic sequences       Model::atomic names the variable that holds 1 + the process that continues alone while it
//                          can; no state where it is not 0 is ever seen
//   assertions in a step   Require: the step is a fault where they do not hold
//   priorities             Transition::priority: only the highest among the enabled ones happen
//   synchronous systems    Composition::lockstep
//   property automata      Model::observer, whose transitions carry acceptance marks
//   nets                   transitions without participants
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/expression.hpp"
#include "model/fault.hpp"
#include "support/source.hpp"

namespace tideline::model {

using VariableId = std::uint32_t;
using ProcessId = std::uint32_t;
using TransitionId = std::uint32_t;

struct Range {
    Value low = 0;
    Value high = 0;
    [[nodiscard]] bool holds(Value value) const { return low <= value && value <= high; }
    // The largest minus the least. Not as a Value: that of a range of 64 bits does not fit one.
    [[nodiscard]] std::uint64_t span() const {
        return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    }
    friend bool operator==(const Range&, const Range&) = default;
};

struct Variable {
    enum class Kind : std::uint8_t { data, location, channel };
    std::string name;  // as in traces: x  P.x  P (its location)  c.length  c
    Kind kind = Kind::data;
    Range range;
    std::optional<std::uint32_t> length;  // absent: a scalar
    SlotId first_slot = 0;
    std::optional<ProcessId> owner;
    // The names of the values 0, 1, ...: of a location all of them; otherwise one that is empty or missing is a number.
    std::vector<std::string> value_names;
    std::string element_suffix;  // element i prints as name[i]suffix
    [[nodiscard]] std::uint32_t slot_count() const { return length.value_or(1); }
};

// A constant with a name; an array of them is indexed by Op::load_table.
struct Table {
    std::string name;
    std::vector<Value> values;
    bool array = false;
    std::optional<ProcessId> owner;
};

struct Target {
    VariableId variable = 0;
    std::optional<Expression> index;  // for arrays
};

// All values are evaluated, then stored from left to right (an index is evaluated when its target's turn comes).
struct Assign {
    std::vector<Target> targets;
    std::vector<Expression> values;
    bool wrap = false;  // a value out of range wraps around instead of being a fault
    // Where not empty: values[i] must also lie in passing[i] (the type of a channel's field), checked just before it is
    // stored.
    std::vector<Range> passing;
};

// Elements first+1 ... first+count-1 of an array move down by one index, the last becomes 0.
struct Shift {
    VariableId variable = 0;
    Expression first;
    std::uint32_t count = 0;
};

// Where the condition does not hold, the step is a fault.
struct Require {
    Expression condition;
    FaultKind fault = FaultKind::assertion;
    std::string text;  // what went wrong
};

using Effect = std::variant<Assign, Shift, Require>;

struct Participant {
    ProcessId process = 0;
    Value from = 0;
    Value to = 0;
    support::SourceSpan span;  // where its transition is written
};

// A message or a text of a transition, for people: searches do not evaluate it.
struct Event {
    enum class Kind : std::uint8_t { send, receive, print } kind = Kind::print;
    std::uint32_t participant = 0;     // who, in Transition::participants
    std::uint32_t after = 0;           // the values are those after this number of effects
    Expression channel;                // of a message: its number, 1 being the first of Model::channels
    std::vector<Expression> values;    // of the message, or printed
    std::vector<std::uint32_t> names;  // how each of them is shown: 1 + a place in Model::value_lists; 0: as a number
    std::string text;                  // printed: with the conversions of printf
};

// Marks of a transition in up to 64 acceptance sets.
using Marks = std::uint64_t;

struct Transition {
    std::vector<Participant> participants;  // the first is the one that acts (the sender)
    std::vector<Expression> guards;         // all must hold; evaluated in this order, up to the first that does not
    std::vector<Effect> effects;  // in sequence; afterwards the locations of participants that leave theirs change
    std::string label;            // channel or action; may be empty
    std::vector<Event> events;    // in sequence
    Marks marks = 0;
    int priority = 0;
    bool committed = false;  // every participant leaves a committed location
};

struct Process {
    std::string name;
    VariableId location = 0;
    std::vector<bool> committed;                      // by location; empty: none
    std::vector<std::vector<TransitionId>> outgoing;  // by location; transitions whose first participant this is
    support::SourceSpan span;
};

// How a channel is carried, for people.
struct Channel {
    std::string name;
    std::optional<VariableId> length;  // absent: a rendezvous channel
    std::vector<VariableId> contents;  // by field: arrays; their slots follow that of the length
};

struct NamedExpression {
    std::string name;
    Expression expression;
    support::SourceSpan span;
};

enum class Composition : std::uint8_t {
    interleaving,  // one transition at a time
    lockstep,      // every process takes one transition, all at once
};

struct Model {
    std::string format;  // "dve", "aut", ...
    support::SourceText source;
    std::vector<Variable> variables;
    std::vector<Table> tables;
    std::vector<Value> initial;       // by slot
    std::vector<Value> more_initial;  // further initial states, one behind the other; explicit graphs alone have them
    std::vector<Process> processes;
    std::vector<Channel> channels;
    std::vector<std::vector<std::string>> value_lists;  // names of the values 0, 1, ..., for events
    std::vector<Transition> transitions;
    std::vector<TransitionId> free_transitions;  // those without participants
    Composition composition = Composition::interleaving;
    // Where it is not 0, only the process that it names acts, by transitions of priority 0 or more. These states are
    // not states of the system: a step goes on through them until it is 0. Where the process cannot go on it becomes 0,
    // and that is a state.
    std::optional<VariableId> atomic;
    bool has_priorities = false;
    std::optional<ProcessId> observer;  // the property: moves with every step of the others
    bool explores_observer = true;      // an exploration without properties is one of the system with its observer
    std::uint32_t acceptance_sets = 0;
    std::vector<NamedExpression> assertions;
    std::vector<NamedExpression> labels;
    std::string end_label;  // a state where this label holds may have no step; empty: no state may
    std::vector<std::vector<Expression>> progress;  // the model's own measure, most significant component first: each
                                                    // one expression or the parts of a vector

    // A copy without the transitions, which may be millions: enough to evaluate expressions.
    [[nodiscard]] Model without_transitions() const;
    [[nodiscard]] SlotId slot_count() const { return static_cast<SlotId>(initial.size()); }
    [[nodiscard]] std::size_t initial_count() const {
        return more_initial.empty() ? 1 : 1 + more_initial.size() / initial.size();
    }
    // The values of the i-th initial state, by slot.
    [[nodiscard]] const Value* initial_state(std::size_t i) const {
        return i == 0 ? initial.data() : more_initial.data() + (i - 1) * initial.size();
    }
    VariableId add_variable(Variable variable, const std::vector<Value>& initial_values);
    TransitionId add_transition(Transition transition);
    // The value of a scalar, or of an element of an array.
    [[nodiscard]] Expression read(VariableId variable) const {
        return Expression::slot(variables[variable].first_slot);
    }
    [[nodiscard]] Expression read(VariableId variable, Expression index) const {
        return Expression::element(variables[variable].first_slot, variables[variable].slot_count(), std::move(index));
    }
    // Whether a process is in a location.
    [[nodiscard]] Expression at(ProcessId process, Value location) const {
        return Expression::binary(Op::equal, read(processes[process].location), Expression::constant(location));
    }
    // Maps slots to the variables that they belong to.
    struct SlotOwner {
        VariableId variable = 0;
        std::uint32_t element = 0;
    };
    [[nodiscard]] std::vector<SlotOwner> slot_owners() const;
    [[nodiscard]] std::string slot_name(SlotOwner owner) const;
    // Whether it is a graph that was given edge by edge: one process, whose location is the whole state, and
    // transitions without conditions.
    [[nodiscard]] bool is_explicit_graph() const;
    // A value for people: a location by its name.
    [[nodiscard]] std::string value_text(VariableId variable, Value value) const;
    [[nodiscard]] const std::string& location_name(ProcessId process, Value location) const;
};

}  // namespace tideline::model
