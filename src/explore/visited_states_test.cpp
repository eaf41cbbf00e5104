#include "explore/visited_states.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

using successor::Word;
using Words = std::vector<Word>;
using Indices = std::vector<std::uint32_t>;

// States are words of two bytes.
template <class States>
class VisitedStatesTest : public ::testing::Test {
protected:
    static successor::SuccessorBatch batch_of(const Words& words) {
        successor::SuccessorBatch batch(1, std::max<std::size_t>(words.size(), 1));
        batch.restart(0);
        for (const Word word : words) {
            *batch.next_state() = word;
            batch.push(0, 0, model::FaultKind::none);
        }
        batch.compute_hashes();
        return batch;
    }
    Indices insert(const Words& words, const Indices& picked) {
        const successor::SuccessorBatch batch = batch_of(words);
        Indices discovered;
        states_.insert_successors(batch, picked.size(), [&](std::size_t j) { return picked[j]; }, discovered);
        return discovered;
    }
    Indices insert(const Words& words) {
        Indices all(words.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
        return insert(words, all);
    }
    Words take(std::size_t most) {
        Words words(most * states_.words());
        words.resize(states_.take(words.data(), most) * states_.words());
        return words;
    }
    [[nodiscard]] std::multiset<Word> all() const {
        std::multiset<Word> words;
        states_.for_each([&](const Word* state) { words.insert(*state); });
        return words;
    }

    store::MemoryBudget unlimited_ = [](std::uint64_t) { return true; };
    States states_{1, 2, unlimited_, false};
};

using Kinds = ::testing::Types<PlainVisitedStates, NumberedVisitedStates, CompressedVisitedStates>;
TYPED_TEST_SUITE(VisitedStatesTest, Kinds);

TYPED_TEST(VisitedStatesTest, AStateIsNewOnce) {
    EXPECT_EQ(this->insert({5, 7, 5, 9}), (Indices{0, 1, 3}));
    EXPECT_EQ(this->insert({9, 8, 7, 8}), (Indices{1}));
    EXPECT_EQ(this->states_.size(), 4U);
    EXPECT_EQ(this->all(), (std::multiset<Word>{5, 7, 8, 9}));
    EXPECT_TRUE(this->insert({}).empty());
}

TYPED_TEST(VisitedStatesTest, OnlyThePickedEntriesOfABatchAreInserted) {
    EXPECT_EQ(this->insert({1, 2, 3, 4, 3}, {0, 2, 4}), (Indices{0, 2}));
    EXPECT_EQ(this->all(), (std::multiset<Word>{1, 3}));
    EXPECT_EQ(this->insert({1, 2, 3, 4, 3}), (Indices{1, 3}));
}

TYPED_TEST(VisitedStatesTest, OpenStatesAreTakenOldestFirst) {
    const Word first = 300;
    this->states_.insert(&first, successor::hash_state(&first, 1));
    EXPECT_EQ(this->states_.waiting(), 0U) << "it is visited, and not open";
    this->states_.push(&first);
    (void)this->insert({4, 300, 2});
    EXPECT_EQ(this->states_.waiting(), 3U);
    EXPECT_EQ(this->take(2), (Words{300, 4}));
    EXPECT_EQ(this->states_.waiting(), 1U);
    (void)this->insert({1});
    EXPECT_EQ(this->take(9), (Words{2, 1}));
    EXPECT_TRUE(this->take(9).empty());
    EXPECT_EQ(this->states_.size(), 4U) << "they stay visited";
}

TYPED_TEST(VisitedStatesTest, RepackedStatesAreVisitedAndOpenAsBefore) {
    Words words(2000);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = (i * 7919) % 2048;
    (void)this->insert(words);
    const std::size_t count = this->states_.size();
    (void)this->take(count / 2);
    const auto widen = [](const Word* from, Word* to) {
        to[0] = from[0] * 1000;
        to[1] = from[0];
    };
    this->states_.repack(2, 10, widen);
    EXPECT_EQ(this->states_.words(), 2U);
    EXPECT_EQ(this->states_.size(), count);
    EXPECT_EQ(this->states_.waiting(), count - count / 2);
    const Words open = this->take(count);
    ASSERT_EQ(open.size(), 2 * (count - count / 2));
    for (std::size_t i = 0; i < open.size() / 2; ++i) {
        ASSERT_EQ(open[2 * i + 1], words[count / 2 + i]) << "in the same order";
        ASSERT_EQ(open[2 * i], 1000 * open[2 * i + 1]);
    }
    const Word known[] = {words[0] * 1000, words[0]};
    successor::SuccessorBatch batch(2, 1);
    batch.restart(0);
    std::copy_n(known, 2, batch.next_state());
    batch.push(0, 0, model::FaultKind::none);
    batch.compute_hashes();
    Indices discovered;
    this->states_.insert_successors(batch, 1, [](std::size_t j) { return j; }, discovered);
    EXPECT_TRUE(discovered.empty());
}

using PlainVisitedStatesTest = VisitedStatesTest<PlainVisitedStates>;
TEST_F(PlainVisitedStatesTest, WhoTakesAllMayEndIt) {
    (void)insert({1, 2, 3, 4});
    std::set<Word> seen;
    EXPECT_FALSE(states_.take_all([&](const Word* state) {
        seen.insert(*state);
        return seen.size() < 2;
    }));
    EXPECT_EQ(seen.size(), 2U);
}

using NumberedVisitedStatesTest = VisitedStatesTest<NumberedVisitedStates>;
TEST_F(NumberedVisitedStatesTest, NumbersAreThoseOfTheOrderOfInsertion) {
    const Words words{50, 40, 50, 30};
    const successor::SuccessorBatch batch = batch_of(words);
    Indices discovered;
    const auto pick = [](std::size_t j) { return j; };
    states_.insert_successors(batch, words.size(), pick, discovered);
    std::vector<std::uint64_t> numbers(words.size(), 99);
    states_.give_numbers(pick, numbers);
    EXPECT_EQ(numbers, (std::vector<std::uint64_t>{0, 1, 0, 2})) << "of known states, too";
    (void)take(1);
    EXPECT_EQ(states_.last_taken(), 0U);
    (void)take(2);
    EXPECT_EQ(states_.last_taken(), 2U);
    std::map<std::uint64_t, Word> all;
    EXPECT_TRUE(states_.take_all([&](const Word* state, std::uint64_t number) {
        all[number] = *state;
        return true;
    }));
    EXPECT_EQ(all, (std::map<std::uint64_t, Word>{{0, 50}, {1, 40}, {2, 30}}));
    EXPECT_EQ(states_.size(), 0U);
}

}  // namespace
}  // namespace tideline::explore
