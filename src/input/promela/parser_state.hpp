// The parser's state and functions, which are defined by what they read: parser.cpp (tokens and messages),
// parse_declarations.cpp, parse_units.cpp, parse_statements.cpp, parse_messages.cpp, parse_loops.cpp (loops and
// inlines), parse_expressions.cpp, resolve.cpp (what is known only at the end).
//
// A recursive-descent parser with precedence climbing for expressions. It stops at the first error. Inlines are
// expanded as SPIN does it: the tokens of the body are parsed again in the place of the call, with the arguments'
// tokens in the place of the parameters.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "input/promela/parser.hpp"

namespace tideline::input::promela {

inline constexpr int kMaxNesting = 400;

struct SyntaxError {
    support::Diagnostic diagnostic;
};

// Words of the language, which are no names.
[[nodiscard]] bool is_keyword(std::string_view word);

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
    Parser(Preprocessed& input, const support::Budget& budget);
    support::Result<Program> run();

private:
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

    // tokens
    const Token& peek(std::size_t ahead = 0) const;
    bool at_end() const;
    const Token& take();
    bool is(std::string_view text, std::size_t ahead = 0) const;
    bool accept(std::string_view text);
    std::string found() const;
    void expect(std::string_view text, std::string_view where = {});
    [[noreturn]] void fail(Place place, std::int32_t macro, std::string message, std::string hint = {});
    [[noreturn]] void fail(const Token& token, std::string message, std::string hint = {});
    [[noreturn]] void fail(Place place, std::string message, std::string hint = {});
    static Place join(Place a, Place b);
    Place since(Place begin) const;
    void refuse_embedded_c();
    std::string name(std::string_view what);

    // declarations
    static bool is_type_word(std::string_view word);
    bool at_declaration() const;
    Type type();
    std::int64_t constant(std::string_view what);
    std::uint32_t array_length();
    void flatten(const Type& type, std::vector<Type>& out);
    ChannelType channel_type();
    Declaration declarator(const Type& type);
    static bool is_bit(const Type& type);
    void initialiser(Declaration& declaration);
    Symbol* find(const std::string& text);
    std::uint32_t declare(Declaration declaration);
    void message_types();
    void declarations(Sequence* statements);
    void check_initialiser(Declaration& declaration);
    void warn(Place place, std::string message, std::string hint = {});
    void structure();

    // units
    void unit();
    void inline_definition();
    void ltl_block();
    void parse_formulas();
    void proctype();
    void process(Process::Kind kind);
    void begin_process(Process::Kind kind);
    void process_rest();

    // statements
    StatementPtr make(Statement::Kind kind, Place place);
    ExprPtr make_expr(Expr::Kind kind, Place place);
    ExprPtr number(std::int64_t value, Place place);
    bool at_sequence_end() const;
    Sequence sequence(std::string_view closing, const Token& open);
    bool may_join() const;
    void step(Sequence& out);
    [[nodiscard]] bool is_in_trace() const {
        return process_ != nullptr &&
               (process_->kind == Process::Kind::trace || process_->kind == Process::Kind::notrace);
    }
    void give_place_to_jump(Sequence& sequence, std::size_t at);
    static bool is_jump(const Statement& statement);
    static bool has_meaning(std::string_view label);
    void drop_repeated_skips(Sequence& option) const;
    static bool is_skip(const Statement& statement);
    static void attach(Statement& statement, const std::vector<std::string>& labels, const std::vector<Place>& places);
    void statement(Sequence& out);
    bool starts_reference();
    void reference_statement(Sequence& out);
    void check_assignable(const Reference& target, const Expr& value);
    void must_be_channel(const Reference& channel);
    StatementPtr message(std::unique_ptr<Reference> target, Place place);
    std::optional<std::size_t> fields_of(const Reference& channel);
    void check_fields(std::optional<std::size_t> fields, std::size_t found_fields, const Token& sign,
                      bool sent = false);
    void complete(std::vector<Pattern>& patterns, std::optional<std::size_t> fields, const Token& sign);
    void send_arguments(std::vector<ExprPtr>& values);
    void add_value(std::vector<ExprPtr>& values, ExprPtr value);
    void take_apart(const Reference& whole, std::vector<std::unique_ptr<Reference>>& leaves);
    void patterns(std::vector<Pattern>& out);
    void pattern(std::vector<Pattern>& out);
    void selection(Sequence& out);
    void block(Sequence& out);
    StatementPtr assignment(const Reference& target, ExprPtr value, Place place);
    ExprPtr read(const Reference& target);
    ExprPtr binary(Op op, ExprPtr left, ExprPtr right);
    StatementPtr condition(ExprPtr value);
    void for_loop(Sequence& out);
    void for_messages(Sequence& out, const Reference& message, const Reference& channel, Place place);
    void finish_loop(Sequence& out, StatementPtr loop, Sequence body, const Reference& counter, Place place);
    void select(Sequence& out);
    void print(Sequence& out);
    void rename_labels(std::vector<Token>& body);
    void expand_inline(Sequence& out, const std::vector<Token>& receiver = {});

    // expressions
    ExprPtr expression();
    ExprPtr level(int weakest, bool temporal);
    ExprPtr unary(bool temporal);
    ExprPtr primary(bool temporal);
    ExprPtr number_literal();
    ExprPtr character_literal();
    ExprPtr parenthesised(bool temporal);
    ExprPtr predefined();
    ExprPtr named_value();
    bool may_be_remote();
    bool is_proctype(const std::string& text) const;
    ExprPtr remote();
    ExprPtr run_expression();
    std::unique_ptr<Reference> reference();
    [[noreturn]] void unknown_name(const Token& token);

    // what can only be resolved at the end
    void resolve_later();
    void give_place(Sequence& sequence, const std::string& label);
    static void collect_labels(const Sequence& sequence, std::set<std::string>& out);
    void check_labels();
    void check_jumps(const Sequence& sequence, const std::set<std::string>& labels, std::set<std::string>& seen,
                     int loops, const Process& process);

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
    std::map<std::string, int> inline_labels_;  // of the current process: how often it has been expanded
    std::vector<std::unique_ptr<std::vector<Token>>> bodies_;
    std::vector<PendingFormula> formulas_;
    std::vector<Later> later_;
    Process* process_ = nullptr;
    support::Diagnostics warnings_;
};

}  // namespace tideline::input::promela
