// How a breadth-first search got to each state, in about two bytes per state and without the states.
//
// States are expanded in the order of their discovery. For each one the log says which of its successors, counted from
// 1, were new; the number of new states before it in the log is the number of the state that the next entry stands for.
// Read backwards, the log leads from a state to the one that it was discovered from, and so on, in one pass; the states
// themselves come from taking those successors, from an initial state on. The initial states have the first numbers.
//
// An entry is its index in base 128, most significant digit first, each digit but the last with the upper bit set; no
// last digit is 0 (digits of the last index count from 1), so that a 0 can end the entries of a state.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <vector>

#include "store/state_table.hpp"
#include "support/budget.hpp"
#include "support/mapping.hpp"

namespace tideline::explore {

class PathLog {
public:
    explicit PathLog(std::uint64_t initial_states = 1) : initial_(initial_states) {}

    // A further successor of the state that is being expanded is new; `index` is its index among the successors, from 0
    // on.
    void discovered(std::uint64_t index) {
        if (size_ + kLongest > capacity_) reserve();
        const std::uint64_t rest = index / kLast;
        if (rest != 0) write_digits(rest);
        bytes()[size_++] = static_cast<std::uint8_t>(index % kLast + 1);
        ++discovered_;
    }
    void expanded() {
        if (size_ + kLongest > capacity_) reserve();
        bytes()[size_++] = 0;
        ++expanded_;
    }

    struct Path {
        std::uint64_t root = 0;              // the initial state that it begins with
        std::vector<std::uint64_t> steps{};  // of the successors to take from there on
        friend bool operator==(const Path&, const Path&) = default;
    };
    // From an initial state to the state of this number. Nothing where the budget is exhausted before that.
    [[nodiscard]] std::optional<Path> path_to(std::uint64_t number, const support::Budget& budget = {}) const {
        Path path;
        support::BudgetPoll poll(budget, 1U << 16U);
        std::uint64_t source = expanded_;              // whose entries are being read
        std::uint64_t child = initial_ + discovered_;  // number behind the entry that is being read
        for (std::uint64_t at = size_; number >= initial_;) {
            assert(at > 0 && "every state but the initial ones is in the log");
            if (poll.is_exhausted()) return std::nullopt;
            const std::uint8_t last = bytes()[--at];
            if (last == 0) {
                // The entries before it are those of the state before.
                --source;
                continue;
            }
            std::uint64_t digits = 0;
            for (unsigned shift = 0; at > 0 && bytes()[at - 1] >= kContinues; shift += 7)
                digits |= std::uint64_t{bytes()[--at] & (kContinues - 1U)} << shift;
            if (--child == number) {
                path.steps.push_back(digits * kLast + last - 1);
                number = source;
            }
        }
        std::reverse(path.steps.begin(), path.steps.end());
        path.root = number;
        return path;
    }

private:
    static constexpr std::uint64_t kLast = 127;  // values of the last digit
    static constexpr std::uint8_t kContinues = 128;
    static constexpr std::size_t kLongest = 16;

    [[nodiscard]] std::uint8_t* bytes() { return reinterpret_cast<std::uint8_t*>(memory_.data()); }
    [[nodiscard]] const std::uint8_t* bytes() const { return reinterpret_cast<const std::uint8_t*>(memory_.data()); }

    void write_digits(std::uint64_t value) {
        unsigned shift = 0;
        while ((value >> shift) >= kContinues) shift += 7;
        for (;; shift -= 7) {
            bytes()[size_++] = static_cast<std::uint8_t>(kContinues | ((value >> shift) & (kContinues - 1U)));
            if (shift == 0) return;
        }
    }
    void reserve() {
        memory_.grow(std::max<std::size_t>(4096, memory_.bytes() * 2));
        capacity_ = memory_.bytes();
    }

    std::uint64_t initial_;
    support::Mapping memory_;
    std::uint64_t size_ = 0;
    std::uint64_t capacity_ = 0;
    std::uint64_t discovered_ = 0;
    std::uint64_t expanded_ = 0;
};

}  // namespace tideline::explore
