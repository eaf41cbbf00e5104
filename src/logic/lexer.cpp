#include "logic/lexer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tideline::logic {
namespace {

using Kind = FormulaToken::Kind;

struct Spelling {
    std::string_view text;
    Kind kind;
    Connective connective;
};

// Longer ones before those that they begin with.
constexpr std::array kSymbols = {
    Spelling{"<->", Kind::infix, Connective::equivalence}, Spelling{"<=>", Kind::infix, Connective::equivalence},
    Spelling{"<>", Kind::prefix, Connective::eventually},  Spelling{"[]", Kind::prefix, Connective::always},
    Spelling{"()", Kind::prefix, Connective::next},        Spelling{"->", Kind::infix, Connective::implication},
    Spelling{"=>", Kind::infix, Connective::implication},  Spelling{"&&", Kind::infix, Connective::conjunction},
    Spelling{"||", Kind::infix, Connective::disjunction},  Spelling{"/\\", Kind::infix, Connective::conjunction},
    Spelling{"\\/", Kind::infix, Connective::disjunction}, Spelling{"&", Kind::infix, Connective::conjunction},
    Spelling{"|", Kind::infix, Connective::disjunction},   Spelling{"^", Kind::infix, Connective::exclusion},
    Spelling{"!", Kind::prefix, Connective::negation},     Spelling{"~", Kind::prefix, Connective::negation},
    Spelling{"(", Kind::open, Connective::atom},           Spelling{")", Kind::close, Connective::atom},
    Spelling{"[", Kind::open_bracket, Connective::atom},   Spelling{"]", Kind::close_bracket, Connective::atom},
};

constexpr std::array kLetters = {
    Spelling{"G", Kind::prefix, Connective::always},    Spelling{"F", Kind::prefix, Connective::eventually},
    Spelling{"X", Kind::prefix, Connective::next},      Spelling{"E", Kind::prefix, Connective::exists},
    Spelling{"A", Kind::prefix, Connective::forall},    Spelling{"U", Kind::infix, Connective::until},
    Spelling{"R", Kind::infix, Connective::release},    Spelling{"V", Kind::infix, Connective::release},
    Spelling{"W", Kind::infix, Connective::weak_until}, Spelling{"M", Kind::infix, Connective::strong_release},
};

// All in lower case; all in upper case they mean the same.
constexpr std::array kWords = {
    Spelling{"true", Kind::constant, Connective::truth},
    Spelling{"false", Kind::constant, Connective::falsity},
    Spelling{"not", Kind::prefix, Connective::negation},
    Spelling{"always", Kind::prefix, Connective::always},
    Spelling{"globally", Kind::prefix, Connective::always},
    Spelling{"eventually", Kind::prefix, Connective::eventually},
    Spelling{"finally", Kind::prefix, Connective::eventually},
    Spelling{"next", Kind::prefix, Connective::next},
    Spelling{"exists", Kind::prefix, Connective::exists},
    Spelling{"forall", Kind::prefix, Connective::forall},
    Spelling{"and", Kind::infix, Connective::conjunction},
    Spelling{"or", Kind::infix, Connective::disjunction},
    Spelling{"xor", Kind::infix, Connective::exclusion},
    Spelling{"implies", Kind::infix, Connective::implication},
    Spelling{"imply", Kind::infix, Connective::implication},
    Spelling{"iff", Kind::infix, Connective::equivalence},
    Spelling{"equivalent", Kind::infix, Connective::equivalence},
    Spelling{"until", Kind::infix, Connective::until},
    Spelling{"release", Kind::infix, Connective::release},
    Spelling{"releases", Kind::infix, Connective::release},
    Spelling{"unless", Kind::infix, Connective::weak_until},
    Spelling{"weak_until", Kind::infix, Connective::weak_until},
    Spelling{"weakuntil", Kind::infix, Connective::weak_until},
    Spelling{"strong_release", Kind::infix, Connective::strong_release},
    Spelling{"strongrelease", Kind::infix, Connective::strong_release},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

template <std::size_t N>
const Spelling* find(const std::array<Spelling, N>& table, std::string_view text) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Spelling& s) { return s.text == text; });
    return found == table.end() ? nullptr : &*found;
}

