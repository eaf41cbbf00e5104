#include "check/reachability.hpp"

#include <gtest/gtest.h>

#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::check {
namespace {

using namespace model::examples;

std::vector<model::Value> last_values(const std::optional<trace::Trace>& trace) {
    return trace.value().values(trace->size() - 1);
}

class Reachability : public testing::TestWithParam<explore::WalkOrder> {
protected:
    Reachability() : model_(two_counters(3)) {}

    void add_invariant(model::Expression expression, StateProperty::Kind kind = StateProperty::Kind::invariant) {
        properties_.push_back({kind, "property " + std::to_string(properties_.size()), "formula", labels_.size()});
        labels_.push_back(std::move(expression));
    }
    void add_deadlock() { properties_.push_back({StateProperty::Kind::deadlock, "deadlock", "", 0}); }
    // x := 99 once both counters are at 3.
    void add_fault_at_the_end() {
        model::Transition faulty;
        faulty.guards.push_back(model::Expression::binary(model::Op::equal, sum(), number(6)));
        faulty.effects.emplace_back(assign(0, number(99)));
        model_.add_transition(faulty);
    }
    model::Expression x() const { return model_.read(0); }
    model::Expression sum() const { return model::Expression::binary(model::Op::add, model_.read(0), model_.read(1)); }

    Outcome decide() {
        ReachabilityRequest request;
        request.system = successor::make_interpreted_system(std::make_shared<const model::Model>(model_), labels_,
                                                            successor::Layout::declared(model_));
        request.order = GetParam();
        request.properties = properties_;
        request.exploration = exploration_;
        request.settings = settings_;
        request.confirm = confirm_;
        return with_evidence(decide_reachability(request), unlimited_);
    }

    model::Model model_;
    std::vector<StateProperty> properties_;
    std::vector<model::Expression> labels_;
    explore::SearchSettings settings_;
    bool exploration_ = false;
    trace::Confirm confirm_;
    const support::Budget unlimited_;
};

INSTANTIATE_TEST_SUITE_P(AllOrders, Reachability,
                         testing::Values(explore::WalkOrder::breadth_first, explore::WalkOrder::depth_first),
                         [](const auto& order) {
                             return order.param == explore::WalkOrder::breadth_first ? "bfs" : "dfs";
                         });

TEST_P(Reachability, WhatHoldsEverywhereHolds) {
    add_invariant(model::Expression::binary(model::Op::less_equal, sum(), number(6)));
    const Outcome outcome = decide();
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.engine, GetParam() == explore::WalkOrder::breadth_first ? "bfs" : "dfs");
    ASSERT_EQ(outcome.verdicts.size(), 1U);
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::holds);
    EXPECT_EQ(outcome.verdicts[0].logic, "invariant");
    EXPECT_EQ(outcome.verdicts[0].reason, "");
    EXPECT_EQ(outcome.verdicts[0].states, 16U);
    EXPECT_FALSE(outcome.verdicts[0].trace);
}

TEST_P(Reachability, AViolationComesWithATraceAndEndsTheSearch) {
    add_invariant(model::Expression::binary(model::Op::less, sum(), number(2)));
    const Outcome outcome = decide();
    EXPECT_FALSE(outcome.complete);
    EXPECT_EQ(outcome.reason, support::StopReason::violation);
    ASSERT_EQ(outcome.verdicts[0].answer, Answer::violated);
    const trace::Trace& trace = outcome.verdicts[0].trace.value();
    ASSERT_EQ(trace.size(), 3U);
    EXPECT_EQ(trace.step_count(), 2U);
    EXPECT_EQ(trace.values(0), (std::vector<model::Value>{0, 0}));
    EXPECT_EQ(trace.values(2)[0] + trace.values(2)[1], 2);
    EXPECT_LT(outcome.verdicts[0].states, 16U);
}

