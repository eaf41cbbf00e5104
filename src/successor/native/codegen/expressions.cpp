#include "successor/native/codegen/expressions.hpp"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <limits>

#include "model/interval.hpp"

namespace tideline::codegen {
namespace {

// A bound at the end of the 64 bits means that the result may leave them.
bool may_overflow(Range range) {
    return range.low == std::numeric_limits<tideline::Value>::min() || range.high == std::numeric_limits<tideline::Value>::max();
}

constexpr std::size_t kMostInVain = 16;  // instructions that are cheaper run in vain than skipped

Range hull(Range a, Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

}  // namespace

Known Expressions::pop() {
    const Known top = stack_.back();
    stack_.pop_back();
    return top;
}

Known Expressions::evaluate(const Expression& expression) {
    stack_.clear();
    choices_.clear();
    in_vain_ = 0;
    const std::vector<Instruction>& code = expression.code();
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op == Op::and_then || code[i].op == Op::or_else || code[i].op == Op::implies)
            skip(code, i);
        else
            step(code[i], i);
        while (!choices_.empty() && choices_.back().end == i && choices_.back().other == nullptr) {
            const Choice choice = choices_.back();
            choices_.pop_back();
            join(choice);
        }
    }
    return stack_.back();
}

// Whether running these instructions in vain costs little and cannot be a fault.
bool Expressions::is_harmless(const std::vector<Instruction>& code, std::size_t begin, std::size_t end) const {
    constexpr tideline::Value kSmall = tideline::Value{1} << 40;  // sums of so few such numbers stay inside 64 bits
    if (in_vain_ + (end - begin) > kMostInVain) return false;
    return std::all_of(code.begin() + static_cast<std::ptrdiff_t>(begin), code.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const Instruction& i) {
                           switch (i.op) {
                               case Op::constant: return -kSmall < i.value && i.value < kSmall;
                               case Op::load: return is_inside(state_.held(i.argument), {-kSmall, kSmall});
                               case Op::load_element:
                               case Op::load_table:
                               case Op::multiply:
                               case Op::divide:
                               case Op::modulo:
                               case Op::shift_left:
                               case Op::shift_right:
                               case Op::jump_if_false:
                               case Op::jump: return false;
                               default: return true;
                           }
                       });
}

void Expressions::skip(const std::vector<Instruction>& code, std::size_t at) {
    const Op op = code[at].op;
    const std::size_t end = at + code[at].argument;
    llvm::Value* left = e_.truth(pop());
    Choice choice{end, op, nullptr, {}, {}, nullptr};
    if (is_harmless(code, at + 1, end + 1)) {
        choice.left = left;
        in_vain_ += end - at;
    } else {
        e_.settle();
        in_vain_ = 0;
        const bool when_true = op == Op::or_else;
        const tideline::Value result = op == Op::and_then ? 0 : 1;
        llvm::BasicBlock* right = e_.block("right");
        choice.meet = e_.meeting("meet", e_.i64);
        choice.meet.value->addIncoming(e_.constant(result), e_.b.GetInsertBlock());
        choice.range = {result, result};
        e_.b.CreateCondBr(left, when_true ? choice.meet.block : right, when_true ? right : choice.meet.block);
        e_.b.SetInsertPoint(right);
    }
    choices_.push_back(choice);
}

void Expressions::join(const Choice& choice) {
    const Known right = pop();
    if (choice.left != nullptr) {
        llvm::Value* bit = e_.truth(right);
        switch (choice.op) {
            case Op::and_then: stack_.push_back(e_.from_bit(e_.b.CreateAnd(choice.left, bit))); break;
            case Op::or_else: stack_.push_back(e_.from_bit(e_.b.CreateOr(choice.left, bit))); break;
            default: stack_.push_back(e_.from_bit(e_.b.CreateOr(e_.b.CreateNot(choice.left), bit)));
        }
        return;
    }
    choice.meet.value->addIncoming(right.value, e_.b.GetInsertBlock());
    e_.b.CreateBr(choice.meet.block);
    e_.b.SetInsertPoint(choice.meet.block);
    stack_.push_back({choice.meet.value, hull(choice.range, right.range), nullptr});
}

