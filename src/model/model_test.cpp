#include "model/model.hpp"

#include <gtest/gtest.h>

#include "model/example_models.hpp"

namespace tideline::model {
namespace {

using namespace examples;

TEST(Model, VariablesTakeConsecutiveSlots) {
    Model model;
    add_scalar(model, "x", {0, 9}, 4);
    const VariableId a = add_array(model, "a", {0, 9}, {1, 2});
    const VariableId y = add_scalar(model, "y", {0, 9}, 7);
    EXPECT_EQ(model.slot_count(), 4U);
    EXPECT_EQ(model.variables[a].first_slot, 1U);
    EXPECT_EQ(model.variables[y].first_slot, 3U);
    EXPECT_EQ(model.initial, (std::vector<Value>{4, 1, 2, 7}));
    const std::vector<Model::SlotOwner> owners = model.slot_owners();
    ASSERT_EQ(owners.size(), 4U);
    EXPECT_EQ(model.slot_name(owners[0]), "x");
    EXPECT_EQ(model.slot_name(owners[2]), "a[1]");
    model.variables[a].element_suffix = ".5";
    EXPECT_EQ(model.slot_name(owners[1]), "a[0].5");
}

TEST(Model, TransitionsAreFoundByTheLocationOfTheirFirstParticipant) {
    Model model;
    add_process(model, "P", {"s", "t"});
    add_process(model, "Q", {"s", "t"});
    Transition both = move(1, 1, 0);
    both.participants.push_back({0, 0, 0, {}});
    EXPECT_EQ(model.add_transition(move(0, 0, 1)), 0U);
    EXPECT_EQ(model.add_transition(both), 1U);
    EXPECT_EQ(model.add_transition({}), 2U);
    EXPECT_EQ(model.processes[0].outgoing[0], std::vector<TransitionId>{0});
    EXPECT_TRUE(model.processes[0].outgoing[1].empty());
    EXPECT_EQ(model.processes[1].outgoing[1], std::vector<TransitionId>{1});
    EXPECT_EQ(model.free_transitions, std::vector<TransitionId>{2});
    EXPECT_FALSE(model.has_priorities);
    Transition urgent;
    urgent.priority = 1;
    model.add_transition(urgent);
    EXPECT_TRUE(model.has_priorities);
}

TEST(Model, LocationsAreShownByName) {
    Model model;
    const VariableId x = add_scalar(model, "x", {-9, 9}, 0);
    const ProcessId p = add_process(model, "P", {"s", "t"});
    const VariableId location = model.processes[p].location;
    EXPECT_EQ(model.value_text(location, 1), "t");
    EXPECT_EQ(model.value_text(location, 2), "2");
    EXPECT_EQ(model.value_text(x, -1), "-1");
    EXPECT_EQ(model.location_name(p, 0), "s");
}

}  // namespace
}  // namespace tideline::model