TEST_P(Reachability, TheInitialStateMayViolate) {
    add_invariant(x());
    const Outcome outcome = decide();
    ASSERT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[0].trace->size(), 1U);
    EXPECT_EQ(outcome.verdicts[0].states, 1U);
    EXPECT_EQ(outcome.verdicts[0].expanded, 0U);
}

TEST_P(Reachability, EveryPropertyHasItsOwnVerdict) {
    add_invariant(model::Expression::binary(model::Op::less, x(), number(2)));
    add_invariant(number(1), StateProperty::Kind::assertion);
    add_deadlock();
    add_invariant(model::Expression::binary(model::Op::less, x(), number(1)));
    const Outcome outcome = decide();
    EXPECT_TRUE(outcome.complete) << "an open property keeps the search going";
    ASSERT_EQ(outcome.verdicts.size(), 4U);
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_EQ(last_values(outcome.verdicts[0].trace)[0], 2);
    EXPECT_EQ(outcome.verdicts[1].answer, Answer::holds);
    EXPECT_EQ(outcome.verdicts[1].logic, "assert");
    EXPECT_EQ(outcome.verdicts[2].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[2].logic, "deadlock");
    EXPECT_EQ(last_values(outcome.verdicts[2].trace), (std::vector<model::Value>{3, 3}));
    EXPECT_EQ(outcome.verdicts[3].answer, Answer::violated);
    EXPECT_EQ(last_values(outcome.verdicts[3].trace)[0], 1);
}

TEST_P(Reachability, WhenAllPropertiesAreViolatedTheSearchEnds) {
    add_invariant(model::Expression::binary(model::Op::less, x(), number(1)));
    add_invariant(model::Expression::binary(model::Op::less, x(), number(1)));
    const Outcome outcome = decide();
    EXPECT_EQ(outcome.reason, support::StopReason::violation);
    for (const Verdict& verdict : outcome.verdicts) EXPECT_EQ(verdict.answer, Answer::violated);
}

TEST_P(Reachability, AnIncompleteSearchLeavesWhatItHasNotRefutedUnknown) {
    model_ = two_counters(3000);
    add_invariant(number(1));
    add_deadlock();
    add_invariant(model::Expression::binary(model::Op::less, sum(), number(1)));
    const support::Budget budget({.time = std::chrono::milliseconds(1)});
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
    const support::Budget budget({.memory = 1});
    settings_.budget = &budget;
    const Outcome outcome = decide();
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::unknown);
    EXPECT_EQ(outcome.verdicts[0].reason, "memory");
}

TEST_P(Reachability, BehindAFaultNothingIsKnown) {
    add_fault_at_the_end();
    add_invariant(number(1));
    add_deadlock();
    add_invariant(model::Expression::binary(model::Op::less, x(), number(3)));
    const Outcome outcome = decide();
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::unknown);
    EXPECT_EQ(outcome.verdicts[0].reason, "fault");
    EXPECT_EQ(outcome.verdicts[1].answer, Answer::unknown) << "a state whose only step is faulty is no deadlock";
    EXPECT_EQ(outcome.verdicts[2].answer, Answer::violated) << "what was seen stays refuted";
    ASSERT_EQ(outcome.faults.size(), 1U);
    const FaultReport& fault = outcome.faults[0];
    EXPECT_EQ(fault.kind, model::FaultKind::range);
    EXPECT_EQ(fault.text, "value 99 does not fit x (0 to 3)");
    EXPECT_EQ(fault.occurrences, 1U);
    EXPECT_FALSE(fault.in_assertion);
    EXPECT_EQ(fault.trace->size(), 7U);
    EXPECT_EQ(fault.trace->fault_step().kind, model::FaultKind::range);
}

