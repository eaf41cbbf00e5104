#include "store/dictionary.hpp"

#include <random>
#include <unordered_map>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

Dictionary::Id insert(Dictionary& dictionary, std::uint64_t value) {
    return dictionary.insert(value, Dictionary::hash(value));
}

TEST(Dictionary, NumbersValuesOfAnyWidthInTheOrderOfArrival) {
    std::mt19937_64 random(1);
    for (unsigned bits = 0; bits <= 64; ++bits) {
        Dictionary dictionary;
        std::unordered_map<std::uint64_t, Dictionary::Id> expected;
        EXPECT_FALSE(dictionary.find(0));
        for (int i = 0; i < 3000; ++i) {
            // Longer ones come later.
            const std::uint64_t value = random() & low_bits(bits) & low_bits(static_cast<unsigned>(i / 50 + 1));
            const auto place = expected.find(value);
            ASSERT_EQ(dictionary.find(value).has_value(), place != expected.end());
            const Dictionary::Id id = insert(dictionary, value);
            ASSERT_EQ(id, expected.try_emplace(value, static_cast<Dictionary::Id>(expected.size())).first->second);
        }
        ASSERT_EQ(dictionary.size(), expected.size());
        for (const auto& [value, id] : expected) {
            ASSERT_EQ(dictionary[id], value);
            ASSERT_EQ(dictionary.find(value), id);
        }
    }
}

TEST(Dictionary, HalvesGetTheBitsThatTheyNeed) {
    // Pairs of numbers below 2^10 need 20 bits, wherever in the 64 they are; the index a few more than a number's.
    constexpr std::uint64_t kCount = 100000;
    Dictionary dictionary;
    for (std::uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(insert(dictionary, i / 1000 << 32U | i % 1000), i);
    EXPECT_LE(dictionary.bytes(), kCount * (17 + 41) / 8);
    for (std::uint64_t i = 0; i < kCount; ++i)
        ASSERT_EQ(dictionary[static_cast<Dictionary::Id>(i)], i / 1000 << 32U | i % 1000);
}

TEST(Dictionary, KeepsItsValuesWhenOneIsWider) {
    Dictionary dictionary;
    const std::uint64_t values[] = {
        0, 1, 2, 3, 1000, std::uint64_t{1} << 32U, ~std::uint64_t{0}, std::uint64_t{5} << 40U, 4};
    for (const std::uint64_t value : values) insert(dictionary, value);
    for (Dictionary::Id id = 0; id < dictionary.size(); ++id) EXPECT_EQ(dictionary[id], values[id]);
}

}  // namespace
}  // namespace tideline::store
