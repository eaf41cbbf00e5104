#include "trace/render.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "support/terminal.hpp"
#include "trace/example_traces.hpp"

namespace tideline::trace {
namespace {

const RenderOptions kPlain{.utf8 = false, .colour = false, .file = "m.dve", .width = 100};

TEST(Render, ChangesShowsTheInitialStateAndThenWhatEachStepChanges) {
    EXPECT_EQ(render(examples::two_steps(), TraceStyle::changes, kPlain),
              " 0  initial state\n"
              "      x = 0, a = {0, 1, 2}, P = idle, Q = wait\n"
              " 1  P: idle -> busy (m.dve:12)\n"
              "      idle -> busy { guard x == 0; effect x = 1, a[1] = 7; }\n"
              "      x: 0 -> 1, a[1]: 1 -> 7\n"
              " 2  P -> Q on c\n"
              "      P: busy -> idle (m.dve:16)\n"
              "        busy -> idle { sync c!x; }\n"
              "      Q: wait -> done (m.dve:23)\n"
              "        wait -> done { sync c?x; }\n"
              "      x: 1 -> 4\n");
}

TEST(Render, FullShowsAllValuesAfterEachStep) {
    RenderOptions options = kPlain;
    options.utf8 = true;
    options.file = "";
    examples::WrittenTrace trace = examples::two_steps();
    trace.states.pop_back();
    trace.steps.pop_back();
    EXPECT_EQ(render(trace, TraceStyle::full, options),
              " 0  initial state\n"
              "      x = 0, a = {0, 1, 2}, P = idle, Q = wait\n"
              " 1  P: idle \u2192 busy (line 12)\n"
              "      idle -> busy { guard x == 0; effect x = 1, a[1] = 7; }\n"
              "      x = 1, a = {0, 7, 2}, P = busy, Q = wait\n");
}

TEST(Render, ActionsHasOneLineAStep) {
    EXPECT_EQ(render(examples::two_steps(), TraceStyle::actions, kPlain),
              " 0  initial state\n"
              " 1  P: idle -> busy (m.dve:12)\n"
              " 2  P -> Q on c; P: busy -> idle (m.dve:16), Q: wait -> done (m.dve:23)\n");
}

TEST(Render, ALassoSaysWhereItsCycleBeginsAndEnds) {
    const std::string text = render(examples::lasso(), TraceStyle::changes, kPlain);
    EXPECT_EQ(text,
              " 0  initial state\n"
              "      x = 0, a = {0, 1, 2}, P = idle, Q = wait\n"
              " 1  P: idle -> busy (m.dve:12)\n"
              "      idle -> busy { guard x == 0; effect x = 1, a[1] = 7; }\n"
              "      x: 0 -> 1, a[1]: 1 -> 7\n"
              "      the cycle begins here, in state 1\n"
              " 2  P -> Q on c\n"
              "      P: busy -> idle (m.dve:16)\n"
              "        busy -> idle { sync c!x; }\n"
              "      Q: wait -> done (m.dve:23)\n"
              "        wait -> done { sync c?x; }\n"
              "      x: 1 -> 4\n"
              " 3  Q, P\n"
              "      Q: done -> wait (m.dve:30)\n"
              "        done -> wait { effect x = 1; }\n"
              "      P: idle -> busy (m.dve:31)\n"
              "      x: 4 -> 1\n"
              "      back to state 1: the cycle is closed\n");
}

TEST(Render, ASelfLoopOfTheInitialStateIsACycle) {
    examples::WrittenTrace trace = examples::start();
    trace.loop = 0;
    trace.steps = {{{{"P", "idle", "idle", 3, "idle -> idle {}"}}, ""}};
    EXPECT_EQ(render(trace, TraceStyle::changes, kPlain),
              " 0  initial state\n"
              "      x = 0, a = {0, 1, 2}, P = idle, Q = wait\n"
              "      the cycle begins here, in state 0\n"
              " 1  P: idle -> idle (m.dve:3)\n"
              "      idle -> idle {}\n"
              "      (no change)\n"
              "      back to state 0: the cycle is closed\n");
}

TEST(Render, AStepOfNobodyIsSaidInWords) {
    examples::WrittenTrace written = examples::start();
    written.loop = 0;
    Trace trace = written;
    trace.stays = true;
    EXPECT_EQ(render(trace, TraceStyle::actions, kPlain),
              " 0  initial state\n"
              "      the cycle begins here, in state 0\n"
              " 1  nothing moves\n"
              "      back to state 0: the cycle is closed\n");
}

TEST(Render, AFaultIsShownWithItsStep) {
    EXPECT_EQ(render(examples::faulty(), TraceStyle::changes, kPlain),
              " 0  initial state\n"
              "      x = 0, a = {0, 1, 2}, P = idle, Q = wait\n"
              " 1  P: idle -> busy (m.dve:12)\n"
              "      idle -> busy { guard x == 0; effect x = 1, a[1] = 7; }\n"
              "      x: 0 -> 1, a[1]: 1 -> 7\n"
              " 2  P: busy -> idle (m.dve:40)\n"
              "      busy -> idle { effect a[x] = 0; }\n"
              "      this step is faulty (index): index 5 of a[3]\n");
}

TEST(Render, AFaultWithoutAStepBelongsToTheState) {
    examples::WrittenTrace trace = examples::start();
    trace.fault = TraceFault{{}, model::FaultKind::none, "assertion P.idle: x > 0"};
    EXPECT_EQ(render(trace, TraceStyle::changes, kPlain),
              " 0  initial state\n"
              "      x = 0, a = {0, 1, 2}, P = idle, Q = wait\n"
              "      fault in this state: assertion P.idle: x > 0\n");
}

TEST(Render, ATraceOfOneStateSaysThatNoStepIsNeeded) {
    EXPECT_EQ(render(examples::start(), TraceStyle::changes, kPlain),
              " 0  initial state (no step is needed)\n"
              "      x = 0, a = {0, 1, 2}, P = idle, Q = wait\n");
    EXPECT_EQ(render(examples::start(), TraceStyle::actions, kPlain), " 0  initial state (no step is needed)\n");
}

TEST(Render, ATraceWithoutStatesIsEmpty) { EXPECT_EQ(render(Trace{}, TraceStyle::full, kPlain), ""); }

TEST(Render, AStepWithoutParticipantsIsItsLabel) {
    examples::WrittenTrace trace{{"p1", "p2"}, {{{1, 0}, {"1", "0"}}, {{0, 1}, {"0", "1"}}}, {{{}, "fire"}}, {}, {}};
    EXPECT_EQ(render(trace, TraceStyle::changes, kPlain),
              " 0  initial state\n"
              "      p1 = 1, p2 = 0\n"
              " 1  fire\n"
              "      p1: 1 -> 0, p2: 0 -> 1\n");
}

TEST(Render, AnObserverIsNotTakenForTheReceiver) {
    examples::WrittenTrace trace = examples::two_steps();
    trace.steps[1].parts[1].text = "wait -> done { guard x == 1; }";
    EXPECT_NE(render(trace, TraceStyle::changes, kPlain).find(" 2  P, Q [c]\n"), std::string::npos);
    trace = examples::two_steps();
    trace.steps[1].parts.push_back({"Property", "p", "q", 50, ""});
    EXPECT_NE(render(trace, TraceStyle::changes, kPlain).find(" 2  P -> Q on c, with Property\n"), std::string::npos);
}

TEST(Render, LongListsAndLongTextsStayWithinTheWidth) {
    examples::WrittenTrace trace;
    examples::WrittenState state;
    for (int i = 0; i < 60; ++i) {
        trace.names.push_back("long[" + std::to_string(i) + "]");
        state.values.push_back(i * 1000);
        state.texts.push_back(std::to_string(i * 1000));
    }
    for (int i = 0; i < 20; ++i) {
        trace.names.push_back("variable_" + std::to_string(i));
        state.values.push_back(i);
        state.texts.push_back(std::to_string(i));
    }
    trace.states = {state, state};
    trace.steps = {{{{"P", "s", "t", 1, std::string(300, 'x')}}, ""}};
    RenderOptions options = kPlain;
    options.width = 40;
    const std::string text = render(trace, TraceStyle::full, options);
    EXPECT_TRUE(
        text.starts_with(" 0  initial state\n"
                         "      long = {0, 1000, 2000, 3000, 4000,\n"
                         "      5000, 6000,"))
        << text;
    EXPECT_NE(text.find("59000}, variable_0 = 0,\n      variable_1 = 1, variable_2 = 2,\n"), std::string::npos) << text;
    EXPECT_NE(text.find("      " + std::string(37, 'x') + "...\n"), std::string::npos) << text;
    for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
        const std::string line = text.substr(begin, end - begin);
        EXPECT_LE(support::text_width(line), 46U) << line;
    }
}

TEST(Render, ColoursOnlyAddEscapeSequences) {
    RenderOptions options = kPlain;
    options.colour = true;
    for (const TraceStyle style : {TraceStyle::full, TraceStyle::changes, TraceStyle::actions}) {
        for (const examples::WrittenTrace& trace : {examples::lasso(), examples::faulty()}) {
            const std::string coloured = render(trace, style, options);
            std::string stripped;
            for (std::size_t i = 0; i < coloured.size(); ++i) {
                if (coloured[i] == '\x1b') i = coloured.find('m', i);
                else stripped += coloured[i];
            }
            EXPECT_EQ(stripped, render(trace, style, kPlain));
            EXPECT_NE(coloured, stripped);
        }
    }
}

TEST(Render, ControlCharactersOfAModelDoNotReachTheTerminal) {
    examples::WrittenTrace trace = examples::two_steps();
    trace.steps[0].parts[0].text = "a \x1b[2J b";
    trace.states[0].texts[4] = "\x1b]0;";
    RenderOptions options = kPlain;
    options.file = "\x1b.dve";
    EXPECT_EQ(render(trace, TraceStyle::changes, options).find('\x1b'), std::string::npos);
}

TEST(Render, ARunLeavesTheTerminalInPieces) {
    examples::WrittenTrace trace = examples::two_steps();
    while (trace.states.size() < 5000) {
        trace.states.push_back(trace.states[1]);
        trace.steps.push_back(examples::work());
    }
    std::string text;
    std::size_t largest = 0;
    const support::Budget unlimited;
    render(
        trace, TraceStyle::full, kPlain,
        [&](std::string_view piece) {
            text += piece;
            largest = std::max(largest, piece.size());
        },
        unlimited);
    EXPECT_EQ(text, render(trace, TraceStyle::full, kPlain));
    EXPECT_GT(text.size(), 500'000U);
    EXPECT_LT(largest, 100'000U);
}

TEST(Render, AnExhaustedBudgetCutsTheRunAndSaysSo) {
    examples::WrittenTrace trace = examples::faulty();
    while (trace.states.size() < 5000) {
        trace.states.push_back(trace.states[1]);
        trace.steps.push_back(examples::work());
    }
    const support::Budget spent({.memory = {}, .disk = {}, .time = std::chrono::nanoseconds(0)});
    std::string text;
    render(trace, TraceStyle::actions, kPlain, support::sink_into(text), spent);
    EXPECT_TRUE(text.starts_with("   0  initial state\n   1  P: idle -> busy (m.dve:12)\n")) << text;
    EXPECT_TRUE(text.ends_with("\n        the last 4872 steps of this run are not shown: time limit reached\n"))
        << text;
    EXPECT_EQ(text.find("faulty"), std::string::npos);
}

}  // namespace
}  // namespace tideline::trace
