#include "ledger/frame.hpp"

#include <random>

#include <gtest/gtest.h>

namespace tideline::ledger {
namespace {

bool equal(const Columns& a, const Columns& b) {
    return a.count == b.count && a.bytes == b.bytes && a.numbers == b.numbers && a.others == b.others &&
           a.tags == b.tags && a.marks == b.marks;
}

Columns random_columns(const Shape& shape, std::uint64_t count, std::mt19937_64& random) {
    Columns columns;
    columns.count = count;
    for (std::uint64_t i = 0; i < count * shape.record_bytes; ++i)
        columns.bytes.push_back(static_cast<std::uint8_t>(random() % 4 == 0 ? random() : 0));
    // From a few bits to all of them.
    const auto number = [&] { return random() >> random() % 64; };
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (shape.tags) columns.tags.push_back(static_cast<std::uint32_t>(shape.lists ? random() % 4 : number()));
        // Edges: of both kinds, often to the next temporary id.
        for (std::uint64_t k = shape.lists ? columns.tags.back() : 0; k > 0; --k) {
            columns.others.push_back(random() % 4 == 0 ? number() : random() % 3);
            columns.numbers.push_back(random() % 3 == 0 ? next++ | kTemporaryId
                                                        : number() % kNumberEnd | (random() % 2) * kTemporaryId);
            if (shape.marks) columns.marks.push_back(random() % 4 == 0 ? number() : random() % 3);
        }
        if (shape.lists) continue;
        if (shape.others) columns.others.push_back(shape.bounded_others ? number() % kNumberEnd : number());
        if (shape.numbers) columns.numbers.push_back(shape.bounded_numbers ? number() % kNumberEnd : number());
    }
    return columns;
}

TEST(FrameCodec, GivesBackRecordsOfEveryShapeAndSize) {
    std::mt19937_64 random(1);
    FrameCodec codec;
    for (int i = 0; i < 4000; ++i) {
        Shape shape;
        shape.record_bytes = random() % 3 == 0 ? 0 : random() % 70;
        shape.numbers = random() % 2 == 0;
        shape.others = random() % 2 == 0;
        shape.tags = random() % 2 == 0;
        shape.bounded_numbers = shape.numbers && random() % 2 == 0;
        shape.bounded_others = shape.others && random() % 2 == 0;
        if (shape.lists = random() % 4 == 0; shape.lists) {
            shape.record_bytes = 0;
            shape.numbers = shape.others = shape.tags = true;
            shape.bounded_numbers = shape.bounded_others = false;
            shape.marks = random() % 2 == 0;
        }
        const Columns columns = random_columns(shape, random() % 40, random);
        const FrameCodec::Encoded encoded = codec.encode(columns, shape);
        const Bytes payload(encoded.payload.begin(), encoded.payload.end());
        const auto count = static_cast<std::uint32_t>(columns.count);
        const std::optional<Columns> decoded = codec.decode(payload, encoded.codec, encoded.raw_bytes, count, shape);
        ASSERT_TRUE(decoded);
        ASSERT_TRUE(equal(*decoded, columns)) << i;
    }
}

TEST(FrameCodec, RefusesNumbersOfMoreThanFortyBits) {
    FrameCodec codec;
    for (const std::uint64_t number : {kNumberEnd - 1, kNumberEnd, ~std::uint64_t{0}}) {
        const auto is_read = [&](const Columns& columns, const Shape& shape) {
            const FrameCodec::Encoded encoded = codec.encode(columns, shape);
            const Bytes payload(encoded.payload.begin(), encoded.payload.end());
            return codec.decode(payload, encoded.codec, encoded.raw_bytes, 1, shape).has_value();
        };
        Columns columns;
        columns.count = 1;
        columns.numbers = {number};
        EXPECT_EQ(is_read(columns, {.numbers = true, .bounded_numbers = true}), number < kNumberEnd);
        EXPECT_TRUE(is_read(columns, {.numbers = true}));
        columns.others = {number};
        columns.numbers = {0};
        EXPECT_EQ(is_read(columns, {.numbers = true, .others = true, .bounded_others = true}), number < kNumberEnd);
        columns.numbers = {number & ~kTemporaryId};
        columns.others = {0};
        columns.tags = {1};
        EXPECT_EQ(is_read(columns, {.numbers = true, .others = true, .tags = true, .lists = true}),
                  number < kNumberEnd);
    }
}

// Checksums keep damaged payloads away from the decoder; it must be safe by itself all the same.
TEST(FrameCodec, SurvivesAnyPayload) {
    std::mt19937_64 random(2);
    FrameCodec codec;
    const Shape shapes[] = {{.record_bytes = 5},
                            {.numbers = true, .tags = true},
                            {.numbers = true, .others = true, .tags = true, .lists = true},
                            {.numbers = true, .others = true, .tags = true, .marks = true, .lists = true},
                            {.record_bytes = 9, .numbers = true, .others = true, .tags = true}};
    for (int i = 0; i < 20000; ++i) {
        const Shape& shape = shapes[random() % std::size(shapes)];
        const Columns columns = random_columns(shape, random() % 40, random);
        const FrameCodec::Encoded encoded = codec.encode(columns, shape);
        Bytes payload(encoded.payload.begin(), encoded.payload.end());
        for (std::uint64_t k = random() % 3; k > 0 && !payload.empty(); --k)
            payload[random() % payload.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        if (random() % 3 == 0) payload.resize(random() % (payload.size() + 5));
        const std::uint32_t raw_bytes =
            random() % 4 == 0 ? static_cast<std::uint32_t>(random() % 1000) : encoded.raw_bytes;
        const auto count = static_cast<std::uint32_t>(random() % 4 == 0 ? random() : columns.count);
        const std::optional<Columns> decoded = codec.decode(payload, encoded.codec, raw_bytes, count, shape);
        if (!decoded) continue;
        ASSERT_EQ(decoded->count, count);
        ASSERT_EQ(decoded->bytes.size(), std::uint64_t{count} * shape.record_bytes);
        ASSERT_EQ(decoded->tags.size(), shape.tags ? count : 0);
        if (shape.lists) {
            std::uint64_t edges = 0;
            for (const std::uint32_t degree : decoded->tags) edges += degree;
            ASSERT_EQ(decoded->numbers.size(), edges);
            ASSERT_EQ(decoded->others.size(), edges);
            ASSERT_EQ(decoded->marks.size(), shape.marks ? edges : 0);
        }
    }
}

TEST(Digits, FoldDifferencesOfEitherSign) {
    constexpr std::uint64_t kAll = ~std::uint64_t{0};
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, kAll, kAll << 63U, kAll >> 1U})
        EXPECT_EQ(zigzag_decode(zigzag_encode(value)), value);
    EXPECT_EQ(zigzag_encode(0 - std::uint64_t{1}), 1);
    EXPECT_EQ(zigzag_encode(1), 2);
    Bytes bytes;
    for (unsigned shift = 0; shift < 64; ++shift) append_varint(bytes, ~std::uint64_t{0} >> shift);
    ByteReader in(bytes);
    for (unsigned shift = 0; shift < 64; ++shift) EXPECT_EQ(in.digits(), ~std::uint64_t{0} >> shift);
    EXPECT_TRUE(in.good() && in.at_end());
    EXPECT_EQ(in.digits(), 0);
    EXPECT_FALSE(in.good());
}

}  // namespace
}  // namespace tideline::ledger
