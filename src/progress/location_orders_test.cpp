#include "progress/location_orders.hpp"

#include <gtest/gtest.h>

#include "input/load.hpp"

namespace tideline::progress {
namespace {

std::shared_ptr<const model::Model> process_of(const std::string& transitions) {
    const support::Result<input::LoadedModel> loaded = input::load_model_text(
        "m.dve", "process P { state s0, s1, s2, s3, s4, s5; init s0; trans " + transitions + "; }\nsystem async;\n",
        {});
    EXPECT_TRUE(loaded);
    return loaded->model;
}

TEST(LocationOrders, RanksComponentsByTheLongestWayToThem) {
    // s1 and s2 form a cycle; s3 is entered from s0 and, later, from them; s5 is never entered.
    const auto model = process_of(
        "s0 -> s1 {}, s1 -> s2 {}, s2 -> s1 {}, s0 -> s3 {}, s2 -> s3 {}, s3 -> s4 {}, s4 -> s4 {}, s5 -> s0 {}");
    EXPECT_EQ(component_ranks(*model, 0), (std::vector<model::Value>{1, 2, 2, 3, 4, 0}));
    EXPECT_EQ(component_order(*model, 0), (std::vector<model::Value>{1, 2, 2, 3, 4, 0}));
}

TEST(LocationOrders, RankOneComponentAlike) {
    const auto model = process_of("s0 -> s1 {}, s1 -> s2 {}, s2 -> s3 {}, s3 -> s4 {}, s4 -> s5 {}, s5 -> s0 {}");
    EXPECT_EQ(component_ranks(*model, 0), std::vector<model::Value>(6, 0));
    EXPECT_EQ(component_order(*model, 0), std::vector<model::Value>(6, 0));
    EXPECT_EQ(spanning_depths(*model, 0), (std::vector<model::Value>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(spanning_order(*model, 0), (std::vector<model::Value>{0, 1, 2, 3, 4, 5}));
}

TEST(LocationOrders, GoBackOnlyToAncestorsInATree) {
    const auto model =
        process_of("s0 -> s2 {}, s0 -> s1 {}, s1 -> s3 {}, s2 -> s4 {}, s4 -> s3 {}, s3 -> s0 {}, s1 -> s4 {}");
    const std::vector<model::Value> position = spanning_order(*model, 0);
    EXPECT_EQ(position[0], 0);
    EXPECT_EQ(position[5], 0);
    for (const auto& [from, to] : {std::pair(0, 1), {0, 2}, {1, 3}, {2, 4}, {4, 3}, {1, 4}})
        EXPECT_LT(position[static_cast<std::size_t>(from)], position[static_cast<std::size_t>(to)])
            << from << " " << to;
}

TEST(LocationOrders, MeasureDepthAlongAShortestWay) {
    const auto model = process_of("s0 -> s1 {}, s0 -> s2 {}, s1 -> s3 {}, s2 -> s4 {}, s4 -> s3 {}, s3 -> s0 {}");
    EXPECT_EQ(spanning_depths(*model, 0), (std::vector<model::Value>{0, 1, 1, 2, 2, 0}));
}

}  // namespace
}  // namespace tideline::progress
