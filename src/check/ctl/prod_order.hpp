// The order in which the global algorithm takes unmarked states (prod.hpp).
#pragma once

#include <cstdint>

namespace tideline::check::ctl {

enum class ProdOrder : std::uint8_t {
    numbers,     // unmarked states in the order of their numbers
    components,  // component by component, terminal ones first: the stacks stay small. Both orders are measured.
};

}  // namespace tideline::check::ctl
