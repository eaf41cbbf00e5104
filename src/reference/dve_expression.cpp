#include "reference/dve_expression.hpp"

#include <limits>

namespace tideline::reference {

namespace {

using dve::BinaryOp;

Answer fault(FaultKind kind) {
    return Answer{kind, 0};
}

Answer value(std::int64_t number) {
    return Answer{FaultKind::none, number};
}

// x * 2^bits, one doubling after the other.
Answer shifted_left(std::int64_t x, std::int64_t bits) {
    for (std::int64_t i = 0; i < bits; ++i) {
        if (__builtin_add_overflow(x, x, &x)) return fault(FaultKind::overflow);
    }
    return value(x);
}

Answer divided(std::int64_t left, std::int64_t right) {
    if (right == 0) return fault(FaultKind::division);
    if (right == -1 && left == std::numeric_limits<std::int64_t>::min()) return fault(FaultKind::overflow);
    return value(left / right);
}

Answer remainder(std::int64_t left, std::int64_t right) {
    if (right == 0) return fault(FaultKind::division);
    if (right == -1) return value(0);  // also for the smallest number, where C leaves it undefined
    return value(left % right);
}

// Both operands are known; the operators that may skip one of them have been dealt with.
Answer combined(std::int64_t left, BinaryOp op, std::int64_t right) {
    std::int64_t number = 0;
    switch (op) {
        case BinaryOp::imply:
        case BinaryOp::logical_and:
        case BinaryOp::logical_or: return value(right != 0 ? 1 : 0);
        case BinaryOp::bit_and: return value(left & right);
        case BinaryOp::bit_or: return value(left | right);
        case BinaryOp::bit_xor: return value(left ^ right);
        case BinaryOp::equal: return value(left == right ? 1 : 0);
        case BinaryOp::not_equal: return value(left != right ? 1 : 0);
        case BinaryOp::less: return value(left < right ? 1 : 0);
        case BinaryOp::less_equal: return value(left <= right ? 1 : 0);
        case BinaryOp::greater: return value(left > right ? 1 : 0);
        case BinaryOp::greater_equal: return value(left >= right ? 1 : 0);
        case BinaryOp::shift_left:
            if (right < 0 || right > 63) return fault(FaultKind::shift);
            return shifted_left(left, right);
        case BinaryOp::shift_right:
            if (right < 0 || right > 63) return fault(FaultKind::shift);
            return value(left >> right);
        case BinaryOp::add:
            return __builtin_add_overflow(left, right, &number) ? fault(FaultKind::overflow) : value(number);
        case BinaryOp::subtract:
            return __builtin_sub_overflow(left, right, &number) ? fault(FaultKind::overflow) : value(number);
        case BinaryOp::multiply:
            return __builtin_mul_overflow(left, right, &number) ? fault(FaultKind::overflow) : value(number);
        case BinaryOp::divide: return divided(left, right);
        case BinaryOp::modulo: return remainder(left, right);
    }
    return value(0);
}

Answer evaluate_unary(const dve::Expr& expression, const NameValues& names) {
    const Answer operand = evaluate(*expression.operands[0], names);
    if (operand.fault != FaultKind::none) return operand;
    switch (expression.unary) {
        case dve::UnaryOp::negate:
            if (operand.value == std::numeric_limits<std::int64_t>::min()) return fault(FaultKind::overflow);
            return value(-operand.value);
        case dve::UnaryOp::complement: return value(~operand.value);
        case dve::UnaryOp::logical_not: return value(operand.value == 0 ? 1 : 0);
    }
    return operand;
}

Answer evaluate_chain(const dve::Expr& expression, const NameValues& names) {
    Answer result = evaluate(*expression.operands[0], names);
    for (std::size_t i = 0; i < expression.operators.size() && result.fault == FaultKind::none; ++i) {
        const BinaryOp op = expression.operators[i];
        // A right side that cannot matter is not looked at.
        if (op == BinaryOp::logical_and && result.value == 0) continue;
        if ((op == BinaryOp::logical_or && result.value != 0) || (op == BinaryOp::imply && result.value == 0)) {
            result.value = 1;
            continue;
        }
        const Answer right = evaluate(*expression.operands[i + 1], names);
        result = right.fault == FaultKind::none ? combined(result.value, op, right.value) : right;
    }
    return result;
}

}  // namespace

Answer evaluate(const dve::Expr& expression, const NameValues& names) {
    switch (expression.kind) {
        case dve::Expr::Kind::number: return value(expression.number);
        case dve::Expr::Kind::variable:
        case dve::Expr::Kind::element:
        case dve::Expr::Kind::location: return names.value_of(expression);
        case dve::Expr::Kind::unary: return evaluate_unary(expression, names);
        case dve::Expr::Kind::chain: return evaluate_chain(expression, names);
    }
    return value(0);
}

bool fits(std::int64_t value, dve::Type type) {
    return type == dve::Type::byte ? value >= 0 && value <= 255 : value >= -32768 && value <= 32767;
}

std::int64_t wrapped(std::int64_t value, dve::Type type) {
    return type == dve::Type::byte ? static_cast<std::int64_t>(static_cast<std::uint8_t>(value))
                                   : static_cast<std::int64_t>(static_cast<std::int16_t>(value));
}

}  // namespace tideline::reference
