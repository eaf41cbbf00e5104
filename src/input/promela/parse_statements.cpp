// Sequences and statements, labels, choices and blocks.
#include "input/promela/parser_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tideline::input::promela {
StatementPtr Parser::make(Statement::Kind kind, Place place) {
    auto result = std::make_unique<Statement>();
    result->kind = kind;
    result->place = place;
    result->number = process_->statements++;
    return result;
}

ExprPtr Parser::make_expr(Expr::Kind kind, Place place) {
    auto result = std::make_unique<Expr>();
    result->kind = kind;
    result->place = place;
    return result;
}

ExprPtr Parser::number(std::int64_t value, Place place) {
    ExprPtr result = make_expr(Expr::Kind::number, place);
    result->number = value;
    return result;
}

bool Parser::at_sequence_end() const { return at_end() || is("}") || is("fi") || is("od") || is("::"); }

Sequence Parser::sequence(std::string_view closing, const Token& open) {
    Sequence result;
    ++block_depth_;
    while (accept(";") || accept("->")) {
    }
    while (!at_sequence_end()) {
        step(result);
        bool separated = false;
        while (accept(";") || accept("->")) separated = true;
        if (separated || at_sequence_end()) continue;
        if (!may_join()) {
            static const std::vector<std::string> kWords{"if", "fi", "do", "od", "unless", "atomic"};
            fail(peek(), "expected ';' or '->' before " + found(),
                 peek().kind == TokenKind::name ? support::suggestion(peek().text, kWords) : std::string());
        }
    }
    --block_depth_;
    if (!is(closing) && !(closing == "::")) {
        const support::SourceText& file = program_.files[open.place.file];
        fail(peek(), "expected " + support::in_quotes(closing) + ", found " + found(),
             "to close " + support::in_quotes(open.text) + " in line " +
                 std::to_string(file.line_number(open.place.span.begin)));
    }
    return result;
}

// SPIN puts a semicolon where a statement ends with its line, and after a closing brace.
bool Parser::may_join() const {
    if (last_ == nullptr) return false;
    if (last_->text == "}" || last_->text == "fi" || last_->text == "od") return true;
    const Place a = last_->place;
    const Place b = peek().place;
    if (a.file != b.file) return true;
    const support::SourceText& file = program_.files[a.file];
    return file.line_number(a.span.begin) != file.line_number(b.span.begin);
}

void Parser::step(Sequence& out) {
    std::vector<std::string> labels;
    std::vector<Place> places;
    while (peek().kind == TokenKind::name && is(":", 1) && !is_keyword(peek().text)) {
        places.push_back(peek().place);
        labels.push_back(take().text);
        take();
    }
    if (at_declaration()) {
        const std::size_t before = out.size();
        declarations(&out);
        if (!labels.empty()) {
            if (out.size() == before) {
                StatementPtr skip = make(Statement::Kind::expression, places[0]);
                skip->value = number(1, places[0]);
                out.push_back(std::move(skip));
            }
            attach(*out[before], labels, places);
        }
        return;
    }
    if ((is("xr") || is("xs")) && peek(1).kind == TokenKind::name) {
        take();
        do expression();
        while (accept(","));
        return;
    }
    if (!labels.empty() && at_sequence_end()) {
        StatementPtr skip = make(Statement::Kind::expression, places[0]);
        skip->value = number(1, places[0]);
        attach(*skip, labels, places);
        out.push_back(std::move(skip));
        return;
    }
    std::size_t before = out.size();
    statement(out);
    // for and select have an assignment before their loop, to which neither label nor escape belong.
    if (out.size() > before) before = out.size() - 1;
    if (is("unless")) {
        const Place place = peek().place;
        take();
        StatementPtr both = make(Statement::Kind::unless, place);
        both->options.resize(2);
        both->options[0].push_back(std::move(out.back()));
        out.pop_back();
        step(both->options[1]);
        out.push_back(std::move(both));
    }
    if (!labels.empty()) {
        if (out.size() == before) {
            StatementPtr skip = make(Statement::Kind::expression, places[0]);
            skip->value = number(1, places[0]);
            out.push_back(std::move(skip));
        }
        attach(*out[before], labels, places);
        give_place_to_jump(out, before);
    }
}

// A goto or break is no location. Where one of its labels has a meaning (accept, end, progress) SPIN puts a skip
// before it, which takes the first of its labels.
void Parser::give_place_to_jump(Sequence& sequence, std::size_t at) {
    Statement& jump = *sequence[at];
    if (!is_jump(jump) || std::none_of(jump.labels.begin(), jump.labels.end(), has_meaning)) return;
    StatementPtr skip = make(Statement::Kind::expression, jump.place);
    skip->value = number(1, jump.place);
    attach(*skip, {jump.labels.front()}, {jump.label_places.front()});
    jump.labels.erase(jump.labels.begin());
    jump.label_places.erase(jump.label_places.begin());
    sequence.insert(sequence.begin() + static_cast<std::ptrdiff_t>(at), std::move(skip));
}

