// Why a property of runs holds, as a file beside the ledger of its sweep: which states were removed together, in which
// order, and why there is no accepting cycle among them (streamed_cycles.hpp). `tideline audit` checks it edge by edge
// (audit/cycle_certificate.hpp reads it with code of its own; docs/ledger-format.md describes it).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/ltl/ledger_cycles.hpp"
#include "ledger/files.hpp"

namespace tideline::check::ltl {

inline constexpr const char* kCycleCertificate = "cycles";
inline constexpr std::string_view kCycleCertificateMagic = "tideline cycles 1\n";

class CycleCertificateWriter final : public RangeLog {
public:
    // Under another name until it is complete. Throws LedgerError, as all functions do, which also throw DiskIsShort.
    CycleCertificateWriter(std::string directory, DiskAccount& disk);
    ~CycleCertificateWriter() override;

    void begin_range(std::uint64_t first, std::uint64_t count) override;
    void begin(const Removal& removal) override;
    void add(std::uint64_t number, std::uint32_t rank) override;
    void end(std::span<const std::optional<unsigned>> claims) override;
    void end_range() override;
    // The property holds: the file is made durable.
    void complete();

private:
    void put(std::uint64_t value);
    void flush();

    ledger::Files files_;
    std::string directory_;
    std::string name_;
    ledger::LedgerFile file_;
    DiskShare on_disk_;
    std::vector<std::uint8_t> buffer_;
    std::uint64_t written_ = 0;
    std::uint64_t last_ = 0;  // number
    bool is_ranked_ = false;
    bool is_complete_ = false;
};

}  // namespace tideline::check::ltl