TEST_P(Reachability, FaultsOfOneTransitionAndKindAreCountedTogether) {
    model::Transition faulty;
    faulty.effects.emplace_back(assign(0, number(99)));
    model_.add_transition(faulty);
    model::Transition dividing;
    dividing.guards.push_back(model::Expression::binary(model::Op::divide, number(1), x()));
    model_.add_transition(dividing);
    exploration_ = true;
    const Outcome outcome = decide();
    ASSERT_EQ(outcome.faults.size(), 2U);
    EXPECT_EQ(outcome.faults[0].occurrences, 16U);
    EXPECT_EQ(outcome.faults[1].occurrences, 4U);
    EXPECT_EQ(outcome.faults[1].text, "division by zero");
    EXPECT_EQ(outcome.statistics.faults, 20U);
}

TEST_P(Reachability, APropertyThatCannotBeEvaluatedIsViolatedThereWithTheReason) {
    add_invariant(model::Expression::binary(model::Op::divide, number(6),
                                            model::Expression::binary(model::Op::subtract, x(), number(2))));
    const Outcome outcome = decide();
    ASSERT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[0].reason, "it cannot be evaluated there: division fault");
    EXPECT_EQ(last_values(outcome.verdicts[0].trace)[0], 2);
}

TEST_P(Reachability, AnExplorationVisitsEverythingAndListsFailedAssertions) {
    add_invariant(model::Expression::binary(model::Op::less, x(), number(2)), StateProperty::Kind::assertion);
    add_invariant(number(1), StateProperty::Kind::assertion);
    exploration_ = true;
    const Outcome outcome = decide();
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.statistics.states, 16U);
    EXPECT_EQ(outcome.statistics.deadlocks, 1U);
    EXPECT_TRUE(outcome.verdicts.empty());
    ASSERT_EQ(outcome.faults.size(), 1U);
    EXPECT_TRUE(outcome.faults[0].in_assertion);
    EXPECT_EQ(outcome.faults[0].text, "assertion formula fails");
    EXPECT_EQ(last_values(outcome.faults[0].trace)[0], 2);
}

TEST_P(Reachability, EveryTraceIsConfirmedBeforeItIsShown) {
    add_fault_at_the_end();
    add_invariant(model::Expression::binary(model::Op::less, x(), number(2)));
    add_invariant(number(1));
    std::size_t asked = 0;
    confirm_ = [&](const trace::Trace&, const support::Budget&) {
        ++asked;
        return trace::Confirmation{};
    };
    (void)decide();
    EXPECT_EQ(asked, 2U);
    confirm_ = [](const trace::Trace&, const support::Budget&) {
        return trace::Confirmation{support::StopReason::none, "step 1: no"};
    };
    EXPECT_THROW((void)decide(), UnconfirmedTrace);
}

TEST_P(Reachability, SearchesThatWidenGiveTheSameAnswers) {
    model::Model model = two_counters(200);
    std::vector<model::Expression> labels = {model::Expression::binary(
        model::Op::less, model::Expression::binary(model::Op::add, model.read(0), model.read(1)), number(400))};
    ReachabilityRequest request;
    request.system = successor::make_interpreted_system(std::make_shared<const model::Model>(model), labels,
                                                        successor::Layout::observed(model, {{0, 0}, {0, 0}}));
    request.order = GetParam();
    request.properties = {{StateProperty::Kind::invariant, "i", "x + y < 400", 0}};
    const Outcome outcome = with_evidence(decide_reachability(request), unlimited_);
    ASSERT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[0].trace->size(), 401U);
    EXPECT_EQ(last_values(outcome.verdicts[0].trace), (std::vector<model::Value>{200, 200}));
}

TEST_P(Reachability, AVerdictStandsWithoutItsTrace) {
    add_fault_at_the_end();
    add_invariant(model::Expression::binary(model::Op::less, x(), number(2)));
    add_invariant(number(1));
    confirm_ = [](const trace::Trace&, const support::Budget&) {
        return trace::Confirmation{support::StopReason::time, std::nullopt};
    };
    const Outcome outcome = decide();
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_FALSE(outcome.verdicts[0].trace);
    EXPECT_EQ(outcome.verdicts[0].trace_reason, "time");
    ASSERT_EQ(outcome.faults.size(), 1U);
    EXPECT_FALSE(outcome.faults[0].trace);
    EXPECT_EQ(outcome.faults[0].trace_reason, "time");
    EXPECT_EQ(outcome.faults[0].text, "value 99 does not fit x (0 to 3)");
}

