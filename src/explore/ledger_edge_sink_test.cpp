#include "explore/ledger_edge_sink.hpp"

#include <map>

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"
#include "ledger/edge_reader.hpp"

namespace tideline::explore {
namespace {

using Numbers = std::vector<StateNumber>;
using Row = std::vector<std::uint64_t>;

// Two threads, and rows that a thread is given in pieces.
class LedgerEdgeSinkTest : public ::testing::Test {
protected:
    void SetUp() override { sink_.begin({.threads = 2, .numbering = Numbering::recorded}); }
    // Rows that end at `ends` in these targets.
    void batch(unsigned thread, const Numbers& sources, const std::vector<std::uint32_t>& ends, const Numbers& targets,
               bool continued = false) {
        const std::vector<model::TransitionId> transitions(targets.size(), 3);
        const std::vector<model::Marks> marks(targets.size(), 0);
        EdgeBatch batch;
        batch.sources = sources;
        batch.ends = ends;
        batch.targets = targets;
        batch.transitions = transitions;
        batch.marks = marks;
        batch.continued = continued;
        sink_.batch(thread, batch);
    }
    [[nodiscard]] std::map<std::uint64_t, Row> written() {
        sample_.writer->commit("{}");
        std::map<std::uint64_t, Row> rows;
        ledger::EdgeReader(*sample_.writer).read(0, sample_.writer->states(), [&](const ledger::Edges& edges) {
            std::size_t at = 0;
            for (std::size_t i = 0; i < edges.degrees.size(); at += edges.degrees[i++]) {
                const std::span<const std::uint64_t> row = edges.targets.subspan(at, edges.degrees[i]);
                rows[edges.first + i] = Row(row.begin(), row.end());
            }
        });
        return rows;
    }

    sample::SampleLedger sample_{Recorded::edges};
    LedgerEdgeSink sink_{*sample_.writer};
};

TEST_F(LedgerEdgeSinkTest, WritesRowsInTheOrderOfTheirSources) {
    sample_.append(0, 0, {10, 11, 12, 13});
    batch(1, {2, 3}, {1, 3}, {0, 1, 2});
    sink_.end_round();
    EXPECT_FALSE(sink_.empty()) << "the edges of 0 and 1 are missing";
    batch(0, {0, 1}, {2, 2}, {3, 3});
    sink_.end_round();
    EXPECT_TRUE(sink_.empty());
    EXPECT_EQ(written(), (std::map<std::uint64_t, Row>{{0, {3, 3}}, {1, {}}, {2, {0}}, {3, {1, 2}}}));
}

TEST_F(LedgerEdgeSinkTest, ARowMayComeInPieces) {
    sample_.append(0, 0, {10, 11, 12});
    batch(0, {0, 1}, {1}, {1, 2});  // of state 1 one edge so far
    sink_.end_round();
    EXPECT_FALSE(sink_.empty());
    batch(0, {1}, {}, {0}, true);
    batch(0, {1, 2}, {1, 1}, {1}, true);
    sink_.end_round();
    EXPECT_TRUE(sink_.empty());
    EXPECT_EQ(written(), (std::map<std::uint64_t, Row>{{0, {1}}, {1, {2, 0, 1}}, {2, {}}}));
}

TEST_F(LedgerEdgeSinkTest, CountsEdgesSinceItWasAsked) {
    sample_.append(0, 0, {10, 11});
    batch(0, {0}, {2}, {1, 1});
    batch(1, {1}, {1}, {0});
    EXPECT_EQ(sink_.take_count(), 3U);
    EXPECT_EQ(sink_.take_count(), 0U);
    EXPECT_EQ(sink_.need(), EdgeNeed::edges);
}

}  // namespace
}  // namespace tideline::explore
