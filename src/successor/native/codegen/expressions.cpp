#include "successor/native/codegen/expressions.hpp"

#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <limits>

#include "model/interval.hpp"

namespace tideline::successor::codegen {
namespace {

// A bound at the end of the 64 bits means that the result may leave them.
bool may_overflow(model::Range range) {
    return range.low == std::numeric_limits<model::Value>::min() ||
           range.high == std::numeric_limits<model::Value>::max();
}

constexpr std::size_t kMostInVain = 16;  // instructions that are cheaper executed speculatively than skipped

model::Range hull(model::Range a, model::Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

}  // namespace

Known Expressions::pop() {
    const Known top = stack_.back();
    stack_.pop_back();
    return top;
}

Known Expressions::evaluate(const model::Expression& expression) {
    stack_.clear();
    choices_.clear();
    in_vain_ = 0;
    const std::vector<model::Instruction>& code = expression.code();
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].op == model::Op::and_then || code[i].op == model::Op::or_else || code[i].op == model::Op::implies)
            skip(code, i);
        else step(code[i], i);
        while (!choices_.empty() && choices_.back().end == i && choices_.back().other == nullptr) {
            const Choice choice = choices_.back();
            choices_.pop_back();
            join(choice);
        }
    }
    return stack_.back();
}

// Whether executing these instructions speculatively costs little and cannot be a fault.
bool Expressions::is_harmless(const std::vector<model::Instruction>& code, std::size_t begin, std::size_t end) const {
    constexpr model::Value kSmall = model::Value{1} << 40;  // sums of up to this number of such values fit 64 bits
    if (in_vain_ + (end - begin) > kMostInVain) return false;
    return std::all_of(code.begin() + static_cast<std::ptrdiff_t>(begin),
                       code.begin() + static_cast<std::ptrdiff_t>(end), [&](const model::Instruction& i) {
                           switch (i.op) {
                               case model::Op::constant: return -kSmall < i.value && i.value < kSmall;
                               case model::Op::load: return is_inside(state_.held(i.argument), {-kSmall, kSmall});
                               case model::Op::load_element:
                               case model::Op::load_table:
                               case model::Op::multiply:
                               case model::Op::divide:
                               case model::Op::modulo:
                               case model::Op::shift_left:
                               case model::Op::shift_right:
                               case model::Op::jump_if_false:
                               case model::Op::jump: return false;
                               default: return true;
                           }
                       });
}

void Expressions::skip(const std::vector<model::Instruction>& code, std::size_t at) {
    const model::Op op = code[at].op;
    const std::size_t end = at + code[at].argument;
    llvm::Value* left = e_.truth(pop());
    Choice choice{end, op, nullptr, {}, {}, nullptr};
    if (is_harmless(code, at + 1, end + 1)) {
        choice.left = left;
        in_vain_ += end - at;
    } else {
        e_.emit_branch();
        in_vain_ = 0;
        const bool when_true = op == model::Op::or_else;
        const model::Value result = op == model::Op::and_then ? 0 : 1;
        llvm::BasicBlock* right = e_.block("right");
        choice.meet = e_.join_block("meet", e_.i64);
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
            case model::Op::and_then: stack_.push_back(e_.from_bit(e_.b.CreateAnd(choice.left, bit))); break;
            case model::Op::or_else: stack_.push_back(e_.from_bit(e_.b.CreateOr(choice.left, bit))); break;
            default: stack_.push_back(e_.from_bit(e_.b.CreateOr(e_.b.CreateNot(choice.left), bit)));
        }
        return;
    }
    choice.meet.value->addIncoming(right.value, e_.b.GetInsertBlock());
    e_.b.CreateBr(choice.meet.block);
    e_.b.SetInsertPoint(choice.meet.block);
    stack_.push_back({choice.meet.value, hull(choice.range, right.range), nullptr});
}

