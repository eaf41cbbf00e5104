#include "model/parse_expression.hpp"

#include <gtest/gtest.h>

#include "model/evaluate.hpp"
#include "model/example_models.hpp"

namespace tideline::model {
namespace {

using namespace examples;

// x = 3, y = 5, a = {10, 20, 30}, P in `work` with P.n = 7, the constants K = 9, P.L = 2 and t = {4, 6}, a channel c of
// two messages of two fields with c.length = 1, the label `busy`, and Q, where a location and a variable are both
// called `same`.
Model example() {
    Model model;
    add_scalar(model, "x", {0, 255}, 3);
    add_scalar(model, "y", {0, 255}, 5);
    add_array(model, "a", {0, 255}, {10, 20, 30});
    const ProcessId p = add_process(model, "P", {"idle", "work"}, 1);
    add_scalar(model, "P.n", {0, 255}, 7);
    add_scalar(model, "c.length", {0, 2}, 1);
    add_array(model, "c", {0, 255}, {41, 0});
    model.variables.back().element_suffix = ".0";
    add_array(model, "c", {0, 255}, {42, 0});
    model.variables.back().element_suffix = ".1";
    add_process(model, "Q", {"same", "other"}, 1);
    add_scalar(model, "Q.same", {0, 255}, 8);
    model.tables = {{"K", {9}, false, std::nullopt}, {"t", {4, 6}, true, std::nullopt}, {"P.L", {2}, false, p}};
    model.labels.push_back({"busy", model.at(p, 1), {}});
    return model;
}

Value value(const std::string& text) {
    const Model model = example();
    const support::Result<Expression> result = parse_expression(model, support::SourceText("e", text));
    if (!result) {
        ADD_FAILURE() << support::to_text(result.diagnostics().at(0));
        return -999;
    }
    const Evaluation evaluation = evaluate(*result, model.tables, model.initial);
    EXPECT_EQ(evaluation.fault, FaultKind::none) << text;
    return evaluation.value;
}

support::Diagnostics diagnostics(const std::string& text) {
    const Model model = example();
    return parse_expression(model, support::SourceText("e", text)).diagnostics();
}

TEST(ParseExpression, EveryFormOfNameIsKnown) {
    EXPECT_EQ(value("x"), 3);
    EXPECT_EQ(value("a[1]"), 20);
    EXPECT_EQ(value("a[x - 1]"), 30);
    EXPECT_EQ(value("P.n"), 7);
    EXPECT_EQ(value("P->n"), 7);
    EXPECT_EQ(value("P.work"), 1);
    EXPECT_EQ(value("P.idle"), 0);
    EXPECT_EQ(value("c.length"), 1);
    EXPECT_EQ(value("c[0].0"), 41);
    EXPECT_EQ(value("c[0].1"), 42);
    EXPECT_EQ(value("K"), 9);
    EXPECT_EQ(value("P.L"), 2);
    EXPECT_EQ(value("t[1]"), 6);
    EXPECT_EQ(value("busy"), 1);
    EXPECT_EQ(value("true"), 1);
    EXPECT_EQ(value("false"), 0);
    EXPECT_EQ(value(" 0042\n\t"), 42);
    EXPECT_EQ(value("9223372036854775807"), INT64_MAX);
}

TEST(ParseExpression, TheStateOfAnExplicitSystemIsAValue) {
    Model model;
    add_process(model, "lts", {"0", "1"}, 1);
    model.variables[0].name = "state";
    const support::Result<Expression> result = parse_expression(model, support::SourceText("e", "state == 1"));
    ASSERT_TRUE(result);
    EXPECT_EQ(evaluate(*result, model.tables, model.initial).value, 1);
}

TEST(ParseExpression, OperatorsBindAsDocumented) {
    EXPECT_EQ(value("1 + 2 * 3"), 7);
    EXPECT_EQ(value("(1 + 2) * 3"), 9);
    EXPECT_EQ(value("10 - 4 - 3"), 3);
    EXPECT_EQ(value("100 / 5 / 2"), 10);
    EXPECT_EQ(value("1 << 1 + 1"), 4);
    EXPECT_EQ(value("1 << 2 < 5"), 1);
    EXPECT_EQ(value("3 > 2 == 1"), 1);
    EXPECT_EQ(value("6 & 3 == 3"), 0);
    EXPECT_EQ(value("(6 & 3) == 2"), 1);
    EXPECT_EQ(value("1 | 6 ^ 2 & 3"), 5);
    EXPECT_EQ(value("0 and 0 or 1"), 1);
    EXPECT_EQ(value("1 or 0 and 0"), 1);
    EXPECT_EQ(value("0 imply 0 imply 0"), 0);
    EXPECT_EQ(value("1 imply 1 or 0"), 1);
    EXPECT_EQ(value("-2 * -3"), 6);
    EXPECT_EQ(value("- - 2"), 2);
    EXPECT_EQ(value("~0"), -1);
    EXPECT_EQ(value("not x == 3"), 0);
    EXPECT_EQ(value("not (x == 4)"), 1);
    EXPECT_EQ(value("!x"), 0);
    EXPECT_EQ(value("7 % 4 != 3 || x >= 3 && y <= 5"), 1);
    EXPECT_EQ(value("-9223372036854775807 - 1"), INT64_MIN);
}

TEST(ParseExpression, TheRightSideIsSkippedWhereItCannotMatter) { EXPECT_EQ(value("x == 3 or 1 / 0 == 1"), 1); }

TEST(ParseExpression, WhatDveWouldReadOtherwiseGivesAWarning) {
    for (const char* text : {"x or y and x", "x || y && x", "x | y & 1", "x | y ^ 1", "x ^ y & 1", "(x or y and x) + 1",
                             "x or y and x or y and x"}) {
        const support::Diagnostics found = diagnostics(text);
        ASSERT_EQ(found.size(), 1U) << text;
        EXPECT_EQ(found[0].severity, support::Severity::warning);
    }
    for (const char* text :
         {"x and y or x", "x or (y and x)", "(x or y) and x", "x & y | 1", "x or y & 1", "x or y or x", "x | (y & 1)"})
        EXPECT_TRUE(diagnostics(text).empty()) << text;
    EXPECT_EQ(diagnostics("x or y and x")[0].message,
              "'and' binds more strongly than 'or' here: 'a or b and c' means 'a or (b and c)'");
    EXPECT_EQ(diagnostics("x | y & 1")[0].message,
              "'&' binds more strongly than '^', and '^' than '|' here: 'a | b & c' means 'a | (b & c)'");
}

TEST(ParseExpression, ALocationHidesAVariableOfTheSameNameWithAWarning) {
    EXPECT_EQ(value("Q.same"), 0);
    EXPECT_EQ(value("Q->same"), 8);
    ASSERT_EQ(diagnostics("Q.same").size(), 1U);
    EXPECT_EQ(diagnostics("Q.same")[0].severity, support::Severity::warning);
    EXPECT_EQ(diagnostics("Q.same")[0].hint, "write Q->same for the variable");
    EXPECT_TRUE(diagnostics("Q->same").empty());
}

TEST(ParseExpression, MistakesAreExplainedAtTheirPlace) {
    const struct {
        const char* text;
        std::uint32_t column;
        const char* message;
        const char* hint;
    } cases[] = {
        {"", 1, "the expression is empty", "expected an expression over the model's names"},
        {"  ", 1, "the expression is empty", "expected an expression over the model's names"},
        {"z", 1, "unknown name 'z'", ""},
        {"bsuy", 1, "unknown name 'bsuy'", "did you mean 'busy'?"},
        {"P", 1, "'P' is a process, expected a value", "write P.s to ask whether it is in location s"},
        {"x + R.work", 5, "unknown process 'R'", ""},
        {"P.wrok", 3, "process P has no location or variable 'wrok'", "did you mean 'work'?"},
        {"P->work", 4, "'work' is a location of P, expected a variable",
         "write P.work to ask whether it is in this location"},
        {"P.", 3, "expected a location or variable of P, found the end", ""},
        {"P.3", 3, "expected a location or variable of P, found '3'", ""},
        {"a", 1, "'a' is an array, expected an index", "write a[...]"},
        {"t + 1", 1, "'t' is an array, expected an index", "write t[...]"},
        {"a[1", 4, "expected ']', found the end", ""},
        {"x[1]", 2, "'x' is not an array and cannot be indexed", ""},
        {"c[0].2", 6, "expected the number of a field of c, found '2'", "fields are numbered from 0 on"},
        {"c[0]", 5, "expected a field of a message of c, found the end",
         "a message of several fields is read as c[...].0"},
        {"(x", 3, "expected ')', found the end", ""},
        {"x)", 2, "expected an operator or the end, found ')'", ""},
        {"x y", 3, "expected an operator or the end, found 'y'", ""},
        {"x +", 4, "expected a name, a number or '(', found the end", ""},
        {"* x", 1, "expected a name, a number or '(', found '*'", ""},
        {"and", 1, "expected a name, a number or '(', found 'and'", ""},
        {"x = 3", 3, "unexpected '='", "to compare two values, write '=='"},
        {"=", 1, "unexpected '='", "to compare two values, write '=='"},
        {"$", 1, "unexpected '$'", ""},
        {"x + \u00e4", 5, "unexpected '\u00e4'", ""},
        {"9223372036854775808", 1, "the number '9223372036854775808' is too large", ""},
        {"12ab", 1, "'12ab' is neither a number nor a name", ""},
    };
    for (const auto& c : cases) {
        const support::Diagnostics found = diagnostics(c.text);
        ASSERT_EQ(found.size(), 1U) << c.text;
        EXPECT_EQ(found[0].severity, support::Severity::error) << c.text;
        EXPECT_EQ(found[0].message, c.message) << c.text;
        EXPECT_EQ(found[0].hint, c.hint) << c.text;
        EXPECT_EQ(found[0].position, (support::SourcePosition{1, c.column})) << c.text;
    }
}

TEST(ParseExpression, DeepNestingIsRefusedAndNotACrash) {
    for (const char* open : {"(", "-", "not ", "a[", "x + ("}) {
        std::string text;
        for (int i = 0; i < 100000; ++i) text += open;
        ASSERT_EQ(diagnostics(text).size(), 1U);
        EXPECT_EQ(diagnostics(text)[0].message, "the expression is nested too deeply");
    }
    std::string sum = "x";
    for (int i = 0; i < 100000; ++i) sum += " + x";
    EXPECT_EQ(value(sum), 300003);
}

}  // namespace
}  // namespace tideline::model
