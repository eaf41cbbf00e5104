#include "progress/certificate.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "model/interval.hpp"

namespace tideline {
namespace {

// Thrown where a number does not fit: there is no proof then.
struct TooLarge {};

Value sum(Value a, Value b) {
    Value result = 0;
    if (__builtin_add_overflow(a, b, &result)) throw TooLarge{};
    return result;
}
Value product(Value a, Value b) {
    Value result = 0;
    if (__builtin_mul_overflow(a, b, &result)) throw TooLarge{};
    return result;
}

// A value that lies in: the sum of factor * slot, plus something of `rest`.
struct Form {
    std::map<SlotId, Value> factors;
    Range rest;

    [[nodiscard]] bool is_constant() const { return factors.empty() && rest.low == rest.high; }
};

Form scaled(const Form& form, Value factor) {
    Form result;
    for (const auto& [slot, f] : form.factors)
        if (factor != 0) result.factors[slot] = product(f, factor);
    const Value one = product(form.rest.low, factor);
    const Value other = product(form.rest.high, factor);
    result.rest = {std::min(one, other), std::max(one, other)};
    return result;
}

Form added(Form a, const Form& b) {
    for (const auto& [slot, factor] : b.factors) {
        Value& mine = a.factors[slot];
        mine = sum(mine, factor);
        if (mine == 0) a.factors.erase(slot);
    }
    a.rest = {sum(a.rest.low, b.rest.low), sum(a.rest.high, b.rest.high)};
    return a;
}

using Slots = std::map<SlotId, Form>;  // values of slots that have been assigned, over those before

Form form_of_slot(const Slots& slots, SlotId slot) {
    const auto found = slots.find(slot);
    return found != slots.end() ? found->second : Form{{{slot, 1}}, {0, 0}};
}

// The expression over the slots before, where it is linear; nothing otherwise.
std::optional<Form> linear(const Expression& expression, const Slots& slots) {
    std::vector<Form> stack;
    const auto pop = [&] {
        Form top = std::move(stack.back());
        stack.pop_back();
        return top;
    };
    for (const Instruction& instruction : expression.code()) {
        switch (instruction.op) {
            case Op::constant: stack.push_back({{}, {instruction.value, instruction.value}}); break;
            case Op::load: stack.push_back(form_of_slot(slots, instruction.argument)); break;
            case Op::negate: stack.push_back(scaled(pop(), -1)); break;
            case Op::add:
            case Op::subtract: {
                const Form right = scaled(pop(), instruction.op == Op::add ? 1 : -1);
                stack.push_back(added(pop(), right));
                break;
            }
            case Op::multiply: {
                const Form right = pop();
                const Form left = pop();
                if (!left.is_constant() && !right.is_constant()) return std::nullopt;
                stack.push_back(right.is_constant() ? scaled(left, right.rest.low) : scaled(right, left.rest.low));
                break;
            }
            default: return std::nullopt;
        }
    }
    return stack.back();
}

// What a value is compared with, the other way round.
Op mirrored(Op op) {
    switch (op) {
        case Op::less: return Op::greater;
        case Op::less_equal: return Op::greater_equal;
        case Op::greater: return Op::less;
        case Op::greater_equal: return Op::less_equal;
        default: return op;
    }
}

// The ranges of slots where the transition is enabled.
class Ranges {
public:
    Ranges(const Model& model, const Transition& transition) : model_(model), owners_(model.slot_owners()) {
        for (const Participant& p : transition.participants) at_[model.variables[model.processes[p.process].location].first_slot] = {p.from, p.from};
        for (const Expression& guard : transition.guards) narrow(guard);
    }

    [[nodiscard]] Range of(SlotId slot) const {
        const auto found = at_.find(slot);
        return found != at_.end() ? found->second : model_.variables[owners_[slot].variable].range;
    }

private:
    // By a comparison of a slot with a constant; other guards are not looked at.
    void narrow(const Expression& guard) {
        const std::vector<Instruction>& code = guard.code();
        if (code.size() != 3) return;
        const bool slot_first = code[0].op == Op::load && code[1].op == Op::constant;
        if (!slot_first && !(code[0].op == Op::constant && code[1].op == Op::load)) return;
        const SlotId slot = code[slot_first ? 0 : 1].argument;
        const Value value = code[slot_first ? 1 : 0].value;
        Range range = of(slot);
        switch (slot_first ? code[2].op : mirrored(code[2].op)) {
            case Op::equal: range = {std::max(range.low, value), std::min(range.high, value)}; break;
            case Op::less: range.high = std::min(range.high, sum(value, -1)); break;
            case Op::less_equal: range.high = std::min(range.high, value); break;
            case Op::greater: range.low = std::max(range.low, sum(value, 1)); break;
            case Op::greater_equal: range.low = std::max(range.low, value); break;
            default: return;
        }
        at_[slot] = range;
    }

