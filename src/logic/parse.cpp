#include "logic/parse.hpp"

#include <algorithm>
#include <optional>

#include "logic/lexer.hpp"

namespace tideline::logic {
namespace {

using Kind = FormulaToken::Kind;

constexpr std::uint32_t kNone = ~0U;

bool is_temporal(Connective c) { return c >= Connective::next && c <= Connective::strong_release; }
bool is_quantifier(Connective c) { return c == Connective::exists || c == Connective::forall; }
bool is_junction(Connective c) { return c == Connective::conjunction || c == Connective::disjunction; }

int strength(Connective infix) {
    switch (infix) {
        case Connective::equivalence: return 1;
        case Connective::implication: return 2;
        case Connective::disjunction: return 3;
        case Connective::exclusion: return 4;
        case Connective::conjunction: return 5;
        default: return 6;  // U R W M
    }
}

constexpr int kPrefixStrength = 7;

bool is_right_associative(Connective infix) { return strength(infix) == 6 || infix == Connective::implication; }

// What was read, with positions, before it becomes a formula. Operands come before their node.
struct SyntaxNode {
    Connective connective;
    std::uint32_t left = kNone;
    std::uint32_t right = kNone;  // of infix operators only
    Formula leaf;                 // of atoms and constants
    support::SourceSpan span;     // of the operator or leaf
};

// A prefix or infix operator, or an opening bracket, whose operand is not complete yet.
struct Pending {
    Kind kind;
    Connective connective;
    support::SourceSpan span;
};

class FormulaParser {
public:
    FormulaParser(Formulas& formulas, const support::SourceText& source, support::SourceSpan part,
                  const FormulaContext& context)
        : formulas_(formulas), source_(source), begin_(part.begin), context_(context), lexer_(source, part) {}

    support::Result<Formula> run() {
        bool operand_expected = true;
        while (true) {
            support::Result<FormulaToken> lexed = lexer_.next();
            if (!lexed)
                return misspelled_before() ? fail_misspelled()
                                           : support::Result<Formula>(std::move(lexed).diagnostics());
            FormulaToken& token = *lexed;
            std::optional<support::Diagnostics> errors =
                operand_expected ? read_operand(token, operand_expected) : read_operator(token, operand_expected);
            if (errors) return std::move(*errors);
            if (token.kind == Kind::end) break;
            previous_ = std::move(token);
        }
        if (std::optional<support::Diagnostic> error = check_logic()) return std::move(*error);
        return support::Result<Formula>(build(), std::move(warnings_));
    }

private:
    using Errors = std::optional<support::Diagnostics>;

    Errors fail(support::SourceSpan span, std::string message, std::string hint = {}) const {
        return support::Diagnostics{support::diagnostic_at(source_, span, std::move(message), std::move(hint))};
    }

    static std::string found(const FormulaToken& token, const support::SourceText& source) {
        return token.kind == Kind::end ? "the end" : support::in_quotes(source.text(token.span));
    }

    Errors read_operand(const FormulaToken& token, bool& operand_expected) {
        switch (token.kind) {
            case Kind::atom: {
                operand_expected = false;
                Errors errors = check_atom(token);
                if (errors) return errors;
                add_leaf(formulas_.atom(token.atom), token.span, Connective::atom);
                return std::nullopt;
            }
            case Kind::constant:
                operand_expected = false;
                add_leaf(formulas_.constant(token.connective == Connective::truth), token.span, token.connective);
                return std::nullopt;
            case Kind::prefix:
            case Kind::open: stack_.push_back({token.kind, token.connective, token.span}); return std::nullopt;
            case Kind::open_bracket:
                if (!stack_.empty() && stack_.back().kind == Kind::prefix && is_quantifier(stack_.back().connective)) {
                    stack_.push_back({token.kind, token.connective, token.span});
                    return std::nullopt;
                }
                return fail(token.span, "expected a formula, found '['",
                            "brackets follow A or E only, as in A[p U q]; always is '[]', without a space");
            default: return fail_operand(token);
        }
    }

