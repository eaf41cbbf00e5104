#include "check/verdict.hpp"

#include <gtest/gtest.h>

namespace tideline::check {
namespace {

constexpr support::StopReason kReasons[] = {support::StopReason::none,     support::StopReason::memory,
                                            support::StopReason::disk,     support::StopReason::time,
                                            support::StopReason::states,   support::StopReason::interrupted,
                                            support::StopReason::violation};

TEST(Decide, AnIncompleteSearchNeverSaysThatSomethingHolds) {
    for (const support::StopReason reason : kReasons)
        for (const bool faults : {false, true}) {
            Verdict verdict;
            verdict.answer = Answer::holds;
            decide(verdict, {.met_faults = faults, .stopped = reason});
            EXPECT_EQ(verdict.answer, Answer::unknown);
            EXPECT_EQ(verdict.reason, support::to_string(reason));
        }
}

TEST(Decide, AViolationStandsWhateverWasNotVisited) {
    for (const support::StopReason reason : kReasons)
        for (const bool complete : {false, true}) {
            Verdict verdict;
            decide(verdict,
                   {.violated = true, .note = "why", .complete = complete, .met_faults = true, .stopped = reason});
            EXPECT_EQ(verdict.answer, Answer::violated);
            EXPECT_EQ(verdict.reason, "why");
        }
}

TEST(Decide, AFaultLeavesUnknownWhatACompleteSearchHasNotRefuted) {
    Verdict verdict;
    decide(verdict, {.complete = true, .met_faults = true});
    EXPECT_EQ(verdict.answer, Answer::unknown);
    EXPECT_EQ(verdict.reason, "fault");
}

TEST(Decide, WhatACompleteSearchHasNotRefutedHolds) {
    Verdict verdict;
    verdict.reason = "an older one";
    decide(verdict, {.complete = true});
    EXPECT_EQ(verdict.answer, Answer::holds);
    EXPECT_TRUE(verdict.reason.empty());
}

}  // namespace
}  // namespace tideline::check
