#include "trace/confirm.hpp"

#include <gtest/gtest.h>

#include "input/load.hpp"
#include "reference/machines.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "trace/rebuild.hpp"

namespace tideline {
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
        Result<LoadedModel> loaded = load_model_text("m.dve", kModel, {});
        if (!loaded) throw std::runtime_error(to_text(loaded.diagnostics().at(0)));
        machine_ = reference::make_machine(*loaded, {});
        const std::unique_ptr<System> system = make_interpreted_system(loaded->model, {}, Layout::declared(*loaded->model));
        std::vector<std::vector<Word>> path{system->initial_state()};
        path.push_back(system->steps(path[0].data()).at(0).next);
        trace_ = rebuild_trace(*system, path);
        append_fault(trace_, *system, path.back(), 1, FaultKind::division);
    }
    bool confirmed() const { return !confirm(trace_, *machine_); }

    std::unique_ptr<reference::Machine> machine_;
    Trace trace_;
};

TEST_F(Confirm, ATrueTraceIsConfirmed) {
    ASSERT_TRUE(trace_.fault);
    EXPECT_EQ(confirm(trace_, *machine_), std::nullopt);
    trace_.fault.reset();
    EXPECT_EQ(confirm(trace_, *machine_), std::nullopt);
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
    trace_.fault->kind = FaultKind::range;
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

}  // namespace
}  // namespace tideline
