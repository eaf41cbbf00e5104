#include "model/expression.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "model/evaluate.hpp"
#include "model/example_models.hpp"

namespace tideline::model {
namespace {

using examples::number;

constexpr Value kLeast = std::numeric_limits<Value>::min();
constexpr Value kMost = std::numeric_limits<Value>::max();

const std::vector<Table> kTables = {{"t", {10, 20, 30}, true, std::nullopt}};

Evaluation run(const Expression& expression, std::vector<Value> slots = {}) {
    return evaluate(expression, kTables, slots);
}

// An operand that no folding removes.
Expression opaque(SlotId slot = 0) { return Expression::slot(slot); }
Expression fault() { return Expression::binary(Op::divide, opaque(), examples::number(0)); }

Evaluation apply(Op op, Value a, Value b) {
    const Evaluation direct = apply_binary(op, a, b);
    const Evaluation coded = run(Expression::binary(op, opaque(0), opaque(1)), {a, b});
    EXPECT_EQ(direct.fault, coded.fault);
    if (direct.fault == FaultKind::none) {
        EXPECT_EQ(direct.value, coded.value);
    }
    return coded;
}

void expect_value(Op op, Value a, Value b, Value result) {
    const Evaluation evaluation = apply(op, a, b);
    EXPECT_EQ(evaluation.fault, FaultKind::none) << a << ' ' << b;
    EXPECT_EQ(evaluation.value, result) << a << ' ' << b;
    EXPECT_EQ(Expression::binary(op, examples::number(a), examples::number(b)), examples::number(result))
        << "constants are folded to the same value";
}

void expect_fault(Op op, Value a, Value b, FaultKind kind) {
    EXPECT_EQ(apply(op, a, b).fault, kind) << a << ' ' << b;
    EXPECT_FALSE(Expression::binary(op, examples::number(a), examples::number(b)).is_constant())
        << "a fault is not folded away";
    EXPECT_EQ(run(Expression::binary(op, examples::number(a), examples::number(b))).fault, kind);
}

TEST(Evaluate, ArithmeticIsExactOrAFault) {
    expect_value(Op::add, kMost - 1, 1, kMost);
    expect_fault(Op::add, kMost, 1, FaultKind::overflow);
    expect_value(Op::subtract, -1, kMost, kLeast);
    expect_fault(Op::subtract, 0, kLeast, FaultKind::overflow);
    expect_value(Op::multiply, -3, 7, -21);
    expect_fault(Op::multiply, kLeast, -1, FaultKind::overflow);
    expect_fault(Op::multiply, kMost, 2, FaultKind::overflow);
}

TEST(Evaluate, DivisionAndModuloTruncate) {
    expect_value(Op::divide, 7, 2, 3);
    expect_value(Op::divide, -7, 2, -3);
    expect_value(Op::divide, 7, -2, -3);
    expect_value(Op::divide, 7, -1, -7);
    expect_value(Op::divide, kLeast, 1, kLeast);
    expect_fault(Op::divide, kLeast, -1, FaultKind::overflow);
    expect_fault(Op::divide, 1, 0, FaultKind::division);
    expect_value(Op::modulo, 7, 3, 1);
    expect_value(Op::modulo, -7, 3, -1);
    expect_value(Op::modulo, 7, -3, 1);
    expect_value(Op::modulo, kLeast, -1, 0);
    expect_fault(Op::modulo, 0, 0, FaultKind::division);
}

TEST(Evaluate, ShiftsAreMultiplicationAndDivisionByPowersOfTwo) {
    expect_value(Op::shift_left, 3, 4, 48);
    expect_value(Op::shift_left, -3, 4, -48);
    expect_value(Op::shift_left, -1, 63, kLeast);
    expect_value(Op::shift_left, 0, 63, 0);
    expect_value(Op::shift_left, 1, 62, Value{1} << 62);
    expect_fault(Op::shift_left, 1, 63, FaultKind::overflow);
    expect_fault(Op::shift_left, 2, 63, FaultKind::overflow);
    expect_fault(Op::shift_left, 1, 64, FaultKind::shift);
    expect_fault(Op::shift_left, 1, -1, FaultKind::shift);
    expect_value(Op::shift_right, -1, 63, -1);
    expect_value(Op::shift_right, -5, 1, -3);
    expect_value(Op::shift_right, kMost, 62, 1);
    expect_fault(Op::shift_right, 1, 64, FaultKind::shift);
    expect_fault(Op::shift_right, 1, kLeast, FaultKind::shift);
}

TEST(Evaluate, ComparisonsGiveZeroOrOne) {
    const struct {
        Op op;
        Value below, same, above;
    } cases[] = {{Op::less, 1, 0, 0},          {Op::less_equal, 1, 1, 0}, {Op::greater, 0, 0, 1},
                 {Op::greater_equal, 0, 1, 1}, {Op::equal, 0, 1, 0},      {Op::not_equal, 1, 0, 1}};
    for (const auto& c : cases) {
        expect_value(c.op, kLeast, kMost, c.below);
        expect_value(c.op, -4, -4, c.same);
        expect_value(c.op, kMost, kLeast, c.above);
    }
}

TEST(Evaluate, BitsAreCombined) {
    expect_value(Op::bit_and, 12, 10, 8);
    expect_value(Op::bit_or, 12, 10, 14);
    expect_value(Op::bit_xor, 12, 10, 6);
    expect_value(Op::bit_and, -1, 255, 255);
}

TEST(Evaluate, UnaryOperators) {
    const auto unary = [](Op op, Value a) {
        const Evaluation coded = run(Expression::unary(op, opaque()), {a});
        const Evaluation folded = run(Expression::unary(op, examples::number(a)));
        EXPECT_EQ(coded.fault, folded.fault);
        if (coded.fault == FaultKind::none) {
            EXPECT_EQ(coded.value, folded.value);
        }
        return coded;
    };
    EXPECT_EQ(unary(Op::negate, 5).value, -5);
    EXPECT_EQ(unary(Op::negate, kLeast).fault, FaultKind::overflow);
    EXPECT_EQ(unary(Op::complement, 5).value, -6);
    EXPECT_EQ(unary(Op::logical_not, 5).value, 0);
    EXPECT_EQ(unary(Op::logical_not, 0).value, 1);
    EXPECT_EQ(unary(Op::truth, -3).value, 1);
    EXPECT_EQ(unary(Op::truth, 0).value, 0);
}

TEST(Evaluate, AnIndexOutsideTheArrayIsAFaultThatNamesIt) {
    const Expression element = Expression::element(1, 3, opaque());
    EXPECT_EQ(run(element, {0, 7, 8, 9}).value, 7);
    EXPECT_EQ(run(element, {2, 7, 8, 9}).value, 9);
    for (const Value index : {Value{3}, Value{-1}, kLeast, kMost}) {
        const Evaluation result = run(element, {index, 7, 8, 9});
        EXPECT_EQ(result.fault, FaultKind::index);
        EXPECT_EQ(result.value, index);
        EXPECT_EQ(result.at, 1U);
    }
}

TEST(Evaluate, TablesAreIndexedLikeArrays) {
    const Expression entry = Expression::table(0, opaque());
    EXPECT_EQ(run(entry, {2}).value, 30);
    EXPECT_EQ(run(entry, {3}).fault, FaultKind::index);
    EXPECT_EQ(run(entry, {-1}).fault, FaultKind::index);
}

TEST(Evaluate, AConstantIndexIsASlotIfItFits) {
    EXPECT_EQ(Expression::element(4, 3, examples::number(2)), Expression::slot(6));
    EXPECT_EQ(run(Expression::element(4, 3, examples::number(3))).fault, FaultKind::index);
    EXPECT_EQ(run(Expression::element(4, 3, examples::number(-1))).fault, FaultKind::index);
}

TEST(Evaluate, ARightSideThatCannotMatterIsNotEvaluated) {
    EXPECT_EQ(run(Expression::both(opaque(), fault()), {0}).value, 0);
    EXPECT_EQ(run(Expression::both(opaque(), fault()), {5}).fault, FaultKind::division);
    EXPECT_EQ(run(Expression::either(opaque(), fault()), {5}).value, 1);
    EXPECT_EQ(run(Expression::either(opaque(), fault()), {0}).fault, FaultKind::division);
    EXPECT_EQ(run(Expression::implication(opaque(), fault()), {0}).value, 1);
    EXPECT_EQ(run(Expression::implication(opaque(), fault()), {5}).fault, FaultKind::division);
}

TEST(Evaluate, LogicGivesZeroOrOneForAllTruthValues) {
    for (const Value a : {Value{0}, Value{5}}) {
        for (const Value b : {Value{0}, Value{-7}}) {
            EXPECT_EQ(run(Expression::both(opaque(0), opaque(1)), {a, b}).value, a != 0 && b != 0);
            EXPECT_EQ(run(Expression::either(opaque(0), opaque(1)), {a, b}).value, a != 0 || b != 0);
            EXPECT_EQ(run(Expression::implication(opaque(0), opaque(1)), {a, b}).value, a == 0 || b != 0);
            EXPECT_EQ(run(Expression::both(examples::number(a), opaque(1)), {a, b}).value, a != 0 && b != 0);
            EXPECT_EQ(run(Expression::either(examples::number(a), opaque(1)), {a, b}).value, a != 0 || b != 0);
            EXPECT_EQ(run(Expression::implication(examples::number(a), opaque(1)), {a, b}).value, a == 0 || b != 0);
        }
    }
}

TEST(Evaluate, AConstantLeftSideDecidesWithoutTheRightOne) {
    EXPECT_EQ(Expression::both(examples::number(0), fault()), examples::number(0));
    EXPECT_EQ(Expression::either(examples::number(9), fault()), examples::number(1));
    EXPECT_EQ(Expression::implication(examples::number(0), fault()), examples::number(1));
}

TEST(Evaluate, OfAChoiceOneBranchIsEvaluated) {
    const Expression choice = Expression::choice(opaque(1), fault(), opaque(2));
    EXPECT_EQ(run(choice, {1, 0, 42}).value, 42);
    EXPECT_EQ(run(choice, {1, 3, 42}).fault, FaultKind::division);
    EXPECT_EQ(Expression::choice(examples::number(1), examples::number(2), fault()), examples::number(2));
    EXPECT_EQ(Expression::choice(examples::number(0), fault(), examples::number(3)), examples::number(3));
    // Inside a larger expression, on both sides and nested.
    const Expression nested =
        Expression::binary(Op::add,
                           Expression::choice(opaque(0), examples::number(1),
                                              Expression::choice(opaque(1), examples::number(2), examples::number(3))),
                           Expression::binary(Op::multiply, opaque(2), Expression::both(opaque(0), opaque(1))));
    EXPECT_EQ(run(nested, {1, 1, 10}).value, 11);
    EXPECT_EQ(run(nested, {0, 1, 10}).value, 2);
    EXPECT_EQ(run(nested, {0, 0, 10}).value, 3);
}

TEST(Evaluate, AFaultTellsItsInstruction) {
    const Expression sum = Expression::binary(Op::add, opaque(1), Expression::binary(Op::modulo, opaque(1), opaque(0)));
    const Evaluation result = run(sum, {0, 1});
    EXPECT_EQ(result.fault, FaultKind::division);
    EXPECT_EQ(sum.code()[result.at].op, Op::modulo);
}

TEST(Expression, StackDepthIsWhatEvaluationNeeds) {
    EXPECT_EQ(opaque().stack_depth(), 1U);
    EXPECT_EQ(Expression::element(0, 2, opaque()).stack_depth(), 1U);
    EXPECT_EQ(Expression::binary(Op::add, opaque(), opaque()).stack_depth(), 2U);
    EXPECT_EQ(Expression::both(opaque(), opaque()).stack_depth(), 1U);
    EXPECT_EQ(Expression::choice(opaque(), opaque(), opaque()).stack_depth(), 1U);
    EXPECT_EQ(Expression::binary(Op::add, opaque(), Expression::choice(opaque(), opaque(), opaque())).stack_depth(),
              2U);
    Expression right = opaque();
    for (int i = 0; i < 9; ++i) right = Expression::binary(Op::add, opaque(), right);
    EXPECT_EQ(right.stack_depth(), 10U);
    Expression left = opaque();
    for (int i = 0; i < 9; ++i) left = Expression::binary(Op::add, left, opaque());
    EXPECT_EQ(left.stack_depth(), 2U);
}

TEST(Expression, LongChainsNeedNoRecursion) {
    Expression sum = opaque();
    for (int i = 0; i < 200000; ++i) sum = Expression::binary(Op::add, std::move(sum), opaque());
    EXPECT_EQ(run(sum, {2}).value, 400002);
}

}  // namespace
}  // namespace tideline::model
