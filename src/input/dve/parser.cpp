// A recursive-descent parser with precedence climbing for expressions. At an error it says what was expected in its
// place, and continues with the next process.
//
// Operators of one precedence level that follow each other become one flat `chain`, so that generated guards of 100,000
// operands need no recursion, neither here nor in what walks or frees the tree. What does nest (parentheses, brackets,
// unary operators, and levels within levels) is limited, so that no input can exhaust the stack.
#include "input/dve/parser.hpp"

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/dve/lexer.hpp"

namespace tideline::input::dve {
namespace {

constexpr int kMaxNesting = 500;         // parentheses, brackets and unary operators
constexpr std::size_t kMostErrors = 10;  // that are reported at a time
constexpr int kMaxDepth = 2000;          // of the tree: these, and chains within chains

struct LevelledOperator {
    int level = 0;  // 0: no binary operator
    BinaryOp op = BinaryOp::imply;
};

LevelledOperator binary_operator(TokenKind kind) {
    switch (kind) {
        case TokenKind::kw_imply: return {1, BinaryOp::imply};
        case TokenKind::kw_and: return {2, BinaryOp::logical_and};
        case TokenKind::kw_or: return {2, BinaryOp::logical_or};
        case TokenKind::ampersand: return {3, BinaryOp::bit_and};
        case TokenKind::bar: return {3, BinaryOp::bit_or};
        case TokenKind::caret: return {3, BinaryOp::bit_xor};
        case TokenKind::equal: return {4, BinaryOp::equal};
        case TokenKind::not_equal: return {4, BinaryOp::not_equal};
        case TokenKind::less: return {5, BinaryOp::less};
        case TokenKind::less_equal: return {5, BinaryOp::less_equal};
        case TokenKind::greater: return {5, BinaryOp::greater};
        case TokenKind::greater_equal: return {5, BinaryOp::greater_equal};
        case TokenKind::shift_left: return {6, BinaryOp::shift_left};
        case TokenKind::shift_right: return {6, BinaryOp::shift_right};
        case TokenKind::plus: return {7, BinaryOp::add};
        case TokenKind::minus: return {7, BinaryOp::subtract};
        case TokenKind::star: return {8, BinaryOp::multiply};
        case TokenKind::slash: return {8, BinaryOp::divide};
        case TokenKind::percent: return {8, BinaryOp::modulo};
        default: return {};
    }
}

// Counts a level during its lifetime.
class LevelCount {
public:
    explicit LevelCount(int& count) : count_(++count) {}
    ~LevelCount() { --count_; }
    LevelCount(const LevelCount&) = delete;
    LevelCount& operator=(const LevelCount&) = delete;

private:
    int& count_;
};

class ExpressionParser {
public:
    explicit ExpressionParser(TokenCursor& tokens) : tokens_(tokens) {}

    ExprPtr expression() {
        ExprPtr result = level(1);
        if (tokens_.at(TokenKind::assign))
            tokens_.fail_expected_hint("an operator or the end of the expression", "to compare two values, write '=='");
        if (tokens_.at(TokenKind::fat_arrow))
            tokens_.fail_expected_hint("an operator or the end of the expression",
                                       "'greater or equal' is written '>=', implication 'imply'");
        return result;
    }

    // What can be stored into: [process->]name or [process->]name[index].
    ExprPtr target() {
        if (!tokens_.at(TokenKind::name)) tokens_.fail_expected("a variable");
        ExprPtr result = named();
        if (result->kind == Expr::Kind::location)
            tokens_.fail(result->span, "expected a variable, found a location of a process",
                         "a variable of another process is written PROCESS->NAME");
        return result;
    }

    // [ expression ]
    ExprPtr index() {
        const LevelCount counted(nesting_);
        check_depth();
        tokens_.expect(TokenKind::left_bracket);
        ExprPtr result = expression();
        tokens_.expect(TokenKind::right_bracket, {}, {"and", "or", "imply"});
        return result;
    }

