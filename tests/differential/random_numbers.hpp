// Pseudo-random numbers that are the same on every machine and with every standard library (splitmix64).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tideline::differential {

class RandomNumbers {
public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

    // 0 to bound - 1; the bound is at least 1 and small, so that the modulo does no harm.
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
    int between(int low, int high) { return low + static_cast<int>(below(static_cast<std::size_t>(high - low) + 1)); }
    bool chance(unsigned percent) { return below(100) < percent; }

    template <class T>
    const T& one_of(const std::vector<T>& list) {
        return list[below(list.size())];
    }

private:
    std::uint64_t state_;
};

}  // namespace tideline::differential
