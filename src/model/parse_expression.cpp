#include "model/parse_expression.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace tideline::model {
namespace {

constexpr std::size_t kDeepestNesting =
    500;  // calls of parse and parse_unary: a few megabytes of stack with sanitizers

struct ParseError {
    support::Diagnostic diagnostic;
};

struct Token {
    enum class Kind { end, number, name, symbol };
    Kind kind = Kind::end;
    std::string_view text;
    support::SourceSpan span;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Lexer {
public:
    Lexer(const support::SourceText& source, support::SourceSpan part)
        : source_(source), text_(source.text().substr(0, part.end)), at_(part.begin) {
        advance();
    }

    [[nodiscard]] const Token& peek() const { return token_; }

    Token next() {
        const Token result = token_;
        advance();
        ++taken_;
        return result;
    }
    // Tokens, so far.
    [[nodiscard]] std::size_t taken() const { return taken_; }

    [[noreturn]] void fail(support::SourceSpan span, std::string message, std::string hint = {}) const {
        throw ParseError{support::diagnostic_at(source_, span, std::move(message), std::move(hint))};
    }

private:
    void advance() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
        const std::size_t begin = at_;
        token_.kind = Token::Kind::end;
        if (at_ < text_.size()) {
            const char c = text_[at_];
            if (is_digit(c)) {
                token_.kind = Token::Kind::number;
                while (at_ < text_.size() && (is_digit(text_[at_]) || is_letter(text_[at_]))) ++at_;
            } else if (is_letter(c)) {
                token_.kind = Token::Kind::name;
                while (at_ < text_.size() && (is_digit(text_[at_]) || is_letter(text_[at_]))) ++at_;
            } else {
                token_.kind = Token::Kind::symbol;
                at_ += symbol_length();
            }
        }
        token_.span = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)};
        token_.text = text_.substr(begin, at_ - begin);
    }

    std::size_t symbol_length() const {
        static constexpr std::string_view kSymbols[] = {"->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>",
                                                        "&",  "|",  "^",  "<",  ">",  "+",  "-",  "*",  "/",
                                                        "%",  "~",  "!",  "(",  ")",  "[",  "]",  "."};
        for (const std::string_view symbol : kSymbols)
            if (text_.substr(at_).starts_with(symbol)) return symbol.size();
        std::size_t length = 1;  // a whole character of UTF-8
        while (at_ + length < text_.size() && (static_cast<unsigned char>(text_[at_ + length]) & 0xC0U) == 0x80U)
            ++length;
        const support::SourceSpan span{static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + length)};
        fail(span, "unexpected " + support::in_quotes(text_.substr(at_, length)),
             text_.substr(at_).starts_with("=>") ? "'greater or equal' is written '>=', implication 'imply'"
             : text_[at_] == '='                 ? "to compare two values, write '=='"
                                                 : "");
    }

    const support::SourceText& source_;
    std::string_view text_;
    std::size_t at_;
    Token token_;
    std::size_t taken_ = 0;
};

enum class Binary { imply, logical_or, logical_and, other };  // what an operator builds

struct Operator {
    int strength;
    Binary kind;
    Op op;
};

const Operator* find_operator(const Token& token) {
    static const std::map<std::string_view, Operator> kOperators = {
        {"imply", {1, Binary::imply, Op::implies}},      {"->", {1, Binary::imply, Op::implies}},
        {"or", {2, Binary::logical_or, Op::or_else}},    {"||", {2, Binary::logical_or, Op::or_else}},
        {"and", {3, Binary::logical_and, Op::and_then}}, {"&&", {3, Binary::logical_and, Op::and_then}},
        {"|", {4, Binary::other, Op::bit_or}},           {"^", {5, Binary::other, Op::bit_xor}},
        {"&", {6, Binary::other, Op::bit_and}},          {"==", {7, Binary::other, Op::equal}},
        {"!=", {7, Binary::other, Op::not_equal}},       {"<", {8, Binary::other, Op::less}},
        {"<=", {8, Binary::other, Op::less_equal}},      {">", {8, Binary::other, Op::greater}},
        {">=", {8, Binary::other, Op::greater_equal}},   {"<<", {9, Binary::other, Op::shift_left}},
        {">>", {9, Binary::other, Op::shift_right}},     {"+", {10, Binary::other, Op::add}},
        {"-", {10, Binary::other, Op::subtract}},        {"*", {11, Binary::other, Op::multiply}},
        {"/", {11, Binary::other, Op::divide}},          {"%", {11, Binary::other, Op::modulo}},
    };
    if (token.kind != Token::Kind::name && token.kind != Token::Kind::symbol) return nullptr;
    const auto found = kOperators.find(token.text);
    return found == kOperators.end() ? nullptr : &found->second;
}