    Name name(std::string_view what) {
        if (!tokens_.at(TokenKind::name)) tokens_.fail_expected(what);
        const Token token = tokens_.take();
        return {std::string(token.text), token.span};
    }

private:
    ExprPtr make(Expr::Kind kind, support::SourceSpan span) {
        auto result = std::make_unique<Expr>();
        result->kind = kind;
        result->span = span;
        return result;
    }

    void check_depth() {
        if (nesting_ <= kMaxNesting && depth_ <= kMaxDepth) return;
        tokens_.fail(tokens_.peek().span,
                     "this expression is nested too deeply (more than " + std::to_string(kMaxNesting) + " levels)",
                     "name a part of it: compute it in an effect, or split the transition");
    }

    // An expression of operators of at least this level.
    ExprPtr level(int weakest) {
        const LevelCount counted(depth_);
        check_depth();
        ExprPtr left = unary();
        for (;;) {
            const int here = binary_operator(tokens_.peek().kind).level;
            if (here < weakest) return left;
            left = chain(std::move(left), here);
        }
    }

    // The operators of one level and their operands, after the first.
    ExprPtr chain(ExprPtr first, int here) {
        ExprPtr result = make(Expr::Kind::chain, first->span);
        result->operands.push_back(std::move(first));
        for (;;) {
            const LevelledOperator next = binary_operator(tokens_.peek().kind);
            if (next.level != here) break;
            tokens_.take();
            result->operators.push_back(next.op);
            result->operands.push_back(level(here + 1));
        }
        result->span.end = tokens_.previous_end();
        return result;
    }

    ExprPtr unary() {
        UnaryOp op = UnaryOp::negate;
        switch (tokens_.peek().kind) {
            case TokenKind::minus: break;
            case TokenKind::tilde: op = UnaryOp::complement; break;
            case TokenKind::kw_not: op = UnaryOp::logical_not; break;
            default: return atom();
        }
        const LevelCount counted(nesting_);
        check_depth();
        ExprPtr result = make(Expr::Kind::unary, tokens_.take().span);
        result->unary = op;
        result->operands.push_back(unary());
        result->span.end = tokens_.previous_end();
        return result;
    }

    ExprPtr atom() {
        switch (tokens_.peek().kind) {
            case TokenKind::number: {
                const Token token = tokens_.take();
                ExprPtr result = make(Expr::Kind::number, token.span);
                result->number = token.number;
                return result;
            }
            case TokenKind::kw_true:
            case TokenKind::kw_false: {
                const Token token = tokens_.take();
                ExprPtr result = make(Expr::Kind::number, token.span);
                result->number = token.kind == TokenKind::kw_true ? 1 : 0;
                return result;
            }
            case TokenKind::left_paren: return parenthesised();
            case TokenKind::name: return named();
            case TokenKind::bang: tokens_.fail_expected_hint("an expression", "negation is written 'not'");
            default: tokens_.fail_expected("an expression");
        }
    }

    ExprPtr parenthesised() {
        const LevelCount counted(nesting_);
        check_depth();
        const std::uint32_t begin = tokens_.take().span.begin;
        ExprPtr result = expression();
        tokens_.expect(TokenKind::right_paren, {}, {"and", "or", "imply"});
        result->parenthesised = true;
        result->span = {begin, tokens_.previous_end()};
        return result;
    }

    ExprPtr named() {
        ExprPtr result = make(Expr::Kind::variable, tokens_.peek().span);
        result->name = name("a name");
        if (tokens_.accept(TokenKind::dot)) {
            result->kind = Expr::Kind::location;
            result->process = std::move(result->name);
            result->name = name("the name of a location");
        } else {
            if (tokens_.accept(TokenKind::arrow)) {
                result->process = std::move(result->name);
                result->name = name("the name of a variable");
            }
            if (tokens_.at(TokenKind::left_bracket)) {
                result->kind = Expr::Kind::element;
                result->operands.push_back(index());
            }
        }
        result->span.end = tokens_.previous_end();
        return result;
    }

