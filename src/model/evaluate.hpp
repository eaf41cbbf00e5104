// What the operators compute, and the evaluation of an expression on unpacked values. The meaning of every operator is
// defined only here; code generation follows it.
#pragma once

#include <span>

#include "model/expression.hpp"
#include "model/fault.hpp"

namespace tideline::model {

struct Table;

struct Evaluation {
    FaultKind fault = FaultKind::none;
    Value value = 0;       // with a fault: the offending index or number of bits, where there is one
    std::uint32_t at = 0;  // with a fault: the instruction where it arose
};

Evaluation apply_unary(Op op, Value operand);

inline Evaluation apply_binary(Op op, Value a, Value b) {
    Value result = 0;
    switch (op) {
        case Op::multiply:
            return {__builtin_mul_overflow(a, b, &result) ? FaultKind::overflow : FaultKind::none, result};
        case Op::add: return {__builtin_add_overflow(a, b, &result) ? FaultKind::overflow : FaultKind::none, result};
        case Op::subtract:
            return {__builtin_sub_overflow(a, b, &result) ? FaultKind::overflow : FaultKind::none, result};
        case Op::divide:
            if (b == 0) return {FaultKind::division, 0};
            if (b == -1) return apply_binary(Op::subtract, 0, a);
            return {FaultKind::none, a / b};
        case Op::modulo:
            if (b == 0) return {FaultKind::division, 0};
            return {FaultKind::none, b == -1 ? 0 : a % b};
        case Op::shift_left:
            if (b < 0 || b > 63) return {FaultKind::shift, b};
            result = static_cast<Value>(static_cast<std::uint64_t>(a) << b);
            return {(result >> b) != a ? FaultKind::overflow : FaultKind::none, result};
        case Op::shift_right:
            if (b < 0 || b > 63) return {FaultKind::shift, b};
            return {FaultKind::none, a >> b};
        case Op::less: return {FaultKind::none, a < b};
        case Op::less_equal: return {FaultKind::none, a <= b};
        case Op::greater: return {FaultKind::none, a > b};
        case Op::greater_equal: return {FaultKind::none, a >= b};
        case Op::equal: return {FaultKind::none, a == b};
        case Op::not_equal: return {FaultKind::none, a != b};
        case Op::bit_and: return {FaultKind::none, a & b};
        case Op::bit_or: return {FaultKind::none, a | b};
        case Op::bit_xor: return {FaultKind::none, a ^ b};
        default: return {FaultKind::none, 0};
    }
}

// Evaluates in a state given as one value per slot. `stack` has stack_depth() + 1 entries.
Evaluation evaluate(const Expression& expression, const std::vector<Table>& tables, const Value* slots, Value* stack);

// The same with its own stack, where speed does not matter.
Evaluation evaluate(const Expression& expression, const std::vector<Table>& tables, std::span<const Value> slots);

}  // namespace tideline::model
