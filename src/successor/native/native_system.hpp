// A Model as a System that runs as machine code.
#pragma once

#include <memory>
#include <vector>

#include "successor/layout.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline::successor {

// How successors are computed.
enum class Successors : std::uint8_t {
    interpret,
    native,     // compiled before the first step; interpreted where that is not possible
    automatic,  // interpreted at first, compiled when the run turns out to be long
};

// `notice` becomes the reason where native code was requested and is not available, or not at once (empty otherwise).
// Compiling, now or when the system is repacked, respects the budget, which must outlive the system; where it does not
// allow that, the model is interpreted. An explicit graph never becomes machine code: there is nothing to compute in
// it.
std::unique_ptr<System> make_model_system(std::shared_ptr<const model::Model> model,
                                          std::vector<model::Expression> labels, Layout layout, KeyProgram key,
                                          Successors successors, const support::Budget& budget, std::string& notice);

}  // namespace tideline::successor
