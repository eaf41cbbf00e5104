// That searches keep their limits, and what they leave when one ends them.
#include <chrono>
#include <memory>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explore/search.hpp"
#include "ledger/sample_ledger.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::explore {
namespace {

using namespace model::examples;

std::shared_ptr<const successor::System> declared(const model::Model& model, successor::KeyProgram key = {}) {
    return successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                              successor::Layout::declared(model), std::move(key));
}

// Counters that count up to `most` one after another, before an array of this number of bytes that no step changes.
model::Model wide_model(std::size_t bytes, model::Value most) {
    model::Model model = two_counters(most);
    add_array(model, "ballast", {0, 255}, std::vector<model::Value>(bytes, 7));
    return model;
}

// Takes its time for every state.
class SlowExpander final : public successor::Expander {
public:
    SlowExpander(std::unique_ptr<successor::Expander> fast, std::chrono::microseconds delay)
        : fast_(std::move(fast)), delay_(delay) {}
    successor::Expansion expand(const successor::Word* states, std::size_t count, successor::Cursor& cursor,
                                successor::SuccessorBatch& out) override {
        for (;;) {
            std::this_thread::sleep_for(delay_);
            const std::size_t end = std::min<std::size_t>(count, cursor.state + 1);
            const successor::Expansion result = fast_->expand(states, end, cursor, out);
            if (result != successor::Expansion::done || cursor.state == count) return result;
        }
    }
    void labels(const successor::Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        fast_->labels(state, bits, faults);
    }
    std::optional<successor::Key> key(const successor::Word* state) override { return fast_->key(state); }

private:
    std::unique_ptr<successor::Expander> fast_;
    std::chrono::microseconds delay_;
};

class SlowSystem final : public successor::System {
public:
    SlowSystem(std::shared_ptr<const successor::System> fast, std::chrono::microseconds delay)
        : fast_(std::move(fast)), delay_(delay) {}
    [[nodiscard]] std::size_t state_words() const override { return fast_->state_words(); }
    [[nodiscard]] std::size_t state_bytes() const override { return fast_->state_bytes(); }
    [[nodiscard]] std::vector<std::vector<successor::Word>> initial_states() const override {
        return fast_->initial_states();
    }
    [[nodiscard]] std::unique_ptr<successor::Expander> expander() const override {
        return std::make_unique<SlowExpander>(fast_->expander(), delay_);
    }
    [[nodiscard]] std::size_t label_count() const override { return fast_->label_count(); }
    [[nodiscard]] std::vector<model::Value> key_values(successor::Key key) const override {
        return fast_->key_values(key);
    }
    [[nodiscard]] std::unique_ptr<successor::System> with_wider_fields(
        const successor::Expander& stopped) const override {
        return fast_->with_wider_fields(stopped);
    }
    [[nodiscard]] successor::Repacking repacking(const successor::System& older) const override {
        return fast_->repacking(older);
    }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return fast_->slot_names(); }
    [[nodiscard]] std::vector<model::Value> decode(const successor::Word* state) const override {
        return fast_->decode(state);
    }
    [[nodiscard]] std::string value_text(model::SlotId slot, model::Value value) const override {
        return fast_->value_text(slot, value);
    }
    [[nodiscard]] std::vector<successor::StepDetail> steps(const successor::Word* state) const override {
        return fast_->steps(state);
    }

private:
    std::shared_ptr<const successor::System> fast_;
    std::chrono::microseconds delay_;
};

// A ledger in a directory that goes with it.
class TestLedger {
public:
    [[nodiscard]] LedgerRun create(const successor::System& system, std::optional<std::uint64_t> disk = {}) {
        ledger::LedgerSettings settings;
        settings.disk_limit = disk;
        settings.files = std::make_shared<ledger::sample::UnsyncedFiles>();
        settings.fit_into(std::uint64_t{32} << 20U);
        writer_ = ledger::LedgerWriter::create(
            folder_ / "ledger",
            ledger_header(system, Recorded::tree, "{\"packing\": " + packing_description(system) + "}"), settings);
        return LedgerRun{*writer_};
    }
    [[nodiscard]] LedgerRun reopen() {
        writer_.reset();
        writer_ = ledger::LedgerWriter::reopen(folder_ / "ledger");
        LedgerRun run{*writer_};
        run.resumed = !writer_->engine().empty();
        if (run.resumed) run.saved = parse_saved_search(writer_->engine());
        return run;
    }

private:
    ledger::sample::TemporaryDirectory folder_;
    std::unique_ptr<ledger::LedgerWriter> writer_;
};

// ---- time -----------------------------------------------------------------------------------------------------------

