// What a run says of itself: in the header of its ledger before it began, in the last checkpoint when it was complete.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/ledger_file.hpp"
#include "input/load.hpp"

namespace tideline::audit {

struct ClaimedProperty {
    enum class Kind : std::uint8_t {
        invariant,
        assertion,
        deadlock,
        atom,  // of a formula: a label of states, of which nothing is claimed but its value
    };
    Kind kind = Kind::invariant;
    std::string name;  // "assert P.s"; may be empty
    std::string formula;
    bool violated = false;  // the run has met a state where it does not hold
};

// A formula of CTL or CTL* that the run was to decide. The answer is in the ledger's certificate.
struct BranchingClaim {
    std::string name;
    std::string formula;
    bool is_star = false;
};

struct Claims {
    std::string model_path;
    std::string model_hash;  // XXH3-64, 16 hexadecimal digits
    input::LoadOptions options;
    std::string automaton;  // of a product, in HOA; empty: there is none
    std::vector<ClaimedProperty> properties;
    std::vector<BranchingClaim> branching;
    std::string ends = "stutter";        // how runs that end are read
    bool is_of_labels = false;           // an automaton reads the labels of steps
    bool is_reduced = false;             // not all states are visited
    std::string end_states{};            // deadlocks that are proper ends; empty: none
    std::string fairness = "none";       // other runs do not count
    std::vector<std::string> of_runs{};  // names of linear-time properties that the run was to decide
    bool is_of_process = false;          // and it is a property process of the model
    // Whether the ledger is that of a sweep for a linear-time property.
    [[nodiscard]] bool is_run_sweep() const { return !of_runs.empty() && properties.empty(); }
    bool complete = false;
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t deadlocks = 0;
    std::uint64_t faults = 0;
};

// Objects where something is missing.
[[nodiscard]] Claims read_claims(const LedgerFile& ledger);

[[nodiscard]] const char* to_string(ClaimedProperty::Kind kind);

}  // namespace tideline::audit
