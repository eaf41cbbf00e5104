// Evidence for a formula of branching time: a tree. An existential operation that holds, and a universal one that does
// not, are shown by a path (or a lasso), with what has to be true along it as branches; boolean operators by those of
// their operands that decide; formulas without quantifiers are evaluated. What holds on all paths, or on none, is
// stated, not enumerated.
//
// Under fairness a path that goes on for ever is a fair one. Where a path ends, that a fair one begins in its last
// state is not shown.
//
// Nothing is shown that was not confirmed: every path is replayed by other code, from the initial state through all
// paths above it, fairness of cycles included, and every evaluated formula is evaluated by other code in every state
// that it is claimed of.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/ctl/oracle.hpp"
#include "check/ctl/work.hpp"
#include "check/fair_sets.hpp"
#include "trace/confirm.hpp"
#include "trace/trace.hpp"

namespace tideline::check::ctl {

struct Claim {
    enum class Kind : std::uint8_t {
        evaluated,  // no quantifier in it: true or false by the values of the state
        parts,      // by its operands
        path,       // by a path
        stated,     // of all paths: nothing that could be shown as one path
        cut,        // left out: the tree has reached its size
    };
    Kind kind = Kind::stated;
    NodeId node = 0;
    std::string formula;
    bool value = false;
    // Where it is claimed: positions [first, last] of the path of the nearest path above it.
    std::size_t first = 0;
    std::size_t last = 0;
    // Of a path: its states, the first of which is the one where the formula is claimed.
    std::vector<Oracle::State> states{};
    std::optional<std::size_t> loop{};  // the last state has a step to this one
    bool stays = false;                 // the last state is a deadlock, which repeats or ends the path
    std::size_t found_length = 0;       // steps before shortening, where the engine found it otherwise; 0: not known
    std::vector<Claim> children{};
};

struct EvidenceTree {
    Claim root;
    Oracle::State initial = 0;
    std::size_t initial_index = 0;  // among the initial states
    std::size_t initial_count = 1;
    std::size_t claims = 0;
    bool is_cut = false;  // "..." somewhere
    // Atoms that other code could not evaluate in some state where they are claimed.
    std::vector<std::string> unconfirmed{};
    std::shared_ptr<const successor::System> system;
    std::map<Oracle::State, std::vector<successor::Word>> packed;  // of all states in it

    // The path of a claim from the initial state on: `above` are the states that lead to its first one, without it.
    [[nodiscard]] trace::Trace trace(const std::vector<Oracle::State>& above, const Claim& claim) const;
    // Calls visit(claim, above) for every claim, from the root down; `above` as in trace().
    void for_each(const std::function<void(const Claim&, const std::vector<Oracle::State>&)>& visit) const;
};

struct EvidenceLimits {
    std::size_t claims = 200;  // 0: no limit
};

// Evaluates an atom with other code, in state i of a trace; nothing where it cannot.
using EvaluateAtom =
    std::function<std::optional<bool>(const std::string& atom, const trace::Trace& trace, std::size_t i)>;

// Whether the cycle of a run is fair, by other code.
using IsFair = std::function<bool(const trace::Trace& trace)>;

// Which paths count.
struct PathReading {
    DeadlockReading deadlocks = DeadlockReading::stutter;
    ProcessBits fairness{};
};

// That a formula has its value in a state. Throws Stopped and std::bad_alloc.
[[nodiscard]] EvidenceTree find_evidence(const Program& program, const PathReading& reading, Oracle& oracle,
                                         NodeId root, Oracle::State initial, EvidenceLimits limits, Work& work);

// Other code that confirms evidence; what is absent is not confirmed.
struct Confirmers {
    const trace::Confirm& replay;
    const IsFair& is_fair;
    const EvaluateAtom& evaluate;
};
// The first disagreement. Notes in the tree which atoms could not be evaluated. Throws Stopped.
[[nodiscard]] std::optional<std::string> refuted(EvidenceTree& tree, const Program& program,
                                                 const Confirmers& confirmers, const support::Budget& budget);

}  // namespace tideline::check::ctl
