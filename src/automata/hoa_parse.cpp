#include "automata/hoa_parse.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "automata/budget.hpp"
#include "automata/hoa_lexer.hpp"
#include "automata/labels_within.hpp"

namespace tideline::automata {
namespace {

constexpr std::uint64_t kMostStates = 10'000'000;
constexpr std::size_t kMostImplicit = 16;  // atoms of an automaton with implicit labels: 65,536 edges per state

using Kind = HoaToken::Kind;

class HoaParser {
public:
    HoaParser(const support::SourceText& source, Labels& labels, const support::Budget& budget)
        : lexer_(source), labels_(labels), poll_(budget) {
        automaton_.labels = &labels;
    }

    Automaton run() {
        read_header();
        read_body();
        return finish();
    }

private:
    void read_header() {
        const HoaToken first = lexer_.next();
        if (first.kind != Kind::header || first.text != "HOA")
            lexer_.fail(first.span, "expected 'HOA:' at the beginning");
        const HoaToken version = lexer_.next();
        if (version.text != "v1")
            lexer_.fail(version.span, "expected version 'v1', found " + support::in_quotes(version.text),
                        "only version 1 of the format is read");
        while (lexer_.peek().kind == Kind::header) read_item(lexer_.next());
        if (lexer_.peek().text != "--BODY--")
            lexer_.fail(lexer_.peek().span, "expected a header item or '--BODY--', found " + lexer_.found());
        if (!has_acceptance_) lexer_.fail(lexer_.peek().span, "the header has no 'Acceptance:'");
        lexer_.next();
    }

    void read_item(const HoaToken& item) {
        static constexpr std::array<std::string_view, 5> kOnce{"States", "AP", "Acceptance", "name", "tool"};
        if (std::find(kOnce.begin(), kOnce.end(), item.text) != kOnce.end() && !seen_items_.insert(item.text).second)
            lexer_.fail(item.span, "the header item " + support::in_quotes(item.text + ':') + " occurs a second time");
        if (item.text == "States") {
            declared_ = state_number(true);
        } else if (item.text == "Start") {
            starts_.push_back(state_number());
            refuse_conjunction();
        } else if (item.text == "AP") {
            read_atoms();
        } else if (item.text == "Alias") {
            const HoaToken name = lexer_.next();
            if (name.kind != Kind::alias) lexer_.fail(name.span, "expected the name of an alias, such as @a");
            aliases_[name.text] = read_label_formula();
        } else if (item.text == "Acceptance") {
            read_acceptance();
        } else {
            // Names of tools, properties and items of other tools. Items with a capital letter may change the meaning.
            const bool harmless = item.text == "name" || item.text == "tool" || item.text == "properties" ||
                                  item.text == "acc-name" || (item.text[0] >= 'a' && item.text[0] <= 'z');
            if (!harmless)
                lexer_.fail(item.span, "the header item " + support::in_quotes(item.text) + " is not supported");
            while (lexer_.peek().kind != Kind::header && lexer_.peek().kind != Kind::marker &&
                   lexer_.peek().kind != Kind::end)
                lexer_.next();
        }
    }

    std::uint64_t state_number(bool count = false) {
        const support::SourceSpan span = lexer_.peek().span;
        const std::uint64_t number = lexer_.number(count ? "the number of states" : "the number of a state");
        if (number > kMostStates)
            lexer_.fail(span, "more than " + std::to_string(kMostStates) + " states are not supported");
        if (!count && declared_ && number >= *declared_)
            lexer_.fail(span, "there is no state " + std::to_string(number), "states are numbered from 0 on");
        return number;
    }

    void refuse_conjunction() {
        if (lexer_.at_symbol("&"))
            lexer_.fail(lexer_.peek().span, "alternating automata (conjunctions of states) are not supported");
    }

