// Tokens, and messages about what was not expected.
#include "input/promela/parser_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tideline::input::promela {
namespace {

constexpr std::size_t kMaxTokens = 20'000'000;  // after inlines

const std::set<std::string, std::less<>> kKeywords{
    "active",       "assert", "atomic",   "bit",     "bool",         "break",      "byte",     "c_code",
    "c_decl",       "c_expr", "c_state",  "c_track", "chan",         "D_proctype", "d_step",   "do",
    "else",         "empty",  "enabled",  "eval",    "false",        "fi",         "for",      "full",
    "get_priority", "goto",   "hidden",   "if",      "init",         "inline",     "int",      "len",
    "local",        "ltl",    "mtype",    "nempty",  "never",        "nfull",      "notrace",  "np_",
    "od",           "of",     "pc_value", "pid",     "printf",       "printm",     "priority", "proctype",
    "provided",     "return", "run",      "select",  "set_priority", "short",      "show",     "skip",
    "timeout",      "trace",  "true",     "typedef", "unless",       "unsigned",   "xr",       "xs"};

}  // namespace

bool is_keyword(std::string_view word) { return kKeywords.find(word) != kKeywords.end(); }

Parser::Parser(Preprocessed& input, const support::Budget& budget) : input_(input), poll_(budget, 256) {
    program_.files = input.files;
    program_.include_spans = input.include_spans;
    program_.preprocessed = input.text;
    tokens_ = &input.tokens;
    scopes_.emplace_back();
}

support::Result<Program> Parser::run() {
    try {
        while (!at_end()) unit();
        parse_formulas();
        resolve_later();
        check_labels();
    } catch (const SyntaxError& error) {
        return error.diagnostic;
    }
    return support::Result<Program>(std::move(program_), std::move(warnings_));
}

const Token& Parser::peek(std::size_t ahead) const {
    const std::size_t i = std::min(at_ + ahead, tokens_->size() - 1);
    return (*tokens_)[i];
}

bool Parser::at_end() const { return peek().kind == TokenKind::end; }

const Token& Parser::take() {
    const Token& token = peek();
    last_ = &token;
    if (token.kind != TokenKind::end) ++at_;
    if (++taken_ > kMaxTokens) fail(token, "the model is too large after its inlines were expanded");
    if (poll_.is_exhausted())
        throw SyntaxError{
            support::diagnostic_of_stop(program_.files[0].path(), poll_.reason(), "the model was parsed")};
    return token;
}

bool Parser::is(std::string_view text, std::size_t ahead) const {
    const Token& token = peek(ahead);
    return (token.kind == TokenKind::punctuation || token.kind == TokenKind::name) && token.text == text;
}

bool Parser::accept(std::string_view text) {
    if (!is(text)) return false;
    take();
    return true;
}

std::string Parser::found() const {
    const Token& token = peek();
    if (token.kind == TokenKind::end) return "the end of the file";
    if (token.kind == TokenKind::text) return "a string";
    return support::in_quotes(token.text);
}

void Parser::expect(std::string_view text, std::string_view where) {
    if (accept(text)) return;
    std::string message = "expected " + support::in_quotes(text);
    if (!where.empty()) message += " " + std::string(where);
    fail(peek(), message + ", found " + found());
}

void Parser::fail(Place place, std::int32_t macro, std::string message, std::string hint) {
    if (macro >= 0) {
        const std::string& name = input_.macros[static_cast<std::size_t>(macro)].name;
        for (const MacroDefinition& definition : input_.definitions)
            if (definition.name == name) {
                const support::SourceText& file = program_.files[definition.place.file];
                const std::string from = "in the macro " + name + ", which is defined at " + file.path() + ":" +
                                         std::to_string(file.line_number(definition.place.span.begin));
                hint = hint.empty() ? from : hint + "; " + from;
                break;
            }
    }
    if (!inlines_.empty()) {
        const Place call = inlines_.front().call;
        const support::SourceText& file = program_.files[call.file];
        const std::string from = "in the inline " + inlines_.back().name + ", called at " + file.path() + ":" +
                                 std::to_string(file.line_number(call.span.begin));
        hint = hint.empty() ? from : hint + "; " + from;
    }
    throw SyntaxError{
        support::diagnostic_at(program_.files[place.file], place.span, std::move(message), std::move(hint))};
}

void Parser::fail(const Token& token, std::string message, std::string hint) {
    fail(token.place, token.macro, std::move(message), std::move(hint));
}

void Parser::fail(Place place, std::string message, std::string hint) {
    fail(place, -1, std::move(message), std::move(hint));
}

Place Parser::join(Place a, Place b) {
    if (a.file != b.file || b.span.end < a.span.begin) return a;
    return {a.file, {std::min(a.span.begin, b.span.begin), std::max(a.span.end, b.span.end)}};
}

Place Parser::since(Place begin) const {
    return last_ != nullptr && inlines_.empty() ? join(begin, last_->place) : begin;
}

void Parser::refuse_embedded_c() {
    for (const std::string_view word : {"c_code", "c_decl", "c_expr", "c_state", "c_track"})
        if (is(word))
            fail(peek(), "embedded C (" + std::string(word) + ") is not executed",
                 "model what it computes in Promela, or write the system in C++ (docs/cpp-systems.md)");
}

std::string Parser::name(std::string_view what) {
    const Token& token = peek();
    if (token.kind != TokenKind::name || is_keyword(token.text)) {
        std::string hint;
        if (token.kind == TokenKind::name) hint = support::in_quotes(token.text) + " is a word of the language";
        fail(token, "expected " + std::string(what) + ", found " + found(), hint);
    }
    return take().text;
}

support::Result<Program> parse(const support::SourceText& source, const PreprocessOptions& options,
                               const support::Budget& budget) {
    support::Result<Preprocessed> input = preprocess(source, options, budget);
    if (!input) return std::move(input).diagnostics();
    return Parser(*input, budget).run();
}

}  // namespace tideline::input::promela
