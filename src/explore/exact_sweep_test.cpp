// Whole sweeps through a small system, and the walk driven by hand; walk_contract_test.cpp drives it by random calls.
#include "explore/exact_sweep.hpp"

#include <bit>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"
#include "ledger/sample_ledger.hpp"

namespace tideline::explore {
namespace {

using sample::Heap;
using Values = std::multiset<model::Value>;

struct SampleSweep {
    explicit SampleSweep(const Heap& heap, bool by_level = false) : system(heap.system()) {
        ledger::LedgerSettings settings;
        settings.files = std::make_shared<ledger::sample::UnsyncedFiles>();
        writer = ledger::LedgerWriter::create(
            folder / "ledger",
            ledger_header(*system, Recorded::tree, "{\"packing\": " + packing_description(*system) + "}"), settings);
        run.emplace(LedgerRun{*writer});
        walk.emplace(WalkSetup{*system, unlimited, 1, nullptr}, *run, by_level);
        expander = system->search_expander();
        insert_initial();
    }
    void insert_initial() {
        const std::vector<successor::Word> state = system->initial_states().front();
        walk->partition(0).insert_initial(state.data(), successor::hash_state(state.data(), 1),
                                          *expander->key(state.data()));
    }
    // Resumes from the last checkpoint.
    void reopen() {
        walk.reset();
        run.reset();
        writer.reset();
        writer = ledger::LedgerWriter::reopen(folder / "ledger");
        run.emplace(LedgerRun{*writer});
        run->resumed = true;
        run->saved = parse_saved_search(writer->engine());
        walk.emplace(WalkSetup{*system, unlimited, 1, nullptr}, *run, false);
    }
    bool advance() { return walk->advance(Owner(1)); }
    // Pops a state of the current layer, records and expands it. Nothing where there is none.
    std::optional<model::Value> expand_one() {
        successor::Word state = 0;
        if (walk->partition(0).pop_batch(&state, nullptr, 1) == 0) return std::nullopt;
        const std::uint64_t number = walk->record(0, {});
        successor::SuccessorBatch batch(1, 16);
        successor::Cursor cursor;
        batch.restart(0);
        EXPECT_EQ(expander->expand(&state, 1, cursor, batch), successor::Expansion::done);
        batch.compute_hashes();
        batch.set_first_number(number);
        std::vector<std::uint32_t> discovered;
        walk->partition(0).insert_successors(batch, batch.size(), [](std::size_t j) { return j; }, discovered);
        walk->partition(0).expanded();
        return system->decode(&state).front();
    }
    Values expand_layer() {
        Values values;
        while (const std::optional<model::Value> n = expand_one()) values.insert(*n);
        return values;
    }