    TokenCursor& tokens_;
    int nesting_ = 0;
    int depth_ = 0;
};

// The parts of a transition, in their order.
enum class Part { none, guard, sync, effect };

class ProgramParser {
public:
    ProgramParser(const support::SourceText& source, const support::Budget& budget)
        : tokens_(source, "the end of the file", budget), expressions_(tokens_) {}

    // Errors that were met, in the order of the text; a process with an error is skipped, and the next one is read.
    support::Diagnostics program(Program& program) {
        support::Diagnostics errors;
        while (errors.size() < kMostErrors) {
            try {
                sections_of(program, !errors.empty());
                return errors;
            } catch (SyntaxError& error) {
                const bool is_stop = error.diagnostic.stop != support::StopReason::none;
                errors.push_back(std::move(error.diagnostic));
                if (is_stop || is_at_the_end_ || !skip_to_process()) return errors;
            }
        }
        return errors;
    }

private:
    // True where another process, or the system line, follows.
    bool skip_to_process() {
        try {
            while (!tokens_.at(TokenKind::end) && !tokens_.at(TokenKind::kw_process) &&
                   !tokens_.at(TokenKind::kw_system))
                tokens_.take();
            return !tokens_.at(TokenKind::end);
        } catch (const SyntaxError&) {  // a character that no text in DVE has
            return false;
        }
    }

    void sections_of(Program& program, bool has_errors) {
        if (tokens_.at(TokenKind::end)) fail_empty(program.source);
        for (;;) {
            const bool before_processes = program.processes.empty();
            if (before_processes && at_variables()) {
                variables(program.variables);
            } else if (before_processes && tokens_.at(TokenKind::kw_channel)) {
                channels(program.channels);
            } else if (tokens_.accept(TokenKind::kw_process)) {
                process(program.processes.emplace_back());
            } else if (tokens_.at(TokenKind::kw_system)) {
                system(program);
                return;
            } else if (has_errors && tokens_.at(TokenKind::end)) {
                return;
            } else {
                fail_at_top(before_processes);
            }
        }
    }

    [[noreturn]] void fail_empty(const support::SourceText& source) {
        const bool blank = source.text().find_first_not_of(" \t\r\n\v\f") == std::string_view::npos;
        tokens_.fail({0, 0}, blank ? "the file is empty" : "the file holds nothing but comments",
                     "a DVE file holds declarations, processes and, at its end, 'system async;' or 'system sync;'");
    }

    [[noreturn]] void fail_at_top(bool before_processes) {
        const std::string_view what =
            before_processes ? "a declaration, 'process' or 'system'" : "'process' or 'system'";
        if (tokens_.at(TokenKind::end))
            tokens_.fail_expected_hint(what, "a DVE file ends with 'system async;' or 'system sync;'");
        if (at_variables() || tokens_.at(TokenKind::kw_channel))
            tokens_.fail_expected_hint(what, "global variables and channels are declared before the first process");
        if (const std::string hint = foreign_word_hint(); !hint.empty()) tokens_.fail_expected_hint(what, hint);
        if (before_processes) tokens_.fail_expected(what, {"byte", "int", "const", "channel", "process", "system"});
        tokens_.fail_expected(what, {"process", "system"});
    }

    // Of words that other languages have in this place.
    [[nodiscard]] std::string foreign_word_hint() const {
        if (!tokens_.at(TokenKind::name)) return {};
        const std::string_view word = tokens_.peek().text;
        if (word == "bool" || word == "bit")
            return "there is no type " + std::string(word) + ": use byte; 0 is false, every other value true";
        if (word == "short" || word == "unsigned" || word == "long")
            return "the types are byte (0 to 255) and int (-32768 to 32767)";
        if (word == "define" || word == "changequote" || word == "divert" || word == "dnl" || word == "forloop" ||
            word == "include" || word == "ifelse")
            return "this is a template for m4: expand it first, as in m4 model.mdve > model.dve";
        return {};
    }

