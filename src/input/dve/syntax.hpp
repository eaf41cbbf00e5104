// The syntax tree of a DVE file, exactly as written: names are not resolved, constants not folded.
// The parser makes it; translate() turns it into a Model; reference/ executes it directly.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/source.hpp"

namespace tideline::input::dve {

struct Name {
    std::string text;
    support::SourceSpan span;
};

enum class UnaryOp { negate, complement, logical_not };  // -  ~  not

enum class BinaryOp {
    imply,
    logical_and,
    logical_or,
    bit_and,
    bit_or,
    bit_xor,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    shift_left,
    shift_right,
    add,
    subtract,
    multiply,
    divide,
    modulo,
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct Expr {
    enum class Kind {
        number,    // number (true and false are 1 and 0)
        variable,  // [process->]name
        element,   // [process->]name[operands[0]]
        location,  // process.name: 1 if the process is in that location
        unary,     // unary operands[0]
        chain,     // operands[0] operators[0] operands[1] operators[1] ...: one precedence level, left to right
    };
    Kind kind = Kind::number;
    support::SourceSpan span;
    std::int64_t number = 0;
    Name process;  // text empty: not given
    Name name;
    UnaryOp unary = UnaryOp::negate;
    std::vector<BinaryOp> operators;
    std::vector<ExprPtr> operands;
    bool parenthesised = false;
};

enum class Type { byte, integer };

struct VariableDeclaration {
    bool constant = false;
    Type type = Type::byte;
    Name name;
    ExprPtr length;                // null: a scalar
    std::vector<ExprPtr> initial;  // at most one for a scalar
    bool braces = false;           // the initialiser was written { ... }
};

struct ChannelDeclaration {
    Name name;
    bool typed = false;  // channel {byte, int} c[N];
    std::vector<Type> fields;
    ExprPtr capacity;  // null or 0: rendezvous
};

struct Synchronisation {
    enum class Direction { send, receive };
    Direction direction = Direction::send;
    Name channel;
    std::vector<ExprPtr> values;  // send: expressions; receive: variables or elements
    bool braces = false;
    support::SourceSpan span;
};

struct Assignment {
    ExprPtr target;  // variable or element
    ExprPtr value;
    support::SourceSpan span;
};

struct Transition {
    Name from;
    Name to;
    ExprPtr guard;  // null: always enabled
    std::optional<Synchronisation> sync;
    std::vector<Assignment> effects;
    support::SourceSpan span;
};

struct Assertion {
    Name location;
    ExprPtr condition;
};

// `accept s, t;` and `accept buchi s, t;` are one set; `accept genbuchi (s, t), (u);` several.
struct Acceptance {
    bool generalised = false;
    std::vector<std::vector<Name>> sets;
};

struct Process {
    Name name;
    std::vector<VariableDeclaration> variables;
    std::vector<Name> locations;
    Name initial;
    std::vector<Name> committed;
    Acceptance acceptance;
    std::vector<Assertion> assertions;
    std::vector<Transition> transitions;
};

struct Program {
    support::SourceText source;
    std::vector<VariableDeclaration> variables;
    std::vector<ChannelDeclaration> channels;
    std::vector<Process> processes;
    bool synchronous = false;
    std::optional<Name> property;  // the process that is the property
    support::SourceSpan system_span;
};

}  // namespace tideline::input::dve
