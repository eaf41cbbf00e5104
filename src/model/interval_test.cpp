#include "model/interval.hpp"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "model/evaluate.hpp"
#include "model/example_models.hpp"

namespace tideline::model {
namespace {

using namespace examples;

constexpr Value kLowest = std::numeric_limits<Value>::min();
constexpr Value kHighest = std::numeric_limits<Value>::max();

constexpr Op kBinary[] = {Op::multiply,    Op::divide,  Op::modulo,     Op::add,     Op::subtract,      Op::shift_left,
                          Op::shift_right, Op::less,    Op::less_equal, Op::greater, Op::greater_equal, Op::equal,
                          Op::not_equal,   Op::bit_and, Op::bit_or,     Op::bit_xor};
constexpr Op kUnary[] = {Op::negate, Op::complement, Op::logical_not, Op::truth};

Range range_of(Op op, Range left, Range right) {
    Model model;
    add_scalar(model, "a", left, left.low);
    add_scalar(model, "b", right, right.low);
    return value_range(model, Expression::binary(op, model.read(0), model.read(1)));
}

// All values that an operator has on small ranges, by enumeration.
Range tried(Op op, Range left, Range right, bool& any) {
    Range result{kHighest, kLowest};
    any = false;
    for (Value a = left.low; a <= left.high; ++a) {
        for (Value b = right.low; b <= right.high; ++b) {
            const Evaluation e = apply_binary(op, a, b);
            if (e.fault != FaultKind::none) continue;
            any = true;
            result = {std::min(result.low, e.value), std::max(result.high, e.value)};
        }
    }
    return result;
}

TEST(Interval, CoversEveryOperatorOnAllSmallRanges) {
    for (const Op op : kBinary) {
        for (Value a = -4; a <= 4; ++a)
            for (Value b = a; b <= 4; ++b)
                for (Value c = -4; c <= 4; ++c)
                    for (Value d = c; d <= 4; ++d) {
                        bool any = false;
                        const Range real = tried(op, {a, b}, {c, d}, any);
                        const Range found = range_of(op, {a, b}, {c, d});
                        ASSERT_LE(found.low, found.high);
                        if (!any) continue;
                        ASSERT_TRUE(found.holds(real.low) && found.holds(real.high))
                            << static_cast<int>(op) << " [" << a << ", " << b << "] [" << c << ", " << d << "]";
                    }
    }
}

TEST(Interval, IsExactWhereKeysShallBeShort) {
    for (const Op op : {Op::add, Op::subtract, Op::multiply, Op::divide}) {
        for (const Range left : {Range{0, 9}, Range{-4, 7}, Range{3, 3}}) {
            for (const Range right : {Range{1, 4}, Range{-2, 5}, Range{0, 1}}) {
                bool any = false;
                EXPECT_EQ(range_of(op, left, right), tried(op, left, right, any)) << static_cast<int>(op);
            }
        }
    }
    EXPECT_EQ(range_of(Op::modulo, {0, 255}, {8, 8}), (Range{0, 7}));
    EXPECT_EQ(range_of(Op::less, {0, 255}, {0, 255}), (Range{0, 1}));
    EXPECT_EQ(range_of(Op::bit_and, {0, 255}, {0, 7}), (Range{0, 7}));
}

TEST(Interval, OfConstantsHasOneValue) {
    const Model model;
    for (const Value value : {kLowest, Value{-1}, Value{0}, kHighest})
        EXPECT_EQ(value_range(model, number(value)), (Range{value, value}));
}

TEST(Interval, SumsAndProductsEndWhereFaultsBegin) {
    constexpr Range kAll{kLowest, kHighest};
    for (const Op op : {Op::add, Op::subtract, Op::multiply, Op::divide, Op::shift_left, Op::bit_xor, Op::bit_and})
        EXPECT_EQ(range_of(op, kAll, kAll), kAll) << static_cast<int>(op);
    EXPECT_EQ(range_of(Op::modulo, kAll, kAll), (Range{-kHighest, kHighest}));
}

TEST(Interval, OfAnElementOrATableIsThatOfAllEntries) {
    Model model;
    Variable array;
    array.name = "a";
    array.range = {-3, 4};
    array.length = 3;
    const VariableId a = model.add_variable(std::move(array), {0, 0, 0});
    const VariableId i = add_scalar(model, "i", {0, 9}, 0);
    model.tables.push_back({"t", {5, -7, 2}, true, std::nullopt});
    model.tables.push_back({"none", {}, true, std::nullopt});
    EXPECT_EQ(value_range(model, model.read(a, model.read(i))), (Range{-3, 4}));
    EXPECT_EQ(value_range(model, Expression::table(0, model.read(i))), (Range{-7, 5}));
    const Range any = value_range(model, Expression::table(1, model.read(i)));
    EXPECT_LE(any.low, any.high);
}

TEST(Interval, OfAChoiceIsThatOfBothBranches) {
    Model model;
    const VariableId x = add_scalar(model, "x", {0, 9}, 0);
    const Expression inner = Expression::choice(model.read(x), number(-8), number(3));
    EXPECT_EQ(value_range(model, Expression::choice(model.read(x), number(20), inner)), (Range{-8, 20}));
    EXPECT_EQ(value_range(model, Expression::choice(model.read(x), inner, number(20))), (Range{-8, 20}));
    EXPECT_EQ(value_range(model, Expression::binary(Op::add, Expression::choice(inner, inner, inner), model.read(x))),
              (Range{-8, 12}));
}

class RandomExpressions {
public:
    explicit RandomExpressions(std::uint64_t seed) : random_(seed) {
        for (int i = 0; i < 3; ++i) add_scalar(model, "x" + std::to_string(i), some_range(), 0);
        Variable array;
        array.name = "a";
        array.range = some_range();
        array.length = 3;
        model.add_variable(std::move(array), {0, 0, 0});
        model.tables.push_back({"t", {some_value(), some_value(), some_value()}, true, std::nullopt});
    }