    Errors fail_operand(const FormulaToken& token) const {
        if (token.kind == Kind::end && stack_.empty())
            return fail({begin_, begin_}, "the formula is empty", "expected a formula, such as G (p -> F q)");
        std::string hint;
        if (!stack_.empty() && token.kind != Kind::end) {
            const Pending& before = stack_.back();
            if (is_quantifier(before.connective) && before.kind == Kind::prefix)
                hint =
                    "'A' and 'E' are path quantifiers; a name that is spelled like an operator stands in double quotes";
        }
        if (token.kind == Kind::infix && hint.empty() && source_.text(token.span).size() == 1 &&
            previous_.kind != Kind::infix)
            hint = support::in_quotes(source_.text(token.span)) + " is an operator with an operand on both sides";
        const std::string after = stack_.empty() || previous_.kind == Kind::open
                                      ? ""
                                      : " after " + support::in_quotes(source_.text(stack_.back().span));
        return fail(token.span, "expected a formula" + after + ", found " + found(token, source_), std::move(hint));
    }

    Errors read_operator(const FormulaToken& token, bool& operand_expected) {
        switch (token.kind) {
            case Kind::infix:
                reduce(token.connective);
                warn_of_chains(token);
                stack_.push_back({token.kind, token.connective, token.span});
                operand_expected = true;
                return std::nullopt;
            case Kind::close:
            case Kind::close_bracket: return close(token);
            case Kind::end: {
                reduce_all();
                if (stack_.empty()) return std::nullopt;
                return fail(stack_.back().span,
                            "this " + support::in_quotes(source_.text(stack_.back().span)) + " is never closed");
            }
            default: break;
        }
        if (misspelled_before()) return fail_misspelled().diagnostics();
        std::string hint;
        if (token.kind == Kind::atom && token.bare) hint = support::suggestion(token.atom, infix_words());
        if (token.kind == Kind::open_bracket)
            hint = "an element of an array with a computed index stands in braces: {a[i] == 1}";
        if (token.kind == Kind::open && previous_.kind == Kind::atom)
            hint = "an expression of the model stands in braces or double quotes";
        return fail(token.span, "expected an operator or the end, found " + found(token, source_), std::move(hint));
    }

    Errors close(const FormulaToken& token) {
        reduce_all();
        const bool round = token.kind == Kind::close;
        if (stack_.empty())
            return fail(token.span, "expected an operator or the end, found " + found(token, source_),
                        "there is no opening one that it could close");
        if ((stack_.back().kind == Kind::open) != round)
            return fail(token.span,
                        "expected " + support::in_quotes(round ? "]" : ")") + ", found " + found(token, source_),
                        support::in_quotes(source_.text(stack_.back().span)) + " in column " +
                            std::to_string(source_.position(stack_.back().span.begin).column) + " is still open");
        stack_.pop_back();
        return std::nullopt;
    }

    // A name where an operator was meant, as in `alwyas p`: only the next token reveals the error.
    [[nodiscard]] bool misspelled_before() const {
        return previous_.kind == Kind::atom && previous_.bare && !is_known(previous_.atom) &&
               !support::closest_name(previous_.atom, prefix_words()).empty() && previous_.atom.size() > 2;
    }

    [[nodiscard]] support::Result<Formula> fail_misspelled() const {
        return support::diagnostic_at(source_, previous_.span,
                                      "expected an operator after the name " + support::in_quotes(previous_.atom),
                                      support::suggestion(previous_.atom, prefix_words()));
    }

    static std::vector<std::string> prefix_words() {
        return {"not", "always", "globally", "eventually", "finally", "next", "exists", "forall"};
    }

    static std::vector<std::string> infix_words() {
        std::vector<std::string> words = formula_words();
        std::erase_if(words, [](const std::string& word) {
            const std::vector<std::string> others = prefix_words();
            return word == "true" || word == "false" || std::find(others.begin(), others.end(), word) != others.end();
        });
        return words;
    }