TEST(SearchLimits, TimeAndInterruptsAreLookedAtHoweverLongAStateTakes) {
    using namespace std::chrono;
    // Some 10,000 states at 2 ms each: a round of what is taken at a time would take half a second, and limits are
    // looked at after 16.
    const auto system = std::make_shared<SlowSystem>(declared(two_counters(100)), milliseconds(2));
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::depth_first, WalkOrder::sweep}) {
        for (const unsigned threads : {1U, 2U}) {
            SearchObserver nothing;
            SearchSettings settings;
            settings.threads = threads;
            settings.alone_below = 0;
            const support::Budget budget({.time = milliseconds(300)});
            settings.budget = &budget;
            const SearchResult late = search(system, order, settings, nothing);
            EXPECT_EQ(late.reason, support::StopReason::time);
            EXPECT_GT(late.statistics.expanded, 20U);
            EXPECT_LT(late.statistics.seconds, 0.8);

            const auto start = steady_clock::now();
            const support::Budget interrupted({}, [&] { return steady_clock::now() - start > milliseconds(300); });
            settings.budget = &interrupted;
            const SearchResult stopped = search(system, order, settings, nothing);
            EXPECT_EQ(stopped.reason, support::StopReason::interrupted);
            EXPECT_LT(stopped.statistics.seconds, 0.8);
        }
    }
}

// ---- memory ---------------------------------------------------------------------------------------------------------

TEST(SearchLimits, BuffersOfLargeStatesFitIntoTheLimit) {
    const model::Model model = wide_model(4096, 6);  // 49 states of 4 KB
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::sweep}) {
        for (const unsigned threads : {1U, 3U}) {
            for (const bool records : {false, true}) {
                const std::shared_ptr<const successor::System> system = declared(model);
                ASSERT_GE(system->state_bytes(), 4096U);
                const support::Budget budget({.memory = std::uint64_t{8} << 20U});
                TestLedger ledger;
                std::optional<LedgerRun> run;
                SearchSettings settings;
                settings.budget = &budget;
                settings.threads = threads;
                settings.alone_below = 0;
                if (records) settings.ledger = &run.emplace(ledger.create(*system));
                SearchObserver nothing;
                const SearchResult result = search(system, order, settings, nothing);
                EXPECT_TRUE(result.complete) << to_string(order) << ", threads: " << threads << ", ledger: " << records;
                EXPECT_EQ(result.statistics.states, 49U);
            }
        }
    }
}

TEST(SearchLimits, WideningDoesNotNeedEverythingTwice) {
    // The last state has a value that the packing has no room for.
    constexpr model::Value kMost = 700;
    model::Model model = two_counters(kMost);
    const model::VariableId last = add_scalar(model, "last", {0, 100'000'000}, 0);
    model::Transition end;
    end.guards.push_back(model::Expression::both(
        model::Expression::binary(model::Op::equal, model.read(last), number(0)),
        model::Expression::both(model::Expression::binary(model::Op::equal, model.read(0), number(kMost)),
                                model::Expression::binary(model::Op::equal, model.read(1), number(kMost)))));
    end.effects.emplace_back(assign(last, number(100'000'000)));
    model.add_transition(end);
    std::vector<model::Range> seen{{0, kMost}, {0, kMost}, {0, 0}};
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::sweep}) {
        for (const bool compress : {false, true}) {
            for (const unsigned threads : {1U, 2U}) {
                if (compress && order == WalkOrder::sweep) continue;
                const std::shared_ptr<const successor::System> system = successor::make_interpreted_system(
                    std::make_shared<const model::Model>(model), {}, successor::Layout::observed(model, seen));
                const support::Budget budget({.memory = std::uint64_t{14} << 20U});
                SearchSettings settings;
                settings.budget = &budget;
                settings.threads = threads;
                settings.compress = compress;
                settings.paths = false;
                SearchObserver nothing;
                const SearchResult result = search(system, order, settings, nothing);
                EXPECT_TRUE(result.complete)
                    << to_string(order) << ", threads: " << threads << (compress ? ", compressed" : "");
                EXPECT_EQ(result.statistics.states, static_cast<std::uint64_t>((kMost + 1) * (kMost + 1) + 1));
            }
        }
    }
}

// ---- what is reported -----------------------------------------------------------------------------------------------

