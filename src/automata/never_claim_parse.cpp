#include "automata/never_claim_parse.hpp"

#include <algorithm>
#include <map>

#include "automata/budget.hpp"
#include "automata/labels_within.hpp"

namespace tideline::automata {
namespace {

struct ParseError {
    support::Diagnostic diagnostic;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class ClaimParser {
public:
    ClaimParser(const support::SourceText& source, Labels& labels, const support::Budget& budget)
        : source_(source), text_(source.text()), labels_(labels), poll_(budget, 64) {
        automaton_.labels = &labels;
        automaton_.sets = 1;
        automaton_.state_based = true;
    }

    Automaton run() {
        expect_word("never");
        if (at_ < text_.size() && is_letter(peek())) word("a name");
        expect("{");
        if (peek() == '}') fail(at_, at_ + 1, "the claim is empty", "expected a state, such as T0_init:");
        while (!accept("}")) read_state();
        skip();
        if (at_ < text_.size()) fail(at_, at_ + 1, "expected the end after the claim");
        return finish();
    }

private:
    [[noreturn]] void fail(std::size_t begin, std::size_t end, std::string message, std::string hint = {}) const {
        throw ParseError{support::diagnostic_at(source_,
                                                {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
                                                std::move(message), std::move(hint))};
    }

    void skip() {
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            if (is_space(rest[0])) {
                ++at_;
            } else if (rest.starts_with("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                if (end == std::string_view::npos) fail(at_, at_ + 2, "this comment is never closed");
                at_ = end + 2;
            } else if (rest.starts_with("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else {
                return;
            }
        }
    }

    char peek() {
        skip();
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    [[nodiscard]] std::string found() const {
        return at_ < text_.size() ? support::in_quotes(text_.substr(at_, 1)) : "the end";
    }

    bool accept(std::string_view symbol) {
        skip();
        if (!text_.substr(at_).starts_with(symbol)) return false;
        at_ += symbol.size();
        return true;
    }

    void expect(std::string_view symbol) {
        if (!accept(symbol)) fail(at_, at_ + 1, "expected " + support::in_quotes(symbol) + ", found " + found());
    }

    [[nodiscard]] std::size_t word_end() const {
        std::size_t end = at_;
        while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
        return end;
    }

    bool accept_word(std::string_view wanted) {
        skip();
        const std::size_t end = word_end();
        if (text_.substr(at_, end - at_) != wanted) return false;
        at_ = end;
        return true;
    }

    void expect_word(std::string_view wanted) {
        if (!accept_word(wanted))
            fail(at_, std::max(word_end(), at_ + 1), "expected " + support::in_quotes(wanted) + ", found " + found());
    }

    std::string word(const std::string& what) {
        skip();
        const std::size_t begin = at_;
        if (begin == text_.size() || !is_letter(text_[begin]))
            fail(begin, begin + 1, "expected " + what + ", found " + found());
        at_ = word_end();
        return std::string(text_.substr(begin, at_ - begin));
    }

    // Labels, then a statement.
    void read_state() {
        if (poll_.is_exhausted()) throw LimitReached{kInterrupted, true};
        std::vector<std::string> names;
        std::vector<support::SourceSpan> spans;
        while (true) {
            skip();
            const std::size_t begin = at_;
            if (at_ == text_.size() || !is_letter(text_[at_])) break;
            const std::string name = word("a label");
            if (peek() != ':' || text_.substr(at_).starts_with("::")) {
                at_ = begin;
                break;
            }
            ++at_;
            names.push_back(name);
            spans.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + name.size())});
        }
        if (names.empty())
            fail(at_, std::max(word_end(), at_ + 1), "expected the label of a state, found " + found(),
                 "such as T0_init:");
        const auto state = static_cast<StateNumber>(states_.size());
        states_.push_back({});
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (!labels_to_states_.emplace(names[i], state).second)
                fail(spans[i].begin, spans[i].end,
                     "the label " + support::in_quotes(names[i]) + " occurs a second time");
            if (names[i].starts_with("accept")) states_[state].accepting = true;
        }
        read_statement(state);
        accept(";");
    }

