// Types, declarations and initial values; typedef and mtype.
#include "input/promela/parser_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tideline::input::promela {
namespace {

constexpr std::int64_t kMaxLength = 1'000'000;

}  // namespace

bool Parser::is_type_word(std::string_view word) {
    return word == "bit" || word == "bool" || word == "byte" || word == "short" || word == "int" ||
           word == "unsigned" || word == "pid" || word == "mtype" || word == "chan";
}

bool Parser::at_declaration() const {
    const Token& token = peek();
    if (token.kind != TokenKind::name) return false;
    if (token.text == "hidden" || token.text == "show" || token.text == "local") return true;
    if (is_type_word(token.text)) return true;
    return structures_.count(token.text) != 0 && peek(1).kind == TokenKind::name && !is(":", 1);
}

Type Parser::type() {
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
                result.set = take().text;
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

std::int64_t Parser::constant(std::string_view what) {
    const Token first = peek();
    const ExprPtr expr = level(6, false);
    const std::optional<std::int64_t> value = constant_value(*expr);
    if (!value) fail(first, std::string(what) + " must be a constant");
    return *value;
}

std::uint32_t Parser::array_length() {
    const Token first = peek();
    const std::int64_t length = constant("the length of an array");
    expect("]");
    if (length < 1 || length > kMaxLength)
        fail(first, "an array of length " + std::to_string(length), "a length is 1 to " + std::to_string(kMaxLength));
    return static_cast<std::uint32_t>(length);
}

void Parser::flatten(const Type& type, std::vector<Type>& out) {
    if (type.base != Base::structure) {
        out.push_back(type);
        return;
    }
    for (const Declaration& field : program_.structures[type.structure].fields)
        for (std::uint32_t i = 0; i < field.length.value_or(1); ++i) flatten(field.type, out);
}

ChannelType Parser::channel_type() {
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
Declaration Parser::declarator(const Type& type) {
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
        result.type = {Base::unsigned_bits, static_cast<std::uint32_t>(n), 0, {}};
    }
    if (accept("[")) result.length = array_length();
    // SPIN stores the elements of an array in whole bytes and does not truncate them to a bit.
    if (result.length && is_bit(result.type)) result.type.base = Base::byte;
    return result;
}

bool Parser::is_bit(const Type& type) { return type.base == Base::bit || type.base == Base::boolean; }

void Parser::initialiser(Declaration& declaration) {
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

Symbol* Parser::find(const std::string& text) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (const auto found = scope->find(text); found != scope->end()) return &found->second;
    return nullptr;
}

std::uint32_t Parser::declare(Declaration declaration) {
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
        fail(declaration.place, "duplicate name " + support::in_quotes(declaration.name), "it is a name of an mtype");
    scopes_.back()[declaration.name] = {global, index, here};
    declaration.unique = declaration.name;
    int copy = 1;
    while (std::any_of(list.begin(), list.end(), [&](const Declaration& d) { return d.unique == declaration.unique; }))
        declaration.unique = declaration.name + "_" + std::to_string(++copy);
    list.push_back(std::move(declaration));
    return index;
}

void Parser::message_types() {
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
void Parser::declarations(Sequence* statements) {
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
void Parser::check_initialiser(Declaration& declaration) {
    if (declaration.type.base != Base::structure || declaration.initial.empty()) return;
    warn(declaration.place, "the initial value of a structure has no effect", "assign its fields");
    declaration.initial.clear();
}

void Parser::warn(Place place, std::string message, std::string hint) {
    if (warnings_.size() < 20)
        warnings_.push_back(support::diagnostic_at(program_.files[place.file], place.span, std::move(message),
                                                   std::move(hint), support::Severity::warning));
}

void Parser::structure() {
    Structure result;
    result.place = peek().place;
    result.name = name("the name of a type");
    if (structures_.count(result.name) != 0) fail(result.place, "duplicate type " + support::in_quotes(result.name));
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
                if (other.name == field.name) fail(field.place, "duplicate field " + support::in_quotes(field.name));
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

}  // namespace tideline::input::promela
