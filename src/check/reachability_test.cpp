#include "check/reachability.hpp"

#include <gtest/gtest.h>

#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline {
namespace {

using namespace examples;

class Reachability : public testing::TestWithParam<WalkOrder> {
protected:
    Reachability() : model_(two_counters(3)) {}

    void add_invariant(Expression expression, Goal::Kind kind = Goal::Kind::invariant) {
        goals_.push_back({kind, "goal " + std::to_string(goals_.size()), "formula", labels_.size()});
        labels_.push_back(std::move(expression));
    }
    void add_deadlock() { goals_.push_back({Goal::Kind::deadlock, "deadlock", "", 0}); }
    // x := 99 once both counters are at 3.
    void add_fault_at_the_end() {
        Transition faulty;
        faulty.guards.push_back(Expression::binary(Op::equal, sum(), number(6)));
        faulty.effects.emplace_back(assign(0, number(99)));
        model_.add_transition(faulty);
    }
    Expression x() const { return model_.read(0); }
    Expression sum() const { return Expression::binary(Op::add, model_.read(0), model_.read(1)); }

    Outcome decide() {
        ReachabilityRequest request;
        request.system = make_interpreted_system(std::make_shared<const Model>(model_), labels_, Layout::declared(model_));
        request.order = GetParam();
        request.goals = goals_;
        request.exploration = exploration_;
        request.settings = settings_;
        request.confirm = confirm_;
        return decide_reachability(request);
    }

    Model model_;
    std::vector<Goal> goals_;
    std::vector<Expression> labels_;
    SearchSettings settings_;
    bool exploration_ = false;
    std::function<std::optional<std::string>(const Trace&)> confirm_;
};

INSTANTIATE_TEST_SUITE_P(AllOrders, Reachability, testing::Values(WalkOrder::breadth_first, WalkOrder::depth_first),
                         [](const auto& order) { return order.param == WalkOrder::breadth_first ? "bfs" : "dfs"; });

TEST_P(Reachability, WhatHoldsEverywhereHolds) {
    add_invariant(Expression::binary(Op::less_equal, sum(), number(6)));
    const Outcome outcome = decide();
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.engine, GetParam() == WalkOrder::breadth_first ? "bfs" : "dfs");
    ASSERT_EQ(outcome.verdicts.size(), 1U);
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::holds);
    EXPECT_EQ(outcome.verdicts[0].logic, "invariant");
    EXPECT_EQ(outcome.verdicts[0].reason, "");
    EXPECT_EQ(outcome.verdicts[0].states, 16U);
    EXPECT_FALSE(outcome.verdicts[0].trace);
}

TEST_P(Reachability, AViolationComesWithATraceAndEndsTheSearch) {
    add_invariant(Expression::binary(Op::less, sum(), number(2)));
    const Outcome outcome = decide();
    EXPECT_FALSE(outcome.complete);
    EXPECT_EQ(outcome.reason, StopReason::violation);
    ASSERT_EQ(outcome.verdicts[0].answer, Answer::violated);
    const Trace& trace = outcome.verdicts[0].trace.value();
    ASSERT_EQ(trace.states.size(), 3U);
    EXPECT_EQ(trace.steps.size(), 2U);
    EXPECT_EQ(trace.states.front().values, (std::vector<Value>{0, 0}));
    EXPECT_EQ(trace.states.back().values[0] + trace.states.back().values[1], 2);
    EXPECT_LT(outcome.verdicts[0].states, 16U);
}

TEST_P(Reachability, TheInitialStateMayViolate) {
    add_invariant(x());
    const Outcome outcome = decide();
    ASSERT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[0].trace->states.size(), 1U);
    EXPECT_EQ(outcome.verdicts[0].states, 1U);
    EXPECT_EQ(outcome.verdicts[0].expanded, 0U);
}

TEST_P(Reachability, EveryGoalHasItsOwnVerdict) {
    add_invariant(Expression::binary(Op::less, x(), number(2)));
    add_invariant(number(1), Goal::Kind::assertion);
    add_deadlock();
    add_invariant(Expression::binary(Op::less, x(), number(1)));
    const Outcome outcome = decide();
    EXPECT_TRUE(outcome.complete) << "an open goal keeps the search going";
    ASSERT_EQ(outcome.verdicts.size(), 4U);
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[0].trace->states.back().values[0], 2);
    EXPECT_EQ(outcome.verdicts[1].answer, Answer::holds);
    EXPECT_EQ(outcome.verdicts[1].logic, "assert");
    EXPECT_EQ(outcome.verdicts[2].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[2].logic, "deadlock");
    EXPECT_EQ(outcome.verdicts[2].trace->states.back().values, (std::vector<Value>{3, 3}));
    EXPECT_EQ(outcome.verdicts[3].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[3].trace->states.back().values[0], 1);
}

TEST_P(Reachability, WhenAllGoalsAreViolatedTheSearchEnds) {
    add_invariant(Expression::binary(Op::less, x(), number(1)));
    add_invariant(Expression::binary(Op::less, x(), number(1)));
    const Outcome outcome = decide();
    EXPECT_EQ(outcome.reason, StopReason::violation);
    for (const Verdict& verdict : outcome.verdicts) EXPECT_EQ(verdict.answer, Answer::violated);
}

