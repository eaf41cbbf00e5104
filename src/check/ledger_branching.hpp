// CTL and CTL* on the graph that an exact sweep has left in a ledger (ctl/clusters.hpp): bits in memory, edges on disk.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "check/branching.hpp"
#include "check/ctl/clusters.hpp"
#include "explore/ledger_run.hpp"

namespace tideline::check {

struct LedgerBranchingRequest {
    // Its system is packed as the ledger was last; label i is atom i of the program, further ones may follow. The
    // engine and the settings of a search are ignored, except the budget.
    BranchingRequest branching;
    // A ledger with labels and all edges. It must outlive the decision.
    ledger::LedgerWriter* ledger = nullptr;
    std::string directory;  // for temporary files
    ctl::ClusterSettings clusters;
    // Whether what proves the answers is written beside the ledger (ctl/certificate.hpp), in this number of bytes.
    bool certifies = false;
    std::optional<std::uint64_t> certificate_bytes{};
    // Hears why a certificate was given up.
    std::function<void(const std::string&)> notice = [](const std::string&) {};
};

// `explored`: the outcome of the search that wrote the ledger, complete, with the faulty steps that it met. The
// verdicts are added to it; their evidence is computed by with_evidence(). Throws LedgerError.
Decision decide_on_ledger(const LedgerBranchingRequest& request, Outcome explored);

}  // namespace tideline::check