    void system(Program& program) {
        is_at_the_end_ = true;
        program.system_span = tokens_.take().span;
        if (tokens_.accept(TokenKind::kw_sync)) {
            program.synchronous = true;
        } else if (!tokens_.accept(TokenKind::kw_async)) {
            tokens_.fail_expected("'async' or 'sync' after 'system'", {"async", "sync"});
        }
        if (tokens_.accept(TokenKind::kw_property))
            program.property = expressions_.name("the name of the property process");
        else if (!tokens_.at(TokenKind::semicolon)) tokens_.fail_expected("'property' or ';'", {"property"});
        tokens_.expect(TokenKind::semicolon, "at the end of the system line");
        program.system_span.end = tokens_.previous_end();
        if (!tokens_.at(TokenKind::end))
            tokens_.fail_expected_hint("the end of the file", "nothing may follow the system line");
    }

    bool at_variables() const {
        return tokens_.at(TokenKind::kw_const) || tokens_.at(TokenKind::kw_byte) || tokens_.at(TokenKind::kw_int);
    }

    Type type() {
        if (tokens_.accept(TokenKind::kw_byte)) return Type::byte;
        if (tokens_.accept(TokenKind::kw_int)) return Type::integer;
        tokens_.fail_expected("'byte' or 'int'", {"byte", "int"});
    }

    // Continues after an item of a list: true at a comma, false at the semicolon that ends the list.
    bool another(std::string_view what_before) {
        if (tokens_.accept(TokenKind::comma)) return true;
        if (tokens_.accept(TokenKind::semicolon)) return false;
        tokens_.fail_expected("',' or ';' after " + std::string(what_before));
    }

    void variables(std::vector<VariableDeclaration>& list) {
        const bool constant = tokens_.accept(TokenKind::kw_const);
        const Type declared = type();
        do {
            VariableDeclaration& variable = list.emplace_back();
            variable.constant = constant;
            variable.type = declared;
            variable.name = expressions_.name("the name of a variable");
            if (tokens_.at(TokenKind::left_bracket)) variable.length = expressions_.index();
            if (tokens_.accept(TokenKind::assign)) initialiser(variable);
        } while (another("the declaration of a variable"));
    }

    // translate() checks whether braces fit the variable.
    void initialiser(VariableDeclaration& variable) {
        variable.braces = tokens_.accept(TokenKind::left_brace);
        if (variable.braces) expression_list(variable.initial, "after an initial value");
        else variable.initial.push_back(expressions_.expression());
    }

    // Expressions up to the closing brace.
    void expression_list(std::vector<ExprPtr>& list, std::string_view where) {
        do list.push_back(expressions_.expression());
        while (tokens_.accept(TokenKind::comma));
        if (!tokens_.accept(TokenKind::right_brace))
            tokens_.fail_expected("',' or '}' " + std::string(where), {"and", "or", "imply"});
    }

    void channels(std::vector<ChannelDeclaration>& list) {
        tokens_.take();
        const bool typed = tokens_.accept(TokenKind::left_brace);
        std::vector<Type> fields;
        if (typed) {
            do fields.push_back(type());
            while (tokens_.accept(TokenKind::comma));
            if (!tokens_.accept(TokenKind::right_brace)) tokens_.fail_expected("',' or '}' after the type of a field");
        }
        do {
            ChannelDeclaration& channel = list.emplace_back();
            channel.name = expressions_.name(typed ? "the name of a channel" : "the name of a channel or '{'");
            channel.typed = typed;
            channel.fields = fields;
            if (!tokens_.at(TokenKind::left_bracket)) continue;
            if (!typed)
                tokens_.fail_expected_hint("',' or ';' after the name of a channel without types",
                                           "a channel with a buffer needs the types of its fields: channel {byte} " +
                                               channel.name.text + "[...];");
            channel.capacity = expressions_.index();
        } while (another("the declaration of a channel"));
    }

