#include "input/dve/translate.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "input/dve/parser.hpp"
#include "model/print.hpp"

namespace tideline::input::dve {
namespace {

support::Result<model::Model> translated(const std::string& text, TranslateOptions options = {}) {
    support::Result<Program> program = parse(support::SourceText("m.dve", text));
    if (!program) {
        ADD_FAILURE() << support::to_text(program.diagnostics().at(0));
        return std::move(program).diagnostics();
    }
    return translate(*program, options);
}

model::Model model_of(const std::string& text, TranslateOptions options = {}) {
    support::Result<model::Model> result = translated(text, options);
    if (!result) {
        ADD_FAILURE() << support::to_text(result.diagnostics().at(0));
        return {};
    }
    return *std::move(result);
}

// One process P with locations s and t, and these transitions.
std::string process(const std::string& transitions, const std::string& locals = "") {
    return "process P { " + locals + " state s, t; init s; trans " + transitions + "; } system async;";
}

support::Diagnostics messages(const std::string& text, TranslateOptions options = {}) {
    return translated(text, options).diagnostics();
}

std::string texts(const model::Model& model, const std::vector<model::Expression>& expressions) {
    std::string result;
    for (const model::Expression& e : expressions) result += (result.empty() ? "" : "; ") + model::to_text(model, e);
    return result;
}

TEST(Translate, VariablesConstantsAndLocationsGetTheirSlots) {
    const model::Model model = model_of(
        "const int N = 2; byte x = N + 1, a[N * 2] = {1, N}; int y = -7;"
        "process P { byte b = 5; const byte K = 9; state s, t; init t; } system async;");
    ASSERT_EQ(model.variables.size(), 5U);
    EXPECT_EQ(model.initial, (std::vector<model::Value>{3, 1, 2, 0, 0, -7, 1, 5}));
    EXPECT_EQ(model.variables[0].range, (model::Range{0, 255}));
    EXPECT_EQ(model.variables[1].length, 4U);
    EXPECT_EQ(model.variables[2].range, (model::Range{-32768, 32767}));
    EXPECT_EQ(model.variables[3].kind, model::Variable::Kind::location);
    EXPECT_EQ(model.variables[3].value_names, (std::vector<std::string>{"s", "t"}));
    EXPECT_EQ(model.variables[4].name, "P.b");
    EXPECT_EQ(model.variables[4].owner, 0U);
    ASSERT_EQ(model.tables.size(), 2U);
    EXPECT_EQ(model.tables[1].name, "P.K");
}

TEST(Translate, ALocalNameHidesAGlobalOne) {
    const model::Model model = model_of("byte x; " + process("s -> t { effect x = 1; }", "byte x;"));
    EXPECT_EQ(model.variables[std::get<model::Assign>(model.transitions[0].effects[0]).targets[0].variable].name,
              "P.x");
}

TEST(Translate, ARendezvousIsATransitionForEveryPairOfDifferentProcesses) {
    const model::Model model = model_of(
        "channel c; byte x;"
        "process A { state s; init s; trans s -> s { guard x == 1; sync c!x; effect x = 7; }, s -> s { sync c?; }; }"
        "process B { byte y; state u; init u; trans u -> u { sync c?y; }, u -> u { guard x == 2; sync c?y; effect y = 8; }; }"
        "system async;");
    ASSERT_EQ(model.transitions.size(), 2U) << "A does not meet itself, and a receive alone is nothing";
    const model::Transition& second = model.transitions[1];
    ASSERT_EQ(second.participants.size(), 2U);
    EXPECT_EQ(second.participants[0].process, 0U);
    EXPECT_EQ(second.participants[1].process, 1U);
    EXPECT_EQ(second.label, "c");
    EXPECT_EQ(texts(model, second.guards), "x == 1; x == 2") << "first the sender's guard";
    ASSERT_EQ(second.effects.size(), 3U);
    EXPECT_EQ(model::to_text(model, std::get<model::Assign>(second.effects[0]).values[0]), "x");
    EXPECT_EQ(model::to_text(model, std::get<model::Assign>(second.effects[1]).values[0]), "8")
        << "then the receiver's effects";
    EXPECT_EQ(model::to_text(model, std::get<model::Assign>(second.effects[2]).values[0]), "7");
}

TEST(Translate, AReceiverWithoutAVariableDropsTheValue) {
    const model::Model model = model_of(
        "channel c; process A { state s; init s; trans s -> s { sync c!1 / 0; }; }"
        "process B { state u; init u; trans u -> u { sync c?; }; } system async;");
    const auto& message = std::get<model::Assign>(model.transitions.at(0).effects.at(0));
    EXPECT_EQ(message.values.size(), 1U) << "it is evaluated all the same";
    EXPECT_TRUE(message.targets.empty());
}

TEST(Translate, ATypedRendezvousChecksItsFields) {
    const model::Model model = model_of(
        "channel {byte, int} c[0]; process A { state s; init s; trans s -> s { sync c!{1, 2}; }; }"
        "process B { int x, y; state u; init u; trans u -> u { sync c?{x, y}; }; } system async;");
    EXPECT_EQ(std::get<model::Assign>(model.transitions.at(0).effects.at(0)).passing,
              (std::vector<model::Range>{{0, 255}, {-32768, 32767}}));
    EXPECT_EQ(model.slot_count(), 4U) << "no buffer";
}

TEST(Translate, ABufferIsALengthAndAnArrayAField) {
    const model::Model model = model_of(
        "channel {byte, int} c[3]; process A { int x, y; state s; init s;"
        "trans s -> s { guard x == 1; sync c!{1, 2}; }, s -> s { sync c?{x, y}; }; } system async;");
    ASSERT_GE(model.variables.size(), 3U);
    EXPECT_EQ(model.variables[0].name, "c.length");
    EXPECT_EQ(model.variables[0].range, (model::Range{0, 3}));
    EXPECT_EQ(model.slot_name({1, 2}), "c[2].0");
    EXPECT_EQ(model.slot_name({2, 0}), "c[0].1");
    ASSERT_EQ(model.transitions.size(), 2U);
    EXPECT_EQ(texts(model, model.transitions[0].guards), "A.x == 1; c.length < 3")
        << "first the guard, then the channel";
    EXPECT_EQ(model.transitions[0].label, "c!");
    EXPECT_EQ(model.transitions[0].effects.size(), 2U);
    EXPECT_EQ(texts(model, model.transitions[1].guards), "c.length > 0");
    EXPECT_EQ(model.transitions[1].label, "c?");
    EXPECT_EQ(model.transitions[1].effects.size(), 4U) << "store, move up both fields, count";
}

TEST(Translate, ATransitionIsCommittedIfAllItsParticipantsAre) {
    const model::Model model = model_of(
        "channel c; process A { state s, t; init s; commit s; trans s -> t { sync c!; }, t -> s {}, s -> s {}; }"
        "process B { state u, v; init u; commit u; trans u -> v { sync c?; }, v -> u { sync c?; }; } system async;");
    std::vector<bool> committed;
    for (const model::Transition& t : model.transitions) committed.push_back(t.committed);
    EXPECT_EQ(committed, (std::vector<bool>{true, false, false, true}));
}

TEST(Translate, ThePropertyProcessIsAnObserverWithMarksOfItsSourceLocations) {
    const std::string text =
        "byte x; process N { byte n; state q, r; init q; accept genbuchi (q, r), (r);"
        "trans q -> r { effect n = x; }, r -> r {}; } process P { state s; init s; } system async property N;";
    const model::Model model = model_of(text);
    EXPECT_EQ(model.observer, 0U);
    EXPECT_EQ(model.acceptance_sets, 2U);
    EXPECT_EQ(model.transitions.at(0).marks, 1U);
    EXPECT_EQ(model.transitions.at(1).marks, 3U);
    const model::Model without = model_of(text, {.wrap = false, .with_property = false});
    EXPECT_EQ(without.processes.size(), 1U);
    EXPECT_TRUE(without.transitions.empty());
}

TEST(Translate, AssertionsHoldOutsideOfTheirLocations) {
    const model::Model model = model_of("byte x; process P { state s, t; init s; assert t: x < 3; } system async;");
    ASSERT_EQ(model.assertions.size(), 1U);
    EXPECT_EQ(model.assertions[0].name, "P.t: x < 3");
    EXPECT_EQ(model::to_text(model, model.assertions[0].expression), "P.t imply (x < 3)");
}

TEST(Translate, OperatorsOfOneLevelAreReadFromLeftToRightWithAWarning) {
    const std::string text =
        "byte x, y; " + process("s -> t { guard x or y and x; }, s -> t { guard (x & y | 1) == 1; }");
    const support::Result<model::Model> result = translated(text);
    ASSERT_TRUE(result);
    EXPECT_EQ(texts(*result, result->transitions[0].guards), "(x or y) and x");
    ASSERT_EQ(result.diagnostics().size(), 1U);
    EXPECT_EQ(result.diagnostics()[0].severity, support::Severity::warning);
}

TEST(Translate, AWarningInATargetIsGivenOnce) {
    EXPECT_EQ(messages("byte x, a[2]; " + process("s -> t { effect a[x or x and x] = 1; }")).size(), 1U);
}

TEST(Translate, WarningsNeverHideErrors) {
    std::string transitions;
    for (int i = 0; i < 50; ++i) transitions += "s -> t { guard x or x and x; }, ";
    for (const char* wrong : {"s -> nowhere {}", "s -> t { effect z = 1; }", "s -> t { sync c!; }"}) {
        const support::Result<model::Model> result = translated("byte x; " + process(transitions + wrong));
        EXPECT_FALSE(result) << wrong;
        EXPECT_TRUE(std::any_of(result.diagnostics().begin(), result.diagnostics().end(),
                                [](const support::Diagnostic& d) { return d.severity == support::Severity::error; }));
    }
}

TEST(Translate, ManyErrorsAreCutShort) {
    std::string transitions = "s -> nowhere {}";
    for (int i = 0; i < 500; ++i) transitions += ", s -> nowhere { guard z; }";
    EXPECT_LT(messages(process(transitions)).size(), 30U);
}

TEST(Translate, MistakesAreExplained) {
    const struct {
        std::string text;
        std::string message;
        std::string hint;
    } cases[] = {
        {"byte x, x; " + process("s -> t {}"), "duplicate name 'x'", "already declared as a variable in line 1"},
        {"channel x; const byte x = 1; " + process("s -> t {}"), "duplicate name 'x'",
         "already declared as a constant in line 1"},
        {"byte P; " + process("s -> t {}"), "duplicate name 'P'", "already declared as a variable in line 1"},
        {"byte a[0]; " + process("s -> t {}"), "the array a has length 0, expected at least 1", ""},
        {"byte a[1000001]; " + process("s -> t {}"), "the array a is too large",
         "a state has at most 1000000 elements in all"},
        {"byte x = 256; " + process("s -> t {}"), "the initial value 256 does not fit byte x", "expected 0 to 255"},
        {"byte x, a[x]; " + process("s -> t {}"), "the length of a must be constant",
         "only numbers and names declared with const may be used here"},
        {"byte x = 1 / 0; " + process("s -> t {}"), "the initial value of x cannot be computed: division by zero", ""},
        {"byte a[2] = 1; " + process("s -> t {}"), "the array a needs a list of initial values",
         "expected { value, ... }"},
        {process("s -> q {}"), "process P has no location 'q'", ""},
        {"process P { state s, s; init s; } system async;", "duplicate location 's' in process P", ""},
        {process("s -> t { guard cuont; }", "byte count;"), "unknown name 'cuont'", "did you mean 'count'?"},
        {process("s -> t { guard P; }"), "'P' is a process, expected a variable",
         "write P.s to ask whether it is in location s"},
        {process("s -> t { guard R.s; }"), "unknown process 'R'", ""},
        {process("s -> t { guard P.x; }", "byte x;"), "process P has no location 'x'",
         "a variable of a process is written P->x"},
        {process("s -> t { guard x[0]; }", "byte x;"), "'x' is not an array and cannot be indexed", ""},
        {process("s -> t { effect K = 1; }", "const byte K = 1;"), "'K' is a constant and cannot be assigned to", ""},
        {process("s -> t { sync c!; }"), "unknown channel 'c'", ""},
        {"byte x; " + process("s -> t { sync x!; }"), "'x' is a variable, expected a channel", ""},
        {"channel {byte} c[1]; " + process("s -> t { sync c!; }"), "the channel c passes 1 value, found 0", ""},
        {"channel {byte} c[0 - 1]; " + process("s -> t {}"), "the channel c has capacity -1, expected 0 or more", ""},
        {"channel {byte} c[999999]; " + process("s -> t {}"), "the channel c is too large",
         "a state has at most 1000000 elements in all"},
        {"byte x; channel c; process A { state s; init s; trans s -> s { sync c!; }; } process B { state s; init s; trans s -> s { sync c?x; }; } system async;",
         "the channel c is received into a variable elsewhere, but no value is sent here", ""},
        {"byte x; process N { state s; init s; trans s -> s { effect x = 1; }; } system async property N;",
         "a property process may not change 'x'", "it observes the system; only its own variables may be assigned to"},
        {"channel c; process N { state s; init s; trans s -> s { sync c!; }; } system async property N;",
         "a property process takes no part in synchronisation", ""},
        {"channel c; process N { state s; init s; trans s -> s { sync c!; }; } system sync;",
         "sync is not possible in a synchronous system", ""},
        {"process P { state s; init s; } system async property Pp;", "the property 'Pp' is not a process",
         "did you mean 'P'?"},
        {"byte x; " + process("s -> t { effect z[x or x and x] = 1; }"), "unknown name 'z'", ""},
    };
    for (const auto& c : cases) {
        const support::Result<model::Model> result = translated(c.text);
        EXPECT_FALSE(result) << c.text;
        const auto found =
            std::find_if(result.diagnostics().begin(), result.diagnostics().end(),
                         [](const support::Diagnostic& d) { return d.severity == support::Severity::error; });
        ASSERT_NE(found, result.diagnostics().end()) << c.text;
        EXPECT_EQ(found->message, c.message) << c.text;
        EXPECT_EQ(found->hint, c.hint) << c.text;
    }
}

TEST(Translate, WhatHasNoEffectGivesAWarning) {
    for (const std::string& text : {std::string("byte a[1] = {1, 2}; process P { state s; init s; } system async;"),
                                    std::string("process P { state s; init s; commit s; } system sync;"),
                                    std::string("process P { state s; init s; commit s; } system async property P;")}) {
        const support::Result<model::Model> result = translated(text);
        ASSERT_TRUE(result) << text;
        ASSERT_EQ(result.diagnostics().size(), 1U) << text;
        EXPECT_EQ(result.diagnostics()[0].severity, support::Severity::warning);
    }
}

TEST(Translate, AnArrayWithoutAnIndexIsItsFirstElement) {
    const support::Result<model::Model> result =
        translated("byte a[3]; const byte k[2] = {7, 8}; " + process("s -> t { guard a == k; effect a = a + 1; }"));
    ASSERT_TRUE(result);
    EXPECT_EQ(texts(*result, result->transitions[0].guards), "a[0] == 7");
    const model::Assign& assign = std::get<model::Assign>(result->transitions[0].effects.at(0));
    ASSERT_TRUE(assign.targets.at(0).index && assign.targets[0].index->is_constant());
    EXPECT_EQ(assign.targets[0].index->constant_value(), 0);
    // Once for each array.
    ASSERT_EQ(result.diagnostics().size(), 2U);
    EXPECT_EQ(result.diagnostics()[0].severity, support::Severity::warning);
    EXPECT_EQ(result.diagnostics()[0].message, "'a' is an array and has no index: this is its first element");
    EXPECT_EQ(result.diagnostics()[0].hint, "write a[0]");
}

TEST(Translate, ASystemThatReadsItsPropertyProcessIsNotTakenApart) {
    const std::string text =
        "byte x; process P { state s; init s; trans s -> s { guard W.q; effect x = W->y; }; } "
        "process W { byte y; state q; init q; trans q -> q {}; } system async property W;";
    EXPECT_TRUE(translated(text));
    const support::Result<model::Model> alone = translated(text, {.wrap = false, .with_property = false});
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.diagnostics().at(0).message,
              "'W' is the property process, which has no part in what is asked here");
}

TEST(Translate, WrappingReachesEveryStoreOfTheModelButNotTheCounters) {
    const model::Model model =
        model_of("channel {byte} c[1]; " + process("s -> t { sync c!300; }"), {.wrap = true, .with_property = true});
    const auto& effects = model.transitions.at(0).effects;
    ASSERT_EQ(effects.size(), 2U);
    EXPECT_TRUE(std::get<model::Assign>(effects[0]).wrap);
    EXPECT_FALSE(std::get<model::Assign>(effects[1]).wrap);
}

}  // namespace
}  // namespace tideline::input::dve
