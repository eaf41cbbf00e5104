// The file `certificate` of a ledger: columns of numbers, one number per state, that prove what was decided on the
// graph in the ledger (docs/ledger-format.md says how they are stored, docs/audit.md what they have to satisfy). It is
// written once, after the search, and exists under its name only when it is complete and durable.
//
// Frames of a column come in any order, as the states are decided; a state without a frame has the number 0. Where
// frames overlap, the number is the largest: a cluster that is solved in several rounds says something of a state
// in one of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "ledger/bytes.hpp"
#include "ledger/files.hpp"

namespace tideline::ledger {

class CertificateWriter {
public:
    // Of a ledger with this id. `limit`: bytes at most. Throws LedgerError, as do the others.
    CertificateWriter(const std::string& directory, std::uint64_t ledger, std::optional<std::uint64_t> limit,
                      std::shared_ptr<Files> files = std::make_shared<Files>());
    CertificateWriter(const CertificateWriter&) = delete;
    CertificateWriter& operator=(const CertificateWriter&) = delete;
    // Removes what was not finished.
    ~CertificateWriter();

    // The numbers of consecutive states; 2^20 of them at most.
    void add(std::uint32_t column, std::uint64_t first, std::span<const std::uint64_t> values);
    // With the description, JSON, of the columns and of what they prove.
    void finish(const std::string& description);

    [[nodiscard]] std::uint64_t bytes() const { return end_; }

    // One that an earlier run has left. Nothing happens where there is none.
    static void remove(const std::string& directory, Files& files);

private:
    void write(std::span<const std::uint8_t> bytes);

    std::shared_ptr<Files> files_;
    std::string directory_;
    std::optional<std::uint64_t> limit_;
    LedgerFile file_;
    std::uint64_t end_ = 0;
    bool is_finished_ = false;
    Bytes raw_;
    Bytes frame_;
};

}  // namespace tideline::ledger
