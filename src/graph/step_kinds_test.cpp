#include "graph/step_kinds.hpp"

#include <gtest/gtest.h>

namespace tideline::graph {
namespace {

using Kind = StepKinds::Kind;

TEST(StepKinds, ANameLeadsBackToTheStep) {
    StepKinds kinds;
    const auto first = kinds.name(StepKinds::kStart, 7, 0);
    const auto marked = kinds.name(StepKinds::kStart, 7, 4);
    const auto other = kinds.name(first->kind, 60'000, 4);
    ASSERT_TRUE(first && marked && other);
    EXPECT_NE(first->kind, marked->kind) << "marks belong to the kind";
    EXPECT_EQ(first->index, 0U);
    EXPECT_EQ(marked->index, 1U) << "the second to follow the beginning";
    EXPECT_EQ(other->index, 0U) << "the first to follow the first";
    EXPECT_EQ(kinds.follower(StepKinds::kStart, 1), marked->kind);
    EXPECT_EQ(kinds.follower(first->kind, 0), other->kind);
    EXPECT_EQ(kinds.step(marked->kind).transition, 7U);
    EXPECT_EQ(kinds.step(marked->kind).marks, 4U);
}

TEST(StepKinds, WhatWasNamedKeepsItsNameWhileOthersCome) {
    StepKinds kinds;
    const auto early = kinds.name(StepKinds::kStart, 3, 1);
    ASSERT_TRUE(early);
    for (model::TransitionId t = 10; t < 200; ++t) ASSERT_TRUE(kinds.name(early->kind, t, 0));
    const auto again = kinds.name(StepKinds::kStart, 3, 1);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->kind, early->kind);
    EXPECT_EQ(again->index, early->index);
    for (std::size_t i = 0; i < 190; ++i) EXPECT_EQ(kinds.step(kinds.follower(early->kind, i)).transition, 10 + i);
}

TEST(StepKinds, AKindHasAtMostTheFollowersThatAByteCounts) {
    StepKinds kinds;
    for (model::TransitionId t = 0; t < StepKinds::kMostFollowers; ++t)
        ASSERT_TRUE(kinds.name(StepKinds::kStart, t, 0)) << t;
    EXPECT_FALSE(kinds.name(StepKinds::kStart, 999, 0));
    EXPECT_TRUE(kinds.name(StepKinds::kStart, 0, 0)) << "those that have followed it still do";
    const auto known = kinds.name(StepKinds::kStart, 5, 0);
    EXPECT_TRUE(kinds.name(known->kind, 999, 0)) << "after another kind there is room";
}

TEST(StepKinds, KindsThatAreTooManyHaveNoName) {
    StepKinds kinds;
    std::size_t named = 0;
    Kind before = StepKinds::kStart;
    for (model::TransitionId t = 0; t < 5000; ++t) {
        const auto name = kinds.name(before, t, 0);
        if (!name) continue;
        ++named;
        before = name->kind;
        EXPECT_EQ(kinds.step(before).transition, t);
    }
    EXPECT_LT(named, StepKinds::kMostKinds);
    EXPECT_GE(named, StepKinds::kMostKinds - 1);
}

}  // namespace
}  // namespace tideline::graph
