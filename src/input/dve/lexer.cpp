// The lexer is hand-written: a table of keywords, and one character of lookahead, rarely two. Nothing is copied, so
// that generated models of megabytes are read at the speed of memory. Text that is not DVE at all (binary files,
// endless names) is refused at its first byte or after one pass.
#include "input/dve/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

namespace tideline::input::dve {
namespace {

constexpr std::size_t kMaxNameLength = 4096;

struct Keyword {
    std::string_view text;
    TokenKind kind;
};

// Sorted by text.
constexpr std::array<Keyword, 23> kKeywords{{
    {"accept", TokenKind::kw_accept}, {"and", TokenKind::kw_and},         {"assert", TokenKind::kw_assert},
    {"async", TokenKind::kw_async},   {"byte", TokenKind::kw_byte},       {"channel", TokenKind::kw_channel},
    {"commit", TokenKind::kw_commit}, {"const", TokenKind::kw_const},     {"effect", TokenKind::kw_effect},
    {"false", TokenKind::kw_false},   {"guard", TokenKind::kw_guard},     {"imply", TokenKind::kw_imply},
    {"init", TokenKind::kw_init},     {"int", TokenKind::kw_int},         {"not", TokenKind::kw_not},
    {"or", TokenKind::kw_or},         {"process", TokenKind::kw_process}, {"property", TokenKind::kw_property},
    {"state", TokenKind::kw_state},   {"sync", TokenKind::kw_sync},       {"system", TokenKind::kw_system},
    {"trans", TokenKind::kw_trans},   {"true", TokenKind::kw_true},
}};
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end(),
                             [](const Keyword& a, const Keyword& b) { return a.text < b.text; }));

constexpr std::array<Keyword, 10> kDoubleSigns{{
    {"->", TokenKind::arrow},
    {"=>", TokenKind::fat_arrow},
    {"==", TokenKind::equal},
    {"!=", TokenKind::not_equal},
    {"<=", TokenKind::less_equal},
    {">=", TokenKind::greater_equal},
    {"<<", TokenKind::shift_left},
    {">>", TokenKind::shift_right},
    {"&&", TokenKind::kw_and},
    {"||", TokenKind::kw_or},
}};
constexpr std::array<Keyword, 24> kSingleSigns{{
    {"{", TokenKind::left_brace},    {"}", TokenKind::right_brace}, {"[", TokenKind::left_bracket},
    {"]", TokenKind::right_bracket}, {"(", TokenKind::left_paren},  {")", TokenKind::right_paren},
    {",", TokenKind::comma},         {";", TokenKind::semicolon},   {":", TokenKind::colon},
    {".", TokenKind::dot},           {"=", TokenKind::assign},      {"!", TokenKind::bang},
    {"?", TokenKind::question},      {"+", TokenKind::plus},        {"-", TokenKind::minus},
    {"*", TokenKind::star},          {"/", TokenKind::slash},       {"%", TokenKind::percent},
    {"~", TokenKind::tilde},         {"&", TokenKind::ampersand},   {"|", TokenKind::bar},
    {"^", TokenKind::caret},         {"<", TokenKind::less},        {">", TokenKind::greater},
}};

// The signs that a character can begin: alone (`end`: not), and with each second character.
struct SignStart {
    TokenKind alone = TokenKind::end;
    std::array<char, 2> second{};
    std::array<TokenKind, 2> both{};
};

constexpr std::array<SignStart, 128> make_sign_starts() {
    std::array<SignStart, 128> table{};
    for (const Keyword& sign : kSingleSigns) table[static_cast<std::size_t>(sign.text[0])].alone = sign.kind;
    for (const Keyword& sign : kDoubleSigns) {
        SignStart& start = table[static_cast<std::size_t>(sign.text[0])];
        const std::size_t place = start.second[0] == '\0' ? 0 : 1;
        start.second[place] = sign.text[1];
        start.both[place] = sign.kind;
    }
    return table;
}

