// Where threads wait for each other. Rounds of a search take some hundred microseconds: a thread that is early spins
// for a part of that, because sleeping and waking would take longer than the wait, and then sleeps. It never yields:
// beside other load a thread that yields comes back milliseconds later. Where there are more threads than processors,
// it does not spin either.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "support/futex.hpp"
#include "support/pause.hpp"

namespace tideline::explore {

class Barrier {
public:
    explicit Barrier(std::size_t threads) : threads_(threads), spins_(threads <= std::thread::hardware_concurrency()) {}

    // Returns when all threads have arrived; the last one first does `alone`, while the others wait. What a thread did
    // before is seen by all after it.
    template <class Alone>
    void arrive(Alone alone) {
        const std::uint32_t round = round_.load(std::memory_order_relaxed);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
            alone();
            arrived_.store(0, std::memory_order_relaxed);
            // Who counts itself among the sleeping looks at the round once more before it sleeps.
            round_.store(round + 1, std::memory_order_seq_cst);
            if (sleeping_.load(std::memory_order_seq_cst) > 0) support::wake_all(round_);
            return;
        }
        if (spins_ && spin(round)) return;
        sleeping_.fetch_add(1, std::memory_order_seq_cst);
        while (round_.load(std::memory_order_seq_cst) == round) support::sleep_while(round_, round);
        sleeping_.fetch_sub(1, std::memory_order_relaxed);
    }
    // Whether a thread has arrived and others have not.
    [[nodiscard]] bool has_waiters() const { return arrived_.load(std::memory_order_relaxed) > 0; }
    void arrive() {
        arrive([] {});
    }

private:
    static constexpr std::chrono::microseconds kLongestSpin{50};
    static constexpr unsigned kPausesPerLook = 32;  // at the clock

    // Whether the round has ended meanwhile.
    [[nodiscard]] bool spin(std::uint32_t round) const {
        const auto end = std::chrono::steady_clock::now() + kLongestSpin;
        do {
            for (unsigned i = 0; i < kPausesPerLook; ++i) {
                if (round_.load(std::memory_order_acquire) != round) return true;
                support::pause_processor();
            }
        } while (std::chrono::steady_clock::now() < end);
        return false;
    }

    std::size_t threads_;
    bool spins_;
    std::atomic<std::size_t> arrived_ = 0;
    std::atomic<std::uint32_t> round_ = 0;
    std::atomic<std::uint32_t> sleeping_ = 0;
};

}  // namespace tideline::explore