void Expressions::step(const Instruction& instruction, std::size_t at) {
    switch (instruction.op) {
        case Op::constant: stack_.push_back(e_.known(instruction.value)); break;
        case Op::load: stack_.push_back(state_.read(instruction.argument)); break;
        case Op::load_element: {
            const auto length = static_cast<std::uint32_t>(instruction.value);
            stack_.push_back(state_.read_element(instruction.argument, length, checked_index(pop(), length)));
            break;
        }
        case Op::load_table: stack_.push_back(read_table(instruction.argument, pop())); break;
        case Op::truth: stack_.push_back(e_.from_bit(e_.truth(pop()))); break;
        case Op::logical_not: stack_.push_back(e_.from_bit(e_.b.CreateNot(e_.truth(pop())))); break;
        case Op::complement: {
            const Known a = pop();
            stack_.push_back({e_.b.CreateNot(a.value), {~a.range.high, ~a.range.low}, nullptr});
            break;
        }
        case Op::negate: stack_.push_back(binary(Op::subtract, e_.known(0), pop())); break;
        case Op::jump_if_false: {
            e_.settle();
            llvm::BasicBlock* yes = e_.block("yes");
            llvm::BasicBlock* no = e_.block("no");
            e_.b.CreateCondBr(e_.truth(pop()), yes, no);
            e_.b.SetInsertPoint(yes);
            choices_.push_back({at + instruction.argument, Op::jump, nullptr, {}, {}, no});
            break;
        }
        case Op::jump: {
            // The end of the first branch: its value waits where the second one will arrive.
            Choice& choice = choices_.back();
            const Known first = pop();
            choice.meet = e_.meeting("meet", e_.i64);
            choice.meet.value->addIncoming(first.value, e_.b.GetInsertBlock());
            choice.range = first.range;
            choice.end = at + instruction.argument;
            e_.b.CreateBr(choice.meet.block);
            e_.b.SetInsertPoint(choice.other);
            choice.other = nullptr;
            break;
        }
        default: {
            const Known right = pop();
            const Known left = pop();
            stack_.push_back(binary(instruction.op, left, right));
        }
    }
}

Known Expressions::checked_index(Known index, std::uint32_t length) {
    if (!is_inside(index.range, {0, static_cast<tideline::Value>(length) - 1}))
        e_.require_no_fault(e_.b.CreateICmpULT(index.value, e_.b.getInt64(length)), FaultKind::index);
    index.range = {std::max<tideline::Value>(index.range.low, 0),
                   std::min<tideline::Value>(index.range.high, static_cast<tideline::Value>(length) - 1)};
    return index;
}

Known Expressions::read_table(TableId id, Known index) {
    const std::vector<tideline::Value>& values = e_.request.model.tables[id].values;
    index = checked_index(index, static_cast<std::uint32_t>(values.size()));
    const auto [table, is_new] = tables_.try_emplace(id);
    if (is_new) {
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        table->second = {e_.add_array(values), {*low, *high}};
    }
    return {e_.b.CreateLoad(e_.i64, e_.b.CreateGEP(e_.i64, e_.array(table->second.array), index.value)), table->second.range, nullptr};
}

// ---- operators -----------------------------------------------------------------------------------------------------------------

