// Numbers as bytes: little-endian of fixed size, or as varints (LEB128).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tideline::ledger {

static_assert(std::endian::native == std::endian::little,
              "the files are little-endian, and so are the machines that this is built for");

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::size_t kLongestDigits = 10;  // of 64 bits in base 128

// Zigzag encoding: small differences of either sign become small numbers.
constexpr std::uint64_t zigzag_encode(std::uint64_t difference) { return difference << 1U ^ (0 - (difference >> 63U)); }
constexpr std::uint64_t zigzag_decode(std::uint64_t folded) { return folded >> 1U ^ (0 - (folded & 1U)); }

// There must be room for kLongestDigits bytes; returns where the next ones go.
inline std::uint8_t* put_varint(std::uint8_t* to, std::uint64_t value) {
    for (; value >= 128; value >>= 7U) *to++ = static_cast<std::uint8_t>(value | 128U);
    *to++ = static_cast<std::uint8_t>(value);
    return to;
}

inline void append_varint(Bytes& bytes, std::uint64_t value) {
    std::uint8_t buffer[kLongestDigits];
    bytes.insert(bytes.end(), buffer, put_varint(buffer, value));
}

template <class T>
void append_fixed(Bytes& bytes, T value) {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
}

inline void append_text(Bytes& bytes, std::string_view text) {
    append_varint(bytes, text.size());
    bytes.insert(bytes.end(), text.begin(), text.end());
}

// Reads what was written so. Beyond the end everything is 0 and good() becomes false.
class ByteReader {
public:
    explicit ByteReader(std::span<const std::uint8_t> bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] bool at_end() const { return at_ == end_; }
    [[nodiscard]] std::size_t rest() const { return static_cast<std::size_t>(end_ - at_); }

    std::uint64_t digits() {
        if (at_ != end_ && *at_ < 128) return *at_++;  // most are small
        std::uint64_t result = 0;
        for (unsigned shift = 0; at_ != end_ && shift < 64; shift += 7) {
            const std::uint8_t digit = *at_++;
            result |= std::uint64_t{digit & 127U} << shift;
            if (digit < 128) return result;
        }
        return fail();
    }
    template <class T>
    T fixed() {
        T result{};
        if (rest() < sizeof result) return static_cast<T>(fail());
        std::memcpy(&result, at_, sizeof result);
        at_ += sizeof result;
        return result;
    }
    std::string text() {
        const std::uint64_t size = digits();
        if (size > rest()) return fail(), std::string();
        std::string result(reinterpret_cast<const char*>(at_), size);
        at_ += size;
        return result;
    }
    // A number of things that take at least a byte each.
    std::uint64_t length() {
        const std::uint64_t result = digits();
        return result <= rest() ? result : fail();
    }

private:
    std::uint64_t fail() {
        good_ = false;
        at_ = end_;
        return 0;
    }

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    bool good_ = true;
};

}  // namespace tideline::ledger
