// The syntax tree of Promela, after preprocessing and with inlines expanded. Names are resolved while parsing: a
// variable is a place in a list of declarations, a constant is its number. docs/promela.md describes the meaning.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/source.hpp"

namespace tideline::input::promela {

// Where something is written: in one of the files of the program (0: the model's own). What comes from a macro is at
// the place where the macro is used.
struct Place {
    std::uint32_t file = 0;
    support::SourceSpan span;
};

enum class Base : std::uint8_t { bit, boolean, byte, short_int, integer, unsigned_bits, pid, mtype, chan, structure };

struct Type {
    Base base = Base::byte;
    std::uint32_t bits = 0;       // of unsigned_bits
    std::uint32_t structure = 0;  // of a structure: its place in Program::structures
    std::string set{};            // of mtype: the name of its set
};

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

struct ChannelType {
    std::int64_t capacity = 0;
    std::vector<Type> fields;  // structures are taken apart into their fields
};

// A variable, a parameter or a field of a structure.
struct Declaration {
    std::string name;
    std::string unique;  // a name that no other variable of the same process has
    Type type;
    std::optional<std::uint32_t> length;  // an array
    std::vector<ExprPtr> initial;         // one for all elements, or one per element
    std::optional<ChannelType> channel;   // chan x = [n] of {...}
    bool hidden = false;
    bool parameter = false;
    bool at_statement = false;  // set by a statement where it is declared, not when the process begins
    Place place;
};

// One step on the way to a scalar: an element, or a field.
struct Selector {
    ExprPtr index;            // of an array; null: none
    std::uint32_t field = 0;  // of the structure that follows, where there is another selector
};

// A variable, or a part of one: x, a[i], s.f, a[i].f[j].
struct Reference {
    bool global = true;
    bool scratch = false;           // _, which is never stored
    std::uint32_t declaration = 0;  // in Program::globals or Process::locals
    std::vector<ExprPtr> index;     // one for the variable and one for each field; null: no index
    std::vector<std::uint32_t> fields;
    Type type;                            // of what it names
    std::optional<std::uint32_t> length;  // an array as a whole
    Place place;
};

enum class Op : std::uint8_t {
    multiply,
    divide,
    modulo,
    add,
    subtract,
    shift_left,
    shift_right,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    bit_and,
    bit_xor,
    bit_or,
    logical_and,
    logical_or,
    // of ltl blocks only
    implies,
    equivalent,
    until,
    weak_until,
    release,
};

enum class Unary : std::uint8_t { negate, complement, logical_not, always, eventually, next };

// What stands in the place of a field of a received message.
struct Pattern {
    enum class Kind : std::uint8_t { store, match } kind = Kind::match;
    std::unique_ptr<Reference> target;  // store
    ExprPtr value;                      // match: a constant or eval(...)
};

struct Expr {
    enum class Kind : std::uint8_t {
        number,
        reference,
        unary,
        binary,
        conditional,  // operands: condition, then, otherwise
        run,          // operands: arguments; name: proctype
        length,       // of a channel: operands[0]
        full,
        empty,
        not_full,
        not_empty,
        poll,          // operands[0]: channel; patterns
        remote_label,  // name[operands[0]]@label; without an index: operands empty
        remote_value,  // name[operands[0]]:reference
        enabled,
        pc_value,
        get_priority,
        timeout,
        non_progress,
        process_count,  // _nr_pr
        last,           // _last
        self,           // _pid
    } kind = Kind::number;
    std::int64_t number = 0;
    Unary unary = Unary::negate;
    Op op = Op::add;
    std::unique_ptr<Reference> reference;
    std::vector<ExprPtr> operands;
    std::vector<Pattern> patterns;
    bool anywhere = false;  // ??[...]
    std::string name;
    std::string label;
    std::uint32_t process = 0;  // of run and remote references: its place in Program::processes
    std::optional<std::int64_t> priority;
    Place place;
};

struct Statement;
using StatementPtr = std::unique_ptr<Statement>;
using Sequence = std::vector<StatementPtr>;

struct Statement {
    enum class Kind : std::uint8_t {
        expression,  // blocks until it is not 0
        otherwise,   // else
        assign,      // target = value
        send,        // channel ! values
        receive,     // channel ? patterns
        selection,   // if
        repetition,  // do
        jump,        // goto
        leave,       // break
        block,       // { }, atomic { }, d_step { }
        unless,      // options[0] unless options[1]
        assertion,
        print,
        set_priority,
    } kind = Kind::expression;
    enum class Atomicity : std::uint8_t { none, atomic, d_step } atomicity = Atomicity::none;
    std::vector<std::string> labels;
    std::vector<Place> label_places;
    ExprPtr value;                      // condition, assigned value, asserted condition
    std::unique_ptr<Reference> target;  // of an assignment
    ExprPtr channel;                    // of send and receive
    std::vector<ExprPtr> values;        // sent; printed; of set_priority
    std::vector<Pattern> patterns;      // received
    bool sorted = false;                // !!
    bool anywhere = false;              // ??
    bool keep = false;                  // ?< >
    std::vector<Sequence> options;      // of if and do; one for a block; two for unless
    std::string text;                   // of printf; of a jump: the label
    bool is_mtype = false;              // printm
    std::uint32_t number = 0;           // its place in Process::statements
    Place place;
};

struct Process {
    enum class Kind : std::uint8_t { proctype, init, never, trace, notrace } kind = Kind::proctype;
    std::string name;
    std::uint32_t parameters = 0;  // number of its first locals that are parameters
    std::vector<Declaration> locals;
    Sequence body;
    bool deterministic = false;  // D_proctype
    std::uint32_t active = 0;    // instances at the beginning
    std::optional<std::int64_t> priority;
    ExprPtr provided;
    std::uint32_t statements = 0;  // how many there are
    Place place;
    Place end;  // of its closing brace
};

struct Structure {
    std::string name;
    std::vector<Declaration> fields;
    Place place;
};

struct Formula {
    std::string name;
    ExprPtr formula;
    Place place;
};

struct MessageType {
    std::string name;
    std::int64_t number = 0;
    std::string set;
};

struct Program {
    std::vector<support::SourceText> files;
    std::vector<Structure> structures;
    std::vector<Declaration> globals;
    std::vector<Process> processes;  // in the order of the text; init, never and trace among them
    std::vector<Formula> formulas;
    std::vector<MessageType> message_types;
    bool uses_last = false;
    bool uses_priorities = false;
    std::string preprocessed;  // the text that was parsed

    // Where something stands in the model's own file; what an included file holds is at the directive.
    [[nodiscard]] support::SourceSpan in_main(Place place) const {
        return place.file == 0 ? place.span : include_spans[place.file];
    }
    std::vector<support::SourceSpan> include_spans;  // by file
};

}  // namespace tideline::input::promela