class Parser {
public:
    Parser(const Model& model, const support::SourceText& source, support::SourceSpan part, LocationNumbers locations)
        : model_(model), source_(source), locations_(locations), lexer_(source, part) {}

    // Throws ParseError.
    support::Result<Expression> run() {
        if (lexer_.peek().kind == Token::Kind::end)
            lexer_.fail({0, 0}, "the expression is empty", "expected an expression over the model's names");
        Expression result = parse(1);
        const Token& rest = lexer_.peek();
        if (rest.kind != Token::Kind::end)
            lexer_.fail(rest.span, "expected an operator or the end, found " + support::in_quotes(rest.text),
                        is_temporal(rest.text) ? support::in_quotes(rest.text) +
                                                     " is an operator of temporal logic: give the formula with --ltl "
                                                     "or --ctl"
                                               : "");
        return support::Result<Expression>(std::move(result), std::move(warnings_));
    }

private:
    Expression parse(int weakest) {
        const Token first = lexer_.peek();
        const Nesting nesting(*this, first.span);
        Expression left = parse_unary();
        const Operator* last = nullptr;
        bool warned = false;
        for (const Operator* op = find_operator(lexer_.peek()); op != nullptr && op->strength >= weakest;
             op = find_operator(lexer_.peek())) {
            const bool is_arrow = lexer_.next().text == "->";
            const Expression right = parse(is_arrow ? op->strength : op->strength + 1);
            if (last_ != nullptr && share_a_level_in_dve(*op, *last_) && !warned) {
                warn_of_precedence({first.span.begin, lexer_.peek().span.begin}, op->op == Op::or_else);
                warned = true;
            }
            last = op;
            left = combine(*op, std::move(left), right);
        }
        last_ = last;
        return left;
    }

    // `and` and `or`, and likewise & | ^: DVE reads them from left to right, here the usual precedence holds.
    static bool share_a_level_in_dve(const Operator& a, const Operator& b) {
        const auto is_bitwise = [](const Operator& o) {
            return o.op == Op::bit_and || o.op == Op::bit_or || o.op == Op::bit_xor;
        };
        return (a.kind == Binary::logical_or && b.kind == Binary::logical_and) || (is_bitwise(a) && is_bitwise(b));
    }

    Expression combine(const Operator& op, Expression left, const Expression& right) {
        switch (op.kind) {
            case Binary::imply: return Expression::implication(std::move(left), right);
            case Binary::logical_or: return Expression::either(std::move(left), right);
            case Binary::logical_and: return Expression::both(std::move(left), right);
            case Binary::other: break;
        }
        return Expression::binary(op.op, std::move(left), right);
    }

    void warn_of_precedence(support::SourceSpan span, bool logical) {
        warnings_.push_back(support::diagnostic_at(
            source_, span,
            logical ? "'and' binds more strongly than 'or' here: 'a or b and c' means 'a or (b and c)'"
                    : "'&' binds more strongly than '^', and '^' than '|' here: 'a | b & c' means 'a | (b & c)'",
            "a DVE model reads this from left to right; parentheses make it plain", support::Severity::warning));
    }

    void warn_of_namesake(const std::string& process, const Token& member) {
        const std::string name(member.text);
        warnings_.push_back(support::diagnostic_at(
            source_, member.span,
            support::in_quotes(name) + " is taken as the location of " + process + ", not as its variable",
            "write " + process + "->" + name + " for the variable", support::Severity::warning));
    }

