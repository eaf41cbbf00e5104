#include "model/interval.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "support/wide.hpp"

namespace tideline::model {
namespace {

constexpr Value kLowest = std::numeric_limits<Value>::min();
constexpr Value kHighest = std::numeric_limits<Value>::max();
constexpr Range kAnything{kLowest, kHighest};

Range hull(Range a, Range b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

// A sum or product that leaves 64 bits is a fault and has no value, so the bound is the end of the 64 bits.
Value clamped(support::Int128 value) {
    return static_cast<Value>(std::clamp<support::Int128>(value, kLowest, kHighest));
}

Range product(Range a, Range b) {
    const support::Int128 corners[] = {
        static_cast<support::Int128>(a.low) * b.low, static_cast<support::Int128>(a.low) * b.high,
        static_cast<support::Int128>(a.high) * b.low, static_cast<support::Int128>(a.high) * b.high};
    return {clamped(*std::min_element(corners, corners + 4)), clamped(*std::max_element(corners, corners + 4))};
}

Range quotient(Range a, Range b) {
    // The largest quotients come from the divisors nearest to zero.
    Range result{kHighest, kLowest};
    for (const Value divisor : {b.low, b.high, Value{-1}, Value{1}}) {
        if (divisor == 0 || !b.holds(divisor)) continue;
        for (const Value dividend : {a.low, a.high}) {
            const Value q = clamped(static_cast<support::Int128>(dividend) / divisor);
            result = hull(result, {q, q});
        }
    }
    if (a.holds(0)) result = hull(result, {0, 0});
    return result.low > result.high ? Range{0, 0} : result;
}

Range remainder(Range a, Range b) {
    const support::Int128 largest =
        std::max<support::Int128>(std::max<support::Int128>(b.high, -static_cast<support::Int128>(b.low)), 1) - 1;
    Range result{a.low < 0 ? clamped(-largest) : 0, a.high > 0 ? clamped(largest) : 0};
    if (a.low >= 0) result.high = std::min(result.high, a.high);
    if (a.high <= 0) result.low = std::max(result.low, a.low);
    return result;
}

// All values of as many bits as the operands need.
Range bitwise(Range a, Range b) {
    const auto bits_of = [](Value v) {
        return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(v < 0 ? ~v : v)));
    };
    const unsigned bits = std::max({bits_of(a.low), bits_of(a.high), bits_of(b.low), bits_of(b.high)});
    const Value top = bits >= 63 ? kHighest : (Value{1} << bits) - 1;
    return {a.low < 0 || b.low < 0 ? -top - 1 : 0, top};
}

Range shifted(Op op, Range a, Range b) {
    const Value least = std::clamp<Value>(b.low, 0, 63);
    const Value most = std::clamp<Value>(b.high, 0, 63);
    Range result{kHighest, kLowest};
    for (const Value value : {a.low, a.high}) {
        for (const Value by : {least, most}) {
            const Value moved =
                op == Op::shift_right
                    ? value >> by
                    : clamped(static_cast<support::Int128>(value) * (static_cast<support::Int128>(1) << by));
            result = hull(result, {moved, moved});
        }
    }
    return result;
}

Range binary(Op op, Range a, Range b) {
    switch (op) {
        case Op::add:
            return {clamped(static_cast<support::Int128>(a.low) + b.low),
                    clamped(static_cast<support::Int128>(a.high) + b.high)};
        case Op::subtract:
            return {clamped(static_cast<support::Int128>(a.low) - b.high),
                    clamped(static_cast<support::Int128>(a.high) - b.low)};
        case Op::multiply: return product(a, b);
        case Op::divide: return quotient(a, b);
        case Op::modulo: return remainder(a, b);
        case Op::shift_left:
        case Op::shift_right: return shifted(op, a, b);
        case Op::bit_and:
            if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
            return bitwise(a, b);
        case Op::bit_or:
        case Op::bit_xor: return bitwise(a, b);
        default: return {0, 1};
    }
}

Range unary(Op op, Range a) {
    if (op == Op::negate) return binary(Op::subtract, {0, 0}, a);
    if (op == Op::complement) return {~a.high, ~a.low};
    return {0, 1};
}

class IntervalEvaluator {
public:
    explicit IntervalEvaluator(const Model& model) : model_(model), owners_(model.slot_owners()) {}

    Range run(const Expression& expression) {
        const std::vector<Instruction>& code = expression.code();
        for (std::size_t i = 0; i < code.size(); ++i) {
            step(code[i], i);
            // Both branches of a choice have ended: join their values.
            while (!branches_.empty() && branches_.back().end == i) {
                stack_.back() = hull(stack_.back(), branches_.back().first);
                branches_.pop_back();
            }
        }
        return stack_.empty() ? kAnything : stack_.back();
    }

private:
    struct Branch {
        std::size_t end;
        Range first;
    };

    Range pop() {
        const Range result = stack_.back();
        stack_.pop_back();
        return result;
    }

    void step(const Instruction& instruction, std::size_t at) {
        switch (instruction.op) {
            case Op::constant: stack_.push_back({instruction.value, instruction.value}); break;
            case Op::load: stack_.push_back(model_.variables[owners_[instruction.argument].variable].range); break;
            case Op::load_element:
                stack_.back() = model_.variables[owners_[instruction.argument].variable].range;
                break;
            case Op::load_table: {
                const std::vector<Value>& values = model_.tables[instruction.argument].values;
                const auto [low, high] = std::minmax_element(values.begin(), values.end());
                stack_.back() = values.empty() ? kAnything : Range{*low, *high};
                break;
            }
            // The right side ends with `truth`, so the result is 0 or 1 on both branches.
            case Op::and_then:
            case Op::or_else:
            case Op::implies:
            case Op::jump_if_false: pop(); break;
            case Op::jump: branches_.push_back({at + instruction.argument, pop()}); break;
            default:
                if (is_unary(instruction.op)) {
                    stack_.back() = unary(instruction.op, stack_.back());
                } else {
                    const Range right = pop();
                    stack_.back() = binary(instruction.op, stack_.back(), right);
                }
        }
    }

    const Model& model_;
    std::vector<Model::SlotOwner> owners_;
    std::vector<Range> stack_;
    std::vector<Branch> branches_;
};

}  // namespace

Range binary_range(Op op, Range left, Range right) { return binary(op, left, right); }

Range value_range(const Model& model, const Expression& expression) { return IntervalEvaluator(model).run(expression); }

}  // namespace tideline::model
