// A Model as a System, executed by walking its expressions.
#pragma once

#include <memory>
#include <vector>

#include "successor/layout.hpp"
#include "successor/system.hpp"

namespace tideline::successor {

// `labels` are the predicates that Expander::labels evaluates, `key` is the progress measure. `commuting` is the
// model's; it is computed where it is not given.
std::unique_ptr<System> make_interpreted_system(std::shared_ptr<const model::Model> model,
                                                std::vector<model::Expression> labels, Layout layout,
                                                KeyProgram key = {},
                                                std::shared_ptr<const Commuting> commuting = nullptr);

// The value because of which an expander of an interpreted system needs repacking.
struct InterpretedMisfit {
    model::SlotId slot = 0;
    model::Value value = 0;
};
InterpretedMisfit interpreted_misfit(const Expander& expander);

}  // namespace tideline::successor