constexpr std::array<SignStart, 128> kSignStarts = make_sign_starts();

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_keyword(TokenKind kind) { return kind >= TokenKind::kw_accept && kind <= TokenKind::kw_true; }

// The number of bytes of the UTF-8 character that the text begins with; 0 where it begins with none.
std::size_t utf8_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) return 0;
    return length;
}

std::string hexadecimal(char byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto value = static_cast<unsigned char>(byte);
    return {'0', 'x', digits[value >> 4U], digits[value & 15U]};
}

support::SourceSpan span_of(std::size_t begin, std::size_t end) {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

}  // namespace

std::string spelling(TokenKind kind) {
    switch (kind) {
        case TokenKind::end: return "the end";
        case TokenKind::name: return "a name";
        case TokenKind::number: return "a number";
        default: break;
    }
    const auto is_kind = [kind](const Keyword& entry) { return entry.kind == kind; };
    const auto keyword = std::find_if(kKeywords.begin(), kKeywords.end(), is_kind);
    if (keyword != kKeywords.end()) return support::in_quotes(keyword->text);
    const auto sign = std::find_if(kSingleSigns.begin(), kSingleSigns.end(), is_kind);
    if (sign != kSingleSigns.end()) return support::in_quotes(sign->text);
    return support::in_quotes(std::find_if(kDoubleSigns.begin(), kDoubleSigns.end(), is_kind)->text);
}

Lexer::Lexer(const support::SourceText& source) : source_(source), text_(source.text()) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) offset_ = byte_order_mark.size();
}

Token Lexer::next() {
    skip_space_and_comments();
    if (offset_ == text_.size()) return token(TokenKind::end, offset_);
    const char c = text_[offset_];
    if (is_name_start(c)) return name();
    if (is_digit(c)) return number();
    return sign();
}

void Lexer::skip_space_and_comments() {
    while (offset_ < text_.size()) {
        if (is_space(text_[offset_])) {
            ++offset_;
        } else if (text_[offset_] == '/' && at(offset_ + 1) == '/') {
            offset_ = std::min(text_.find('\n', offset_), text_.size());
        } else if (text_[offset_] == '/' && at(offset_ + 1) == '*') {
            skip_block_comment();
        } else {
            return;
        }
    }
}

void Lexer::skip_block_comment() {
    const std::size_t close = text_.find("*/", offset_ + 2);
    if (close == std::string_view::npos)
        fail(offset_, offset_ + 2, "expected '*/' at the end of this comment, found the end of the text");
    offset_ = close + 2;
}

Token Lexer::name() {
    const std::size_t begin = offset_;
    while (offset_ < text_.size() && is_name_part(text_[offset_])) ++offset_;
    const std::string_view text = text_.substr(begin, offset_ - begin);
    if (text.size() > kMaxNameLength)
        fail(begin, offset_,
             "the name " + support::in_quotes(text) + " is too long: it has " + std::to_string(text.size()) +
                 " characters, at most " + std::to_string(kMaxNameLength) + " are allowed");
    const auto keyword =
        std::lower_bound(kKeywords.begin(), kKeywords.end(), text,
                         [](const Keyword& entry, std::string_view word) { return entry.text < word; });
    const bool reserved = keyword != kKeywords.end() && keyword->text == text;
    return token(reserved ? keyword->kind : TokenKind::name, begin);
}

Token Lexer::number() {
    const std::size_t begin = offset_;
    while (offset_ < text_.size() && is_digit(text_[offset_])) ++offset_;
    if (is_name_start(at(offset_))) {
        while (offset_ < text_.size() && is_name_part(text_[offset_])) ++offset_;
        fail(begin, offset_,
             support::in_quotes(text_.substr(begin, offset_ - begin)) + " is neither a number nor a name",
             "a number consists of decimal digits; a name does not begin with a digit");
    }
    Token result = token(TokenKind::number, begin);
    const char* const last = result.text.data() + result.text.size();
    if (std::from_chars(result.text.data(), last, result.number).ec != std::errc())
        fail(begin, offset_, "the number " + support::in_quotes(result.text) + " is too large",
             "the largest number is 9223372036854775807 (numbers have 64 bits)");
    return result;
}

