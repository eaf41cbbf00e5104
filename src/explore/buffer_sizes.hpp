// How many states and successors a thread handles at a time: as many as are fast where they are small, or as fit into
// the bytes that the thread has for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace tideline::explore {

// How the threads of a search exchange successors.
enum class Exchange : std::uint8_t {
    none,           // there is one thread
    shared_tables,  // each thread inserts its own successors
    by_owner,  // each thread inserts the successors that it owns; what it makes is read by others in the next round
};

struct BufferSizes {
    std::size_t chunk = 0;       // states that are popped at a time
    std::size_t successors = 0;  // of a batch
};

// What each thread may have for states and successors: at most a sixteenth of the limit for all of them.
[[nodiscard]] constexpr std::uint64_t buffer_bytes(const std::optional<std::uint64_t>& memory, unsigned threads) {
    constexpr std::uint64_t kMost = std::uint64_t{4} << 20U;
    return std::min(kMost, memory ? *memory / 16 / threads : kMost);
}

// A quarter of the bytes is for states, the rest for successors. There is room for four of each, however large they
// are.
[[nodiscard]] constexpr BufferSizes buffer_sizes(Exchange exchange, std::uint64_t state_bytes, std::uint64_t bytes) {
    constexpr std::uint64_t kFewest = 4;
    constexpr std::uint64_t kBytesPerSuccessor = 48;  // beside the state
    const std::uint64_t buffers = exchange == Exchange::by_owner ? 2 : 1;
    const auto count = [&](std::uint64_t most, std::uint64_t room, std::uint64_t each) {
        return static_cast<std::size_t>(std::max(std::min(most, room / buffers / each), std::min(most, kFewest)));
    };
    const std::uint64_t most = exchange == Exchange::none ? 256 : exchange == Exchange::shared_tables ? 1024 : 2048;
    return {.chunk = count(most, bytes / 4, state_bytes),
            .successors = count(4 * most, bytes / 4 * 3, state_bytes + kBytesPerSuccessor)};
}

}  // namespace tideline::explore
