#include "explore/visited_loader.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using sample::open_state;
using successor::Word;

std::uint64_t hash_of(Word state) { return successor::hash_state(&state, 1); }
std::size_t owner(std::uint64_t hash) { return hash & 1U; }

// Two partitions. States 0 to 99 are visited, in two extents of key 1; states 50 to 149 are open.
class VisitedLoaderTest : public ::testing::Test {
protected:
    explicit VisitedLoaderTest(bool is_numbered = false)
        : shape_(sample::shape(is_numbered)), sample_(is_numbered ? Recorded::edges : Recorded::tree) {
        for (int i = 0; i < 2; ++i) layers_.emplace_back(shape_);
        for (SweepLayer& layer : layers_) current_.push_back(&layer);
        std::vector<std::uint16_t> numbers;
        for (std::uint16_t i = 0; i < 100; ++i) {
            numbers.push_back(i);
            if (i == 29 || i == 99) sample_.append(1, i / 50U, std::exchange(numbers, {}));
        }
        for (Word state = 50; state < 150; ++state)
            layers_[owner(hash_of(state))].insert(open_state(state, 0, 1000 + state));
    }
    // The open states that are left, of both partitions.
    [[nodiscard]] std::vector<Word> open() const {
        std::vector<Word> states;
        for (const SweepLayer& layer : layers_)
            for (const auto& [state, parent] : sample::open_states(layer)) states.push_back(state);
        std::sort(states.begin(), states.end());
        return states;
    }
    static std::vector<Word> all_from(Word first, Word end) {
        std::vector<Word> states;
        for (Word state = first; state < end; ++state) states.push_back(state);
        return states;
    }
    [[nodiscard]] std::uint64_t in_memory() const { return layers_[0].size() + layers_[1].size(); }
    [[nodiscard]] std::vector<ledger::Extent> extents() const { return sample_.writer->extents_of(1); }

    StateShape shape_;
    sample::SampleLedger sample_;
    LedgerPackings packings_{*sample_.writer, *sample_.system};
    LedgerStates states_{*sample_.writer, packings_, 1};
    SweepMode mode_;
    std::deque<SweepLayer> layers_;
    std::vector<SweepLayer*> current_;
    VisitedLoader visited_{states_, mode_, shape_, current_};
};

TEST_F(VisitedLoaderTest, AreKeptBesideTheOpenStates) {
    visited_.remove_from_open(extents(), 0, owner);
    EXPECT_EQ(open(), all_from(100, 150));
    EXPECT_EQ(in_memory(), 150U) << "later successors find them";
}

TEST_F(VisitedLoaderTest, AreComparedAndNotKeptByLevel) {
    mode_.by_level = true;
    visited_.remove_from_open(extents(), 0, owner);
    EXPECT_EQ(open(), all_from(100, 150));
    EXPECT_EQ(in_memory(), 100U);
}

TEST_F(VisitedLoaderTest, LeaveAFilterWhereTheyAreStreamed) {
    mode_.streams = true;
    visited_.remove_from_open(extents(), 0, owner);
    EXPECT_EQ(open(), all_from(100, 150));
    EXPECT_EQ(in_memory(), 100U);
    for (Word state = 0; state < 100; ++state) EXPECT_TRUE(mode_.visited.may_contain(hash_of(state)));
    std::uint64_t mistaken = 0;
    for (Word state = 1000; state < 2000; ++state) mistaken += mode_.visited.may_contain(hash_of(state)) ? 1 : 0;
    EXPECT_LT(mistaken, 200U) << "what was never visited is mostly not in it";
}

TEST_F(VisitedLoaderTest, OfOtherSlicesDoNotCount) {
    mode_.split_bits = 1;
    visited_.remove_from_open(extents(), 1, owner);
    for (const Word state : open()) EXPECT_TRUE(state >= 100 || mode_.slice_of(hash_of(state)) == 0);
    EXPECT_LT(open().size(), 100U);
    EXPECT_GT(open().size(), 50U);
}

class NumberedVisitedLoaderTest : public VisitedLoaderTest {
protected:
    NumberedVisitedLoaderTest() : VisitedLoaderTest(true) {}
};

TEST_F(NumberedVisitedLoaderTest, GiveTheirNumbersToOpenStates) {
    for (const bool by_level : {true, false}) {
        mode_.by_level = by_level;
        IdFixups fixups;
        std::uint64_t extents_read = 0;
        visited_.remove_from_open_numbered(extents(), 0, owner, fixups, [&] { ++extents_read; });
        EXPECT_EQ(extents_read, 2U);
        EXPECT_EQ(open(), all_from(100, 150));
        EXPECT_EQ(in_memory(), by_level ? 100U : 150U);
        for (Word state = 50; state < 150; ++state) {
            const LayerNumbers& numbers = *layers_[owner(hash_of(state))].numbers;
            const LayerNumbers::Position position = numbers.table.find(&state, hash_of(state)).value();
            EXPECT_EQ(numbers.is_temporary(position), state >= 100);
            EXPECT_EQ(numbers.temporary(position), state >= 100 ? 1000 + state : state);
        }
    }
}

}  // namespace
}  // namespace tideline::explore
