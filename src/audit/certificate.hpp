// Whether the certificate of a ledger proves what the run says of formulas of CTL and CTL*.
//
// A certificate has a bit per state and temporal subformula, and ranks. What has to hold, state by state and edge by
// edge, is in docs/audit.md; it is checked here with nothing of the engine that wrote it. Formulas are parsed again
// (src/logic is shared), atoms are the labels of the ledger, which the same audit compares with its own evaluation, and
// edges are the steps that it has computed and looked up itself.
//
// Memory is bounded: states are taken in ranges, edges lie in a temporary file in partitions by the range of their
// target. For each operation, every edge carries what the column says of its target to the partition of its source,
// where all successors of a state are looked at together.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "audit/certificate_file.hpp"
#include "audit/claims.hpp"
#include "audit/ledger_file.hpp"

namespace tideline::audit {

struct CertificateResult {
    std::vector<std::string> findings;
    std::vector<bool> confirmed;  // of Claims::branching, the claim of each property
    std::vector<std::string> answers;
};

class CertificateCheck {
public:
    // Of a ledger whose labels are the claimed atoms and are confirmed. Both must outlive this. Throws Objection.
    CertificateCheck(const Claims& claims, LedgerFile& ledger, std::uint64_t memory, std::string directory);
    ~CertificateCheck();
    CertificateCheck(const CertificateCheck&) = delete;
    CertificateCheck& operator=(const CertificateCheck&) = delete;

    // Every step, once, when it is known where it leads.
    void add_edge(std::uint64_t source, std::uint64_t target);

    // Once, when everything has been added. `faulty_labels`: which cannot be evaluated in some state; with a faulty
    // step nothing is proved. `tick` may throw.
    [[nodiscard]] CertificateResult decide(const std::vector<bool>& faulty_labels, bool has_faulty_steps,
                                           const std::function<void()>& tick);
    [[nodiscard]] std::uint64_t temporary_bytes() const;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace tideline::audit
