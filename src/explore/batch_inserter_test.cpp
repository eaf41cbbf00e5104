#include "explore/batch_inserter.hpp"

#include <set>

#include <gtest/gtest.h>

#include "explore/batch_producer.hpp"
#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using sample::Breadth;
using sample::Heap;

TEST(BatchInserter, CountsStepsAndDeadlocksOfWhatWasExpanded) {
    // 3 has a faulty step only; 4, 5 and 6 have none.
    sample::SampleCore<Breadth> sample(Heap{.states = 7, .faulty = 3}.system());
    for (model::Value n = 1; n < 7; ++n) sample.insert_initial(n, 0);
    ASSERT_TRUE(sample.core.walk.advance(sample.core.owner));
    Worker<Breadth>& worker = *sample.core.workers[0];
    BatchProducer<Breadth>(sample.core, 0).produce(worker);
    BatchInserter<Breadth>(sample.core).insert_all(worker);
    EXPECT_EQ(worker.expanded, 6U);
    EXPECT_EQ(worker.transitions, 4U) << "a faulty step is none";
    EXPECT_EQ(worker.deadlock_count, 3U) << "a state with a faulty step is none";
    std::set<model::Value> deadlocks;
    for (const std::uint32_t source : worker.deadlocks) deadlocks.insert(sample.value(worker.sent->source(source)));
    EXPECT_EQ(deadlocks, (std::set<model::Value>{4, 5, 6}));
    EXPECT_EQ(worker.discovered_count, 0U) << "all successors were there";
    EXPECT_EQ(sample.core.walk.states(), 6U);
}

TEST(BatchInserter, EveryThreadInsertsWhatItOwnsOfAllBatches) {
    sample::SampleCore<Breadth> sample(Heap{.states = 63}.system(), 2);
    for (model::Value n = 0; n < 31; ++n) sample.insert_initial(n, static_cast<std::size_t>(n) % 2);
    ASSERT_TRUE(sample.core.walk.advance(sample.core.owner));
    const BatchProducer<Breadth> producer(sample.core, 0);
    const BatchInserter<Breadth> inserter(sample.core);
    for (const auto& worker : sample.core.workers) producer.produce(*worker);
    for (const auto& worker : sample.core.workers) std::swap(worker->made, worker->sent);
    std::multiset<model::Value> discovered;
    for (const auto& worker : sample.core.workers) {
        inserter.insert_all(*worker);
        ASSERT_EQ(worker->discovered.size(), 2U) << "of each sender";
        for (const NewEntries& entries : worker->discovered)
            for (const std::uint32_t index : entries.indices) {
                discovered.insert(sample.value(entries.batch->state(index)));
                EXPECT_EQ(sample.core.owner(entries.batch->hash(index)), worker->number);
            }
    }
    // States below 31 were put where nobody owns them: whoever does has not seen them.
    for (model::Value n = 31; n < 63; ++n) EXPECT_EQ(discovered.count(n), 1U) << n;
    EXPECT_EQ(sample.core.workers[0]->transitions + sample.core.workers[1]->transitions, 62U);
}

TEST(BatchInserter, EvaluatesWatchedLabelsInNewStatesOnly) {
    sample::SampleCore<Breadth> sample(Heap{.states = 15}.system());
    sample.observer.watched = {0};
    for (const model::Value n : {0, 1, 2}) sample.insert_initial(n, 0);  // so 1 and 2 are not new
    ASSERT_TRUE(sample.core.walk.advance(sample.core.owner));
    Worker<Breadth>& worker = *sample.core.workers[0];
    BatchProducer<Breadth>(sample.core, 0).produce(worker);
    BatchInserter<Breadth>(sample.core).insert_all(worker);
    std::vector<model::Value> odd;
    for (const LabelHit& hit : worker.hits) odd.push_back(sample.value(hit.state));
    EXPECT_EQ(odd, (std::vector<model::Value>{3, 5}));
    EXPECT_EQ(worker.discovered_count, 4U);
}

}  // namespace
}  // namespace tideline::explore
