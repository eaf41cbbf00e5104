// Arrays of numbers of the same width in bits, adjacent, without gaps.
//
// A field is read and written through the 8 bytes that begin at its first byte; the memory must have room for them
// behind the last field (field_bytes counts it). Fields of 58 to 63 bits could straddle nine bytes: field_width makes
// them 64.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tideline::store {

static_assert(std::endian::native == std::endian::little, "fields are laid out for little-endian machines");

constexpr unsigned field_width(unsigned bits) { return bits <= 57 ? bits : 64; }

constexpr std::uint64_t low_bits(unsigned count) { return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count); }

constexpr std::uint64_t field_bytes(std::uint64_t count, unsigned width) {
    return (count * width + 7) / 8 + sizeof(std::uint64_t);
}

inline std::uint64_t load_field(const std::byte* fields, std::uint64_t at, unsigned width) {
    const std::uint64_t bit = at * width;
    std::uint64_t bytes;
    std::memcpy(&bytes, fields + bit / 8, sizeof(bytes));
    return bytes >> (bit % 8) & low_bits(width);
}

inline void store_field(std::byte* fields, std::uint64_t at, unsigned width, std::uint64_t value) {
    const std::uint64_t bit = at * width;
    std::uint64_t bytes;
    std::memcpy(&bytes, fields + bit / 8, sizeof(bytes));
    bytes = (bytes & ~(low_bits(width) << (bit % 8))) | value << (bit % 8);
    std::memcpy(fields + bit / 8, &bytes, sizeof(bytes));
}

// Writes fields one after the other. Each word of memory is written once, so that writing does not wait for what was
// written last. The fields from the one last written on may be read meanwhile. The array must begin at a multiple of 8
// bytes.
class FieldWriter {
public:
    FieldWriter(std::byte* fields, std::uint64_t at, unsigned width)
        : position_(fields + at * width / 64 * 8), width_(width), filled_(static_cast<unsigned>(at * width % 64)) {
        std::memcpy(&word_, position_, sizeof(word_));
        word_ &= low_bits(filled_);
    }
    void put(std::uint64_t value) {
        word_ |= value << filled_;
        filled_ += width_;
        if (filled_ < 64) return;
        std::memcpy(position_, &word_, sizeof(word_));
        position_ += sizeof(word_);
        filled_ -= 64;
        word_ = filled_ == 0 ? 0 : value >> (width_ - filled_);
    }
    // Writes what is left; the fields behind stay as they are.
    void finish() {
        std::uint64_t old;
        std::memcpy(&old, position_, sizeof(old));
        word_ |= old & ~low_bits(filled_);
        std::memcpy(position_, &word_, sizeof(word_));
    }

private:
    std::byte* position_;
    unsigned width_;
    unsigned filled_;  // bits of word_ that have been written
    std::uint64_t word_;
};

}  // namespace tideline::store