const Spelling* find_word(std::string_view word) {
    std::string lower(word);
    const bool all_upper =
        std::all_of(word.begin(), word.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
    if (all_upper)
        for (char& c : lower)
            if (c != '_') c = static_cast<char>(c - 'A' + 'a');
    return find(kWords, lower);
}

// ([AE]?[GFX])+ of at least two letters, as GF or AGEF.
bool is_run_of_letters(std::string_view word) {
    if (word.size() < 2) return false;
    bool quantified = false;
    for (const char c : word) {
        const bool quantifier = c == 'A' || c == 'E';
        if (!quantifier && c != 'G' && c != 'F' && c != 'X') return false;
        if (quantifier && quantified) return false;
        quantified = quantifier;
    }
    return !quantified;
}

std::size_t word_end(std::string_view text, std::size_t at) {
    while (at < text.size() && (is_letter(text[at]) || is_digit(text[at]))) ++at;
    return at;
}

// The end of the members and elements that follow a name: .x or [2], any number of times.
std::size_t name_end(std::string_view text, std::size_t at) {
    while (at + 1 < text.size()) {
        if (text[at] == '.' && is_letter(text[at + 1])) {
            at = word_end(text, at + 1);
        } else if (text[at] == '[' && is_digit(text[at + 1])) {
            std::size_t end = at + 1;
            while (end < text.size() && is_digit(text[end])) ++end;
            if (end == text.size() || text[end] != ']') return at;
            at = end + 1;
        } else {
            return at;
        }
    }
    return at;
}

bool is_operator_word(std::string_view word) {
    return find(kLetters, word) != nullptr || find_word(word) != nullptr || is_run_of_letters(word);
}

std::size_t space_end(std::string_view text, std::size_t at) {
    while (at < text.size() && is_space(text[at])) ++at;
    return at;
}

// Behind a comparison's sign; `at` where there is none. Operators of formulas begin with the same characters.
std::size_t comparison_sign_end(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at);
    for (const std::string_view other : {"<->", "<=>", "<>", "<<", ">>"})
        if (rest.starts_with(other)) return at;
    for (const std::string_view sign : {"==", "!=", "<=", ">=", "<", ">"})
        if (rest.starts_with(sign)) return at + sign.size();
    return at;
}

// Behind a number or a name with its members and elements; `at` where there is neither.
std::size_t operand_end(std::string_view text, std::size_t at) {
    if (at < text.size() && text[at] == '-') ++at;
    if (at == text.size()) return at;
    const std::size_t end = word_end(text, at);
    if (end == at || is_operator_word(text.substr(at, end - at))) return at;
    return is_digit(text[at]) ? end : name_end(text, end);
}

// Behind a sum of operands that begins at `at`, with blanks inside it only.
std::size_t sum_end(std::string_view text, std::size_t at) {
    std::size_t end = operand_end(text, at);
    while (end > at) {
        const std::size_t sign = space_end(text, end);
        if (sign >= text.size() || std::string_view("+-*/%").find(text[sign]) == std::string_view::npos ||
            text.substr(sign).starts_with("->") || text.substr(sign).starts_with("/\\"))
            break;
        const std::size_t operand = space_end(text, sign + 1);
        const std::size_t next = operand_end(text, operand);
        if (next == operand) break;
        end = next;
    }
    return end;
}

// Behind a comparison of two sums; `at` where there is none.
std::size_t comparison_end(std::string_view text, std::size_t at) {
    const std::size_t left = sum_end(text, at);
    if (left == at) return at;
    const std::size_t sign = space_end(text, left);
    const std::size_t behind = comparison_sign_end(text, sign);
    if (behind == sign) return at;
    const std::size_t right = space_end(text, behind);
    const std::size_t end = sum_end(text, right);
    if (end == right || comparison_sign_end(text, space_end(text, end)) != space_end(text, end)) return at;
    return end;
}

}  // namespace

