// Coarse on purpose: indices must be constants or plain slots, and what multiplies, divides or shifts may fault. Sums
// of values of 40 bits cannot overflow in any program that is shorter than 2^20 instructions.
#include "reduce/may_fault.hpp"

#include <algorithm>

#include "model/interval.hpp"

namespace tideline::reduce {
namespace {

constexpr model::Range kSmall{-(model::Value{1} << 40), model::Value{1} << 40};
constexpr std::size_t kShort = std::size_t{1} << 20U;

bool is_within(model::Range inner, model::Range outer) { return outer.low <= inner.low && inner.high <= outer.high; }

class Faults {
public:
    explicit Faults(const model::Model& model) : model_(model) {
        ranges_.reserve(model.slot_count());
        for (const model::Variable& variable : model.variables)
            for (std::uint32_t i = 0; i < variable.slot_count(); ++i) ranges_.push_back(variable.range);
    }

    [[nodiscard]] bool in(const model::Expression& expression) const {
        const std::vector<model::Instruction>& code = expression.code();
        if (code.size() > kShort) return true;
        for (std::size_t i = 0; i < code.size(); ++i)
            if (in(code, i)) return true;
        return false;
    }

    [[nodiscard]] bool in(const model::Effect& effect) const {
        const auto* assign = std::get_if<model::Assign>(&effect);
        if (assign == nullptr) {
            const auto* shift = std::get_if<model::Shift>(&effect);
            if (shift == nullptr) return true;  // an assertion
            const model::Range first{
                0, model_.variables[shift->variable].slot_count() - static_cast<model::Value>(shift->count)};
            return in(shift->first) || !is_within(model::value_range(model_, shift->first), first);
        }
        for (std::size_t i = 0; i < assign->values.size(); ++i) {
            if (in(assign->values[i])) return true;
            if (assign->wrap) continue;
            const model::Range value = model::value_range(model_, assign->values[i]);
            if (i < assign->passing.size() && !is_within(value, assign->passing[i])) return true;
            if (i < assign->targets.size() && !is_within(value, model_.variables[assign->targets[i].variable].range))
                return true;
        }
        return std::any_of(assign->targets.begin(), assign->targets.end(), [this](const model::Target& target) {
            if (!target.index) return false;
            const model::Range elements{0, model::Value{model_.variables[target.variable].slot_count()} - 1};
            return in(*target.index) || !is_within(model::value_range(model_, *target.index), elements);
        });
    }

private:
    [[nodiscard]] bool in(const std::vector<model::Instruction>& code, std::size_t i) const {
        switch (code[i].op) {
            case model::Op::constant: return !kSmall.holds(code[i].value);
            case model::Op::load: return !is_within(ranges_[code[i].argument], kSmall);
            case model::Op::load_element:
                return !is_within(ranges_[code[i].argument], kSmall) || !is_index(code, i, code[i].value);
            case model::Op::load_table: {
                const std::vector<model::Value>& values = model_.tables[code[i].argument].values;
                return !std::all_of(values.begin(), values.end(), [](model::Value v) { return kSmall.holds(v); }) ||
                       !is_index(code, i, static_cast<model::Value>(values.size()));
            }
            case model::Op::multiply:
            case model::Op::divide:
            case model::Op::modulo:
            case model::Op::shift_left:
            case model::Op::shift_right: return true;
            default: return false;
        }
    }

    // Whether the index of instruction i, computed by the one before it alone, lies below `end`. That one may be the
    // end of a choice, whose other branch jumps behind it.
    [[nodiscard]] bool is_index(const std::vector<model::Instruction>& code, std::size_t i, model::Value end) const {
        if (i == 0) return false;
        for (std::size_t j = 0; j + 1 < i; ++j) {
            const bool jumps = code[j].op == model::Op::jump || code[j].op == model::Op::jump_if_false ||
                               code[j].op == model::Op::and_then || code[j].op == model::Op::or_else ||
                               code[j].op == model::Op::implies;
            if (jumps && j + 1 + code[j].argument == i) return false;
        }
        const model::Range allowed{0, end - 1};
        if (code[i - 1].op == model::Op::constant) return allowed.holds(code[i - 1].value);
        return code[i - 1].op == model::Op::load && is_within(ranges_[code[i - 1].argument], allowed);
    }

    const model::Model& model_;
    std::vector<model::Range> ranges_;  // by slot
};

}  // namespace

std::vector<bool> may_fault(const model::Model& model) {
    const Faults faults(model);
    const auto in = [&](const auto& part) { return faults.in(part); };
    std::vector<bool> result;
    for (const model::Transition& transition : model.transitions)
        result.push_back(std::any_of(transition.guards.begin(), transition.guards.end(), in) ||
                         std::any_of(transition.effects.begin(), transition.effects.end(), in));
    return result;
}

}  // namespace tideline::reduce
