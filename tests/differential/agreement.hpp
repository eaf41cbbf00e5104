// Compares everything that Tideline says about a model with what reference/ says: the steps of every state in their
// order, the sets of states, deadlocks and faults, assertions, invariants, verdicts and the lengths of traces; and
// sweeps by random progress measures with the full searches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tideline::differential {

struct AgreementOptions {
    bool wrap = false;
    std::size_t max_states = 20'000;  // larger models are skipped
    bool native = false;              // compile the model too: the same successors, and sweeps by machine code
    std::uint64_t seed = 0;           // of the random progress measures
};

struct AgreementResult {
    std::optional<std::string> disagreement;
    bool compared = false;  // false: the model is not valid, too large, or lacks the invariants' names
    std::size_t states = 0;
    std::size_t faults = 0;
    bool nested = false;  // sweeps were nested in components that are proven never to decrease
};

AgreementResult compare_with_reference(const std::string& text, const std::vector<std::string>& invariants,
                                       const AgreementOptions& options = {});

}  // namespace tideline::differential