    void read_atoms() {
        const support::SourceSpan span = lexer_.peek().span;
        const std::uint64_t count = lexer_.number("the number of atoms");
        if (count > kMostAtoms)
            lexer_.fail(span, "automata with more than " + std::to_string(kMostAtoms) + " atoms are not supported");
        for (std::uint64_t i = 0; i < count; ++i) {
            if (lexer_.peek().kind != Kind::text)
                lexer_.fail(lexer_.peek().span, "expected " + std::to_string(count) +
                                                    " names of atoms in double quotes, found " + lexer_.found());
            automaton_.atoms.push_back(lexer_.next().text);
        }
    }

    // A number of sets and a conjunction of Inf(i); every other set does not count.
    void read_acceptance() {
        has_acceptance_ = true;
        const support::SourceSpan span = lexer_.peek().span;
        sets_declared_ = lexer_.number("the number of acceptance sets");
        if (sets_declared_ > kMostSets)
            lexer_.fail(span,
                        "automata with more than " + std::to_string(kMostSets) + " acceptance sets are not supported");
        std::size_t open = 0;
        while (true) {
            while (lexer_.accept("(")) ++open;
            const HoaToken token = lexer_.next();
            if (token.text == "Inf") {
                lexer_.expect("(");
                if (lexer_.at_symbol("!"))
                    lexer_.fail(lexer_.peek().span, "complements of acceptance sets are not supported");
                const support::SourceSpan set_span = lexer_.peek().span;
                const std::uint64_t set = lexer_.number("the number of an acceptance set");
                if (set >= sets_declared_) lexer_.fail(set_span, "there is no acceptance set " + std::to_string(set));
                lexer_.expect(")");
                counted_ |= Marks{1} << set;
            } else if (token.text == "Fin" || token.text == "f") {
                lexer_.fail(token.span, "only Büchi and generalised Büchi acceptance are supported, not " +
                                            support::in_quotes(token.text));
            } else if (token.text != "t") {
                lexer_.fail(token.span, "expected an acceptance condition, found " + support::in_quotes(token.text));
            }
            while (open > 0 && lexer_.accept(")")) --open;
            if (lexer_.at_symbol("|"))
                lexer_.fail(lexer_.peek().span,
                            "only Büchi and generalised Büchi acceptance are supported, not disjunctions");
            if (!lexer_.accept("&")) break;
        }
        if (open > 0) lexer_.fail(lexer_.peek().span, "expected ')', found " + lexer_.found());
    }

    // ! binds most strongly, then &, then |. Both stacks are explicit.
    Label read_label_formula() {
        struct Pending {
            char op;  // ! & | or (
            support::SourceSpan span;
        };
        std::vector<Pending> operators;
        std::vector<Label> operands;
        const auto apply = [&] {
            const char op = operators.back().op;
            operators.pop_back();
            const Label right = operands.back();
            if (op == '!') {
                operands.back() = labels_.negation(right);
                return;
            }
            operands.pop_back();
            operands.back() = op == '&' ? labels_.both(operands.back(), right) : labels_.either(operands.back(), right);
        };
        while (true) {
            while (lexer_.at_symbol("!") || lexer_.at_symbol("(")) {
                const HoaToken token = lexer_.next();
                operators.push_back({token.text[0], token.span});
            }
            operands.push_back(read_label_leaf());
            while (true) {
                while (!operators.empty() && operators.back().op == '!') apply();
                if (!lexer_.at_symbol(")") ||
                    std::none_of(operators.begin(), operators.end(), [](const Pending& p) { return p.op == '('; }))
                    break;
                while (operators.back().op != '(') apply();
                operators.pop_back();
                lexer_.next();
            }
            if (!lexer_.at_symbol("&") && !lexer_.at_symbol("|")) break;
            const HoaToken token = lexer_.next();
            const char op = token.text[0];
            while (!operators.empty() && operators.back().op != '(' && (operators.back().op == '&' || op == '|'))
                apply();
            operators.push_back({op, token.span});
        }
        while (!operators.empty()) {
            if (operators.back().op == '(') lexer_.fail(operators.back().span, "this '(' is never closed");
            apply();
        }
        return operands.back();
    }