TEST(SearchLimits, DeadlocksThatNobodyWantsAreOnlyCounted) {
    // From the first state to each of many others, where it ends.
    model::Model model;
    const model::VariableId node = add_scalar(model, "node", {0, 2000}, 0);
    for (model::Value to = 1; to <= 2000; ++to) {
        model::Transition transition;
        transition.guards.push_back(model::Expression::binary(model::Op::equal, model.read(node), number(0)));
        transition.effects.emplace_back(assign(node, number(to)));
        model.add_transition(transition);
    }
    class Counter final : public SearchObserver {
    public:
        explicit Counter(bool wants) : wants_(wants) {}
        [[nodiscard]] bool wants_deadlocks() const override { return wants_; }
        bool deadlock(SearchView&, const StateRef&) override {
            ++events;
            return true;
        }
        std::uint64_t events = 0;

    private:
        bool wants_;
    };
    for (const unsigned threads : {1U, 2U}) {
        for (const bool wants : {true, false}) {
            Counter counter(wants);
            SearchSettings settings;
            settings.threads = threads;
            settings.alone_below = 0;
            const SearchResult result = search(declared(model), WalkOrder::breadth_first, settings, counter);
            EXPECT_EQ(result.statistics.deadlocks, 2000U);
            EXPECT_EQ(counter.events, wants ? 2000U : 0U);
        }
    }
}

// ---- ledgers --------------------------------------------------------------------------------------------------------

TEST(SearchLimits, ASearchByAnotherWalkIsNotResumed) {
    const std::shared_ptr<const successor::System> system = declared(two_counters(40));
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::sweep}) {
        TestLedger ledger;
        SearchObserver nothing;
        SearchSettings settings;
        settings.states = 500;
        LedgerRun run = ledger.create(*system);
        settings.ledger = &run;
        const SearchResult stopped = search(system, order, settings, nothing);
        ASSERT_EQ(stopped.reason, support::StopReason::states);
        EXPECT_TRUE(stopped.resumable);

        LedgerRun again = ledger.reopen();
        EXPECT_EQ(again.saved.walk, to_string(order));
        settings.ledger = &again;
        settings.states.reset();
        try {
            (void)search(system, order == WalkOrder::sweep ? WalkOrder::breadth_first : WalkOrder::sweep, settings,
                         nothing);
            FAIL() << "states of another walk lie elsewhere";
        } catch (const ledger::LedgerError& error) {
            EXPECT_EQ(error.kind(), ledger::LedgerFault::other_run);
            EXPECT_NE(std::string(error.what()).find("bfs"), std::string::npos);
            EXPECT_NE(std::string(error.what()).find("sweep"), std::string::npos);
        }
        const SearchResult rest = search(system, order, settings, nothing);
        EXPECT_TRUE(rest.complete);
        EXPECT_FALSE(rest.resumable);
        EXPECT_EQ(rest.statistics.states, 41U * 41U);
        EXPECT_TRUE(rest.statistics.states_exact);
    }
}

// Two steps from every number, to numbers that can hardly be compressed: most of `states` are reachable.
model::Model scattered(model::Value states) {
    model::Model model;
    const model::VariableId node = add_scalar(model, "node", {0, states - 1}, 1);
    for (const model::Value factor : {5, 7}) {
        model::Transition transition;
        transition.effects.emplace_back(assign(
            node,
            model::Expression::binary(model::Op::modulo,
                                      model::Expression::binary(model::Op::multiply, model.read(node), number(factor)),
                                      number(states))));
        model.add_transition(transition);
    }
    return model;
}

TEST(SearchLimits, ADiskThatIsFullEndsWithACheckpoint) {
    const std::shared_ptr<const successor::System> system = declared(scattered(100003));
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::sweep}) {
        SearchObserver ignored;
        const std::uint64_t states = search(system, WalkOrder::breadth_first, {}, ignored).statistics.states;
        ASSERT_GT(states, 30'000U);
        for (const std::uint64_t disk : {std::uint64_t{150} << 10U, std::uint64_t{250} << 10U}) {
            SCOPED_TRACE(disk);
            TestLedger ledger;
            SearchObserver nothing;
            const support::Budget budget({.memory = {}, .disk = disk});
            SearchSettings settings;
            settings.budget = &budget;
            LedgerRun run = ledger.create(*system, disk);
            run.checkpoint_every = std::chrono::hours(1);
            settings.ledger = &run;
            const SearchResult full = search(system, order, settings, nothing);
            ASSERT_EQ(full.reason, support::StopReason::disk);
            EXPECT_TRUE(full.resumable);
            EXPECT_GT(full.statistics.expanded, 1'000U);

            LedgerRun again = ledger.reopen();
            ASSERT_TRUE(again.resumed);
            EXPECT_EQ(again.saved.statistics.expanded, full.statistics.expanded) << "nothing is lost";
            settings.ledger = &again;
            settings.budget = nullptr;
            const SearchResult rest = search(system, order, settings, nothing);
            EXPECT_TRUE(rest.complete);
            EXPECT_EQ(rest.statistics.states, states);
            EXPECT_EQ(rest.statistics.expanded, states);
        }
    }
}

// A tick is due after a tenth of a second, when all of it could be full.
TEST(SearchLimits, ASmallFileSystemKeepsRoomForTheLastCheckpoint) {
    const std::shared_ptr<const successor::System> system = declared(scattered(100003));
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::sweep}) {
        SearchObserver nothing;
        const std::uint64_t states = search(system, WalkOrder::breadth_first, {}, nothing).statistics.states;
        constexpr std::uint64_t kBytes = std::uint64_t{200} << 10U;
        TestLedger ledger;
        LedgerRun run = ledger.create(*system, kBytes);  // beyond which writing fails
        run.checkpoint_every = std::chrono::hours(1);
        std::uint64_t looks = 0;
        run.free_bytes = [&] {
            ++looks;
            return kBytes - std::min(kBytes, run.writer.bytes());
        };
        SearchSettings settings;
        settings.ledger = &run;
        const SearchResult full = search(system, order, settings, nothing);
        ASSERT_EQ(full.reason, support::StopReason::disk);
        EXPECT_TRUE(full.resumable);
        EXPECT_GT(full.statistics.expanded, 1'000U);
        EXPECT_GT(looks, 10U);

        LedgerRun again = ledger.reopen();
        EXPECT_EQ(again.saved.statistics.expanded, full.statistics.expanded) << "nothing is lost";
        settings.ledger = &again;
        const SearchResult rest = search(system, order, settings, nothing);
        EXPECT_TRUE(rest.complete);
        EXPECT_EQ(rest.statistics.states, states);
    }
}

