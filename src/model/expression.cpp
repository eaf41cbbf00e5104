#include "model/expression.hpp"

#include <algorithm>

#include "model/evaluate.hpp"

namespace tideline::model {

void Expression::append(const Expression& other) { code_.insert(code_.end(), other.code_.begin(), other.code_.end()); }

Expression Expression::constant(Value value) {
    Expression result;
    result.code_.push_back({Op::constant, 0, value});
    return result;
}

Expression Expression::slot(SlotId slot) {
    Expression result;
    result.code_.push_back({Op::load, slot, 0});
    return result;
}

Expression Expression::element(SlotId first, std::uint32_t length, Expression index) {
    if (index.is_constant() && index.constant_value() >= 0 && index.constant_value() < length)
        return slot(first + static_cast<SlotId>(index.constant_value()));
    index.code_.push_back({Op::load_element, first, length});
    return index;
}

Expression Expression::table(TableId table, Expression index) {
    index.code_.push_back({Op::load_table, table, 0});
    return index;
}

Expression Expression::unary(Op op, Expression operand) {
    if (operand.is_constant()) {
        const Evaluation folded = apply_unary(op, operand.constant_value());
        if (folded.fault == FaultKind::none) return constant(folded.value);
    }
    operand.code_.push_back({op, 0, 0});
    return operand;
}

Expression Expression::binary(Op op, Expression left, const Expression& right) {
    if (left.is_constant() && right.is_constant()) {
        const Evaluation folded = apply_binary(op, left.constant_value(), right.constant_value());
        if (folded.fault == FaultKind::none) return constant(folded.value);
    }
    left.append(right);
    left.code_.push_back({op, 0, 0});
    return left;
}

Expression Expression::skipping(Op op, Expression left, const Expression& right) {
    left.code_.push_back({op, static_cast<std::uint32_t>(right.code_.size() + 1), 0});
    left.append(right);
    left.code_.push_back({Op::truth, 0, 0});
    return left;
}

Expression Expression::both(Expression left, const Expression& right) {
    if (left.is_constant()) return left.constant_value() == 0 ? constant(0) : unary(Op::truth, right);
    return skipping(Op::and_then, std::move(left), right);
}

Expression Expression::either(Expression left, const Expression& right) {
    if (left.is_constant()) return left.constant_value() != 0 ? constant(1) : unary(Op::truth, right);
    return skipping(Op::or_else, std::move(left), right);
}

Expression Expression::implication(Expression left, const Expression& right) {
    if (left.is_constant()) return left.constant_value() == 0 ? constant(1) : unary(Op::truth, right);
    return skipping(Op::implies, std::move(left), right);
}

Expression Expression::choice(Expression condition, const Expression& yes, const Expression& no) {
    if (condition.is_constant()) return condition.constant_value() != 0 ? yes : no;
    condition.code_.push_back({Op::jump_if_false, static_cast<std::uint32_t>(yes.code_.size() + 1), 0});
    condition.append(yes);
    condition.code_.push_back({Op::jump, static_cast<std::uint32_t>(no.code_.size()), 0});
    condition.append(no);
    return condition;
}

std::size_t Expression::stack_depth() const {
    // A skip leaves the stack as the skipped code would, and `jump` is followed by the other branch, which starts one
    // lower.
    std::size_t depth = 0;
    std::size_t deepest = 0;
    for (const Instruction& instruction : code_) {
        if (instruction.op == Op::constant || instruction.op == Op::load) ++depth;
        else if (is_binary(instruction.op) || instruction.op == Op::and_then || instruction.op == Op::or_else ||
                 instruction.op == Op::implies || instruction.op == Op::jump_if_false || instruction.op == Op::jump)
            --depth;
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

}  // namespace tideline::model
