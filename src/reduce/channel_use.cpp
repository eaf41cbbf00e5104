#include "reduce/channel_use.hpp"

#include <algorithm>

#include "model/footprint.hpp"

namespace tideline::reduce {
namespace {

using model::Op;

// The variable `length` changed by `by`, alone.
bool counts(const model::Model& model, const model::Effect& effect, model::VariableId length, Op by) {
    const auto* assign = std::get_if<model::Assign>(&effect);
    return assign != nullptr && assign->targets.size() == 1 && assign->targets[0].variable == length &&
           !assign->targets[0].index && assign->passing.empty() &&
           assign->values[0] == model::Expression::binary(by, model.read(length), model::Expression::constant(1));
}

// The scalar of channel kind that an effect counts up or down.
std::optional<model::VariableId> counted(const model::Model& model, const model::Effect& effect) {
    const auto* assign = std::get_if<model::Assign>(&effect);
    if (assign == nullptr || assign->targets.size() != 1) return std::nullopt;
    const model::VariableId variable = assign->targets[0].variable;
    if (model.variables[variable].kind != model::Variable::Kind::channel || model.variables[variable].length)
        return std::nullopt;
    if (counts(model, effect, variable, Op::add) || counts(model, effect, variable, Op::subtract)) return variable;
    return std::nullopt;
}

}  // namespace

ChannelUse::ChannelUse(const model::Model& model)
    : of_slot_(model.slot_count(), kNone), of_variable_(model.variables.size(), kNone) {
    find_channels(model);
    for (const model::Transition& transition : model.transitions) uses_.push_back(use_of(model, transition));
}

// The contents are the arrays that are written at the length before it is counted up.
void ChannelUse::find_channels(const model::Model& model) {
    std::vector<bool> is_void;
    for (const model::Transition& transition : model.transitions) {
        for (std::size_t i = 1; i < transition.effects.size(); ++i) {
            const std::optional<model::VariableId> length = counted(model, transition.effects[i]);
            const auto* message = std::get_if<model::Assign>(&transition.effects[i - 1]);
            if (!length || message == nullptr || !counts(model, transition.effects[i], *length, Op::add)) continue;
            if (of_variable_[*length] == kNone) {
                of_variable_[*length] = static_cast<std::uint32_t>(lengths_.size());
                lengths_.push_back(*length);
                is_void.push_back(false);
            }
            const std::uint32_t channel = of_variable_[*length];
            for (const model::Target& target : message->targets) {
                const bool is_content = model.variables[target.variable].kind == model::Variable::Kind::channel &&
                                        model.variables[target.variable].length && target.index &&
                                        *target.index == model.read(*length);
                if (!is_content) continue;
                if (of_variable_[target.variable] == kNone) of_variable_[target.variable] = channel;
                else if (of_variable_[target.variable] != channel) is_void[channel] = true;
            }
        }
    }
    for (model::VariableId v = 0; v < model.variables.size(); ++v) {
        if (of_variable_[v] == kNone) continue;
        if (is_void[of_variable_[v]]) of_variable_[v] = kNone;
        else
            std::fill_n(of_slot_.begin() + model.variables[v].first_slot, model.variables[v].slot_count(),
                        of_variable_[v]);
    }
}

std::optional<ChannelUse::Use> ChannelUse::use_of(const model::Model& model,
                                                  const model::Transition& transition) const {
    for (const model::Effect& effect : transition.effects) {
        const std::optional<model::VariableId> length = counted(model, effect);
        if (!length || of_variable_[*length] == kNone) continue;
        const std::uint32_t channel = of_variable_[*length];
        if (is_send(model, transition, channel)) return Use{channel, Kind::send};
        if (is_receive(model, transition, channel)) return Use{channel, Kind::receive};
        return std::nullopt;
    }
    return std::nullopt;
}

// Uses of the channel are counted: all of them must be those of the pattern.
bool ChannelUse::is_send(const model::Model& model, const model::Transition& transition, std::uint32_t channel) const {
    const model::VariableId length = lengths_[channel];
    const auto reads = [&](const model::Expression& expression) {
        const std::vector<model::SlotId> slots = model::slots_read(expression);
        return std::any_of(slots.begin(), slots.end(), [&](model::SlotId s) { return of_slot_[s] == channel; });
    };
    std::size_t tests = 0;
    for (const model::Expression& guard : transition.guards) {
        const std::vector<model::Instruction>& code = guard.code();
        const bool is_test = code.size() == 3 && code[1].op == Op::constant && code[2].op == Op::less &&
                             code[0] == model.read(length).code()[0];
        if (is_test) ++tests;
        else if (reads(guard)) return false;
    }
    std::size_t messages = 0;
    std::size_t steps = 0;
    for (const model::Effect& effect : transition.effects) {
        if (counts(model, effect, length, Op::add)) {
            ++steps;
            continue;
        }
        if (const auto* shift = std::get_if<model::Shift>(&effect)) {
            if (of_variable_[shift->variable] == channel || reads(shift->first)) return false;
            continue;
        }
        if (const auto* require = std::get_if<model::Require>(&effect)) {
            if (reads(require->condition)) return false;
            continue;
        }
        const auto& assign = std::get<model::Assign>(effect);
        if (std::any_of(assign.values.begin(), assign.values.end(), reads)) return false;
        bool writes = false;
        for (const model::Target& target : assign.targets) {
            if (of_variable_[target.variable] != channel) {
                if (target.index && reads(*target.index)) return false;
                continue;
            }
            if (steps > 0 || !target.index || *target.index != model.read(length)) return false;
            writes = true;
        }
        if (writes) ++messages;
    }
    return tests >= 1 && steps == 1 && messages <= 1;
}

bool ChannelUse::is_receive(const model::Model& model, const model::Transition& transition,
                            std::uint32_t channel) const {
    const model::VariableId length = lengths_[channel];
    const model::SlotId length_slot = model.variables[length].first_slot;
    // Only the first message is read, and the length only as `length > 0`.
    bool tests = false;
    const auto reads_rest = [&](const model::Expression& expression) {
        const std::vector<model::Instruction>& code = expression.code();
        for (std::size_t i = 0; i < code.size(); ++i) {
            if (code[i].op == Op::load && code[i].argument == length_slot) {
                const bool is_test = i + 2 < code.size() && code[i + 1].op == Op::constant && code[i + 1].value == 0 &&
                                     code[i + 2].op == Op::greater;
                if (!is_test) return true;
                tests = tests || (i == 0 && code.size() == 3);
            } else if (code[i].op == Op::load) {
                const bool is_first =
                    std::any_of(model.variables.begin(), model.variables.end(),
                                [&](const model::Variable& v) { return v.length && v.first_slot == code[i].argument; });
                if (of_slot_[code[i].argument] == channel && !is_first) return true;
            } else if (code[i].op == Op::load_element && of_slot_[code[i].argument] == channel) {
                const bool is_first = i == 1 && code.size() == 2 && code[0].op == Op::constant && code[0].value == 0;
                if (!is_first) return true;
            }
        }
        return false;
    };
    if (std::any_of(transition.guards.begin(), transition.guards.end(), reads_rest)) return false;
    const auto reads_length = [&](const model::Expression& expression) {
        const std::vector<model::SlotId> slots = model::slots_read(expression);
        return std::find(slots.begin(), slots.end(), length_slot) != slots.end();
    };
    const auto reads_any = [&](const model::Expression& expression) {
        const std::vector<model::SlotId> slots = model::slots_read(expression);
        return std::any_of(slots.begin(), slots.end(), [&](model::SlotId s) { return of_slot_[s] == channel; });
    };
    std::size_t steps = 0;
    std::size_t shifts = 0;
    for (const model::Effect& effect : transition.effects) {
        if (counts(model, effect, length, Op::subtract)) {
            ++steps;
            continue;
        }
        if (const auto* shift = std::get_if<model::Shift>(&effect)) {
            const bool is_own = of_variable_[shift->variable] == channel;
            const bool is_whole = shift->first.is_constant() && shift->first.constant_value() == 0 &&
                                  shift->count == model.variables[shift->variable].slot_count();
            if (is_own ? !is_whole : reads_any(shift->first)) return false;
            shifts += is_own ? 1 : 0;
            continue;
        }
        if (const auto* require = std::get_if<model::Require>(&effect)) {
            if (reads_any(require->condition)) return false;
            continue;
        }
        // What the first message was is known until the others move up.
        const auto& assign = std::get<model::Assign>(effect);
        const auto reads_other = [&](const model::Expression& e) {
            return shifts + steps > 0 ? reads_any(e) : reads_rest(e) || reads_length(e);
        };
        if (std::any_of(assign.values.begin(), assign.values.end(), reads_other)) return false;
        for (const model::Target& target : assign.targets)
            if (of_variable_[target.variable] == channel || (target.index && reads_any(*target.index))) return false;
    }
    const auto contents = static_cast<std::size_t>(std::count(of_variable_.begin(), of_variable_.end(), channel)) - 1;
    return tests && steps == 1 && shifts == contents;
}

}  // namespace tideline::reduce
