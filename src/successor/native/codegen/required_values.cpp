#include "successor/native/codegen/required_values.hpp"

#include <algorithm>

namespace tideline::successor::codegen {
namespace {

// Whether the result of the code is 0 where 0 is on the stack before instruction `at`.
bool stays_false(const std::vector<model::Instruction>& code, std::size_t at) {
    while (at < code.size()) {
        if (code[at].op == model::Op::and_then) at += code[at].argument + 1;
        else if (code[at].op == model::Op::truth) ++at;
        else return false;
    }
    return true;
}

// The comparisons with which a guard begins. True: the guard consists of them.
bool add_comparisons(const std::vector<model::Instruction>& code, std::vector<RequiredValue>& into) {
    std::size_t at = 0;
    while (at + 3 <= code.size()) {
        const bool left = code[at].op == model::Op::load && code[at + 1].op == model::Op::constant;
        const bool right = code[at].op == model::Op::constant && code[at + 1].op == model::Op::load;
        if ((!left && !right) || code[at + 2].op != model::Op::equal || !stays_false(code, at + 3)) return false;
        into.push_back(left ? RequiredValue{code[at].argument, code[at + 1].value}
                            : RequiredValue{code[at + 1].argument, code[at].value});
        at += 3;
        while (at < code.size() && code[at].op == model::Op::truth) ++at;
        if (at == code.size()) return true;
        if (code[at].op != model::Op::and_then) return false;
        ++at;
    }
    return false;
}

const RequiredValue* find(const std::vector<RequiredValue>& values, model::SlotId slot) {
    const auto found =
        std::find_if(values.begin(), values.end(), [&](const RequiredValue& r) { return r.slot == slot; });
    return found == values.end() ? nullptr : &*found;
}

}  // namespace

std::vector<RequiredValue> required_values(const model::Model& model, const model::Transition& transition,
                                           bool with_others) {
    std::vector<RequiredValue> result;
    for (std::size_t i = 1; with_others && i < transition.participants.size(); ++i) {
        const model::Participant& p = transition.participants[i];
        result.push_back({model.variables[model.processes[p.process].location].first_slot, p.from});
    }
    for (const model::Expression& guard : transition.guards)
        if (!add_comparisons(guard.code(), result)) break;
    return result;
}

CommonSlot common_slot(std::span<const std::vector<RequiredValue>> transitions) {
    CommonSlot best;
    if (transitions.empty()) return best;
    for (const RequiredValue& first : transitions.front()) {
        std::size_t count = 0;
        bool differ = false;
        while (count < transitions.size()) {
            const RequiredValue* here = find(transitions[count], first.slot);
            if (here == nullptr) break;
            differ = differ || here->value != first.value;
            ++count;
        }
        if (differ && count > best.count) best = {first.slot, count};
    }
    return best;
}

}  // namespace tideline::successor::codegen
