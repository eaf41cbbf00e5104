// What is expanded into other statements: for, select, inlines.
#include "input/promela/parser_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tideline::input::promela {
namespace {

constexpr int kMaxInlines = 60;

}  // namespace

// for (i : a .. b) { ... }  is  i = a; do :: i <= b -> ...; i++ :: else -> break od
void Parser::for_loop(Sequence& out) {
    const Place place = peek().place;
    take();
    expect("(");
    const std::unique_ptr<Reference> counter = reference();
    ExprPtr first;
    ExprPtr last;
    if (accept("in")) {
        const Token where = peek();
        const std::unique_ptr<Reference> range = reference();
        if (!range->length && range->type.base == Base::chan && !range->scratch)
            return for_messages(out, *counter, *range, place);
        if (!range->length) fail(where, "expected an array or a channel after 'in'");
        first = number(0, place);
        last = number(static_cast<std::int64_t>(*range->length) - 1, place);
    } else {
        expect(":", "or 'in' after the variable of a loop");
        first = expression();
        expect("..", "in the range of a loop");
        last = expression();
    }
    expect(")");
    out.push_back(assignment(*counter, std::move(first), place));
    StatementPtr loop = make(Statement::Kind::repetition, place);
    Sequence body;
    body.push_back(condition(binary(Op::less_equal, read(*counter), std::move(last))));
    finish_loop(out, std::move(loop), std::move(body), *counter, place);
}

// for (m in c) { ... }: every message is received and sent again.
void Parser::for_messages(Sequence& out, const Reference& message, const Reference& channel, Place place) {
    expect(")");
    Declaration counter;
    counter.name = "for_count_" + std::to_string(process_->locals.size());
    counter.type = {Base::integer, 0, 0};
    counter.place = place;
    Reference count;
    count.global = false;
    count.type = counter.type;
    count.place = place;
    count.index.push_back(nullptr);
    count.declaration = declare(std::move(counter));
    out.push_back(assignment(count, number(0, place), place));
    StatementPtr loop = make(Statement::Kind::repetition, place);
    Sequence body;
    ExprPtr length = make_expr(Expr::Kind::length, place);
    length->operands.push_back(read(channel));
    body.push_back(condition(binary(Op::less, read(count), std::move(length))));
    StatementPtr receive = make(Statement::Kind::receive, place);
    StatementPtr send = make(Statement::Kind::send, place);
    receive->channel = read(channel);
    send->channel = read(channel);
    std::vector<std::unique_ptr<Reference>> leaves;
    take_apart(message, leaves);
    for (std::unique_ptr<Reference>& leaf : leaves) {
        ExprPtr value = make_expr(Expr::Kind::reference, place);
        value->reference = clone(*leaf);
        send->values.push_back(std::move(value));
        Pattern pattern;
        pattern.kind = Pattern::Kind::store;
        pattern.target = std::move(leaf);
        receive->patterns.push_back(std::move(pattern));
    }
    body.push_back(std::move(receive));
    body.push_back(std::move(send));
    finish_loop(out, std::move(loop), std::move(body), count, place);
}

// The body, of which the beginning is there already: do :: body; { ... }; counter++ :: else -> break od
void Parser::finish_loop(Sequence& out, StatementPtr loop, Sequence body, const Reference& counter, Place place) {
    const Token brace = peek();
    expect("{", "before the body of a loop");
    scopes_.emplace_back();
    Sequence inner = sequence("}", brace);
    scopes_.pop_back();
    expect("}");
    for (StatementPtr& s : inner) body.push_back(std::move(s));
    body.push_back(assignment(counter, binary(Op::add, read(counter), number(1, place)), place));
    loop->options.push_back(std::move(body));
    Sequence otherwise;
    otherwise.push_back(make(Statement::Kind::otherwise, place));
    otherwise.push_back(make(Statement::Kind::leave, place));
    loop->options.push_back(std::move(otherwise));
    out.push_back(std::move(loop));
}

// select (i : a .. b): a choice of assignments where the bounds are constants, otherwise a loop that counts up.
void Parser::select(Sequence& out) {
    const Place place = peek().place;
    take();
    expect("(");
    const std::unique_ptr<Reference> target = reference();
    expect(":");
    const bool begins_with_literal = peek().kind == TokenKind::number && is("..", 1);
    ExprPtr first = expression();
    expect("..");
    const bool are_literals = begins_with_literal && peek().kind == TokenKind::number && is(")", 1);
    ExprPtr last = expression();
    expect(")");
    const std::optional<std::int64_t> low = constant_value(*first);
    const std::optional<std::int64_t> high = constant_value(*last);
    if (are_literals && *low > *high) fail(place, "select from an empty range");
    constexpr std::int64_t kMostAtOnce = 32;  // apart; SPIN counts further ones up
    if (are_literals && *high - *low <= kMostAtOnce) {
        StatementPtr choice = make(Statement::Kind::selection, place);
        for (std::int64_t value = *low; value <= *high; ++value) {
            Sequence option;
            option.push_back(assignment(*target, number(value, place), place));
            choice->options.push_back(std::move(option));
        }
        out.push_back(std::move(choice));
        return;
    }
    out.push_back(assignment(*target, std::move(first), place));
    StatementPtr loop = make(Statement::Kind::repetition, place);
    Sequence count;
    count.push_back(condition(binary(Op::less, read(*target), std::move(last))));
    count.push_back(assignment(*target, binary(Op::add, read(*target), number(1, place)), place));
    Sequence done;
    done.push_back(make(Statement::Kind::leave, place));
    loop->options.push_back(std::move(done));
    loop->options.push_back(std::move(count));
    out.push_back(std::move(loop));
}

