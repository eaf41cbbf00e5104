// From the syntax tree of DVE to a Model: names are resolved, types checked, rendezvous paired.
#pragma once

#include "input/dve/syntax.hpp"
#include "model/model.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input::dve {

struct TranslateOptions {
    bool wrap = false;          // values out of range wrap around instead of being a fault
    bool with_property = true;  // false: the property process is left out
};

// Result::stopped() where the budget does not suffice.
support::Result<model::Model> translate(const Program& program, const TranslateOptions& options,
                                        const support::Budget& budget = {});

}  // namespace tideline::input::dve
