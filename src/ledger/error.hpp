// What can go wrong with a ledger, in a form that a caller can act on and a user can understand.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tideline::ledger {

enum class LedgerFault : std::uint8_t {
    disk_full,    // the file system or a quota has no room
    limit,        // the ledger's own limit would be exceeded
    io,           // any other error of the system
    not_allowed,  // the file system is read-only or permission is missing
    missing,      // there is no ledger, or it was removed while in use
    exists,       // there is one already, or the directory holds other things
    locked,       // in use by another process
    version,      // written by another version of the format
    damaged,      // what was committed is not what is there
    other_run,    // it is sound, but of a run that this one cannot resume
};

constexpr std::string_view to_string(LedgerFault fault) {
    switch (fault) {
        case LedgerFault::disk_full: return "disk full";
        case LedgerFault::limit: return "disk limit";
        case LedgerFault::io: return "input/output error";
        case LedgerFault::not_allowed: return "not allowed";
        case LedgerFault::missing: return "missing";
        case LedgerFault::exists: return "exists";
        case LedgerFault::locked: return "locked";
        case LedgerFault::version: return "version";
        case LedgerFault::damaged: return "damaged";
        case LedgerFault::other_run: return "of another run";
    }
    return "unknown";
}

class LedgerError : public std::runtime_error {
public:
    LedgerError(LedgerFault kind, std::string file, const std::string& message)
        : std::runtime_error(file + ": " + message), kind_(kind), file_(std::move(file)) {}
    // For damage: where in the file it begins.
    LedgerError(LedgerFault kind, std::string file, std::uint64_t offset, const std::string& message)
        : std::runtime_error(file + ": at byte " + std::to_string(offset) + ": " + message),
          kind_(kind),
          file_(std::move(file)),
          offset_(offset) {}

    [[nodiscard]] LedgerFault kind() const { return kind_; }
    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::uint64_t offset() const { return offset_; }

private:
    LedgerFault kind_;
    std::string file_;
    std::uint64_t offset_ = 0;
};

}  // namespace tideline::ledger