// A label of an inline that is expanded again in the same process has another name there.
void Parser::rename_labels(std::vector<Token>& body) {
    std::map<std::string, std::string> renamed;
    static const std::set<std::string, std::less<>> kBefore{";", "->", "{", "}", "::", ":", "fi", "od"};
    const auto line = [&](const Token& token) {
        return program_.files[token.place.file].line_number(token.place.span.begin);
    };
    int depth = 0;  // of parentheses: (a -> b : c) has no label
    for (std::size_t i = 0; i + 1 < body.size(); ++i) {
        const std::string& text = body[i].text;
        if (body[i].kind == TokenKind::punctuation && (text == "(" || text == "[")) ++depth;
        if (body[i].kind == TokenKind::punctuation && (text == ")" || text == "]")) --depth;
        if (depth > 0 || body[i].kind != TokenKind::name || body[i + 1].text != ":" || is_keyword(text)) continue;
        if (i > 0 && kBefore.count(body[i - 1].text) == 0 && line(body[i - 1]) == line(body[i])) continue;
        int& count = inline_labels_[body[i].text];
        if (count++ > 0) renamed[body[i].text] = body[i].text + "_" + std::to_string(count);
    }
    for (std::size_t i = 0; i < body.size(); ++i) {
        const auto found = renamed.find(body[i].text);
        if (found == renamed.end() || body[i].kind != TokenKind::name) continue;
        if ((i > 0 && body[i - 1].text == "goto") || (i + 1 < body.size() && body[i + 1].text == ":"))
            body[i].text = found->second;
    }
}

// `receiver`: what stands before a call whose value is used, `x =`; it takes the place of every `return`.
void Parser::expand_inline(Sequence& out, const std::vector<Token>& receiver) {
    const Token call = take();
    const Inline& definition = inline_definitions_[inline_names_.at(call.text)];
    if (inlines_.size() >= kMaxInlines ||
        std::count_if(inlines_.begin(), inlines_.end(), [&](const OpenInline& o) { return o.name == call.text; }) > 0)
        fail(call, "the inline " + support::in_quotes(call.text) + " calls itself",
             "inlines are expanded where they are called; use a proctype for recursion");
    expect("(");
    std::vector<std::vector<Token>> arguments;
    if (!is(")")) {
        int depth = 0;
        arguments.emplace_back();
        for (;;) {
            if (at_end()) fail(call, "the arguments of this inline are not closed");
            if (depth == 0 && is(")")) break;
            if (depth == 0 && is(",")) {
                take();
                arguments.emplace_back();
                continue;
            }
            if (is("(") || is("[") || is("{")) ++depth;
            if (is(")") || is("]") || is("}")) --depth;
            arguments.back().push_back(take());
        }
    }
    expect(")");
    if (arguments.size() != definition.parameters.size())
        fail(call, "the inline " + support::in_quotes(call.text) + " has " +
                       std::to_string(definition.parameters.size()) + " parameters, not " +
                       std::to_string(arguments.size()));
    auto body = std::make_unique<std::vector<Token>>();
    bool returns = false;
    for (const Token& token : definition.body) {
        if (!receiver.empty() && token.kind == TokenKind::name && token.text == "return") {
            body->insert(body->end(), receiver.begin(), receiver.end());
            returns = true;
            continue;
        }
        const auto parameter = token.kind == TokenKind::name
                                   ? std::find(definition.parameters.begin(), definition.parameters.end(), token.text)
                                   : definition.parameters.end();
        if (parameter == definition.parameters.end() || (!body->empty() && body->back().text == ".")) {
            body->push_back(token);
            continue;
        }
        const auto& argument = arguments[static_cast<std::size_t>(parameter - definition.parameters.begin())];
        body->insert(body->end(), argument.begin(), argument.end());
    }
    if (!receiver.empty() && !returns)
        fail(call, "the inline " + support::in_quotes(call.text) + " returns no value",
             "pass the variable as a parameter");
    rename_labels(*body);
    const std::vector<Token>* outer = tokens_;
    const std::size_t outer_at = at_;
    inlines_.push_back({call.text, call.place, inline_count_++});
    tokens_ = body.get();
    at_ = 0;
    scopes_.emplace_back();
    ++block_depth_;
    Sequence statements;
    while (accept(";") || accept("->")) {
    }
    while (!at_end()) {
        if (at_sequence_end()) fail(peek(), "unexpected " + found() + " in the inline");
        step(statements);
        bool separated = false;
        while (accept(";") || accept("->")) separated = true;
        if (!separated && !at_end() && !may_join()) fail(peek(), "expected ';' before " + found());
    }
    inlines_.pop_back();
    tokens_ = outer;
    at_ = outer_at;
    last_ = &(*tokens_)[at_ - 1];
    bodies_.push_back(std::move(body));
    scopes_.pop_back();
    --block_depth_;
    if (statements.empty()) {
        StatementPtr skip = make(Statement::Kind::expression, call.place);
        skip->value = number(1, call.place);
        statements.push_back(std::move(skip));
    }
    StatementPtr whole = make(Statement::Kind::block, call.place);
    whole->options.push_back(std::move(statements));
    out.push_back(std::move(whole));
}

}  // namespace tideline::input::promela
