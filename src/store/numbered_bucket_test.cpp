#include "store/numbered_bucket.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

template <class Bytes>
class NumberedInlineBucketTest : public ::testing::Test {
protected:
    using Bucket = NumberedInlineBucket<Bytes::value>;
    static constexpr std::uint64_t kMostNumber = (std::uint64_t{1} << 40U) - 1;
    static constexpr std::uint64_t kTailMask = Bytes::value == 0 ? 0
                                                                 : ~std::uint64_t{0} >> (64 - 8 * Bytes::value) % 64;

    // Entries that differ in every byte, the largest number and tail among them.
    static std::uint64_t entry(std::size_t i) { return 0x0123456789abcdefU * (i + 1); }
    static std::uint64_t tail(std::size_t i) {
        return (0xfedcba9876543210U * (i + 3) | (i == 2 ? ~0ULL : 0)) & kTailMask;
    }
    static std::uint64_t number(std::size_t i) {
        return i == 1 ? kMostNumber : (0x0f1e2d3c4bU * (i + 5)) & kMostNumber;
    }

    void expect(std::size_t i) const {
        EXPECT_EQ(Bucket::entry(bytes_, i), entry(i)) << i;
        EXPECT_EQ(Bucket::state_tail(bytes_, i), tail(i)) << i;
        EXPECT_EQ(Bucket::number(bytes_, i), number(i)) << i;
        EXPECT_EQ(Bucket::tail(bytes_, i).state, tail(i)) << i;
        EXPECT_EQ(Bucket::tail(bytes_, i).number, number(i)) << i;
    }

    alignas(kBucketBytes) std::byte bytes_[Bucket::kBytes + 8] = {};
};

template <std::size_t kBytes>
using Tail = std::integral_constant<std::size_t, kBytes>;
using Tails = ::testing::Types<Tail<0>, Tail<1>, Tail<2>, Tail<3>, Tail<4>, Tail<5>, Tail<6>, Tail<7>, Tail<8>>;
TYPED_TEST_SUITE(NumberedInlineBucketTest, Tails);

TYPED_TEST(NumberedInlineBucketTest, AnEntryIsFreeUntilItIsWritten) {
    using Inline = typename TestFixture::Bucket;
    for (std::size_t i = 0; i < Inline::kEntries; ++i) EXPECT_EQ(Inline::entry(this->bytes_, i), 0U);
    Inline::write(this->bytes_, 0, this->entry(0), {this->tail(0), this->number(0)});
    for (std::size_t i = 1; i < Inline::kEntries; ++i) EXPECT_EQ(Inline::entry(this->bytes_, i), 0U) << i;
}

TYPED_TEST(NumberedInlineBucketTest, EntriesDoNotTouchEachOtherInWhateverOrderTheyAreWritten) {
    using Inline = typename TestFixture::Bucket;
    // Every entry is written twice, the second time with what stays.
    for (std::size_t i = Inline::kEntries; i-- > 0;)
        Inline::write(this->bytes_, i, ~std::uint64_t{0}, {~std::uint64_t{0}, this->kMostNumber});
    for (std::size_t i = 0; i < Inline::kEntries; ++i)
        Inline::write(this->bytes_, i, this->entry(i), {this->tail(i), this->number(i)});
    for (std::size_t i = 0; i < Inline::kEntries; ++i) this->expect(i);
    for (std::size_t i = Inline::kBytes; i < sizeof this->bytes_; ++i)
        EXPECT_EQ(this->bytes_[i], std::byte{0}) << "nothing behind the bucket is written";
}

TYPED_TEST(NumberedInlineBucketTest, AsManyEntriesAsFitUpToEight) {
    using Inline = typename TestFixture::Bucket;
    constexpr std::size_t kEntryBytes = sizeof(std::uint64_t) + TypeParam::value + Inline::kNumberBytes;
    EXPECT_LE(Inline::kEntries * kEntryBytes, Inline::kBytes);
    EXPECT_TRUE(Inline::kEntries == 8 || (Inline::kEntries + 1) * kEntryBytes > Inline::kBytes);
}

}  // namespace
}  // namespace tideline::store
