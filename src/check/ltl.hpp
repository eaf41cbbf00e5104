// Whether every infinite run of a system has a property, decided on a system whose steps carry acceptance marks: the
// product with an automaton of the counterexample runs, or a model with its property process. The property holds if no
// run carries every mark infinitely often; such a run is the counterexample. A deadlock is read as its last state
// repeating for ever (the product sees to that).
//
// A counterexample is shown after two independent checks: it is replayed by other code, and its word violates the
// formula, by the meaning of the formula and not by the automaton.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "check/evidence.hpp"
#include "check/ltl/emptiness.hpp"
#include "check/verdict.hpp"
#include "explore/search.hpp"

namespace tideline::check {

struct LtlRequest {
    ltl::Engine engine = ltl::Engine::couvreur;
    ltl::Variant variant{};
    std::shared_ptr<const successor::System> system;
    model::Marks marks = 0;  // that a counterexample run carries infinitely often
    ltl::FairnessTask fairness{};
    std::string certificate{};       // where a sweep writes why the property holds; empty: nowhere
    bool names_transitions = false;  // it matters for the property which of several steps between two states is taken
    bool is_product = true;          // the last slot is that of an automaton, which is not shown
    std::string name;
    std::string logic;
    std::string formula;
    explore::SearchSettings settings;
    std::function<void(const explore::Statistics&)> tick = [](const explore::Statistics&) {};
    trace::Confirm confirm;  // replays a run of the system
    // Whether the word of a run violates the property; absent where there is no independent check.
    std::function<bool(const trace::Trace&)> is_bad;
    // Of a run that violates the property: what it begins with, where that shows it already.
    std::function<std::optional<trace::Trace>(const trace::Trace&)> bad_prefix{};
};

// What a run must carry infinitely often for the property process of a model to accept it. Without accepting locations
// nothing is accepted: a mark that no step has.
model::Marks accepting_marks(const model::Model& model);

// The verdict; its evidence is computed by with_evidence().
Decision decide_ltl(const LtlRequest& request);

}  // namespace tideline::check
