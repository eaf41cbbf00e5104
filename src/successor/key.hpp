// Progress keys: what a measure gives a state. `<` on keys is the progress order.
#pragma once

#include <cassert>
#include <optional>
#include <vector>

#include "model/evaluate.hpp"
#include "model/model.hpp"
#include "support/wide.hpp"

namespace tideline::successor {

// Components are packed from the most significant one down, each in the bits that its range needs; never truncated.
using Key = support::UInt128;

struct KeyComponent {
    model::Expression expression;
    model::Value low = 0;  // the key holds value - low
    unsigned bits = 0;
};

// How a system computes the key of a state; without components every key is 0.
struct KeyProgram {
    std::vector<KeyComponent> components;  // most significant first; at most 128 bits together
};

// The key of a state given as one value per slot; nothing where a component cannot be evaluated. `stack` as for
// evaluate().
inline std::optional<Key> evaluate_key(const KeyProgram& program, const std::vector<model::Table>& tables,
                                       const model::Value* slots, model::Value* stack) {
    Key key = 0;
    for (const KeyComponent& component : program.components) {
        const model::Evaluation result = model::evaluate(component.expression, tables, slots, stack);
        if (result.fault != model::FaultKind::none) return std::nullopt;
        const std::uint64_t offset =
            static_cast<std::uint64_t>(result.value) - static_cast<std::uint64_t>(component.low);
        assert((Key{offset} >> component.bits) == 0 && "the value lies in the range that was computed for it");
        key = (key << component.bits) | offset;
    }
    return key;
}

// By transition: whether it may lead to another key.
std::vector<bool> may_change_key(const model::Model& model, const KeyProgram& program);

// The components' values that a key stands for.
std::vector<model::Value> key_values(const KeyProgram& program, Key key);

}  // namespace tideline::successor
