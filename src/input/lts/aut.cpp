// Reads Aldebaran files line by line.
//
// A label may contain commas and parentheses and need not be quoted, so an edge is read from both ends of its line: the
// source up to the first comma, the target from the last comma on, and the label is what lies between. Quotes around
// the label are dropped, those inside are kept as they are.
#include "input/lts/aut.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "input/lts/action_names.hpp"

namespace tideline::input::lts {
namespace {

constexpr std::string_view kEdgeForm = "a transition is written (from, \"label\", to), each on a line of its own";
constexpr std::string_view kHeaderForm =
    "the first line must be: des (initial state, number of transitions, number of states)";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

struct Number {
    std::uint64_t value = 0;
    support::SourceSpan span;
};

class AutReader {
public:
    AutReader(support::SourceText source, const support::Budget& budget) : poll_(budget) {
        graph_.source = std::move(source);
    }

    support::Result<Graph> read() {
        graph_.format = "aut";
        if (read_header() && read_edges() && check_counts()) {
            graph_.actions = actions_.take();
            return std::move(graph_);
        }
        return std::move(*error_);
    }

private:
    [[nodiscard]] std::string_view text() const { return graph_.source.text(); }

    bool fail(support::SourceSpan span, std::string message, std::string_view hint = {}) {
        error_ = support::diagnostic_at(graph_.source, span, std::move(message), std::string(hint));
        return false;
    }

    // The next line that is not blank, without the blanks around it; false at the end of the text.
    bool next_line(support::SourceSpan& line) {
        while (offset_ < text().size()) {
            const std::size_t stop = std::min(text().find('\n', offset_), text().size());
            line = trimmed({offset_, static_cast<std::uint32_t>(stop)});
            offset_ = static_cast<std::uint32_t>(std::min(stop + 1, text().size()));
            if (line.begin < line.end) return true;
        }
        return false;
    }

    [[nodiscard]] support::SourceSpan trimmed(support::SourceSpan span) const {
        while (span.begin < span.end && is_blank(text()[span.begin])) ++span.begin;
        while (span.begin < span.end && is_blank(text()[span.end - 1])) --span.end;
        return span;
    }

    // A decimal number that fills the span; `what` names it for the message.
    bool read_number(support::SourceSpan span, std::string_view what, Number& number) {
        number.span = trimmed(span);
        const std::string_view digits = graph_.source.text(number.span);
        const char* const last = digits.data() + digits.size();
        const auto [stop, problem] = std::from_chars(digits.data(), last, number.value);
        if (problem == std::errc::result_out_of_range && stop == last)
            return fail(number.span, fmt::format("the {} {} is too large", what, support::in_quotes(digits)));
        if (problem == std::errc() && stop == last) return true;
        return fail(number.span,
                    digits.empty() ? fmt::format("the {} is missing", what)
                                   : fmt::format("the {} must be a number, not {}", what, support::in_quotes(digits)));
    }

    bool read_header() {
        support::SourceSpan line;
        if (!next_line(line)) {
            error_ = support::diagnostic_about(graph_.source.path(), "the file is empty", std::string(kHeaderForm));
            return false;
        }
        if (!graph_.source.text(line).starts_with("des")) return fail(line, "the header is missing", kHeaderForm);
        const support::SourceSpan rest = trimmed({line.begin + 3, line.end});
        const std::string_view body = graph_.source.text(rest);
        const std::size_t first = body.find(',');
        const std::size_t second = first == std::string_view::npos ? first : body.find(',', first + 1);
        if (body.size() < 2 || body.front() != '(' || body.back() != ')' || second == std::string_view::npos)
            return fail(line, "the header is malformed", kHeaderForm);
        const auto comma1 = rest.begin + static_cast<std::uint32_t>(first);
        const auto comma2 = rest.begin + static_cast<std::uint32_t>(second);
        Number initial;
        if (!read_number({rest.begin + 1, comma1}, "initial state", initial)) return false;
        if (!read_number({comma1 + 1, comma2}, "number of transitions", transitions_)) return false;
        if (!read_number({comma2 + 1, rest.end - 1}, "number of states", states_)) return false;
        return accept_header(initial);
    }

