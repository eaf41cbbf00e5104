// Random Promela models: small, with most constructs of the language, accepted by SPIN in most cases.
#pragma once

#include <cstdint>
#include <string>

namespace tideline::differential {

struct RandomPromelaOptions {};

[[nodiscard]] std::string random_promela(std::uint64_t seed, const RandomPromelaOptions& options = {});

}  // namespace tideline::differential
