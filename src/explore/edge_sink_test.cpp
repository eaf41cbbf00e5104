// What a batch says by itself; edge_stream_test.cpp compares what searches deliver with the graph.
#include "explore/edge_sink.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

TEST(EdgeBatch, ItsLastRowIsOpenWhereItHasNoEnd) {
    const std::vector<StateNumber> sources{4, 5};
    const std::vector<std::uint32_t> ends{1, 3};
    EdgeBatch batch;
    EXPECT_FALSE(batch.open()) << "there is no row";
    batch.sources = sources;
    batch.ends = ends;
    EXPECT_FALSE(batch.open());
    batch.ends = std::span(ends).first(1);
    EXPECT_TRUE(batch.open());
    batch.sources = std::span(sources).first(1);
    EXPECT_FALSE(batch.open());
}

TEST(EdgeSink, ItKeepsNoRowsUnlessItSaysSo) {
    struct Forgetful final : EdgeSink {
        [[nodiscard]] EdgeNeed need() const override { return EdgeNeed::edges; }
        void begin(const EdgeStreamInfo& /*info*/) override {}
        void batch(unsigned /*thread*/, const EdgeBatch& /*batch*/) override {}
        bool end_layer(const LayerEnd& /*layer*/) override { return true; }
        void finish(support::StopReason /*reason*/) override {}
    } sink;
    EXPECT_EQ(sink.kept_rows(), nullptr);
}

}  // namespace
}  // namespace tideline::explore