    [[nodiscard]] bool is_known(const std::string& name) const {
        return std::find(context_.names.begin(), context_.names.end(), name) != context_.names.end();
    }

    Errors check_atom(const FormulaToken& token) {
        if (context_.check_atom) {
            support::Diagnostics diagnostics = context_.check_atom(source_, token.span, token.atom);
            if (std::any_of(diagnostics.begin(), diagnostics.end(),
                            [](const support::Diagnostic& d) { return d.severity == support::Severity::error; })) {
                std::string hint = token.bare ? operators_and_name(token.atom) : "";
                if (token.bare && hint.empty() && diagnostics.front().hint.empty())
                    hint = support::suggestion(token.atom, formula_words());
                if (!hint.empty()) diagnostics.front().hint = std::move(hint);
                return diagnostics;
            }
            warnings_.insert(warnings_.end(), diagnostics.begin(), diagnostics.end());
            return std::nullopt;
        }
        if (!token.bare) return std::nullopt;
        if (!context_.names.empty() && !is_known(token.atom)) {
            std::vector<std::string> candidates = context_.names;
            for (std::string& word : formula_words()) candidates.push_back(std::move(word));
            std::string hint = operators_and_name(token.atom);
            if (hint.empty()) hint = support::suggestion(token.atom, candidates);
            return fail(token.span, "unknown name " + support::in_quotes(token.atom), std::move(hint));
        }
        return std::nullopt;
    }

    // For GFp, where p is known: the same with a space.
    [[nodiscard]] std::string operators_and_name(const std::string& word) const {
        std::size_t letters = 0;
        while (letters < word.size() && std::string_view("GFXAE").find(word[letters]) != std::string_view::npos)
            ++letters;
        for (; letters > 0; --letters)
            if (is_known(word.substr(letters)))
                return "did you mean '" + word.substr(0, letters) + ' ' + word.substr(letters) + "'?";
        return {};
    }

    void add_leaf(Formula leaf, support::SourceSpan span, Connective connective) {
        nodes_.push_back({connective, kNone, kNone, leaf, span});
        operands_.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
    }

    void reduce_top() {
        const Pending top = stack_.back();
        stack_.pop_back();
        SyntaxNode node{top.connective, kNone, kNone, {}, top.span};
        if (top.kind == Kind::infix) {
            node.right = operands_.back();
            operands_.pop_back();
        }
        node.left = operands_.back();
        operands_.back() = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(node);
    }

    // Completes what binds more strongly than the infix operator that comes next.
    void reduce(Connective coming) {
        while (!stack_.empty() && (stack_.back().kind == Kind::prefix || stack_.back().kind == Kind::infix)) {
            const Pending& top = stack_.back();
            const int left = top.kind == Kind::prefix ? kPrefixStrength : strength(top.connective);
            if (left < strength(coming) || (left == strength(coming) && is_right_associative(coming))) return;
            reduce_top();
        }
    }

    void reduce_all() {
        while (!stack_.empty() && (stack_.back().kind == Kind::prefix || stack_.back().kind == Kind::infix))
            reduce_top();
    }

    // p U q U r is p U (q U r) here and in most tools, (p U q) U r in SPIN; a -> b <-> c differs as well.
    void warn_of_chains(const FormulaToken& token) {
        if (stack_.empty() || stack_.back().kind != Kind::infix) return;
        const Connective before = stack_.back().connective;
        if (strength(before) == 6 && strength(token.connective) == 6)
            warn(token.span, "'p U q U r' is read as 'p U (q U r)'",
                 "some tools read it as '(p U q) U r'; parentheses make it plain");
        if (before == Connective::equivalence && token.connective == Connective::implication)
            warn(token.span, "'p <-> q -> r' is read as 'p <-> (q -> r)'", "parentheses make it plain");
    }

    void warn(support::SourceSpan span, std::string message, std::string hint) {
        for (const support::Diagnostic& earlier : warnings_)
            if (earlier.message == message) return;
        warnings_.push_back(
            support::diagnostic_at(source_, span, std::move(message), std::move(hint), support::Severity::warning));
    }