    store::MemoryBudget unlimited = [](std::uint64_t) { return true; };
    std::shared_ptr<const successor::System> system;
    ledger::sample::TemporaryDirectory folder;
    std::unique_ptr<ledger::LedgerWriter> writer;
    std::optional<LedgerRun> run;
    std::optional<ExactSweep> walk;
    std::unique_ptr<successor::Expander> expander;
};

TEST(ExactSweep, WithAMonotonicMeasureThereIsOnePassInAscendingOrder) {
    SampleSweep sweep({.states = 31});
    std::vector<model::Value> order;
    while (sweep.advance())
        for (const model::Value n : sweep.expand_layer()) order.push_back(n);
    std::vector<model::Value> expected(31);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<model::Value>(i);
    EXPECT_EQ(order, expected);
    Statistics figures;
    sweep.walk->count(figures);
    EXPECT_EQ(figures.sweeps, 1U);
    EXPECT_EQ(figures.layers, 31U);
    EXPECT_EQ(figures.regress_edges, 0U);
    EXPECT_EQ(figures.reread, 0U);
}

TEST(ExactSweep, ARegressEdgeLeadsIntoTheNextPassAndNoStateIsExpandedTwice) {
    // Every step of the heap goes back: a state waits for as many passes as it has steps behind it.
    SampleSweep sweep({.states = 31, .backwards = true});
    std::map<model::Value, std::uint64_t> pass_of;
    while (sweep.advance()) {
        Statistics figures;
        sweep.walk->count(figures);
        for (const model::Value n : sweep.expand_layer())
            EXPECT_TRUE(pass_of.emplace(n, figures.sweeps).second) << n << " is expanded once";
    }
    ASSERT_EQ(pass_of.size(), 31U);
    for (const auto& [n, pass] : pass_of)
        EXPECT_EQ(pass - pass_of.at(0), static_cast<std::uint64_t>(std::bit_width(static_cast<unsigned>(n) + 1) - 1));
    Statistics figures;
    sweep.walk->count(figures);
    EXPECT_EQ(figures.regress_edges, 30U);
    EXPECT_EQ(sweep.writer->states(), 31U);
}

TEST(ExactSweep, ByLevelAPassIsALevel) {
    SampleSweep sweep({.states = 15}, true);
    std::vector<Values> levels;
    while (sweep.advance()) levels.push_back(sweep.expand_layer());
    EXPECT_EQ(levels, (std::vector<Values>{{0}, {1, 2}, {3, 4, 5, 6}, {7, 8, 9, 10, 11, 12, 13, 14}}));
    Statistics figures;
    sweep.walk->count(figures);
    EXPECT_EQ(figures.layers, 1U);
    EXPECT_EQ(figures.sweeps, 0U);
}

TEST(ExactSweep, SpilledStatesAreExpandedAllTheSame) {
    SampleSweep sweep({.states = 31, .backwards = true});
    Values expanded;
    std::uint64_t spills = 0;
    while (sweep.advance()) {
        for (const model::Value n : sweep.expand_layer()) expanded.insert(n);
        const std::uint64_t states = sweep.walk->states();
        spills += sweep.walk->spill(1U << 20U) ? 1 : 0;
        EXPECT_EQ(sweep.walk->states(), states) << "no state is open twice in a tree";
    }
    EXPECT_GT(spills, 0U);
    Values all;
    for (model::Value n = 0; n < 31; ++n) all.insert(n);
    EXPECT_EQ(expanded, all);
}

TEST(ExactSweep, OpenStatesInMixedBatchesCountOnceAlsoInASearchThatIsResumed) {
    SampleSweep sweep({.states = 31, .backwards = true});
    for (int layers = 0; layers < 6; ++layers) {
        ASSERT_TRUE(sweep.advance());
        (void)sweep.expand_layer();
    }
    const std::uint64_t states = sweep.walk->states();
    ASSERT_TRUE(sweep.walk->spill(1U << 20U));
    EXPECT_EQ(sweep.walk->states(), states);
    sweep.walk->checkpoint({});
    sweep.writer->wait();
    sweep.reopen();
    EXPECT_EQ(sweep.walk->states(), states);
    ASSERT_TRUE(sweep.advance());
    EXPECT_EQ(sweep.walk->states(), states) << "the batch has been read";
}

TEST(ExactSweep, ALayerThatIsSplitIsVisitedSliceBySlice) {
    // By level all states have one key: the layer of all of them.
    SampleSweep sweep({.states = 63}, true);
    Values expanded;
    std::uint64_t layers = 0;
    while (sweep.advance()) {
        ++layers;
        if (const std::optional<model::Value> n = sweep.expand_one()) expanded.insert(*n);
        if (layers == 5) {
            SavedSearch saved;
            sweep.walk->checkpoint(std::move(saved));
            ASSERT_TRUE(sweep.walk->split_layer());
            EXPECT_EQ(sweep.walk->ready(), 0U) << "it is begun again";
            continue;
        }
        for (const model::Value n : sweep.expand_layer()) expanded.insert(n);
    }
    Values all;
    for (model::Value n = 0; n < 63; ++n) all.insert(n);
    EXPECT_EQ(expanded, all) << "every state once";
    EXPECT_GT(layers, 6U) << "the last levels came in slices";
}

TEST(ExactSweep, ResumesWhereTheLastCheckpointWas) {
    SampleSweep sweep({.states = 31, .backwards = true});
    Values expanded;
    for (int layers = 0; layers < 6; ++layers) {
        ASSERT_TRUE(sweep.advance());
        for (const model::Value n : sweep.expand_layer()) expanded.insert(n);
    }
    sweep.walk->checkpoint({});
    sweep.writer->wait();
    ASSERT_TRUE(sweep.advance());
    (void)sweep.expand_layer();  // lost, like everything behind the checkpoint
    sweep.reopen();
    sweep.walk->load_open_states(Owner(1));
    while (sweep.advance())
        for (const model::Value n : sweep.expand_layer()) expanded.insert(n);
    Values all;
    for (model::Value n = 0; n < 31; ++n) all.insert(n);
    EXPECT_EQ(expanded, all);
    EXPECT_EQ(sweep.writer->states(), 31U);
}

}  // namespace
}  // namespace tideline::explore
