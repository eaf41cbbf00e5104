// One renderer for all styles. A trace becomes a numbered list: 0 is the initial state, i is the step that leads to
// state i. A step is shown by who moves, between which locations, where that is written and the text written there;
// then come values, all of them or those that changed. A change of location that the line of the step already shows is
// not repeated.
#include "trace/render.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/terminal.hpp"
#include "trace/slot_groups.hpp"
#include "trace/step_text.hpp"

namespace tideline::trace {
namespace {

constexpr std::size_t kDetailIndent = 2;  // of what belongs to a numbered line, after the number

// A piece of text that is not split across lines, with its width on the screen.
struct Piece {
    std::string text;
    std::size_t width = 0;
    bool ends_value = true;  // false: more elements of the same array follow
};

// The values of a state, by slot.
using Values = std::vector<model::Value>;

constexpr std::size_t kFlush = std::size_t{1} << 16U;  // characters that are written together

std::string_view why(support::StopReason reason) {
    switch (reason) {
        case support::StopReason::time: return "time limit reached";
        case support::StopReason::memory: return "memory limit reached";
        default: return support::to_string(reason);
    }
}

class Renderer {
public:
    Renderer(const Trace& trace, TraceStyle style, const RenderOptions& options, const support::TextSink& sink,
             const support::Budget& budget)
        : trace_(trace),
          style_(style),
          options_(options),
          sink_(sink),
          poll_(budget, kStepsPerLook),
          words_({options.utf8, options.colour, options.file, options.width}),
          arrow_(words_.arrow()),
          number_width_(std::max<std::size_t>(2, std::to_string(trace.step_count() + 1).size())),
          names_(trace.names()),
          groups_(slot_groups(names_, trace.channels())) {}

    void write() {
        if (trace_.empty() || style_ == TraceStyle::none) return;
        Values values = trace_.values(0);
        initial_state(values);
        std::size_t i = 0;
        for (; i < trace_.step_count() && !poll_.is_exhausted(); ++i) {
            Values next = trace_.values(trace_.target(i));
            step(i, values, next);
            values = std::move(next);
            if (out_.size() >= kFlush) flush();
        }
        if (i < trace_.step_count()) cut(trace_.step_count() - i);
        else if (trace_.fault) fault(trace_.fault_step());
        else if (trace_.violation && trace_.violation->kind == ShownViolation::Kind::formula) bad_prefix();
        flush();
    }

private:
    static constexpr std::uint32_t kStepsPerLook = 128;

    void flush() {
        sink_(out_);
        out_.clear();
    }

    void cut(std::size_t steps) {
        const std::string which =
            steps == 1 ? "the last step of this run is" : fmt::format("the last {} steps of this run are", steps);
        note(fmt::format("{} not shown: {}", which, why(poll_.reason())), support::Ink::yellow);
    }

    void initial_state(const Values& values) {
        const bool alone = trace_.step_count() == 0 && !trace_.fault;
        std::string text = options_.from_initial ? "initial state" : "a reachable state";
        const auto beginning = options_.from_initial ? trace_.beginning() : std::nullopt;
        if (beginning && beginning->of > 1) text += fmt::format(" {} of {}", beginning->number + 1, beginning->of);
        if (options_.from_initial && alone) text += " (no step is needed)";
        headline(0, text);
        if (style_ != TraceStyle::actions) all_values(values, nullptr);
        if (trace_.loop == std::size_t{0}) cycle_begins(0);
    }

    void step(std::size_t i, const Values& before, const Values& after) {
        const bool closing = i + 1 == trace_.size();
        const TraceStep step = trace_.step(i);
        step_lines(i + 1, step);
        if (style_ == TraceStyle::full && !closing) all_values(after, &before);
        if (style_ == TraceStyle::changes || (style_ == TraceStyle::full && closing)) changes(step, before, after);
        if (closing) note(fmt::format("back to state {}: the cycle is closed", *trace_.loop), support::Ink::cyan);
        else if (trace_.loop == i + 1) cycle_begins(i + 1);
    }

