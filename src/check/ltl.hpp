// Whether every infinite run of a system has a property, decided on a system whose steps carry acceptance marks: the product with an
// automaton of the bad runs, or a model with its property process. The property holds if no run carries every mark infinitely often; such
// a run is the counterexample. A deadlock is read as its last state repeating for ever (the product sees to that).
//
// A counterexample is shown after two others have agreed: it is walked again by other code, and the word of its letters is one of the bad
// words, by the meaning of the formula and not by the automaton.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "check/evidence.hpp"
#include "check/verdict.hpp"
#include "explore/search.hpp"

namespace tideline {

struct LtlRequest {
    std::shared_ptr<const System> system;
    Marks marks = 0;                  // that a bad run carries infinitely often
    bool is_product = true;           // the last slot is that of an automaton, which is not shown
    std::string name;
    std::string logic;
    std::string formula;
    SearchSettings settings;
    std::function<void(const Statistics&)> tick = [](const Statistics&) {};
    Confirm confirm;                  // walks a run of the system again
    // Whether the word of a run is one of the bad ones; absent where nobody else can tell.
    std::function<bool(const Trace&)> is_bad;
};

// What a run must carry infinitely often for the property process of a model to accept it. Without accepting locations nothing is accepted: a
// mark that no step has.
Marks accepting_marks(const Model& model);

// The verdict; its evidence is computed by with_evidence().
Decision decide_ltl(const LtlRequest& request);

}  // namespace tideline