    [[nodiscard]] std::optional<support::Diagnostic> check_logic() const {
        if (context_.logic == Logic::ctl_star) return std::nullopt;
        std::vector<bool> quantified(nodes_.size(), false);  // stands directly under a quantifier
        for (const SyntaxNode& node : nodes_)
            if (is_quantifier(node.connective)) quantified[node.left] = true;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const SyntaxNode& node = nodes_[i];
            const std::string spelled = support::in_quotes(source_.text(node.span));
            if (context_.logic == Logic::ltl) {
                if (is_quantifier(node.connective))
                    return support::diagnostic_at(
                        source_, node.span, "the path quantifier " + spelled + " does not belong to LTL",
                        "an LTL formula speaks of all paths; quantifiers belong to CTL and CTL*");
                continue;
            }
            if (is_temporal(node.connective) && !quantified[i])
                return support::diagnostic_at(
                    source_, node.span,
                    "in CTL, 'A' or 'E' stands before every temporal operator, but not before this " + spelled,
                    "a formula of LTL or CTL* has to be given as such");
            if (is_quantifier(node.connective) && !is_temporal(nodes_[node.left].connective))
                return support::diagnostic_at(
                    source_, node.span,
                    "in CTL, a temporal operator follows every path quantifier, but not this " + spelled,
                    "as in AG p, EF p or A[p U q]");
        }
        return std::nullopt;
    }

    // Nested conjunctions and disjunctions are built at once from all operands. Step by step, the lists would be
    // quadratic in the length of the text.
    Formula build() {
        std::vector<bool> inner(nodes_.size(), false);  // operand of a node with the same junction
        for (const SyntaxNode& node : nodes_) {
            if (!is_junction(node.connective)) continue;
            for (const std::uint32_t operand : {node.left, node.right})
                if (nodes_[operand].connective == node.connective) inner[operand] = true;
        }
        std::vector<Formula> built(nodes_.size());
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            const SyntaxNode& node = nodes_[i];
            if (inner[i]) continue;
            if (node.left == kNone) {
                built[i] = node.leaf;
            } else if (is_junction(node.connective)) {
                built[i] = build_junction(static_cast<std::uint32_t>(i), built);
            } else if (node.right == kNone) {
                built[i] = formulas_.make(node.connective, {&built[node.left], 1});
            } else {
                const Formula operands[] = {built[node.left], built[node.right]};
                built[i] = formulas_.make(node.connective, operands);
            }
        }
        return built[operands_.back()];
    }

    Formula build_junction(std::uint32_t root, const std::vector<Formula>& built) {
        std::vector<Formula> operands;
        std::vector<std::uint32_t> open{root};
        while (!open.empty()) {
            const SyntaxNode& node = nodes_[open.back()];
            open.pop_back();
            for (const std::uint32_t operand : {node.left, node.right}) {
                if (nodes_[operand].connective == node.connective) {
                    open.push_back(operand);
                } else {
                    operands.push_back(built[operand]);
                }
            }
        }
        return formulas_.make(nodes_[root].connective, operands);
    }

    Formulas& formulas_;
    const support::SourceText& source_;
    std::uint32_t begin_;
    const FormulaContext& context_;
    FormulaLexer lexer_;
    FormulaToken previous_;
    std::vector<SyntaxNode> nodes_;
    std::vector<std::uint32_t> operands_;
    std::vector<Pending> stack_;
    support::Diagnostics warnings_;
};

}  // namespace

support::Result<Formula> parse_formula(Formulas& formulas, const support::SourceText& source,
                                       const FormulaContext& context) {
    return parse_formula(formulas, source, {0, static_cast<std::uint32_t>(source.text().size())}, context);
}

support::Result<Formula> parse_formula(Formulas& formulas, const support::SourceText& source, support::SourceSpan part,
                                       const FormulaContext& context) {
    return FormulaParser(formulas, source, part, context).run();
}

}  // namespace tideline::logic