TEST_P(Reachability, WithoutEvidenceTheVerdictIsThere) {
    add_invariant(model::Expression::binary(model::Op::less, sum(), number(2)));
    ReachabilityRequest request;
    request.system = successor::make_interpreted_system(std::make_shared<const model::Model>(model_), labels_,
                                                        successor::Layout::declared(model_));
    request.order = GetParam();
    request.properties = properties_;
    request.confirm = [](const trace::Trace&, const support::Budget&) -> trace::Confirmation {
        throw std::logic_error("not yet");
    };
    const Decision decision = decide_reachability(request);
    EXPECT_EQ(decision.outcome.verdicts[0].answer, Answer::violated);
    EXPECT_FALSE(decision.outcome.verdicts[0].trace);
}

TEST_P(Reachability, WithoutMemoryThereIsNoTrace) {
    add_invariant(model::Expression::binary(model::Op::less, sum(), number(2)));
    ReachabilityRequest request;
    request.system = successor::make_interpreted_system(std::make_shared<const model::Model>(model_), labels_,
                                                        successor::Layout::declared(model_));
    request.order = explore::WalkOrder::breadth_first;
    request.properties = properties_;
    const support::Budget nothing({.memory = 0, .disk = {}, .time = {}});
    std::vector<std::byte> ballast(support::kProgramMemory, std::byte{1});
    const Outcome outcome = with_evidence(decide_reachability(request), nothing);
    EXPECT_EQ(ballast.back(), std::byte{1});
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_FALSE(outcome.verdicts[0].trace);
    EXPECT_EQ(outcome.verdicts[0].trace_reason, "memory");
}

TEST_P(Reachability, OnlyTheFirstFaultsHaveTraces) {
    for (model::Value value = 0; value < 15; ++value) {
        model::Transition faulty;
        faulty.guards.push_back(model::Expression::binary(model::Op::equal, sum(), number(6)));
        faulty.effects.emplace_back(assign(0, number(90 + value)));
        model_.add_transition(faulty);
    }
    add_invariant(number(1));
    const Outcome outcome = decide();
    ASSERT_EQ(outcome.faults.size(), 15U);
    for (std::size_t f = 0; f < 15; ++f) {
        EXPECT_EQ(outcome.faults[f].text, "value " + std::to_string(90 + f) + " does not fit x (0 to 3)");
        EXPECT_EQ(outcome.faults[f].trace.has_value(), f < kMostFaultTraces);
        EXPECT_EQ(outcome.faults[f].trace_reason, f < kMostFaultTraces ? "" : kTooManyFaults);
    }
}

// The text of a fault is made after the search, from the state as it was packed when the fault occurred.
TEST_P(Reachability, FaultsAreExplainedAfterTheSearchHasWidened) {
    model::Model model = two_counters(200);
    for (model::Value value = 0; value < 12; ++value) {
        model::Transition faulty;
        faulty.guards.push_back(model::Expression::binary(model::Op::equal, model.read(0), number(1 + value)));
        faulty.effects.emplace_back(assign(0, model::Expression::binary(model::Op::add, number(900), model.read(0))));
        model.add_transition(faulty);
    }
    ReachabilityRequest request;
    request.system = successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                                        successor::Layout::observed(model, {{0, 0}, {0, 0}}));
    request.order = GetParam();
    request.exploration = true;
    const Outcome outcome = with_evidence(decide_reachability(request), unlimited_);
    ASSERT_EQ(outcome.faults.size(), 12U);
    for (std::size_t f = 0; f < 12; ++f)
        EXPECT_EQ(outcome.faults[f].text, "value " + std::to_string(901 + f) + " does not fit x (0 to 200)");
}

}  // namespace
}  // namespace tideline::check
