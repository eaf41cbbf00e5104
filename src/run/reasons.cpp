#include "run/reasons.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "model/evaluate.hpp"
#include "model/print.hpp"

namespace tideline::run {
namespace {

constexpr std::uint32_t kShortArray = 8;  // elements that are shown

class BlockedTable {
public:
    BlockedTable(const model::Model& model, std::span<const model::Value> values) : model_(model), values_(values) {}

    std::vector<BlockedProcess> make() {
        std::vector<BlockedProcess> table;
        for (model::ProcessId p = 0; p < model_.processes.size(); ++p) {
            if (model_.observer == p) continue;
            table.push_back(
                {model_.processes[p].name, model_.location_name(p, location_of(p)), transitions_of(p, location_of(p))});
        }
        return table;
    }

private:
    [[nodiscard]] model::Value location_of(model::ProcessId process) const {
        return values_[model_.variables[model_.processes[process].location].first_slot];
    }

    // One line per transition of the text, whatever the number of its partners.
    std::vector<BlockedTransition> transitions_of(model::ProcessId process, model::Value location) {
        std::vector<BlockedTransition> result;
        std::map<std::pair<std::uint32_t, model::Value>, std::size_t> places;
        for (const model::Transition& transition : model_.transitions)
            for (const model::Participant& participant : transition.participants) {
                if (participant.process != process || participant.from != location) continue;
                const auto [place, is_new] =
                    places.try_emplace({participant.span.begin, participant.to}, result.size());
                if (is_new)
                    result.push_back({model_.location_name(process, participant.to),
                                      participant.span.end > 0 ? line_of(participant) : 0,
                                      {}});
                for (std::string& reason : reasons(transition, process)) {
                    std::vector<std::string>& by = result[place->second].by;
                    if (std::find(by.begin(), by.end(), reason) == by.end()) by.push_back(std::move(reason));
                }
            }
        return result;
    }

    [[nodiscard]] std::uint32_t line_of(const model::Participant& participant) const {
        return static_cast<std::uint32_t>(model_.source.line_number(participant.span.begin));
    }

    std::vector<std::string> reasons(const model::Transition& transition, model::ProcessId process) {
        for (const model::Participant& other : transition.participants)
            if (other.process != process && location_of(other.process) != other.from)
                return {"no partner" + (transition.label.empty() ? "" : " on " + transition.label)};
        std::vector<std::string> result;
        for (const model::Expression& guard : transition.guards)
            if (std::optional<std::string> reason = false_guard(guard)) result.push_back(*std::move(reason));
        if (!result.empty()) return result;
        if (model_.composition == model::Composition::lockstep) return {"ready, but not all processes are"};
        return {transition.committed ? "not enabled" : "another process comes first"};
    }

    std::optional<std::string> false_guard(const model::Expression& guard) {
        const model::Evaluation value = model::evaluate(guard, model_.tables, values_);
        if (value.fault == model::FaultKind::none && value.value != 0) return std::nullopt;
        if (const std::optional<std::string> channel = channel_guard(guard)) return channel;
        const std::string text = model::to_text(model_, guard);
        if (value.fault != model::FaultKind::none)
            return text + " cannot be evaluated (" + std::string(model::to_string(value.fault)) + ")";
        const std::string read = values_read(model_, guard, values_);
        return read.empty() ? text : text + ", where " + read;
    }

    // c.length < N: a place is free; c.length > 0: there is a message.
    std::optional<std::string> channel_guard(const model::Expression& guard) {
        const std::vector<model::Instruction>& code = guard.code();
        if (code.size() != 3 || code[0].op != model::Op::load || code[1].op != model::Op::constant) return std::nullopt;
        const model::Variable& variable = model_.variables[model_.slot_owners()[code[0].argument].variable];
        if (variable.kind != model::Variable::Kind::channel || variable.length) return std::nullopt;
        const std::string name = variable.name.substr(0, variable.name.rfind('.'));
        if (code[2].op == model::Op::less) return "channel " + name + " is full";
        if (code[2].op == model::Op::greater) return "channel " + name + " is empty";
        return std::nullopt;
    }

    const model::Model& model_;
    std::span<const model::Value> values_;
};

}  // namespace

std::vector<BlockedProcess> blocked_processes(const model::Model& model, std::span<const model::Value> values) {
    if (model.is_explicit_graph() || model.transitions.empty() || values.size() < model.slot_count()) return {};
    return BlockedTable(model, values).make();
}

std::string values_read(const model::Model& model, const model::Expression& expression,
                        std::span<const model::Value> values) {
    if (values.size() < model.slot_count()) return {};
    const std::vector<model::Model::SlotOwner> owners = model.slot_owners();
    std::vector<std::string> parts;
    const auto add = [&](std::string part) {
        if (std::find(parts.begin(), parts.end(), part) == parts.end()) parts.push_back(std::move(part));
    };
    for (const model::Instruction& instruction : expression.code()) {
        const bool is_element = instruction.op == model::Op::load_element;
        if (instruction.op != model::Op::load && !is_element) continue;
        const model::SlotId slot = instruction.argument;
        const model::VariableId id = owners[slot].variable;
        if (!is_element) {
            add(model.slot_name(owners[slot]) + " = " + model.value_text(id, values[slot]));
            continue;
        }
        const model::Variable& variable = model.variables[id];
        if (variable.slot_count() > kShortArray) continue;
        std::string text = variable.name + " = {";
        for (std::uint32_t i = 0; i < variable.slot_count(); ++i)
            text += (i > 0 ? ", " : "") + model.value_text(id, values[variable.first_slot + i]);
        add(text + '}');
    }
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

}  // namespace tideline::run
