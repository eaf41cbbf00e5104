#include "reference/dve_machine.hpp"

#include <gtest/gtest.h>

#include "reference/explorer.hpp"
#include "reference/machine_from_text.hpp"

namespace tideline::reference {
namespace {

using Participants = std::vector<Participant>;

// A process of one transition, with a global byte, int and arrays around it.
std::string one_step(const std::string& body) {
    return "byte b = 1; int i = -3; byte a[3] = {1, 2};\nconst byte k = 2;\n"
           "process P { state s, t; init s; trans s -> t { " +
           body + " }; }\nsystem async;\n";
}

model::FaultKind fault_of(const std::string& body, bool wrap = false) {
    const auto machine = machine_from_text(one_step(body), {.wrap = wrap});
    const std::vector<Step> steps = machine->steps(machine->initial_states().front());
    EXPECT_EQ(steps.size(), 1u) << body;
    return steps.at(0).fault;
}

std::int64_t after(const std::string& body, const std::string& name, bool wrap = false) {
    const auto machine = machine_from_text(one_step(body), {.wrap = wrap});
    const std::vector<Step> steps = machine->steps(machine->initial_states().front());
    EXPECT_EQ(steps.size(), 1u) << body;
    EXPECT_EQ(steps.at(0).fault, model::FaultKind::none) << body;
    return value_of(*machine, steps.at(0).next, name);
}

bool enabled(const std::string& guard) {
    const auto machine = machine_from_text(one_step("guard " + guard + ";"));
    return !machine->steps(machine->initial_states().front()).empty();
}

TEST(DveMachine, NamesVariablesThenBufferedChannelsThenProcesses) {
    const auto machine = machine_from_text(
        "byte x = 3; const int c = 2; int a[c] = {-1}; channel r; channel {byte, int} m[2]; channel {byte} o[1];\n"
        "process P { int l = 4; byte f[2]; state s, t; init t; }\n"
        "process Q { const byte n = 7; byte v = n; state s; init s; }\nsystem async;");
    const std::vector<std::string> names{"x",        "a[0]", "a[1]", "m.length", "m[0].0", "m[0].1", "m[1].0", "m[1].1",
                                         "o.length", "o[0]", "P",    "P.l",      "P.f[0]", "P.f[1]", "Q",      "Q.v"};
    EXPECT_EQ(machine->names(), names);
    EXPECT_EQ(machine->initial_states().front(), (State{3, -1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, 7}));
}

TEST(DveMachine, EffectsSeeEarlierEffectsAndTheOldLocation) {
    EXPECT_EQ(after("effect b = 5, i = b + 1, a[b - 5] = i;", "i"), 6);
    EXPECT_EQ(after("effect b = 5, i = b + 1, a[b - 5] = i;", "a[0]"), 6);
    EXPECT_EQ(after("effect i = P.s * 10 + P.t;", "i"), 10);
    EXPECT_EQ(after("effect b = 7;", "P"), 1);
}

TEST(DveMachine, FollowsThePrecedenceAndTheArithmeticOfTheLanguage) {
    EXPECT_EQ(after("effect i = -7 / 2;", "i"), -3);
    EXPECT_EQ(after("effect i = -7 % 2;", "i"), -1);
    EXPECT_EQ(after("effect i = -7 >> 1;", "i"), -4);
    EXPECT_EQ(after("effect i = -3 << 2;", "i"), -12);
    EXPECT_EQ(after("effect i = ~5 & 7;", "i"), 2);
    EXPECT_EQ(after("effect i = 6 ^ 3 | 8;", "i"), 13);
    EXPECT_EQ(after("effect i = not 5;", "i"), 0);
    EXPECT_EQ(after("effect i = 10 - 2 - 3;", "i"), 5);
    EXPECT_EQ(after("effect i = 1 or 1 and 0;", "i"), 0);
    EXPECT_EQ(after("effect i = 3 and 4;", "i"), 1);
    EXPECT_EQ(after("effect i = 0 imply 1 / 0;", "i"), 1);
    EXPECT_EQ(after("effect i = 4 & 1 == 1;", "i"), 0);
    EXPECT_EQ(after("effect i = k + a[k - 1];", "i"), 4);
    EXPECT_EQ(after("effect i = (-1 << 63) >> 62;", "i"), -2);
    EXPECT_EQ(after("effect i = (-1 << 63) % -1;", "i"), 0);
}

TEST(DveMachine, DoesNotEvaluateARightSideThatCannotMatter) {
    EXPECT_FALSE(enabled("b > 5 and a[b + 7] == 0"));
    EXPECT_TRUE(enabled("b < 5 or a[b + 7] == 0"));
    EXPECT_TRUE(enabled("b > 5 imply a[b + 7] == 0"));
    EXPECT_EQ(fault_of("guard b < 5 and a[b + 7] == 0;"), model::FaultKind::index);
}

TEST(DveMachine, ReportsEachKindOfFault) {
    EXPECT_EQ(fault_of("effect b = a[3];"), model::FaultKind::index);
    EXPECT_EQ(fault_of("effect a[i] = 0;"), model::FaultKind::index);
    EXPECT_EQ(fault_of("effect i = 1 / (b - 1);"), model::FaultKind::division);
    EXPECT_EQ(fault_of("effect i = 1 % (b - 1);"), model::FaultKind::division);
    EXPECT_EQ(fault_of("effect b = 256;"), model::FaultKind::range);
    EXPECT_EQ(fault_of("effect b = -1;"), model::FaultKind::range);
    EXPECT_EQ(fault_of("effect i = 32768;"), model::FaultKind::range);
    EXPECT_EQ(fault_of("effect i = (9223372036854775807 + b) * 0;"), model::FaultKind::overflow);
    EXPECT_EQ(fault_of("effect i = (1 << 63) * 0;"), model::FaultKind::overflow);
    EXPECT_EQ(fault_of("effect i = (-1 << 63) / -1;"), model::FaultKind::overflow);
    EXPECT_EQ(fault_of("effect i = -(-1 << 63);"), model::FaultKind::overflow);
    EXPECT_EQ(fault_of("effect i = 1 << 64;"), model::FaultKind::shift);
    EXPECT_EQ(fault_of("effect i = 1 >> -1;"), model::FaultKind::shift);
    EXPECT_EQ(fault_of("guard 1 / 0;"), model::FaultKind::division);
    EXPECT_EQ(fault_of("effect i = 1, b = 300, i = 1 / 0;"), model::FaultKind::range);
}

TEST(DveMachine, WrapsValuesAroundWhereThatIsAskedFor) {
    EXPECT_EQ(after("effect b = 256 + 3;", "b", true), 3);
    EXPECT_EQ(after("effect b = -1;", "b", true), 255);
    EXPECT_EQ(after("effect i = 32768;", "i", true), -32768);
    EXPECT_EQ(after("effect i = -32769;", "i", true), 32767);
    EXPECT_EQ(fault_of("effect b = a[3];", true), model::FaultKind::index);
}

TEST(DveMachine, PassesTheValueThenRunsTheReceiversEffectsThenTheSenders) {
    const auto machine = machine_from_text(
        "byte x = 1; byte y; channel c;\n"
        "process S { state s, t; init s; trans\n s -> t { guard x == 1; sync c!x + 4; effect x = x * 10; }; }\n"
        "process R { byte got; state s, t; init s; trans\n s -> t { sync c?got; effect x = x + got, y = S.s; }; }\n"
        "system async;");
    const std::vector<Step> steps = machine->steps(machine->initial_states().front());
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].participants, (Participants{{"S", 3}, {"R", 5}}));
    EXPECT_EQ(value_of(*machine, steps[0].next, "x"), 60);
    EXPECT_EQ(value_of(*machine, steps[0].next, "y"), 1);
    EXPECT_EQ(value_of(*machine, steps[0].next, "R.got"), 5);
}

