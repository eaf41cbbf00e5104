// What the files beside a ledger take of the limit on the disk (--disk): temporary files of the search for cycles, and
// certificates. The ledger counts what it has written itself.
#pragma once

#include <cstdint>
#include <utility>

#include "ledger/ledger.hpp"
#include "support/budget.hpp"

namespace tideline::check::ltl {

// The limit leaves no room.
struct DiskIsShort {};

class DiskAccount {
public:
    // Both must outlive this.
    DiskAccount(const ledger::LedgerWriter& writer, const support::Budget& budget)
        : writer_(&writer), budget_(&budget) {}
    // Without a limit.
    DiskAccount() = default;

    // Throws DiskIsShort.
    void take(std::uint64_t bytes) {
        if (budget_ != nullptr && budget_->limits().disk && writer_->bytes() + taken_ + bytes > *budget_->limits().disk)
            throw DiskIsShort();
        taken_ += bytes;
    }
    void give_back(std::uint64_t bytes) { taken_ -= bytes; }
    [[nodiscard]] std::uint64_t taken() const { return taken_; }

private:
    const ledger::LedgerWriter* writer_ = nullptr;
    const support::Budget* budget_ = nullptr;
    std::uint64_t taken_ = 0;
};

// The bytes of one file, given back with it. Null: nobody counts.
class DiskShare {
public:
    explicit DiskShare(DiskAccount* account) : account_(account) {}
    DiskShare(DiskShare&& other) noexcept : account_(other.account_), bytes_(std::exchange(other.bytes_, 0)) {}
    DiskShare& operator=(DiskShare&& other) noexcept {
        std::swap(account_, other.account_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    DiskShare(const DiskShare&) = delete;
    DiskShare& operator=(const DiskShare&) = delete;
    ~DiskShare() {
        if (account_ != nullptr) account_->give_back(bytes_);
    }
    // Throws DiskIsShort.
    void take(std::uint64_t bytes) {
        if (account_ == nullptr) return;
        account_->take(bytes);
        bytes_ += bytes;
    }

private:
    DiskAccount* account_;
    std::uint64_t bytes_ = 0;
};

}  // namespace tideline::check::ltl
