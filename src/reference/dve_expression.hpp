// Computes DVE expressions straight from the syntax tree, as docs/dve.md says: in 64 bits, left operand first, with the
// faults of the language. What a name stands for is left to the caller, so that a DVE system and an explicit graph
// share it.
#pragma once

#include "input/dve/syntax.hpp"
#include "reference/machine.hpp"

namespace tideline::reference {

// The meaning of the leaves of an expression: a variable, an element of an array, or a test for a location.
class NameValues {
public:
    virtual ~NameValues() = default;
    [[nodiscard]] virtual Answer value_of(const input::dve::Expr& leaf) const = 0;
};

[[nodiscard]] Answer evaluate(const input::dve::Expr& expression, const NameValues& names);

[[nodiscard]] bool fits(std::int64_t value, input::dve::Type type);

// The value modulo 2^8 or 2^16, in the range of the type.
[[nodiscard]] std::int64_t wrapped(std::int64_t value, input::dve::Type type);

}  // namespace tideline::reference
