#include "model/evaluate.hpp"

#include "model/model.hpp"

namespace tideline::model {

Evaluation apply_unary(Op op, Value operand) {
    switch (op) {
        case Op::negate: return apply_binary(Op::subtract, 0, operand);
        case Op::complement: return {FaultKind::none, ~operand};
        case Op::logical_not: return {FaultKind::none, operand == 0};
        case Op::truth: return {FaultKind::none, operand != 0};
        default: return {FaultKind::none, 0};
    }
}

Evaluation evaluate(const Expression& expression, const std::vector<Table>& tables, const Value* slots, Value* stack) {
    const Instruction* at = expression.code().data();
    const auto index = [&](const Instruction* i) { return static_cast<std::uint32_t>(i - expression.code().data()); };
    const Instruction* const end = at + expression.code().size();
    Value* top = stack;  // of the values above the first entry, which stays unused
    for (; at < end; ++at) {
        switch (at->op) {
            case Op::constant: *++top = at->value; break;
            case Op::load: *++top = slots[at->argument]; break;
            case Op::load_element: {
                if (static_cast<std::uint64_t>(*top) >= static_cast<std::uint64_t>(at->value))
                    return {FaultKind::index, *top, index(at)};
                *top = slots[at->argument + static_cast<SlotId>(*top)];
                break;
            }
            case Op::load_table: {
                const std::vector<Value>& values = tables[at->argument].values;
                if (static_cast<std::uint64_t>(*top) >= values.size()) return {FaultKind::index, *top, index(at)};
                *top = values[static_cast<std::size_t>(*top)];
                break;
            }
            case Op::complement: *top = ~*top; break;
            case Op::logical_not: *top = *top == 0; break;
            case Op::truth: *top = *top != 0; break;
            case Op::negate: {
                const Evaluation result = apply_unary(at->op, *top);
                if (result.fault != FaultKind::none) return {result.fault, result.value, index(at)};
                *top = result.value;
                break;
            }
            case Op::and_then:
                if (*top == 0) at += at->argument;
                else --top;
                break;
            case Op::or_else:
                if (*top != 0) {
                    *top = 1;
                    at += at->argument;
                } else --top;
                break;
            case Op::implies:
                if (*top == 0) {
                    *top = 1;
                    at += at->argument;
                } else --top;
                break;
            case Op::jump_if_false:
                if (*top-- == 0) at += at->argument;
                break;
            case Op::jump: at += at->argument; break;
            default: {
                const Evaluation result = apply_binary(at->op, top[-1], *top);
                if (result.fault != FaultKind::none) return {result.fault, result.value, index(at)};
                *--top = result.value;
                break;
            }
        }
    }
    return {FaultKind::none, *top};
}

Evaluation evaluate(const Expression& expression, const std::vector<Table>& tables, std::span<const Value> slots) {
    std::vector<Value> stack(expression.stack_depth() + 1);
    return evaluate(expression, tables, slots.data(), stack.data());
}

}  // namespace tideline::model
