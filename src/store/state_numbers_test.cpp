#include "store/state_numbers.hpp"

#include <limits>
#include <map>
#include <new>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "store/sample_states.hpp"

namespace tideline::store {
namespace {

using sample::always;
using sample::hash_of;
using sample::random_state;
using sample::State;
using Number = StateNumbers::Number;

struct Batch {
    std::size_t words;
    std::vector<State> states;
    std::vector<std::uint64_t> hashes;

    void add(const State& state) {
        states.push_back(state);
        hashes.push_back(hash_of(state));
    }
    [[nodiscard]] const Word* state(std::size_t i) const { return states[i].data(); }
    [[nodiscard]] std::uint64_t hash(std::size_t i) const { return hashes[i]; }
};

std::map<State, Number> contents(const StateNumbers& numbers) {
    std::map<State, Number> result;
    numbers.for_each([&](Number number, const Word* state) {
        EXPECT_TRUE(result.emplace(State(state, state + numbers.state_words()), number).second);
    });
    return result;
}

// Numbers that use all 40 bits.
Number number_of(std::uint64_t n) { return n * 0x9E3779B97FU & ((std::uint64_t{1} << StateNumbers::kNumberBits) - 1); }

TEST(StateNumbers, KeepsTheNumbersOfStatesOfAnySize) {
    for (std::size_t bytes = 1; bytes <= 24; ++bytes) {
        SCOPED_TRACE(testing::Message() << bytes << " bytes");
        std::mt19937_64 random(bytes);
        StateNumbers numbers((bytes + 7) / 8, bytes, always);
        std::map<State, Number> expected;
        for (int i = 0; i < 3000; ++i) {
            const State state = random_state(bytes, random() % 1500);
            const Number next = number_of(expected.size());
            const auto known = expected.find(state);
            const StateNumbers::Insertion inserted =
                numbers.insert(state.data(), hash_of(state), [&](std::uint64_t) { return next; });
            ASSERT_EQ(inserted.is_new, known == expected.end());
            ASSERT_EQ(inserted.number, inserted.is_new ? next : known->second);
            expected.emplace(state, next);
        }
        EXPECT_EQ(numbers.size(), expected.size());
        EXPECT_EQ(contents(numbers), expected);
    }
}

// Batches with states twice, entries left out, and a table that grows and splits meanwhile.
TEST(StateNumbers, InsertsBatchesAsOneByOne) {
    for (const std::size_t bytes : {3, 8, 9, 11, 12, 16, 20}) {
        SCOPED_TRACE(testing::Message() << bytes << " bytes");
        std::mt19937_64 random(bytes);
        StateNumbers numbers((bytes + 7) / 8, bytes, always);
        std::map<State, Number> expected;
        const auto give = [](std::uint64_t before) { return number_of(before); };
        while (expected.size() < 200'000) {
            Batch batch{(bytes + 7) / 8, {}, {}};
            for (int i = 0; i < 1000; ++i) batch.add(random_state(bytes, random() % 400'000));
            for (int i = 0; i < 20; ++i) batch.add(batch.states[random() % batch.states.size()]);
            std::vector<std::uint32_t> picks;
            for (std::uint32_t i = 0; i < batch.states.size(); ++i)
                if (random() % 4 != 0) picks.push_back(i);
            const auto pick = [&](std::size_t j) { return picks[j]; };
            std::vector<Number> given(batch.states.size(), std::numeric_limits<Number>::max());
            std::vector<std::uint32_t> discovered;
            numbers.prefetch_batch(batch, picks.size(), pick);
            numbers.insert_batch(batch, picks.size(), pick, give, given.data(), discovered);
            std::vector<std::uint32_t> new_ones;
            for (const std::uint32_t i : picks) {
                const auto [at, is_new] = expected.emplace(batch.states[i], number_of(expected.size()));
                if (is_new) new_ones.push_back(i);
                ASSERT_EQ(given[i], at->second);
            }
            ASSERT_EQ(discovered, new_ones);
        }
        EXPECT_EQ(contents(numbers), expected);
    }
}

// Between all three forms: entries of four and of three to a bucket, and wide states.
TEST(StateNumbers, KeepsNumbersWhenStatesAreRepacked) {
    for (const std::size_t from : {2, 8, 13, 20})
        for (const std::size_t to : {2, 8, 10, 16, 17, 30}) {
            if (to < from) continue;
            SCOPED_TRACE(testing::Message() << from << " to " << to << " bytes");
            StateNumbers numbers((from + 7) / 8, from, always);
            const std::size_t words = (to + 7) / 8;
            std::map<State, Number> expected;
            for (std::uint64_t n = 0; n < 30'000; ++n) {
                const State state = random_state(from, n);
                if (!numbers.insert(state.data(), hash_of(state), [&](std::uint64_t) { return number_of(n); }).is_new)
                    continue;
                State wider(words);
                std::copy(state.begin(), state.end(), wider.begin());
                expected.emplace(wider, number_of(n));
            }
            numbers.repack(words, to, [&](const Word* before, Word* after) {
                std::fill_n(after, words, 0);
                std::copy_n(before, (from + 7) / 8, after);
            });
            EXPECT_EQ(numbers.state_words(), words);
            EXPECT_EQ(numbers.size(), expected.size());
            EXPECT_EQ(contents(numbers), expected);
            for (const auto& [state, number] : expected)
                ASSERT_EQ(numbers.insert(state.data(), hash_of(state), [](std::uint64_t) { return Number{0}; }).number,
                          number);
        }
}

// A hash of 0 marks a free entry.
TEST(StateNumbers, HasStatesWhoseHashIsZero) {
    StateNumbers numbers(2, 16, always);
    std::map<State, Number> expected;
    Batch batch{2, {}, {}};
    for (const Word second : {Word{5}, Word{6}, Word{5}, Word{0}}) {
        State state{0, second};
        state[0] = successor::first_word(0, state.data(), 2);
        batch.add(state);
        ASSERT_EQ(batch.hashes.back(), 0U);
    }
    std::vector<Number> given(4);
    std::vector<std::uint32_t> discovered;
    numbers.insert_batch(
        batch, 4, [](std::size_t j) { return j; }, [](std::uint64_t before) { return number_of(7 + before); },
        given.data(), discovered);
    EXPECT_EQ(discovered, (std::vector<std::uint32_t>{0, 1, 3}));
    EXPECT_EQ(given, (std::vector<Number>{number_of(7), number_of(8), number_of(7), number_of(9)}));
    EXPECT_EQ(numbers.size(), 3U);
    for (const std::size_t i : {0, 1, 3}) expected.emplace(batch.states[i], given[i]);
    EXPECT_EQ(contents(numbers), expected);
}

TEST(StateNumbers, LosesNothingWhenMemoryRunsOut) {
    for (const std::size_t bytes : {8, 16, 24}) {
        std::uint64_t left = 1 << 20;
        const MemoryBudget scarce = [&](std::uint64_t more) {
            if (more > left) return false;
            left -= more;
            return true;
        };
        StateNumbers numbers((bytes + 7) / 8, bytes, scarce);
        std::map<State, Number> expected;
        try {
            for (std::uint64_t n = 0; n < 1'000'000; ++n) {
                const State state = random_state(bytes, n);
                numbers.insert(state.data(), hash_of(state), std::identity());
                expected.emplace(state, n);
            }
            FAIL() << "a million states fit into a megabyte";
        } catch (const std::bad_alloc&) {
        }
        EXPECT_GT(expected.size(), 10'000U);
        EXPECT_EQ(contents(numbers), expected);
    }
}

}  // namespace
}  // namespace tideline::store
