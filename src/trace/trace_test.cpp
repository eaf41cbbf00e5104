#include "trace/trace.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "trace/itf.hpp"
#include "trace/render.hpp"

namespace tideline::trace {
namespace {

using namespace model::examples;

class Traces : public testing::Test {
protected:
    Traces() {
        x_ = add_scalar(model_, "x", {0, 9}, 0);
        const model::ProcessId p = add_process(model_, "P", {"s", "t"});
        for (const model::Value value : {1, 2, 1}) {
            model::Transition transition = move(p, 0, 1);
            transition.label = "set " + std::to_string(model_.transitions.size());
            transition.effects.emplace_back(assign(x_, number(value)));
            model_.add_transition(transition);
        }
        model::Transition index = move(p, 1, 0);
        index.effects.emplace_back(assign(x_, number(10)));
        index.label = "too much";
        model_.add_transition(index);
        system_ = successor::make_interpreted_system(std::make_shared<const model::Model>(model_), {},
                                                     successor::Layout::declared(model_));
    }
    std::vector<successor::Word> path(std::size_t step) const {
        std::vector<successor::Word> result = system_->initial_states().front();
        const std::vector<successor::Word> next = system_->steps(result.data()).at(step).next;
        result.insert(result.end(), next.begin(), next.end());
        return result;
    }
    model::Model model_;
    model::VariableId x_ = 0;
    std::shared_ptr<const successor::System> system_;
};

TEST_F(Traces, StatesCarryNamesValuesAndTexts) {
    const Trace trace = make_trace(system_, path(1));
    EXPECT_EQ(trace.names(), (std::vector<std::string>{"x", "P"}));
    ASSERT_EQ(trace.size(), 2U);
    EXPECT_EQ(trace.text(0, trace.values(0)[0]), "0");
    EXPECT_EQ(trace.text(1, trace.values(0)[1]), "s");
    EXPECT_EQ(trace.values(1), (std::vector<model::Value>{2, 1}));
    EXPECT_EQ(trace.text(1, 1), "t");
    ASSERT_EQ(trace.step_count(), 1U);
    EXPECT_EQ(trace.step(0).label, "set 1");
    EXPECT_EQ(trace.step(0).parts.at(0).process, "P");
    EXPECT_FALSE(trace.fault);
    EXPECT_FALSE(trace.loop);
}

TEST_F(Traces, ASlotOfAnAutomatonIsHidden) {
    const Trace trace = make_trace(system_, path(1), 1);
    EXPECT_EQ(trace.names(), (std::vector<std::string>{"x"}));
    EXPECT_EQ(trace.values(1), (std::vector<model::Value>{2}));
    EXPECT_EQ(trace.step(0).label, "set 1") << "steps are told apart by all slots";
}

TEST_F(Traces, OfSeveralStepsToTheNextStateTheFirstIsShown) {
    EXPECT_EQ(make_trace(system_, path(2)).step(0).label, "set 0");
}

TEST_F(Traces, ALassoHasAStepBack) {
    model::Transition back = move(0, 1, 0);
    back.label = "back";
    back.effects.emplace_back(assign(x_, number(0)));
    model_.add_transition(back);
    system_ = successor::make_interpreted_system(std::make_shared<const model::Model>(model_), {},
                                                 successor::Layout::declared(model_));
    Trace trace = make_trace(system_, path(1));
    trace.loop = 0;
    EXPECT_EQ(trace.size(), 2U);
    ASSERT_EQ(trace.step_count(), 2U);
    EXPECT_EQ(trace.step(1).label, "back");
    trace.stays = true;
    EXPECT_TRUE(trace.step(1).is_empty());
    EXPECT_FALSE(trace.step(0).is_empty());
}

TEST_F(Traces, APathOfOneStateHasNoSteps) {
    const Trace trace = make_trace(system_, system_->initial_states().front());
    EXPECT_EQ(trace.size(), 1U);
    EXPECT_EQ(trace.step_count(), 0U);
}

TEST_F(Traces, AFaultyStepIsFoundInTheLastState) {
    Trace trace = make_trace(system_, path(0));
    trace.fault = {3, model::FaultKind::range};
    const TraceFault fault = trace.fault_step();
    EXPECT_EQ(fault.kind, model::FaultKind::range);
    EXPECT_EQ(fault.text, "value 10 does not fit x (0 to 9)");
    EXPECT_EQ(fault.step.label, "too much");
    EXPECT_EQ(trace.size(), 2U);
}

TEST(SeveralInitialStates, AreNumberedInTraces) {
    model::Model model;
    model::examples::add_scalar(model, "x", {0, 9}, 4);
    model.more_initial = {7, 2};
    const auto shared = std::make_shared<const model::Model>(model);
    const std::shared_ptr<const successor::System> system =
        successor::make_interpreted_system(shared, {}, successor::Layout::declared(model));
    const Trace trace = make_trace(system, system->initial_states()[1]);
    ASSERT_TRUE(trace.beginning());
    EXPECT_EQ(trace.beginning()->number, 1U);
    EXPECT_EQ(trace.beginning()->of, 3U);
    EXPECT_NE(render(trace, TraceStyle::changes, {}).find(" 0  initial state 2 of 3 (no step is needed)\n"),
              std::string::npos);
    const nlohmann::json itf = nlohmann::json::parse(to_itf_text(trace, {}));
    EXPECT_EQ(itf["#meta"]["initial-state"], (nlohmann::json{{"number", 1}, {"of", 3}}));
}

}  // namespace
}  // namespace tideline::trace
