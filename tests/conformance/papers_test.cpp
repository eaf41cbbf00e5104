// Every figure of the two papers whose systems are known exactly, from both descriptions of each system: as a program
// in C++ and as a DVE model. docs/papers shows them side by side. papers_long_test.cpp has what takes minutes.
#include "tests/conformance/papers.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tideline::conformance {
namespace {

constexpr Source kSources[] = {Source::cpp, Source::dve};

const char* to_text(Source source) { return source == Source::cpp ? "C++" : "DVE"; }

TEST(StopAndWait, TheRowsWithCapacityTwoHaveTheFiguresOfThePaper) {
    expect_row({22, 2, 7'944, 22'419, 524});
    expect_row({30, 2, 14'672, 41'611, 716});
}

TEST(StopAndWait, TheRowsWithCapacityThreeHaveTheFiguresOfThePaper) {
    expect_row({10, 3, 24'052, 98'671, 4'766});
    expect_row({15, 3, 78'027, 326'906, 10'746});
    expect_row({16, 3, 94'226, 395'825, 12'230});
    expect_row({17, 3, 112'525, 473'808, 13'810});
    expect_row({18, 3, 133'052, 561'415, 15'486});
    expect_row({19, 3, 155'935, 659'206, 17'258});
    expect_row({20, 3, 181'302, 767'741, 19'126});
}

TEST(StopAndWait, TheMeasureIsMonotonicSoThatBreadthFirstCountsTheSame) {
    for (const Source source : kSources) {
        const std::optional<Figures> all = PaperSystem::stop_and_wait(source, 10, 3).explore("bfs");
        ASSERT_TRUE(all) << to_text(source);
        EXPECT_EQ(all->states, 24'052u) << to_text(source);
        EXPECT_EQ(all->transitions, 98'671u) << to_text(source);
        EXPECT_EQ(all->peak, 24'052u) << to_text(source);
    }
}

// The paper gives no figures of the variant that answers expected packets only: these are what all engines and both
// descriptions agree on.
TEST(StopAndWait, AllEnginesAndBothDescriptionsAgreeOnTheSecondVariant) {
    struct Row {
        int packets, capacity;
        std::uint64_t states, edges, peak;
    };
    for (const Row& row : {Row{22, 2, 4'138, 11'595, 267}, Row{10, 3, 7'092, 28'096, 1'324}}) {
        for (const Source source : kSources) {
            const PaperSystem system = PaperSystem::stop_and_wait(source, row.packets, row.capacity, true);
            for (const std::string engine : {"bfs", "dfs", "sweep", "sweep-basic"}) {
                const std::optional<Figures> found = system.explore(engine);
                ASSERT_TRUE(found) << to_text(source) << ' ' << engine;
                EXPECT_EQ(found->states, row.states) << to_text(source) << ' ' << engine;
                EXPECT_EQ(found->transitions, row.edges) << to_text(source) << ' ' << engine;
                EXPECT_EQ(found->peak, engine.starts_with("sweep") ? row.peak : row.states)
                    << to_text(source) << ' ' << engine;
            }
        }
    }
}

struct CommitRow {
    int workers;
    std::uint64_t states;
    std::vector<std::uint64_t> per_layer;
    std::uint64_t first_peak;
    std::uint64_t second_peak;
};

const std::vector<CommitRow>& commit_rows() {
    static const std::vector<CommitRow> rows = {{2, 19, {1, 9, 9}, 13, 14}, {3, 55, {1, 27, 27}, 35, 36}};
    return rows;
}

TEST(TwoPhaseCommit, BreadthFirstFindsTheStatesOfThePaper) {
    for (const CommitRow& row : commit_rows()) {
        for (const Source source : kSources) {
            const std::optional<Figures> found = PaperSystem::two_phase_commit(source, row.workers).explore("bfs");
            ASSERT_TRUE(found) << to_text(source);
            EXPECT_EQ(found->states, row.states) << to_text(source) << ' ' << row.workers;
        }
    }
}

TEST(TwoPhaseCommit, TwoSweepsExpandEveryStateTwiceAndKeepTheInitialOne) {
    for (const CommitRow& row : commit_rows()) {
        Figures expected;
        expected.layers = row.per_layer.size();
        expected.sweeps = 2;
        expected.expanded = 2 * row.states;
        expected.persistent = 1;
        expected.peak = row.second_peak;
        expected.each_sweep = {{row.first_peak, row.states}, {row.second_peak, row.states}};
        for (const Source source : kSources) {
            const std::optional<Figures> found = PaperSystem::two_phase_commit(source, row.workers).explore("sweep");
            ASSERT_TRUE(found) << to_text(source);
            EXPECT_EQ(*found, expected) << to_text(source) << ' ' << row.workers;
        }
    }
}

// A measure that distinguishes only the states of one phase has one key more than that phase has states.
TEST(TwoPhaseCommit, EveryLayerHasTheStatesOfThePaper) {
    for (const CommitRow& row : commit_rows()) {
        std::string workers = "1";
        for (int i = 0; i < row.workers; ++i) workers = "(" + workers + ") * 8 + worker[" + std::to_string(i) + "]";
        for (const Source source : kSources) {
            const PaperSystem system = PaperSystem::two_phase_commit(source, row.workers);
            for (std::size_t phase = 0; phase < row.per_layer.size(); ++phase) {
                const std::string in_phase = "(" + system.phase() + " == " + std::to_string(phase) + ")";
                const std::optional<Figures> found = system.explore("sweep", in_phase + " * (" + workers + ")");
                ASSERT_TRUE(found) << to_text(source) << " phase " << phase;
                EXPECT_EQ(found->layers, row.per_layer[phase] + 1) << to_text(source) << " phase " << phase;
            }
        }
    }
}

}  // namespace
}  // namespace tideline::conformance
