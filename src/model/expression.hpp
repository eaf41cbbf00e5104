// An expression over the slots of a model, as a postfix program.
//
// Why postfix and not a tree: guards of 90 KB and sums over thousands of places occur, and every consumer (evaluation,
// printing, interval analysis, read sets, code generation) is one loop over the instructions with a stack of what it
// computes; none of them recurses, so no depth of nesting can exhaust the stack.
//
// The right side of and/or/imply and the branches of a choice are skipped where they do not matter: and_then, or_else
// and implies look at the top of the stack and either leave the result there and jump `target` instructions ahead, or
// pop it and continue; the right side then ends with `truth`, which makes it 0 or 1.
#pragma once

#include <cstdint>
#include <vector>

namespace tideline::model {

using Value = std::int64_t;
using SlotId = std::uint32_t;
using TableId = std::uint32_t;

enum class Op : std::uint8_t {
    constant,      // push value
    load,          // push slot `argument`
    load_element,  // pop an index below `value`, push slot `argument` + index
    load_table,    // pop an index, push that entry of the constant table `argument`
    negate,
    complement,
    logical_not,
    truth,
    multiply,
    divide,
    modulo,
    add,
    subtract,
    shift_left,
    shift_right,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    bit_and,
    bit_or,
    bit_xor,
    and_then,
    or_else,
    implies,        // see above; `argument` instructions are skipped
    jump_if_false,  // pop; if 0 skip `argument` instructions
    jump,           // skip `argument` instructions
};

constexpr bool is_binary(Op op) { return op >= Op::multiply && op <= Op::bit_xor; }
constexpr bool is_unary(Op op) { return op >= Op::negate && op <= Op::truth; }

struct Instruction {
    Op op = Op::constant;
    std::uint32_t argument = 0;
    Value value = 0;
    friend bool operator==(const Instruction&, const Instruction&) = default;
};

class Expression {
public:
    Expression() = default;

    static Expression constant(Value value);
    static Expression slot(SlotId slot);
    static Expression element(SlotId first, std::uint32_t length, Expression index);
    static Expression table(TableId table, Expression index);
    static Expression unary(Op op, Expression operand);
    static Expression binary(Op op, Expression left, const Expression& right);
    static Expression both(Expression left, const Expression& right);    // and, short circuit
    static Expression either(Expression left, const Expression& right);  // or, short circuit
    static Expression implication(Expression left, const Expression& right);
    static Expression choice(Expression condition, const Expression& yes, const Expression& no);

    [[nodiscard]] bool empty() const { return code_.empty(); }
    [[nodiscard]] const std::vector<Instruction>& code() const { return code_; }
    [[nodiscard]] bool is_constant() const { return code_.size() == 1 && code_[0].op == Op::constant; }
    [[nodiscard]] Value constant_value() const { return code_[0].value; }
    // The number of stack entries that evaluation needs.
    [[nodiscard]] std::size_t stack_depth() const;

    friend bool operator==(const Expression&, const Expression&) = default;

private:
    static Expression skipping(Op op, Expression left, const Expression& right);
    void append(const Expression& other);

    std::vector<Instruction> code_;
};

}  // namespace tideline::model