TEST(DveMachine, ListsStepsInTheOrderOfTheFile) {
    const auto machine = machine_from_text(
        "channel c;\nprocess A { state s; init s; trans\ns -> s { sync c?; },\n-> s { },\n-> s { sync c!; }; }\n"
        "process B { state s; init s; trans\ns -> s { sync c!; },\ns -> s { sync c?; }; }\n"
        "process C { state s; init s; trans\ns -> s { sync c?; },\ns -> s { sync c?; }; }\nsystem async;");
    std::vector<Participants> found;
    for (const Step& step : machine->steps(machine->initial_states().front())) found.push_back(step.participants);
    const std::vector<Participants> wanted{
        {{"A", 4}},           {{"A", 5}, {"B", 8}},  {{"A", 5}, {"C", 10}}, {{"A", 5}, {"C", 11}},
        {{"B", 7}, {"A", 3}}, {{"B", 7}, {"C", 10}}, {{"B", 7}, {"C", 11}}};
    EXPECT_EQ(found, wanted);
}

TEST(DveMachine, LooksAtTheReceiversGuardOnlyAfterTheSenders) {
    const auto step_kinds = [](const std::string& sender, const std::string& receiver) {
        const auto machine =
            machine_from_text("byte z; channel c;\nprocess S { state s; init s; trans s -> s { guard " + sender +
                              "; sync c!; }; }\nprocess R { state s; init s; trans s -> s { guard " + receiver +
                              "; sync c?; }; }\nsystem async;");
        std::vector<model::FaultKind> kinds;
        for (const Step& step : machine->steps(machine->initial_states().front())) kinds.push_back(step.fault);
        return kinds;
    };
    EXPECT_TRUE(step_kinds("0", "1 / z").empty());
    EXPECT_EQ(step_kinds("1 << -1", "1 / z"), std::vector<model::FaultKind>{model::FaultKind::shift});
    EXPECT_EQ(step_kinds("1", "1 / z"), std::vector<model::FaultKind>{model::FaultKind::division});
    EXPECT_EQ(step_kinds("1", "1"), std::vector<model::FaultKind>{model::FaultKind::none});
}

