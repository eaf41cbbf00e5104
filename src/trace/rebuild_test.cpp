#include "trace/rebuild.hpp"

#include <gtest/gtest.h>

#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline {
namespace {

using namespace examples;

class Rebuild : public testing::Test {
protected:
    Rebuild() {
        x_ = add_scalar(model_, "x", {0, 9}, 0);
        const ProcessId p = add_process(model_, "P", {"s", "t"});
        for (const Value value : {1, 2, 1}) {
            Transition transition = move(p, 0, 1);
            transition.label = "set " + std::to_string(model_.transitions.size());
            transition.effects.emplace_back(assign(x_, number(value)));
            model_.add_transition(transition);
        }
        Transition index = move(p, 1, 0);
        index.effects.emplace_back(assign(x_, number(10)));
        index.label = "too much";
        model_.add_transition(index);
        system_ = make_interpreted_system(std::make_shared<const Model>(model_), {}, Layout::declared(model_));
    }
    std::vector<std::vector<Word>> path(std::size_t step) const {
        std::vector<std::vector<Word>> result{system_->initial_state()};
        result.push_back(system_->steps(result[0].data()).at(step).next);
        return result;
    }
    Model model_;
    VariableId x_ = 0;
    std::unique_ptr<System> system_;
};

TEST_F(Rebuild, StatesCarryNamesValuesAndTexts) {
    const Trace trace = rebuild_trace(*system_, path(1));
    EXPECT_EQ(trace.names, (std::vector<std::string>{"x", "P"}));
    ASSERT_EQ(trace.states.size(), 2U);
    EXPECT_EQ(trace.states[0].texts, (std::vector<std::string>{"0", "s"}));
    EXPECT_EQ(trace.states[1].values, (std::vector<Value>{2, 1}));
    EXPECT_EQ(trace.states[1].texts, (std::vector<std::string>{"2", "t"}));
    ASSERT_EQ(trace.steps.size(), 1U);
    EXPECT_EQ(trace.steps[0].label, "set 1");
    EXPECT_EQ(trace.steps[0].parts.at(0).process, "P");
    EXPECT_FALSE(trace.fault);
    EXPECT_FALSE(trace.loop);
}

TEST_F(Rebuild, OfSeveralStepsToTheNextStateTheFirstIsShown) {
    EXPECT_EQ(rebuild_trace(*system_, path(2)).steps.at(0).label, "set 0");
}

TEST_F(Rebuild, ALassoHasAStepBack) {
    Transition back = move(0, 1, 0);
    back.label = "back";
    back.effects.emplace_back(assign(x_, number(0)));
    model_.add_transition(back);
    system_ = make_interpreted_system(std::make_shared<const Model>(model_), {}, Layout::declared(model_));
    const Trace trace = rebuild_lasso(*system_, path(1), 0);
    EXPECT_EQ(trace.states.size(), 2U);
    ASSERT_EQ(trace.steps.size(), 2U);
    EXPECT_EQ(trace.steps[1].label, "back");
    EXPECT_EQ(trace.loop, 0U);
}

TEST_F(Rebuild, APathOfOneStateHasNoSteps) {
    const Trace trace = rebuild_trace(*system_, {system_->initial_state()});
    EXPECT_EQ(trace.states.size(), 1U);
    EXPECT_TRUE(trace.steps.empty());
}

TEST_F(Rebuild, AFaultyStepIsAppended) {
    const std::vector<std::vector<Word>> states = path(0);
    Trace trace = rebuild_trace(*system_, states);
    append_fault(trace, *system_, states.back(), 3, FaultKind::range);
    ASSERT_TRUE(trace.fault);
    EXPECT_EQ(trace.fault->kind, FaultKind::range);
    EXPECT_EQ(trace.fault->text, "value 10 does not fit x (0 to 9)");
    EXPECT_EQ(trace.fault->step.label, "too much");
    EXPECT_EQ(trace.states.size(), 2U);
}

}  // namespace
}  // namespace tideline
