// Random Promela models that SPIN accepts: small state spaces, every construct that Tideline executes.
#pragma once

#include <cstdint>
#include <string>

namespace tideline::differential {

std::string random_promela(std::uint64_t seed);

}  // namespace tideline::differential
