// Copies of expressions, and the values of those that are constant.
#include "input/promela/parser.hpp"

namespace tideline::input::promela {
namespace {

// Promela's arithmetic is that of int.
std::int64_t wrapped(std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

}  // namespace

std::unique_ptr<Reference> clone(const Reference& reference) {
    auto result = std::make_unique<Reference>();
    result->global = reference.global;
    result->scratch = reference.scratch;
    result->declaration = reference.declaration;
    result->fields = reference.fields;
    result->type = reference.type;
    result->length = reference.length;
    result->place = reference.place;
    for (const ExprPtr& index : reference.index) result->index.push_back(index ? clone(*index) : nullptr);
    return result;
}

ExprPtr clone(const Expr& expr) {
    auto result = std::make_unique<Expr>();
    result->kind = expr.kind;
    result->number = expr.number;
    result->unary = expr.unary;
    result->op = expr.op;
    if (expr.reference) result->reference = clone(*expr.reference);
    for (const ExprPtr& operand : expr.operands) result->operands.push_back(clone(*operand));
    for (const Pattern& pattern : expr.patterns) {
        Pattern copy;
        copy.kind = pattern.kind;
        if (pattern.target) copy.target = clone(*pattern.target);
        if (pattern.value) copy.value = clone(*pattern.value);
        result->patterns.push_back(std::move(copy));
    }
    result->anywhere = expr.anywhere;
    result->name = expr.name;
    result->label = expr.label;
    result->process = expr.process;
    result->priority = expr.priority;
    result->place = expr.place;
    return result;
}

std::optional<std::int64_t> constant_value(const Expr& expr) {
    const auto operand = [&](std::size_t i) { return constant_value(*expr.operands[i]); };
    switch (expr.kind) {
        case Expr::Kind::number: return expr.number;
        case Expr::Kind::unary: {
            const std::optional<std::int64_t> a = operand(0);
            if (!a) return std::nullopt;
            switch (expr.unary) {
                case Unary::negate: return wrapped(-*a);
                case Unary::complement: return wrapped(~*a);
                case Unary::logical_not: return *a == 0 ? 1 : 0;
                default: return std::nullopt;
            }
        }
        case Expr::Kind::conditional: {
            const std::optional<std::int64_t> c = operand(0);
            if (!c) return std::nullopt;
            return operand(*c != 0 ? 1 : 2);
        }
        case Expr::Kind::binary: {
            const std::optional<std::int64_t> a = operand(0);
            const std::optional<std::int64_t> b = operand(1);
            if (!a || !b) return std::nullopt;
            switch (expr.op) {
                case Op::multiply: return wrapped(*a * *b);
                case Op::divide: return *b == 0 ? std::nullopt : std::optional(wrapped(*a / *b));
                case Op::modulo: return *b == 0 ? std::nullopt : std::optional(wrapped(*a % *b));
                case Op::add: return wrapped(*a + *b);
                case Op::subtract: return wrapped(*a - *b);
                case Op::shift_left: return *b < 0 || *b > 31 ? std::nullopt : std::optional(wrapped(*a << *b));
                case Op::shift_right: return *b < 0 || *b > 31 ? std::nullopt : std::optional(wrapped(*a >> *b));
                case Op::less: return *a < *b;
                case Op::less_equal: return *a <= *b;
                case Op::greater: return *a > *b;
                case Op::greater_equal: return *a >= *b;
                case Op::equal: return *a == *b;
                case Op::not_equal: return *a != *b;
                case Op::bit_and: return *a & *b;
                case Op::bit_xor: return *a ^ *b;
                case Op::bit_or: return *a | *b;
                case Op::logical_and: return *a != 0 && *b != 0;
                case Op::logical_or: return *a != 0 || *b != 0;
                default: return std::nullopt;
            }
        }
        default: return std::nullopt;
    }
}

}  // namespace tideline::input::promela
