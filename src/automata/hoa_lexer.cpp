#include "automata/hoa_lexer.hpp"

#include <charconv>

namespace tideline::automata {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '-'; }

}  // namespace

HoaToken HoaLexer::next() {
    HoaToken result = std::move(token_);
    advance();
    return result;
}

bool HoaLexer::accept(std::string_view s) {
    if (!at_symbol(s)) return false;
    advance();
    return true;
}

void HoaLexer::expect(std::string_view s) {
    if (!accept(s)) fail(token_.span, "expected " + support::in_quotes(s) + ", found " + found());
}

std::uint64_t HoaLexer::number(const std::string& what) {
    if (token_.kind != HoaToken::Kind::number) fail(token_.span, "expected " + what + ", found " + found());
    return next().number;
}

std::string HoaLexer::found() const {
    return token_.kind == HoaToken::Kind::end ? "the end" : support::in_quotes(source_.text(token_.span));
}

void HoaLexer::fail(support::SourceSpan span, std::string message, std::string hint) const {
    throw HoaError{support::diagnostic_at(source_, span, std::move(message), std::move(hint))};
}

void HoaLexer::skip() {
    while (at_ < text_.size()) {
        if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r') {
            ++at_;
        } else if (text_.substr(at_).starts_with("/*")) {
            skip_comment();
        } else {
            return;
        }
    }
}

// Comments can be nested.
void HoaLexer::skip_comment() {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    do {
        if (at_ + 1 >= text_.size())
            fail({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 2)},
                 "this comment is never closed");
        const std::string_view two = text_.substr(at_, 2);
        if (two == "/*") ++depth;
        if (two == "*/") --depth;
        at_ += two == "/*" || two == "*/" ? 2 : 1;
    } while (depth > 0);
}

void HoaLexer::advance() {
    skip();
    token_ = HoaToken{};
    const std::size_t begin = at_;
    if (at_ < text_.size()) read();
    token_.span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
    if (token_.kind != HoaToken::Kind::text && token_.kind != HoaToken::Kind::header)
        token_.text = std::string(text_.substr(begin, at_ - begin));
}

void HoaLexer::read() {
    const std::size_t begin = at_;
    const char c = text_[at_];
    if (is_letter(c)) {
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        token_.kind = HoaToken::Kind::name;
        if (at_ < text_.size() && text_[at_] == ':') {
            token_.kind = HoaToken::Kind::header;
            token_.text = std::string(text_.substr(begin, at_ - begin));
            ++at_;
        }
    } else if (is_digit(c)) {
        token_.kind = HoaToken::Kind::number;
        while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
        const auto [end, error] = std::from_chars(text_.data() + begin, text_.data() + at_, token_.number);
        if (error != std::errc() || end != text_.data() + at_)
            fail({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)}, "this number is too large");
    } else if (c == '"') {
        read_text();
    } else if (c == '@') {
        token_.kind = HoaToken::Kind::alias;
        ++at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else if (text_.substr(at_).starts_with("--")) {
        token_.kind = HoaToken::Kind::marker;
        at_ += 2;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else {
        token_.kind = HoaToken::Kind::symbol;
        ++at_;
    }
}

void HoaLexer::read_text() {
    token_.kind = HoaToken::Kind::text;
    const std::size_t begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"') {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
        token_.text += text_[at_++];
    }
    if (at_ == text_.size())
        fail({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 1)},
             "this quotation mark is never closed");
    ++at_;
}

}  // namespace tideline::automata
