#include "successor/interpret/step_events.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace tideline::successor {
namespace {

std::string with_base(model::Value value, const char* format) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), format, static_cast<unsigned>(value));
    return text.data();
}

std::string converted(char conversion, const PrintedValue& value) {
    switch (conversion) {
        case 'c': return std::string(1, static_cast<char>(value.value));
        case 'x': return with_base(value.value, "%x");
        case 'o': return with_base(value.value, "%o");
        case 'u': return with_base(value.value, "%u");
        case 'e': return value.name.empty() ? std::to_string(value.value) : value.name;
        default: return std::to_string(value.value);
    }
}

const std::string* name_of(const model::Model& model, const model::Event& event, std::size_t i, model::Value value) {
    if (i >= event.names.size() || event.names[i] == 0 || value < 0) return nullptr;
    const std::vector<std::string>& list = model.value_lists[event.names[i] - 1];
    const auto at = static_cast<std::size_t>(value);
    return at < list.size() && !list[at].empty() ? &list[at] : nullptr;
}

}  // namespace

std::string printed(const std::string& format, const std::vector<PrintedValue>& values) {
    std::string result;
    std::size_t next = 0;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%' || i + 1 == format.size()) {
            result += format[i];
            continue;
        }
        ++i;
        if (format[i] == '%' || next == values.size()) result += format[i] == '%' ? "%" : std::string("%") + format[i];
        else result += converted(format[i], values[next++]);
    }
    return result;
}

std::vector<StepEvent> step_events(Interpreter& interpreter, const model::Model& model,
                                   std::span<const model::TransitionId> transitions) {
    std::vector<StepEvent> result;
    if (std::all_of(transitions.begin(), transitions.end(),
                    [&](model::TransitionId t) { return model.transitions[t].events.empty(); }))
        return result;
    std::vector<std::size_t> first_part;
    std::size_t parts = 0;
    for (const model::TransitionId t : transitions) {
        first_part.push_back(parts);
        parts += model.transitions[t].participants.size();
    }
    interpreter.visit_events(transitions, [&](const model::Event& event, std::size_t which) {
        StepEvent& seen = result.emplace_back();
        seen.kind = event.kind;
        seen.part = first_part[which] + event.participant;
        std::vector<PrintedValue> values;
        for (std::size_t i = 0; i < event.values.size(); ++i) {
            const model::Evaluation value = interpreter.evaluate(event.values[i]);
            const std::string* name = name_of(model, event, i, value.value);
            if (value.fault != model::FaultKind::none) seen.values.emplace_back("?");
            else seen.values.push_back(name != nullptr ? *name : std::to_string(value.value));
            values.push_back({value.value, name != nullptr ? *name : ""});
        }
        if (event.kind == model::Event::Kind::print) {
            seen.text = printed(event.text, values);
            seen.values.clear();
            return;
        }
        const model::Evaluation channel = interpreter.evaluate(event.channel);
        if (channel.fault == model::FaultKind::none && channel.value > 0 &&
            static_cast<std::size_t>(channel.value) <= model.channels.size())
            seen.channel = model.channels[static_cast<std::size_t>(channel.value) - 1].name;
    });
    return result;
}

}  // namespace tideline::successor