    // Counts how deeply the text nests, so that no input can exhaust the stack.
    class Nesting {
    public:
        Nesting(Parser& parser, support::SourceSpan span) : parser_(parser) {
            if (++parser_.depth_ > kDeepestNesting) parser_.lexer_.fail(span, "the expression is nested too deeply");
        }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        ~Nesting() { --parser_.depth_; }

    private:
        Parser& parser_;
    };

    Expression parse_unary() {
        const Token token = lexer_.next();
        const Nesting nesting(*this, token.span);
        if (token.text == "-") return Expression::unary(Op::negate, parse_unary());
        if (token.text == "~") return Expression::unary(Op::complement, parse_unary());
        if (token.text == "not" || token.text == "!") return Expression::unary(Op::logical_not, parse_unary());
        if (token.text == "(") {
            Expression inner = parse(1);
            expect(")");
            return inner;
        }
        if (token.kind == Token::Kind::number) return number(token);
        if (token.kind == Token::Kind::name && find_operator(token) == nullptr) return name(token);
        lexer_.fail(token.span, "expected a name, a number or '(', found " + found(token));
    }

    static std::string found(const Token& token) {
        return token.kind == Token::Kind::end ? "the end" : support::in_quotes(token.text);
    }

    void expect(std::string_view symbol) {
        const Token& token = lexer_.peek();
        if (token.text != symbol)
            lexer_.fail(token.span, "expected " + support::in_quotes(symbol) + ", found " + found(token));
        lexer_.next();
    }

    Expression number(const Token& token) const {
        Value value = 0;
        const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
        if (error == std::errc::result_out_of_range)
            lexer_.fail(token.span, "the number " + support::in_quotes(token.text) + " is too large");
        if (end != token.text.data() + token.text.size())
            lexer_.fail(token.span, support::in_quotes(token.text) + " is neither a number nor a name");
        return Expression::constant(value);
    }

    Expression name(const Token& first) {
        if (first.text == "true" || first.text == "false") return Expression::constant(first.text == "true");
        std::string full(first.text);
        support::SourceSpan span = first.span;
        if (lexer_.peek().text == "." || (lexer_.peek().text == "->" && is_process(first.text))) {
            const bool arrow = lexer_.next().text == "->";
            const Token member = lexer_.next();
            if (member.kind != Token::Kind::name)
                lexer_.fail(member.span, "expected a location or variable of " + full + ", found " + found(member));
            span.end = member.span.end;
            const std::string process = full;
            full += '.' + std::string(member.text);
            if (const std::optional<Expression> location = at_location(process, member.text)) {
                if (!arrow && is_known(full)) warn_of_namesake(process, member);
                if (!arrow) return *location;
                if (!is_known(full))
                    lexer_.fail(
                        member.span,
                        support::in_quotes(member.text) + " is a location of " + process + ", expected a variable",
                        "write " + full + " to ask whether it is in this location");
            }
            require_process(first, member, full);
        }
        return resolve(full, span);
    }

    std::optional<Expression> at_location(std::string_view process, std::string_view location) const {
        for (ProcessId p = 0; p < model_.processes.size(); ++p) {
            if (model_.processes[p].name != process) continue;
            const std::unordered_map<std::string_view, Value>& numbers = locations_of(p);
            const auto found = numbers.find(location);
            if (found != numbers.end()) return model_.at(p, found->second);
        }
        return std::nullopt;
    }

    // The first location of each name. A measure of an explicit system may name every one of thousands.
    const std::unordered_map<std::string_view, Value>& locations_of(ProcessId process) const {
        std::unordered_map<std::string_view, Value>& numbers = numbers_[process];
        const std::vector<std::string>& names = model_.variables[model_.processes[process].location].value_names;
        if (numbers.empty())
            for (std::size_t i = 0; i < names.size(); ++i) numbers.try_emplace(names[i], static_cast<Value>(i));
        return numbers;
    }

