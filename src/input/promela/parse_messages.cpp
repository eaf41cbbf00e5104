// Messages: what is sent and received, field by field.
#include "input/promela/parser_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tideline::input::promela {
void Parser::must_be_channel(const Reference& channel) {
    if (channel.scratch || channel.type.base != Base::chan || channel.length)
        fail(channel.place,
             channel.length ? "this is an array of channels: an index is missing" : "this is not a channel");
}

StatementPtr Parser::message(std::unique_ptr<Reference> target, Place place) {
    must_be_channel(*target);
    const bool send = is("!") || is("!!");
    StatementPtr result = make(send ? Statement::Kind::send : Statement::Kind::receive, place);
    const std::optional<std::size_t> fields = fields_of(*target);
    result->channel = make_expr(Expr::Kind::reference, place);
    result->channel->reference = std::move(target);
    const Token sign = take();
    if (send) {
        result->sorted = sign.text == "!!";
        send_arguments(result->values);
        check_fields(fields, result->values.size(), sign, true);
    } else {
        result->anywhere = sign.text == "??";
        if (accept("<")) {
            result->keep = true;
            patterns(result->patterns);
            expect(">", "after the fields of a message that is kept");
        } else {
            patterns(result->patterns);
        }
        complete(result->patterns, fields, sign);
    }
    result->place = since(place);
    return result;
}

// The number of fields, where the channel is one that is declared with them.
std::optional<std::size_t> Parser::fields_of(const Reference& channel) {
    if (!channel.fields.empty()) return std::nullopt;
    const std::vector<Declaration>& list = channel.global ? program_.globals : process_->locals;
    const Declaration& declaration = list[channel.declaration];
    if (!declaration.channel) return std::nullopt;
    return declaration.channel->fields.size();
}

void Parser::check_fields(std::optional<std::size_t> fields, std::size_t found_fields, const Token& sign, bool sent) {
    if (!fields || *fields == found_fields) return;
    if (is_in_trace() && found_fields < *fields) return;  // what is missing fits everything
    const std::string message = "this message has " + std::to_string(found_fields) +
                                (found_fields == 1 ? " field" : " fields") + ", the channel has " +
                                std::to_string(*fields);
    if (sent || found_fields > *fields) fail(sign, message);
    warn(sign.place, message, "the missing fields are ignored");
}

void Parser::complete(std::vector<Pattern>& patterns, std::optional<std::size_t> fields, const Token& sign) {
    check_fields(fields, patterns.size(), sign);
    while (fields && patterns.size() < *fields) {
        Pattern ignored;
        ignored.kind = Pattern::Kind::store;
        ignored.target = std::make_unique<Reference>();
        ignored.target->scratch = true;
        ignored.target->place = sign.place;
        patterns.push_back(std::move(ignored));
    }
}

void Parser::send_arguments(std::vector<ExprPtr>& values) {
    add_value(values, expression());
    if (is("(")) {
        take();
        if (!is(")")) do
                add_value(values, expression());
            while (accept(","));
        expect(")");
        return;
    }
    while (accept(",")) add_value(values, expression());
}

// A structure stands for all its fields.
void Parser::add_value(std::vector<ExprPtr>& values, ExprPtr value) {
    if (value->kind == Expr::Kind::reference && !value->reference->scratch &&
        (value->reference->type.base == Base::structure)) {
        std::vector<std::unique_ptr<Reference>> leaves;
        take_apart(*value->reference, leaves);
        for (std::unique_ptr<Reference>& leaf : leaves) {
            ExprPtr part = make_expr(Expr::Kind::reference, value->place);
            part->reference = std::move(leaf);
            values.push_back(std::move(part));
        }
        return;
    }
    values.push_back(std::move(value));
}

void Parser::take_apart(const Reference& whole, std::vector<std::unique_ptr<Reference>>& leaves) {
    if (whole.length) {
        for (std::uint32_t i = 0; i < *whole.length; ++i) {
            std::unique_ptr<Reference> element = clone(whole);
            element->length.reset();
            element->index.back() = number(i, whole.place);
            take_apart(*element, leaves);
        }
        return;
    }
    if (whole.type.base != Base::structure) {
        leaves.push_back(clone(whole));
        return;
    }
    const Structure& structure = program_.structures[whole.type.structure];
    for (std::uint32_t f = 0; f < structure.fields.size(); ++f) {
        std::unique_ptr<Reference> field = clone(whole);
        field->fields.push_back(f);
        field->index.push_back(nullptr);
        field->type = structure.fields[f].type;
        field->length = structure.fields[f].length;
        take_apart(*field, leaves);
    }
}

void Parser::patterns(std::vector<Pattern>& out) {
    const bool parenthesised = is("(");
    if (parenthesised) take();
    pattern(out);
    if (!parenthesised && is("(")) {
        take();
        if (!is(")")) do
                pattern(out);
            while (accept(","));
        expect(")");
        return;
    }
    while (accept(",")) {
        pattern(out);
        if (is("(")) {
            take();
            do pattern(out);
            while (accept(","));
            expect(")");
        }
    }
    if (parenthesised) expect(")");
}

void Parser::pattern(std::vector<Pattern>& out) {
    Pattern result;
    const Token token = peek();
    if (accept("eval")) {
        expect("(");
        result.value = expression();
        expect(")");
        if (result.value->kind == Expr::Kind::reference && result.value->reference->type.base == Base::structure)
            fail(token, "eval of a structure is not supported", "write eval(...) for each field");
        out.push_back(std::move(result));
        return;
    }
    if (token.kind == TokenKind::number || token.kind == TokenKind::character || is("-") || is("true") || is("false") ||
        is("skip") ||
        (token.kind == TokenKind::name && constants_.count(token.text) != 0 && find(token.text) == nullptr)) {
        result.value = unary(false);
        out.push_back(std::move(result));
        return;
    }
    if (is("_pid") || is("_nr_pr")) {
        result.value = unary(false);
        out.push_back(std::move(result));
        return;
    }
    if (token.kind != TokenKind::name || is_keyword(token.text))
        fail(token, "expected a variable, a constant or eval(...), found " + found());
    std::unique_ptr<Reference> target = reference();
    if (!target->scratch && target->type.base == Base::structure) {
        std::vector<std::unique_ptr<Reference>> leaves;
        take_apart(*target, leaves);
        for (std::unique_ptr<Reference>& leaf : leaves) {
            Pattern part;
            part.kind = Pattern::Kind::store;
            part.target = std::move(leaf);
            out.push_back(std::move(part));
        }
        return;
    }
    result.kind = Pattern::Kind::store;
    result.target = std::move(target);
    out.push_back(std::move(result));
}

}  // namespace tideline::input::promela
