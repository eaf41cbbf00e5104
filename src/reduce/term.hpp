// An expression of a model as a tree, for analyses that compare expressions: the postfix program says in which order
// things are computed, and a comparison should not depend on that where the order cannot be observed.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace tideline::reduce {

struct Term {
    model::Op op = model::Op::constant;  // a choice is `jump`, with condition, yes and no
    std::uint32_t argument = 0;          // of loads, as in model::Instruction
    model::Value value = 0;              // of constants; of load_element the length
    std::vector<Term> operands;
    model::Range range;      // of its values, from the declared ranges
    bool is_total = false;   // it can be evaluated in every state within the declared ranges
    std::size_t domain = 0;  // of its values, where value domains were inferred (value_domains.hpp)

    [[nodiscard]] bool is_constant() const { return op == model::Op::constant; }
};

// `truth` below a connective is left out: what is connected counts as true or false anyway.
[[nodiscard]] Term term_of(const model::Model& model, const model::Expression& expression);

}  // namespace tideline::reduce