    // P.x is unknown: is P wrong, or x?
    void require_process(const Token& process, const Token& member, const std::string& full) const {
        if (is_known(full)) return;
        const auto found = std::find_if(model_.processes.begin(), model_.processes.end(),
                                        [&](const Process& p) { return p.name == process.text; });
        if (found == model_.processes.end()) {
            if (is_known(std::string(process.text)))
                lexer_.fail(member.span, support::in_quotes(process.text) + " is not a process and has no " +
                                             support::in_quotes(member.text));
            std::vector<std::string> names;
            for (const Process& p : model_.processes) names.push_back(p.name);
            lexer_.fail(process.span, "unknown process " + support::in_quotes(process.text),
                        support::suggestion(process.text, names));
        }
        std::vector<std::string> members = model_.variables[found->location].value_names;
        const std::string prefix = found->name + '.';
        for (const Variable& v : model_.variables)
            if (v.name.starts_with(prefix)) members.push_back(v.name.substr(prefix.size()));
        lexer_.fail(member.span,
                    "process " + found->name + " has no location or variable " + support::in_quotes(member.text),
                    support::suggestion(member.text, members));
    }

    [[nodiscard]] bool is_process(std::string_view name) const {
        return std::any_of(model_.processes.begin(), model_.processes.end(),
                           [&](const Process& process) { return process.name == name; });
    }

    [[nodiscard]] bool is_known(const std::string& name) const {
        const auto named = [&](const auto& thing) { return thing.name == name; };
        return std::any_of(model_.variables.begin(), model_.variables.end(), named) ||
               std::any_of(model_.tables.begin(), model_.tables.end(), named) ||
               std::any_of(model_.labels.begin(), model_.labels.end(), named);
    }

    Expression resolve(const std::string& name, support::SourceSpan span) {
        const auto named = [&](const auto& thing) { return thing.name == name; };
        const auto variable = std::find_if(model_.variables.begin(), model_.variables.end(), named);
        const auto process = std::find_if(model_.processes.begin(), model_.processes.end(), named);
        // A location is kept in a variable of the process's name, but its number is not available in conditions. (It is
        // where the variable has another name, like the state of an explicit system.)
        const bool hidden = process != model_.processes.end() && locations_ == LocationNumbers::refused;
        if (variable != model_.variables.end() && !hidden)
            return read(static_cast<VariableId>(variable - model_.variables.begin()), span);
        const auto table = std::find_if(model_.tables.begin(), model_.tables.end(), named);
        if (table != model_.tables.end()) {
            if (!table->array) return Expression::constant(table->values[0]);
            return Expression::table(static_cast<TableId>(table - model_.tables.begin()),
                                     index(name, span, static_cast<Value>(table->values.size())));
        }
        const auto label = std::find_if(model_.labels.begin(), model_.labels.end(), named);
        if (label != model_.labels.end()) return label->expression;
        if (process != model_.processes.end())
            lexer_.fail(span, support::in_quotes(name) + " is a process, expected a value",
                        "write " + name + ".s to ask whether it is in location s");
        std::vector<std::string> names;
        for (const Variable& v : model_.variables) names.push_back(v.name);
        for (const Table& t : model_.tables) names.push_back(t.name);
        for (const NamedExpression& l : model_.labels) names.push_back(l.name);
        for (const Process& p : model_.processes) names.push_back(p.name);
        lexer_.fail(span, "unknown name " + support::in_quotes(name), suggestion_for(name, names));
    }

    // A name without its process is more likely than a misspelled one.
    [[nodiscard]] std::string suggestion_for(const std::string& name, const std::vector<std::string>& names) const {
        if (is_temporal(name))
            return support::in_quotes(name) + " is an operator of temporal logic: give the formula with --ltl or --ctl";
        std::vector<std::string> owners;
        for (ProcessId p = 0; p < model_.processes.size(); ++p)
            if (locations_of(p).contains(name) || is_known(model_.processes[p].name + '.' + name))
                owners.push_back(model_.processes[p].name + '.' + name);
        if (owners.empty()) return support::suggestion(name, names);
        std::string text = "did you mean " + support::in_quotes(owners.front());
        if (owners.size() > 1) text += " or " + support::in_quotes(owners[1]);
        return text + (owners.size() > 2 ? ", ...?" : "?");
    }

