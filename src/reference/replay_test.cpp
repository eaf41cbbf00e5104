#include "reference/replay.hpp"

#include <gtest/gtest.h>

#include "reference/lts_machine.hpp"
#include "reference/machine_from_text.hpp"

namespace tideline::reference {
namespace {

constexpr const char* kModel =
    "byte x = 1;\nprocess P { state s, t; init s; trans\ns -> s { effect x = (x + 1) % 2; },\ns -> t { guard x == 0; },\n"
    "s -> t { effect x = 1 / x; }; }\nsystem async;";

std::vector<Participant> at(std::uint32_t line) { return {{"P", line}}; }

NamedValues state(std::int64_t x, std::int64_t location) {
    return {{"P", location}, {"x", x}};  // not in the order of the machine's names
}

// An explanation; empty where the run is confirmed.
std::string verdict(const RecordedTrace& trace) { return replay(*machine_from_text(kModel), trace).value_or(""); }

TEST(Replay, ConfirmsARunAFaultALoopAndStayingInADeadlock) {
    EXPECT_EQ(verdict({{state(1, 0)}, {}, model::FaultKind::none, {}}), "");
    EXPECT_EQ(verdict({{state(1, 0), state(0, 0), state(0, 1)}, {at(3), at(4)}, model::FaultKind::none, {}}), "");
    EXPECT_EQ(verdict({{state(1, 0), state(0, 0)}, {at(3), at(5)}, model::FaultKind::division, {}}), "");
    EXPECT_EQ(verdict({{state(1, 0), state(0, 0)}, {at(3), at(3)}, model::FaultKind::none, 0}), "");
    EXPECT_EQ(verdict({{state(1, 0), state(1, 1)}, {at(5), {}}, model::FaultKind::none, 1}), "");
}

TEST(Replay, RejectsAWrongInitialState) {
    EXPECT_EQ(verdict({{state(0, 0)}, {}, model::FaultKind::none, {}}), "initial state: 'x' is recorded as 0 but is 1");
}

TEST(Replay, BeginsInAnyOfSeveralInitialStates) {
    const std::unique_ptr<Machine> machine = make_lts_machine({3, {2, 0}, {{0, 1, 1, ""}, {2, 1, 1, ""}}, {}, {}, {}});
    const auto verdict_of = [&](std::int64_t first) {
        return replay(*machine, {{{{"state", first}}, {{"state", 1}}}, {{{"lts", 1}}}, model::FaultKind::none, {}})
            .value_or("");
    };
    EXPECT_EQ(verdict_of(0), "");
    EXPECT_EQ(verdict_of(2), "");
    EXPECT_EQ(verdict_of(1), "state 0 is none of the 2 initial states");
}

TEST(Replay, RejectsStatesThatLackOrInventNames) {
    EXPECT_EQ(verdict({{{{"x", 1}}}, {}, model::FaultKind::none, {}}), "state 0: no value is recorded for 'P'");
    EXPECT_EQ(verdict({{{{"x", 1}, {"P", 0}, {"y", 0}}}, {}, model::FaultKind::none, {}}),
              "state 0: the model has no 'y'");
    EXPECT_EQ(verdict({{{{"x", 1}, {"P", 0}, {"x", 1}}}, {}, model::FaultKind::none, {}}),
              "state 0: 'x' is recorded twice");
}

TEST(Replay, RejectsAStepWithAnotherResult) {
    EXPECT_EQ(verdict({{state(1, 0), state(0, 0), state(0, 0)}, {at(3), at(3)}, model::FaultKind::none, {}}),
              "step 2: after P (line 3): 'x' is recorded as 0 but is 1");
}

TEST(Replay, RejectsAStepThatNobodyCanTake) {
    EXPECT_EQ(verdict({{state(1, 0), state(1, 1)}, {at(4)}, model::FaultKind::none, {}}),
              "step 1: P (line 4) has no step here");
    EXPECT_EQ(verdict({{state(1, 0), state(1, 0)}, {{}}, model::FaultKind::none, {}}),
              "step 1: nobody has no step here");
}

TEST(Replay, RejectsFaultsThatAreNotThere) {
    EXPECT_EQ(verdict({{state(1, 0)}, {at(5)}, model::FaultKind::division, {}}),
              "step 1: P (line 5) has no step with the fault 'division' here");
    EXPECT_EQ(verdict({{state(1, 0), state(0, 0)}, {at(3), at(5)}, model::FaultKind::index, {}}),
              "step 2: P (line 5) has no step with the fault 'index' here");
    EXPECT_EQ(verdict({{state(1, 0), state(0, 0), state(0, 1)}, {at(3), at(5)}, model::FaultKind::none, {}}),
              "step 2: the step of P (line 5) is faulty (division)");
}

TEST(Replay, RejectsLoopsThatDoNotClose) {
    EXPECT_EQ(verdict({{state(1, 0), state(0, 0)}, {at(3), at(3)}, model::FaultKind::none, 1}),
              "step 2: after P (line 3): 'x' is recorded as 0 but is 1");
    EXPECT_EQ(verdict({{state(1, 0), state(0, 0)}, {at(3), {}}, model::FaultKind::none, 1}),
              "step 2: a step without participants is recorded where the system can go on");
    EXPECT_EQ(verdict({{state(1, 0), state(1, 1)}, {at(5), {}}, model::FaultKind::none, 0}),
              "step 2: a step without participants must stay in its state");
    EXPECT_EQ(verdict({{state(1, 0)}, {at(3)}, model::FaultKind::none, 3}),
              "the loop goes back to state 3, which is not there");
}

TEST(Replay, RejectsRunsOfTheWrongShape) {
    EXPECT_EQ(verdict({}), "the run has no state");
    EXPECT_EQ(verdict({{state(1, 0)}, {at(3)}, model::FaultKind::none, {}}),
              "the run has 1 states, so 0 steps are needed, but 1 are recorded");
    EXPECT_EQ(verdict({{state(1, 0)}, {at(3)}, model::FaultKind::index, 0}), "the run has both a fault and a loop");
}

}  // namespace
}  // namespace tideline::reference