TEST_P(Reachability, AnIncompleteSearchLeavesWhatItHasNotRefutedUnknown) {
    model_ = two_counters(3000);
    add_invariant(number(1));
    add_deadlock();
    add_invariant(Expression::binary(Op::less, sum(), number(1)));
    const Budget budget({.time = std::chrono::milliseconds(1)});
    settings_.budget = &budget;
    const Outcome outcome = decide();
    EXPECT_FALSE(outcome.complete);
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::unknown);
    EXPECT_EQ(outcome.verdicts[0].reason, "time");
    EXPECT_EQ(outcome.verdicts[1].answer, Answer::unknown);
    EXPECT_EQ(outcome.verdicts[2].answer, Answer::violated);
}

TEST_P(Reachability, WithoutMemoryNothingHolds) {
    model_ = two_counters(300);
    add_invariant(number(1));
    const Budget budget({.memory = 1});
    settings_.budget = &budget;
    const Outcome outcome = decide();
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::unknown);
    EXPECT_EQ(outcome.verdicts[0].reason, "memory");
}

TEST_P(Reachability, BehindAFaultNothingIsKnown) {
    add_fault_at_the_end();
    add_invariant(number(1));
    add_deadlock();
    add_invariant(Expression::binary(Op::less, x(), number(3)));
    const Outcome outcome = decide();
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::unknown);
    EXPECT_EQ(outcome.verdicts[0].reason, "fault");
    EXPECT_EQ(outcome.verdicts[1].answer, Answer::unknown) << "a state whose only step is faulty is no deadlock";
    EXPECT_EQ(outcome.verdicts[2].answer, Answer::violated) << "what was seen stays refuted";
    ASSERT_EQ(outcome.faults.size(), 1U);
    const FaultReport& fault = outcome.faults[0];
    EXPECT_EQ(fault.kind, FaultKind::range);
    EXPECT_EQ(fault.text, "value 99 does not fit x (0 to 3)");
    EXPECT_EQ(fault.occurrences, 1U);
    EXPECT_FALSE(fault.in_assertion);
    EXPECT_EQ(fault.trace->states.size(), 7U);
    EXPECT_EQ(fault.trace->fault->kind, FaultKind::range);
}

TEST_P(Reachability, FaultsOfOneTransitionAndKindAreCountedTogether) {
    Transition faulty;
    faulty.effects.emplace_back(assign(0, number(99)));
    model_.add_transition(faulty);
    Transition dividing;
    dividing.guards.push_back(Expression::binary(Op::divide, number(1), x()));
    model_.add_transition(dividing);
    exploration_ = true;
    const Outcome outcome = decide();
    ASSERT_EQ(outcome.faults.size(), 2U);
    EXPECT_EQ(outcome.faults[0].occurrences, 16U);
    EXPECT_EQ(outcome.faults[1].occurrences, 4U);
    EXPECT_EQ(outcome.faults[1].text, "division by zero");
    EXPECT_EQ(outcome.statistics.faults, 20U);
}

TEST_P(Reachability, AGoalThatCannotBeEvaluatedIsViolatedThereWithTheReason) {
    add_invariant(Expression::binary(Op::divide, number(6), Expression::binary(Op::subtract, x(), number(2))));
    const Outcome outcome = decide();
    ASSERT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[0].reason, "it cannot be evaluated there: division fault");
    EXPECT_EQ(outcome.verdicts[0].trace->states.back().values[0], 2);
}

TEST_P(Reachability, AnExplorationVisitsEverythingAndListsFailedAssertions) {
    add_invariant(Expression::binary(Op::less, x(), number(2)), Goal::Kind::assertion);
    add_invariant(number(1), Goal::Kind::assertion);
    exploration_ = true;
    const Outcome outcome = decide();
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.statistics.states, 16U);
    EXPECT_EQ(outcome.statistics.deadlocks, 1U);
    EXPECT_TRUE(outcome.verdicts.empty());
    ASSERT_EQ(outcome.faults.size(), 1U);
    EXPECT_TRUE(outcome.faults[0].in_assertion);
    EXPECT_EQ(outcome.faults[0].text, "assertion formula fails");
    EXPECT_EQ(outcome.faults[0].trace->states.back().values[0], 2);
}

TEST_P(Reachability, EveryTraceIsConfirmedBeforeItIsShown) {
    add_fault_at_the_end();
    add_invariant(Expression::binary(Op::less, x(), number(2)));
    add_invariant(number(1));
    std::size_t asked = 0;
    confirm_ = [&](const Trace&) {
        ++asked;
        return std::nullopt;
    };
    (void)decide();
    EXPECT_EQ(asked, 2U);
    confirm_ = [](const Trace&) { return std::optional<std::string>("step 1: no"); };
    EXPECT_THROW((void)decide(), UnconfirmedTrace);
}

TEST_P(Reachability, SearchesThatWidenGiveTheSameAnswers) {
    Model model = two_counters(200);
    std::vector<Expression> labels = {Expression::binary(Op::less, Expression::binary(Op::add, model.read(0), model.read(1)), number(400))};
    ReachabilityRequest request;
    request.system = make_interpreted_system(std::make_shared<const Model>(model), labels, Layout::observed(model, {{0, 0}, {0, 0}}));
    request.order = GetParam();
    request.goals = {{Goal::Kind::invariant, "i", "x + y < 400", 0}};
    const Outcome outcome = decide_reachability(request);
    ASSERT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[0].trace->states.size(), 401U);
    EXPECT_EQ(outcome.verdicts[0].trace->states.back().values, (std::vector<Value>{200, 200}));
}

}  // namespace
}  // namespace tideline