    static bool is_temporal(std::string_view name) {
        static constexpr std::string_view kOperators[] = {"G",  "F",  "X",  "U",  "W",  "R",  "AG",     "AF",
                                                          "EG", "EF", "AX", "EX", "GF", "FG", "always", "eventually"};
        return std::find(std::begin(kOperators), std::end(kOperators), name) != std::end(kOperators);
    }

    Expression read(VariableId id, support::SourceSpan span) {
        const Variable& variable = model_.variables[id];
        if (!variable.length) {
            if (lexer_.peek().text == "[")
                lexer_.fail(lexer_.peek().span,
                            support::in_quotes(variable.name) + " is not an array and cannot be indexed");
            return model_.read(id);
        }
        Expression at = index(variable.name, span, variable.slot_count());
        if (variable.element_suffix.empty()) return model_.read(id, std::move(at));
        return model_.read(field(id), std::move(at));
    }

    // A message of several fields: c[0].1
    VariableId field(VariableId first) {
        const std::string& name = model_.variables[first].name;
        if (lexer_.peek().text != ".")
            lexer_.fail(lexer_.peek().span,
                        "expected a field of a message of " + name + ", found " + found(lexer_.peek()),
                        "a message of several fields is read as " + name + "[...].0");
        lexer_.next();
        const Token token = lexer_.next();
        for (VariableId id = first; id < model_.variables.size() && model_.variables[id].name == name; ++id)
            if (model_.variables[id].element_suffix == '.' + std::string(token.text)) return id;
        lexer_.fail(token.span, "expected the number of a field of " + name + ", found " + found(token),
                    "fields are numbered from 0 on");
    }

    Expression index(const std::string& name, support::SourceSpan span, Value count) {
        if (lexer_.peek().text != "[")
            lexer_.fail(span, support::in_quotes(name) + " is an array, expected an index", "write " + name + "[...]");
        lexer_.next();
        const Token first = lexer_.peek();
        const std::size_t before = lexer_.taken();
        Expression result = parse(1);
        const support::SourceSpan whole{first.span.begin, lexer_.peek().span.begin};
        // A number. Whoever writes a constant by its name, or computes it, may ask first whether it is an index.
        const bool is_number = lexer_.taken() - before == (first.kind == Token::Kind::number ? 1U : 2U) &&
                               (first.kind == Token::Kind::number || first.text == "-");
        expect("]");
        if (is_number && result.is_constant() && (result.constant_value() < 0 || result.constant_value() >= count))
            lexer_.fail(whole, "the index " + std::to_string(result.constant_value()) + " is outside " + name,
                        "its elements are " + name + "[0]" +
                            (count > 1 ? " to " + name + '[' + std::to_string(count - 1) + ']' : ""));
        return result;
    }

    const Model& model_;
    const support::SourceText& source_;
    LocationNumbers locations_;
    mutable std::map<ProcessId, std::unordered_map<std::string_view, Value>> numbers_;  // of locations, by name
    Lexer lexer_;
    support::Diagnostics warnings_;
    std::size_t depth_ = 0;
    const Operator* last_ = nullptr;  // the last operator, outside of parentheses, of the operand that was parsed last
};

}  // namespace

support::Result<Expression> parse_expression(const Model& model, const support::SourceText& source,
                                             LocationNumbers locations) {
    return parse_expression(model, source, {0, static_cast<std::uint32_t>(source.text().size())}, locations);
}

support::Result<Expression> parse_expression(const Model& model, const support::SourceText& source,
                                             support::SourceSpan part, LocationNumbers locations) {
    try {
        return Parser(model, source, part, locations).run();
    } catch (const ParseError& error) {
        return error.diagnostic;
    }
}

}  // namespace tideline::model
