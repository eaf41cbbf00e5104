// A Model as a System, executed by walking its expressions.
#pragma once

#include <memory>
#include <vector>

#include "successor/layout.hpp"
#include "successor/system.hpp"

namespace tideline {

// `labels` are the predicates that Expander::labels evaluates, `key` is the progress measure. `commuting` is the
// model's; it is worked out where it is not given.
std::unique_ptr<System> make_interpreted_system(std::shared_ptr<const Model> model, std::vector<Expression> labels,
                                                Layout layout, KeyProgram key = {},
                                                std::shared_ptr<const Commuting> commuting = nullptr);

// What made an expander of an interpreted system say `narrow`.
struct InterpretedMisfit {
    SlotId slot = 0;
    Value value = 0;
};
InterpretedMisfit interpreted_misfit(const Expander& expander);

}  // namespace tideline
