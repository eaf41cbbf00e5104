// Expressions and formulas of ltl blocks.
#include "input/promela/parser_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tideline::input::promela {
namespace {

struct Level {
    int level = 0;
    Op op = Op::add;
};

Level binary_level(const Token& token, bool temporal) {
    if (token.kind == TokenKind::name && temporal) {
        if (token.text == "U" || token.text == "until" || token.text == "stronguntil") return {5, Op::until};
        if (token.text == "W" || token.text == "weakuntil") return {5, Op::weak_until};
        if (token.text == "V" || token.text == "release") return {5, Op::release};
        if (token.text == "implies") return {1, Op::implies};
        if (token.text == "equivalent") return {1, Op::equivalent};
    }
    if (token.kind != TokenKind::punctuation) return {};
    static const std::map<std::string, Level, std::less<>> kLevels{
        {"||", {2, Op::logical_or}},     {"&&", {3, Op::logical_and}},
        {"|", {6, Op::bit_or}},          {"^", {7, Op::bit_xor}},
        {"&", {8, Op::bit_and}},         {"==", {9, Op::equal}},
        {"!=", {9, Op::not_equal}},      {"<", {10, Op::less}},
        {"<=", {10, Op::less_equal}},    {">", {10, Op::greater}},
        {">=", {10, Op::greater_equal}}, {"<<", {11, Op::shift_left}},
        {">>", {11, Op::shift_right}},   {"+", {12, Op::add}},
        {"-", {12, Op::subtract}},       {"*", {13, Op::multiply}},
        {"/", {13, Op::divide}},         {"%", {13, Op::modulo}}};
    static const std::map<std::string, Level, std::less<>> kTemporal{{"->", {1, Op::implies}},
                                                                     {"<->", {1, Op::equivalent}},
                                                                     {"\\/", {2, Op::logical_or}},
                                                                     {"/\\", {3, Op::logical_and}}};
    if (const auto found = kLevels.find(token.text); found != kLevels.end()) return found->second;
    if (temporal)
        if (const auto found = kTemporal.find(token.text); found != kTemporal.end()) return found->second;
    return {};
}

// Promela's arithmetic is that of int.
std::int64_t wrapped(std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

}  // namespace

ExprPtr Parser::expression() { return level(2, false); }

ExprPtr Parser::level(int weakest, bool temporal) {
    const Nesting nested(*this);
    ExprPtr left = unary(temporal);
    for (;;) {
        const Level next = binary_level(peek(), temporal);
        if (next.level < weakest || next.level == 0) return left;
        const Token sign = take();
        ExprPtr result = make_expr(Expr::Kind::binary, sign.place);
        result->op = next.op;
        result->operands.push_back(std::move(left));
        result->operands.push_back(level(next.level + 1, temporal));
        result->place = join(result->operands[0]->place, result->operands[1]->place);
        left = std::move(result);
    }
}

ExprPtr Parser::unary(bool temporal) {
    const Nesting nested(*this);
    const Token token = peek();
    const auto with = [&](Unary op, ExprPtr operand) {
        ExprPtr result = make_expr(Expr::Kind::unary, token.place);
        result->unary = op;
        result->operands.push_back(std::move(operand));
        return result;
    };
    if (token.kind == TokenKind::punctuation) {
        if (accept("!")) return with(Unary::logical_not, unary(temporal));
        if (accept("!!")) return with(Unary::logical_not, with(Unary::logical_not, unary(temporal)));
        if (accept("-")) return with(Unary::negate, unary(temporal));
        if (accept("~")) return with(Unary::complement, unary(temporal));
        if (temporal) {
            if (accept("[]")) return with(Unary::always, level(6, true));
            if (accept("<>")) return with(Unary::eventually, level(6, true));
        }
    }
    if (temporal && token.kind == TokenKind::name && find(token.text) == nullptr) {
        if (accept("always") || accept("G")) return with(Unary::always, level(6, true));
        if (accept("eventually") || accept("F")) return with(Unary::eventually, level(6, true));
        if (accept("next") || accept("X")) return with(Unary::next, unary(true));
    }
    return primary(temporal);
}

ExprPtr Parser::primary(bool temporal) {
    const Token token = peek();
    refuse_embedded_c();
    if (token.kind == TokenKind::number) return number_literal();
    if (token.kind == TokenKind::character) return character_literal();
    if (is("(")) return parenthesised(temporal);
    if (token.kind != TokenKind::name) fail(token, "expected an expression, found " + found());
    if (ExprPtr result = predefined()) return result;
    return named_value();
}

ExprPtr Parser::number_literal() {
    const Token token = peek();
    const Place place = token.place;
    take();
    std::int64_t value = 0;
    bool good = true;
    const bool hex = token.text.size() > 2 && token.text[0] == '0' && (token.text[1] == 'x' || token.text[1] == 'X');
    for (std::size_t i = hex ? 2 : 0; i < token.text.size(); ++i) {
        const char c = token.text[i];
        const int digit = c >= '0' && c <= '9'          ? c - '0'
                          : hex && c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : hex && c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                        : -1;
        if (digit < 0) good = false;
        else if (value < (std::int64_t{1} << 40)) value = value * (hex ? 16 : 10) + digit;
    }
    if (!good) fail(token, support::in_quotes(token.text) + " is not a number");
    if (value > std::numeric_limits<std::uint32_t>::max()) fail(token, "this number does not fit an int");
    return number(wrapped(value), place);
}

ExprPtr Parser::character_literal() {
    const Token token = peek();
    const Place place = token.place;
    take();
    std::int64_t value = token.text.empty() ? 0 : static_cast<unsigned char>(token.text[0]);
    if (token.text.size() == 2 && token.text[0] == '\\') {
        switch (token.text[1]) {
            case 'n': value = '\n'; break;
            case 't': value = '\t'; break;
            case 'r': value = '\r'; break;
            default: value = static_cast<unsigned char>(token.text[1]);
        }
    }
    return number(value, place);
}

// (value), (condition -> value : value)
ExprPtr Parser::parenthesised(bool temporal) {
    const Place place = peek().place;
    expect("(");
    ExprPtr inner = temporal ? level(1, true) : expression();
    if (temporal && is(":") && inner->kind == Expr::Kind::binary && inner->op == Op::implies) {
        take();
        ExprPtr result = make_expr(Expr::Kind::conditional, place);
        result->operands = std::move(inner->operands);
        result->operands.push_back(expression());
        expect(")");
        return result;
    }
    if (!temporal && accept("->")) {
        ExprPtr result = make_expr(Expr::Kind::conditional, place);
        result->operands.push_back(std::move(inner));
        result->operands.push_back(expression());
        expect(":", "in a conditional expression");
        result->operands.push_back(expression());
        expect(")");
        return result;
    }
    if (!is(")")) fail(peek(), "expected an operator or ')', found " + found());
    expect(")");
    return inner;
}

// Words of the language that are values: constants, what is known of processes and channels. Null: it is none.
ExprPtr Parser::predefined() {
    const Token token = peek();
    const Place place = token.place;
    const std::string& word = token.text;
    if (word == "true" || word == "skip" || word == "false") {
        take();
        return number(word == "false" ? 0 : 1, place);
    }
    if (word == "timeout") return take(), make_expr(Expr::Kind::timeout, place);
    if (word == "np_") return take(), make_expr(Expr::Kind::non_progress, place);
    if (word == "_nr_pr") return take(), make_expr(Expr::Kind::process_count, place);
    if (word == "_pid") return take(), make_expr(Expr::Kind::self, place);
    if (word == "_last") {
        take();
        program_.uses_last = true;
        return make_expr(Expr::Kind::last, place);
    }
    if (word == "_priority") {
        take();
        program_.uses_priorities = true;
        ExprPtr result = make_expr(Expr::Kind::get_priority, place);
        result->operands.push_back(make_expr(Expr::Kind::self, place));
        return result;
    }
    if (word == "run") return run_expression();
    static const std::map<std::string, Expr::Kind, std::less<>> kOfChannel{{"len", Expr::Kind::length},
                                                                           {"full", Expr::Kind::full},
                                                                           {"empty", Expr::Kind::empty},
                                                                           {"nfull", Expr::Kind::not_full},
                                                                           {"nempty", Expr::Kind::not_empty}};
    if (const auto found_kind = kOfChannel.find(word); found_kind != kOfChannel.end()) {
        take();
        ExprPtr result = make_expr(found_kind->second, place);
        expect("(");
        ExprPtr channel = make_expr(Expr::Kind::reference, peek().place);
        channel->reference = reference();
        if (found_kind->second == Expr::Kind::length && channel->reference->length && !channel->reference->scratch &&
            channel->reference->type.base != Base::chan) {
            expect(")");
            return number(*channel->reference->length, place);
        }
        must_be_channel(*channel->reference);
        result->operands.push_back(std::move(channel));
        expect(")");
        result->place = since(place);
        return result;
    }
    if (word == "enabled" || word == "pc_value" || word == "get_priority") {
        take();
        ExprPtr result = make_expr(word == "enabled"    ? Expr::Kind::enabled
                                   : word == "pc_value" ? Expr::Kind::pc_value
                                                        : Expr::Kind::get_priority,
                                   place);
        if (word == "get_priority") program_.uses_priorities = true;
        expect("(");
        result->operands.push_back(expression());
        expect(")");
        return result;
    }
    return nullptr;
}

// A constant, a variable, a part of one, a poll of a channel, a reference to another process.
ExprPtr Parser::named_value() {
    const Token token = peek();
    const Place place = token.place;
    const std::string& word = token.text;
    if (word == "eval") fail(token, "eval stands in received messages only");
    if (is_keyword(word))
        fail(token, "expected an expression, found " + found(),
             support::in_quotes(word) + " is a word of the language");
    if (inline_names_.count(word) != 0 && is("(", 1))
        fail(token, "an inline is a statement and has no value", "pass the variable as a parameter");
    const Symbol* symbol = find(word);
    if (symbol == nullptr && constants_.count(word) != 0) {
        take();
        return number(constants_.at(word), place);
    }
    if (symbol == nullptr && (is("@", 1) || is("[", 1) || is(":", 1)) && may_be_remote()) return remote();
    if (word == "_" && !is_in_trace()) fail(token, "the value of _ is not known: it is never stored");
    ExprPtr result = make_expr(Expr::Kind::reference, place);
    result->reference = reference();
    result->place = since(place);
    if ((is("?") || is("??")) && (is("[", 1))) {
        must_be_channel(*result->reference);
        ExprPtr poll = make_expr(Expr::Kind::poll, place);
        const Token sign = take();
        poll->anywhere = sign.text == "??";
        expect("[");
        patterns(poll->patterns);
        complete(poll->patterns, fields_of(*result->reference), sign);
        expect("]", "after the fields of a poll");
        poll->operands.push_back(std::move(result));
        poll->place = since(place);
        return poll;
    }
    if (result->reference->type.base == Base::structure &&
        !(is(",") || is(")") || is(";") || is("->") || at_sequence_end()))
        fail(result->reference->place, "a structure has no value: a field is missing");
    return result;
}

// NAME@label, NAME[...]@label, NAME[...]:variable, NAME:variable
bool Parser::may_be_remote() {
    if (is("@", 1)) return true;
    if (is(":", 1)) return peek(2).kind == TokenKind::name && find(peek().text) == nullptr && is_proctype(peek().text);
    std::size_t ahead = 2;
    int depth = 1;
    while (depth > 0 && peek(ahead).kind != TokenKind::end) {
        if (is("[", ahead)) ++depth;
        if (is("]", ahead)) --depth;
        ++ahead;
    }
    return is("@", ahead) || (is(":", ahead) && peek(ahead + 1).kind == TokenKind::name);
}

bool Parser::is_proctype(const std::string& text) const {
    return std::any_of(program_.processes.begin(), program_.processes.end(),
                       [&](const Process& p) { return p.name == text; });
}

ExprPtr Parser::remote() {
    const Token token = take();
    ExprPtr result = make_expr(Expr::Kind::remote_label, token.place);
    result->name = token.text;
    if (accept("[")) {
        result->operands.push_back(expression());
        expect("]");
    }
    if (accept("@")) {
        result->label = name("a label");
    } else {
        expect(":", "or '@' in a reference to another process");
        result->kind = Expr::Kind::remote_value;
        result->label = name("a variable of another process");
        result->reference = std::make_unique<Reference>();
        result->reference->global = false;
        result->reference->place = last_->place;
        ExprPtr index;
        if (accept("[")) {
            index = expression();
            expect("]");
        }
        result->reference->index.push_back(std::move(index));
        while (is(".")) fail(peek(), "a field of a structure of another process is not supported");
    }
    result->place = since(token.place);
    later_.push_back({result.get(), token});
    return result;
}

ExprPtr Parser::run_expression() {
    const Token token = take();
    ExprPtr result = make_expr(Expr::Kind::run, token.place);
    const Token type_name = peek();
    result->name = name("the name of a proctype after 'run'");
    expect("(", "after the name of a proctype");
    if (!is(")")) do
            result->operands.push_back(expression());
        while (accept(","));
    expect(")");
    if (accept("priority")) {
        result->priority = constant("a priority");
        program_.uses_priorities = true;
    }
    result->place = since(token.place);
    if (process_ == nullptr || process_->kind == Process::Kind::never)
        fail(token, "run stands in proctypes and init only");
    later_.push_back({result.get(), type_name});
    return result;
}

// x  a[i]  s.f  a[i].f[j]
std::unique_ptr<Reference> Parser::reference() {
    const Token token = peek();
    auto result = std::make_unique<Reference>();
    result->place = token.place;
    if (accept("_")) {
        result->scratch = true;
        return result;
    }
    if (token.kind != TokenKind::name || is_keyword(token.text)) fail(token, "expected a variable, found " + found());
    const Symbol* symbol = find(token.text);
    if (symbol == nullptr) unknown_name(token);
    take();
    result->global = symbol->global;
    result->declaration = symbol->declaration;
    const std::vector<Declaration>& list = symbol->global ? program_.globals : process_->locals;
    const Declaration* declaration = &list[symbol->declaration];
    for (;;) {
        ExprPtr index;
        result->type = declaration->type;
        result->length = declaration->length;
        if (is("[")) {
            const Token bracket = take();
            if (!declaration->length) fail(bracket, support::in_quotes(declaration->name) + " is not an array");
            index = expression();
            expect("]", "after an index");
            result->length.reset();
        }
        result->index.push_back(std::move(index));
        if (!is(".")) break;
        const Token dot = take();
        if (declaration->type.base != Base::structure)
            fail(dot, support::in_quotes(declaration->name) + " is not a structure and has no fields");
        if (result->length) result->index.back() = number(0, dot.place);
        const Structure& structure = program_.structures[declaration->type.structure];
        const Token field_token = peek();
        const std::string field = name("the name of a field");
        const auto found_field = std::find_if(structure.fields.begin(), structure.fields.end(),
                                              [&](const Declaration& d) { return d.name == field; });
        if (found_field == structure.fields.end()) {
            std::vector<std::string> names;
            for (const Declaration& d : structure.fields) names.push_back(d.name);
            fail(field_token, structure.name + " has no field " + support::in_quotes(field),
                 support::suggestion(field, names));
        }
        result->fields.push_back(static_cast<std::uint32_t>(found_field - structure.fields.begin()));
        declaration = &*found_field;
    }
    result->place = join(token.place, last_->place);
    // An array without an index is its first element, as in SPIN.
    if (result->length && result->type.base != Base::structure && !is(")") && !is(",")) {
        result->index.back() = number(0, token.place);
        result->length.reset();
    }
    return result;
}

void Parser::unknown_name(const Token& token) {
    std::vector<std::string> names;
    for (const auto& scope : scopes_)
        for (const auto& [known, symbol] : scope) names.push_back(known);
    for (const auto& [known, value] : constants_) names.push_back(known);
    for (const auto& [known, index] : inline_names_) names.push_back(known);
    for (const char* word : {"skip", "true", "false", "else", "timeout", "atomic", "assert", "printf", "break", "goto"})
        names.emplace_back(word);
    fail(token, "unknown name " + support::in_quotes(token.text), support::suggestion(token.text, names));
}

}  // namespace tideline::input::promela
