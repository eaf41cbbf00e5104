// The checkpoint that a search in memory leaves to a sweep; tests/differential/change_over_test.cpp continues from it.
#include "explore/change_over.hpp"

#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "explore/exact_sweep.hpp"
#include "explore/sample_search.hpp"
#include "explore/sample_sweep.hpp"
#include "ledger/sample_ledger.hpp"

namespace tideline::explore {
namespace {

using sample::Heap;
using successor::Word;
using Keys = std::map<std::uint64_t, std::multiset<Word>>;

// States of one word; the first ones are expanded, the others are open. `rows`: also their edges, by numbers.
class FakeStates final : public StatesInMemory {
public:
    FakeStates(std::shared_ptr<const successor::System> system, std::vector<Word> expanded, std::vector<Word> open)
        : system_(std::move(system)), expanded_(std::move(expanded)), open_(std::move(open)) {}

    [[nodiscard]] const successor::System& system() const override { return *system_; }
    [[nodiscard]] std::uint64_t size() const override { return expanded_.size() + open_.size(); }
    void for_each(const Visit& visit) const override {
        for (const Word& state : expanded_) visit(&state);
        for (const Word& state : open_) visit(&state);
    }
    void take_open(const VisitNumbered& visit) override {
        for (std::size_t i = 0; i < open_.size(); ++i) visit(&open_[i], expanded_.size() + i);
    }
    bool take_all(const std::function<bool(const Word*, StateNumber)>& visit) override {
        StateNumber number = 0;
        for (const std::vector<Word>* states : {&expanded_, &open_})
            for (const Word& state : *states)
                if (!visit(&state, number++)) return false;
        return true;
    }
    [[nodiscard]] KeptRows* rows() override { return kept_rows; }
    [[nodiscard]] StateNumber number_bound() const override { return size(); }

    KeptRows* kept_rows = nullptr;

private:
    std::shared_ptr<const successor::System> system_;
    std::vector<Word> expanded_;
    std::vector<Word> open_;
};

class ChangeOverTest : public ::testing::Test {
protected:
    void make_ledger(Recorded recorded = Recorded::tree) {
        ledger::LedgerSettings settings;
        settings.files = std::make_shared<ledger::sample::UnsyncedFiles>();
        writer_ = ledger::LedgerWriter::create(
            folder_ / "ledger",
            ledger_header(*system_, recorded, "{\"packing\": " + packing_description(*system_) + "}"), settings);
        run_.emplace(LedgerRun{*writer_});
    }
    support::StopReason change(StatesInMemory& states, std::uint64_t expanded, const support::Budget& budget = {}) {
        SavedSearch saved;
        saved.walk = to_string(WalkOrder::sweep);
        saved.statistics.states = states.size();
        saved.statistics.expanded = expanded;
        saved.passes = {{states.size(), expanded}};
        return write_checkpoint(states, {system_, &*run_}, std::move(saved), budget, undefined_);
    }
    static std::vector<Word> numbers(Word from, Word to) {
        std::vector<Word> result;
        for (Word n = from; n < to; ++n) result.push_back(n);
        return result;
    }
    // By key, what the ledger has visited.
    [[nodiscard]] Keys visited() const {
        Keys result;
        for (std::uint64_t key = 0; key < 64; ++key)
            for (const ledger::Extent& extent : writer_->extents_of(key))
                for (std::uint64_t number = extent.first; number < extent.first + extent.count; ++number)
                    result[key].insert(writer_->state(number).bytes[0]);
        return result;
    }
    // By key, what a sweep that resumes from here pops first.
    [[nodiscard]] Keys open() {
        Keys result;
        const store::MemoryBudget unlimited = [](std::uint64_t) { return true; };
        ExactSweep sweep(WalkSetup{*system_, unlimited, 1, nullptr}, *run_, false);
        EXPECT_EQ(sweep.states(), run_->saved.statistics.states);
        sweep.load_open_states(Owner(1));
        while (sweep.advance(Owner(1)))
            for (Word state = 0; sweep.partition(0).pop_batch(&state, nullptr, 1) > 0;) {
                result[static_cast<std::uint64_t>(sweep.key())].insert(state);
                (void)sweep.record(0, {});
                sweep.partition(0).expanded();
            }
        return result;
    }

