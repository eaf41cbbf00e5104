#include "reference/dve_expression.hpp"

#include <limits>

namespace tideline::reference {

namespace {

using input::dve::BinaryOp;

Answer fault(model::FaultKind kind) { return Answer{kind, 0}; }

Answer value(std::int64_t number) { return Answer{model::FaultKind::none, number}; }

// x * 2^bits, one doubling after the other.
Answer shifted_left(std::int64_t x, std::int64_t bits) {
    for (std::int64_t i = 0; i < bits; ++i) {
        if (__builtin_add_overflow(x, x, &x)) return fault(model::FaultKind::overflow);
    }
    return value(x);
}

Answer divided(std::int64_t left, std::int64_t right) {
    if (right == 0) return fault(model::FaultKind::division);
    if (right == -1 && left == std::numeric_limits<std::int64_t>::min()) return fault(model::FaultKind::overflow);
    return value(left / right);
}

Answer remainder(std::int64_t left, std::int64_t right) {
    if (right == 0) return fault(model::FaultKind::division);
    if (right == -1) return value(0);  // also for the smallest number, where it is undefined in C
    return value(left % right);
}

// Both operands are known; the short-circuit operators were handled before.
Answer combined(std::int64_t left, input::dve::BinaryOp op, std::int64_t right) {
    std::int64_t number = 0;
    switch (op) {
        case input::dve::BinaryOp::imply:
        case input::dve::BinaryOp::logical_and:
        case input::dve::BinaryOp::logical_or: return value(right != 0 ? 1 : 0);
        case input::dve::BinaryOp::bit_and: return value(left & right);
        case input::dve::BinaryOp::bit_or: return value(left | right);
        case input::dve::BinaryOp::bit_xor: return value(left ^ right);
        case input::dve::BinaryOp::equal: return value(left == right ? 1 : 0);
        case input::dve::BinaryOp::not_equal: return value(left != right ? 1 : 0);
        case input::dve::BinaryOp::less: return value(left < right ? 1 : 0);
        case input::dve::BinaryOp::less_equal: return value(left <= right ? 1 : 0);
        case input::dve::BinaryOp::greater: return value(left > right ? 1 : 0);
        case input::dve::BinaryOp::greater_equal: return value(left >= right ? 1 : 0);
        case input::dve::BinaryOp::shift_left:
            if (right < 0 || right > 63) return fault(model::FaultKind::shift);
            return shifted_left(left, right);
        case input::dve::BinaryOp::shift_right:
            if (right < 0 || right > 63) return fault(model::FaultKind::shift);
            return value(left >> right);
        case input::dve::BinaryOp::add:
            return __builtin_add_overflow(left, right, &number) ? fault(model::FaultKind::overflow) : value(number);
        case input::dve::BinaryOp::subtract:
            return __builtin_sub_overflow(left, right, &number) ? fault(model::FaultKind::overflow) : value(number);
        case input::dve::BinaryOp::multiply:
            return __builtin_mul_overflow(left, right, &number) ? fault(model::FaultKind::overflow) : value(number);
        case input::dve::BinaryOp::divide: return divided(left, right);
        case input::dve::BinaryOp::modulo: return remainder(left, right);
    }
    return value(0);
}

Answer evaluate_unary(const input::dve::Expr& expression, const NameValues& names) {
    const Answer operand = evaluate(*expression.operands[0], names);
    if (operand.fault != model::FaultKind::none) return operand;
    switch (expression.unary) {
        case input::dve::UnaryOp::negate:
            if (operand.value == std::numeric_limits<std::int64_t>::min()) return fault(model::FaultKind::overflow);
            return value(-operand.value);
        case input::dve::UnaryOp::complement: return value(~operand.value);
        case input::dve::UnaryOp::logical_not: return value(operand.value == 0 ? 1 : 0);
    }
    return operand;
}

Answer evaluate_chain(const input::dve::Expr& expression, const NameValues& names) {
    Answer result = evaluate(*expression.operands[0], names);
    for (std::size_t i = 0; i < expression.operators.size() && result.fault == model::FaultKind::none; ++i) {
        const input::dve::BinaryOp op = expression.operators[i];
        // A right side that cannot matter is not evaluated.
        if (op == input::dve::BinaryOp::logical_and && result.value == 0) continue;
        if ((op == input::dve::BinaryOp::logical_or && result.value != 0) ||
            (op == input::dve::BinaryOp::imply && result.value == 0)) {
            result.value = 1;
            continue;
        }
        const Answer right = evaluate(*expression.operands[i + 1], names);
        result = right.fault == model::FaultKind::none ? combined(result.value, op, right.value) : right;
    }
    return result;
}

}  // namespace

Answer evaluate(const input::dve::Expr& expression, const NameValues& names) {
    switch (expression.kind) {
        case input::dve::Expr::Kind::number: return value(expression.number);
        case input::dve::Expr::Kind::variable:
        case input::dve::Expr::Kind::element:
        case input::dve::Expr::Kind::location: return names.value_of(expression);
        case input::dve::Expr::Kind::unary: return evaluate_unary(expression, names);
        case input::dve::Expr::Kind::chain: return evaluate_chain(expression, names);
    }
    return value(0);
}

bool fits(std::int64_t value, input::dve::Type type) {
    return type == input::dve::Type::byte ? value >= 0 && value <= 255 : value >= -32768 && value <= 32767;
}

std::int64_t wrapped(std::int64_t value, input::dve::Type type) {
    return type == input::dve::Type::byte ? static_cast<std::int64_t>(static_cast<std::uint8_t>(value))
                                          : static_cast<std::int64_t>(static_cast<std::int16_t>(value));
}

}  // namespace tideline::reference