    void fault(const TraceFault& fault) {
        const bool by_step = !fault.step.is_empty();
        if (by_step) step_lines(trace_.step_count() + 1, fault.step);
        const std::string kind =
            fault.kind == model::FaultKind::none ? "" : fmt::format(" ({})", model::to_string(fault.kind));
        const std::string place = by_step ? "this step is faulty" : "fault in this state";
        note(fmt::format("{}{}: {}", place, kind, support::one_line(fault.text)), support::Ink::red);
    }

    void bad_prefix() {
        note(trace_.step_count() == 0 ? "this state violates the formula: no run that begins here satisfies it"
                                      : "this step violates the formula: no run that begins like this satisfies it",
             support::Ink::red);
    }

    // The line of a step, and in all styles but `actions` the source of its parts.
    void step_lines(std::size_t number, const TraceStep& step) {
        const std::vector<successor::StepPart>& parts = step.parts;
        if (style_ == TraceStyle::actions) {
            headline(number, words_.whole(step));
        } else if (parts.size() == 1) {
            headline(number, words_.whole(step));
            source(parts[0], 0);
        } else {
            headline(number, words_.participants(step));
            for (const successor::StepPart& part : parts) {
                detail(words_.moved(part) + words_.place(part), 0);
                source(part, 2);
                events(step, static_cast<std::size_t>(&part - parts.data()), 2);
            }
        }
    }

    void events(const TraceStep& step, std::size_t part, std::size_t further) {
        for (const successor::StepEvent& event : step.events)
            if (event.part == part)
                detail(support::cut_to_width(event_text(event), options_.width, options_.utf8), further);
    }

    void source(const successor::StepPart& part, std::size_t further) {
        const std::string text = support::cut_to_width(support::one_line(part.text), options_.width, options_.utf8);
        if (!text.empty()) detail(text, further);
    }

    [[nodiscard]] std::string slot_text(const Values& values, std::size_t slot) const {
        return support::one_line(trace_.text(slot, values[slot]));
    }
    [[nodiscard]] bool differs(const Values& a, const Values& b, std::size_t slot) const {
        return a[slot] != b[slot] && slot_text(a, slot) != slot_text(b, slot);
    }

    void changes(const TraceStep& step, const Values& before, const Values& after) {
        std::vector<Piece> pieces;
        bool has_detail = false;
        const auto change = [&](const std::string& name, const std::string& from, const std::string& end) {
            const std::string start = fmt::format("{}: {} {} ", support::one_line(name), from, arrow_);
            pieces.push_back({start + support::painted(end, support::Ink::bold, options_.colour),
                              support::text_width(start) + support::text_width(end), true});
        };
        for (const SlotGroup& group : groups_) {
            if (group.channel) {
                const std::string from = channel_text(group, before);
                const std::string to = channel_text(group, after);
                if (from != to) change(group.name, from, to);
                continue;
            }
            for (std::size_t slot = group.first; slot < group.first + group.count; ++slot) {
                if (!differs(before, after, slot)) continue;
                if (is_told(step, slot, before, after)) has_detail = true;
                else change(names_[slot], slot_text(before, slot), slot_text(after, slot));
            }
        }
        if (!step.events.empty()) has_detail = true;
        if (pieces.empty() && !has_detail) detail("(no change)", 0);
        list(pieces);
    }

    // "<7, 1 | 2, 0>": the oldest message first.
    [[nodiscard]] std::string channel_text(const SlotGroup& group, const Values& values) const {
        std::string result = "<";
        for (const std::vector<std::string>& message :
             messages(*group.channel, values, [&](std::size_t slot) { return slot_text(values, slot); }))
            result += fmt::format("{}{}", result.size() > 1 ? " | " : "", fmt::join(message, ", "));
        return result + '>';
    }

    // Whether the line of the step says how this slot changes: it is the location of a process that moves.
    [[nodiscard]] bool is_told(const TraceStep& step, std::size_t slot, const Values& before,
                               const Values& after) const {
        return std::any_of(step.parts.begin(), step.parts.end(), [&](const successor::StepPart& part) {
            return part.process == names_[slot] && support::one_line(part.from) == slot_text(before, slot) &&
                   support::one_line(part.to) == slot_text(after, slot);
        });
    }

