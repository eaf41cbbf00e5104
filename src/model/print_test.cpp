#include "model/print.hpp"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "model/evaluate.hpp"
#include "model/example_models.hpp"
#include "model/parse_expression.hpp"

namespace tideline::model {
namespace {

using namespace examples;

Model example() {
    Model model;
    add_scalar(model, "x", {-9, 9}, 1);
    add_array(model, "a", {-9, 9}, {1, 2, 3});
    const ProcessId p = add_process(model, "P", {"s", "t"});
    add_scalar(model, "P.n", {-9, 9}, 0);
    add_array(model, "c", {-9, 9}, {0, 0});
    model.variables.back().element_suffix = ".0";
    add_array(model, "c", {-9, 9}, {0, 0});
    model.variables.back().element_suffix = ".1";
    model.tables.push_back({"t", {4, -6, 0}, true, std::nullopt});
    model.labels.push_back({"busy", model.at(p, 1), {}});
    return model;
}

class RandomExpressions {
public:
    explicit RandomExpressions(const Model& model) : model_(model) {}

    Expression make(int depth) {
        if (depth == 0) return leaf();
        switch (below(8)) {
            case 0:
                return Expression::unary(static_cast<Op>(static_cast<unsigned>(Op::negate) + below(4)),
                                         make(depth - 1));
            case 1: return Expression::both(make(depth - 1), make(depth - 1));
            case 2: return Expression::either(make(depth - 1), make(depth - 1));
            case 3: return Expression::implication(make(depth - 1), make(depth - 1));
            case 4: return Expression::table(0, make(depth - 1));
            case 5: return model_.read(1, make(depth - 1));
            default: {
                constexpr unsigned kFirst = static_cast<unsigned>(Op::multiply);
                constexpr unsigned kLast = static_cast<unsigned>(Op::bit_xor);
                return Expression::binary(static_cast<Op>(kFirst + below(kLast - kFirst + 1)), make(depth - 1),
                                          make(depth - 1));
            }
        }
    }

    std::uint64_t below(std::uint64_t n) { return random_() % n; }

private:
    Expression leaf() {
        if (below(20) == 0) return number(std::numeric_limits<Value>::min());
        if (below(3) == 0) return number(static_cast<Value>(below(9)) - 4);
        if (below(9) == 0) return model_.at(0, static_cast<Value>(below(2)));
        const auto slot = static_cast<SlotId>(below(model_.slot_count()));
        return Expression::slot(slot == model_.variables[model_.processes[0].location].first_slot ? 0 : slot);
    }

    const Model& model_;
    std::mt19937_64 random_{17};
};

TEST(Print, WhatIsPrintedReadsBackWithTheSameValues) {
    const Model model = example();
    RandomExpressions random(model);
    std::size_t without_fault = 0;
    for (int i = 0; i < 3000; ++i) {
        const Expression expression = random.make(1 + i % 5);
        const std::string text = to_text(model, expression);
        const support::Result<Expression> again = parse_expression(model, support::SourceText("e", text));
        if (!again && again.diagnostics().at(0).message.find("is outside") != std::string::npos) continue;
        ASSERT_TRUE(again) << support::to_text(again.diagnostics().at(0));
        EXPECT_TRUE(again.diagnostics().empty()) << text;
        for (int j = 0; j < 10; ++j) {
            std::vector<Value> slots(model.slot_count());
            for (Value& slot : slots) slot = static_cast<Value>(random.below(7)) - 3;
            const Evaluation expected = evaluate(expression, model.tables, slots);
            const Evaluation found = evaluate(*again, model.tables, slots);
            ASSERT_EQ(found.fault, expected.fault) << text;
            if (expected.fault != FaultKind::none) continue;
            ASSERT_EQ(found.value, expected.value) << text;
            ++without_fault;
        }
    }
    EXPECT_GT(without_fault, 5000U);
}

TEST(Print, ExpressionsReadAsPeopleWriteThem) {
    const Model model = example();
    const Expression x = model.read(0);
    EXPECT_EQ(to_text(model, Expression::both(x, Expression::unary(Op::logical_not, model.read(1, x)))),
              "x and (not a[x])");
    EXPECT_EQ(to_text(model, Expression::binary(Op::add, number(-1), x)), "(-1) + x");
    EXPECT_EQ(to_text(model, model.read(5, number(1))), "c[1].1");
    EXPECT_EQ(to_text(model, Expression::unary(Op::truth, x)), "x != 0");
    EXPECT_EQ(to_text(model, Expression::choice(x, number(1), Expression::both(x, Expression::unary(Op::truth, x)))),
              "x ? 1 : (x and (x != 0))");
    EXPECT_EQ(to_text(model, Expression::choice(Expression::choice(x, x, x), Expression::either(x, x),
                                                Expression::unary(Op::truth, x))),
              "(x ? x : x) ? (x or x) : (x != 0)");
    EXPECT_EQ(to_text(model, number(std::numeric_limits<Value>::min())), "-9223372036854775807 - 1");
}

TEST(Print, AModelIsShownWhole) {
    Model model = example();
    Transition step = move(0, 0, 1);
    step.label = "go";
    step.priority = 2;
    step.marks = 3;
    step.committed = true;
    step.guards.push_back(model.read(0));
    Assign swap;
    swap.targets = {{0, std::nullopt}, {1, model.read(0)}};
    swap.values = {number(1), number(2)};
    swap.wrap = true;
    step.effects.emplace_back(swap);
    step.effects.emplace_back(Shift{1, number(0), 3});
    model.add_transition(step);
    const std::string text = to_text(model);
    for (const char* part :
         {"constant t = {4, -6, 0}", "slot 1: a[3] in -9..9 = 1, 2, 3", "process P\n  locations s t\n",
          "transition 0 [go] P: s -> t (line 1) committed priority 2 marks 0x3\n", "  guard x\n",
          "  effect x, a[x] := 1, 2 (wraps)\n", "  effect shift a from 0 by one of 3\n", "  reads x a[0] a[1] a[2] P\n",
          "  writes x a[0] a[1] a[2] P\n", "label busy := P.t\n"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "in:\n" << text;
}

}  // namespace
}  // namespace tideline::model
