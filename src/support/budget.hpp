// The resources of a whole run: time, memory, disk, and whether it was interrupted. One budget is made when the run
// begins and reaches every phase: loading, the pilot of the layout, the search for a measure, translation, the
// compiler, the walk, evidence and the report.
//
// Time counts from the construction. Memory is the process's anonymous memory; the program's own, up to kProgramMemory,
// comes on top of the limit (support/memory.hpp). Every member may be called by any thread; the budget must outlive
// every reference to it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "support/stop_reason.hpp"

namespace tideline::support {

// What the program itself may take beside the limit on memory: its code, the model, machine code and the compiler while
// it works.
inline constexpr std::uint64_t kProgramMemory = std::uint64_t{100} << 20U;

struct BudgetLimits {
    std::optional<std::uint64_t> memory{};  // bytes
    std::optional<std::uint64_t> disk{};    // bytes of the ledger
    std::optional<std::chrono::nanoseconds> time{};
};

class Budget {
public:
    using Clock = std::chrono::steady_clock;

    // No limits, no interrupts.
    Budget() = default;
    // `interrupted` may be asked by any thread; once true it must stay true.
    explicit Budget(BudgetLimits limits, std::function<bool()> interrupted = {});
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;

    // Why work must stop now: interrupted, time or memory; none where it may continue. Takes about a microsecond.
    [[nodiscard]] StopReason exhausted() const { return exhausted(0); }
    // The same where `more` bytes of memory are about to be allocated. Not for the walk, which has its own account
    // (MemoryLimit).
    [[nodiscard]] StopReason exhausted(std::uint64_t more) const;
    [[nodiscard]] bool is_exhausted() const { return exhausted() != StopReason::none; }
    // Whether `more` bytes of memory may be allocated.
    [[nodiscard]] bool allows(std::uint64_t more) const;
    [[nodiscard]] bool is_interrupted() const { return interrupted_ && interrupted_(); }

    [[nodiscard]] const BudgetLimits& limits() const { return limits_; }
    // At least a nanosecond, since 0 means no limit.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> time_left() const;
    // How much more memory may be allocated; nothing where it is not limited.
    [[nodiscard]] std::optional<std::uint64_t> memory_left() const;

private:
    BudgetLimits limits_;
    std::function<bool()> interrupted_;
    Clock::time_point start_ = Clock::now();
};

// For loops: asks a budget once per `period` calls.
class BudgetPoll {
public:
    explicit BudgetPoll(const Budget& budget, std::uint32_t period = 1024) : budget_(budget), period_(period) {}

    [[nodiscard]] bool is_exhausted() {
        if (++calls_ % period_ == 0 && reason_ == StopReason::none) reason_ = budget_.exhausted();
        return reason_ != StopReason::none;
    }
    [[nodiscard]] StopReason reason() const { return reason_; }

private:
    const Budget& budget_;
    std::uint32_t period_;
    std::uint32_t calls_ = 0;
    StopReason reason_ = StopReason::none;
};

}  // namespace tideline::support