FormulaLexer::FormulaLexer(const support::SourceText& source, support::SourceSpan part)
    : source_(source), text_(source.text().substr(0, part.end)), at_(part.begin) {}

support::Diagnostic FormulaLexer::error(std::size_t begin, std::size_t end, std::string message,
                                        std::string hint) const {
    return support::diagnostic_at(source_, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)},
                                  std::move(message), std::move(hint));
}

FormulaToken FormulaLexer::token(Kind kind, Connective connective, std::size_t begin) const {
    FormulaToken result;
    result.kind = kind;
    result.connective = connective;
    result.span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
    return result;
}

void FormulaLexer::skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

support::Result<FormulaToken> FormulaLexer::next() {
    if (at_ < letters_end_) {
        const Spelling* letter = find(kLetters, text_.substr(at_, 1));
        ++at_;
        return token(letter->kind, letter->connective, at_ - 1);
    }
    skip_space();
    if (at_ == text_.size()) return token(Kind::end, Connective::atom, at_);
    const char c = text_[at_];
    const bool is_negated = std::exchange(is_behind_negation_, false);
    if (is_letter(c) || is_digit(c)) {
        if (const std::size_t end = comparison_end(text_, at_); end > at_) return comparison(end, is_negated);
    }
    if (is_letter(c)) return word();
    if (is_digit(c)) {
        const std::size_t begin = at_;
        at_ = word_end(text_, at_);
        const std::string_view number = text_.substr(begin, at_ - begin);
        if (number == "0" || number == "1")
            return token(Kind::constant, number == "1" ? Connective::truth : Connective::falsity, begin);
        return error(begin, at_, "expected a formula, found " + support::in_quotes(number),
                     "0 and 1 are false and true; an expression of the model stands in braces: {x == 2}");
    }
    if (c == '"') return quoted();
    if (c == '{') return braced();
    return symbol();
}

// x > 3, without braces.
support::Result<FormulaToken> FormulaLexer::comparison(std::size_t end, bool is_negated) {
    const std::size_t begin = std::exchange(at_, end);
    const std::string text(text_.substr(begin, end - begin));
    if (is_negated)
        return error(begin, end, "it is not clear what is negated: all of this, or its first operand",
                     "write !{" + text + "} or {!" + text + "}");
    FormulaToken result = token(Kind::atom, Connective::atom, begin);
    result.atom = text;
    return result;
}

support::Result<FormulaToken> FormulaLexer::word() {
    const std::size_t begin = at_;
    at_ = word_end(text_, at_);
    std::string_view spelled = text_.substr(begin, at_ - begin);
    if (is_run_of_letters(spelled)) {
        letters_end_ = at_;
        at_ = begin;
        return next();
    }
    if (const Spelling* letter = find(kLetters, spelled)) return token(letter->kind, letter->connective, begin);
    if (const Spelling* known = find_word(spelled)) {
        is_behind_negation_ = known->connective == Connective::negation;
        return token(known->kind, known->connective, begin);
    }
    if (spelled == "weak" || spelled == "strong") {  // `weak until` and `strong release`, in two words
        const std::size_t after = at_;
        skip_space();
        const std::size_t second = at_;
        at_ = word_end(text_, at_);
        const std::string_view follower = text_.substr(second, at_ - second);
        if (spelled == "weak" && follower == "until") return token(Kind::infix, Connective::weak_until, begin);
        if (spelled == "strong" && (follower == "release" || follower == "releases"))
            return token(Kind::infix, Connective::strong_release, begin);
        at_ = after;
    }
    if ((spelled == "enabled" || spelled == "moved") && at_ < text_.size() && text_[at_] == '(') {
        // Of a process, whose name is a word.
        const std::size_t close = text_.find(')', at_);
        if (close == std::string_view::npos) return error(at_, at_ + 1, "this parenthesis is never closed");
        at_ = close + 1;
        FormulaToken of_process = token(Kind::atom, Connective::atom, begin);
        of_process.atom = std::string(text_.substr(begin, at_ - begin));
        return of_process;
    }
    at_ = name_end(text_, at_);
    FormulaToken result = token(Kind::atom, Connective::atom, begin);
    result.bare = true;
    result.atom = std::string(text_.substr(begin, at_ - begin));
    return result;
}