TEST(DveMachine, ChecksTheFieldsOfATypedRendezvousFromLeftToRight) {
    const auto machine = [](const std::string& values, bool wrap) {
        return machine_from_text(
            "int x; byte a[3]; channel {byte, int} c[0];\nprocess S { state s; init s; trans s -> s { sync c!{" +
                values + "}; }; }\nprocess R { state s; init s; trans s -> s { sync c?{x, a[x]}; }; }\nsystem async;",
            {.wrap = wrap});
    };
    const auto fault = [&](const std::string& values) {
        const auto made = machine(values, false);
        return made->steps(made->initial_states().front()).at(0).fault;
    };
    EXPECT_EQ(fault("2, 255"), model::FaultKind::none);
    EXPECT_EQ(fault("256, 1"), model::FaultKind::range);
    EXPECT_EQ(fault("3, 1"), model::FaultKind::index);
    EXPECT_EQ(fault("3, 40000"), model::FaultKind::range);
    EXPECT_EQ(fault("1, 1 / 0"), model::FaultKind::division);
    EXPECT_EQ(fault("1, 256"), model::FaultKind::range);
    const auto wrapping = machine("258, 255 + 2", true);
    const State next = wrapping->steps(wrapping->initial_states().front()).at(0).next;
    EXPECT_EQ(value_of(*wrapping, next, "x"), 2);
    EXPECT_EQ(value_of(*wrapping, next, "a[2]"), 1);
}

TEST(DveMachine, LetsAReceiverWithoutAVariableDropTheValue) {
    const auto machine = machine_from_text(
        "byte z; channel c;\nprocess S { state s, t; init s; trans s -> t { sync c!300; }, s -> t { sync c!1 / z; }; }\n"
        "process R { state s; init s; trans s -> s { sync c?; }; }\nsystem async;");
    const std::vector<Step> steps = machine->steps(machine->initial_states().front());
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].fault, model::FaultKind::none);
    EXPECT_EQ(steps[1].fault, model::FaultKind::division);
}

TEST(DveMachine, LetsOnlyCommittedProcessesMove) {
    const auto machine = machine_from_text(
        "channel c;\nprocess A { state s, t; init s; commit t; trans s -> t { }, t -> s { }, t -> t { sync c!; }; }\n"
        "process B { state s, t; init s; commit t; trans s -> t { }, s -> s { sync c?; }, t -> t { sync c?; }; }\n"
        "system async;");
    // From (s, s) both may move. A in t: B in s may neither move nor meet A. Both in t: each may move, and they meet.
    const auto count = [&](const State& state) { return machine->steps(state).size(); };
    EXPECT_EQ(count({0, 0}), 2u);
    EXPECT_EQ(count({1, 0}), 1u);
    EXPECT_EQ(count({0, 1}), 0u);
    EXPECT_EQ(count({1, 1}), 2u);
    EXPECT_EQ(explore(*machine).states.size(), 3u);
}

TEST(DveMachine, KeepsTheOrderOfMessagesInABuffer) {
    const auto machine = machine_from_text(
        "byte n; byte sum; channel {byte} c[2];\n"
        "process S { state s; init s; trans s -> s { guard n < 3; sync c!n + 1; effect n = n + 1; }; }\n"
        "process R { byte v; state s; init s; trans s -> s { sync c?v; effect sum = sum * 3 + v; }; }\nsystem async;");
    const Graph graph = explore(*machine);
    // Sent and received so far: 0 <= sent - received <= 2, at most 3 sent.
    EXPECT_EQ(graph.states.size(), 9u);
    EXPECT_EQ(graph.transitions, 5u + 5u);
    ASSERT_EQ(graph.deadlocks.size(), 1u);
    const State& last = graph.states[graph.deadlocks[0]];
    EXPECT_EQ(value_of(*machine, last, "sum"), (1 * 3 + 2) * 3 + 3);
    EXPECT_EQ(value_of(*machine, last, "c.length"), 0);
    EXPECT_EQ(value_of(*machine, last, "c[0]"), 0);
    EXPECT_EQ(value_of(*machine, last, "c[1]"), 0);
}

