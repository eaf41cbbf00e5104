#include "store/compressed_states.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

using State = std::vector<successor::Word>;

class CompressedStatesTest : public testing::Test {
protected:
    static CompressedStates::MemoryBudget always() {
        return [](std::uint64_t) { return true; };
    }
    static std::size_t words(std::size_t bytes) { return (bytes + 7) / 8; }

    // Of `parts` parts that take `values` values each.
    State random_state(std::size_t bytes, std::size_t parts, std::uint64_t values) {
        State state(words(bytes));
        for (std::size_t part = 0; part < parts; ++part) {
            const std::uint64_t value = successor::hashing::mix(random_() % values * parts + part + 1);
            for (std::size_t i = bytes * part / parts; i < bytes * (part + 1) / parts; ++i)
                state[i / 8] |= successor::hashing::mix(value + i) % 256 << (i % 8 * 8);
        }
        return state;
    }

    // Inserts a batch as searches do.
    struct Inserted {
        std::vector<CompressedStates::Root> roots;
        std::vector<bool> is_new;
    };
    static Inserted insert(CompressedStates& set, const std::vector<State>& states) {
        State together;
        for (const State& state : states) together.insert(together.end(), state.begin(), state.end());
        Inserted result;
        result.roots.resize(states.size());
        const auto is_new = std::make_unique<bool[]>(states.size());
        EXPECT_TRUE(set.reserve(states.size()));
        set.insert(together.data(), states.size(), result.roots.data(), is_new.get());
        result.is_new.assign(is_new.get(), is_new.get() + states.size());
        return result;
    }
    static State read(const CompressedStates& set, CompressedStates::Root root, std::size_t state_words) {
        State state(state_words, ~successor::Word{0});
        set.read(root, state.data());
        return state;
    }
    static void expect_contents(const CompressedStates& set, const std::set<State>& expected, std::size_t state_words) {
        EXPECT_EQ(set.size(), expected.size());
        std::set<State> found;
        set.for_each(
            [&](const successor::Word* state) { EXPECT_TRUE(found.emplace(state, state + state_words).second); });
        EXPECT_EQ(found, expected);
        for (const State& state : expected) ASSERT_TRUE(set.contains(state.data()));
    }

    std::mt19937_64 random_{1};
};

TEST_F(CompressedStatesTest, HoldsStatesOfAnySizeWithPartsOfAnyVariety) {
    struct Case {
        std::size_t bytes;
        std::size_t parts;
        std::uint64_t values;
    };
    for (const Case& c : {Case{1, 1, 1000},
                          {2, 1, 100000},
                          {3, 3, 40},
                          {4, 2, 500},
                          {7, 7, 5},
                          {8, 1, 100000},
                          {8, 2, 200},
                          {9, 2, 200},
                          {11, 1, 100000},
                          {16, 4, 20},
                          {29, 3, 50},
                          {51, 8, 6},
                          {64, 64, 2},
                          {100, 1, 100000},
                          {600, 3, 30}}) {
        CompressedStates set(words(c.bytes), c.bytes, always());
        std::set<State> expected;
        std::map<CompressedStates::Root, State> roots;
        for (int batch = 0; batch < 60; ++batch) {
            std::vector<State> states;
            for (std::size_t i = random_() % 700; i > 0; --i)
                states.push_back(random_state(c.bytes, c.parts, c.values));
            const std::size_t known = expected.size();
            for (std::size_t i = 0; i < std::min<std::size_t>(states.size(), 20); ++i)
                ASSERT_EQ(set.contains(states[i].data()), expected.contains(states[i]));
            const Inserted inserted = insert(set, states);
            for (std::size_t i = 0; i < states.size(); ++i) {
                ASSERT_EQ(inserted.is_new[i], expected.insert(states[i]).second) << c.bytes << ' ' << known;
                ASSERT_EQ(roots.try_emplace(inserted.roots[i], states[i]).first->second, states[i]);
            }
        }
        expect_contents(set, expected, words(c.bytes));
        // Roots stay.
        for (const auto& [root, state] : roots) ASSERT_EQ(read(set, root, words(c.bytes)), state);
    }
}

TEST_F(CompressedStatesTest, GrowsThroughManyTables) {
    constexpr std::uint64_t kStates = 1000000;
    // Two parts of 1000 and 1000 values, both visited slowly: their numbers get more bits again and again.
    const auto state_of = [](std::uint64_t i) {
        const auto diagonal = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(i)));
        const std::uint64_t rest = i - diagonal * diagonal;
        const std::uint64_t x = rest < diagonal ? diagonal : 2 * diagonal - rest;
        const std::uint64_t y = rest < diagonal ? rest : diagonal;
        return State{x * 0x9E3779B97F4A7C15U, y};
    };
    CompressedStates set(2, 16, always());
    for (int pass = 0; pass < 2; ++pass) {
        for (std::uint64_t i = 0; i < kStates; i += 1000) {
            std::vector<State> states;
            for (std::uint64_t j = i; j < i + 1000; ++j) states.push_back(state_of(j));
            const Inserted inserted = insert(set, states);
            for (std::size_t j = 0; j < states.size(); ++j) {
                ASSERT_EQ(inserted.is_new[j], pass == 0) << i + j;
                ASSERT_EQ(read(set, inserted.roots[j], 2), states[j]);
            }
        }
    }
    EXPECT_EQ(set.size(), kStates);
    // Everything below 1000 x 1000: a bit each would be enough, and a hash table takes two bytes.
    EXPECT_LE(set.bytes(), 2 * kStates);
}

