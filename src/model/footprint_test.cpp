#include "model/footprint.hpp"

#include <gtest/gtest.h>

#include "model/example_models.hpp"

namespace tideline::model {
namespace {

using namespace examples;
using Slots = std::vector<SlotId>;

// Slots: 0 x, 1 y, 2 to 4 a, 5 the location of P, 6 that of Q.
class FootprintTest : public testing::Test {
protected:
    FootprintTest() {
        x_ = add_scalar(model_, "x", {0, 9}, 0);
        y_ = add_scalar(model_, "y", {0, 9}, 0);
        a_ = add_array(model_, "a", {0, 9}, {0, 0, 0});
        add_process(model_, "P", {"s", "t"});
        add_process(model_, "Q", {"s", "t"});
    }
    Footprint of(const Transition& transition) const { return footprint(model_, transition); }

    Model model_;
    VariableId x_ = 0;
    VariableId y_ = 0;
    VariableId a_ = 0;
};

TEST_F(FootprintTest, AMoveReadsAndWritesItsLocation) {
    EXPECT_EQ(of(move(0, 0, 1)).reads, Slots{5});
    EXPECT_EQ(of(move(0, 0, 1)).writes, Slots{5});
    EXPECT_EQ(of(move(0, 1, 1)).reads, Slots{5});
    EXPECT_EQ(of(move(0, 1, 1)).writes, Slots{});
}

TEST_F(FootprintTest, ARendezvousTouchesBothLocations) {
    Transition both = move(1, 0, 1);
    both.participants.push_back({0, 0, 1, {}});
    EXPECT_EQ(of(both).reads, (Slots{5, 6}));
    EXPECT_EQ(of(both).writes, (Slots{5, 6}));
}

TEST_F(FootprintTest, GuardsAndValuesAreRead) {
    Transition transition;
    transition.guards.push_back(model_.read(y_));
    transition.effects.emplace_back(assign(x_, Expression::binary(Op::add, model_.read(x_), number(1))));
    EXPECT_EQ(of(transition).reads, (Slots{0, 1}));
    EXPECT_EQ(of(transition).writes, Slots{0});
}

TEST_F(FootprintTest, AComputedIndexTouchesTheWholeArray) {
    Transition transition;
    transition.guards.push_back(model_.read(a_, model_.read(x_)));
    EXPECT_EQ(of(transition).reads, (Slots{0, 2, 3, 4}));
    Transition writing;
    writing.effects.emplace_back(assign_element(a_, model_.read(x_), number(1)));
    EXPECT_EQ(of(writing).reads, Slots{0});
    EXPECT_EQ(of(writing).writes, (Slots{2, 3, 4}));
}

TEST_F(FootprintTest, AConstantIndexTouchesOneElement) {
    Transition transition;
    transition.guards.push_back(model_.read(a_, number(2)));
    transition.effects.emplace_back(assign_element(a_, number(1), number(1)));
    EXPECT_EQ(of(transition).reads, Slots{4});
    EXPECT_EQ(of(transition).writes, Slots{3});
}

TEST_F(FootprintTest, AShiftTouchesItsArrayAndReadsItsStart) {
    Transition transition;
    transition.effects.emplace_back(Shift{a_, model_.read(y_), 2});
    EXPECT_EQ(of(transition).reads, (Slots{1, 2, 3, 4}));
    EXPECT_EQ(of(transition).writes, (Slots{2, 3, 4}));
}

TEST_F(FootprintTest, ASystemMayDependOnItsObserver) {
    EXPECT_FALSE(depends_on_observer(model_));
    model_.observer = 1;
    model_.add_transition(move(0, 0, 1));
    Transition own_step = move(1, 0, 1);
    own_step.guards.push_back(model_.at(1, 0));
    model_.add_transition(own_step);
    model_.assertions.push_back({"Q.s: x", Expression::implication(model_.at(1, 0), model_.read(x_)), {}});
    EXPECT_FALSE(depends_on_observer(model_));
    Model by_assertion = model_;
    by_assertion.assertions.push_back({"P.s: Q.t", Expression::implication(model_.at(0, 0), model_.at(1, 1)), {}});
    EXPECT_TRUE(depends_on_observer(by_assertion));
    Transition reading = move(0, 0, 1);
    reading.guards.push_back(model_.at(1, 1));
    model_.add_transition(reading);
    EXPECT_TRUE(depends_on_observer(model_));
}

}  // namespace
}  // namespace tideline::model
