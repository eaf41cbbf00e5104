#include "trace/confirm.hpp"

#include <gtest/gtest.h>

#include "input/load.hpp"
#include "reference/machines.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "trace/example_traces.hpp"

namespace tideline::trace {
namespace {

constexpr const char* kModel = R"(byte x;
channel c;
process P {
  state s, t; init s;
  trans
    s -> t { sync c!x + 1; effect x = x + 2; },
    t -> s { guard x == 3; effect x = x / (x - 3); };
}
process Q {
  byte y;
  state u; init u;
  trans u -> u { sync c?y; effect x = y; };
}
system async;
)";

class Confirm : public testing::Test {
protected:
    Confirm() {
        support::Result<input::LoadedModel> loaded = input::load_model_text("m.dve", kModel, {});
        if (!loaded) throw std::runtime_error(support::to_text(loaded.diagnostics().at(0)));
        machine_ = reference::make_machine(*loaded, {});
        const std::shared_ptr<const successor::System> system =
            successor::make_interpreted_system(loaded->model, {}, successor::Layout::declared(*loaded->model));
        std::vector<successor::Word> path = system->initial_states().front();
        const std::vector<successor::Word> next = system->steps(path.data()).at(0).next;
        path.insert(path.end(), next.begin(), next.end());
        Trace trace = make_trace(system, path);
        trace.fault = {1, model::FaultKind::division};
        EXPECT_TRUE(confirm(trace, *machine_, unlimited_).is_confirmed());
        trace_ = examples::written(trace);
    }
    bool confirmed() const { return confirm(trace_, *machine_, unlimited_).is_confirmed(); }

    const support::Budget unlimited_;
    std::unique_ptr<reference::Machine> machine_;
    examples::WrittenTrace trace_;
};

TEST_F(Confirm, ATrueTraceIsConfirmed) {
    ASSERT_TRUE(trace_.fault);
    EXPECT_TRUE(confirmed());
    trace_.fault.reset();
    EXPECT_TRUE(confirmed());
}

TEST_F(Confirm, AChangedValueIsRejected) {
    for (std::size_t state = 0; state < 2; ++state) {
        for (std::size_t slot = 0; slot < trace_.names.size(); ++slot) {
            trace_.states[state].values[slot] += 1;
            EXPECT_FALSE(confirmed()) << state << ' ' << trace_.names[slot];
            trace_.states[state].values[slot] -= 1;
        }
    }
    EXPECT_TRUE(confirmed());
}

TEST_F(Confirm, AWrongParticipantIsRejected) {
    trace_.steps[0].parts[1].process = "P";
    EXPECT_FALSE(confirmed());
}

TEST_F(Confirm, AMissingParticipantIsRejected) {
    trace_.steps[0].parts.pop_back();
    EXPECT_FALSE(confirmed());
}

TEST_F(Confirm, AWrongLineIsRejected) {
    trace_.steps[0].parts[0].line += 1;
    EXPECT_FALSE(confirmed());
}

TEST_F(Confirm, AWrongFaultIsRejected) {
    trace_.fault->kind = model::FaultKind::range;
    EXPECT_FALSE(confirmed());
}

TEST_F(Confirm, AWrongNameIsRejected) {
    trace_.names[0] = "z";
    EXPECT_FALSE(confirmed());
}

TEST_F(Confirm, ADroppedStepIsRejected) {
    trace_.states.erase(trace_.states.begin());
    trace_.steps.clear();
    EXPECT_FALSE(confirmed()) << "the first state is not the initial one";
}

TEST_F(Confirm, AnInventedLoopIsRejected) {
    trace_.fault.reset();
    trace_.steps.push_back(trace_.steps[0]);
    trace_.loop = 0;
    EXPECT_FALSE(confirmed());
}

TEST_F(Confirm, AnAtomThatCannotBeEvaluatedIsNoStep) {
    trace_.fault->step = {};
    EXPECT_TRUE(confirmed()) << "the run up to there is walked";
}

TEST(ConfirmWithinABudget, AnExhaustedBudgetLeavesItOpen) {
    const support::Result<input::LoadedModel> loaded = input::load_model_text(
        "m.dve", "byte x;\nprocess P { state s; init s; trans s -> s { effect x = 1 - x; }; }\nsystem async;\n", {});
    ASSERT_TRUE(loaded);
    const std::unique_ptr<reference::Machine> machine = reference::make_machine(*loaded, {});
    const std::shared_ptr<const successor::System> system =
        successor::make_interpreted_system(loaded->model, {}, successor::Layout::declared(*loaded->model));
    std::vector<successor::Word> path;
    std::vector<successor::Word> state = system->initial_states().front();
    for (int i = 0; i < 1000; ++i) {
        path.insert(path.end(), state.begin(), state.end());
        state = system->steps(state.data()).at(0).next;
    }
    const Trace trace = make_trace(system, path);
    const support::Budget unlimited;
    EXPECT_TRUE(confirm(trace, *machine, unlimited).is_confirmed());
    const support::Budget interrupted({}, [] { return true; });
    const Confirmation open = confirm(trace, *machine, interrupted);
    EXPECT_EQ(open.stopped, support::StopReason::interrupted);
    EXPECT_FALSE(open.disagreement);
}

}  // namespace
}  // namespace tideline::trace