    void read_statement(StateNumber state) {
        if (accept_word("skip")) {
            states_[state].ends = true;
        } else if (accept_word("false")) {
            return;
        } else if (accept_word("if")) {
            read_options(state, "fi");
        } else if (accept_word("do")) {
            read_options(state, "od");
        } else if (peek() == '(') {  // (condition) without alternatives, as in `(1) -> goto s`
            read_option(state);
        } else if (peek() == '0' || peek() == '1') {
            states_[state].ends = text_[at_] == '1';
            ++at_;
        } else {
            fail(at_, std::max(word_end(), at_ + 1),
                 "expected 'if', 'do', 'skip' or 'false', found " +
                     support::in_quotes(text_.substr(at_, std::max<std::size_t>(word_end() - at_, 1))));
        }
    }

    void read_options(StateNumber state, std::string_view end) {
        skip();
        if (!text_.substr(at_).starts_with("::")) fail(at_, at_ + 1, "expected '::', found " + found());
        while (accept("::")) read_option(state);
        if (!accept_word(end))
            fail(at_, std::max(word_end(), at_ + 1),
                 "expected '::' or " + support::in_quotes(end) + ", found " + found());
    }

    void read_option(StateNumber state) {
        if (accept_word("atomic")) {  // atomic { (condition) -> assert(...) }
            expect("{");
            const Label condition = read_condition();
            if (!accept("->")) expect(";");
            const std::size_t begin = at_;
            if (!accept_word("assert")) fail(begin, at_ + 1, "expected 'assert' in an atomic step, found " + found());
            read_condition();
            accept(";");
            expect("}");
            accept(";");
            states_[state].edges.push_back({condition, {}, {}});
            return;
        }
        const Label condition = accept_word("false")  ? labels_.falsity()
                                : accept_word("true") ? labels_.truth()
                                                      : read_condition();
        if (!accept("->")) expect(";");
        expect_word("goto");
        skip();
        const std::size_t begin = at_;
        const std::string target = word("the label of a state");
        accept(";");
        states_[state].edges.push_back(
            {condition, target, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)}});
    }

    // In parentheses. ! binds most strongly, then &&, then ||; both stacks are explicit.
    Label read_condition() {
        if (peek() != '(') {
            if (peek() == '1' || peek() == '0') return text_[at_++] == '1' ? labels_.truth() : labels_.falsity();
            fail(at_, at_ + 1, "expected a condition in parentheses, found " + found());
        }
        std::vector<char> operators;
        std::vector<Label> operands;
        const auto apply = [&] {
            const char op = operators.back();
            operators.pop_back();
            const Label right = operands.back();
            if (op == '!') {
                operands.back() = labels_.negation(right);
                return;
            }
            operands.pop_back();
            operands.back() = op == '&' ? labels_.both(operands.back(), right) : labels_.either(operands.back(), right);
        };
        std::size_t open = 0;
        while (true) {
            while (peek() == '(' || (peek() == '!' && !text_.substr(at_).starts_with("!="))) {
                if (text_[at_] == '(') ++open;
                operators.push_back(text_[at_++]);
            }
            operands.push_back(read_atom());
            while (true) {
                while (!operators.empty() && operators.back() == '!') apply();
                if (peek() != ')') break;
                while (operators.back() != '(') apply();
                operators.pop_back();
                ++at_;
                if (--open == 0) {
                    while (!operators.empty() && operators.back() == '!') apply();
                    return operands.back();
                }
            }
            const bool conjunction = text_.substr(at_).starts_with("&&");
            if (!conjunction && !text_.substr(at_).starts_with("||"))
                fail(at_, at_ + 1, "expected '&&', '||' or ')', found " + found(),
                     "an atom with parentheses of its own is not supported");
            at_ += 2;
            while (operators.back() != '(' && (operators.back() == '&' || !conjunction)) apply();
            operators.push_back(conjunction ? '&' : '|');
        }
    }