    Label read_label_leaf() {
        const HoaToken token = lexer_.next();
        if (token.kind == Kind::number) {
            if (token.number >= automaton_.atoms.size())
                lexer_.fail(token.span, "there is no atom " + token.text,
                            "atoms are numbered from 0 on, in the order of 'AP:'");
            return labels_.variable(static_cast<std::uint32_t>(token.number));
        }
        if (token.kind == Kind::alias) {
            const auto found = aliases_.find(token.text);
            if (found != aliases_.end()) return found->second;
            std::vector<std::string> names;
            for (const auto& [name, label] : aliases_) names.push_back(name);
            lexer_.fail(token.span, "unknown alias " + support::in_quotes(token.text),
                        support::suggestion(token.text, names));
        }
        if (token.text == "t") return labels_.truth();
        if (token.text == "f") return labels_.falsity();
        lexer_.fail(token.span, "expected a label, found " +
                                    (token.kind == Kind::end ? "the end" : support::in_quotes(token.text)));
    }

    std::optional<Label> read_bracketed_label() {
        if (!lexer_.accept("[")) return std::nullopt;
        const Label result = read_label_formula();
        lexer_.expect("]");
        return result;
    }

    Marks read_marks() {
        Marks result = 0;
        if (!lexer_.accept("{")) return result;
        while (!lexer_.accept("}")) {
            const support::SourceSpan span = lexer_.peek().span;
            const std::uint64_t set = lexer_.number("the number of an acceptance set or '}'");
            if (set >= sets_declared_) lexer_.fail(span, "there is no acceptance set " + std::to_string(set));
            result |= Marks{1} << set;
        }
        return result;
    }

    void read_body() {
        while (lexer_.peek().kind == Kind::header) {
            const HoaToken item = lexer_.next();
            if (item.text != "State")
                lexer_.fail(item.span, "expected 'State:', found " + support::in_quotes(item.text + ':'));
            read_state();
        }
        const HoaToken end = lexer_.next();
        if (end.text == "--ABORT--")
            lexer_.fail(end.span, "the automaton is incomplete: whoever wrote it gave up here");
        if (end.text != "--END--")
            lexer_.fail(end.span, "expected 'State:', an edge or '--END--', found " +
                                      (end.kind == Kind::end ? "the end" : support::in_quotes(end.text)));
        if (lexer_.peek().kind != Kind::end) lexer_.fail(lexer_.peek().span, "only one automaton is read from a text");
    }

    void read_state() {
        const std::optional<Label> state_label = read_bracketed_label();
        const support::SourceSpan span = lexer_.peek().span;
        const std::uint64_t number = state_number();
        if (described_.size() <= number) described_.resize(number + 1, false);
        if (described_[number]) lexer_.fail(span, "state " + std::to_string(number) + " occurs a second time");
        described_[number] = true;
        if (lexer_.peek().kind == Kind::text) lexer_.next();
        const Marks of_state = read_marks();
        std::size_t implicit = 0;
        while (lexer_.at_symbol("[") || lexer_.peek().kind == Kind::number) {
            if (poll_.is_exhausted()) throw LimitReached{kInterrupted, true};
            const support::SourceSpan edge_span = lexer_.peek().span;
            std::optional<Label> label = read_bracketed_label();
            if (label && state_label) lexer_.fail(edge_span, "this edge has a label although its state has one");
            if (!label) label = state_label ? *state_label : implicit_label(implicit++, edge_span);
            const std::uint64_t target = state_number();
            refuse_conjunction();
            const Marks marks = of_state | read_marks();
            edges_.push_back({static_cast<StateNumber>(number), {static_cast<StateNumber>(target), *label, marks}});
            largest_ = std::max(largest_, target);
        }
        if (implicit > 0 && implicit != std::size_t{1} << automaton_.atoms.size())
            lexer_.fail(lexer_.peek().span, "expected " + std::to_string(std::size_t{1} << automaton_.atoms.size()) +
                                                " edges, one for each letter, or labels; found " +
                                                std::to_string(implicit) + " edges");
        largest_ = std::max(largest_, number);
    }

