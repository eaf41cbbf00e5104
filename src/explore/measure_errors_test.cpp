#include "explore/measure_errors.hpp"

#include <gtest/gtest.h>

#include "explore/sample_search.hpp"
#include "explore/search.hpp"

namespace tideline::explore {
namespace {

using sample::Heap;

TEST(MeasureErrors, AStepToLessProgressEndsABasicSweepAndIsShown) {
    for (const unsigned threads : {1U, 2U}) {
        const auto system = Heap{.states = 7, .backwards = true}.system();
        SearchSettings settings;
        settings.threads = threads;
        settings.alone_below = 0;
        SearchObserver nothing;
        const SearchResult result = search(system, WalkOrder::sweep_basic, settings, nothing);
        EXPECT_EQ(result.reason, support::StopReason::against_order);
        ASSERT_TRUE(result.offending);
        EXPECT_EQ(system->decode(result.offending->from.data())[0], 0);
        const model::Value to = system->decode(result.offending->to.data())[0];
        EXPECT_TRUE(to == 1 || to == 2);
        EXPECT_EQ(result.offending->from_values, std::vector<model::Value>{63});
        EXPECT_EQ(result.offending->to_values, std::vector<model::Value>{63 - to});
    }
}

TEST(MeasureErrors, AStepToMoreProgressEndsNothing) {
    SearchObserver nothing;
    const SearchResult result = search(Heap{.states = 63}.system(), WalkOrder::sweep_basic, {}, nothing);
    EXPECT_TRUE(result.complete);
    EXPECT_FALSE(result.offending);
    EXPECT_EQ(result.statistics.states, 63U);
}

TEST(MeasureErrors, AStateWithoutAKeyEndsTheSearchAndTheStepToItIsShown) {
    using namespace model::examples;
    using model::Expression;
    using model::Op;
    model::Model model;
    const model::VariableId n = add_scalar(model, "n", {0, 63}, 1);
    model.add_transition(count(model, n, 1, 9));
    const Expression undefined_in_five =
        Expression::binary(Op::divide, number(60), Expression::binary(Op::subtract, number(5), model.read(n)));
    const std::shared_ptr<const successor::System> system = successor::make_interpreted_system(
        std::make_shared<const model::Model>(model), {}, successor::Layout::declared(model),
        successor::KeyProgram{{{undefined_in_five, -60, 8}}});
    SearchObserver nothing;
    const SearchResult result = search(system, WalkOrder::sweep, {}, nothing);
    EXPECT_EQ(result.reason, support::StopReason::no_key);
    ASSERT_TRUE(result.offending);
    EXPECT_EQ(system->decode(result.offending->from.data())[0], 4);
    EXPECT_EQ(system->decode(result.offending->to.data())[0], 5);
}

}  // namespace
}  // namespace tideline::explore
