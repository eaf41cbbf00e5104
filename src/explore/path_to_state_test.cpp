#include "explore/path_to_state.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace tideline::explore {
namespace {

using namespace model::examples;
using sample::Heap;
using Values = std::vector<model::Value>;

// The state of a system with one slot that has this value.
std::vector<successor::Word> packed(const successor::System& system, model::Value n) {
    std::vector<successor::Word> state(system.state_words());
    EXPECT_FALSE(system.layout()->pack(&n, state.data())) << "it fits";
    return state;
}

Values values_along(const std::optional<PackedPath>& path) {
    Values values;
    for (std::size_t i = 0; path && i < path->size(); ++i)
        values.push_back(path->system->decode(path->state(i)).front());
    return values;
}

TEST(PathToState, IsAShortestOne) {
    const auto system = Heap{.states = 63}.system();
    const std::optional<PackedPath> path = path_to_state(system, packed(*system, 20), support::Budget());
    EXPECT_EQ(values_along(path), (Values{0, 1, 4, 9, 20}));
    ASSERT_TRUE(path);
    EXPECT_EQ(path->transitions, (std::vector<model::TransitionId>{0, 1, 0, 1}));
}

TEST(PathToState, ToTheInitialStateHasNoStep) {
    const auto system = Heap{}.system();
    const std::optional<PackedPath> path = path_to_state(system, packed(*system, 0), support::Budget());
    EXPECT_EQ(values_along(path), (Values{0}));
    ASSERT_TRUE(path);
    EXPECT_TRUE(path->transitions.empty());
}

TEST(PathToState, IsThereNeitherForAnUnreachableStateNorWithoutABudget) {
    const auto system = Heap{.states = 7}.system();
    EXPECT_FALSE(path_to_state(system, packed(*system, 7), support::Budget()));
    const model::Model counters = two_counters(300);
    const std::shared_ptr<const successor::System> large = successor::make_interpreted_system(
        std::make_shared<const model::Model>(counters), {}, successor::Layout::declared(counters));
    const Values last{300, 300};
    std::vector<successor::Word> state(large->state_words());
    ASSERT_FALSE(large->layout()->pack(last.data(), state.data()));
    EXPECT_TRUE(path_to_state(large, state, support::Budget()));
    EXPECT_FALSE(path_to_state(large, state, support::Budget({}, [] { return true; })));
    EXPECT_FALSE(path_to_state(large, state, support::Budget({.memory = 1})));
}

// From 0 to 1 and 3, and to 900, which a narrow packing does not hold.
TEST(PathToState, StaysInThePackingOfTheStateWhereTheSearchWidensFields) {
    model::Model model;
    const model::VariableId n = add_scalar(model, "n", {0, 1000}, 0);
    for (const auto& [from, to] : {std::pair{0, 900}, {0, 1}, {900, 901}, {1, 3}, {900, 2}}) {
        model::Transition step;
        step.guards.push_back(model::Expression::binary(model::Op::equal, model.read(n), number(from)));
        step.effects.emplace_back(assign(n, number(to)));
        model.add_transition(step);
    }
    const std::vector<model::Range> seen{{0, 3}};
    const auto shared = std::make_shared<const model::Model>(model);
    const std::shared_ptr<const successor::System> narrow =
        successor::make_interpreted_system(shared, {}, successor::Layout::observed(model, seen));
    const model::Value large = 900;
    std::vector<successor::Word> word(narrow->state_words());
    ASSERT_TRUE(narrow->layout()->pack(&large, word.data())) << "it does not fit";
    const std::optional<PackedPath> path = path_to_state(narrow, packed(*narrow, 3), support::Budget());
    EXPECT_EQ(values_along(path), (Values{0, 1, 3}));
    ASSERT_TRUE(path);
    EXPECT_EQ(path->system, narrow);
    EXPECT_FALSE(path_to_state(narrow, packed(*narrow, 2), support::Budget()))
        << "a path over 900 cannot be packed like this";
}

}  // namespace
}  // namespace tideline::explore