TEST(DveMachine, HandlesTheMessageBeforeTheEffectsAndTheGuardBeforeTheChannel) {
    const auto machine = machine_from_text(
        "byte x = 4; byte y; byte z; channel {byte, int} c[1];\n"
        "process P { state s, t, u; init s; trans\n s -> t { sync c!{x, 0 - x}; effect x = 9; },\n"
        " t -> u { sync c?{x, z}; },\n t -> u { sync c!{1, 1 / 0}; },\n t -> u { guard 1 / 0; sync c!{1, 1}; },\n"
        " s -> u { sync c!{256, 0}; }; }\nsystem async;");
    std::vector<Step> steps = machine->steps(machine->initial_states().front());
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[1].fault, model::FaultKind::range);
    const State full = steps[0].next;
    EXPECT_EQ(value_of(*machine, full, "c[0].0"), 4);
    EXPECT_EQ(value_of(*machine, full, "c[0].1"), -4);
    EXPECT_EQ(value_of(*machine, full, "x"), 9);
    // The receive stores -4 into a byte; the send has no place; the guard is looked at before the channel.
    steps = machine->steps(full);
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].fault, model::FaultKind::range);
    EXPECT_EQ(steps[1].fault, model::FaultKind::division);
    EXPECT_EQ(steps[1].participants, (Participants{{"P", 6}}));
}

TEST(DveMachine, MovesAllProcessesOfASynchronousSystemTogether) {
    const auto machine = machine_from_text(
        "byte x;\nprocess A { state s; init s; trans\ns -> s { effect x = (x + 1) % 3; },\ns -> s { guard x == 1; }; }\n"
        "process B { byte y; state s; init s; trans\ns -> s { guard x < 2; effect y = x; }; }\nsystem sync;");
    const std::vector<Step> steps = machine->steps({1, 0, 0, 0});
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].participants, (Participants{{"A", 3}, {"B", 6}}));
    EXPECT_EQ(steps[0].next, (State{2, 0, 0, 2}));
    EXPECT_EQ(steps[1].next, (State{1, 0, 0, 1}));
    EXPECT_TRUE(machine->steps({2, 0, 0, 2}).empty());
    const Graph graph = explore(*machine);
    EXPECT_EQ(graph.states.size(), 3u);
    EXPECT_EQ(graph.transitions, 3u);
    EXPECT_EQ(graph.deadlocks.size(), 1u);
}

TEST(DveMachine, LooksAtGuardsOfASynchronousSystemOnlyWhereTheProcessesBeforeCanMove) {
    const auto machine = machine_from_text(
        "byte x;\nprocess A { state s; init s; trans\ns -> s { guard x > 0; }; }\n"
        "process B { state s; init s; trans\ns -> s { guard 1 / (x - 1); },\ns -> s { }; }\nsystem sync;");
    EXPECT_TRUE(machine->steps({0, 0, 0}).empty());
    const std::vector<Step> steps = machine->steps({1, 0, 0});
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[0].fault, model::FaultKind::division);
    EXPECT_EQ(steps[0].participants, (Participants{{"B", 5}}));
    EXPECT_EQ(steps[1].fault, model::FaultKind::none);
}

constexpr const char* kObserved =
    "byte x;\nprocess P { state s; init s; trans\ns -> s { guard x < 2; effect x = x + 1; }; }\n"
    "process W { byte seen; state q, r; init q; accept r; trans\nq -> q { },\nq -> r { guard x == 1; effect seen = x; },\n"
    "r -> r { }; }\nsystem async property W;";

TEST(DveMachine, MovesThePropertyWithEveryStepAndAloneWhereThereIsNone) {
    const auto machine = machine_from_text(kObserved);
    // x: 0 with q; 1 with q; then 2 with q, or 2 with r having seen the value before the step; both go on alone.
    const Graph graph = explore(*machine);
    EXPECT_EQ(graph.states.size(), 4u);
    EXPECT_EQ(graph.transitions, 1u + 2u + 1u + 1u);
    EXPECT_TRUE(graph.deadlocks.empty());
    const std::vector<Step> steps = machine->steps({1, 0, 0, 0});
    ASSERT_EQ(steps.size(), 2u);
    EXPECT_EQ(steps[1].participants, (Participants{{"P", 3}, {"W", 6}}));
    EXPECT_EQ(steps[1].next, (State{2, 0, 1, 2}));  // its effects come after those of the step
    const std::vector<Step> alone = machine->steps({2, 0, 1, 1});
    ASSERT_EQ(alone.size(), 1u);
    EXPECT_EQ(alone[0].participants, (Participants{{"W", 7}}));
}

