// The limits of a search as its rounds see them: memory, time and interrupts of the run's budget, and when to look at
// them again.
//
// Memory is asked for by tables, in any thread, before they grow noticeably (try_reserve). A walk that can give memory
// back between rounds (it has a ledger) is informed early, while there is a reserve left (memory pressure), and may
// take an overdraft until then.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "store/state_table.hpp"
#include "support/budget.hpp"
#include "support/memory.hpp"
#include "support/stop_reason.hpp"

namespace tideline::explore {

class SearchLimits {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kLongestCheck{50};  // from one look at the limits to the next

    // `can_relieve`: the walk gives memory back under pressure. `changes_over`: the search changes to another then, and
    // needs a larger reserve for that.
    SearchLimits(const support::Budget& budget, bool can_relieve, bool changes_over = false)
        : budget_(budget),
          memory_(budget.limits().memory),
          overdraft_(changes_over  ? kOverdraft
                     : can_relieve ? overdraft_of(budget.limits().memory)
                                   : 0),
          changes_over_(changes_over),
          memory_budget_([this](std::uint64_t bytes) { return try_reserve(bytes); }),
          start_(Clock::now()),
          last_check_(start_),
          next_tick_(start_ + kTick) {
        if (const std::optional<std::chrono::nanoseconds> left = budget_.time_left()) deadline_ = start_ + *left;
    }
    SearchLimits(const SearchLimits&) = delete;
    SearchLimits& operator=(const SearchLimits&) = delete;

    [[nodiscard]] const support::Budget& budget() const { return budget_; }
    [[nodiscard]] Clock::time_point start() const { return start_; }

    // ---- memory -----------------------------------------------------------------------------------------------------

    // Whether this number of bytes may be allocated. Any thread.
    bool try_reserve(std::uint64_t bytes) {
        if (!memory_.bytes()) return true;
        const std::uint64_t wanted = memory_.taken() + bytes;
        if (wanted + reserve() > *memory_.bytes()) memory_pressure_ = true;
        return wanted <= *memory_.bytes() || (wanted <= *memory_.bytes() + overdraft_ && budget_.allows(bytes));
    }
    [[nodiscard]] const store::MemoryBudget& memory_budget() const { return memory_budget_; }
    [[nodiscard]] std::uint64_t overdraft() const { return overdraft_; }

    // Since it was cleared, somebody has asked for what the reserve is for.
    [[nodiscard]] bool memory_pressure() const { return memory_pressure_; }
    void clear_memory_pressure() { memory_pressure_ = false; }
    // Whether a search that can change over should do so now.
    [[nodiscard]] bool is_change_due() const {
        return memory_.bytes() && memory_.taken() + reserve() >= *memory_.bytes();
    }
    [[nodiscard]] bool needs_relief() const {
        return memory_.bytes() && (memory_pressure_ || memory_.taken() + reserve() >= *memory_.bytes());
    }
    // How much a walk is to give back then, and whether that was enough.
    [[nodiscard]] std::uint64_t relief_bytes() const { return *memory_.bytes() / 10; }
    [[nodiscard]] bool is_relieved() const { return memory_.taken() + reserve() / 2 < *memory_.bytes(); }
    [[nodiscard]] bool is_memory_exceeded() const { return !memory_.allows(0); }

    // Machine code, which is part of the program, has come since `before` bytes were taken.
    [[nodiscard]] std::uint64_t memory_taken() const { return memory_.taken(); }
    void set_aside_since(std::uint64_t before) {
        if (const std::uint64_t now = memory_.taken(); now > before) memory_.set_aside(now - before);
    }

    // ---- time -------------------------------------------------------------------------------------------------------

    [[nodiscard]] bool is_past_deadline(Clock::time_point now) const { return now >= deadline_; }
    [[nodiscard]] bool is_tick_due(Clock::time_point now) const { return now >= next_tick_; }
    void start_next_tick(Clock::time_point now) { next_tick_ = now + kTick; }
    // Queues and small tables grow unasked: every few milliseconds memory is looked at.
    [[nodiscard]] bool is_memory_check_due(Clock::time_point now) {
        if (now < next_memory_check_) return false;
        next_memory_check_ = now + kMemoryCheck;
        return true;
    }
    // How long ago the limits were looked at before this moment.
    Clock::duration since_last_check(Clock::time_point now) { return now - std::exchange(last_check_, now); }

    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    // Why a search that cannot give memory back must stop now: time, memory (looked at every few milliseconds) or an
    // interrupt (looked at when a tick is due); none where it may continue.
    [[nodiscard]] support::StopReason exhausted(Clock::time_point now) {
        if (is_past_deadline(now)) return support::StopReason::time;
        if (is_memory_check_due(now) && is_memory_exceeded()) return support::StopReason::memory;
        return is_tick_due(now) && budget_.is_interrupted() ? support::StopReason::interrupted
                                                            : support::StopReason::none;
    }

    // A thread has seen that it is time to look. Any thread.
    void request_check() { check_requested_ = true; }
    [[nodiscard]] bool is_check_requested() const { return check_requested_; }
    void clear_check_request() { check_requested_ = false; }

private:
    static constexpr std::chrono::milliseconds kTick{100};
    static constexpr std::chrono::milliseconds kMemoryCheck{5};
    static constexpr std::uint64_t kOverdraft = std::uint64_t{16} << 20U;

    static std::uint64_t overdraft_of(const std::optional<std::uint64_t>& memory) {
        return memory ? std::min(*memory / 10, kOverdraft) : 0;
    }
    // For what comes before the next look, and for a table to grow.
    [[nodiscard]] std::uint64_t reserve() const {
        if (changes_over_) return *memory_.bytes() / 10 * 3;
        constexpr std::uint64_t kEnough = std::uint64_t{32} << 20U;
        return std::max(*memory_.bytes() / 16, std::min(*memory_.bytes() / 7, kEnough));
    }

    const support::Budget& budget_;
    support::MemoryLimit memory_;
    std::uint64_t overdraft_;
    bool changes_over_;
    std::atomic<bool> memory_pressure_ = false;
    store::MemoryBudget memory_budget_;
    Clock::time_point start_;
    Clock::time_point deadline_ = Clock::time_point::max();
    Clock::time_point last_check_;
    Clock::time_point next_tick_;
    Clock::time_point next_memory_check_{};
    std::atomic<bool> check_requested_ = false;
};

}  // namespace tideline::explore
