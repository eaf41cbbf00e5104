#include "store/state_table.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace tideline {
namespace {

using State = std::vector<Word>;

class StateTableTest : public testing::Test {
protected:
    static StateTable::Permission always() {
        return [](std::uint64_t) { return true; };
    }
    static std::size_t words(std::size_t bytes) { return (bytes + 7) / 8; }

    // A state whose bytes beyond `bytes` are 0.
    State random_state(std::size_t bytes, std::uint64_t variety) {
        State state(words(bytes));
        std::mt19937_64 random(random_() % variety);
        for (Word& word : state) word = random();
        if (bytes % 8 != 0) state.back() &= (Word{1} << (bytes % 8 * 8)) - 1;
        return state;
    }
    static StateId insert(StateTable& table, const State& state, bool& fresh) {
        EXPECT_TRUE(table.reserve(1));
        return table.insert(state.data(), hash_state(state.data(), state.size()), fresh);
    }
    static State read(const StateTable& table, StateId id, std::size_t bytes) {
        State state(words(bytes), ~Word{0});
        table.read(id, state.data());
        return state;
    }

    std::mt19937_64 random_{3};
};

TEST_F(StateTableTest, NumbersStatesOfAnySizeInTheOrderOfArrival) {
    for (std::size_t bytes = 1; bytes <= 100; ++bytes) {
        StateTable table(words(bytes), bytes, always());
        EXPECT_EQ(table.state_bytes(), bytes);
        std::map<State, StateId> expected;
        for (int i = 0; i < 3000; ++i) {
            const State state = random_state(bytes, 2000);
            const auto [place, is_new] = expected.try_emplace(state, expected.size());
            bool fresh = !is_new;
            ASSERT_EQ(insert(table, state, fresh), place->second);
            ASSERT_EQ(fresh, is_new);
        }
        ASSERT_EQ(table.size(), expected.size());
        for (const auto& [state, id] : expected) ASSERT_EQ(read(table, id, bytes), state);
    }
}

TEST_F(StateTableTest, GrowsThroughManyTablesAndBlocks) {
    constexpr std::size_t kBytes = 13;
    constexpr std::uint64_t kStates = 400000;
    StateTable table(words(kBytes), kBytes, always());
    const auto state_of = [](std::uint64_t i) { return State{i * 0x9E3779B97F4A7C15U, i}; };
    for (int pass = 0; pass < 2; ++pass) {
        for (std::uint64_t i = 0; i < kStates; ++i) {
            bool fresh = false;
            ASSERT_EQ(insert(table, state_of(i), fresh), i);
            ASSERT_EQ(fresh, pass == 0);
        }
    }
    EXPECT_EQ(table.size(), kStates);
}

TEST_F(StateTableTest, StatesLargerThanABlockHaveRoom) {
    constexpr std::size_t kBytes = (std::size_t{2} << 20U) + 8;
    StateTable table(words(kBytes), kBytes, always());
    for (Word i = 0; i < 3; ++i) {
        State state(words(kBytes), i);
        bool fresh = false;
        EXPECT_EQ(insert(table, state, fresh), i);
        EXPECT_TRUE(fresh);
        EXPECT_EQ(read(table, i, kBytes), state);
    }
}

TEST_F(StateTableTest, EqualHashesDoNotMakeStatesEqual) {
    StateTable table(1, 8, always());
    ASSERT_TRUE(table.reserve(100));
    for (Word i = 0; i < 100; ++i) {
        bool fresh = false;
        EXPECT_EQ(table.insert(&i, 12345, fresh), i);
        EXPECT_TRUE(fresh);
    }
    for (Word i = 0; i < 100; ++i) {
        bool fresh = true;
        EXPECT_EQ(table.insert(&i, 12345, fresh), i);
        EXPECT_FALSE(fresh);
    }
}

TEST_F(StateTableTest, WithoutPermissionTheTableFillsUpAndKeepsWhatItHas) {
    bool permitted = false;
    StateTable table(1, 8, [&](std::uint64_t) { return permitted; });
    Word count = 0;
    for (bool fresh = false; table.reserve(1); ++count) table.insert(&count, hash_state(&count, 1), fresh);
    EXPECT_GT(count, 1000U) << "little memory needs no permission";
    EXPECT_LT(count, 100000U);
    EXPECT_EQ(table.size(), count);
    for (Word i = 0; i < count; ++i) {
        bool fresh = true;
        EXPECT_EQ(table.insert(&i, hash_state(&i, 1), fresh), i);
        EXPECT_FALSE(fresh);
    }
    permitted = true;
    EXPECT_TRUE(table.reserve(100000));
    bool fresh = false;
    EXPECT_EQ(table.insert(&count, hash_state(&count, 1), fresh), count);
    EXPECT_TRUE(fresh);
}

TEST_F(StateTableTest, PermissionIsAskedForWhatIsAdded) {
    std::uint64_t asked = 0;
    StateTable table(2, 16, [&](std::uint64_t bytes) {
        asked += bytes;
        return true;
    });
    constexpr std::uint64_t kStates = 200000;
    for (Word i = 0; i < kStates; ++i) {
        bool fresh = false;
        insert(table, {i, i}, fresh);
    }
    EXPECT_GT(asked, kStates * (16 + 8));
    EXPECT_LT(asked, kStates * (16 + 8) * 3);
}

TEST_F(StateTableTest, WithoutPermissionALargeStateIsRefused) {
    StateTable table(1U << 17U, 1U << 20U, [](std::uint64_t) { return false; });
    EXPECT_FALSE(table.reserve(1));
    EXPECT_EQ(table.size(), 0U);
}

TEST_F(StateTableTest, FindingAddsNothing) {
    StateTable table(1, 8, always());
    const auto find = [&](Word state) { return table.find(&state, hash_state(&state, 1)); };
    EXPECT_EQ(find(5), std::nullopt);
    bool fresh = false;
    insert(table, {7}, fresh);
    insert(table, {5}, fresh);
    EXPECT_EQ(find(5), StateId{1});
    EXPECT_EQ(find(6), std::nullopt);
    EXPECT_EQ(table.size(), 2U);
}

TEST_F(StateTableTest, ReservingMoreThanNumbersCanNameIsRefused) {
    StateTable table(1, 8, always());
    EXPECT_FALSE(table.reserve(std::size_t{1} << 40U));
}

TEST_F(StateTableTest, RepackingKeepsNumbersAndContents) {
    for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>{3, 5}, {8, 9}, {12, 40}, {40, 16}}) {
        StateTable table(words(from), from, always());
        std::vector<State> states;
        for (std::uint64_t i = 0; i < 300000 / from; ++i) {
            State state(words(from));
            state[0] = i;
            bool fresh = false;
            ASSERT_EQ(insert(table, state, fresh), i);
            states.push_back(state);
        }
        const std::size_t new_words = words(to);
        const auto translated = [&](const Word* state) {
            State result(new_words);
            result[0] = state[0] ^ 0x155U;
            return result;
        };
        ASSERT_TRUE(table.repack(new_words, to, [&](const Word* old, Word* now) {
            const State result = translated(old);
            std::copy(result.begin(), result.end(), now);
        }));
        EXPECT_EQ(table.state_bytes(), to);
        EXPECT_EQ(table.size(), states.size());
        for (StateId id = 0; id < states.size(); ++id) {
            const State expected = translated(states[id].data());
            ASSERT_EQ(read(table, id, to), expected);
            bool fresh = true;
            ASSERT_EQ(insert(table, expected, fresh), id);
            ASSERT_FALSE(fresh);
        }
        State another(new_words);
        another[0] = 0xFFFFFF;
        bool fresh = false;
        EXPECT_EQ(insert(table, another, fresh), states.size());
        EXPECT_TRUE(fresh);
    }
}

TEST_F(StateTableTest, RepackingWithoutPermissionChangesNothing) {
    bool permitted = true;
    StateTable table(1, 8, [&](std::uint64_t) { return permitted; });
    constexpr Word kStates = 20000;
    bool fresh = false;
    for (Word i = 0; i < kStates; ++i) insert(table, {i}, fresh);
    permitted = false;
    EXPECT_FALSE(table.repack(2, 16, [](const Word*, Word*) { FAIL() << "nothing is translated"; }));
    EXPECT_EQ(table.state_bytes(), 8U);
    for (Word i = 0; i < kStates; ++i) {
        EXPECT_EQ(insert(table, {i}, fresh), i);
        EXPECT_FALSE(fresh);
    }
}

}  // namespace
}  // namespace tideline
