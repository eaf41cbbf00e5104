// A recursive-descent parser with precedence climbing for expressions. It stops at the first error. Inlines are
// expanded as SPIN does it: the tokens of the body are parsed again in the place of the call, with the arguments'
// tokens in the place of the parameters.
#include "input/promela/parser.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace tideline::input::promela {
namespace {

constexpr int kMaxNesting = 400;
constexpr int kMaxInlines = 60;
constexpr std::int64_t kMaxLength = 1'000'000;
constexpr std::size_t kMaxTokens = 20'000'000;  // after inlines

struct SyntaxError {
    support::Diagnostic diagnostic;
};

const std::set<std::string, std::less<>> kKeywords{
    "active",       "assert", "atomic",   "bit",     "bool",         "break",      "byte",     "c_code",
    "c_decl",       "c_expr", "c_state",  "c_track", "chan",         "D_proctype", "d_step",   "do",
    "else",         "empty",  "enabled",  "eval",    "false",        "fi",         "for",      "full",
    "get_priority", "goto",   "hidden",   "if",      "init",         "inline",     "int",      "len",
    "local",        "ltl",    "mtype",    "nempty",  "never",        "nfull",      "notrace",  "np_",
    "od",           "of",     "pc_value", "pid",     "printf",       "printm",     "priority", "proctype",
    "provided",     "return", "run",      "select",  "set_priority", "short",      "show",     "skip",
    "timeout",      "trace",  "true",     "typedef", "unless",       "unsigned",   "xr",       "xs"};

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

struct Inline {
    std::string name;
    std::vector<std::string> parameters;
    std::vector<Token> body;
    Place place;
};

struct Symbol {
    bool global = true;
    std::uint32_t declaration = 0;
    int from_inline = -1;
};

class Parser {
public:
    Parser(Preprocessed& input, const support::Budget& budget) : input_(input), poll_(budget, 256) {
        program_.files = input.files;
        program_.include_spans = input.include_spans;
        program_.preprocessed = input.text;
        tokens_ = &input.tokens;
        scopes_.emplace_back();
    }

