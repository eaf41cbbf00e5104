// The traits of a formula from those of its operands; used when a formula is built.
#pragma once

#include <cstdint>
#include <span>

#include "logic/formula.hpp"

namespace tideline::logic {

// The operands' traits in order; none for constants and atoms.
std::uint32_t traits_of(Connective connective, std::span<const std::uint32_t> operands);

}  // namespace tideline::logic