TEST(DveMachine, LeavesThePropertyOutWhereAsked) {
    const auto machine = machine_from_text(kObserved, {.with_property = false});
    EXPECT_EQ(machine->names(), (std::vector<std::string>{"x", "P"}));
    const Graph graph = explore(*machine);
    EXPECT_EQ(graph.states.size(), 3u);
    EXPECT_EQ(graph.deadlocks.size(), 1u);
    EXPECT_FALSE(machine->evaluate("W.q", machine->initial_states().front()));
}

TEST(DveMachine, ListsAFaultyStepOnceAndWithoutTheProperty) {
    const auto machine = machine_from_text(
        "byte x;\nprocess P { state s; init s; trans\ns -> s { effect x = 1 / x; }; }\n"
        "process W { state q; init q; trans q -> q { }, q -> q { }; }\nsystem async property W;");
    const Graph graph = explore(*machine);
    EXPECT_EQ(graph.faults, (std::vector<FaultyStep>{{0, {{"P", 3}}, model::FaultKind::division}}));
    EXPECT_EQ(graph.transitions, 0u);
    EXPECT_TRUE(graph.deadlocks.empty());
}

TEST(DveMachine, ReportsFailedAssertionsByTheirNumber) {
    const auto machine = machine_from_text(
        "byte x = 1;\nprocess A { state s, t; init s; assert t: x == 0; assert s: x == 1; }\n"
        "process B { byte x; state s; init s; assert s: x == 1; assert s: 1 / x; }\nsystem async;");
    const auto failed = machine->failed_assertions(machine->initial_states().front());
    ASSERT_EQ(failed.size(), 2u);
    EXPECT_EQ(failed[0].index, 2u);
    EXPECT_EQ(failed[0].fault, model::FaultKind::none);
    EXPECT_EQ(failed[1].index, 3u);
    EXPECT_EQ(failed[1].fault, model::FaultKind::division);
}

TEST(DveMachine, EvaluatesExpressionsFromOutsideAllProcesses) {
    const auto machine = machine_from_text(
        "byte x = 1; const byte k = 5;\nprocess A { byte x = 7; byte a[2] = {3, 4}; state s, t; init t; }\nsystem async;");
    const State state = machine->initial_states().front();
    EXPECT_EQ(machine->evaluate("A->x * 10 + x", state)->value, 71);
    EXPECT_EQ(machine->evaluate("A->a[x] + k", state)->value, 9);
    EXPECT_EQ(machine->evaluate("A.t and not A.s", state)->value, 1);
    EXPECT_EQ(machine->evaluate("A->a[2]", state)->fault, model::FaultKind::index);
    EXPECT_FALSE(machine->evaluate("y == 1", state));
    EXPECT_FALSE(machine->evaluate("A.u", state));
    EXPECT_FALSE(machine->evaluate("x ==", state));
}

TEST(DveMachine, TakesAnArrayWithoutAnIndexForItsFirstElement) {
    const auto machine = machine_from_text(
        "byte a[3] = {1, 2, 3}; const byte k[2] = {4, 5}; channel c;\n"
        "process P { state s, t; init s; trans s -> t { guard a == 1; effect a = a + k; }, t -> s { sync c!a; }; }\n"
        "process R { int b[2]; state s; init s; trans s -> s { sync c?b; }; }\nsystem async;");
    const State after = machine->steps(machine->initial_states().front()).at(0).next;
    EXPECT_EQ(value_of(*machine, after, "a[0]"), 5);
    EXPECT_EQ(value_of(*machine, after, "a[1]"), 2);
    const State passed = machine->steps(after).at(0).next;
    EXPECT_EQ(value_of(*machine, passed, "R.b[0]"), 5);
    EXPECT_EQ(value_of(*machine, passed, "R.b[1]"), 0);
}

TEST(DveMachine, SurvivesProgramsThatAreNotValid) {
    const auto machine = machine_from_text(
        "byte a[0 - 5]; byte b = y;\nprocess A { state s; init nowhere; commit gone; assert gone: 1; trans\n"
        "s -> gone { }, s -> s { guard unknown == 0; sync none!1; effect lost = 1, a[0] = 1; }; }\nsystem async property Q;");
    const std::vector<Step> steps = machine->steps(machine->initial_states().front());
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].fault, model::FaultKind::index);
}

}  // namespace
}  // namespace tideline::reference
