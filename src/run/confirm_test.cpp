#include "run/confirm.hpp"

#include <gtest/gtest.h>

#include "audit/error.hpp"
#include "automata/hoa_parse.hpp"
#include "automata/system_product.hpp"
#include "input/load.hpp"
#include "model/parse_expression.hpp"
#include "reference/machines.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::run {
namespace {

using Kind = trace::ShownViolation::Kind;

// x counts from 0 to 3, where nothing is left to do. The second step from 2 divides by 0.
constexpr const char* kModel = R"(byte x;
process P {
  state s; init s;
  assert s: x < 2, s: 6 / (3 - x) < 6;
  trans
    s -> s { guard x < 3; effect x = x + 1; },
    s -> s { guard x == 2; effect x = x / (x - 2); };
}
system async;
)";

class ConfirmViolation : public testing::Test {
protected:
    ConfirmViolation() {
        support::Result<input::LoadedModel> loaded = input::load_model_text("m.dve", kModel, {});
        if (!loaded) throw std::runtime_error(support::to_text(loaded.diagnostics().at(0)));
        model_ = loaded->model;
        confirmer_.emplace(reference::make_machine(*loaded, {}));
        system_ = successor::make_interpreted_system(model_, {}, successor::Layout::declared(*model_));
    }

    // The run to the state with this value.
    [[nodiscard]] trace::Trace run_to(model::Value x) const {
        std::vector<successor::Word> path = system_->initial_states().front();
        for (model::Value at = 0; at < x; ++at) {
            const std::vector<successor::Word> next =
                system_->steps(path.data() + path.size() - system_->state_words()).at(0).next;
            path.insert(path.end(), next.begin(), next.end());
        }
        return trace::make_trace(system_, path);
    }

    [[nodiscard]] bool is_confirmed(const trace::Trace& trace) {
        return confirmer_->confirm(trace, unlimited_).is_confirmed();
    }

    // The values of x at which a trace that says this is confirmed.
    [[nodiscard]] std::vector<model::Value> confirmed_at(const trace::ShownViolation& violation) {
        std::vector<model::Value> result;
        for (model::Value x = 0; x <= 3; ++x) {
            trace::Trace trace = run_to(x);
            EXPECT_TRUE(is_confirmed(trace)) << "the run itself is one";
            trace.violation = violation;
            if (is_confirmed(trace)) result.push_back(x);
        }
        return result;
    }

    using Values = std::vector<model::Value>;
    const support::Budget unlimited_;
    std::shared_ptr<const model::Model> model_;
    std::shared_ptr<const successor::System> system_;
    std::optional<ModelConfirmer> confirmer_;
};

TEST_F(ConfirmViolation, AnInvariantMustBeFalseInTheLastState) {
    EXPECT_EQ(confirmed_at({Kind::invariant, "i", "x != 2"}), Values{2});
    EXPECT_EQ(confirmed_at({Kind::invariant, "i", "P.s and x < 2"}), (Values{2, 3}));
    EXPECT_EQ(confirmed_at({Kind::invariant, "i", "x < 4"}), Values{});
}

TEST_F(ConfirmViolation, AnInvariantThatCannotBeEvaluatedMustHaveThisFault) {
    EXPECT_EQ(confirmed_at({Kind::invariant, "i", "6 / (2 - x) > 0", model::FaultKind::division}), Values{2});
    EXPECT_EQ(confirmed_at({Kind::invariant, "i", "6 / (2 - x) > 0", model::FaultKind::index}), Values{});
    EXPECT_EQ(confirmed_at({Kind::invariant, "i", "6 / (2 - x) > 0"}), Values{3}) << "false, not faulty";
}

TEST_F(ConfirmViolation, AnAssertionMustFailInTheLastState) {
    const std::string first = model_->assertions.at(0).name;
    const std::string second = model_->assertions.at(1).name;
    EXPECT_EQ(confirmed_at({Kind::assertion, "a", first}), (Values{2, 3}));
    EXPECT_EQ(confirmed_at({Kind::assertion, "a", second}), Values{2});
    EXPECT_EQ(confirmed_at({Kind::assertion, "a", second, model::FaultKind::division}), Values{3});
    EXPECT_EQ(confirmed_at({Kind::assertion, "a", "P.s: x < 9"}), Values{}) << "the model has no such assertion";
}

