// What stands outside of processes: proctype, init, never, inline, ltl.
#include "input/promela/parser_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tideline::input::promela {
void Parser::unit() {
    refuse_embedded_c();
    if (accept(";")) return;
    if (is("active") || is("proctype") || is("D_proctype")) return proctype();
    if (is("init")) return process(Process::Kind::init);
    if (is("never")) return process(Process::Kind::never);
    if (is("trace")) return process(Process::Kind::trace);
    if (is("notrace")) return process(Process::Kind::notrace);
    if (accept("inline")) return inline_definition();
    if (accept("typedef")) return structure();
    if (accept("ltl")) return ltl_block();
    if (at_declaration()) return declarations(nullptr);
    const Token& token = peek();
    std::vector<std::string> words{"active", "proctype", "init", "never", "inline", "typedef",
                                   "ltl",    "mtype",    "bit",  "bool",  "byte",   "short",
                                   "int",    "unsigned", "chan", "pid",   "hidden", "trace"};
    for (const auto& [known, index] : structures_) words.push_back(known);
    fail(token, "expected a declaration or a proctype, found " + found(),
         token.kind == TokenKind::name ? support::suggestion(token.text, words) : std::string());
}

void Parser::inline_definition() {
    Inline result;
    result.place = peek().place;
    result.name = name("the name of an inline");
    expect("(");
    if (!is(")")) do
            result.parameters.push_back(name("the name of a parameter"));
        while (accept(","));
    expect(")");
    const Token open = peek();
    expect("{");
    int depth = 1;
    for (;;) {
        if (at_end()) fail(open, "this brace is not closed: the inline has no end");
        if (is("{")) ++depth;
        if (is("}") && --depth == 0) break;
        result.body.push_back(take());
    }
    expect("}");
    Token end;
    end.place = last_->place;
    result.body.push_back(end);
    inline_names_[result.name] = inline_definitions_.size();
    inline_definitions_.push_back(std::move(result));
}

void Parser::ltl_block() {
    PendingFormula pending;
    pending.place = peek().place;
    if (!is("{")) pending.name = name("the name of a formula");
    else pending.name = "ltl_" + std::to_string(formulas_.size());
    const Token open = peek();
    expect("{");
    int depth = 1;
    for (;;) {
        if (at_end()) fail(open, "this brace is not closed: the formula has no end");
        if (is("{")) ++depth;
        if (is("}") && --depth == 0) break;
        pending.tokens.push_back(take());
    }
    expect("}");
    Token end;
    end.place = last_->place;
    pending.tokens.push_back(end);
    for (const PendingFormula& other : formulas_)
        if (other.name == pending.name) fail(pending.place, "duplicate name of a formula: " + pending.name);
    formulas_.push_back(std::move(pending));
}

void Parser::parse_formulas() {
    for (PendingFormula& pending : formulas_) {
        tokens_ = &pending.tokens;
        at_ = 0;
        Formula formula;
        formula.name = pending.name;
        formula.place = pending.place;
        formula.formula = level(1, true);
        if (!at_end()) fail(peek(), "expected an operator or the end of the formula, found " + found());
        program_.formulas.push_back(std::move(formula));
    }
}

void Parser::proctype() {
    std::uint32_t active = 0;
    if (accept("active")) {
        active = 1;
        if (accept("[")) {
            const Token first = peek();
            const std::int64_t count = constant("the number of active processes");
            if (count < 0 || count > 255)
                fail(first, std::to_string(count) + " active processes", "there are at most 255 processes");
            active = static_cast<std::uint32_t>(count);
            expect("]");
        }
    }
    const bool deterministic = is("D_proctype");
    if (!accept("proctype") && !accept("D_proctype")) expect("proctype", "after 'active'");
    begin_process(Process::Kind::proctype);
    Process& made = *process_;
    made.deterministic = deterministic;
    made.active = active;
    made.place = peek().place;
    made.name = name("the name of a proctype");
    for (std::size_t i = 0; i + 1 < program_.processes.size(); ++i)
        if (program_.processes[i].name == made.name)
            fail(made.place, "duplicate proctype " + support::in_quotes(made.name));
    expect("(", "after the name of a proctype");
    while (!is(")")) {
        if (at_end()) expect(")");
        while (accept("hidden") || accept("show") || accept("local")) {
        }
        const Type declared = type();
        do {
            Declaration declaration = declarator(declared);
            if (declaration.length) fail(declaration.place, "a parameter cannot be an array");
            if (declared.base == Base::structure) fail(declaration.place, "a parameter cannot be a structure");
            declaration.parameter = true;
            declare(std::move(declaration));
            ++process_->parameters;
        } while (accept(","));
        if (!is(")") && !accept(";")) expect(")", "or ';' after a parameter");
    }
    expect(")");
    process_rest();
}

void Parser::process(Process::Kind kind) {
    begin_process(kind);
    process_->place = peek().place;
    process_->name = take().text;
    for (std::size_t i = 0; i + 1 < program_.processes.size(); ++i)
        if (program_.processes[i].kind == kind && (kind == Process::Kind::init || kind == Process::Kind::never))
            fail(process_->place, "there is another " + process_->name + " in this model");
    if (kind == Process::Kind::init) process_->active = 1;
    if (kind == Process::Kind::never && peek().kind == TokenKind::name && !is("{")) take();
    process_rest();
}

void Parser::begin_process(Process::Kind kind) {
    program_.processes.emplace_back();
    process_ = &program_.processes.back();
    process_->kind = kind;
    scopes_.emplace_back();
    block_depth_ = 0;
    inline_labels_.clear();
}

void Parser::process_rest() {
    if (accept("priority")) {
        process_->priority = constant("a priority");
        program_.uses_priorities = true;
    }
    if (accept("provided")) {
        expect("(");
        process_->provided = expression();
        expect(")");
    }
    if (accept("priority")) {
        process_->priority = constant("a priority");
        program_.uses_priorities = true;
    }
    const Token open = peek();
    expect("{", "before the body of " + process_->name);
    process_->body = sequence("}", open);
    process_->end = peek().place;
    expect("}");
    scopes_.pop_back();
    process_ = nullptr;
}

}  // namespace tideline::input::promela
