// Sleeping until a word in memory changes, and waking who sleeps. std::atomic::wait of libstdc++ yields the processor
// several times before it sleeps. Beside other load a thread that yields gets the processor back milliseconds later;
// one that sleeps is preferred when it is woken.
#pragma once

#include <atomic>
#include <cstdint>

#if defined(__linux__)
#include <climits>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tideline::support {

// Returns when `word` is no longer `value`, or earlier.
inline void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t value) {
#if defined(__linux__)
    static_assert(sizeof word == sizeof(std::uint32_t));
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
#else
    word.wait(value);
#endif
}

inline void wake_all(std::atomic<std::uint32_t>& word) {
#if defined(__linux__)
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
#else
    word.notify_all();
#endif
}

}  // namespace tideline::support
