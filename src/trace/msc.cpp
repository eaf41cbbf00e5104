#include "trace/msc.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include <fmt/format.h>

#include "support/terminal.hpp"
#include "trace/step_text.hpp"

namespace tideline::trace {
namespace {

// Characters that Mermaid reads as its own, by number.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : support::one_line(text)) {
        if (c == '#' || c == ';' || c == '<' || c == '>' || c == '"')
            result += fmt::format("#{};", static_cast<int>(c));
        else result += c;
    }
    return result;
}

class ChartWriter {
public:
    ChartWriter(const Trace& trace, const support::TextSink& sink, const support::Budget& budget)
        : trace_(trace), sink_(sink), poll_(budget, kStepsPerLook) {}

    support::StopReason write() {
        sink_("sequenceDiagram\n");
        find_processes();
        for (std::size_t i = 0; i < trace_.step_count() && !poll_.is_exhausted(); ++i) {
            if (trace_.loop == i) line("loop for ever");
            step(trace_.step(i));
        }
        if (poll_.reason() != support::StopReason::none) sink_("    %% incomplete: a limit was reached\n");
        if (trace_.loop && poll_.reason() == support::StopReason::none) line("end");
        if (trace_.fault && poll_.reason() == support::StopReason::none) {
            const TraceFault fault = trace_.fault_step();
            step(fault.step);
            if (!fault.step.parts.empty()) note(fault.step.parts.front().process, fault.text);
        }
        return poll_.reason();
    }

private:
    static constexpr std::uint32_t kStepsPerLook = 128;

    // A message in a channel.
    struct Sent {
        std::string by;
        std::vector<std::string> values;
    };

    void line(const std::string& text) { sink_("    " + text + '\n'); }
    [[nodiscard]] const std::string& column(const std::string& process) const { return columns_.at(process); }
    void note(const std::string& process, const std::string& text) {
        line(fmt::format("Note over {}: {}", column(process), escaped(text)));
    }

    // Columns stand in the order of the model's slots, where locations are; others in the order in which they act.
    void find_processes() {
        std::vector<std::string> found;
        const auto add = [&](const TraceStep& step) {
            for (const successor::StepPart& part : step.parts)
                if (columns_.try_emplace(part.process).second) found.push_back(part.process);
        };
        for (std::size_t i = 0; i < trace_.step_count() && !poll_.is_exhausted(); ++i) add(trace_.step(i));
        if (trace_.fault && !poll_.is_exhausted()) add(trace_.fault_step().step);
        const std::vector<std::string> names = trace_.names();
        const auto place = [&](const std::string& name) { return std::find(names.begin(), names.end(), name); };
        std::stable_sort(found.begin(), found.end(),
                         [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
        for (std::size_t i = 0; i < found.size(); ++i) {
            columns_[found[i]] = fmt::format("P{}", i);
            line(fmt::format("participant P{} as {}", i, escaped(found[i])));
        }
    }

    void step(const TraceStep& step) {
        const std::vector<successor::StepEvent>& events = step.events;
        for (std::size_t e = 0; e < events.size(); ++e) {
            const successor::StepEvent& event = events[e];
            const std::string& who = step.parts[event.part].process;
            switch (event.kind) {
                case model::Event::Kind::print: note(who, event_text(event)); break;
                case model::Event::Kind::send:
                    if (is_rendezvous(step, e)) {
                        line(fmt::format("{}->>{}: {}", column(who), column(step.parts[events[e + 1].part].process),
                                         escaped(event_text(event))));
                        ++e;
                        break;
                    }
                    channels_[event.channel].push_back({who, event.values});
                    note(who, event_text(event));
                    break;
                case model::Event::Kind::receive: receive(who, event); break;
            }
        }
    }

    // The two parts of a rendezvous follow each other.
    [[nodiscard]] static bool is_rendezvous(const TraceStep& step, std::size_t e) {
        if (e + 1 == step.events.size()) return false;
        const successor::StepEvent& sent = step.events[e];
        const successor::StepEvent& received = step.events[e + 1];
        return received.kind == model::Event::Kind::receive && received.channel == sent.channel &&
               received.part == sent.part + 1 && step.parts[sent.part].process != step.parts[received.part].process;
    }

    void receive(const std::string& who, const successor::StepEvent& event) {
        std::deque<Sent>& waiting = channels_[event.channel];
        const auto sent = std::find_if(waiting.begin(), waiting.end(),
                                       [&](const Sent& message) { return message.values == event.values; });
        if (sent == waiting.end()) {
            note(who, event_text(event));
            return;
        }
        line(fmt::format("{}-->>{}: {}", column(sent->by), column(who), escaped(event_text(event))));
        waiting.erase(sent);
    }

    const Trace& trace_;
    const support::TextSink& sink_;
    support::BudgetPoll poll_;
    std::map<std::string, std::string> columns_;
    std::map<std::string, std::deque<Sent>> channels_;
};

}  // namespace

support::StopReason write_msc(const Trace& trace, const support::TextSink& sink, const support::Budget& budget) {
    if (trace.empty()) return support::StopReason::none;
    return ChartWriter(trace, sink, budget).write();
}

}  // namespace tideline::trace