    support::Result<Program> run() {
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

private:
    // --- tokens ---
    const Token& peek(std::size_t ahead = 0) const {
        const std::size_t i = std::min(at_ + ahead, tokens_->size() - 1);
        return (*tokens_)[i];
    }
    bool at_end() const { return peek().kind == TokenKind::end; }
    const Token& take() {
        const Token& token = peek();
        last_ = &token;
        if (token.kind != TokenKind::end) ++at_;
        if (++taken_ > kMaxTokens) fail(token, "the model is too large after its inlines were expanded");
        if (poll_.is_exhausted())
            throw SyntaxError{
                support::diagnostic_of_stop(program_.files[0].path(), poll_.reason(), "the model was parsed")};
        return token;
    }
    bool is(std::string_view text, std::size_t ahead = 0) const {
        const Token& token = peek(ahead);
        return (token.kind == TokenKind::punctuation || token.kind == TokenKind::name) && token.text == text;
    }
    bool accept(std::string_view text) {
        if (!is(text)) return false;
        take();
        return true;
    }
    std::string found() const {
        const Token& token = peek();
        if (token.kind == TokenKind::end) return "the end of the file";
        if (token.kind == TokenKind::text) return "a string";
        return support::in_quotes(token.text);
    }
    void expect(std::string_view text, std::string_view where = {}) {
        if (accept(text)) return;
        std::string message = "expected " + support::in_quotes(text);
        if (!where.empty()) message += " " + std::string(where);
        fail(peek(), message + ", found " + found());
    }

    [[noreturn]] void fail(Place place, std::int32_t macro, std::string message, std::string hint = {}) {
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
    [[noreturn]] void fail(const Token& token, std::string message, std::string hint = {}) {
        fail(token.place, token.macro, std::move(message), std::move(hint));
    }
    [[noreturn]] void fail(Place place, std::string message, std::string hint = {}) {
        fail(place, -1, std::move(message), std::move(hint));
    }

    static Place join(Place a, Place b) {
        if (a.file != b.file || b.span.end < a.span.begin) return a;
        return {a.file, {std::min(a.span.begin, b.span.begin), std::max(a.span.end, b.span.end)}};
    }
    Place since(Place begin) const { return last_ != nullptr && inlines_.empty() ? join(begin, last_->place) : begin; }

    void refuse_embedded_c() {
        for (const std::string_view word : {"c_code", "c_decl", "c_expr", "c_state", "c_track"})
            if (is(word))
                fail(peek(), "embedded C (" + std::string(word) + ") is not executed",
                     "model what it computes in Promela, or write the system in C++ (docs/cpp-systems.md)");
    }

    std::string name(std::string_view what) {
        const Token& token = peek();
        if (token.kind != TokenKind::name || kKeywords.count(token.text) != 0) {
            std::string hint;
            if (token.kind == TokenKind::name) hint = support::in_quotes(token.text) + " is a word of the language";
            fail(token, "expected " + std::string(what) + ", found " + found(), hint);
        }
        return take().text;
    }

    // --- declarations ---
    static bool is_type_word(std::string_view word) {
        return word == "bit" || word == "bool" || word == "byte" || word == "short" || word == "int" ||
               word == "unsigned" || word == "pid" || word == "mtype" || word == "chan";
    }
    bool at_declaration() const {
        const Token& token = peek();
        if (token.kind != TokenKind::name) return false;
        if (token.text == "hidden" || token.text == "show" || token.text == "local") return true;
        if (is_type_word(token.text)) return true;
        return structures_.count(token.text) != 0 && peek(1).kind == TokenKind::name && !is(":", 1);
    }

    Type type() {
        const Token& token = peek();
        Type result;
        if (token.kind == TokenKind::name) {
            static const std::map<std::string, Base, std::less<>> kTypes{
                {"bit", Base::bit},         {"bool", Base::boolean}, {"byte", Base::byte},
                {"short", Base::short_int}, {"int", Base::integer},  {"pid", Base::pid},
                {"mtype", Base::mtype},     {"chan", Base::chan},    {"unsigned", Base::unsigned_bits}};
            if (const auto found = kTypes.find(token.text); found != kTypes.end()) {
                result.base = found->second;
                take();
                if (result.base == Base::mtype && is(":") && peek(1).kind == TokenKind::name && !is("::")) {
                    take();
                    take();
                }
                return result;
            }
            if (const auto found = structures_.find(token.text); found != structures_.end()) {
                result.base = Base::structure;
                result.structure = found->second;
                take();
                return result;
            }
            std::vector<std::string> known{"bit", "bool", "byte", "short", "int", "unsigned", "pid", "mtype", "chan"};
            for (const auto& [known_name, index] : structures_) known.push_back(known_name);
            fail(token, "unknown type " + support::in_quotes(token.text), support::suggestion(token.text, known));
        }
        fail(token, "expected a type, found " + found());
    }

    std::int64_t constant(std::string_view what) {
        const Token first = peek();
        const ExprPtr expr = level(6, false);
        const std::optional<std::int64_t> value = constant_value(*expr);
        if (!value) fail(first, std::string(what) + " must be a constant");
        return *value;
    }

    std::uint32_t array_length() {
        const Token first = peek();
        const std::int64_t length = constant("the length of an array");
        expect("]");
        if (length < 1 || length > kMaxLength)
            fail(first, "an array of length " + std::to_string(length),
                 "a length is 1 to " + std::to_string(kMaxLength));
        return static_cast<std::uint32_t>(length);
    }

    void flatten(const Type& type, std::vector<Type>& out) {
        if (type.base != Base::structure) {
            out.push_back(type);
            return;
        }
        for (const Declaration& field : program_.structures[type.structure].fields)
            for (std::uint32_t i = 0; i < field.length.value_or(1); ++i) flatten(field.type, out);
    }

    ChannelType channel_type() {
        ChannelType result;
        const Token first = peek();
        expect("[");
        result.capacity = constant("the capacity of a channel");
        if (result.capacity < 0 || result.capacity > 255)
            fail(first, "a channel of capacity " + std::to_string(result.capacity), "a capacity is 0 to 255");
        expect("]");
        expect("of");
        expect("{");
        do flatten(type(), result.fields);
        while (accept(","));
        expect("}", "after the types of the message's fields");
        // A message that is one bit is stored in a byte.
        if (result.fields.size() == 1 && is_bit(result.fields[0])) result.fields[0].base = Base::byte;
        return result;
    }

    // One declared name with its length and initial value.
    Declaration declarator(const Type& type) {
        Declaration result;
        result.type = type;
        result.place = peek().place;
        result.name = is("_") ? take().text : name("the name of a variable");
        if (type.base == Base::unsigned_bits) {
            expect(":", "and the number of bits of an unsigned variable");
            const Token bits = peek();
            const std::int64_t n = constant("a number of bits");
            if (n < 1 || n > 31)
                fail(bits, "an unsigned variable of " + std::to_string(n) + " bits", "1 to 31 are possible");
            result.type.bits = static_cast<std::uint32_t>(n);
        } else if (is(":") && peek(1).kind == TokenKind::number) {
            // byte x : 3 is read as unsigned
            take();
            const Token bits = peek();
            const std::int64_t n = constant("a number of bits");
            if (n < 1 || n > 31) fail(bits, "a variable of " + std::to_string(n) + " bits", "1 to 31 are possible");
            result.type = {Base::unsigned_bits, static_cast<std::uint32_t>(n), 0};
        }
        if (accept("[")) result.length = array_length();
        // SPIN stores the elements of an array in whole bytes and does not truncate them to a bit.
        if (result.length && is_bit(result.type)) result.type.base = Base::byte;
        return result;
    }
    static bool is_bit(const Type& type) { return type.base == Base::bit || type.base == Base::boolean; }

    void initialiser(Declaration& declaration) {
        if (!accept("=")) return;
        if (is("[") || is("[]")) {
            if (declaration.type.base != Base::chan)
                fail(peek(), "only a chan can be initialised with a channel",
                     "expected a value for " + support::in_quotes(declaration.name));
            declaration.channel = channel_type();
            return;
        }
        if (accept("{")) {
            if (!declaration.length) fail(*last_, support::in_quotes(declaration.name) + " is not an array");
            do declaration.initial.push_back(expression());
            while (accept(","));
            expect("}", "after the initial values");
            if (declaration.initial.size() > *declaration.length)
                fail(declaration.place,
                     "more initial values than " + support::in_quotes(declaration.name) + " has elements");
            return;
        }
        declaration.initial.push_back(expression());
    }

    Symbol* find(const std::string& text) {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
            if (const auto found = scope->find(text); found != scope->end()) return &found->second;
        return nullptr;
    }

    std::uint32_t declare(Declaration declaration) {
        const bool global = process_ == nullptr;
        std::vector<Declaration>& list = global ? program_.globals : process_->locals;
        const auto index = static_cast<std::uint32_t>(list.size());
        const int here = inlines_.empty() ? -1 : inlines_.back().number;
        if (const auto found = scopes_.back().find(declaration.name); found != scopes_.back().end()) {
            const bool again = here >= 0 || found->second.from_inline >= 0;
            if (!again) {
                const std::vector<Declaration>& where = found->second.global ? program_.globals : process_->locals;
                const Place earlier = where[found->second.declaration].place;
                fail(declaration.place, "duplicate name " + support::in_quotes(declaration.name),
                     "already declared in line " +
                         std::to_string(program_.files[earlier.file].line_number(earlier.span.begin)));
            }
        }
        if (constants_.count(declaration.name) != 0)
            fail(declaration.place, "duplicate name " + support::in_quotes(declaration.name),
                 "it is a name of an mtype");
        scopes_.back()[declaration.name] = {global, index, here};
        declaration.unique = declaration.name;
        int copy = 1;
        while (
            std::any_of(list.begin(), list.end(), [&](const Declaration& d) { return d.unique == declaration.unique; }))
            declaration.unique = declaration.name + "_" + std::to_string(++copy);
        list.push_back(std::move(declaration));
        return index;
    }

    void message_types() {
        std::string set;
        if (accept(":")) set = name("the name of a set of message types");
        accept("=");
        expect("{");
        std::vector<std::pair<std::string, Token>> names;
        do {
            const Token token = peek();
            names.emplace_back(name("the name of a message type"), token);
        } while (accept(",") || (peek().kind == TokenKind::name && !is("}")));
        expect("}", "after the names of an mtype");
        std::int64_t& count = set_sizes_[set];
        const auto size = static_cast<std::int64_t>(names.size());
        for (std::int64_t i = 0; i < size; ++i) {
            const auto& [text, token] = names[static_cast<std::size_t>(i)];
            if (constants_.count(text) != 0 || find(text) != nullptr)
                fail(token, "duplicate name " + support::in_quotes(text));
            constants_[text] = count + size - i;
            program_.message_types.push_back({text, count + size - i, set});
        }
        count += size;
        if (count > 255) fail(names.back().second, "an mtype has at most 255 names");
    }

    // Statements that set the variables where these are declared in a block.
    void declarations(Sequence* statements) {
        bool hidden = false;
        for (;;) {
            if (accept("hidden")) hidden = true;
            else if (!accept("show") && !accept("local")) break;
        }
        if (is("mtype") && (is("=", 1) || is("{", 1) || (is(":", 1) && (is("=", 3) || is("{", 3))))) {
            take();
            message_types();
            return;
        }
        const Type declared = type();
        do {
            Declaration declaration = declarator(declared);
            declaration.hidden = hidden;
            initialiser(declaration);
            check_initialiser(declaration);
            const bool here = statements != nullptr && (block_depth_ > 1 || !statements->empty());
            declaration.at_statement = here && !declaration.channel;
            std::vector<ExprPtr> initial;
            const bool with_statement = declaration.at_statement;
            if (with_statement) initial.swap(declaration.initial);
            const Place place = declaration.place;
            const std::optional<std::uint32_t> length = declaration.length;
            const Type made = declaration.type;
            const std::uint32_t index = declare(std::move(declaration));
            if (!with_statement) continue;
            if (made.base == Base::structure) {
                StatementPtr step = make(Statement::Kind::expression, place);
                step->value = number(1, place);
                statements->push_back(std::move(step));
                continue;
            }
            // Of an array SPIN sets the first element.
            StatementPtr statement = make(Statement::Kind::assign, place);
            statement->target = std::make_unique<Reference>();
            statement->target->global = false;
            statement->target->declaration = index;
            statement->target->type = made;
            statement->target->place = place;
            statement->target->index.push_back(length ? number(0, place) : nullptr);
            statement->value = initial.empty() ? number(0, place) : std::move(initial[0]);
            statements->push_back(std::move(statement));
        } while (accept(","));
    }

    // SPIN ignores the initial value of a structure.
    void check_initialiser(Declaration& declaration) {
        if (declaration.type.base != Base::structure || declaration.initial.empty()) return;
        warn(declaration.place, "the initial value of a structure has no effect", "assign its fields");
        declaration.initial.clear();
    }

    void warn(Place place, std::string message, std::string hint = {}) {
        if (warnings_.size() < 20)
            warnings_.push_back(support::diagnostic_at(program_.files[place.file], place.span, std::move(message),
                                                       std::move(hint), support::Severity::warning));
    }

    void structure() {
        Structure result;
        result.place = peek().place;
        result.name = name("the name of a type");
        if (structures_.count(result.name) != 0)
            fail(result.place, "duplicate type " + support::in_quotes(result.name));
        expect("{");
        while (!is("}")) {
            if (at_end()) fail(peek(), "this typedef is not closed: expected '}'");
            while (accept("hidden") || accept("show") || accept("local")) {
            }
            const Type declared = type();
            do {
                Declaration field = declarator(declared);
                initialiser(field);
                check_initialiser(field);
                for (const Declaration& other : result.fields)
                    if (other.name == field.name)
                        fail(field.place, "duplicate field " + support::in_quotes(field.name));
                field.unique = field.name;
                result.fields.push_back(std::move(field));
            } while (accept(","));
            if (!is("}") && !accept(";")) expect(";", "after a field");
            while (accept(";")) {
            }
        }
        expect("}");
        structures_[result.name] = static_cast<std::uint32_t>(program_.structures.size());
        program_.structures.push_back(std::move(result));
    }

    // --- units ---
    void unit() {
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

    void inline_definition() {
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

    void ltl_block() {
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

    void parse_formulas() {
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

    void proctype() {
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

    void process(Process::Kind kind) {
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

    void begin_process(Process::Kind kind) {
        program_.processes.emplace_back();
        process_ = &program_.processes.back();
        process_->kind = kind;
        scopes_.emplace_back();
        block_depth_ = 0;
    }

    void process_rest() {
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

    // --- statements ---
    StatementPtr make(Statement::Kind kind, Place place) {
        auto result = std::make_unique<Statement>();
        result->kind = kind;
        result->place = place;
        result->number = process_->statements++;
        return result;
    }
    ExprPtr make_expr(Expr::Kind kind, Place place) {
        auto result = std::make_unique<Expr>();
        result->kind = kind;
        result->place = place;
        return result;
    }
    ExprPtr number(std::int64_t value, Place place) {
        ExprPtr result = make_expr(Expr::Kind::number, place);
        result->number = value;
        return result;
    }

    bool at_sequence_end() const { return at_end() || is("}") || is("fi") || is("od") || is("::"); }

    Sequence sequence(std::string_view closing, const Token& open) {
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
    bool may_join() const {
        if (last_ == nullptr) return false;
        if (last_->text == "}" || last_->text == "fi" || last_->text == "od") return true;
        const Place a = last_->place;
        const Place b = peek().place;
        if (a.file != b.file) return true;
        const support::SourceText& file = program_.files[a.file];
        return file.line_number(a.span.begin) != file.line_number(b.span.begin);
    }

    void step(Sequence& out) {
        std::vector<std::string> labels;
        std::vector<Place> places;
        while (peek().kind == TokenKind::name && is(":", 1) && kKeywords.count(peek().text) == 0) {
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
    void give_place_to_jump(Sequence& sequence, std::size_t at) {
        Statement& jump = *sequence[at];
        if (!is_jump(jump) || std::none_of(jump.labels.begin(), jump.labels.end(), has_meaning)) return;
        StatementPtr skip = make(Statement::Kind::expression, jump.place);
        skip->value = number(1, jump.place);
        attach(*skip, {jump.labels.front()}, {jump.label_places.front()});
        jump.labels.erase(jump.labels.begin());
        jump.label_places.erase(jump.label_places.begin());
        sequence.insert(sequence.begin() + static_cast<std::ptrdiff_t>(at), std::move(skip));
    }
    static bool is_jump(const Statement& statement) {
        return statement.kind == Statement::Kind::jump || statement.kind == Statement::Kind::leave;
    }
    static bool has_meaning(std::string_view label) {
        return label.substr(0, 6) == "accept" || label.substr(0, 3) == "end" || label.substr(0, 8) == "progress";
    }

    // In an option SPIN drops a skip behind another one or behind a printf, unless it has a label or is the last.
    void drop_repeated_skips(Sequence& option) const {
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
    static bool is_skip(const Statement& statement) {
        return statement.kind == Statement::Kind::expression && statement.value->kind == Expr::Kind::number &&
               statement.value->number == 1;
    }

    static void attach(Statement& statement, const std::vector<std::string>& labels, const std::vector<Place>& places) {
        statement.labels.insert(statement.labels.end(), labels.begin(), labels.end());
        statement.label_places.insert(statement.label_places.end(), places.begin(), places.end());
    }

    struct Nesting {
        explicit Nesting(Parser& parser) : parser_(parser) {
            if (++parser_.nesting_ > kMaxNesting)
                parser_.fail(parser_.peek(),
                             "this is nested too deeply (more than " + std::to_string(kMaxNesting) + " levels)");
        }
        ~Nesting() { --parser_.nesting_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        Parser& parser_;
    };

    void statement(Sequence& out) {
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
                fail(first, "inlines that return a value are not supported", "pass the variable as a parameter");
            } else if (inline_names_.count(word) != 0 && is("(", 1)) {
                return expand_inline(out);
            } else if (kKeywords.count(word) == 0) {
                if (starts_reference()) return reference_statement(out);
            }
        }
        if (is("{")) return block(out);
        StatementPtr result = make(Statement::Kind::expression, place);
        result->value = expression();
        result->place = since(place);
        out.push_back(std::move(result));
    }

    bool starts_reference() {
        const std::string& text = peek().text;
        if (text == "_") return true;
        if (constants_.count(text) != 0) return false;
        return find(text) != nullptr;
    }

    void reference_statement(Sequence& out) {
        const Place place = peek().place;
        const std::size_t begin = at_;
        std::unique_ptr<Reference> target = reference();
        if (is("=")) {
            take();
            StatementPtr result = make(Statement::Kind::assign, place);
            result->target = std::move(target);
            if (peek().kind == TokenKind::name && inline_names_.count(peek().text) != 0 && is("(", 1))
                fail(peek(), "inlines that return a value are not supported", "pass the variable as a parameter");
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

    void check_assignable(const Reference& target, const Expr& value) {
        if (target.scratch) return;
        if (target.type.base == Base::structure)
            fail(target.place, "a structure cannot be assigned as a whole", "assign its fields");
        if (target.length) fail(target.place, "an array cannot be assigned as a whole", "assign its elements");
        (void)value;
    }

    void must_be_channel(const Reference& channel) {
        if (channel.scratch || channel.type.base != Base::chan || channel.length)
            fail(channel.place,
                 channel.length ? "this is an array of channels: an index is missing" : "this is not a channel");
    }

    StatementPtr message(std::unique_ptr<Reference> target, Place place) {
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
    std::optional<std::size_t> fields_of(const Reference& channel) {
        if (!channel.fields.empty()) return std::nullopt;
        const std::vector<Declaration>& list = channel.global ? program_.globals : process_->locals;
        const Declaration& declaration = list[channel.declaration];
        if (!declaration.channel) return std::nullopt;
        return declaration.channel->fields.size();
    }

    void check_fields(std::optional<std::size_t> fields, std::size_t found_fields, const Token& sign,
                      bool sent = false) {
        if (!fields || *fields == found_fields) return;
        const std::string message = "this message has " + std::to_string(found_fields) +
                                    (found_fields == 1 ? " field" : " fields") + ", the channel has " +
                                    std::to_string(*fields);
        if (sent || found_fields > *fields) fail(sign, message);
        warn(sign.place, message, "the missing fields are ignored");
    }

    void complete(std::vector<Pattern>& patterns, std::optional<std::size_t> fields, const Token& sign) {
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

    void send_arguments(std::vector<ExprPtr>& values) {
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
    void add_value(std::vector<ExprPtr>& values, ExprPtr value) {
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

    void take_apart(const Reference& whole, std::vector<std::unique_ptr<Reference>>& leaves) {
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

    void patterns(std::vector<Pattern>& out) {
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

    void pattern(std::vector<Pattern>& out) {
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
        if (token.kind == TokenKind::number || token.kind == TokenKind::character || is("-") || is("true") ||
            is("false") || is("skip") ||
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
        if (token.kind != TokenKind::name || kKeywords.count(token.text) != 0)
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

    void selection(Sequence& out) {
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

    void block(Sequence& out) {
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

    StatementPtr assignment(const Reference& target, ExprPtr value, Place place) {
        StatementPtr result = make(Statement::Kind::assign, place);
        result->target = clone(target);
        result->value = std::move(value);
        return result;
    }
    ExprPtr read(const Reference& target) {
        ExprPtr result = make_expr(Expr::Kind::reference, target.place);
        result->reference = clone(target);
        return result;
    }
    ExprPtr binary(Op op, ExprPtr left, ExprPtr right) {
        ExprPtr result = make_expr(Expr::Kind::binary, left->place);
        result->op = op;
        result->operands.push_back(std::move(left));
        result->operands.push_back(std::move(right));
        return result;
    }
    StatementPtr condition(ExprPtr value) {
        const Place place = value->place;
        StatementPtr result = make(Statement::Kind::expression, place);
        result->value = std::move(value);
        return result;
    }

    // for (i : a .. b) { ... }  is  i = a; do :: i <= b -> ...; i++ :: else -> break od
    void for_loop(Sequence& out) {
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
        const Token brace = peek();
        expect("{", "before the body of a loop");
        scopes_.emplace_back();
        Sequence inner = sequence("}", brace);
        scopes_.pop_back();
        expect("}");
        for (StatementPtr& s : inner) body.push_back(std::move(s));
        body.push_back(assignment(*counter, binary(Op::add, read(*counter), number(1, place)), place));
        loop->options.push_back(std::move(body));
        Sequence otherwise;
        otherwise.push_back(make(Statement::Kind::otherwise, place));
        otherwise.push_back(make(Statement::Kind::leave, place));
        loop->options.push_back(std::move(otherwise));
        out.push_back(std::move(loop));
    }

    // for (m in c) { ... }: every message is received and sent again.
    void for_messages(Sequence& out, const Reference& message, const Reference& channel, Place place) {
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
        const Token brace = peek();
        expect("{", "before the body of a loop");
        scopes_.emplace_back();
        Sequence inner = sequence("}", brace);
        scopes_.pop_back();
        expect("}");
        for (StatementPtr& s : inner) body.push_back(std::move(s));
        body.push_back(assignment(count, binary(Op::add, read(count), number(1, place)), place));
        loop->options.push_back(std::move(body));
        Sequence otherwise;
        otherwise.push_back(make(Statement::Kind::otherwise, place));
        otherwise.push_back(make(Statement::Kind::leave, place));
        loop->options.push_back(std::move(otherwise));
        out.push_back(std::move(loop));
    }

    // select (i : a .. b): a choice of assignments where the bounds are constants, otherwise a loop that counts up.
    void select(Sequence& out) {
        const Place place = peek().place;
        take();
        expect("(");
        const std::unique_ptr<Reference> target = reference();
        expect(":");
        ExprPtr first = expression();
        expect("..");
        ExprPtr last = expression();
        expect(")");
        const std::optional<std::int64_t> low = constant_value(*first);
        const std::optional<std::int64_t> high = constant_value(*last);
        if (low && high) {
            if (*low > *high) fail(place, "select from an empty range");
            if (*high - *low > 1000) fail(place, "select from more than 1000 values", "count up in a loop");
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

    void print(Sequence& out) {
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

    void expand_inline(Sequence& out) {
        const Token call = take();
        const Inline& definition = inline_definitions_[inline_names_.at(call.text)];
        if (inlines_.size() >= kMaxInlines || std::count_if(inlines_.begin(), inlines_.end(), [&](const OpenInline& o) {
                                                  return o.name == call.text;
                                              }) > 0)
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
        for (const Token& token : definition.body) {
            const auto parameter = token.kind == TokenKind::name ? std::find(definition.parameters.begin(),
                                                                             definition.parameters.end(), token.text)
                                                                 : definition.parameters.end();
            if (parameter == definition.parameters.end() || (!body->empty() && body->back().text == ".")) {
                body->push_back(token);
                continue;
            }
            const auto& argument = arguments[static_cast<std::size_t>(parameter - definition.parameters.begin())];
            body->insert(body->end(), argument.begin(), argument.end());
        }
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

    // --- expressions ---
    ExprPtr expression() { return level(2, false); }

    ExprPtr level(int weakest, bool temporal) {
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

    ExprPtr unary(bool temporal) {
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

    ExprPtr primary(bool temporal) {
        const Token token = peek();
        const Place place = token.place;
        refuse_embedded_c();
        if (token.kind == TokenKind::number) {
            take();
            std::int64_t value = 0;
            bool good = true;
            const bool hex =
                token.text.size() > 2 && token.text[0] == '0' && (token.text[1] == 'x' || token.text[1] == 'X');
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
        if (token.kind == TokenKind::character) {
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
        if (accept("(")) {
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
        if (token.kind != TokenKind::name) fail(token, "expected an expression, found " + found());
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
            if (found_kind->second == Expr::Kind::length && channel->reference->length &&
                !channel->reference->scratch && channel->reference->type.base != Base::chan) {
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
        if (word == "eval") fail(token, "eval stands in received messages only");
        if (kKeywords.count(word) != 0)
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
        if (word == "_") fail(token, "the value of _ is not known: it is never stored");
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
    bool may_be_remote() {
        if (is("@", 1)) return true;
        if (is(":", 1))
            return peek(2).kind == TokenKind::name && find(peek().text) == nullptr && is_proctype(peek().text);
        std::size_t ahead = 2;
        int depth = 1;
        while (depth > 0 && peek(ahead).kind != TokenKind::end) {
            if (is("[", ahead)) ++depth;
            if (is("]", ahead)) --depth;
            ++ahead;
        }
        return is("@", ahead) || (is(":", ahead) && peek(ahead + 1).kind == TokenKind::name);
    }
    bool is_proctype(const std::string& text) const {
        return std::any_of(program_.processes.begin(), program_.processes.end(),
                           [&](const Process& p) { return p.name == text; });
    }

    ExprPtr remote() {
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

    ExprPtr run_expression() {
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
    std::unique_ptr<Reference> reference() {
        const Token token = peek();
        auto result = std::make_unique<Reference>();
        result->place = token.place;
        if (accept("_")) {
            result->scratch = true;
            return result;
        }
        if (token.kind != TokenKind::name || kKeywords.count(token.text) != 0)
            fail(token, "expected a variable, found " + found());
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

    [[noreturn]] void unknown_name(const Token& token) {
        std::vector<std::string> names;
        for (const auto& scope : scopes_)
            for (const auto& [known, symbol] : scope) names.push_back(known);
        for (const auto& [known, value] : constants_) names.push_back(known);
        for (const auto& [known, index] : inline_names_) names.push_back(known);
        for (const char* word :
             {"skip", "true", "false", "else", "timeout", "atomic", "assert", "printf", "break", "goto"})
            names.emplace_back(word);
        fail(token, "unknown name " + support::in_quotes(token.text), support::suggestion(token.text, names));
    }

    // --- what can only be resolved at the end ---
    void resolve_later() {
        inlines_.clear();
        for (const Later& later : later_) {
            Expr& expr = *later.expr;
            const auto found_process = std::find_if(program_.processes.begin(), program_.processes.end(),
                                                    [&](const Process& p) { return p.name == expr.name; });
            if (found_process == program_.processes.end()) {
                std::vector<std::string> names;
                for (const Process& p : program_.processes)
                    if (p.kind == Process::Kind::proctype) names.push_back(p.name);
                fail(later.token, "unknown proctype " + support::in_quotes(expr.name),
                     support::suggestion(expr.name, names));
            }
            expr.process = static_cast<std::uint32_t>(found_process - program_.processes.begin());
            if (expr.kind == Expr::Kind::run) {
                if (found_process->kind != Process::Kind::proctype)
                    fail(later.token, support::in_quotes(expr.name) + " is not a proctype");
                if (expr.operands.size() != found_process->parameters)
                    fail(later.token, expr.name + " has " + std::to_string(found_process->parameters) +
                                          " parameters, not " + std::to_string(expr.operands.size()));
            } else if (expr.kind == Expr::Kind::remote_value) {
                const auto found_local = std::find_if(found_process->locals.begin(), found_process->locals.end(),
                                                      [&](const Declaration& d) { return d.name == expr.label; });
                if (found_local == found_process->locals.end()) {
                    std::vector<std::string> names;
                    for (const Declaration& d : found_process->locals) names.push_back(d.name);
                    fail(later.token, expr.name + " has no variable " + support::in_quotes(expr.label),
                         support::suggestion(expr.label, names));
                }
                expr.reference->declaration = static_cast<std::uint32_t>(found_local - found_process->locals.begin());
                expr.reference->type = found_local->type;
                if (found_local->type.base == Base::structure)
                    fail(later.token, "a structure of another process is not supported");
                if (found_local->length && !expr.reference->index[0]) expr.reference->index[0] = number(0, expr.place);
                if (!found_local->length && expr.reference->index[0])
                    fail(later.token, support::in_quotes(expr.label) + " is not an array");
            } else {
                std::set<std::string> labels;
                collect_labels(found_process->body, labels);
                if (labels.count(expr.label) == 0)
                    fail(later.token, expr.name + " has no label " + support::in_quotes(expr.label),
                         support::suggestion(expr.label, {labels.begin(), labels.end()}));
                process_ = &*found_process;
                give_place(found_process->body, expr.label);
                process_ = nullptr;
            }
        }
    }

    // A goto is no location; where another process refers to its label, SPIN puts a skip before it.
    void give_place(Sequence& sequence, const std::string& label) {
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            Statement& statement = *sequence[i];
            for (Sequence& option : statement.options) give_place(option, label);
            if (!is_jump(statement) ||
                std::find(statement.labels.begin(), statement.labels.end(), label) == statement.labels.end())
                continue;
            StatementPtr skip = make(Statement::Kind::expression, statement.place);
            skip->value = number(1, statement.place);
            skip->labels.swap(statement.labels);
            skip->label_places.swap(statement.label_places);
            sequence.insert(sequence.begin() + static_cast<std::ptrdiff_t>(i), std::move(skip));
            ++i;
        }
    }

    static void collect_labels(const Sequence& sequence, std::set<std::string>& out) {
        for (const StatementPtr& statement : sequence) {
            out.insert(statement->labels.begin(), statement->labels.end());
            for (const Sequence& option : statement->options) collect_labels(option, out);
        }
    }

    void check_labels() {
        for (const Process& process : program_.processes) {
            std::set<std::string> labels;
            collect_labels(process.body, labels);
            std::set<std::string> seen;
            check_jumps(process.body, labels, seen, 0, process);
        }
    }

    void check_jumps(const Sequence& sequence, const std::set<std::string>& labels, std::set<std::string>& seen,
                     int loops, const Process& process) {
        for (const StatementPtr& statement : sequence) {
            for (std::size_t i = 0; i < statement->labels.size(); ++i)
                if (!seen.insert(statement->labels[i]).second)
                    fail(statement->label_places[i], "duplicate label " + support::in_quotes(statement->labels[i]));
            if (statement->kind == Statement::Kind::jump && labels.count(statement->text) == 0)
                fail(statement->place, process.name + " has no label " + support::in_quotes(statement->text),
                     support::suggestion(statement->text, {labels.begin(), labels.end()}));
            if (statement->kind == Statement::Kind::leave && loops == 0)
                fail(statement->place, "break outside of a loop");
            const int inner = loops + (statement->kind == Statement::Kind::repetition ? 1 : 0);
            for (const Sequence& option : statement->options) check_jumps(option, labels, seen, inner, process);
        }
    }

    struct PendingFormula {
        std::string name;
        std::vector<Token> tokens;
        Place place;
    };
    struct OpenInline {
        std::string name;
        Place call;
        int number = 0;
    };
    struct Later {
        Expr* expr;
        Token token;
    };

    Preprocessed& input_;
    support::BudgetPoll poll_;
    Program program_;
    const std::vector<Token>* tokens_ = nullptr;
    std::size_t at_ = 0;
    const Token* last_ = nullptr;
    std::size_t taken_ = 0;
    int nesting_ = 0;
    int block_depth_ = 0;
    int inline_count_ = 0;
    std::vector<std::map<std::string, Symbol>> scopes_;
    std::map<std::string, std::int64_t> constants_;
    std::map<std::string, std::int64_t> set_sizes_;
    std::map<std::string, std::uint32_t> structures_;
    std::map<std::string, std::size_t> inline_names_;
    std::vector<Inline> inline_definitions_;
    std::vector<OpenInline> inlines_;
    std::vector<std::unique_ptr<std::vector<Token>>> bodies_;
    std::vector<PendingFormula> formulas_;
    std::vector<Later> later_;
    Process* process_ = nullptr;
    support::Diagnostics warnings_;
};

}  // namespace

std::unique_ptr<Reference> clone(const Reference& reference) {
    auto result = std::make_unique<Reference>();
    result->global = reference.global;
    result->scratch = reference.scratch;
    result->declaration = reference.declaration;
    result->fields = reference.fields;
    result->type = reference.type;
    result->length = reference.length;
    result->place = reference.place;
    for (const ExprPtr& index : reference.index) result->index.push_back(index ? clone(*index) : nullptr);
    return result;
}

ExprPtr clone(const Expr& expr) {
    auto result = std::make_unique<Expr>();
    result->kind = expr.kind;
    result->number = expr.number;
    result->unary = expr.unary;
    result->op = expr.op;
    if (expr.reference) result->reference = clone(*expr.reference);
    for (const ExprPtr& operand : expr.operands) result->operands.push_back(clone(*operand));
    for (const Pattern& pattern : expr.patterns) {
        Pattern copy;
        copy.kind = pattern.kind;
        if (pattern.target) copy.target = clone(*pattern.target);
        if (pattern.value) copy.value = clone(*pattern.value);
        result->patterns.push_back(std::move(copy));
    }
    result->anywhere = expr.anywhere;
    result->name = expr.name;
    result->label = expr.label;
    result->process = expr.process;
    result->priority = expr.priority;
    result->place = expr.place;
    return result;
}

std::optional<std::int64_t> constant_value(const Expr& expr) {
    const auto operand = [&](std::size_t i) { return constant_value(*expr.operands[i]); };
    switch (expr.kind) {
        case Expr::Kind::number: return expr.number;
        case Expr::Kind::unary: {
            const std::optional<std::int64_t> a = operand(0);
            if (!a) return std::nullopt;
            switch (expr.unary) {
                case Unary::negate: return wrapped(-*a);
                case Unary::complement: return wrapped(~*a);
                case Unary::logical_not: return *a == 0 ? 1 : 0;
                default: return std::nullopt;
            }
        }
        case Expr::Kind::conditional: {
            const std::optional<std::int64_t> c = operand(0);
            if (!c) return std::nullopt;
            return operand(*c != 0 ? 1 : 2);
        }
        case Expr::Kind::binary: {
            const std::optional<std::int64_t> a = operand(0);
            const std::optional<std::int64_t> b = operand(1);
            if (!a || !b) return std::nullopt;
            switch (expr.op) {
                case Op::multiply: return wrapped(*a * *b);
                case Op::divide: return *b == 0 ? std::nullopt : std::optional(wrapped(*a / *b));
                case Op::modulo: return *b == 0 ? std::nullopt : std::optional(wrapped(*a % *b));
                case Op::add: return wrapped(*a + *b);
                case Op::subtract: return wrapped(*a - *b);
                case Op::shift_left: return *b < 0 || *b > 31 ? std::nullopt : std::optional(wrapped(*a << *b));
                case Op::shift_right: return *b < 0 || *b > 31 ? std::nullopt : std::optional(wrapped(*a >> *b));
                case Op::less: return *a < *b;
                case Op::less_equal: return *a <= *b;
                case Op::greater: return *a > *b;
                case Op::greater_equal: return *a >= *b;
                case Op::equal: return *a == *b;
                case Op::not_equal: return *a != *b;
                case Op::bit_and: return *a & *b;
                case Op::bit_xor: return *a ^ *b;
                case Op::bit_or: return *a | *b;
                case Op::logical_and: return *a != 0 && *b != 0;
                case Op::logical_or: return *a != 0 || *b != 0;
                default: return std::nullopt;
            }
        }
        default: return std::nullopt;
    }
}

support::Result<Program> parse(const support::SourceText& source, const PreprocessOptions& options,
                               const support::Budget& budget) {
    support::Result<Preprocessed> input = preprocess(source, options, budget);
    if (!input) return std::move(input).diagnostics();
    return Parser(*input, budget).run();
}

}  // namespace tideline::input::promela
