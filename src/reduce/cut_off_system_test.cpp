// Systems that are cut against the definition, on random models.
#include "reduce/cut_off_system.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "input/load.hpp"
#include "model/parse_expression.hpp"
#include "reduce/sample_symmetric_model.hpp"
#include "successor/native/native_system.hpp"

namespace tideline::reduce {
namespace {

using successor::Word;
using Values = std::vector<model::Value>;

const support::Budget kUnlimited;

// Breadth-first, in batches of several states and small batches of successors.
struct Found {
    std::set<Values> states;
    std::uint64_t transitions = 0;
    std::uint64_t deadlocks = 0;
    bool is_complete = true;
};
Found explore(const successor::System& system, std::size_t capacity) {
    Found found;
    const std::unique_ptr<successor::Expander> expander = system.expander();
    std::vector<Word> open;
    const auto add = [&](const Word* state) {
        if (found.states.insert(system.decode(state)).second)
            open.insert(open.end(), state, state + system.state_words());
    };
    for (const std::vector<Word>& state : system.initial_states()) add(state.data());
    while (!open.empty() && found.is_complete) {
        const std::vector<Word> states = std::exchange(open, {});
        const std::size_t count = states.size() / system.state_words();
        successor::SuccessorBatch batch(system.state_words(), capacity);
        successor::Cursor cursor;
        for (;;) {
            batch.restart(cursor.state);
            const bool continues = cursor.delivered > 0;
            const successor::Expansion result = expander->expand(states.data(), count, cursor, batch);
            std::size_t begin = 0;
            for (std::size_t n = 0; n < batch.complete_sources(); ++n) {
                if (batch.end(n) == begin && batch.skipped(n) == 0 && (n > 0 || !continues)) ++found.deadlocks;
                begin = batch.end(n);
                found.transitions += batch.skipped(n);
            }
            for (std::size_t i = 0; i < batch.size(); ++i) {
                ++found.transitions;
                if (batch.fault(i) == model::FaultKind::none) add(batch.state(i));
            }
            if (result == successor::Expansion::done) break;
            EXPECT_EQ(result, successor::Expansion::full);
        }
        found.is_complete = found.states.size() < 1'000;
    }
    return found;
}

TEST(CutOff, StatesAreCutAndWhatIsMissedIsKnown) {
    std::size_t exact = 0;
    std::size_t relative = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const samples::SymmetricModel sample = samples::random_symmetric_model(seed);
        SCOPED_TRACE(sample.text);
        support::Result<input::LoadedModel> loaded = input::load_model_text("m.dve", sample.text, {});
        ASSERT_TRUE(loaded);
        for (const std::string& condition : {sample.atoms[seed % sample.atoms.size()], sample.broken_atom}) {
            const model::Expression cut = *model::parse_expression(*loaded->model, support::SourceText("", condition));
            std::string notice;
            const std::shared_ptr<const successor::System> plain =
                successor::make_model_system(loaded->model, {cut}, successor::Layout::declared(*loaded->model), {},
                                             successor::Successors::interpret, kUnlimited, notice);
            const Found whole = explore(*plain, 64);
            if (!whole.is_complete) continue;
            const auto cut_off = std::make_shared<CutOff>();
            const std::shared_ptr<const successor::System> system = make_cut_off(plain, cut_off);
            EXPECT_EQ(system->label_count(), 0U);
            const Found found = explore(*system, 7 + seed % 5);
            // By the definition: states behind cut ones are reached only if another way leads there.
            std::set<Values> expected;
            std::set<Values> behind;
            std::uint64_t transitions = 0;
            std::uint64_t deadlocks = 0;
            std::deque<std::vector<Word>> open(1, plain->initial_states().front());
            expected.insert(plain->decode(open.front().data()));
            const std::unique_ptr<successor::Expander> expander = plain->expander();
            while (!open.empty()) {
                const std::vector<Word> state = open.front();
                open.pop_front();
                std::uint64_t bits = 0;
                model::FaultKind fault = model::FaultKind::none;
                expander->labels(state.data(), &bits, &fault);
                const std::vector<successor::StepDetail> steps = plain->steps(state.data());
                transitions += steps.size();
                deadlocks += steps.empty() ? 1 : 0;
                for (const successor::StepDetail& step : steps) {
                    if (step.fault != model::FaultKind::none) continue;
                    if (bits != 0) behind.insert(plain->decode(step.next.data()));
                    else if (expected.insert(plain->decode(step.next.data())).second) open.push_back(step.next);
                }
            }
            ASSERT_EQ(found.states, expected);
            ASSERT_EQ(found.transitions, transitions);
            // A cut state without steps is a deadlock all the same.
            ASSERT_EQ(found.deadlocks, deadlocks);
            cut_off->begin(CutOff::Phase::recall);
            ASSERT_EQ(explore(*system, 64).states, expected);
            std::size_t missed = 0;
            for (const Values& state : behind) missed += expected.contains(state) ? 0 : 1;
            ASSERT_EQ(cut_off->left(), missed);
            if (missed == 0) {
                ASSERT_EQ(found.states.size(), whole.states.size());
            }
            ++(missed == 0 ? exact : relative);
        }
    }
    EXPECT_GT(exact, 40U);
    EXPECT_GT(relative, 40U);
}

// A measure need not be defined behind the cut: the step counts, and what it leads to is missed.
TEST(CutOff, StepsWithoutAKeyCountToo) {
    const std::string text =
        "byte x = 2; process P { state s; init s; "
        "trans s -> s { effect x = 1; }, s -> s { effect x = 0; }, s -> s { effect x = 3; }, s -> s { effect x = 0; }; "
        "} system async;";
    support::Result<input::LoadedModel> loaded = input::load_model_text("m.dve", text, {});
    ASSERT_TRUE(loaded);
    const auto expression = [&](const char* of) {
        return *model::parse_expression(*loaded->model, support::SourceText("", of));
    };
    for (const auto successors : {successor::Successors::interpret, successor::Successors::native}) {
        std::string notice;
        const std::shared_ptr<const successor::System> plain = successor::make_model_system(
            loaded->model, {expression("x == 2")}, successor::Layout::declared(*loaded->model),
            {{{expression("6 / x"), 0, 8}}}, successors, kUnlimited, notice);
        const auto cut_off = std::make_shared<CutOff>();
        const std::shared_ptr<const successor::System> system = make_cut_off(plain, cut_off);
        for (const std::size_t capacity : {1U, 64U}) {
            const Found found = explore(*system, capacity);
            EXPECT_EQ(found.states.size(), 1U);
            EXPECT_EQ(found.transitions, 4U);
            EXPECT_EQ(found.deadlocks, 0U);
        }
        cut_off->begin(CutOff::Phase::recall);
        EXPECT_EQ(explore(*system, 64).states.size(), 1U);
        EXPECT_EQ(cut_off->left(), 3U);  // x == 1, x == 3, and x == 0, which has no key
    }
}

}  // namespace
}  // namespace tideline::reduce