    std::shared_ptr<const successor::System> system_ = Heap{.states = 63, .backwards = true}.system();
    ledger::sample::TemporaryDirectory folder_;
    std::unique_ptr<ledger::LedgerWriter> writer_;
    std::optional<LedgerRun> run_;
    std::vector<Word> undefined_;
};

TEST_F(ChangeOverTest, ExpandedStatesAreVisitedByTheirKeysAndOpenOnesWait) {
    make_ledger();
    FakeStates states(system_, numbers(0, 7), numbers(7, 15));
    ASSERT_EQ(change(states, 7), support::StopReason::none);
    Keys expected;
    for (Word n = 0; n < 7; ++n) expected[63 - n].insert(n);
    EXPECT_EQ(visited(), expected);
    EXPECT_TRUE(run_->resumed);
    EXPECT_EQ(run_->saved.statistics.states, 15U);
    EXPECT_EQ(parse_saved_search(writer_->engine()).statistics.expanded, 7U) << "it is durable";
    Keys waiting;
    for (Word n = 7; n < 15; ++n) waiting[63 - n].insert(n);
    EXPECT_EQ(open(), waiting);
}

TEST_F(ChangeOverTest, OnlyInitialStatesHaveAParentThatIsKnown) {
    make_ledger();
    FakeStates states(system_, numbers(0, 7), numbers(7, 15));
    ASSERT_EQ(change(states, 7), support::StopReason::none);
    for (std::uint64_t number = 0; number < 7; ++number) {
        const bool is_initial = writer_->state(number).bytes[0] == 0;
        EXPECT_EQ(writer_->parent(number).number, is_initial ? number : ledger::kUnknownParent);
    }
}

TEST_F(ChangeOverTest, ASearchThatHadNothingOpenOrNothingExpandedCanChange) {
    make_ledger();
    FakeStates nothing_expanded(system_, {}, {0});
    ASSERT_EQ(change(nothing_expanded, 0), support::StopReason::none);
    EXPECT_EQ(writer_->states(), 0U);
    EXPECT_EQ(open(), (Keys{{63, {0}}}));
}

TEST_F(ChangeOverTest, WithoutABudgetThereIsNoCheckpoint) {
    make_ledger();
    std::vector<Word> many;  // the budget is looked at after some thousand states
    while (many.size() < 10'000) many.push_back(many.size() % 31);
    FakeStates states(system_, many, numbers(31, 63));
    EXPECT_EQ(change(states, many.size(), support::Budget({}, [] { return true; })), support::StopReason::interrupted);
    EXPECT_FALSE(run_->resumed);
    EXPECT_TRUE(writer_->engine().empty());
}

// A key that cannot be computed: the progress divides by n - 5.
TEST_F(ChangeOverTest, AStateWithoutAKeyEndsItAndIsNamed) {
    using namespace model::examples;
    model::Model model;
    const model::VariableId n = add_scalar(model, "n", {0, 63}, 0);
    const model::Expression key = model::Expression::binary(
        model::Op::divide, number(60), model::Expression::binary(model::Op::subtract, model.read(n), number(5)));
    system_ =
        successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                           successor::Layout::declared(model), successor::KeyProgram{{{key, -64, 7}}});
    make_ledger();
    FakeStates states(system_, numbers(0, 7), numbers(7, 15));
    EXPECT_EQ(change(states, 7), support::StopReason::no_key);
    EXPECT_EQ(undefined_, (std::vector<Word>{5}));
    EXPECT_TRUE(writer_->engine().empty());
}

// Rows of a sink that keeps them: of state n the edges to 2n + 1 and 2n + 2. Ids are numbers, backwards.
struct HeapRows final : KeptRows {
    explicit HeapRows(std::uint64_t states) : count(states) {}
    void close(StateNumber number_bound) override { closed_at = number_bound; }
    [[nodiscard]] StateNumber id(StateNumber number) const override { return count - 1 - number; }
    void append_row(StateNumber id_of_state, Columns& to) const override {
        EXPECT_TRUE(closed_at);
        const StateNumber number = count - 1 - id_of_state;
        for (const StateNumber target : {2 * number + 1, 2 * number + 2}) {
            to.targets.push_back(id(target));
            to.transitions.push_back(target % 2);
            to.marks.push_back(0);
        }
    }
    std::uint64_t count;
    std::optional<StateNumber> closed_at;
};

TEST_F(ChangeOverTest, EdgesThatWereKeptAreInTheLedger) {
    system_ = sample::counter_system();  // without labels, which the search does not hand over
    make_ledger(Recorded::edges);
    FakeStates states(system_, numbers(0, 7), numbers(7, 15));
    HeapRows rows(15);
    states.kept_rows = &rows;
    ASSERT_EQ(change(states, 7), support::StopReason::none);
    EXPECT_EQ(rows.closed_at, 15U);
    EXPECT_EQ(run_->saved.next_temporary_id, 15U) << "ids of new states follow those that were handed over";
    EXPECT_EQ(writer_->states(), 7U);
    writer_.reset();
    // Final numbers of the expanded states, and the ids of the open ones.
    const std::unique_ptr<ledger::LedgerReader> reader = ledger::LedgerReader::open(folder_ / "ledger");
    std::vector<Word> state_of(7);
    reader->read(ledger::Stream::states, 0, 7, [&](const ledger::Records& records) {
        for (std::uint64_t i = 0; i < records.count; ++i)
            state_of[records.first + i] = records.bytes[i * records.record_bytes];
    });
    std::map<std::uint64_t, std::uint64_t> number_of_id;
    reader->read(ledger::Stream::numbers, 0, 7, [&](const ledger::Records& records) {
        for (std::uint64_t i = 0; i < records.count; ++i) number_of_id[records.numbers[i]] = records.others[i];
    });
    ASSERT_EQ(number_of_id.size(), 7U);
    for (const auto& [id, number] : number_of_id)
        EXPECT_EQ(state_of.at(number), 14 - (id & ~kTemporary)) << "an id names the same state as its number";
}

}  // namespace
}  // namespace tideline::explore
