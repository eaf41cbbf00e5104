#include "progress/measure.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "model/example_models.hpp"
#include "model/print.hpp"

namespace tideline::progress {
namespace {

using namespace model::examples;

model::Model model_with_names() {
    model::Model model;
    add_scalar(model, "n", {0, 9}, 0);
    add_scalar(model, "k", {-5, 5}, 0);
    add_scalar(model, "one", {3, 3}, 3);
    add_scalar(model, "wide", {std::numeric_limits<model::Value>::min(), std::numeric_limits<model::Value>::max()}, 0);
    model::Variable array;
    array.name = "a";
    array.range = {0, 3};
    array.length = 4;
    model.add_variable(std::move(array), {0, 0, 0, 0});
    return model;
}

Measure parsed(const std::string& text) {
    support::Result<Measure> measure = parse_measure(model_with_names(), text);
    EXPECT_TRUE(measure) << text;
    return measure ? *std::move(measure) : Measure{};
}

std::string refused(const std::string& text) {
    const support::Result<Measure> measure = parse_measure(model_with_names(), text);
    EXPECT_FALSE(measure) << text;
    return measure.diagnostics().empty() ? "" : support::to_text(measure.diagnostics().front());
}

std::vector<unsigned> bits(const Measure& measure) {
    std::vector<unsigned> result;
    for (const successor::KeyComponent& component : measure.program.components) result.push_back(component.bits);
    return result;
}

TEST(Measure, IsOneExpressionOrSeveralBetweenCommas) {
    EXPECT_EQ(parsed("n").components, (std::vector<std::string>{"n"}));
    EXPECT_EQ(parsed(" n ,\tk + 1\n").components, (std::vector<std::string>{"n", "k + 1"}));
    EXPECT_EQ(parsed("a[n], (a[(n+1)]), -k").components, (std::vector<std::string>{"a[n]", "(a[(n+1)])", "-k"}));
}

TEST(Measure, AComparisonOfAWideSlotGetsNoTable) {
    const Measure measure = parsed("(wide == 3)");
    EXPECT_TRUE(measure.tables.empty());
    EXPECT_EQ(bits(measure), std::vector<unsigned>{1});
    EXPECT_EQ(parsed("(k == 3)").tables.size(), 1U);
}

TEST(Measure, GivesEveryComponentTheBitsOfItsRange) {
    const Measure measure = parsed("n, k, one, 7, -k, a[n], n == 3, wide");
    EXPECT_EQ(bits(measure), (std::vector<unsigned>{4, 4, 0, 0, 4, 2, 1, 64}));
    EXPECT_EQ(measure.program.components[1].low, -5);
    EXPECT_EQ(measure.program.components[4].low, -5);
    EXPECT_EQ(measure.program.components[3].low, 7);
    EXPECT_EQ(measure.program.components[7].low, std::numeric_limits<model::Value>::min());
}

TEST(Measure, MayNeed128BitsButNotMore) {
    EXPECT_EQ(bits(parsed("wide, wide")), (std::vector<unsigned>{64, 64}));
    EXPECT_EQ(bits(parsed("wide, one, wide")), (std::vector<unsigned>{64, 0, 64}));
    EXPECT_EQ(refused("wide, wide, n > 0"),
              "--progress:1:1: error: the measure needs 129 bits, more than 128\n"
              "  wide, wide, n > 0\n"
              "  ^^^^^^^^^^^^^^^^^\n"
              "  use fewer components, or ones of a smaller range\n");
}

TEST(Measure, MistakesAreShownInTheWholeText) {
    EXPECT_EQ(refused("n, kk+1, k"),
              "--progress:1:4: error: unknown name 'kk'\n"
              "  n, kk+1, k\n"
              "     ^^\n"
              "  did you mean 'k'?\n");
    EXPECT_EQ(refused("n,\nk,\nk +"),
              "--progress:3:4: error: expected a name, a number or '(', found the end\n"
              "  k +\n"
              "     ^\n");
    EXPECT_EQ(refused("n +, k"),
              "--progress:1:4: error: expected a name, a number or '(', found the end\n"
              "  n +, k\n"
              "     ^\n");
}

TEST(Measure, CommasInsideParenthesesOrBracketsDoNotSeparate) {
    EXPECT_EQ(refused("k, a[n,k]"),
              "--progress:1:7: error: unexpected ','\n"
              "  k, a[n,k]\n"
              "        ^\n");
    EXPECT_EQ(refused("(n, k"),
              "--progress:1:3: error: unexpected ','\n"
              "  (n, k\n"
              "    ^\n");
    EXPECT_EQ(refused("n), k"),
              "--progress:1:2: error: expected an operator or the end, found ')'\n"
              "  n), k\n"
              "   ^\n");
}

TEST(Measure, OfAVectorIsItsSumAndThenAllPartsButTheLast) {
    EXPECT_EQ(parsed("product(n, k)").components, (std::vector<std::string>{"n + k", "n"}));
    EXPECT_EQ(parsed("\tproduct (n,k ) ").components, (std::vector<std::string>{"n + k", "n"}));
    EXPECT_EQ(parsed("product(n)").components, (std::vector<std::string>{"n"}));
    EXPECT_EQ(parsed("one, product(n, k + 1, a[n]), k").components,
              (std::vector<std::string>{"one", "n + (k + 1) + (a[n])", "n", "k + 1", "k"}));
    const Measure measure = parsed("product(n, k, n == 3)");
    EXPECT_EQ(bits(measure), (std::vector<unsigned>{5, 4, 4}));
    EXPECT_EQ(measure.program.components[0].low, -5);
    EXPECT_EQ(refused("product(n, kk)"),
              "--progress:1:12: error: unknown name 'kk'\n"
              "  product(n, kk)\n"
              "             ^^\n"
              "  did you mean 'k'?\n");
    for (const char* text : {"product()", "product(n,)", "product(,n)", "product( , )"})
        EXPECT_NE(refused(text).find("is empty"), std::string::npos) << text;
    EXPECT_EQ(refused("k, product(n, (k)"),
              "--progress:1:11: error: this parenthesis is not closed\n"
              "  k, product(n, (k)\n"
              "            ^\n"
              "  expected product(EXPR[,EXPR...])\n");
    for (const char* text : {"product(n", "product(", "product (n, k "})
        EXPECT_NE(refused(text).find("is not closed"), std::string::npos) << text;
    // The text after the parenthesis does not belong to the vector.
    EXPECT_EQ(refused("product(n) + (k)"),
              "--progress:1:1: error: unknown name 'product'\n"
              "  product(n) + (k)\n"
              "  ^^^^^^^\n");
    for (const char* text : {"product", "product(n) + 1", "product(product(n))", "products(n)", "1 + product(n)"})
        EXPECT_NE(refused(text), "") << text;
}

TEST(Measure, OfAVectorExtendsTheProductOrder) {
    const model::Model model = model_with_names();
    const Measure measure = parsed("product(n, -k, n % 3)");
    std::vector<std::pair<std::vector<model::Value>, successor::Key>> all;
    std::vector<model::Value> slots = model.initial;
    std::vector<model::Value> stack(64);
    for (slots[0] = 0; slots[0] <= 9; ++slots[0])
        for (slots[1] = -5; slots[1] <= 5; ++slots[1])
            all.push_back({{slots[0], -slots[1], slots[0] % 3},
                           *successor::evaluate_key(measure.program, model.tables, slots.data(), stack.data())});
    for (const auto& [less, less_key] : all) {
        for (const auto& [more, key] : all) {
            bool is_below = true;
            for (std::size_t i = 0; i < less.size(); ++i) is_below = is_below && less[i] <= more[i];
            EXPECT_TRUE(!is_below || less_key <= key);
            EXPECT_EQ(less_key == key, less == more);
        }
    }
}

TEST(Measure, OfAVectorBeginsWithThePartsThatNeverDecrease) {
    model::Model model;
    const model::VariableId up = add_scalar(model, "up", {0, 9}, 0);
    const model::VariableId round = add_scalar(model, "round", {0, 9}, 0);
    const model::VariableId more = add_scalar(model, "more", {0, 9}, 0);
    const model::VariableId down = add_scalar(model, "down", {0, 9}, 9);
    for (const model::VariableId counter : {up, round, more}) model.add_transition(count(model, counter, 1, 9));
    model::Transition back;
    back.guards.push_back(model::Expression::binary(model::Op::equal, model.read(round), number(9)));
    back.effects.emplace_back(assign(round, number(0)));
    back.effects.emplace_back(assign(down, number(0)));
    model.add_transition(back);
    const support::Result<Measure> measure = parse_measure(model, "product(round, up, down, more)");
    ASSERT_TRUE(measure);
    EXPECT_EQ(measure->components, (std::vector<std::string>{"up + more", "up", "round + down", "round"}));
}

TEST(Measure, ComponentsAreNotEmpty) {
    for (const auto& [text, column] :
         {std::pair{"", 1}, {"  ", 1}, {"n,", 3}, {",n", 1}, {"n,,k", 3}, {"n, ,k", 3}, {",", 1}}) {
        const support::Result<Measure> measure = parse_measure(model_with_names(), text);
        ASSERT_FALSE(measure) << text;
        EXPECT_EQ(measure.diagnostics().front().message, "a component of the measure is empty");
        EXPECT_EQ(measure.diagnostics().front().position,
                  (support::SourcePosition{1, static_cast<std::uint32_t>(column)}))
            << text;
    }
}

TEST(Measure, WarningsOfTheExpressionsComeWithIt) {
    const support::Result<Measure> measure = parse_measure(model_with_names(), "k, n or k and n");
    ASSERT_TRUE(measure);
    ASSERT_EQ(measure.diagnostics().size(), 1U);
    EXPECT_EQ(measure.diagnostics().front().severity, support::Severity::warning);
    EXPECT_EQ(measure.diagnostics().front().position, (support::SourcePosition{1, 4}));
}

TEST(OwnMeasure, HasNoComponentsWhereTheModelHasNone) {
    const support::Result<Measure> measure = own_measure(model_with_names());
    ASSERT_TRUE(measure);
    EXPECT_TRUE(measure->components.empty());
    EXPECT_TRUE(measure->program.components.empty());
}

TEST(OwnMeasure, IsPrintedAndPackedAsAGivenOne) {
    model::Model model = model_with_names();
    model.progress = {{model.read(0)}, {model::Expression::binary(model::Op::add, model.read(1), number(1))}};
    const support::Result<Measure> measure = own_measure(model);
    ASSERT_TRUE(measure);
    EXPECT_EQ(measure->components, (std::vector<std::string>{"n", "k + 1"}));
    EXPECT_EQ(bits(*measure), (std::vector<unsigned>{4, 4}));
}

TEST(OwnMeasure, WithAVectorIsThatOfTheSameText) {
    model::Model model = model_with_names();
    model.progress = {{model.read(0), model.read(1)}, {model.read(2)}};
    const support::Result<Measure> own = own_measure(model);
    const support::Result<Measure> given =
        parse_measure(model, "product(n, k), " + model::to_text(model, model.read(2)));
    ASSERT_TRUE(own);
    ASSERT_TRUE(given);
    EXPECT_EQ(own->components, given->components);
    EXPECT_EQ(bits(*own), bits(*given));
    EXPECT_EQ(own->components.front(), "n + k");
}

TEST(OwnMeasure, OfMoreThan128BitsIsRefused) {
    model::Model model = model_with_names();
    model.progress = {{model.read(3)}, {model.read(3)}, {model.read(0)}};
    EXPECT_FALSE(own_measure(model));
}

}  // namespace
}  // namespace tideline::progress
