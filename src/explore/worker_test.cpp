#include "explore/worker.hpp"

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using sample::Breadth;
using sample::Heap;

TEST(Worker, AloneInsertsWhatItMakes) {
    sample::SampleCore<Breadth> sample(Heap{}.system(), 1);
    const Worker<Breadth>& worker = *sample.core.workers[0];
    EXPECT_EQ(worker.made, worker.sent);
    EXPECT_EQ(worker.productions.size(), 1U);
    EXPECT_TRUE(worker.states_before.empty());
    EXPECT_TRUE(worker.made->owned.ends.empty());
    EXPECT_EQ(Worker<Breadth>::exchange(1), Exchange::none);
}

TEST(Worker, OneOfSeveralHasABatchToFillAndOneThatIsInserted) {
    sample::SampleCore<Breadth> sample(Heap{}.system(), 3);
    for (const auto& worker : sample.core.workers) {
        EXPECT_NE(worker->made, worker->sent);
        EXPECT_EQ(worker->productions.size(), 2U);
        EXPECT_EQ(worker->states_before.size(), worker->states.size());
        for (const Production& production : worker->productions) EXPECT_EQ(production.owned.ends.size(), 3U);
    }
    EXPECT_EQ(Worker<Breadth>::exchange(3), Exchange::by_owner);
}

TEST(Worker, KeepsRoomForWhatWasPoppedWhenStatesBecomeWider) {
    sample::SampleCore<Breadth> sample(Heap{}.system(), 1);
    Worker<Breadth>& worker = *sample.core.workers[0];
    const std::size_t before = worker.chunk;
    worker.popped = before;
    worker.buffer_bytes = std::uint64_t{16} << 10U;
    worker.resize_buffers(8, 1);
    EXPECT_GE(worker.chunk, before) << "what was popped stays";
    EXPECT_EQ(worker.states.size(), worker.chunk * 8);
    EXPECT_EQ(worker.made->words, 8U);
    worker.popped = 0;
    worker.resize_buffers(8, 1);
    EXPECT_LT(worker.chunk, before) << "wider states, fewer of them";
    EXPECT_LE(worker.slice, worker.chunk);
}

}  // namespace
}  // namespace tideline::explore
