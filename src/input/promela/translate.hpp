// From the syntax tree of a Promela program to a Model. docs/promela.md has the meaning, model.hpp how it is carried.
#pragma once

#include "input/load.hpp"
#include "input/promela/syntax.hpp"
#include "model/model.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input::promela {

struct TranslateOptions {
    bool with_claim = true;                  // the never claim observes the system
    std::vector<ProcessInstance> instances;  // processes that are created at run time
};

struct Translated {
    model::Model model;
    std::vector<FileProperty> formulas;
};

support::Result<Translated> translate(const Program& program, const TranslateOptions& options,
                                      const support::Budget& budget);

}  // namespace tideline::input::promela
