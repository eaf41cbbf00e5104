// A set of hashes in a byte each, that may take others for its own: what it does not contain was never added; of what was never added, it
// contains about a twentieth.
//
// B. H. Bloom's filter (1970), blocked: both bits of a hash lie in the same word, so a look-up touches one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/wide.hpp"

namespace tideline {

class HashFilter {
public:
    // Empty, for about so many hashes.
    void reset(std::uint64_t count) { words_.assign(count / 8 + 1, 0); }
    // Contains everything from here on.
    void fill() { std::fill(words_.begin(), words_.end(), ~std::uint64_t{0}); }
    // Gives its memory back; there must be no look-up before the next reset().
    void release() { words_ = {}; }

    void add(std::uint64_t hash) { words_[place(hash)] |= bits(hash); }
    [[nodiscard]] bool may_contain(std::uint64_t hash) const { return (words_[place(hash)] & bits(hash)) == bits(hash); }

private:
    [[nodiscard]] std::size_t place(std::uint64_t hash) const { return static_cast<std::size_t>((static_cast<UInt128>(hash) * words_.size()) >> 64U); }
    [[nodiscard]] static std::uint64_t bits(std::uint64_t hash) { return std::uint64_t{1} << (hash & 63U) | std::uint64_t{1} << (hash >> 6U & 63U); }

    std::vector<std::uint64_t> words_;
};

}  // namespace tideline