    // The i-th edge without a label is for the letter with the bits of i.
    Label implicit_label(std::size_t i, support::SourceSpan span) {
        const std::size_t atoms = automaton_.atoms.size();
        if (atoms > kMostImplicit)
            lexer_.fail(span, "implicit labels are supported for at most " + std::to_string(kMostImplicit) + " atoms");
        if (i >= std::size_t{1} << atoms) lexer_.fail(span, "there are more edges without labels than letters");
        const std::uint64_t all = (std::uint64_t{1} << atoms) - 1;
        return labels_.cube({i, all & ~std::uint64_t{i}});
    }

    // The bits of the sets that count, compacted.
    [[nodiscard]] Marks counted(Marks marks) const {
        Marks result = 0;
        std::size_t at = 0;
        for (std::size_t set = 0; set < sets_declared_; ++set)
            if (((counted_ >> set) & 1U) != 0) result |= ((marks >> set) & 1U) << at++;
        return result;
    }

    Automaton finish() {
        for (const std::uint64_t start : starts_) {
            if (declared_ && start >= *declared_)
                lexer_.fail({0, 3}, "there is no state " + std::to_string(start) + " to start from");
            largest_ = std::max(largest_, start);
        }
        automaton_.states.resize(largest_ + 1);
        for (std::size_t set = 0; set < sets_declared_; ++set) automaton_.sets += (counted_ >> set) & 1U;
        for (auto& [source, e] : edges_) {
            e.marks = counted(e.marks);
            automaton_.states[source].push_back(e);
        }
        if (starts_.empty()) {  // without a start, no word is accepted
            automaton_.states.assign(1, {});
        } else if (starts_.size() == 1) {
            automaton_.initial = static_cast<StateNumber>(starts_[0]);
        } else {
            automaton_.initial = static_cast<StateNumber>(automaton_.states.size());
            std::vector<Edge> all;
            for (const std::uint64_t start : starts_)
                all.insert(all.end(), automaton_.states[start].begin(), automaton_.states[start].end());
            // The new state is left at once and never entered again: its marks do not matter.
            for (Edge& e : all) e.marks = 0;
            automaton_.states.push_back(std::move(all));
        }
        merge_edges(automaton_);
        automaton_.state_based =
            automaton_.sets == 1 &&
            std::all_of(automaton_.states.begin(), automaton_.states.end(), [](const std::vector<Edge>& edges) {
                return std::all_of(edges.begin(), edges.end(),
                                   [&](const Edge& e) { return e.marks == edges.front().marks; });
            });
        return std::move(automaton_);
    }

    HoaLexer lexer_;
    Labels& labels_;
    Automaton automaton_;
    std::optional<std::uint64_t> declared_;
    std::vector<std::uint64_t> starts_;
    std::map<std::string, Label> aliases_;
    std::set<std::string> seen_items_;  // of those that may occur once
    bool has_acceptance_ = false;
    std::uint64_t sets_declared_ = 0;
    Marks counted_ = 0;
    std::vector<bool> described_;
    std::vector<std::pair<StateNumber, Edge>> edges_;
    std::uint64_t largest_ = 0;
    support::BudgetPoll poll_;
};

}  // namespace

support::Result<Automaton> parse_hoa(const support::SourceText& source, Labels& labels, const support::Budget& budget) {
    const LabelsWithin within(labels, budget);
    try {
        return HoaParser(source, labels, budget).run();
    } catch (const HoaError& error) {
        return error.diagnostic;
    } catch (const LimitReached& limit) {
        return reading_ended(source, limit, budget);
    }
}

}  // namespace tideline::automata