Known Expressions::arithmetic(Op op, const Known& a, const Known& b, Range range) {
    if (!may_overflow(range)) {
        llvm::Value* plain = op == Op::add        ? e_.b.CreateNSWAdd(a.value, b.value)
                             : op == Op::subtract ? e_.b.CreateNSWSub(a.value, b.value)
                                                  : e_.b.CreateNSWMul(a.value, b.value);
        return {plain, range, nullptr};
    }
    const llvm::Intrinsic::ID id = op == Op::add        ? llvm::Intrinsic::sadd_with_overflow
                                   : op == Op::subtract ? llvm::Intrinsic::ssub_with_overflow
                                                        : llvm::Intrinsic::smul_with_overflow;
    llvm::Value* both = e_.b.CreateBinaryIntrinsic(id, a.value, b.value);
    e_.require_no_fault(e_.b.CreateNot(e_.b.CreateExtractValue(both, 1)), FaultKind::overflow);
    return {e_.b.CreateExtractValue(both, 0), range, nullptr};
}

Known Expressions::division(Op op, const Known& a, const Known& b, Range range) {
    e_.settle();  // slow: not to be run in vain
    if (b.range.holds(0)) e_.require_no_fault(e_.truth(b), FaultKind::division);
    if (!b.range.holds(-1))
        return {op == Op::divide ? e_.b.CreateSDiv(a.value, b.value) : e_.b.CreateSRem(a.value, b.value), range, nullptr};
    // By -1 the machine's division could overflow: the quotient is then 0 - a, the remainder 0.
    constexpr tideline::Value least = std::numeric_limits<tideline::Value>::min();
    llvm::Value* minus_one = e_.b.CreateICmpEQ(b.value, e_.constant(-1));
    llvm::Value* divisor = e_.b.CreateSelect(minus_one, e_.constant(1), b.value);
    if (op == Op::modulo) return {e_.b.CreateSelect(minus_one, e_.constant(0), e_.b.CreateSRem(a.value, divisor)), range, nullptr};
    if (a.range.low == least)
        e_.require_no_fault(e_.b.CreateNot(e_.b.CreateAnd(minus_one, e_.b.CreateICmpEQ(a.value, e_.constant(least)))), FaultKind::overflow);
    return {e_.b.CreateSelect(minus_one, e_.b.CreateNeg(a.value), e_.b.CreateSDiv(a.value, divisor)), range, nullptr};
}

Known Expressions::shift(Op op, const Known& a, const Known& b, Range range) {
    if (!is_inside(b.range, {0, 63})) e_.require_no_fault(e_.b.CreateICmpULE(b.value, e_.b.getInt64(63)), FaultKind::shift);
    if (op == Op::shift_right) return {e_.b.CreateAShr(a.value, b.value), range, nullptr};
    llvm::Value* moved = e_.b.CreateShl(a.value, b.value);
    if (may_overflow(range)) e_.require_no_fault(e_.b.CreateICmpEQ(e_.b.CreateAShr(moved, b.value), a.value), FaultKind::overflow);
    return {moved, range, nullptr};
}

Known Expressions::binary(Op op, const Known& a, const Known& b) {
    const Range range = binary_range(op, a.range, b.range);
    switch (op) {
        case Op::add:
        case Op::subtract:
        case Op::multiply: return arithmetic(op, a, b, range);
        case Op::divide:
        case Op::modulo: return division(op, a, b, range);
        case Op::shift_left:
        case Op::shift_right: return shift(op, a, b, range);
        case Op::less: return e_.from_bit(e_.b.CreateICmpSLT(a.value, b.value));
        case Op::less_equal: return e_.from_bit(e_.b.CreateICmpSLE(a.value, b.value));
        case Op::greater: return e_.from_bit(e_.b.CreateICmpSGT(a.value, b.value));
        case Op::greater_equal: return e_.from_bit(e_.b.CreateICmpSGE(a.value, b.value));
        case Op::equal: return e_.from_bit(e_.b.CreateICmpEQ(a.value, b.value));
        case Op::not_equal: return e_.from_bit(e_.b.CreateICmpNE(a.value, b.value));
        case Op::bit_and: return {e_.b.CreateAnd(a.value, b.value), range, nullptr};
        case Op::bit_or: return {e_.b.CreateOr(a.value, b.value), range, nullptr};
        default: return {e_.b.CreateXor(a.value, b.value), range, nullptr};
    }
}

}  // namespace tideline::codegen
