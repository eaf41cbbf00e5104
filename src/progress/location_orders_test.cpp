#include "progress/location_orders.hpp"

#include <gtest/gtest.h>

#include "input/load.hpp"

namespace tideline {
namespace {

std::shared_ptr<const Model> process_of(const std::string& transitions) {
    const Result<LoadedModel> loaded = load_model_text(
        "m.dve", "process P { state s0, s1, s2, s3, s4, s5; init s0; trans " + transitions + "; }\nsystem async;\n", {});
    EXPECT_TRUE(loaded);
    return loaded->model;
}

TEST(LocationOrders, RanksComponentsByTheLongestWayToThem) {
    // s1 and s2 go round; s3 is entered from s0 and, later, from them; s5 is never entered.
    const auto model = process_of("s0 -> s1 {}, s1 -> s2 {}, s2 -> s1 {}, s0 -> s3 {}, s2 -> s3 {}, s3 -> s4 {}, s4 -> s4 {}, s5 -> s0 {}");
    EXPECT_EQ(component_ranks(*model, 0), (std::vector<Value>{1, 2, 2, 3, 4, 0}));
}

TEST(LocationOrders, RankOneComponentAlike) {
    const auto model = process_of("s0 -> s1 {}, s1 -> s2 {}, s2 -> s3 {}, s3 -> s4 {}, s4 -> s5 {}, s5 -> s0 {}");
    EXPECT_EQ(component_ranks(*model, 0), std::vector<Value>(6, 0));
    EXPECT_EQ(spanning_depths(*model, 0), (std::vector<Value>{0, 1, 2, 3, 4, 5}));
}

TEST(LocationOrders, MeasureDepthAlongAShortestWay) {
    const auto model = process_of("s0 -> s1 {}, s0 -> s2 {}, s1 -> s3 {}, s2 -> s4 {}, s4 -> s3 {}, s3 -> s0 {}");
    EXPECT_EQ(spanning_depths(*model, 0), (std::vector<Value>{0, 1, 1, 2, 2, 0}));
}

}  // namespace
}  // namespace tideline