    bool accept_header(const Number& initial) {
        if (states_.value == 0) return fail(states_.span, "a system has at least one state");
        if (states_.value > kMaxStates)
            return fail(states_.span,
                        fmt::format("{} states are more than the {} that can be read", states_.value, kMaxStates));
        graph_.state_count = states_.value;
        if (!check_bound(initial, "initial state")) return false;
        graph_.initial = {static_cast<StateNumber>(initial.value)};
        // A line of an edge has at least seven characters; a header that promises more must not reserve for them.
        graph_.edges.reserve(std::min<std::uint64_t>(transitions_.value, text().size() / 7));
        return true;
    }

    bool check_bound(const Number& state, std::string_view what) {
        if (state.value < graph_.state_count) return true;
        return fail(state.span, fmt::format("the {} {} does not exist", what, state.value),
                    fmt::format("the header announces {} states, numbered from 0 to {}", graph_.state_count,
                                graph_.state_count - 1));
    }

    bool read_edges() {
        support::SourceSpan line;
        while (next_line(line)) {
            if (poll_.is_exhausted()) {
                error_ = support::diagnostic_of_stop(graph_.source.path(), poll_.reason(), "the file was parsed");
                return false;
            }
            if (!read_edge(line)) return false;
        }
        return true;
    }

    bool read_edge(support::SourceSpan line) {
        const std::string_view body = graph_.source.text(line);
        const std::size_t first = body.find(',');
        const std::size_t last = body.rfind(',');
        if (body.front() != '(') return fail({line.begin, line.begin + 1}, "expected '('", kEdgeForm);
        if (body.back() != ')') return fail({line.end - 1, line.end}, "expected ')' at the end of the line", kEdgeForm);
        if (first == last) return fail(line, "a transition has three parts, separated by commas", kEdgeForm);
        const auto comma1 = line.begin + static_cast<std::uint32_t>(first);
        const auto comma2 = line.begin + static_cast<std::uint32_t>(last);
        Number from;
        Number to;
        if (!read_number({line.begin + 1, comma1}, "source state", from) || !check_bound(from, "source state"))
            return false;
        if (!read_number({comma2 + 1, line.end - 1}, "target state", to) || !check_bound(to, "target state"))
            return false;
        support::SourceSpan label = trimmed({comma1 + 1, comma2});
        if (!unquote(label)) return false;
        graph_.edges.push_back({static_cast<StateNumber>(from.value), static_cast<StateNumber>(to.value),
                                actions_.number_of(graph_.source.text(label)), line});
        return true;
    }

    bool unquote(support::SourceSpan& label) {
        const std::string_view body = graph_.source.text(label);
        if (body.empty() || body.front() != '"') return true;
        if (body.size() < 2 || body.back() != '"')
            return fail(label, fmt::format("the label {} has no closing quote", support::in_quotes(body)), kEdgeForm);
        ++label.begin;
        --label.end;
        return true;
    }

    bool check_counts() {
        if (graph_.edges.size() == transitions_.value) return true;
        return fail(transitions_.span,
                    fmt::format("the header announces {} transitions, but the file has {}", transitions_.value,
                                graph_.edges.size()),
                    "the second number of the header is the number of transitions");
    }

    Graph graph_;
    ActionNames actions_;
    Number transitions_;
    Number states_;
    std::uint32_t offset_ = 0;
    std::optional<support::Diagnostic> error_;
    support::BudgetPoll poll_;
};

}  // namespace

support::Result<Graph> parse_aut(support::SourceText source, const support::Budget& budget) {
    if (source.text().size() > std::numeric_limits<std::uint32_t>::max())
        return support::diagnostic_about(source.path(), "files of more than 4 GiB cannot be read");
    return AutReader(std::move(source), budget).read();
}

}  // namespace tideline::input::lts