TEST_F(CompressedStatesTest, WideStatesOfFewPartsTakeFewBytes) {
    constexpr std::size_t kBytes = 96;
    constexpr std::size_t kStates = 300000;
    CompressedStates set(words(kBytes), kBytes, always());
    while (set.size() < kStates) {
        std::vector<State> states;
        for (int i = 0; i < 1000; ++i) states.push_back(random_state(kBytes, 4, 50));
        insert(set, states);
    }
    // Some 2500 values on each side (12 bits) of 18 bits' worth of states; the early states and dictionaries are the
    // rest.
    EXPECT_LE(set.bytes(), kStates * 3 + (std::size_t{1} << 20U));
}

TEST_F(CompressedStatesTest, WithoutPermissionNothingIsLost) {
    bool permit = true;
    CompressedStates set(2, 16, [&](std::uint64_t) { return permit; });
    std::set<State> expected;
    const auto fill = [&](std::size_t count) {
        std::size_t batches = 0;
        for (; batches < count && set.reserve(500); ++batches) {
            std::vector<State> states;
            for (int i = 0; i < 500; ++i) states.push_back(random_state(16, 2, 100000));
            expected.insert(states.begin(), states.end());
            insert(set, states);
        }
        return batches;
    };
    EXPECT_EQ(fill(100), 100U);
    permit = false;
    EXPECT_LT(fill(100), 30U) << "what was granted before cannot have been that much";
    EXPECT_FALSE(set.reserve(500));
    expect_contents(set, expected, 2);
    EXPECT_FALSE(set.repack(
        2, 16, [](const successor::Word* from, successor::Word* to) { std::copy_n(from, 2, to); },
        [](const auto&) { FAIL(); }));
    expect_contents(set, expected, 2);
    permit = true;
    EXPECT_EQ(fill(100), 100U);
    expect_contents(set, expected, 2);
}

TEST_F(CompressedStatesTest, AsksForWhatItTakes) {
    std::uint64_t granted = 0;
    CompressedStates set(2, 16, [&](std::uint64_t bytes) {
        granted += bytes;
        return true;
    });
    constexpr std::uint64_t kUnasked = std::uint64_t{1} << 18U;
    for (int batch = 0; batch < 200; ++batch) {
        std::vector<State> states;
        for (int i = 0; i < 1000; ++i) states.push_back(random_state(16, 2, 1000000));
        insert(set, states);
        ASSERT_LE(set.bytes(), granted + kUnasked);
    }
    EXPECT_LE(granted, set.bytes() * 5 / 4 + kUnasked);
}

TEST_F(CompressedStatesTest, RepackingCarriesStatesAndRootsOver) {
    for (const std::uint64_t values : {20U, 60U, 1000000U}) {  // 400 states: early ones only; 3600: nearly; many
        for (const auto& [from_bytes, to_bytes] : {std::pair<std::size_t, std::size_t>{8, 24}, {20, 11}, {5, 7}}) {
            CompressedStates set(words(from_bytes), from_bytes, always());
            // The translation: bytes that are added are the first one's copies, bytes that go were 0.
            const std::size_t common = std::min(from_bytes, to_bytes);
            const auto translated = [&, added = to_bytes - common, to_words = words(to_bytes)](
                                        const successor::Word* from, successor::Word* to) {
                const auto byte = [&](std::size_t i) { return from[i / 8] >> (i % 8 * 8) & 255; };
                std::fill(to, to + to_words, 0);
                for (std::size_t i = 0; i < common + added; ++i)
                    to[i / 8] |= (i < common ? byte(i) : byte(0)) << (i % 8 * 8);
            };
            std::map<CompressedStates::Root, State> waiting;
            std::set<State> expected;
            for (int batch = 0; batch < 40; ++batch) {
                std::vector<State> states;
                for (int i = 0; i < 500; ++i) {
                    State state = random_state(common, 2, values);
                    state.resize(words(from_bytes));
                    states.push_back(state);
                }
                const Inserted inserted = insert(set, states);
                for (std::size_t i = 0; i < states.size(); ++i) {
                    State state(words(to_bytes));
                    translated(states[i].data(), state.data());
                    waiting.try_emplace(inserted.roots[i], state);
                    expected.insert(state);
                }
            }
            std::vector<std::pair<CompressedStates::Root, State>> renewed;
            ASSERT_TRUE(set.repack(words(to_bytes), to_bytes, translated, [&](const auto& renew) {
                for (const auto& [root, state] : waiting) renewed.emplace_back(renew(root), state);
            }));
            ASSERT_EQ(renewed.size(), waiting.size());
            expect_contents(set, expected, words(to_bytes));
            for (const auto& [root, state] : renewed) ASSERT_EQ(read(set, root, words(to_bytes)), state);
            // And it goes on.
            std::vector<State> more(expected.begin(), expected.end());
            more.push_back(random_state(to_bytes, 1, 5));
            expected.insert(more.back());
            insert(set, more);
            expect_contents(set, expected, words(to_bytes));
        }
    }
}

}  // namespace
}  // namespace tideline::store
