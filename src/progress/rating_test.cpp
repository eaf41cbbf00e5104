#include "progress/rating.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <random>

#include "reference/exact_sweep.hpp"
#include "reference/sweep.hpp"

namespace tideline::progress {
namespace {

struct Sample {
    std::vector<std::vector<std::size_t>> edges;
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> blocks;
    Pilot pilot;
    Ranks ranks;
};

// A graph all of whose states are reachable: every state but the first is entered from an earlier one. In blocks: no
// edge leads to an earlier one.
Sample random_sample(std::uint64_t seed, bool in_blocks = false) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    Sample sample;
    const std::size_t states = 1 + below(60);
    const std::size_t keys = 1 + below(12);
    sample.edges.resize(states);
    for (std::size_t s = 1; s < states; ++s) sample.edges[below(s)].push_back(s);
    const std::size_t blocks = in_blocks ? 1 + below(5) : 1;
    const auto block_of = [&](std::size_t s) { return s * blocks / states; };
    for (std::size_t i = below(3 * states); i > 0; --i) {
        const std::size_t source = below(states);
        const std::size_t target = below(states);
        if (block_of(source) <= block_of(target)) sample.edges[source].push_back(target);
    }
    std::vector<std::uint32_t> leading;
    std::vector<std::uint32_t> component;
    for (std::size_t s = 0; s < states; ++s) {
        sample.blocks.push_back(block_of(s));
        leading.push_back(static_cast<std::uint32_t>(block_of(s)));
        component.push_back(static_cast<std::uint32_t>(below(keys)));
        sample.keys.push_back(block_of(s) * keys + component.back());
        for (const std::size_t target : sample.edges[s])
            sample.pilot.targets.push_back(static_cast<std::uint32_t>(target));
        sample.pilot.edge_ends.push_back(static_cast<std::uint32_t>(sample.pilot.targets.size()));
    }
    sample.pilot.transitions.resize(sample.pilot.targets.size());
    sample.pilot.states = static_cast<std::uint32_t>(states);
    sample.ranks = refined(refined(constant_ranks(sample.pilot.states), leading, true), component, false);
    return sample;
}

TEST(Rating, WithALedgerIsWhatTheReferenceSweepCounts) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Sample sample = random_sample(seed);
        const reference::ExactFigures known = reference::exact_sweep(sample.edges, sample.keys);
        const Rating rating = Rater(sample.pilot).exact(sample.ranks, sample.pilot.states);
        ASSERT_EQ(rating.expanded, known.expanded) << seed;
        ASSERT_EQ(rating.peak, known.peak) << seed;
        ASSERT_EQ(rating.reread, known.reread) << seed;
        ASSERT_EQ(rating.passes, known.passes.size()) << seed;
    }
}

TEST(Rating, WithALedgerNestsPassesInBlocks) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Sample sample = random_sample(seed, true);
        const reference::ExactFigures known = reference::nested_exact_sweep(sample.edges, sample.keys, sample.blocks);
        const Rating rating = Rater(sample.pilot).exact(sample.ranks, sample.pilot.states);
        ASSERT_EQ(rating.expanded, known.expanded) << seed;
        ASSERT_EQ(rating.peak, known.peak) << seed;
        ASSERT_EQ(rating.reread, known.reread) << seed;
        ASSERT_EQ(rating.passes, known.passes.size()) << seed;
    }
}

TEST(Rating, WithoutALedgerIsWhatTheSweepOfThePaperCounts) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Sample sample = random_sample(seed);
        const reference::SweepFigures known = reference::sweep(sample.edges, sample.keys);
        const Rating rating =
            Rater(sample.pilot).forgetful(sample.ranks, sample.pilot.states, std::numeric_limits<std::uint64_t>::max());
        ASSERT_EQ(rating.passes, known.sweep_peaks.size()) << seed;
        ASSERT_EQ(rating.expanded, known.expanded) << seed;
        ASSERT_EQ(rating.peak, known.peak) << seed;
    }
}

TEST(Rating, WithoutALedgerNestsSweepsInBlocks) {
    std::uint64_t several_sweeps = 0;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        const Sample sample = random_sample(seed, true);
        const reference::SweepFigures known = reference::nested_sweep(sample.edges, sample.keys, sample.blocks);
        const Rating rating =
            Rater(sample.pilot).forgetful(sample.ranks, sample.pilot.states, std::numeric_limits<std::uint64_t>::max());
        ASSERT_EQ(rating.passes, known.sweep_peaks.size()) << seed;
        ASSERT_EQ(rating.expanded, known.expanded) << seed;
        ASSERT_EQ(rating.peak, known.peak) << seed;
        several_sweeps += rating.passes > 1;
    }
    EXPECT_GT(several_sweeps, 1000U);
}

TEST(Rating, OneRaterRatesManyMeasures) {
    const Sample sample = random_sample(17);
    Rater rater(sample.pilot);
    const Ranks constant = constant_ranks(sample.pilot.states);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(rater.exact(constant, sample.pilot.states).peak, sample.pilot.states);
        EXPECT_EQ(rater.exact(sample.ranks, sample.pilot.states).expanded, sample.pilot.states);
        EXPECT_EQ(rater.forgetful(constant, sample.pilot.states, 1000).expanded, sample.pilot.states);
    }
}

TEST(Rating, ManyPassesOverManyRanksTakeNoLongerThanTheirSteps) {
    // Every step goes back: as many passes as states. Examining every rank in every pass would take minutes.
    constexpr std::uint32_t kStates = 300'000;
    Pilot pilot;
    pilot.states = kStates;
    std::vector<std::uint32_t> component;
    for (std::uint32_t s = 0; s < kStates; ++s) {
        if (s + 1 < kStates) pilot.targets.push_back(s + 1);
        pilot.edge_ends.push_back(static_cast<std::uint32_t>(pilot.targets.size()));
        component.push_back(kStates - 1 - s);
    }
    const Ranks ranks = refined(constant_ranks(kStates), component, false);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(Rater(pilot).exact(ranks, kStates).passes, kStates);
    EXPECT_EQ(Rater(pilot).forgetful(ranks, kStates, std::numeric_limits<std::uint64_t>::max()).passes, kStates);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Rating, GivesUpWhenTold) {
    const Sample sample = random_sample(17);
    Rater rater(sample.pilot);
    EXPECT_TRUE(rater.forgetful(sample.ranks, sample.pilot.states, 1).given_up);
}

TEST(Ranks, OfTwoComponentsAreLexicographic) {
    const Ranks first = refined(constant_ranks(4), {5, 1, 5, 0}, true);
    EXPECT_EQ(first.of, (std::vector<std::uint32_t>{2, 1, 2, 0}));
    EXPECT_EQ(first.block_of, (std::vector<std::uint32_t>{0, 1, 2}));
    const Ranks both = refined(first, {1, 0, 0, 7}, false);
    EXPECT_EQ(both.of, (std::vector<std::uint32_t>{3, 1, 2, 0}));
    EXPECT_EQ(both.block_of, (std::vector<std::uint32_t>{0, 1, 2, 2}));
    // Numbers too large for a table of all pairs.
    const Ranks sparse = refined(first, {4'000'000, 0, 3'999'999, 7}, false);
    EXPECT_EQ(sparse.of, both.of);
    EXPECT_EQ(sparse.block_of, both.block_of);
}

}  // namespace
}  // namespace tideline::progress
