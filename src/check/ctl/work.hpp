// The limits of a computation on a graph, asked often and cheaply.
#pragma once

#include <cstdint>
#include <new>

#include "support/budget.hpp"

namespace tideline::check::ctl {

// Thrown where the budget ends a computation.
struct Stopped {
    support::StopReason reason = support::StopReason::none;
};

class Work {
public:
    explicit Work(const support::Budget& budget) : budget_(budget) {}

    // Once per state or so. Throws Stopped.
    void poll() {
        constexpr std::uint32_t kPeriod = 1U << 14U;
        if (++count_ < kPeriod) [[likely]]
            return;
        count_ = 0;
        check();
    }
    void check() const {
        if (const support::StopReason reason = budget_.exhausted(); reason != support::StopReason::none)
            throw Stopped{reason};
    }
    // Before a large allocation. Throws std::bad_alloc.
    void ask(std::uint64_t bytes) const {
        if (!budget_.allows(bytes)) throw std::bad_alloc();
    }
    // Before an element is appended to a vector.
    template <class Vector>
    void grow(Vector& vector) const {
        constexpr std::size_t kNoticeable = std::size_t{1} << 16U;
        if (vector.size() < vector.capacity() || vector.size() * sizeof(vector[0]) < kNoticeable) [[likely]]
            return;
        const std::size_t more = vector.size() + vector.size() / 2;
        ask(more * sizeof(vector[0]));
        vector.reserve(more);
    }
    [[nodiscard]] const support::Budget& budget() const { return budget_; }

private:
    const support::Budget& budget_;
    std::uint32_t count_ = 0;
};

}  // namespace tideline::check::ctl