TEST(SearchLimits, ALargeFileSystemIsLookedAtTenTimesPerSecondOnly) {
    const std::shared_ptr<const successor::System> system = declared(scattered(100003));
    TestLedger ledger;
    LedgerRun run = ledger.create(*system);
    std::uint64_t looks = 0;
    run.free_bytes = [&] {
        ++looks;
        return std::uint64_t{1} << 40U;
    };
    SearchSettings settings;
    settings.ledger = &run;
    SearchObserver nothing;
    const SearchResult result = search(system, WalkOrder::breadth_first, settings, nothing);
    EXPECT_TRUE(result.complete);
    EXPECT_GE(looks, 1U);
    EXPECT_LE(static_cast<double>(looks), 2 + 10 * result.statistics.seconds);
}

TEST(SearchLimits, WhereNothingWasCommittedNothingCanBeResumed) {
    // The limit is too small for a checkpoint.
    const std::shared_ptr<const successor::System> system = declared(two_counters(600));
    TestLedger ledger;
    SearchObserver nothing;
    LedgerRun run = ledger.create(*system, std::uint64_t{1} << 10U);
    run.checkpoint_every = std::chrono::hours(1);
    SearchSettings settings;
    settings.ledger = &run;
    const SearchResult full = search(system, WalkOrder::breadth_first, settings, nothing);
    EXPECT_EQ(full.reason, support::StopReason::disk);
    EXPECT_FALSE(full.resumable);
}

// ---- figures --------------------------------------------------------------------------------------------------------

TEST(SearchLimits, AStoppedSearchKnowsWhetherItsStatesAreDistinct) {
    const model::Model model = two_counters(60);
    // Progress that goes back with every step of the second counter: many open states are visited already.
    const successor::KeyProgram key{
        {{model::Expression::binary(model::Op::subtract, model.read(0), model.read(1)), -60, 7}}};
    std::uint64_t inexact = 0;
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::sweep}) {
        for (std::uint64_t states = 100; states < 61 * 61; states += 300) {
            for (const bool records : {false, true}) {
                const std::shared_ptr<const successor::System> system = declared(model, key);
                TestLedger ledger;
                std::optional<LedgerRun> run;
                SearchSettings settings;
                settings.states = states;
                if (records) settings.ledger = &run.emplace(ledger.create(*system));
                class Visited final : public SearchObserver {
                public:
                    [[nodiscard]] bool wants_discoveries() const override { return true; }
                    bool discovered(SearchView& search, std::span<const StateRef> discovered) override {
                        for (const StateRef& found : discovered) states.insert(search.system().decode(found.state));
                        return true;
                    }
                    std::set<std::vector<model::Value>> states;
                } visited;
                const SearchResult result = search(system, order, settings, visited);
                const Statistics& statistics = result.statistics;
                inexact += statistics.states_exact ? 0 : 1;
                EXPECT_GE(statistics.states, visited.states.size());
                EXPECT_TRUE(!statistics.states_exact || statistics.states <= 61U * 61U);
                const bool must_know = records ? result.complete : order == WalkOrder::breadth_first;
                EXPECT_TRUE(statistics.states_exact || !must_know);
            }
        }
    }
    EXPECT_GT(inexact, 0U);
}

}  // namespace
}  // namespace tideline::explore
