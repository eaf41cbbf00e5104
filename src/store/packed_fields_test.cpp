#include "store/packed_fields.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

class PackedFieldsTest : public testing::TestWithParam<unsigned> {
protected:
    static constexpr std::uint64_t kCount = 300;

    void SetUp() override {
        for (std::uint64_t& value : expected_) value = random_() & low_bits(GetParam());
        for (std::uint64_t i = 0; i < kCount; ++i) store_field(fields(), i, width_, expected_[i]);
    }
    std::byte* fields() { return reinterpret_cast<std::byte*>(memory_.data()); }
    void expect_all() {
        for (std::uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(load_field(fields(), i, width_), expected_[i]) << i;
    }

    std::mt19937_64 random_{GetParam()};
    unsigned width_ = field_width(GetParam());
    std::vector<std::uint64_t> expected_ = std::vector<std::uint64_t>(kCount);
    // Filled, so that what was there before would be seen.
    std::vector<std::uint64_t> memory_ =
        std::vector<std::uint64_t>((field_bytes(kCount, width_) + 7) / 8, ~std::uint64_t{0});
};

TEST_P(PackedFieldsTest, FieldsDoNotTouchEachOther) {
    expect_all();
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t at = random_() % kCount;
        expected_[at] = random_() & low_bits(GetParam());
        store_field(fields(), at, width_, expected_[at]);
    }
    expect_all();
}

TEST_P(PackedFieldsTest, AWriterWritesItsFieldsAndNoOthers) {
    for (int i = 0; i < 200; ++i) {
        const std::uint64_t begin = random_() % kCount;
        const std::uint64_t end = begin + random_() % (kCount - begin + 1);
        FieldWriter writer(fields(), begin, width_);
        for (std::uint64_t at = begin; at < end; ++at) {
            expected_[at] = random_() & low_bits(GetParam());
            writer.put(expected_[at]);
        }
        writer.finish();
        expect_all();
    }
}

TEST_P(PackedFieldsTest, FieldsCanBeReadAheadOfAWriterThatMovesThem) {
    FieldWriter writer(fields(), 1, width_);
    std::uint64_t carried = expected_[0];
    for (std::uint64_t at = 1; at < kCount; ++at) {
        const std::uint64_t next = load_field(fields(), at, width_);
        writer.put(carried);
        carried = next;
    }
    writer.finish();
    for (std::uint64_t at = kCount - 1; at > 0; --at) expected_[at] = expected_[at - 1];
    expect_all();
}

INSTANTIATE_TEST_SUITE_P(Widths, PackedFieldsTest, testing::Range(1U, 65U));

}  // namespace
}  // namespace tideline::store
