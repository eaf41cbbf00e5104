// A stack that asks for memory before it grows noticeably, and that grows without copying: its memory comes straight
// from the system, and address space that is not touched costs nothing.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "store/bucket_array.hpp"
#include "support/mapping.hpp"

namespace tideline::store {

template <class T>
class BudgetedStack {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    // The budget must outlive the stack.
    explicit BudgetedStack(const MemoryBudget& try_reserve) : try_reserve_(&try_reserve) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T& operator[](std::size_t i) {
        assert(i < size_);
        return data()[i];
    }
    [[nodiscard]] T& back() { return (*this)[size_ - 1]; }

    // Throws std::bad_alloc, and nothing has changed, where the budget does not have the memory.
    void push_back(const T& value) {
        reserve_more(1);
        push_reserved(value);
    }
    // Reserves for this number of further values, which push_reserved() then takes.
    void reserve_more(std::size_t count) {
        if (capacity_ - size_ < count) [[unlikely]]
            grow(count);
    }
    void push_reserved(const T& value) {
        assert(size_ < capacity_);
        data()[size_++] = value;
    }
    void pop_back() {
        assert(size_ > 0);
        --size_;
    }
    // Drops what lies above.
    void truncate(std::size_t size) {
        assert(size <= size_);
        size_ = size;
    }
    // Empties it, and frees the memory.
    void release() {
        memory_ = {};
        size_ = capacity_ = 0;
    }

private:
    static constexpr std::uint64_t kStep = std::uint64_t{1} << 20U;  // bytes that are asked for at a time

    [[nodiscard]] T* data() { return reinterpret_cast<T*>(memory_.data()); }

    void grow(std::size_t count) {
        const std::uint64_t needed = (size_ + count) * sizeof(T);
        const std::uint64_t granted = capacity_ * sizeof(T);
        std::uint64_t wanted = needed < kUnnoticedBytes ? 2 * needed : needed + kStep;
        if (!is_granted(*try_reserve_, wanted - granted)) {
            wanted = needed + kUnnoticedBytes;  // the last one
            if (!(*try_reserve_)(wanted - granted)) throw std::bad_alloc();
        }
        if (wanted > memory_.bytes()) memory_.grow(std::max<std::size_t>(wanted, memory_.bytes() * 2));
        capacity_ = wanted / sizeof(T);
    }

    const MemoryBudget* try_reserve_;
    support::Mapping memory_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;  // values that may be written without asking
};

}  // namespace tideline::store