void Expressions::step(const model::Instruction& instruction, std::size_t at) {
    switch (instruction.op) {
        case model::Op::constant: stack_.push_back(e_.known(instruction.value)); break;
        case model::Op::load: stack_.push_back(state_.read(instruction.argument)); break;
        case model::Op::load_element: {
            const auto length = static_cast<std::uint32_t>(instruction.value);
            stack_.push_back(state_.read_element(instruction.argument, length, checked_index(pop(), length)));
            break;
        }
        case model::Op::load_table: stack_.push_back(read_table(instruction.argument, pop())); break;
        case model::Op::truth: stack_.push_back(e_.from_bit(e_.truth(pop()))); break;
        case model::Op::logical_not: stack_.push_back(e_.from_bit(e_.b.CreateNot(e_.truth(pop())))); break;
        case model::Op::complement: {
            const Known a = pop();
            stack_.push_back({e_.b.CreateNot(a.value), {~a.range.high, ~a.range.low}, nullptr});
            break;
        }
        case model::Op::negate: stack_.push_back(binary(model::Op::subtract, e_.known(0), pop())); break;
        case model::Op::jump_if_false: {
            e_.emit_branch();
            llvm::BasicBlock* yes = e_.block("yes");
            llvm::BasicBlock* no = e_.block("no");
            e_.b.CreateCondBr(e_.truth(pop()), yes, no);
            e_.b.SetInsertPoint(yes);
            choices_.push_back({at + instruction.argument, model::Op::jump, nullptr, {}, {}, no});
            break;
        }
        case model::Op::jump: {
            // The end of the first branch: its value is kept until the second one joins.
            Choice& choice = choices_.back();
            const Known first = pop();
            choice.meet = e_.join_block("meet", e_.i64);
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
    if (!is_inside(index.range, {0, static_cast<model::Value>(length) - 1}))
        e_.require_no_fault(e_.b.CreateICmpULT(index.value, e_.b.getInt64(length)), model::FaultKind::index);
    index.range = {std::max<model::Value>(index.range.low, 0),
                   std::min<model::Value>(index.range.high, static_cast<model::Value>(length) - 1)};
    return index;
}

Known Expressions::read_table(model::TableId id, Known index) {
    const std::vector<model::Value>& values = e_.request.model.tables[id].values;
    index = checked_index(index, static_cast<std::uint32_t>(values.size()));
    const auto [table, is_new] = tables_.try_emplace(id);
    if (is_new) {
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        table->second = {e_.add_array(values), {*low, *high}};
    }
    return {e_.b.CreateLoad(e_.i64, e_.b.CreateGEP(e_.i64, e_.array(table->second.array), index.value)),
            table->second.range, nullptr};
}

// ---- operators ------------------------------------------------------------------------------------------------------

Known Expressions::arithmetic(model::Op op, const Known& a, const Known& b, model::Range range) {
    if (!may_overflow(range)) {
        llvm::Value* plain = op == model::Op::add        ? e_.b.CreateNSWAdd(a.value, b.value)
                             : op == model::Op::subtract ? e_.b.CreateNSWSub(a.value, b.value)
                                                         : e_.b.CreateNSWMul(a.value, b.value);
        return {plain, range, nullptr};
    }
    const llvm::Intrinsic::ID id = op == model::Op::add        ? llvm::Intrinsic::sadd_with_overflow
                                   : op == model::Op::subtract ? llvm::Intrinsic::ssub_with_overflow
                                                               : llvm::Intrinsic::smul_with_overflow;
    llvm::Value* both = e_.b.CreateBinaryIntrinsic(id, a.value, b.value);
    e_.require_no_fault(e_.b.CreateNot(e_.b.CreateExtractValue(both, 1)), model::FaultKind::overflow);
    return {e_.b.CreateExtractValue(both, 0), range, nullptr};
}

Known Expressions::division(model::Op op, const Known& a, const Known& b, model::Range range) {
    e_.emit_branch();  // slow: not to be executed speculatively
    if (b.range.holds(0)) e_.require_no_fault(e_.truth(b), model::FaultKind::division);
    if (!b.range.holds(-1))
        return {op == model::Op::divide ? e_.b.CreateSDiv(a.value, b.value) : e_.b.CreateSRem(a.value, b.value), range,
                nullptr};
    // By -1 the machine's division could overflow: the quotient is then 0 - a, the remainder 0.
    constexpr model::Value least = std::numeric_limits<model::Value>::min();
    llvm::Value* minus_one = e_.b.CreateICmpEQ(b.value, e_.constant(-1));
    llvm::Value* divisor = e_.b.CreateSelect(minus_one, e_.constant(1), b.value);
    if (op == model::Op::modulo)
        return {e_.b.CreateSelect(minus_one, e_.constant(0), e_.b.CreateSRem(a.value, divisor)), range, nullptr};
    if (a.range.low == least)
        e_.require_no_fault(e_.b.CreateNot(e_.b.CreateAnd(minus_one, e_.b.CreateICmpEQ(a.value, e_.constant(least)))),
                            model::FaultKind::overflow);
    return {e_.b.CreateSelect(minus_one, e_.b.CreateNeg(a.value), e_.b.CreateSDiv(a.value, divisor)), range, nullptr};
}

Known Expressions::shift(model::Op op, const Known& a, const Known& b, model::Range range) {
    if (!is_inside(b.range, {0, 63}))
        e_.require_no_fault(e_.b.CreateICmpULE(b.value, e_.b.getInt64(63)), model::FaultKind::shift);
    if (op == model::Op::shift_right) return {e_.b.CreateAShr(a.value, b.value), range, nullptr};
    llvm::Value* moved = e_.b.CreateShl(a.value, b.value);
    if (may_overflow(range))
        e_.require_no_fault(e_.b.CreateICmpEQ(e_.b.CreateAShr(moved, b.value), a.value), model::FaultKind::overflow);
    return {moved, range, nullptr};
}

Known Expressions::binary(model::Op op, const Known& a, const Known& b) {
    const model::Range range = model::binary_range(op, a.range, b.range);
    switch (op) {
        case model::Op::add:
        case model::Op::subtract:
        case model::Op::multiply: return arithmetic(op, a, b, range);
        case model::Op::divide:
        case model::Op::modulo: return division(op, a, b, range);
        case model::Op::shift_left:
        case model::Op::shift_right: return shift(op, a, b, range);
        case model::Op::less: return e_.from_bit(e_.b.CreateICmpSLT(a.value, b.value));
        case model::Op::less_equal: return e_.from_bit(e_.b.CreateICmpSLE(a.value, b.value));
        case model::Op::greater: return e_.from_bit(e_.b.CreateICmpSGT(a.value, b.value));
        case model::Op::greater_equal: return e_.from_bit(e_.b.CreateICmpSGE(a.value, b.value));
        case model::Op::equal: return e_.from_bit(e_.b.CreateICmpEQ(a.value, b.value));
        case model::Op::not_equal: return e_.from_bit(e_.b.CreateICmpNE(a.value, b.value));
        case model::Op::bit_and: return {e_.b.CreateAnd(a.value, b.value), range, nullptr};
        case model::Op::bit_or: return {e_.b.CreateOr(a.value, b.value), range, nullptr};
        default: return {e_.b.CreateXor(a.value, b.value), range, nullptr};
    }
}

}  // namespace tideline::successor::codegen
