#include "graph/graph_states.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "graph/build_graph.hpp"
#include "graph/naive_graph.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::graph {
namespace {

class GraphStatesTest : public ::testing::Test {
protected:
    explicit GraphStatesTest(model::Value limit = 40)
        : system_(successor::make_interpreted_system(
              std::make_shared<const model::Model>(model::examples::two_counters(limit)), {},
              successor::Layout::declared(model::examples::two_counters(limit)))),
          built_(build_graph(system_, {})) {}

    // The values of the states that are visited; `most`: that many.
    support::StopReason visit(const support::Budget& budget, std::size_t most = SIZE_MAX) {
        states_.clear();
        return for_each_state(built_.graph, *built_.system, budget,
                              [&](StateNumber number, const successor::Word* state) {
                                  EXPECT_EQ(number, states_.size()) << "in the order of their numbers";
                                  states_.push_back(built_.system->decode(state));
                                  return states_.size() < most;
                              });
    }

    std::shared_ptr<const successor::System> system_;
    BuiltGraph built_;
    std::vector<Values> states_;
};

TEST_F(GraphStatesTest, AreThoseOfASearchInTheOrderOfDiscovery) {
    EXPECT_EQ(visit(support::Budget()), support::StopReason::none);
    EXPECT_EQ(states_, naive_graph(*system_, 0).states);
}

TEST_F(GraphStatesTest, OfAGraphWithOneStateIsTheInitialOne) {
    system_ = successor::make_interpreted_system(std::make_shared<const model::Model>(model::examples::two_counters(0)),
                                                 {}, successor::Layout::declared(model::examples::two_counters(0)));
    built_ = build_graph(system_, {});
    EXPECT_EQ(visit(support::Budget()), support::StopReason::none);
    EXPECT_EQ(states_.size(), 1U);
}

TEST_F(GraphStatesTest, EndWhenTheVisitorHasSeenEnough) {
    for (const std::size_t most : {std::size_t{1}, std::size_t{100}, naive_graph(*system_, 0).states.size()}) {
        EXPECT_EQ(visit(support::Budget(), most), support::StopReason::violation);
        EXPECT_EQ(states_.size(), most);
    }
}

TEST_F(GraphStatesTest, EndWithTheBudget) {
    EXPECT_EQ(visit(support::Budget({}, [] { return true; })), support::StopReason::interrupted);
    EXPECT_LT(states_.size(), built_.graph.state_count());
    EXPECT_EQ(visit(support::Budget({.time = std::chrono::nanoseconds(1)})), support::StopReason::time);
    EXPECT_LT(states_.size(), built_.graph.state_count());
}

}  // namespace
}  // namespace tideline::graph
