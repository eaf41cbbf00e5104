#include "reduce/term.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "model/interval.hpp"

namespace tideline::reduce {
namespace {

using model::Op;
using model::Range;
using model::Value;

constexpr Range kTruth{0, 1};

bool is_connective(Op op) { return op == Op::and_then || op == Op::or_else || op == Op::implies; }

// Whether a sum, product and so on of values of these ranges is never a fault.
bool never_faulty(Op op, Range left, Range right, Range result) {
    switch (op) {
        case Op::divide:
        case Op::modulo: return !right.holds(0);
        case Op::shift_right: return right.low >= 0 && right.high <= 63;
        // The ends of 64 bits may stand for what lies beyond them.
        case Op::multiply:
        case Op::add:
        case Op::subtract:
            return result.low > std::numeric_limits<Value>::min() && result.high < std::numeric_limits<Value>::max();
        case Op::shift_left:
            return right.low >= 0 && right.high <= 62 && left.low >= 0 && result.high < (Value{1} << 62);
        default: return true;
    }
}

class TermBuilder {
public:
    explicit TermBuilder(const model::Model& model) : model_(model) {}

    Term build(const model::Expression& expression) {
        const std::vector<model::Instruction>& code = expression.code();
        for (std::size_t i = 0; i < code.size(); ++i) {
            step(code[i], i);
            while (!open_.empty() && open_.back().end == i) close();
        }
        assert(stack_.size() == 1 && open_.empty());
        return pop();
    }

private:
    // A connective or choice whose last operand is still to come; it ends after instruction `end`.
    struct Open {
        Op op;
        std::size_t end;
        std::vector<Term> operands;
    };

    Term pop() {
        Term term = std::move(stack_.back());
        stack_.pop_back();
        return term;
    }

    void step(const model::Instruction& instruction, std::size_t at) {
        Term term;
        term.op = instruction.op;
        term.argument = instruction.argument;
        term.value = instruction.value;
        term.is_total = true;
        switch (instruction.op) {
            case Op::constant: term.range = {term.value, term.value}; break;
            case Op::load: term.range = variable_of(term.argument).range; break;
            case Op::load_element:
                term.operands.push_back(pop());
                term.range = variable_of(term.argument).range;
                term.is_total = is_index(term.operands[0], term.value);
                break;
            case Op::load_table: {
                const std::vector<Value>& values = model_.tables[term.argument].values;
                term.operands.push_back(pop());
                const auto [low, high] = std::minmax_element(values.begin(), values.end());
                term.range = values.empty() ? Range{0, 0} : Range{*low, *high};
                term.is_total = is_index(term.operands[0], static_cast<Value>(values.size()));
                break;
            }
            case Op::and_then:
            case Op::or_else:
            case Op::implies:
            case Op::jump_if_false:
                open_.push_back({instruction.op, at + instruction.argument, {}});
                open_.back().operands.push_back(pop());
                return;
            case Op::jump:
                open_.back().operands.push_back(pop());
                open_.back().op = Op::jump;
                open_.back().end = at + instruction.argument;
                return;
            default: operate(term); break;
        }
        stack_.push_back(std::move(term));
    }

    void operate(Term& term) {
        if (model::is_binary(term.op)) {
            Term right = pop();
            Term left = pop();
            term.range = model::binary_range(term.op, left.range, right.range);
            term.is_total =
                left.is_total && right.is_total && never_faulty(term.op, left.range, right.range, term.range);
            term.operands.push_back(std::move(left));
            term.operands.push_back(std::move(right));
            return;
        }
        term.operands.push_back(pop());
        const Range range = term.operands[0].range;
        const bool is_truth = term.op == Op::truth || term.op == Op::logical_not;
        term.is_total = term.operands[0].is_total;
        if (is_truth) {
            term.range = kTruth;
        } else if (term.op == Op::complement) {
            term.range = {~range.high, ~range.low};
        } else {
            term.range = model::binary_range(Op::subtract, {0, 0}, range);
            term.is_total = term.is_total && never_faulty(Op::subtract, {0, 0}, range, term.range);
        }
    }

    void close() {
        Open open = std::move(open_.back());
        open_.pop_back();
        if (open.op == Op::jump_if_false) {  // the branches of a choice follow
            assert(false && "the first branch of a choice ends with a jump");
            return;
        }
        Term term;
        term.op = open.op;
        term.operands = std::move(open.operands);
        term.operands.push_back(pop());
        if (is_connective(term.op)) {
            for (Term& operand : term.operands)
                if (operand.op == Op::truth) operand = Term(std::move(operand.operands[0]));
            term.range = kTruth;
        } else {
            const Range yes = term.operands[1].range;
            const Range no = term.operands[2].range;
            term.range = {std::min(yes.low, no.low), std::max(yes.high, no.high)};
        }
        term.is_total =
            std::all_of(term.operands.begin(), term.operands.end(), [](const Term& t) { return t.is_total; });
        stack_.push_back(std::move(term));
    }

    [[nodiscard]] const model::Variable& variable_of(model::SlotId slot) const {
        const auto after =
            std::upper_bound(model_.variables.begin(), model_.variables.end(), slot,
                             [](model::SlotId s, const model::Variable& variable) { return s < variable.first_slot; });
        return *std::prev(after);
    }
    [[nodiscard]] static bool is_index(const Term& index, Value length) {
        return index.is_total && index.range.low >= 0 && index.range.high < length;
    }

    const model::Model& model_;
    std::vector<Term> stack_;
    std::vector<Open> open_;
};

}  // namespace

Term term_of(const model::Model& model, const model::Expression& expression) {
    return TermBuilder(model).build(expression);
}

}  // namespace tideline::reduce