bool Parser::is_jump(const Statement& statement) {
    return statement.kind == Statement::Kind::jump || statement.kind == Statement::Kind::leave;
}

bool Parser::has_meaning(std::string_view label) {
    return label.substr(0, 6) == "accept" || label.substr(0, 3) == "end" || label.substr(0, 8) == "progress";
}

// In an option SPIN drops a skip behind another one or behind a printf, unless it has a label or is the last.
void Parser::drop_repeated_skips(Sequence& option) const {
    if (process_->kind == Process::Kind::never) return;
    const auto is_idle = [](const Statement& statement) {
        if (!statement.labels.empty()) return false;
        return statement.kind == Statement::Kind::print || is_skip(statement);
    };
    bool follows = false;
    for (std::size_t i = 0; i < option.size(); ++i) {
        const bool idle = is_idle(*option[i]);
        if (idle && follows && is_skip(*option[i]) && i + 1 < option.size())
            option.erase(option.begin() + static_cast<std::ptrdiff_t>(i--));
        follows = idle;
    }
}

bool Parser::is_skip(const Statement& statement) {
    return statement.kind == Statement::Kind::expression && statement.value->kind == Expr::Kind::number &&
           statement.value->number == 1;
}

void Parser::attach(Statement& statement, const std::vector<std::string>& labels, const std::vector<Place>& places) {
    statement.labels.insert(statement.labels.end(), labels.begin(), labels.end());
    statement.label_places.insert(statement.label_places.end(), places.begin(), places.end());
}

void Parser::statement(Sequence& out) {
    const Nesting nested(*this);
    refuse_embedded_c();
    const Token first = peek();
    const Place place = first.place;
    if (first.kind == TokenKind::name) {
        const std::string& word = first.text;
        if (word == "if" || word == "do") return selection(out);
        if (word == "atomic" || word == "d_step") return block(out);
        if (word == "for") return for_loop(out);
        if (word == "select" && is("(", 1)) return select(out);
        if (word == "break") {
            take();
            out.push_back(make(Statement::Kind::leave, place));
            return;
        }
        if (word == "goto") {
            take();
            StatementPtr jump = make(Statement::Kind::jump, place);
            jump->text = name("a label");
            jump->place = since(place);
            out.push_back(std::move(jump));
            return;
        }
        if (word == "else") {
            take();
            out.push_back(make(Statement::Kind::otherwise, place));
            return;
        }
        if (word == "assert") {
            take();
            StatementPtr assertion = make(Statement::Kind::assertion, place);
            assertion->value = expression();
            assertion->place = since(place);
            out.push_back(std::move(assertion));
            return;
        }
        if (word == "printf" || word == "printm") return print(out);
        if (word == "set_priority") {
            take();
            StatementPtr result = make(Statement::Kind::set_priority, place);
            expect("(");
            result->values.push_back(expression());
            expect(",");
            result->values.push_back(expression());
            expect(")");
            program_.uses_priorities = true;
            result->place = since(place);
            out.push_back(std::move(result));
            return;
        }
        if (word == "_priority" && is("=", 1)) {
            take();
            take();
            StatementPtr result = make(Statement::Kind::set_priority, place);
            result->values.push_back(make_expr(Expr::Kind::self, place));
            result->values.push_back(expression());
            program_.uses_priorities = true;
            result->place = since(place);
            out.push_back(std::move(result));
            return;
        }
        if (word == "skip") {
            // parsed as an expression below
        } else if (word == "return") {
            fail(first, "nothing takes this value",
                 inlines_.empty()
                     ? "'return' belongs into an inline"
                     : "an inline that returns a value is called as x = " + inlines_.back().name + "(...)");
        } else if (inline_names_.count(word) != 0 && is("(", 1)) {
            return expand_inline(out);
        } else if (!is_keyword(word)) {
            if (starts_reference()) return reference_statement(out);
        }
    }
    if (is("{")) return block(out);
    StatementPtr result = make(Statement::Kind::expression, place);
    result->value = expression();
    result->place = since(place);
    out.push_back(std::move(result));
}

bool Parser::starts_reference() {
    const std::string& text = peek().text;
    if (text == "_") return true;
    if (constants_.count(text) != 0) return false;
    return find(text) != nullptr;
}

