// An array that grows at its end without copying and asks the memory budget before it does. What is not touched takes
// no memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>

#include "store/state_table.hpp"
#include "support/mapping.hpp"

namespace tideline::graph {

// How many bytes a reader may load past the end of an array.
inline constexpr std::size_t kReadSlack = 16;

template <class Entry>
    requires std::is_trivially_copyable_v<Entry>
class GrowingArray {
public:
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] const Entry* data() const { return reinterpret_cast<const Entry*>(memory_.data()); }
    [[nodiscard]] Entry* data() { return reinterpret_cast<Entry*>(memory_.data()); }
    [[nodiscard]] const Entry& operator[](std::uint64_t i) const { return data()[i]; }
    [[nodiscard]] Entry& operator[](std::uint64_t i) { return data()[i]; }
    [[nodiscard]] std::uint64_t bytes() const { return size_ * sizeof(Entry); }

    // What is added is 0, unless it was there before truncate(). Throws std::bad_alloc, and nothing has changed, where
    // the budget (null: none) does not have it.
    void resize(std::uint64_t size, const store::MemoryBudget* try_reserve) {
        if (size > permitted_) permit(size, try_reserve);
        size_ = size;
    }
    void truncate(std::uint64_t size) { size_ = size; }
    void append(std::span<const Entry> entries, const store::MemoryBudget* try_reserve) {
        const std::uint64_t at = size_;
        resize(at + entries.size(), try_reserve);
        if (!entries.empty()) std::memcpy(data() + at, entries.data(), entries.size_bytes());
    }
    void push(const Entry& entry, const store::MemoryBudget* try_reserve) { append({&entry, 1}, try_reserve); }

private:
    // Asks for an eighth more at a time, so that asking is rare and what was asked for is soon used.
    void permit(std::uint64_t size, const store::MemoryBudget* try_reserve) {
        constexpr std::uint64_t kLeastBytes = std::uint64_t{4} << 10U;
        const std::uint64_t wanted = std::max(size + size / 8, kLeastBytes / sizeof(Entry));
        const std::uint64_t more = (wanted - permitted_) * sizeof(Entry);
        if (try_reserve != nullptr && more > kLeastBytes && !(*try_reserve)(more)) throw std::bad_alloc();
        const std::uint64_t bytes = wanted * sizeof(Entry) + kReadSlack;
        if (bytes > memory_.bytes()) memory_.grow(std::max(bytes, memory_.bytes() * 3 / 2));
        permitted_ = wanted;
    }

    support::Mapping memory_;
    std::uint64_t size_ = 0;
    std::uint64_t permitted_ = 0;  // entries
};

}  // namespace tideline::graph