    // All values, those that differ from `before` in bold.
    void all_values(const Values& state, const Values* before) {
        std::vector<Piece> pieces;
        for (const SlotGroup& group : groups_) {
            std::vector<Piece> parts = group_pieces(group, state, before);
            std::size_t width = 0;
            for (const Piece& part : parts) width += part.width + 1;
            if (width > options_.width - std::min(options_.width, indent())) {
                std::move(parts.begin(), parts.end(), std::back_inserter(pieces));
                continue;
            }
            Piece joined;  // what fits on a line stays together
            for (const Piece& part : parts) {
                joined.text += (joined.text.empty() ? "" : " ") + part.text;
                joined.width += part.width + (joined.width == 0 ? 0 : 1);
            }
            pieces.push_back(std::move(joined));
        }
        list(pieces);
    }

    // "x = 1", or "a = {0," "1," "2}".
    [[nodiscard]] std::vector<Piece> group_pieces(const SlotGroup& group, const Values& state,
                                                  const Values* before) const {
        std::vector<Piece> pieces;
        if (group.channel) {
            const std::string start = support::one_line(group.name) + " = ";
            const std::string value = channel_text(group, state);
            const bool changed = before != nullptr && channel_text(group, *before) != value;
            pieces.push_back({start + support::painted(value, support::Ink::bold, options_.colour && changed),
                              support::text_width(start) + support::text_width(value), true});
            return pieces;
        }
        for (std::size_t i = 0; i < group.count; ++i) {
            const std::size_t slot = group.first + i;
            const std::string start = i > 0 ? "" : support::one_line(group.name) + (group.array ? " = {" : " = ");
            const std::string value = slot_text(state, slot);
            const std::string end = !group.array ? "" : i + 1 < group.count ? "," : "}";
            const bool changed = before != nullptr && differs(*before, state, slot);
            pieces.push_back({start + support::painted(value, support::Ink::bold, options_.colour && changed) + end,
                              support::text_width(start) + support::text_width(value) + support::text_width(end),
                              i + 1 == group.count});
        }
        return pieces;
    }

    // Pieces in sequence with commas between values, in lines of the wanted width.
    void list(const std::vector<Piece>& pieces) {
        std::size_t column = 0;
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const bool comma = i + 1 < pieces.size() && pieces[i].ends_value;
            const std::size_t width = pieces[i].width + (comma ? 1 : 0);
            if (column > 0 && column + 1 + width > options_.width) {
                out_ += '\n';
                column = 0;
            }
            if (column == 0) {
                out_.append(indent(), ' ');
                column = indent();
            } else {
                out_ += ' ';
                ++column;
            }
            out_ += pieces[i].text;
            if (comma) out_ += ',';
            column += width;
        }
        if (!pieces.empty()) out_ += '\n';
    }

    [[nodiscard]] std::size_t indent() const { return number_width_ + 2 + kDetailIndent; }

    void headline(std::size_t number, const std::string& text) {
        out_ += support::painted(fmt::format("{:>{}}", number, number_width_), support::Ink::bold, options_.colour) +
                "  " + text + '\n';
    }
    void detail(const std::string& text, std::size_t further) {
        out_ += std::string(indent() + further, ' ') + text + '\n';
    }
    void note(const std::string& text, support::Ink ink) { detail(support::painted(text, ink, options_.colour), 0); }
    void cycle_begins(std::size_t state) {
        note(fmt::format("the cycle begins here, in state {}", state), support::Ink::cyan);
    }

    const Trace& trace_;
    TraceStyle style_;
    const RenderOptions& options_;
    const support::TextSink& sink_;
    support::BudgetPoll poll_;
    StepWords words_;
    std::string arrow_;
    std::size_t number_width_;
    std::vector<std::string> names_;
    std::vector<SlotGroup> groups_;
    std::string out_;
};

}  // namespace

void render(const Trace& trace, TraceStyle style, const RenderOptions& options, const support::TextSink& sink,
            const support::Budget& budget) {
    Renderer(trace, style, options, sink, budget).write();
}

std::string render(const Trace& trace, TraceStyle style, const RenderOptions& options) {
    std::string text;
    const support::Budget unlimited;
    render(trace, style, options, support::sink_into(text), unlimited);
    return text;
}

}  // namespace tideline::trace
