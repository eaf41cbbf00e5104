#include "store/pending.hpp"

#include <deque>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

using State = std::vector<Word>;

const MemoryBudget always = [](std::uint64_t) { return true; };

State state_of(std::size_t bytes, std::uint64_t which) {
    State state((bytes + 7) / 8);
    std::mt19937_64 random(which);
    for (Word& word : state) word = random();
    if (bytes % 8 != 0) state.back() &= (Word{1} << (bytes % 8 * 8)) - 1;
    return state;
}

// A table and its open states beside a queue of both.
class PendingTest : public testing::TestWithParam<std::size_t> {
protected:
    PendingTest() : PendingTest(false) {}
    explicit PendingTest(bool in_blocks)
        : bytes_(GetParam()), table_((bytes_ + 7) / 8, bytes_, always), pending_(table_, in_blocks) {}

    void push(std::uint64_t which) {
        const State state = state_of(bytes_, which);
        if (!table_.insert(state.data(), successor::hash_state(state.data(), state.size()))) return;
        pending_.push(table_, state.data());
        expected_.push_back(state);
    }
    void take(std::size_t most) {
        std::vector<Word> states(most * table_.state_words(), ~Word{0});
        const std::size_t count = pending_.take(table_, states.data(), most);
        ASSERT_EQ(count, std::min(most, expected_.size()));
        for (std::size_t i = 0; i < count; ++i, expected_.pop_front()) {
            const auto first = states.begin() + static_cast<std::ptrdiff_t>(i * table_.state_words());
            ASSERT_EQ(State(first, first + static_cast<std::ptrdiff_t>(table_.state_words())), expected_.front());
        }
    }

    std::size_t bytes_;
    StateTable table_;
    Pending pending_;
    std::deque<State> expected_;
    std::mt19937_64 random_{7};
};

class PendingInBlocksTest : public PendingTest {
protected:
    PendingInBlocksTest() : PendingTest(true) {}
};

INSTANTIATE_TEST_SUITE_P(Bytes, PendingTest, testing::Values(1, 7, 8, 9, 15, 16, 17, 40));
INSTANTIATE_TEST_SUITE_P(Bytes, PendingInBlocksTest, testing::Values(7, 17, 300));

TEST_P(PendingTest, GivesStatesInTheOrderOfTheirDiscovery) {
    for (int round = 0; round < 2000; ++round) {
        for (std::uint64_t i = random_() % 30; i > 0; --i) push(random_());
        take(random_() % 25);
        ASSERT_EQ(pending_.size(table_), expected_.size());
    }
    take(expected_.size() + 1);
    EXPECT_EQ(pending_.size(table_), 0U);
    push(1);
    take(1);
}

TEST_P(PendingInBlocksTest, KeepsItsOrderAlsoOfAnOrderedTable) {
    for (int round = 0; round < 300; ++round) {
        for (std::uint64_t i = random_() % 30; i > 0; --i) push(random_());
        take(random_() % 25);
        ASSERT_EQ(pending_.size(table_), expected_.size());
    }
}

TEST_P(PendingTest, TakesManyStatesAtATime) {
    const std::size_t words = table_.state_words();
    for (int round = 0; round < 200; ++round) {
        std::vector<Word> states;
        std::vector<std::uint32_t> discovered;
        const std::uint32_t count = random_() % 200;
        for (std::uint32_t i = 0; i < count; ++i) {
            const State state = state_of(bytes_, random_());
            states.insert(states.end(), state.begin(), state.end());
            if (random_() % 2 == 0 || !table_.insert(state.data(), successor::hash_state(state.data(), words)))
                continue;
            discovered.push_back(i);
            expected_.push_back(state);
        }
        pending_.push(table_, states.data(), discovered);
        take(random_() % 100);
    }
    take(expected_.size());
}

TEST_P(PendingTest, AllOfATableCanBecomeOpen) {
    for (std::uint64_t i = 0; i < 1000; ++i) push(i);
    take(1000);
    pending_.fill(table_);
    EXPECT_EQ(pending_.size(table_), table_.size());
    pending_.clear();
    pending_.fill(table_);
    std::vector<State> expected;
    table_.for_each([&](const Word* state) { expected.emplace_back(state, state + table_.state_words()); });
    expected_.assign(expected.begin(), expected.end());
    take(table_.size());
}

// To other sizes, in which the table may become ordered or cease to be.
TEST_P(PendingTest, KeepsItsStatesWhenTheyAreRepacked) {
    for (const std::size_t bytes : {9U, 20U}) {
        const std::size_t words = (bytes + 7) / 8;
        for (std::uint64_t i = 0; i < 500; ++i) push(random_());
        take(200);
        std::uint64_t hash = 0;
        const successor::Repacking translate = [&](const Word* from, Word* to) {
            hash = successor::hash_state(from, table_.state_words());
            std::fill(to, to + words, 0);
            to[0] = hash;
            to[1] = hash % 200;
        };
        for (State& state : expected_) {
            State to(words);
            translate(state.data(), to.data());
            state = to;
        }
        pending_.repack(table_, words, bytes, translate);
        table_.repack(words, bytes, translate);
        bytes_ = bytes;
        take(100);
        ASSERT_EQ(pending_.size(table_), expected_.size());
    }
    take(expected_.size());
}

}  // namespace
}  // namespace tideline::store
