#include "explore/open_columns.hpp"

#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

using successor::Key;

TEST(OpenColumns, TheLayersOfAMixedBatchAreFoundHoweverItIsCutIntoPieces) {
    const Key large = (Key{7} << 64U) + 9;
    const std::map<Key, std::vector<std::uint8_t>> layers{{3, {1, 2}}, {large, {3}}, {~Key{0}, {4, 5, 6}}};
    OpenColumns columns;
    for (const auto& [key, states] : layers) {
        columns.push_key(key, states.size(), 1);
        for (const std::uint8_t state : states)
            columns.push({reinterpret_cast<const std::byte*>(&state), 40U + state, 80U + state}, 1);
    }
    ASSERT_EQ(columns.size(), 6U + 3 * 2);
    for (std::size_t piece = 1; piece <= columns.size(); ++piece) {
        MixedReader reader;
        std::map<Key, std::vector<std::uint8_t>> read;
        for (std::size_t begin = 0; begin < columns.size(); begin += piece) {
            const std::size_t count = std::min(piece, columns.size() - begin);
            ledger::Records records;
            records.count = count;
            records.numbers = std::span(columns.parents).subspan(begin, count);
            records.tags = std::span(columns.transitions).subspan(begin, count);
            reader.read(records, [&](Key key, std::uint64_t i) {
                const std::uint8_t state = columns.states[begin + i];
                EXPECT_EQ(records.numbers[i], 40U + state);
                EXPECT_EQ(records.tags[i], 80U + state);
                read[key].push_back(state);
            });
        }
        EXPECT_EQ(read, layers) << "in pieces of " << piece;
    }
}

TEST(OpenColumns, AreEmptyWhenTheyAreCleared) {
    OpenColumns columns;
    columns.push_key(1, 1, 4);
    EXPECT_FALSE(columns.empty());
    EXPECT_EQ(columns.columns().count, 2U);
    EXPECT_EQ(columns.columns().states.size(), 8U);
    columns.clear();
    EXPECT_TRUE(columns.empty());
    EXPECT_TRUE(columns.columns().states.empty());
}

}  // namespace
}  // namespace tideline::explore