Token Lexer::sign() {
    const std::size_t begin = offset_;
    const auto first = static_cast<unsigned char>(text_[begin]);
    if (first >= kSignStarts.size() || kSignStarts[first].alone == TokenKind::end) fail_at_character();
    const SignStart& start = kSignStarts[first];
    const char second = at(begin + 1);
    for (std::size_t i = 0; i < start.second.size(); ++i) {
        if (second == '\0' || start.second[i] != second) continue;
        offset_ += 2;
        return token(start.both[i], begin);
    }
    ++offset_;
    return token(start.alone, begin);
}

Token Lexer::token(TokenKind kind, std::size_t begin) const {
    return {kind, span_of(begin, offset_), text_.substr(begin, offset_ - begin), 0};
}

void Lexer::fail(std::size_t begin, std::size_t end, std::string message, std::string hint) const {
    throw SyntaxError{support::diagnostic_at(source_, span_of(begin, end), std::move(message), std::move(hint))};
}

void Lexer::fail_at_character() const {
    const char c = text_[offset_];
    const std::size_t length = utf8_length(text_.substr(offset_));
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == '\x7F';
    if (length == 0 || control)
        fail(offset_, offset_ + 1,
             "this is not a text file (byte " + hexadecimal(c) + " at offset " + std::to_string(offset_) + ")");
    fail(offset_, offset_ + length, "unexpected character " + support::in_quotes(text_.substr(offset_, length)),
         c == '#' ? "there is no preprocessor: a constant is declared as in const int N = 3;" : "");
}

TokenCursor::TokenCursor(const support::SourceText& source, std::string end_name, const support::Budget& budget)
    : source_(source), lexer_(source), end_name_(std::move(end_name)), current_(lexer_.next()), poll_(budget) {}

Token TokenCursor::take() {
    if (poll_.is_exhausted())
        throw SyntaxError{support::diagnostic_of_stop(source_.path(), poll_.reason(), "the file was parsed")};
    const Token taken = current_;
    previous_end_ = taken.span.end;
    current_ = lexer_.next();
    return taken;
}

bool TokenCursor::accept(TokenKind kind) {
    if (!at(kind)) return false;
    take();
    return true;
}

Token TokenCursor::expect(TokenKind kind, std::string_view where, Words words) {
    if (at(kind)) return take();
    std::string what = spelling(kind);
    if (!where.empty()) what.append(" ").append(where);
    fail_expected(what, words);
}

void TokenCursor::fail_expected(std::string_view what, Words words) const {
    const std::vector<std::string> candidates(words.begin(), words.end());
    fail_found(what, found(), at(TokenKind::name) ? support::suggestion(current_.text, candidates) : std::string());
}

void TokenCursor::fail_expected_hint(std::string_view what, std::string hint) const {
    fail_found(what, found(), std::move(hint));
}

void TokenCursor::fail_found(std::string_view what, std::string_view found, std::string hint) const {
    std::string message = "expected ";
    message.append(what).append(", found ").append(found);
    fail(current_.span, std::move(message), std::move(hint));
}

void TokenCursor::fail(support::SourceSpan span, std::string message, std::string hint) const {
    throw SyntaxError{support::diagnostic_at(source_, span, std::move(message), std::move(hint))};
}

std::string TokenCursor::found() const {
    if (at(TokenKind::end)) return end_name_;
    const bool word = is_keyword(current_.kind) && is_name_start(current_.text.front());
    return (word ? "the keyword " : "") + support::in_quotes(current_.text);
}

}  // namespace tideline::input::dve
