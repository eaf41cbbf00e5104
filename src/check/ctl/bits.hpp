// A bit per state.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace tideline::check::ctl {

class Bits {
public:
    using Word = std::uint64_t;
    static constexpr std::uint64_t kWordBits = 64;

    Bits() = default;
    explicit Bits(std::uint64_t size, bool value = false)
        : size_(size), words_((size + kWordBits - 1) / kWordBits, value ? ~Word{0} : 0) {
        trim();
    }

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] std::uint64_t bytes() const { return words_.size() * sizeof(Word); }
    static std::uint64_t bytes_for(std::uint64_t size) { return (size + kWordBits - 1) / kWordBits * sizeof(Word); }
    [[nodiscard]] bool operator[](std::uint64_t i) const {
        return ((words_[i / kWordBits] >> (i % kWordBits)) & 1U) != 0;
    }
    void set(std::uint64_t i) { words_[i / kWordBits] |= Word{1} << (i % kWordBits); }
    void reset(std::uint64_t i) { words_[i / kWordBits] &= ~(Word{1} << (i % kWordBits)); }
    void assign(std::uint64_t i, bool value) { value ? set(i) : reset(i); }

    Bits& operator&=(const Bits& other) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= other.words_[w];
        return *this;
    }
    Bits& operator|=(const Bits& other) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
        return *this;
    }
    Bits& operator^=(const Bits& other) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] ^= other.words_[w];
        return *this;
    }
    // This without the other.
    Bits& remove(const Bits& other) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~other.words_[w];
        return *this;
    }
    Bits& flip() {
        for (Word& word : words_) word = ~word;
        trim();
        return *this;
    }
    [[nodiscard]] std::uint64_t count() const {
        std::uint64_t result = 0;
        for (const Word word : words_) result += static_cast<std::uint64_t>(std::popcount(word));
        return result;
    }

    // visit(i) for each bit that is set, ascending. Bits that the visit sets behind the word of i are visited too.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            for (Word word = words_[w]; word != 0; word &= word - 1)
                visit(w * kWordBits + static_cast<std::uint64_t>(std::countr_zero(word)));
    }

    [[nodiscard]] const std::vector<Word>& words() const { return words_; }
    [[nodiscard]] std::vector<Word>& words() { return words_; }
    friend bool operator==(const Bits&, const Bits&) = default;

private:
    void trim() {
        if (size_ % kWordBits != 0 && !words_.empty()) words_.back() &= (Word{1} << (size_ % kWordBits)) - 1;
    }

    std::uint64_t size_ = 0;
    std::vector<Word> words_;
};

}  // namespace tideline::check::ctl