    void process(Process& process) {
        process.name = expressions_.name("the name of a process");
        if (tokens_.at(TokenKind::left_paren))
            tokens_.fail_expected_hint("'{' after the name of the process",
                                       "a process has no parameters: write one process per instance, or a constant in "
                                       "each (m4 makes many from one)");
        tokens_.expect(TokenKind::left_brace, "after the name of the process");
        while (at_variables()) variables(process.variables);
        if (!tokens_.at(TokenKind::kw_state)) {
            if (tokens_.at(TokenKind::kw_channel))
                tokens_.fail_expected_hint("a variable declaration or 'state'",
                                           "channels are declared outside of processes");
            if (const std::string hint = foreign_word_hint(); !hint.empty())
                tokens_.fail_expected_hint("a variable declaration or 'state'", hint);
            tokens_.fail_expected("a variable declaration or 'state'", {"byte", "int", "const", "state"});
        }
        tokens_.take();
        location_list(process.locations);
        sections(process);
        if (tokens_.accept(TokenKind::kw_trans)) transitions(process.transitions);
        if (tokens_.accept(TokenKind::right_brace)) return;
        tokens_.fail_expected_hint("'}' at the end of the process", after_transitions_hint());
    }

    std::string after_transitions_hint() const {
        switch (tokens_.peek().kind) {
            case TokenKind::kw_init:
            case TokenKind::kw_commit:
            case TokenKind::kw_accept:
            case TokenKind::kw_assert:
            case TokenKind::kw_state: return "'trans' is the last section of a process";
            case TokenKind::name:
            case TokenKind::arrow: return "transitions are separated by ',', a ';' ends the list of them";
            default: return {};
        }
    }

    void location_list(std::vector<Name>& list) {
        do list.push_back(expressions_.name("the name of a location"));
        while (another("the name of a location"));
    }

    // init, commit, accept and assert, in any order, up to trans or the end of the process.
    void sections(Process& process) {
        bool has_init = false;
        for (;;) {
            switch (tokens_.peek().kind) {
                case TokenKind::kw_init:
                    if (has_init) fail_second_section();
                    has_init = true;
                    tokens_.take();
                    process.initial = expressions_.name("the name of the initial location");
                    tokens_.expect(TokenKind::semicolon, "after the initial location");
                    break;
                case TokenKind::kw_commit:
                    if (!process.committed.empty()) fail_second_section();
                    tokens_.take();
                    location_list(process.committed);
                    break;
                case TokenKind::kw_accept:
                    if (!process.acceptance.sets.empty()) fail_second_section();
                    tokens_.take();
                    acceptance(process.acceptance);
                    break;
                case TokenKind::kw_assert:
                    tokens_.take();
                    assertions(process.assertions);
                    break;
                case TokenKind::kw_state: fail_second_section();
                default:
                    if (has_init && (tokens_.at(TokenKind::kw_trans) || tokens_.at(TokenKind::right_brace))) return;
                    fail_section(has_init);
            }
        }
    }

    [[noreturn]] void fail_second_section() {
        const bool init = tokens_.at(TokenKind::kw_init);
        tokens_.fail_found("another section of the process", "a second " + support::in_quotes(tokens_.peek().text),
                           init ? "a process has one initial location" : "list all the locations in one such section");
    }

    [[noreturn]] void fail_section(bool has_init) {
        if (at_variables())
            tokens_.fail_expected_hint(has_init ? "'trans', another section or '}'" : "'init'",
                                       "the variables of a process are declared before 'state'");
        if (has_init)
            tokens_.fail_expected("'trans', 'commit', 'accept', 'assert' or '}'",
                                  {"trans", "commit", "accept", "assert"});
        tokens_.fail_expected("'init'", {"init", "commit", "accept", "assert"});
    }

    // s, t;   buchi s, t;   genbuchi (s, t), (u);   The kinds are no keywords: a location may have such a name.
    void acceptance(Acceptance& acceptance) {
        Name first = expressions_.name("the name of a location or a kind of acceptance");
        const bool listed = tokens_.at(TokenKind::comma) || tokens_.at(TokenKind::semicolon);
        if (!listed && (first.text == "rabin" || first.text == "streett" || first.text == "muller"))
            tokens_.fail(first.span, support::in_quotes(first.text) + " acceptance is not supported",
                         "supported are lists of locations, 'buchi' and 'genbuchi'");
        if (!listed && first.text == "genbuchi") {
            acceptance.generalised = true;
            do acceptance_set(acceptance.sets.emplace_back());
            while (another("a set of locations"));
            return;
        }
        std::vector<Name>& set = acceptance.sets.emplace_back();
        if (!listed && first.text == "buchi") {
            location_list(set);
            return;
        }
        set.push_back(std::move(first));
        if (another("the name of a location")) location_list(set);
    }