void Parser::reference_statement(Sequence& out) {
    const Place place = peek().place;
    const std::size_t begin = at_;
    std::unique_ptr<Reference> target = reference();
    if (is("=")) {
        take();
        StatementPtr result = make(Statement::Kind::assign, place);
        result->target = std::move(target);
        if (peek().kind == TokenKind::name && inline_names_.count(peek().text) != 0 && is("(", 1))
            return expand_inline(out, std::vector<Token>(tokens_->begin() + static_cast<std::ptrdiff_t>(begin),
                                                         tokens_->begin() + static_cast<std::ptrdiff_t>(at_)));
        result->value = expression();
        check_assignable(*result->target, *result->value);
        result->place = since(place);
        out.push_back(std::move(result));
        return;
    }
    if (is("++") || is("--")) {
        const bool up = is("++");
        take();
        StatementPtr result = make(Statement::Kind::assign, place);
        result->value = make_expr(Expr::Kind::binary, place);
        result->value->op = up ? Op::add : Op::subtract;
        ExprPtr old = make_expr(Expr::Kind::reference, place);
        old->reference = clone(*target);
        result->value->operands.push_back(std::move(old));
        result->value->operands.push_back(number(1, place));
        result->target = std::move(target);
        check_assignable(*result->target, *result->value);
        result->place = since(place);
        out.push_back(std::move(result));
        return;
    }
    if ((is("!") || is("!!")) || ((is("?") || is("??")) && !is("[", 1) && !is("[]", 1))) {
        out.push_back(message(std::move(target), place));
        return;
    }
    at_ = begin;
    StatementPtr result = make(Statement::Kind::expression, place);
    result->value = expression();
    result->place = since(place);
    out.push_back(std::move(result));
}

void Parser::check_assignable(const Reference& target, const Expr& value) {
    if (target.scratch) return;
    if (target.type.base == Base::structure)
        fail(target.place, "a structure cannot be assigned as a whole", "assign its fields");
    if (target.length) fail(target.place, "an array cannot be assigned as a whole", "assign its elements");
    (void)value;
}

void Parser::selection(Sequence& out) {
    const Token open = take();
    const bool loop = open.text == "do";
    StatementPtr result = make(loop ? Statement::Kind::repetition : Statement::Kind::selection, open.place);
    const std::string_view closing = loop ? "od" : "fi";
    while (accept(";")) {
    }
    if (!is("::")) fail(peek(), "expected '::' after " + support::in_quotes(open.text) + ", found " + found());
    while (accept("::")) {
        const Token colons = *last_;
        scopes_.emplace_back();
        result->options.push_back(sequence("::", open));
        scopes_.pop_back();
        if (result->options.back().empty()) fail(colons, "this option has no statement");
        drop_repeated_skips(result->options.back());
        if (!is("::") && !is(closing)) {
            const support::SourceText& file = program_.files[open.place.file];
            fail(peek(), "expected '::' or " + support::in_quotes(closing) + ", found " + found(),
                 "to close " + support::in_quotes(open.text) + " in line " +
                     std::to_string(file.line_number(open.place.span.begin)));
        }
    }
    expect(closing);
    out.push_back(std::move(result));
}

void Parser::block(Sequence& out) {
    const Token open = peek();
    StatementPtr result = make(Statement::Kind::block, open.place);
    if (accept("atomic")) result->atomicity = Statement::Atomicity::atomic;
    else if (accept("d_step")) result->atomicity = Statement::Atomicity::d_step;
    const Token brace = peek();
    expect("{");
    scopes_.emplace_back();
    result->options.push_back(sequence("}", brace));
    scopes_.pop_back();
    expect("}");
    if (result->options[0].empty()) {
        StatementPtr skip = make(Statement::Kind::expression, open.place);
        skip->value = number(1, open.place);
        result->options[0].push_back(std::move(skip));
    }
    out.push_back(std::move(result));
}

StatementPtr Parser::assignment(const Reference& target, ExprPtr value, Place place) {
    StatementPtr result = make(Statement::Kind::assign, place);
    result->target = clone(target);
    result->value = std::move(value);
    return result;
}

ExprPtr Parser::read(const Reference& target) {
    ExprPtr result = make_expr(Expr::Kind::reference, target.place);
    result->reference = clone(target);
    return result;
}

ExprPtr Parser::binary(Op op, ExprPtr left, ExprPtr right) {
    ExprPtr result = make_expr(Expr::Kind::binary, left->place);
    result->op = op;
    result->operands.push_back(std::move(left));
    result->operands.push_back(std::move(right));
    return result;
}

StatementPtr Parser::condition(ExprPtr value) {
    const Place place = value->place;
    StatementPtr result = make(Statement::Kind::expression, place);
    result->value = std::move(value);
    return result;
}

void Parser::print(Sequence& out) {
    const Place place = peek().place;
    const bool is_mtype = is("printm");
    take();
    StatementPtr result = make(Statement::Kind::print, place);
    result->is_mtype = is_mtype;
    expect("(");
    if (is_mtype) {
        result->values.push_back(expression());
    } else {
        if (peek().kind != TokenKind::text) fail(peek(), "expected a string, found " + found());
        result->text = take().text;
        while (peek().kind == TokenKind::text) result->text += take().text;
        while (accept(",")) result->values.push_back(expression());
    }
    expect(")");
    result->place = since(place);
    out.push_back(std::move(result));
}

}  // namespace tideline::input::promela
