#include "progress/effects.hpp"

#include <algorithm>
#include <limits>

#include "model/interval.hpp"

namespace tideline::progress {
namespace {

model::Value sum(model::Value a, model::Value b) {
    model::Value result = 0;
    if (__builtin_add_overflow(a, b, &result)) throw NumberTooLarge{};
    return result;
}
model::Value product(model::Value a, model::Value b) {
    model::Value result = 0;
    if (__builtin_mul_overflow(a, b, &result)) throw NumberTooLarge{};
    return result;
}
model::Range scaled(model::Range range, model::Value factor) {
    const model::Value one = product(range.low, factor);
    const model::Value other = product(range.high, factor);
    return {std::min(one, other), std::max(one, other)};
}
model::Range added(model::Range a, model::Range b) { return {sum(a.low, b.low), sum(a.high, b.high)}; }

Form constant(model::Value value) { return {{}, {value, value}}; }

// The entries that a slot of this range chooses; nothing where it may choose none.
std::optional<model::Range> entries(const model::Table& table, model::Range slot, model::Value offset) {
    const model::Value low = sum(slot.low, offset);
    const model::Value high = sum(slot.high, offset);
    if (low < 0 || high >= static_cast<model::Value>(table.values.size()) || low > high) return std::nullopt;
    const auto [least, most] = std::minmax_element(table.values.begin() + low, table.values.begin() + high + 1);
    return model::Range{*least, *most};
}

// The one slot that a form is, with a number added to it.
struct SlotAndNumber {
    model::SlotId slot = 0;
    model::Value number = 0;
};
std::optional<SlotAndNumber> slot_and_number(const Form& form) {
    if (form.factors.size() != 1 || form.rest.low != form.rest.high) return std::nullopt;
    const auto& [atom, factor] = *form.factors.begin();
    if (factor != 1 || atom.kind != Atom::Kind::slot) return std::nullopt;
    return SlotAndNumber{atom.slot, form.rest.low};
}

std::optional<Form> entry(const model::Model& model, model::TableId table, const Form& index) {
    const model::Table& values = model.tables[table];
    if (index.is_constant()) {
        const std::optional<model::Range> one = entries(values, {0, 0}, index.rest.low);
        return one ? std::optional(Form{{}, *one}) : std::nullopt;
    }
    if (const std::optional<SlotAndNumber> plain = slot_and_number(index))
        return Form{{{Atom{plain->slot, Atom::Kind::table, table, plain->number}, 1}}, {0, 0}};
    const auto [least, most] = std::minmax_element(values.values.begin(), values.values.end());
    return Form{{}, {*least, *most}};
}

Form equality(const Form& left, const Form& right) {
    const Form difference = added(left, scaled(right, -1));
    if (difference.is_constant()) return constant(difference.rest.low == 0);
    if (const std::optional<SlotAndNumber> plain = slot_and_number(difference))
        return {{{Atom{plain->slot, Atom::Kind::equals, 0, product(plain->number, -1)}, 1}}, {0, 0}};
    if (const std::optional<SlotAndNumber> plain = slot_and_number(scaled(difference, -1)))
        return {{{Atom{plain->slot, Atom::Kind::equals, 0, product(plain->number, -1)}, 1}}, {0, 0}};
    return {{}, {0, 1}};
}

Form form_of_slot(const Slots& slots, model::SlotId slot) {
    const auto found = slots.find(slot);
    return found != slots.end() ? found->second : Form{{{Atom{slot, Atom::Kind::slot, 0, 0}, 1}}, {0, 0}};
}

// Variables have their slots one after the other. Called for every transition: building a table by slot each time would
// be too expensive.
model::Range range_of(const model::Model& model, model::SlotId slot) {
    const auto after =
        std::upper_bound(model.variables.begin(), model.variables.end(), slot,
                         [](model::SlotId s, const model::Variable& variable) { return s < variable.first_slot; });
    return std::prev(after)->range;
}

// The mirrored comparison.
model::Op mirrored(model::Op op) {
    switch (op) {
        case model::Op::less: return model::Op::greater;
        case model::Op::less_equal: return model::Op::greater_equal;
        case model::Op::greater: return model::Op::less;
        case model::Op::greater_equal: return model::Op::less_equal;
        default: return op;
    }
}

}  // namespace

Form scaled(const Form& form, model::Value factor) {
    Form result;
    for (const auto& [atom, f] : form.factors)
        if (factor != 0) result.factors[atom] = product(f, factor);
    result.rest = scaled(form.rest, factor);
    return result;
}

Form added(Form a, const Form& b) {
    for (const auto& [atom, factor] : b.factors) {
        model::Value& mine = a.factors[atom];
        mine = sum(mine, factor);
        if (mine == 0) a.factors.erase(atom);
    }
    a.rest = added(a.rest, b.rest);
    return a;
}

std::optional<Form> linear_form(const model::Model& model, const model::Expression& expression, const Slots& slots) {
    std::vector<Form> stack;
    const auto pop = [&] {
        Form top = std::move(stack.back());
        stack.pop_back();
        return top;
    };
    for (const model::Instruction& instruction : expression.code()) {
        switch (instruction.op) {
            case model::Op::constant: stack.push_back(constant(instruction.value)); break;
            case model::Op::load: stack.push_back(form_of_slot(slots, instruction.argument)); break;
            case model::Op::load_element: {
                const Form index = pop();
                if (!index.is_constant() || index.rest.low < 0 || index.rest.low >= instruction.value)
                    return std::nullopt;
                stack.push_back(form_of_slot(slots, instruction.argument + static_cast<model::SlotId>(index.rest.low)));
                break;
            }
            case model::Op::load_table: {
                std::optional<Form> chosen = entry(model, instruction.argument, pop());
                if (!chosen) return std::nullopt;
                stack.push_back(*std::move(chosen));
                break;
            }
            case model::Op::negate: stack.push_back(scaled(pop(), -1)); break;
            case model::Op::add:
            case model::Op::subtract: {
                const Form right = scaled(pop(), instruction.op == model::Op::add ? 1 : -1);
                stack.push_back(added(pop(), right));
                break;
            }
            case model::Op::multiply: {
                const Form right = pop();
                const Form left = pop();
                if (!left.is_constant() && !right.is_constant()) return std::nullopt;
                stack.push_back(right.is_constant() ? scaled(left, right.rest.low) : scaled(right, left.rest.low));
                break;
            }
            case model::Op::equal: {
                const Form right = pop();
                stack.push_back(equality(pop(), right));
                break;
            }
            default: return std::nullopt;
        }
    }
    return stack.back();
}

std::optional<Slots> slots_after(const model::Model& model, const model::Transition& transition,
                                 const std::function<bool(model::SlotId)>& matters) {
    Slots slots;
    const auto array_matters = [&](const model::Variable& variable) {
        for (model::SlotId slot = variable.first_slot; slot < variable.first_slot + variable.slot_count(); ++slot)
            if (matters(slot)) return true;
        return false;
    };
    for (const model::Effect& effect : transition.effects) {
        if (const auto* shift = std::get_if<model::Shift>(&effect)) {
            const model::Variable& variable = model.variables[shift->variable];
            if (array_matters(variable)) return std::nullopt;
            for (model::SlotId i = 0; i < variable.slot_count(); ++i)
                slots[variable.first_slot + i] = {{}, variable.range};
            continue;
        }
        if (std::holds_alternative<model::Require>(effect)) continue;
        const auto& assign = std::get<model::Assign>(effect);
        std::vector<Form> values;
        for (std::size_t i = 0; i < assign.targets.size(); ++i) {  // there may be further values, which are not
                                                                   // received
            const model::Variable& variable = model.variables[assign.targets[i].variable];
            std::optional<Form> value = linear_form(model, assign.values[i], slots);
            // A value that wraps around may be any value of its variable.
            if (!value || assign.wrap)
                value = Form{{}, assign.wrap ? variable.range : model::value_range(model, assign.values[i])};
            values.push_back(*std::move(value));
        }
        for (std::size_t i = 0; i < assign.targets.size(); ++i) {
            const model::Variable& variable = model.variables[assign.targets[i].variable];
            const std::optional<model::Expression>& index = assign.targets[i].index;
            if (!index) {
                slots[variable.first_slot] = values[i];
            } else if (index->is_constant() && index->constant_value() >= 0 &&
                       index->constant_value() < variable.slot_count()) {
                slots[variable.first_slot + static_cast<model::SlotId>(index->constant_value())] = values[i];
            } else {
                if (array_matters(variable)) return std::nullopt;
                for (model::SlotId k = 0; k < variable.slot_count(); ++k)
                    slots[variable.first_slot + k] = {{}, variable.range};
            }
        }
    }
    for (const model::Participant& p : transition.participants)
        slots[model.variables[model.processes[p.process].location].first_slot] = constant(p.to);
    return slots;
}

EnabledRanges::EnabledRanges(const model::Model& model, const model::Transition& transition) : model_(model) {
    for (const model::Participant& p : transition.participants)
        at_[model.variables[model.processes[p.process].location].first_slot] = {p.from, p.from};
    for (const model::Expression& guard : transition.guards) needs_repacking(guard);
}

model::Range EnabledRanges::of(model::SlotId slot) const {
    const auto found = at_.find(slot);
    return found != at_.end() ? found->second : range_of(model_, slot);
}

model::Range EnabledRanges::of(const Atom& atom, model::Range slot) const {
    switch (atom.kind) {
        case Atom::Kind::slot: return slot;
        case Atom::Kind::equals: return {slot.low == slot.high && slot.low == atom.value, slot.holds(atom.value)};
        case Atom::Kind::table: break;
    }
    const model::Table& table = model_.tables[atom.table];
    if (const std::optional<model::Range> chosen = entries(table, slot, atom.value)) return *chosen;
    // Where it chooses none, the step is a fault or the measure has no value; neither is a step of the sweep.
    const auto [least, most] = std::minmax_element(table.values.begin(), table.values.end());
    return {*least, *most};
}

std::optional<model::Range> EnabledRanges::of(const Form& form) const {
    model::Range result = form.rest;
    for (const auto& [atom, factor] : form.factors) {
        const model::Range slot = of(atom.slot);
        if (slot.low > slot.high) return std::nullopt;
        result = added(result, scaled(of(atom, slot), factor));
    }
    return result;
}

// By a comparison of a slot with a constant; other guards are ignored.
void EnabledRanges::needs_repacking(const model::Expression& guard) {
    const std::vector<model::Instruction>& code = guard.code();
    if (code.size() != 3) return;
    const bool slot_first = code[0].op == model::Op::load && code[1].op == model::Op::constant;
    if (!slot_first && !(code[0].op == model::Op::constant && code[1].op == model::Op::load)) return;
    const model::SlotId slot = code[slot_first ? 0 : 1].argument;
    const model::Value value = code[slot_first ? 1 : 0].value;
    model::Range range = of(slot);
    switch (slot_first ? code[2].op : mirrored(code[2].op)) {
        case model::Op::equal: range = {std::max(range.low, value), std::min(range.high, value)}; break;
        case model::Op::less: range.high = std::min(range.high, sum(value, -1)); break;
        case model::Op::less_equal: range.high = std::min(range.high, value); break;
        case model::Op::greater: range.low = std::max(range.low, sum(value, 1)); break;
        case model::Op::greater_equal: range.low = std::max(range.low, value); break;
        default: return;
    }
    at_[slot] = range;
}

std::optional<model::Range> change_by(const model::Model& model, const model::Transition& transition,
                                      const model::Expression& expression) {
    const std::optional<Form> before = linear_form(model, expression, {});
    if (!before) return std::nullopt;
    const std::optional<Slots> slots = slots_after(model, transition, [&](model::SlotId slot) {
        const auto found =
            before->factors.lower_bound(Atom{slot, Atom::Kind::slot, 0, std::numeric_limits<model::Value>::min()});
        return found != before->factors.end() && found->first.slot == slot;
    });
    if (!slots) return std::nullopt;
    const std::optional<Form> after = linear_form(model, expression, *slots);
    if (!after) return std::nullopt;
    const Form change = added(*after, scaled(*before, -1));
    const EnabledRanges ranges(model, transition);
    const std::optional<model::Range> range = ranges.of(change);
    constexpr model::Value kMost = std::numeric_limits<model::Value>::max();
    return range ? range : model::Range{kMost, kMost};
}

}  // namespace tideline::progress
