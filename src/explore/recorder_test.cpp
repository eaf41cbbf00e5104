#include "explore/recorder.hpp"

#include <gtest/gtest.h>

#include "explore/batch_inserter.hpp"
#include "explore/batch_producer.hpp"
#include "explore/exact_sweep.hpp"
#include "explore/sample_search.hpp"
#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

// An exact sweep through a heap of seven states, with its ledger.
struct Recorded7 {
    static ledger::LedgerSettings settings() {
        ledger::LedgerSettings settings;
        settings.files = std::make_shared<ledger::sample::UnsyncedFiles>();
        return settings;
    }
    explicit Recorded7(std::chrono::milliseconds every)
        : writer(ledger::LedgerWriter::create(
              directory / "ledger",
              ledger_header(*system, Recorded::tree, "{\"packing\": " + packing_description(*system) + "}"),
              settings())),
          run{*writer} {
        run.checkpoint_every = every;
        // The core keeps a reference to the settings.
        search_settings.ledger = &run;
        core.emplace(system, search_settings, observer, 1, 0, false, run, false);
        core->view = nullptr;
        reporter.emplace(*core, false);
        recorder.emplace(*core, *reporter);
        const std::vector<successor::Word> initial = system->initial_states().front();
        core->walk.partition(0).insert_initial(initial.data(), successor::hash_state(initial.data(), initial.size()),
                                               0);
        EXPECT_TRUE(core->walk.advance(core->owner));
    }
    void produce() { BatchProducer<ExactSweep>(*core, 0).produce(*core->workers[0]); }
    void insert() { BatchInserter<ExactSweep>(*core).insert_all(*core->workers[0]); }

    std::shared_ptr<const successor::System> system = sample::Heap{}.system();
    ledger::sample::TemporaryDirectory directory;
    std::unique_ptr<ledger::LedgerWriter> writer;
    LedgerRun run;
    SearchSettings search_settings;
    SearchObserver observer;
    std::optional<SearchCore<ExactSweep>> core;
    std::optional<EventReporter<ExactSweep>> reporter;
    std::optional<Recorder<ExactSweep>> recorder;
};

TEST(Recorder, ACheckpointIsDueWhenItsTimeHasCome) {
    EXPECT_TRUE(Recorded7(std::chrono::milliseconds(0)).recorder->is_checkpoint_due());
    EXPECT_FALSE(Recorded7(std::chrono::hours(1)).recorder->is_checkpoint_due());
}

TEST(Recorder, WhatIsPoppedBecomesPartOfTheLedgerBeforeItsSuccessorsAreInserted) {
    Recorded7 search(std::chrono::hours(1));
    EXPECT_TRUE(search.recorder->is_quiescent());
    search.produce();
    EXPECT_EQ(search.writer->states(), 0U);
    search.recorder->append_popped();
    EXPECT_EQ(search.writer->states(), 1U);
    EXPECT_EQ(search.core->workers[0]->made->first_number, 0U);
    search.insert();
    ASSERT_TRUE(search.core->walk.advance(search.core->owner));
    search.produce();
    search.recorder->append_popped();
    EXPECT_EQ(search.writer->states(), 2U);
    EXPECT_EQ(search.core->workers[0]->made->first_number, 1U);
    EXPECT_EQ(search.writer->parent(1).number, 0U);
}

TEST(Recorder, ASearchIsQuiescentWhenWhatWasPoppedIsExpanded) {
    Recorded7 search(std::chrono::hours(1));
    search.produce();
    search.recorder->append_popped();
    EXPECT_TRUE(search.recorder->is_quiescent());
    search.core->workers[0]->cursor.state = 0;
    EXPECT_FALSE(search.recorder->is_quiescent()) << "the popped state has not been expanded";
    search.core->workers[0]->cursor.state = 1;
    search.core->workers[0]->expansion = successor::Expansion::full;
    EXPECT_FALSE(search.recorder->is_quiescent()) << "it has more successors";
}

TEST(Recorder, OnlyWhatIsDurableCanBeResumed) {
    Recorded7 search(std::chrono::milliseconds(0));
    search.core->stop(support::StopReason::states);
    EXPECT_FALSE(search.recorder->is_resumable());
    search.recorder->checkpoint(false);
    search.writer->wait();
    EXPECT_TRUE(search.recorder->is_resumable());
    const SavedSearch saved = parse_saved_search(search.writer->engine());
    EXPECT_FALSE(saved.complete);
    EXPECT_EQ(saved.walk, "sweep");
    EXPECT_EQ(search.writer->waiting().size(), 1U) << "the initial state is open";
}

TEST(Recorder, TheDiskIsShortWhenTheLastCheckpointWouldNotFit) {
    Recorded7 search(std::chrono::hours(1));
    std::uint64_t free = std::uint64_t{1} << 40U;
    std::uint64_t looks = 0;
    search.run.free_bytes = [&] {
        ++looks;
        return free;
    };
    EXPECT_FALSE(search.recorder->is_disk_short(false));
    EXPECT_EQ(looks, 1U) << "how much is free has to be known once";
    EXPECT_FALSE(search.recorder->is_disk_short(false));
    EXPECT_EQ(looks, 1U) << "there is plenty until the next tick";
    free = std::uint64_t{1} << 20U;
    EXPECT_FALSE(search.recorder->is_disk_short(true));
    free = 1000;
    EXPECT_TRUE(search.recorder->is_disk_short(false)) << "it was nearly full";
}

}  // namespace
}  // namespace tideline::explore