    // Everything up to the next connective or unmatched parenthesis.
    Label read_atom() {
        skip();
        const std::size_t begin = at_;
        std::size_t depth = 0;
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            if (depth == 0 &&
                (rest.starts_with("&&") || rest.starts_with("||") || rest.starts_with("->") || rest[0] == ')'))
                break;
            if (rest[0] == '(' || rest[0] == '[') ++depth;
            if ((rest[0] == ')' || rest[0] == ']') && depth > 0) --depth;
            if (rest[0] == ';' || rest[0] == '{' || rest[0] == '}') break;
            ++at_;
        }
        std::size_t end = at_;
        while (end > begin && is_space(text_[end - 1])) --end;
        const std::string atom(text_.substr(begin, end - begin));
        if (atom.empty()) fail(begin, begin + 1, "expected a condition, found " + found());
        if (atom == "1" || atom == "true") return labels_.truth();
        if (atom == "0" || atom == "false") return labels_.falsity();
        auto known = std::find(automaton_.atoms.begin(), automaton_.atoms.end(), atom);
        if (known == automaton_.atoms.end()) {
            if (automaton_.atoms.size() == kMostAtoms)
                fail(begin, end, "automata with more than " + std::to_string(kMostAtoms) + " atoms are not supported");
            automaton_.atoms.push_back(atom);
            known = automaton_.atoms.end() - 1;
        }
        return labels_.variable(static_cast<std::uint32_t>(known - automaton_.atoms.begin()));
    }

    Automaton finish() {
        const auto everything = static_cast<StateNumber>(states_.size());  // accepts every word
        std::vector<std::string> names;
        for (const auto& [name, state] : labels_to_states_) names.push_back(name);
        bool used = false;
        for (const State& state : states_) {
            std::vector<Edge> edges;
            const Marks marks = state.accepting ? 1 : 0;
            if (state.ends) {
                edges.push_back({everything, labels_.truth(), marks});
                used = true;
            }
            for (const Goto& g : state.edges) {
                StateNumber target = everything;
                if (g.target.empty()) {
                    used = true;
                } else {
                    const auto found = labels_to_states_.find(g.target);
                    if (found == labels_to_states_.end())
                        fail(g.span.begin, g.span.end, "there is no state " + support::in_quotes(g.target),
                             support::suggestion(g.target, names));
                    target = found->second;
                }
                edges.push_back({target, g.condition, marks});
            }
            automaton_.states.push_back(std::move(edges));
        }
        if (used) automaton_.states.push_back({{everything, labels_.truth(), 1}});
        // `accept_all: skip` is the state that accepts everything, not one before it.
        for (StateNumber s = 0; s < states_.size(); ++s)
            if (states_[s].ends && states_[s].accepting) automaton_.states[s].front().target = s;
        merge_edges(automaton_);
        return renumbered(automaton_);
    }

    struct Goto {
        Label condition;
        std::string target;  // empty: the claim is matched
        support::SourceSpan span;
    };
    struct State {
        bool accepting = false;
        bool ends = false;
        std::vector<Goto> edges;
    };

    const support::SourceText& source_;
    std::string_view text_;
    std::size_t at_ = 0;
    Labels& labels_;
    support::BudgetPoll poll_;
    Automaton automaton_;
    std::vector<State> states_;
    std::map<std::string, StateNumber> labels_to_states_;
};

}  // namespace

support::Result<Automaton> parse_never_claim(const support::SourceText& source, Labels& labels,
                                             const support::Budget& budget) {
    const LabelsWithin within(labels, budget);
    try {
        return ClaimParser(source, labels, budget).run();
    } catch (const ParseError& error) {
        return error.diagnostic;
    } catch (const LimitReached& limit) {
        return reading_ended(source, limit, budget);
    }
}

}  // namespace tideline::automata
