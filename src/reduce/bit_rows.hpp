// Sets of transitions as bits, and rows of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tideline::reduce {

// `count` sets over 0 ... `size` - 1, one behind the other.
class BitRows {
public:
    BitRows() = default;
    BitRows(std::size_t count, std::size_t size) : stride_((size + 63) / 64), words_(count * stride_) {}

    [[nodiscard]] std::size_t stride() const { return stride_; }
    [[nodiscard]] const std::uint64_t* row(std::size_t i) const { return words_.data() + i * stride_; }
    [[nodiscard]] std::uint64_t* row(std::size_t i) { return words_.data() + i * stride_; }
    void set(std::size_t i, std::size_t bit) { row(i)[bit / 64] |= std::uint64_t{1} << (bit % 64); }
    void reset(std::size_t i, std::size_t bit) { row(i)[bit / 64] &= ~(std::uint64_t{1} << (bit % 64)); }
    [[nodiscard]] bool has(std::size_t i, std::size_t bit) const { return (row(i)[bit / 64] >> (bit % 64) & 1U) != 0; }
    // Adds the elements of row `from` of `other` to row i.
    void add(std::size_t i, const BitRows& other, std::size_t from) {
        for (std::size_t w = 0; w < stride_; ++w) row(i)[w] |= other.row(from)[w];
    }
    [[nodiscard]] bool meets(std::size_t i, const BitRows& other, std::size_t with) const {
        for (std::size_t w = 0; w < stride_; ++w)
            if ((row(i)[w] & other.row(with)[w]) != 0) return true;
        return false;
    }
    [[nodiscard]] std::size_t count(std::size_t i) const {
        std::size_t result = 0;
        for (std::size_t w = 0; w < stride_; ++w) result += static_cast<std::size_t>(std::popcount(row(i)[w]));
        return result;
    }

private:
    std::size_t stride_ = 0;
    std::vector<std::uint64_t> words_;
};

}  // namespace tideline::reduce
