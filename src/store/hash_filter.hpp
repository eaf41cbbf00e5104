// A set of hashes in one byte each, with false positives: what it does not contain was never added; about a twentieth
// of what was never added is reported as contained.
//
// B. H. Bloom's filter (1970), blocked: both bits of a hash lie in the same word, so a lookup touches one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/wide.hpp"

namespace tideline::store {

class HashFilter {
public:
    // Empty, for about this number of hashes.
    void reset(std::uint64_t count) { words_.assign(count / 8 + 1, 0); }
    // Contains everything from here on.
    void fill() { std::fill(words_.begin(), words_.end(), ~std::uint64_t{0}); }
    // Frees its memory; there must be no lookup before the next reset().
    void release() { words_ = {}; }

    void add(std::uint64_t hash) { words_[word_index(hash)] |= bits(hash); }
    [[nodiscard]] bool may_contain(std::uint64_t hash) const {
        return (words_[word_index(hash)] & bits(hash)) == bits(hash);
    }

private:
    [[nodiscard]] std::size_t word_index(std::uint64_t hash) const {
        return static_cast<std::size_t>((static_cast<support::UInt128>(hash) * words_.size()) >> 64U);
    }
    [[nodiscard]] static std::uint64_t bits(std::uint64_t hash) {
        return std::uint64_t{1} << (hash & 63U) | std::uint64_t{1} << (hash >> 6U & 63U);
    }

    std::vector<std::uint64_t> words_;
};

}  // namespace tideline::store