    Expression expression(int depth) {
        if (depth == 0 || below(8) == 0) return leaf();
        switch (below(10)) {
            case 0: return Expression::unary(kUnary[below(std::size(kUnary))], expression(depth - 1));
            case 1: return Expression::both(expression(depth - 1), expression(depth - 1));
            case 2: return Expression::either(expression(depth - 1), expression(depth - 1));
            case 3: return Expression::implication(expression(depth - 1), expression(depth - 1));
            case 4: return Expression::choice(expression(depth - 1), expression(depth - 1), expression(depth - 1));
            case 5: return model.read(3, Expression::binary(Op::bit_and, expression(depth - 1), number(3)));
            case 6: return Expression::table(0, Expression::binary(Op::bit_and, expression(depth - 1), number(3)));
            default:
                return Expression::binary(kBinary[below(std::size(kBinary))], expression(depth - 1),
                                          expression(depth - 1));
        }
    }

    std::vector<Value> slots() {
        std::vector<Value> values;
        for (const Variable& variable : model.variables)
            for (std::uint32_t i = 0; i < variable.slot_count(); ++i) values.push_back(value_in(variable.range));
        return values;
    }

    Model model;

private:
    std::size_t below(std::size_t n) { return random_() % n; }

    Expression leaf() { return below(3) == 0 ? number(some_value()) : model.read(static_cast<VariableId>(below(3))); }

    Value some_value() {
        switch (below(8)) {
            case 0: return kLowest + static_cast<Value>(below(3));
            case 1: return kHighest - static_cast<Value>(below(3));
            case 2: return static_cast<Value>(random_()) >> below(64);
            default: return static_cast<Value>(below(21)) - 10;
        }
    }

    Range some_range() {
        const Value a = some_value();
        const Value b = some_value();
        return {std::min(a, b), std::max(a, b)};
    }

    Value value_in(Range range) {
        const std::uint64_t span = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
        const std::uint64_t offset = below(3) == 0               ? 0
                                     : below(2) == 0             ? span
                                     : span == ~std::uint64_t{0} ? random_()
                                                                 : random_() % (span + 1);
        const Value value = static_cast<Value>(static_cast<std::uint64_t>(range.low) + offset);
        if (below(3) != 0) return value;
        // With small numbers, shifts, indices and quotients often succeed.
        const Value small = static_cast<Value>(below(9)) - 4;
        return range.holds(small) ? small : value;
    }

    std::mt19937_64 random_;
};

TEST(Interval, HoldsEveryValueOfRandomExpressionsOnRandomStates) {
    std::uint64_t evaluated = 0;
    for (std::uint64_t seed = 0; seed < 8000; ++seed) {
        RandomExpressions source(seed);
        const Expression expression = source.expression(1 + static_cast<int>(seed % 4));
        const Range range = value_range(source.model, expression);
        ASSERT_LE(range.low, range.high);
        for (int i = 0; i < 30; ++i) {
            const Evaluation result = evaluate(expression, source.model.tables, source.slots());
            if (result.fault != FaultKind::none) continue;
            ++evaluated;
            ASSERT_TRUE(range.holds(result.value))
                << "seed " << seed << ": " << result.value << " is not in [" << range.low << ", " << range.high << "]";
        }
    }
    EXPECT_GT(evaluated, 80000U);
}

}  // namespace
}  // namespace tideline::model
