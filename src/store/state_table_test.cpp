#include "store/state_table.hpp"

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "store/pending.hpp"

namespace tideline::store {
namespace {

using State = std::vector<successor::Word>;

class StateTableTest : public testing::Test {
protected:
    static std::size_t words(std::size_t bytes) { return (bytes + 7) / 8; }

    // A state whose bytes beyond `bytes` are 0.
    State random_state(std::size_t bytes, std::uint64_t variety) {
        State state(words(bytes));
        std::mt19937_64 random(random_() % variety);
        for (successor::Word& word : state) word = random();
        if (bytes % 8 != 0) state.back() &= (successor::Word{1} << (bytes % 8 * 8)) - 1;
        return state;
    }
    static bool insert(StateTable& table, const State& state) {
        return table.insert(state.data(), successor::hash_state(state.data(), state.size()));
    }
    static bool contains(const StateTable& table, const State& state) {
        return table.contains(state.data(), successor::hash_state(state.data(), state.size()));
    }
    static std::set<State> all(const StateTable& table) {
        std::set<State> result;
        table.for_each([&](const successor::Word* state) {
            EXPECT_TRUE(result.emplace(state, state + table.state_words()).second);
        });
        return result;
    }

    MemoryBudget always_ = [](std::uint64_t) { return true; };
    std::mt19937_64 random_{3};
};

TEST_F(StateTableTest, HoldsStatesOfAnySizeOnceEach) {
    for (std::size_t bytes = 1; bytes <= 100; ++bytes) {
        SCOPED_TRACE(bytes);
        StateTable table(words(bytes), bytes, always_);
        EXPECT_EQ(table.state_bytes(), bytes);
        EXPECT_EQ(table.ordered(), bytes > 16);
        std::set<State> expected;
        std::vector<State> order;
        for (int i = 0; i < 3000; ++i) {
            const State state = random_state(bytes, 2000);
            const bool is_new = expected.insert(state).second;
            ASSERT_EQ(contains(table, state), !is_new);
            ASSERT_EQ(insert(table, state), is_new);
            if (is_new) order.push_back(state);
        }
        ASSERT_EQ(table.size(), expected.size());
        ASSERT_EQ(all(table), expected);
        if (!table.ordered()) continue;
        State read(words(bytes), ~successor::Word{0});
        for (std::size_t i = 0; i < order.size(); ++i) {
            table.read(i, read.data());
            ASSERT_EQ(read, order[i]);
        }
    }
}

// As many as there is room for, and some more.
TEST_F(StateTableTest, HasRoomThatWasMadeBefore) {
    for (const std::size_t bytes : {5U, 13U, 30U}) {
        for (const std::uint64_t room : {1U, 100U, 250'000U}) {
            SCOPED_TRACE(testing::Message() << bytes << " bytes, room for " << room);
            StateTable table(words(bytes), bytes, always_);
            table.reserve(room);
            const std::uint64_t generation = table.generation();
            std::set<State> expected;
            while (expected.size() < room + room / 8 + 1) {
                const State state = random_state(bytes, ~std::uint64_t{0});
                ASSERT_EQ(insert(table, state), expected.insert(state).second);
                ASSERT_TRUE(expected.size() > room * 9 / 10 || table.generation() == generation);
            }
            ASSERT_EQ(all(table), expected);
        }
    }
}

TEST_F(StateTableTest, MakesNoRoomThatItMayNotHave) {
    const MemoryBudget never = [](std::uint64_t) { return false; };
    StateTable table(1, 8, never);
    const std::uint64_t generation = table.generation();
    table.reserve(1'000'000);
    EXPECT_EQ(table.generation(), generation);
    EXPECT_TRUE(insert(table, State{1}));
}

TEST_F(StateTableTest, GrowsIntoShardsAndOn) {
    for (const std::size_t bytes : {5U, 8U, 13U, 16U, 30U}) {
        SCOPED_TRACE(bytes);
        constexpr std::uint64_t kStates = 1500000;
        StateTable table(words(bytes), bytes, always_);
        const auto state_of = [&](std::uint64_t i) {
            State state(words(bytes));
            state[0] = bytes < 8 ? i * 7919 % (std::uint64_t{1} << 40U) : i * 0x9E3779B97F4A7C15U;
            if (bytes > 8) state[1] = i % 1000;
            return state;
        };
        for (int pass = 0; pass < 2; ++pass)
            for (std::uint64_t i = 0; i < kStates; ++i) ASSERT_EQ(insert(table, state_of(i)), pass == 0) << i;
        EXPECT_EQ(table.size(), kStates);
        std::uint64_t seen = 0;
        table.for_each([&](const successor::Word*) { ++seen; });
        EXPECT_EQ(seen, kStates);
        EXPECT_FALSE(contains(table, state_of(kStates)));
    }
}

// 0 marks a free place, so the states with this hash are kept elsewhere.
TEST_F(StateTableTest, StatesWhoseHashIsZeroAreStatesLikeOthers) {
    for (const std::size_t count : {1U, 2U, 3U}) {
        SCOPED_TRACE(count);
        StateTable table(count, count * 8, always_);
        std::set<State> expected;
        for (successor::Word i = 0; i < (count == 1 ? 1U : 5U); ++i) {
            State state(count, i);
            state[0] = successor::first_word(0, state.data(), count);
            ASSERT_EQ(successor::hash_state(state.data(), count), 0U);
            EXPECT_FALSE(contains(table, state));
            EXPECT_TRUE(insert(table, state));
            EXPECT_FALSE(insert(table, state));
            EXPECT_TRUE(contains(table, state));
            expected.insert(state);
        }
        EXPECT_EQ(all(table), expected);
        ProbeBlock block;
        block.count = 1;
        block.hashes[0] = 0;
        block.tails[0] = 0;
        Missing missing[ProbeBlock::kSize];
        if (table.ordered()) continue;
        block.buckets[0] = table.bucket(0);
        EXPECT_EQ(find_missing(block, table.shape(), missing), 1U) << "it is left to the table";
    }
}

TEST_F(StateTableTest, BlocksOfProbesMissWhatIsNotThere) {
    for (const std::size_t bytes : {3U, 8U, 9U, 11U, 12U, 16U}) {
        SCOPED_TRACE(bytes);
        StateTable table(words(bytes), bytes, always_);
        for (int i = 0; i < 20000; ++i) insert(table, random_state(bytes, 40000));
        std::size_t found = 0;
        for (int round = 0; round < 300; ++round) {
            ProbeBlock block;
            std::vector<State> states;
            block.count = 1 + random_() % ProbeBlock::kSize;
            for (std::size_t j = 0; j < block.count; ++j) {
                states.push_back(random_state(bytes, 80000));
                block.hashes[j] = successor::hash_state(states[j].data(), states[j].size());
                block.buckets[j] = table.bucket(block.hashes[j]);
                block.tails[j] = states[j].back();
            }
            Missing missing[ProbeBlock::kSize];
            const std::size_t count = find_missing(block, table.shape(), missing);
            std::vector<bool> is_missing(block.count);
            for (std::size_t m = 0; m < count; ++m) is_missing[missing[m].index] = true;
            for (std::size_t j = 0; j < block.count; ++j) {
                if (!contains(table, states[j])) {
                    ASSERT_TRUE(is_missing[j]);
                } else {
                    found += !is_missing[j];
                }
            }
        }
        EXPECT_GT(found, 100U) << "most of what is there is found";
    }
}

TEST_F(StateTableTest, TwoStatesWithTheSameHashAreToldApart) {
    StateTable table(2, 16, always_);
    std::vector<State> states;
    for (successor::Word second = 0; second < 6; ++second) {
        State state{0, second};
        state[0] = successor::first_word(12345678, state.data(), 2);
        states.push_back(state);
        EXPECT_TRUE(insert(table, state));
    }
    for (const State& state : states) EXPECT_FALSE(insert(table, state));
    EXPECT_EQ(table.size(), 6U);
}

TEST_F(StateTableTest, WithoutMemoryItFillsUpAndThenGivesUpWithoutLosingAnything) {
    for (const std::size_t bytes : {6U, 12U, 40U}) {
        SCOPED_TRACE(bytes);
        std::uint64_t asked = 0;
        bool allowed = true;
        const MemoryBudget budget = [&](std::uint64_t) {
            ++asked;
            return allowed;
        };
        StateTable table(words(bytes), bytes, budget);
        std::set<State> expected;
        bool refused = false;
        for (std::uint64_t i = 0; i < 3000000 && !refused; ++i) {
            if (i == 50000) allowed = false;
            const State state = random_state(bytes, 100000000);
            try {
                if (insert(table, state)) expected.insert(state);
            } catch (const std::bad_alloc&) {
                refused = true;
                EXPECT_FALSE(contains(table, state));
            }
        }
        EXPECT_TRUE(refused);
        EXPECT_GT(asked, 0U);
        EXPECT_EQ(all(table), expected);
        for (const State& state : expected) ASSERT_FALSE(insert(table, state));
    }
}

// A smaller limit stands for 2^40 - 2.
TEST_F(StateTableTest, AnOrderedTableEndsWithItsNumbers) {
    constexpr std::uint64_t kMost = 30'000;  // there is room for more records: they grow by 1 MB at a time
    StateTable table(3, 24, always_, StateTable::kMostSplitBits, kMost);
    std::vector<State> states;
    for (std::uint64_t i = 0; i < kMost; ++i) {
        states.push_back({i, i * i, 7});
        ASSERT_TRUE(insert(table, states.back()));
    }
    for (std::uint64_t i = 0; i < 100; ++i) {
        const State one_more{i, kMost, 8};
        EXPECT_THROW(insert(table, one_more), std::bad_alloc);
        EXPECT_THROW(table.insert_distinct(one_more.data(), 1), std::bad_alloc);
        EXPECT_FALSE(contains(table, one_more));
    }
    EXPECT_EQ(table.size(), kMost);
    State found(3);
    for (std::uint64_t i = 0; i < kMost; ++i) {
        ASSERT_FALSE(insert(table, states[i]));
        table.read(i, found.data());
        ASSERT_EQ(found, states[i]);
    }
    // The limit stays in another packing, and does not matter where there are no numbers.
    table.repack(4, 32, [](const successor::Word* from, successor::Word* to) {
        std::copy(from, from + 3, to);
        to[3] = 1;
    });
    EXPECT_EQ(table.size(), kMost);
    EXPECT_THROW(insert(table, {1, 2, 3, 4}), std::bad_alloc);
    table.repack(2, 16, [](const successor::Word* from, successor::Word* to) { std::copy(from, from + 2, to); });
    EXPECT_TRUE(insert(table, {1, 2}));
    EXPECT_EQ(table.size(), kMost + 1);
}

TEST_F(StateTableTest, CarriesItsStatesOverToAnyOtherPacking) {
    for (const std::size_t from : {3U, 8U, 9U, 16U, 17U, 40U}) {
        for (const std::size_t to : {4U, 8U, 10U, 16U, 24U, 50U}) {
            SCOPED_TRACE(std::to_string(from) + " bytes to " + std::to_string(to));
            StateTable table(words(from), from, always_);
            Pending pending(table);
            std::vector<successor::Word> order;
            for (successor::Word i = 0; i < 3000; ++i) {
                State state(words(from));
                state[0] = i;
                insert(table, state);
                pending.push(table, state.data());
                order.push_back(i);
            }
            State out(words(from));
            for (int i = 0; i < 1000; ++i) pending.take(table, out.data(), 1);
            const auto translate = [&](const successor::Word* old, successor::Word* repacked) {
                std::fill_n(repacked, words(to), 0);
                repacked[0] = old[0] + 1000;
            };
            pending.repack(table, words(to), to, translate);
            table.repack(words(to), to, translate);
            EXPECT_EQ(table.size(), order.size());
            EXPECT_EQ(table.state_bytes(), to);
            std::set<State> expected;
            for (const successor::Word i : order) {
                State state(words(to));
                state[0] = i + 1000;
                expected.insert(state);
            }
            EXPECT_EQ(all(table), expected);
            for (const State& state : expected) EXPECT_FALSE(insert(table, state));
            // The waiting ones come in the same order, also those that come later.
            State later(words(to));
            later[0] = 99999;
            EXPECT_TRUE(insert(table, later));
            pending.push(table, later.data());
            EXPECT_EQ(pending.size(table), 2001U);
            out.assign(words(to), 0);
            for (successor::Word i = 1000; i < 3000; ++i) {
                ASSERT_EQ(pending.take(table, out.data(), 1), 1U);
                ASSERT_EQ(out[0], i + 1000);
            }
            ASSERT_EQ(pending.take(table, out.data(), 5), 1U);
            EXPECT_EQ(out, later);
            EXPECT_EQ(pending.take(table, out.data(), 1), 0U);
        }
    }
}

TEST_F(StateTableTest, WaitingStatesComeInTheOrderOfTheirArrival) {
    for (const std::size_t bytes : {1U, 7U, 8U, 13U, 16U, 23U}) {
        SCOPED_TRACE(bytes);
        StateTable table(words(bytes), bytes, always_);
        Pending pending(table);
        std::vector<State> waiting;
        std::size_t taken = 0;
        for (int i = 0; i < 60000; ++i) {
            const State state = random_state(bytes, 100000);
            if (insert(table, state)) {
                pending.push(table, state.data());
                waiting.push_back(state);
            }
            if (i % 3 != 0) continue;
            State out(3 * words(bytes), ~successor::Word{0});
            const std::size_t count = pending.take(table, out.data(), 1 + random_() % 3);
            for (std::size_t n = 0; n < count; ++n, ++taken)
                ASSERT_TRUE(std::equal(waiting[taken].begin(), waiting[taken].end(),
                                       out.begin() + static_cast<std::ptrdiff_t>(n * words(bytes))));
        }
        EXPECT_EQ(pending.size(table), waiting.size() - taken);
    }
}

TEST_F(StateTableTest, SeveralStatesWaitInTheOrderOfTheirPlaces) {
    for (const std::size_t bytes : {1U, 7U, 8U, 13U, 16U, 23U}) {
        SCOPED_TRACE(bytes);
        const StateTable table(words(bytes), bytes, always_);
        Pending pending(table, true);
        std::vector<State> waiting;
        std::size_t taken = 0;
        for (int round = 0; round < 400; ++round) {
            std::vector<successor::Word> states;
            std::vector<std::uint32_t> indices;
            for (std::uint32_t index = 0; index < 300; ++index) {
                const State state = random_state(bytes, 100000);
                states.insert(states.end(), state.begin(), state.end());
                if (random_() % 2 == 0) continue;
                indices.push_back(index);
                waiting.push_back(state);
            }
            pending.push(table, states.data(), indices);
            ASSERT_EQ(pending.size(table), waiting.size() - taken);
            State out(300 * words(bytes), ~successor::Word{0});
            const std::size_t count = pending.take(table, out.data(), random_() % 300);
            for (std::size_t n = 0; n < count; ++n, ++taken)
                ASSERT_TRUE(std::equal(waiting[taken].begin(), waiting[taken].end(),
                                       out.begin() + static_cast<std::ptrdiff_t>(n * words(bytes))));
        }
        EXPECT_GT(taken, 10000U);
    }
}

// A packing that leaves the words as they are leaves their hashes as they are: taken in the order of the old table,
// every state belongs near the last one.
TEST(StateTable, StatesWhoseHashesStayAreRepacked) {
    const MemoryBudget always = [](std::uint64_t) { return true; };
    StateTable table(1, 4, always);
    constexpr std::uint64_t kStates = 400'000;
    for (successor::Word state = 0; state < kStates; ++state) table.insert(&state, successor::hash_state(&state, 1));
    table.repack(1, 5, [](const successor::Word* from, successor::Word* to) { *to = *from; });
    EXPECT_EQ(table.size(), kStates);
    for (successor::Word state = 0; state < kStates; ++state)
        ASSERT_FALSE(table.insert(&state, successor::hash_state(&state, 1)));
}

}  // namespace
}  // namespace tideline::store
