#include "explore/batch_producer.hpp"

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using sample::Breadth;
using sample::Heap;
using Values = std::vector<model::Value>;

TEST(BatchProducer, PopsWhatIsReadyAndExpandsIt) {
    sample::SampleCore<Breadth> sample(Heap{}.system());
    sample.insert_initial(0, 0);
    ASSERT_TRUE(sample.core.walk.advance(sample.core.owner));
    const BatchProducer<Breadth> producer(sample.core, 0);
    Worker<Breadth>& worker = *sample.core.workers[0];
    producer.produce(worker);
    const Production& made = *worker.made;
    EXPECT_TRUE(made.has_just_popped);
    EXPECT_EQ(made.popped, 1U);
    EXPECT_EQ(sample.value(made.source(0)), 0);
    EXPECT_EQ(sample.values(made.batch), (Values{1, 2}));
    EXPECT_EQ(worker.expansion, successor::Expansion::done);
    for (std::size_t i = 0; i < made.batch.size(); ++i)
        EXPECT_EQ(made.batch.hash(i), successor::hash_state(made.batch.state(i), 1));
    producer.produce(worker);
    EXPECT_EQ(made.popped, 0U) << "the level has no more";
    EXPECT_EQ(made.batch.size(), 0U);
}

TEST(BatchProducer, PopsNothingBeforeACheckpointAndExpandsNothingWhileStatesAreDrained) {
    sample::SampleCore<Breadth> sample(Heap{}.system());
    sample.insert_initial(0, 0);
    ASSERT_TRUE(sample.core.walk.advance(sample.core.owner));
    const BatchProducer<Breadth> producer(sample.core, 0);
    Worker<Breadth>& worker = *sample.core.workers[0];
    sample.core.control.request_quiescence();
    producer.produce(worker);
    EXPECT_FALSE(worker.made->has_just_popped);
    EXPECT_EQ(worker.popped, 0U);
    EXPECT_EQ(sample.core.walk.ready(), 1U) << "it stays in the frontier";
    sample.core.control.end_quiescence();
    sample.core.control.begin_drain();
    producer.produce(worker);
    EXPECT_EQ(sample.core.walk.ready(), 1U);
    sample.core.control.end_drain();
    producer.produce(worker);
    EXPECT_EQ(worker.made->batch.size(), 2U);
}

TEST(BatchProducer, SortsSuccessorsByTheThreadThatInsertsThem) {
    sample::SampleCore<Breadth> sample(Heap{.states = 63, .faulty = 3}.system(), 2);
    for (model::Value n = 0; n < 31; ++n) sample.insert_initial(n, 0);
    ASSERT_TRUE(sample.core.walk.advance(sample.core.owner));
    const BatchProducer<Breadth> producer(sample.core, 0);
    producer.produce(*sample.core.workers[0]);
    const Production& made = *sample.core.workers[0]->made;
    ASSERT_EQ(made.batch.size(), 63U) << "62 successors and a faulty step";
    std::size_t scattered = 0;
    for (std::size_t thread = 0; thread < 2; ++thread) {
        const std::span<const std::uint32_t> owned = made.owned.of(thread);
        EXPECT_GT(owned.size(), 5U);
        scattered += owned.size();
        for (std::size_t i = 0; i < owned.size(); ++i) {
            EXPECT_EQ(sample.core.owner(made.batch.hash(owned[i])), thread);
            EXPECT_EQ(made.batch.fault(owned[i]), model::FaultKind::none);
            if (i > 0) {
                EXPECT_LT(owned[i - 1], owned[i]) << "in the order of the batch";
            }
        }
    }
    EXPECT_EQ(scattered, 62U);
}

TEST(BatchProducer, EvaluatesTheLabelsThatAreRecorded) {
    sample::SampleCore<Breadth> sample(Heap{}.system());
    for (const model::Value n : {4, 1, 6}) sample.insert_initial(n, 0);
    ASSERT_TRUE(sample.core.walk.advance(sample.core.owner));
    const BatchProducer<Breadth> producer(sample.core, 1);
    Worker<Breadth>& worker = *sample.core.workers[0];
    producer.produce(worker);
    ASSERT_EQ(worker.popped, 3U);
    ASSERT_EQ(worker.recorded_labels.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(worker.recorded_labels[i], sample.value(worker.made->source(i)) % 2 == 0 ? 1 : 0);
}

}  // namespace
}  // namespace tideline::explore