support::Result<FormulaToken> FormulaLexer::quoted() {
    const std::size_t begin = at_++;
    std::string content;
    while (at_ < text_.size() && text_[at_] != '"') {
        if (text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\')) ++at_;
        content += text_[at_++];
    }
    if (at_ == text_.size()) return error(begin, begin + 1, "this quotation mark is never closed");
    ++at_;
    if (std::all_of(content.begin(), content.end(), is_space))
        return error(begin, at_, "expected an expression between the quotation marks");
    FormulaToken result = token(Kind::atom, Connective::atom, begin);
    result.span = {static_cast<std::uint32_t>(begin + 1), static_cast<std::uint32_t>(at_ - 1)};
    result.atom = std::move(content);
    return result;
}

support::Result<FormulaToken> FormulaLexer::braced() {
    const std::size_t begin = at_++;
    std::size_t depth = 1;
    while (at_ < text_.size()) {
        if (text_[at_] == '{') ++depth;
        if (text_[at_] == '}' && --depth == 0) break;
        ++at_;
    }
    if (at_ == text_.size()) return error(begin, begin + 1, "this brace is never closed");
    std::size_t from = begin + 1;
    std::size_t to = at_++;
    while (from < to && is_space(text_[from])) ++from;
    while (to > from && is_space(text_[to - 1])) --to;
    if (from == to) return error(begin, at_, "expected an expression between the braces");
    FormulaToken result = token(Kind::atom, Connective::atom, begin);
    result.span = {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)};
    result.atom = std::string(text_.substr(from, to - from));
    return result;
}

support::Result<FormulaToken> FormulaLexer::symbol() {
    const std::size_t begin = at_;
    const std::string_view rest = text_.substr(at_);
    for (const Spelling& s : kSymbols) {
        if (!rest.starts_with(s.text)) continue;
        if (s.text == "!" && rest.starts_with("!=")) break;
        at_ += s.text.size();
        is_behind_negation_ = s.connective == Connective::negation;
        return token(s.kind, s.connective, begin);
    }
    std::size_t length = 1;
    while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0U) == 0x80U) ++length;
    for (const std::string_view operation :
         {"==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "."}) {
        if (!rest.starts_with(operation)) continue;
        return error(begin, begin + operation.size(), "unexpected " + support::in_quotes(operation),
                     "an expression of the model stands in braces or double quotes: {x + 1 == y}");
    }
    std::string hint;
    if (rest[0] == '=') hint = "equivalence is written '<->'; to compare values of the model, write {x == y}";
    if (rest[0] == '}') hint = "there is no '{' that it could close";
    if (rest[0] == '\'') hint = "an expression of the model stands in braces or double quotes";
    return error(begin, begin + length, "unexpected " + support::in_quotes(rest.substr(0, length)), std::move(hint));
}

bool is_bare_atom(std::string_view text) {
    if (text.empty() || !is_letter(text[0])) return false;
    const std::size_t end = word_end(text, 0);
    const std::string_view first = text.substr(0, end);
    if (is_operator_word(first) || first == "weak" || first == "strong") return false;
    return name_end(text, end) == text.size();
}

std::vector<std::string> formula_words() {
    std::vector<std::string> result;
    for (const Spelling& s : kWords) result.emplace_back(s.text);
    return result;
}

}  // namespace tideline::logic