    void acceptance_set(std::vector<Name>& set) {
        tokens_.expect(TokenKind::left_paren, "before a set of accepting locations");
        do set.push_back(expressions_.name("the name of a location"));
        while (tokens_.accept(TokenKind::comma));
        if (!tokens_.accept(TokenKind::right_paren)) tokens_.fail_expected("',' or ')' after the name of a location");
    }

    void assertions(std::vector<Assertion>& list) {
        do {
            Assertion& assertion = list.emplace_back();
            assertion.location = expressions_.name("the name of a location");
            tokens_.expect(TokenKind::colon, "after the location of an assertion");
            assertion.condition = expressions_.expression();
        } while (another("an assertion"));
    }

    void transitions(std::vector<Transition>& list) {
        if (tokens_.accept(TokenKind::semicolon)) return;
        do {
            Transition& made = list.emplace_back();
            made.span = tokens_.peek().span;
            if (tokens_.at(TokenKind::arrow)) {
                if (list.size() == 1)
                    tokens_.fail_expected_hint("the source location of the first transition",
                                               "'-> target' repeats the source of the transition before");
                made.from = {list[list.size() - 2].from.text, tokens_.peek().span};
            } else {
                made.from = expressions_.name("a transition");
            }
            if (tokens_.at(TokenKind::fat_arrow))
                tokens_.fail(tokens_.peek().span, "probabilistic transitions are not supported",
                             "expected '->' and one target location");
            tokens_.expect(TokenKind::arrow, "after the source location");
            made.to = expressions_.name("the name of the target location");
            tokens_.expect(TokenKind::left_brace, "after the target location");
            parts(made);
            made.span.end = tokens_.previous_end();
        } while (another("the transition"));
    }

    void parts(Transition& transition) {
        Part last = Part::none;
        while (!tokens_.accept(TokenKind::right_brace)) {
            const Part part = next_part(last);
            tokens_.take();
            if (part == Part::guard) {
                transition.guard = expressions_.expression();
                tokens_.expect(TokenKind::semicolon, "after the guard", {"and", "or", "imply"});
            } else if (part == Part::sync) {
                transition.sync = synchronisation();
                tokens_.expect(TokenKind::semicolon, "after the synchronisation", {"and", "or", "imply"});
            } else {
                do transition.effects.push_back(assignment());
                while (another("the assignment"));
            }
            last = part;
        }
    }

    // The part that begins here; it must come after `last`.
    Part next_part(Part last) {
        const Part part = tokens_.at(TokenKind::kw_guard)    ? Part::guard
                          : tokens_.at(TokenKind::kw_sync)   ? Part::sync
                          : tokens_.at(TokenKind::kw_effect) ? Part::effect
                                                             : Part::none;
        if (part > last) return part;
        const std::string_view what = last == Part::none    ? "'guard', 'sync', 'effect' or '}'"
                                      : last == Part::guard ? "'sync', 'effect' or '}'"
                                      : last == Part::sync  ? "'effect' or '}'"
                                                            : "'}'";
        if (part == Part::none && last == Part::none) tokens_.fail_expected(what, {"guard", "sync", "effect"});
        if (part == Part::none && last == Part::guard) tokens_.fail_expected(what, {"sync", "effect"});
        if (part == Part::none && last == Part::sync) tokens_.fail_expected(what, {"effect"});
        if (part == Part::none && last == Part::effect && tokens_.at(TokenKind::name))
            tokens_.fail_expected_hint(what, "the assignments of an effect are separated by ','");
        if (part == Part::none) tokens_.fail_expected(what);
        const std::string word = support::in_quotes(tokens_.peek().text);
        if (part == last)
            tokens_.fail_found(what, "a second " + word, "each part of a transition is written at most once");
        tokens_.fail_found(what, word + " out of order",
                           "the parts of a transition come in the order guard, sync, effect");
    }

