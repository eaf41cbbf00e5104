// What a run works on: a model that was loaded from a file, or a system written in C++.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "check/ctl/evidence_tree.hpp"
#include "input/load.hpp"
#include "progress/measure.hpp"
#include "run/capability.hpp"
#include "run/refusal.hpp"
#include "run/spec.hpp"
#include "successor/native/native_system.hpp"
#include "successor/system.hpp"
#include "trace/confirm.hpp"

namespace tideline::run {

using MakeModelSystem = std::function<std::shared_ptr<const successor::System>(
    std::vector<model::Expression> labels, const progress::Measure* measure, successor::Successors successors,
    std::optional<successor::Layout> layout, const support::Budget& budget, std::string& notice)>;

struct LoadedSystem {
    std::string path;
    InputKind kind = InputKind::model;
    std::shared_ptr<const model::Model> names;     // what expressions may speak of, and the assertions
    std::optional<progress::Measure> own_measure;  // that comes with it
    std::string hash;                              // of the text or the program that it was made from
    // The system with these labels; by its own measure where `measure` is null; packed as it was before where `layout`
    // says how. `notice` says what could not be done as asked. The budget must outlive it.
    MakeModelSystem make_system;
    // The same by canonical representatives of its states. Absent where a system written in C++ does not give them.
    decltype(make_system) make_canonical;
    // Where states are representatives of classes: whether all states of every class have the same key. Absent: states
    // are states.
    std::function<bool(const progress::Measure& measure)> keeps_measure;
    // Replays a trace with independent code.
    trace::Confirm confirm;
    // The processes that have a step in state i of a trace, by independent code; in an explicit graph the names of
    // actions. Absent where processes have no names.
    std::function<std::vector<std::string>(const trace::Trace& trace, std::size_t i)> enabled_at;
    // Evaluates an atom in a state of a trace with independent code.
    check::ctl::EvaluateAtom evaluate;
    // The visible labels of a run, where an automaton reads them.
    std::function<std::string(const trace::Trace& trace)> visible_labels;
    // A system written in C++, for an audit.
    std::optional<audit::AuditedProgram> audited;
};

// The model of a run. Where it has a property process that the run does not explore, there are two systems.
struct LoadedInput {
    LoadedSystem system;                              // that is searched
    std::optional<LoadedSystem> with_process;         // the same with its property process
    std::vector<input::FileProperty> properties;      // that the model's file states
    std::vector<input::ProcessInstance> instances{};  // that are created at run time, as far as they are known
    support::Diagnostics warnings;
    // The same with room for the process that a step of this state creates (run/instances.hpp). Absent where a model
    // creates none. The budget of load() must live.
    std::function<OrRefusal<LoadedInput>(const std::vector<model::Value>& state)> grown;
};

// Makes the systems of a model, which has this measure of its own.
[[nodiscard]] MakeModelSystem systems_of(std::shared_ptr<const model::Model> model,
                                         std::optional<progress::Measure> own);

// Reads the model of a spec, and sets its language and hash.
[[nodiscard]] OrRefusal<LoadedInput> load(RunSpec& spec, const support::Budget& budget);

// The hash of the running program. Throws std::runtime_error where it cannot be read.
[[nodiscard]] std::string hash_of_program();

}  // namespace tideline::run
