#include "explore/pass_queue.hpp"

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using sample::open_state;
using sample::shape;
using successor::Key;
using successor::Word;

TEST(PassQueue, ItsNextKeyIsTheLeastOfAllPartitionsAndOfTheLedger) {
    PassQueue queue(2, shape(), false);
    EXPECT_TRUE(queue.empty());
    const Word states[] = {1, 2, 3};
    queue.open(0).insert(7, open_state(states[0]));
    EXPECT_EQ(queue.next_key(), 7U);
    queue.open(1).insert(5, open_state(states[1]));
    EXPECT_EQ(queue.next_key(), 5U);
    queue.saved().add(4, {0, false});
    EXPECT_EQ(queue.next_key(), 4U);
    queue.saved().add_mixed(3, 1);
    EXPECT_EQ(queue.next_key(), 3U);
    EXPECT_FALSE(queue.empty());
    EXPECT_EQ(queue.states_in_memory(), 2U);
    EXPECT_EQ(queue.layers_in_memory(), 2U);
    EXPECT_TRUE(queue.has_in_memory(5));
    EXPECT_FALSE(queue.has_in_memory(4));
}

TEST(PassQueue, AKeyCanBeTheLargestThereIs) {
    PassQueue queue(1, shape(), false);
    const Word state = 1;
    queue.open(0).insert(~Key{0}, open_state(state));
    EXPECT_EQ(queue.next_key(), ~Key{0});
}

TEST(PassQueue, WhatWaitsForTheNextPassWaitsInThisOneWhenThatBegins) {
    const sample::SampleLedger sample;
    PassQueue this_pass(2, shape(), false);
    PassQueue next_pass(2, shape(), true);
    const Word states[] = {1, 2, 3};
    this_pass.open(0).insert(9, open_state(states[0]));
    next_pass.open(0).insert(2, open_state(states[1]));
    next_pass.open(1).insert(2, open_state(states[2]));
    EXPECT_EQ(next_pass.count(2, *sample.writer), 2U);
    this_pass.take_over(next_pass);
    EXPECT_TRUE(next_pass.empty());
    EXPECT_EQ(this_pass.count(2, *sample.writer), 2U);
    EXPECT_EQ(this_pass.states_in_memory(), 3U);
    this_pass.move_layer(2, next_pass);
    EXPECT_EQ(next_pass.count(2, *sample.writer), 2U);
    EXPECT_TRUE(this_pass.are_sizes_consistent() && next_pass.are_sizes_consistent());
}

TEST(PassQueue, AStateIsOpenOncePerPartition) {
    OpenLayers this_pass(shape(), false);
    OpenLayers next_pass(shape(), true);
    SweepLayer current(shape());
    const Word states[] = {1, 2, 3};
    current.insert(open_state(states[0]));
    this_pass.insert(5, open_state(states[1]));
    next_pass.insert(5, open_state(states[2]));
    EXPECT_TRUE(is_open_once(current, 5, this_pass, next_pass));
    EXPECT_FALSE(is_open_once(current, 4, this_pass, next_pass))
        << "another key than the current one waits in both passes";
    next_pass.insert(5, open_state(states[1]));
    EXPECT_FALSE(is_open_once(current, 5, this_pass, next_pass)) << "state 2 is open in both passes";
    OpenLayers no_pass(shape(), true);
    EXPECT_TRUE(is_open_once(current, 5, this_pass, no_pass));
    this_pass.insert(5, open_state(states[0]));
    EXPECT_FALSE(is_open_once(current, 5, this_pass, no_pass)) << "state 1 is open in the current layer";
}

}  // namespace
}  // namespace tideline::explore
