// Whether a system satisfies formulas of CTL and CTL* in all of its initial states. One exploration serves all formulas
// of a request; equal subformulas are decided once.
//
// A step or an atom with a run-time fault leaves the verdicts unknown: what lies behind the step, or the value of the
// atom, is not defined. An engine that works on the fly decides where it does not meet one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/ctl/evidence_tree.hpp"
#include "check/ctl/prod.hpp"
#include "check/ctl/program.hpp"
#include "check/evidence.hpp"
#include "check/fair_sets.hpp"
#include "check/verdict.hpp"
#include "explore/search.hpp"

namespace tideline::check {

enum class BranchingEngine : std::uint8_t {
    labelling,  // ctl/labelling.hpp
    prod,       // ctl/prod.hpp; not CTL*
    local,      // ctl/local.hpp; not CTL*
};

struct BranchingProperty {
    std::string name;
    std::string logic;    // "ctl" or "ctlstar"
    std::string formula;  // as the user wrote it
};

struct BranchingRequest {
    std::shared_ptr<const successor::System> system;  // label i is atom i of the program
    std::shared_ptr<const ctl::Program> program;      // a root per property
    std::vector<BranchingProperty> properties;
    BranchingEngine engine = BranchingEngine::labelling;
    DeadlockReading deadlocks = DeadlockReading::stutter;
    ProcessBits fairness{};  // whose paths count; labelling alone knows it
    explore::SearchSettings settings;
    std::function<void(const explore::Statistics&)> tick = [](const explore::Statistics&) {};
    trace::Confirm confirm;      // replays a run of the system
    ctl::IsFair is_fair;         // by other code, of a run that ends in a cycle
    ctl::EvaluateAtom evaluate;  // with other code; absent: atoms are not evaluated again
    ctl::ProdOrder order = ctl::ProdOrder::numbers;
    ctl::EvidenceLimits evidence;
    bool counts_satisfying = false;
    std::size_t lists = 0;  // that many states per subformula
};

// The verdicts; their evidence is computed by with_evidence().
Decision decide_branching(const BranchingRequest& request);

}  // namespace tideline::check
