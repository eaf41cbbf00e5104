// A Model as a System that runs as machine code.
#pragma once

#include <memory>
#include <vector>

#include "successor/layout.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline {

// How successors are computed.
enum class Successors : std::uint8_t {
    interpret,
    native,       // compiled before the first step; interpreted where that is not possible
    automatic,    // interpreted at first, compiled when the run turns out not to be a short one
};

// `notice` becomes the reason where native code was asked for and is not to be had, or not at once (empty otherwise). What is compiled, now or
// when the system is widened, keeps to the budget, which must outlive the system; where it does not allow that, the model is interpreted.
// An explicit graph never becomes machine code: there is nothing to compute in it.
std::unique_ptr<System> make_model_system(std::shared_ptr<const Model> model, std::vector<Expression> labels, Layout layout,
                                          KeyProgram key, Successors successors, const Budget& budget, std::string& notice);

}  // namespace tideline
