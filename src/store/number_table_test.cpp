#include "store/number_table.hpp"

#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tideline {
namespace {

using State = std::vector<Word>;

State random_state(std::size_t bytes, std::uint64_t which) {
    State state((bytes + 7) / 8);
    std::mt19937_64 random(which);
    for (Word& word : state) word = random();
    if (bytes % 8 != 0) state.back() &= (Word{1} << (bytes % 8 * 8)) - 1;
    return state;
}

std::uint64_t hash_of(const State& state) { return hash_state(state.data(), state.size()); }

TEST(NumberTable, KeepsPlacesAndNumbersOfStatesOfAnySize) {
    const Permission always = [](std::uint64_t) { return true; };
    for (std::size_t bytes = 1; bytes <= 40; ++bytes) {
        SCOPED_TRACE(bytes);
        std::mt19937_64 random(bytes);
        NumberTable table((bytes + 7) / 8, bytes, always);
        std::map<State, std::pair<NumberTable::Place, std::uint64_t>> expected;
        for (int i = 0; i < 3000; ++i) {
            const State state = random_state(bytes, random() % 2000);
            table.prefetch(hash_of(state));
            table.prefetch_state(hash_of(state));
            const auto known = expected.find(state);
            const std::optional<NumberTable::Place> found = table.find(state.data(), hash_of(state));
            ASSERT_EQ(found.has_value(), known != expected.end());
            const NumberTable::Insertion inserted = table.insert(state.data(), hash_of(state));
            ASSERT_EQ(inserted.is_new, known == expected.end());
            if (inserted.is_new) {
                ASSERT_EQ(inserted.place, expected.size());
                ASSERT_EQ(table.number(inserted.place), 0U);
            } else {
                ASSERT_EQ(inserted.place, *found);
                ASSERT_EQ(inserted.place, known->second.first);
                ASSERT_EQ(table.number(inserted.place), known->second.second);
            }
            const std::uint64_t number = random();
            table.set_number(inserted.place, number);
            expected[state] = {inserted.place, number};
        }
        ASSERT_EQ(table.size(), expected.size());
        State read(table.size() == 0 ? 1 : (bytes + 7) / 8);
        for (const auto& [state, entry] : expected) {
            table.read(entry.first, read.data());
            ASSERT_EQ(read, state);
            ASSERT_EQ(table.number(entry.first), entry.second);
        }
    }
}

// Two states whose hashes agree in the half that the index keeps are told apart.
TEST(NumberTable, TellsStatesApartThatTheIndexDoesNot) {
    const Permission always = [](std::uint64_t) { return true; };
    NumberTable table(1, 8, always);
    constexpr std::uint64_t kHash = std::uint64_t{77} << 32U;
    for (Word word = 0; word < 100; ++word) EXPECT_EQ(table.insert(&word, kHash + word).place, word);
    for (Word word = 0; word < 100; ++word) EXPECT_EQ(table.find(&word, kHash + word), word);
    const Word other = 100;
    EXPECT_FALSE(table.find(&other, kHash + other));
}

TEST(NumberTable, StaysAsItWasWhereItMayNotGrow) {
    std::uint64_t left = std::uint64_t{4} << 20U;
    const Permission limited = [&](std::uint64_t bytes) {
        if (bytes > left) return false;
        left -= bytes;
        return true;
    };
    NumberTable table(2, 16, limited);
    std::uint64_t inserted = 0;
    const auto fill = [&] {
        for (;; ++inserted) {
            const State state = random_state(16, inserted);
            (void)table.insert(state.data(), hash_of(state));
        }
    };
    EXPECT_THROW(fill(), std::bad_alloc);
    EXPECT_GT(inserted, 20'000U);
    EXPECT_EQ(table.size(), inserted);
    for (std::uint64_t i = 0; i < inserted; ++i) {
        const State state = random_state(16, i);
        ASSERT_EQ(table.find(state.data(), hash_of(state)), i);
    }
    left = std::uint64_t{4} << 20U;
    EXPECT_THROW(fill(), std::bad_alloc);
    EXPECT_EQ(table.size(), inserted);
}

}  // namespace
}  // namespace tideline