    const Model& model_;
    std::vector<Model::SlotOwner> owners_;
    std::map<SlotId, Range> at_;
};

// What a transition does to the slots; nothing where an array is written at a computed place or shifted that the component reads.
std::optional<Slots> slots_after(const Model& model, const Transition& transition, const std::function<bool(SlotId)>& matters) {
    Slots slots;
    const auto array_matters = [&](const Variable& variable) {
        for (SlotId slot = variable.first_slot; slot < variable.first_slot + variable.slot_count(); ++slot)
            if (matters(slot)) return true;
        return false;
    };
    for (const Effect& effect : transition.effects) {
        if (const auto* shift = std::get_if<Shift>(&effect)) {
            const Variable& variable = model.variables[shift->variable];
            if (array_matters(variable)) return std::nullopt;
            for (SlotId i = 0; i < variable.slot_count(); ++i) slots[variable.first_slot + i] = {{}, variable.range};
            continue;
        }
        const auto& assign = std::get<Assign>(effect);
        std::vector<Form> values;
        for (std::size_t i = 0; i < assign.targets.size(); ++i) {  // there may be further values, which nobody receives
            const Variable& variable = model.variables[assign.targets[i].variable];
            std::optional<Form> value = linear(assign.values[i], slots);
            // A value that wraps around may be anything that its variable can hold.
            if (!value || assign.wrap) value = Form{{}, assign.wrap ? variable.range : value_range(model, assign.values[i])};
            values.push_back(*std::move(value));
        }
        for (std::size_t i = 0; i < assign.targets.size(); ++i) {
            const Variable& variable = model.variables[assign.targets[i].variable];
            const std::optional<Expression>& index = assign.targets[i].index;
            if (!index) {
                slots[variable.first_slot] = values[i];
            } else if (index->is_constant() && index->constant_value() >= 0 && index->constant_value() < variable.slot_count()) {
                slots[variable.first_slot + static_cast<SlotId>(index->constant_value())] = values[i];
            } else {
                if (array_matters(variable)) return std::nullopt;
                for (SlotId k = 0; k < variable.slot_count(); ++k) slots[variable.first_slot + k] = {{}, variable.range};
            }
        }
    }
    for (const Participant& p : transition.participants)
        slots[model.variables[model.processes[p.process].location].first_slot] = {{}, {p.to, p.to}};
    return slots;
}

bool never_decreased_by(const Model& model, const Transition& transition, const Expression& component, const Form& before) {
    const std::optional<Slots> slots =
        slots_after(model, transition, [&](SlotId slot) { return before.factors.contains(slot); });
    if (!slots) return false;
    const std::optional<Form> after = linear(component, *slots);
    if (!after) return false;
    const Form change = added(*after, scaled(before, -1));
    const Ranges ranges(model, transition);
    Value least = change.rest.low;
    for (const auto& [slot, factor] : change.factors) {
        const Range range = ranges.of(slot);
        if (range.low > range.high) return true;  // it is never enabled
        least = sum(least, product(factor, factor > 0 ? range.low : range.high));
    }
    return least >= 0;
}

}  // namespace

bool never_decreases(const Model& model, const Expression& component) {
    // Where several transitions make one step, what guards say need not hold any more when effects take place.
    if (model.composition != Composition::interleaving || model.observer || model.atomic) return false;
    try {
        const std::optional<Form> before = linear(component, {});
        return before && std::all_of(model.transitions.begin(), model.transitions.end(), [&](const Transition& transition) {
                   return never_decreased_by(model, transition, component, *before);
               });
    } catch (const TooLarge&) {
        return false;
    }
}

}  // namespace tideline