    Synchronisation synchronisation() {
        Synchronisation result;
        result.channel = expressions_.name("the name of a channel");
        if (tokens_.accept(TokenKind::question)) result.direction = Synchronisation::Direction::receive;
        else if (!tokens_.accept(TokenKind::bang)) tokens_.fail_expected("'!' or '?' after the name of the channel");
        const bool sends = result.direction == Synchronisation::Direction::send;
        if (tokens_.accept(TokenKind::left_brace)) {
            result.braces = true;
            if (sends) expression_list(result.values, "after a value");
            else target_list(result.values);
        } else if (!tokens_.at(TokenKind::semicolon)) {
            result.values.push_back(sends ? expressions_.expression() : expressions_.target());
        }
        result.span = {result.channel.span.begin, tokens_.previous_end()};
        return result;
    }

    void target_list(std::vector<ExprPtr>& list) {
        do list.push_back(expressions_.target());
        while (tokens_.accept(TokenKind::comma));
        if (!tokens_.accept(TokenKind::right_brace)) tokens_.fail_expected("',' or '}' after a variable");
    }

    static bool is_arithmetic(TokenKind kind) {
        return kind == TokenKind::plus || kind == TokenKind::minus || kind == TokenKind::star ||
               kind == TokenKind::slash || kind == TokenKind::percent || kind == TokenKind::ampersand ||
               kind == TokenKind::bar || kind == TokenKind::caret;
    }

    // x++ or x += 1, as in C.
    [[noreturn]] void fail_update(const Assignment& assignment) {
        const std::string name = assignment.target->name.text;
        const std::string sign(tokens_.peek().text);
        tokens_.fail_expected_hint("'=' after the variable",
                                   "an effect is written in full: " + name + " = " + name + ' ' + sign + " 1");
    }

    Assignment assignment() {
        Assignment result;
        result.target = expressions_.target();
        if (is_arithmetic(tokens_.peek().kind)) fail_update(result);
        if (tokens_.at(TokenKind::equal))
            tokens_.fail_expected_hint("'=' after the variable", "an effect assigns: write '='; '==' compares");
        tokens_.expect(TokenKind::assign, "after the variable");
        result.value = expressions_.expression();
        result.span = {result.target->span.begin, tokens_.previous_end()};
        return result;
    }

    TokenCursor tokens_;
    ExpressionParser expressions_;
    bool is_at_the_end_ = false;  // the system line has begun
};

// Offsets have 32 bits.
bool too_large(const support::SourceText& source) {
    return source.text().size() >= std::numeric_limits<std::uint32_t>::max();
}

support::Diagnostic too_large_error(const support::SourceText& source) {
    return support::diagnostic_about(source.path(), "the file is too large: at most 4 GB can be read");
}

}  // namespace

support::Result<Program> parse(support::SourceText source, const support::Budget& budget) {
    if (too_large(source)) return too_large_error(source);
    Program program;
    program.source = std::move(source);
    try {
        if (support::Diagnostics errors = ProgramParser(program.source, budget).program(program); !errors.empty())
            return errors;
    } catch (SyntaxError& error) {
        return std::move(error.diagnostic);
    }
    return program;
}

support::Result<ExprPtr> parse_expression(const support::SourceText& source) {
    if (too_large(source)) return too_large_error(source);
    try {
        const support::Budget unlimited;
        TokenCursor tokens(source, "the end of the expression", unlimited);
        ExprPtr result = ExpressionParser(tokens).expression();
        if (!tokens.at(TokenKind::end))
            tokens.fail_expected("an operator or the end of the expression", {"and", "or", "imply"});
        return result;
    } catch (SyntaxError& error) {
        return std::move(error.diagnostic);
    }
}

}  // namespace tideline::input::dve
