// Why a ledger could not be audited, or why it cannot be what it claims to be.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tideline::audit {

enum class AuditFault : std::uint8_t {
    missing,       // there is no such directory
    not_a_ledger,  // there is one, but nothing that could be audited is in it
    locked,        // the run is still writing
    version,       // written by another version of the format
    model,         // the model cannot be read
    memory,        // the memory is too small for the number of states
    io,            // an error of the system, with the ledger or with temporary files
};

// The audit could not be made: nothing is said about the ledger.
class AuditError : public std::runtime_error {
public:
    AuditError(AuditFault kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    [[nodiscard]] AuditFault kind() const { return kind_; }

private:
    AuditFault kind_;
};

// A finding after which nothing more can be checked. audit() catches it.
class Objection : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace tideline::audit
