// Certificates: whether a finished run visited exactly the reachable states of its model, and whether what it says of
// them is true.
//
// Only the parser is shared with the run. The ledger is read by a reader of its own (ledger_file.hpp, written from
// docs/ledger-format.md), successors and formulas are computed by reference/, which executes the model's syntax tree.
// What has to hold:
//   - the initial state is in the ledger, and so is every successor of every state: the ledger has all reachable
//     states;
//   - the state that a state was discovered from has a smaller number and really has it as a successor: by induction
//     over the numbers, the ledger has no others;
//   - no state is there twice: the number of states is that of the records;
//   - counting steps, deadlocks and faults and evaluating the formulas state by state gives what the run said;
//   - where labels and edges are recorded, they are those of each state: every step is recorded, with the right target;
//   - the certificate proves what the run says of formulas of CTL and CTL* (certificate.hpp).
// docs/audit.md says what remains to be trusted.
//
// Membership is decided in bounded memory. A state becomes a fingerprint of 128 bits under a key that is drawn for each
// audit, so that no run can have been unlucky with it before; states and steps are partitioned by the fingerprint of
// the state (for a step: of its target) in temporary files, and a partition's states fit into memory. A step carries
// the number of its source: the target finds its recorded parent among the sources of the steps that lead to it,
// without any lookup by number. It also carries the target that the ledger says it has; where that is a temporary id,
// it is compared with the ledger's list of these afterwards, in the same way.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audit/error.hpp"
#include "model/model.hpp"

namespace tideline::audit {

struct AuditProgress {
    enum class Phase : std::uint8_t { files, states, partitions, certificate };
    Phase phase = Phase::files;
    std::uint64_t done = 0;
    std::uint64_t of = 0;  // frames, states, partitions
};

// A system that is not a file but a program. Its states are bytes, and what it does is said by its own code alone.
struct AuditedProgram {
    std::string path;  // of the program, for messages
    std::string hash;  // of the program: XXH3-64, 16 hexadecimal digits
    std::size_t state_bytes = 0;
    std::function<std::vector<std::vector<std::uint8_t>>()> initial_states;  // each once
    using Emit = std::function<void(std::span<const std::uint8_t> next)>;
    std::function<void(std::span<const std::uint8_t> state, const Emit& emit)> successors;
    std::shared_ptr<const model::Model> names;  // what formulas may speak of,
    std::function<std::vector<model::Value>(std::span<const std::uint8_t> state)>
        values;  // and their values in a state
};

struct AuditSettings {
    std::uint64_t memory = std::uint64_t{256} << 20U;  // bytes of tables and buffers, about
    std::string temporary_directory = "/tmp";          // for its files; the caller knows the user's wishes
    std::optional<std::string> model;  // where the file of the model is now; nothing: where the ledger says that it was
    std::optional<AuditedProgram> program;  // instead of a model
    // The automaton of the linear-time property, made again from what the ledger says the property is: that of the
    // ledger could be forged.
    std::optional<std::string> automaton{};
    std::function<void(const AuditProgress&)> progress = [](const AuditProgress&) {};
    std::function<bool()> interrupted = [] { return false; };
};

struct AuditedProperty {
    std::string kind;  // "invariant", "assertion", "deadlock"
    std::string formula;
    bool claimed_violated = false;  // the run has met a state where it does not hold
    std::uint64_t violations = 0;   // states in which it is false or cannot be evaluated
    std::uint64_t first = 0;        // the first of them
    friend bool operator==(const AuditedProperty&, const AuditedProperty&) = default;
};

// A formula of CTL or CTL*, with what the run says of it: "holds", "violated" or "unknown".
struct AuditedFormula {
    std::string name;
    std::string formula;
    std::string answer;
    bool is_confirmed = false;  // by its certificate
    friend bool operator==(const AuditedFormula&, const AuditedFormula&) = default;
};

struct [[nodiscard]] AuditReport {
    std::vector<std::string> findings;  // a sentence each
    bool interrupted = false;
    // Whether the ledger has these, and they were compared.
    bool labels = false;
    bool edges = false;
    // As counted by the audit, as far as it got.
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t deadlocks = 0;
    std::uint64_t faults = 0;
    std::vector<AuditedProperty> properties;
    std::vector<std::string> of_runs;  // names of linear-time properties that hold, confirmed by a certificate
    std::vector<AuditedFormula> formulas;
    std::uint64_t temporary_bytes = 0;  // of its files, at most
    double seconds = 0;

    [[nodiscard]] bool confirmed() const { return findings.empty() && !interrupted; }
};

// Throws AuditError where the audit cannot be made. Damage of the ledger's files is a finding.
AuditReport audit(const std::string& directory, const AuditSettings& settings = {});

}  // namespace tideline::audit