TEST_F(ConfirmViolation, ADeadlockMustHaveNoStep) { EXPECT_EQ(confirmed_at({Kind::deadlock, "d"}), Values{3}); }

TEST_F(ConfirmViolation, AFormulaThatNobodyUnderstandsIsNotConfirmed) {
    EXPECT_EQ(confirmed_at({Kind::invariant, "i", "y == 1"}), Values{});
    EXPECT_EQ(confirmed_at({Kind::invariant, "i", "x <"}), Values{});
}

TEST_F(ConfirmViolation, AFaultyStepMustHaveThisFault) {
    trace::Trace trace = run_to(2);
    trace.fault = trace::Trace::FaultyStep{1, model::FaultKind::division};
    EXPECT_TRUE(is_confirmed(trace));
}

TEST_F(ConfirmViolation, AnAtomThatCannotBeEvaluatedIsEvaluatedAgain) {
    // The product with an automaton that reads an atom which cannot be evaluated at 2.
    constexpr const char* kAtom = "6 / (2 - x) > 0";
    const support::Result<model::Expression> atom =
        model::parse_expression(*model_, support::SourceText("atom", kAtom));
    ASSERT_TRUE(atom);
    // Forged: the atom of the system is not what the automaton calls it.
    for (const bool is_forged : {false, true}) {
        automata::Labels labels;
        const support::Result<automata::Automaton> automaton = automata::parse_hoa(
            support::SourceText("a.hoa", std::string("HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"") +
                                             (is_forged ? "6 / (x + 1) > 0" : kAtom) +
                                             "\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0\n--END--\n"),
            labels);
        ASSERT_TRUE(automaton) << support::to_text(automaton.diagnostics().at(0));
        const std::shared_ptr<const successor::System> product = automata::make_product(
            successor::make_interpreted_system(model_, {*atom}, successor::Layout::declared(*model_)), *automaton, {});
        std::vector<successor::Word> path = product->initial_states().front();
        for (int i = 0; i < 2; ++i) {
            const std::vector<successor::StepDetail> steps =
                product->steps(path.data() + path.size() - product->state_words());
            path.insert(path.end(), steps.at(0).next.begin(), steps.at(0).next.end());
        }
        const std::vector<successor::StepDetail> last =
            product->steps(path.data() + path.size() - product->state_words());
        ASSERT_EQ(last.at(0).fault, model::FaultKind::division);
        trace::Trace trace = trace::make_trace(product, path, 1);
        trace.fault = trace::Trace::FaultyStep{last.at(0).transition, last.at(0).fault};
        EXPECT_EQ(is_confirmed(trace), !is_forged);
    }
}

// What a system written in C++ shows is looked at in the same way.
TEST_F(ConfirmViolation, OfASystemWithoutAFile) {
    audit::Formulas formulas{audit::Vocabulary(*model_)};
    trace::Trace trace = run_to(2);
    EXPECT_FALSE(refute_last_state(formulas, trace, false)) << "it shows nothing";
    trace.violation = {Kind::invariant, "i", "x != 2"};
    EXPECT_FALSE(refute_last_state(formulas, trace, false));
    trace.violation = {Kind::invariant, "i", "x == 2"};
    EXPECT_TRUE(refute_last_state(formulas, trace, false));
    trace.violation = {Kind::invariant, "i", "x == "};
    EXPECT_TRUE(refute_last_state(formulas, trace, false));
    trace.violation = {Kind::deadlock, "d"};
    EXPECT_TRUE(refute_last_state(formulas, trace, false));
    EXPECT_FALSE(refute_last_state(formulas, trace, true));
    trace.violation = {Kind::assertion, "a", "x < 2"};
    EXPECT_TRUE(refute_last_state(formulas, trace, true)) << "there are none";
}

}  // namespace
}  // namespace tideline::run
