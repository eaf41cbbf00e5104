// Where threads wait for each other. Rounds of a search take some hundred microseconds: a thread that is early spins for about as long, then
// lets others run, because sleeping and waking would take longer than the wait, and sleeps only where it takes much longer than a round.
#pragma once

#include <atomic>
#include <thread>

namespace tideline {

class Meeting {
public:
    explicit Meeting(std::size_t threads) : threads_(threads) {}

    // Returns when all threads have arrived; the last one first does `alone`, while the others wait. What a thread did before is seen by all
    // after it.
    template <class Alone>
    void arrive(Alone alone) {
        const std::size_t round = round_.load(std::memory_order_relaxed);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
            alone();
            arrived_.store(0, std::memory_order_relaxed);
            round_.store(round + 1, std::memory_order_release);
            round_.notify_all();
            return;
        }
        for (unsigned spins = 0; round_.load(std::memory_order_acquire) == round; ++spins) {
            if (spins < kSpins)
                pause();
            else if (spins < kSpins + kYields)
                std::this_thread::yield();
            else
                round_.wait(round, std::memory_order_acquire);
        }
    }
    // Whether a thread has arrived and others have not.
    [[nodiscard]] bool is_awaited() const { return arrived_.load(std::memory_order_relaxed) > 0; }
    void arrive() {
        arrive([] {});
    }

private:
    static constexpr unsigned kSpins = 5000;
    static constexpr unsigned kYields = 1000;

    static void pause() {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }

    std::size_t threads_;
    std::atomic<std::size_t> arrived_ = 0;
    std::atomic<std::size_t> round_ = 0;
};

}  // namespace tideline
