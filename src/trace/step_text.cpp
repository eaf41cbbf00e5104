#include "trace/step_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/terminal.hpp"

namespace tideline::trace {
namespace {

// Whether the text of a part receives from a channel: the channel's name followed by a question mark.
bool receives_from(const std::string& text, const std::string& channel) {
    for (std::size_t at = text.find(channel); at != std::string::npos; at = text.find(channel, at + 1)) {
        const std::size_t next = text.find_first_not_of(" \t\r\n", at + channel.size());
        if (next != std::string::npos && text[next] == '?') return true;
    }
    return false;
}

// What a participant sends, receives and prints, behind what it does.
std::string events_of(const TraceStep& step, std::size_t part) {
    std::string result;
    for (const successor::StepEvent& event : step.events)
        if (event.part == part) result += "  " + event_text(event);
    return result;
}

}  // namespace

std::string event_text(const successor::StepEvent& event) {
    if (event.kind == model::Event::Kind::print) {
        std::string text = event.text;
        while (!text.empty() && text.back() == '\n') text.pop_back();
        return fmt::format("prints \"{}\"", support::one_line(text));
    }
    return support::one_line(fmt::format("{}{}{}", event.channel, event.kind == model::Event::Kind::send ? '!' : '?',
                                         fmt::join(event.values, ",")));
}

std::string StepWords::whole(const TraceStep& step) const {
    if (step.parts.size() == 1) {
        const std::string label = step.label.empty() ? "" : fmt::format(" [{}]", support::one_line(step.label));
        return moved(step.parts[0]) + label + place(step.parts[0]) + events_of(step, 0);
    }
    std::string movements;
    for (const successor::StepPart& part : step.parts)
        movements += (movements.empty() ? "; " : ", ") + moved(part) + place(part) +
                     events_of(step, static_cast<std::size_t>(&part - step.parts.data()));
    return participants(step) + movements;
}

std::string StepWords::participants(const TraceStep& step) const {
    const std::vector<successor::StepPart>& parts = step.parts;
    const std::string label = support::one_line(step.label);
    if (parts.empty()) return label.empty() ? "nothing moves" : label;
    std::string result = support::one_line(parts[0].process);
    const bool rendezvous = !label.empty() && parts.size() >= 2 && receives_from(parts[1].text, step.label);
    if (rendezvous) result += fmt::format(" {} {} on {}", arrow(), support::one_line(parts[1].process), label);
    // In an atomic sequence a process takes part several times.
    const auto is_named = [&](std::size_t i) {
        return std::any_of(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(i),
                           [&](const successor::StepPart& p) { return p.process == parts[i].process; });
    };
    for (std::size_t i = rendezvous ? 2 : 1; i < parts.size(); ++i)
        if (!is_named(i)) result += (rendezvous && i == 2 ? ", with " : ", ") + support::one_line(parts[i].process);
    if (!rendezvous && !label.empty()) result += fmt::format(" [{}]", label);
    return support::cut_to_width(result, options_.width, options_.utf8);
}

std::string StepWords::moved(const successor::StepPart& part) const {
    if (part.from.empty() && part.to.empty()) return support::one_line(part.process);
    return fmt::format("{}: {} {} {}", support::one_line(part.process), support::one_line(part.from), arrow(),
                       support::one_line(part.to));
}

std::string StepWords::place(const successor::StepPart& part) const {
    if (part.line == 0) return {};
    const std::string text = options_.file.empty() ? fmt::format("line {}", part.line)
                                                   : fmt::format("{}:{}", support::one_line(options_.file), part.line);
    return support::painted(fmt::format(" ({})", text), support::Ink::dim, options_.colour);
}

}  // namespace tideline::trace
