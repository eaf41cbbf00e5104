#include "explore/change_step.hpp"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "explore/joint_breadth_first.hpp"
#include "explore/sample_search.hpp"
#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using sample::Heap;

// Changes to a ledger of its own, or refuses.
class SampleChange final : public ChangeOver {
public:
    [[nodiscard]] std::optional<ChangeTarget> prepare(const StatesInMemory& states) override {
        ++asked;
        states.for_each([this](const successor::Word* state) { seen.insert(*state); });
        if (refuses) return std::nullopt;
        ledger::LedgerSettings settings;
        settings.files = std::make_shared<ledger::sample::UnsyncedFiles>();
        writer = ledger::LedgerWriter::create(
            folder / "ledger",
            ledger_header(*system, Recorded::tree, "{\"packing\": " + packing_description(*system) + "}"), settings);
        run.emplace(LedgerRun{*writer});
        return ChangeTarget{system, &*run};
    }
    [[nodiscard]] std::string reason() const override { return "a test"; }

    std::shared_ptr<const successor::System> system;
    bool refuses = false;
    unsigned asked = 0;
    std::multiset<successor::Word> seen;
    ledger::sample::TemporaryDirectory folder;
    std::unique_ptr<ledger::LedgerWriter> writer;
    std::optional<LedgerRun> run;
};

template <class W>
class ChangeStepTest : public ::testing::Test {
protected:
    ChangeStepTest() {
        // 0 is expanded, 1 and 2 are open.
        change_.system = sample_.core.system;
        sample_.settings.change_over = &change_;
        sample_.insert_initial(0, 0);
        EXPECT_TRUE(sample_.core.walk.advance(sample_.core.owner));
        successor::Word state = 0;
        EXPECT_EQ(sample_.core.walk.partition(0).pop_batch(&state, nullptr, 1), 1U);
        sample_.core.workers[0]->expanded = 1;
        sample_.insert_initial(1, 0);
        sample_.insert_initial(2, 0);
    }

    SampleChange change_;
    sample::SampleCore<W> sample_{Heap{}.system()};
    EventReporter<W> reporter_{sample_.core, false};
};
using Walks = ::testing::Types<sample::Breadth, JointBreadthFirst>;
TYPED_TEST_SUITE(ChangeStepTest, Walks);

TYPED_TEST(ChangeStepTest, AllStatesAreHandedOverAndTheSearchIsFinished) {
    ASSERT_TRUE(change_over(this->sample_.core, this->reporter_));
    EXPECT_EQ(this->change_.seen, (std::multiset<successor::Word>{0, 1, 2}));
    EXPECT_TRUE(this->sample_.core.control.finished());
    EXPECT_EQ(this->sample_.core.reason, support::StopReason::none);
    ASSERT_TRUE(this->sample_.core.continues_with);
    EXPECT_EQ(this->sample_.core.continues_with->ledger, &*this->change_.run);
    EXPECT_EQ(this->change_.writer->states(), 1U);
    const SavedSearch& saved = this->change_.run->saved;
    EXPECT_EQ(saved.walk, "sweep");
    EXPECT_EQ(saved.statistics.expanded, 1U);
    EXPECT_EQ(saved.statistics.depth, 0U) << "a sweep has no levels";
    ASSERT_TRUE(saved.statistics.changed_over);
    EXPECT_EQ(saved.statistics.changed_over->states, 3U);
    EXPECT_EQ(saved.statistics.changed_over->reason, "a test");
    EXPECT_EQ(saved.passes, (std::vector<SweepCount>{{3, 1}}));
}

TYPED_TEST(ChangeStepTest, WhereItCannotBeDoneNothingHasChanged) {
    this->change_.refuses = true;
    EXPECT_FALSE(change_over(this->sample_.core, this->reporter_));
    EXPECT_EQ(this->change_.asked, 1U);
    EXPECT_FALSE(this->sample_.core.control.finished());
    EXPECT_FALSE(this->sample_.core.continues_with);
    EXPECT_EQ(this->sample_.core.walk.states(), 3U);
    ASSERT_TRUE(this->sample_.core.walk.advance(this->sample_.core.owner));
    EXPECT_EQ(this->sample_.core.walk.ready(), 2U) << "the search in memory goes on";
}

TYPED_TEST(ChangeStepTest, AStateWithoutAKeyEndsTheSearch) {
    using namespace model::examples;
    model::Model model;
    const model::VariableId n = add_scalar(model, "n", {0, 63}, 0);
    const model::Expression key =
        model::Expression::binary(model::Op::divide, number(60), model.read(n));  // not in state 0
    this->change_.system =
        successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                           successor::Layout::declared(model), successor::KeyProgram{{{key, 0, 7}}});
    EXPECT_TRUE(change_over(this->sample_.core, this->reporter_));
    EXPECT_EQ(this->sample_.core.reason, support::StopReason::no_key);
    EXPECT_FALSE(this->sample_.core.continues_with);
    ASSERT_TRUE(this->sample_.core.offending);
    EXPECT_EQ(this->sample_.core.offending->from, (std::vector<successor::Word>{0}));
}

}  // namespace
}  // namespace tideline::explore
