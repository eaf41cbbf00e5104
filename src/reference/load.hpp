// The reference machine of a model that was loaded from a file.
#pragma once

#include <memory>

#include "input/load.hpp"
#include "reference/machine.hpp"

namespace tideline::reference {

[[nodiscard]] std::unique_ptr<Machine> make_machine(const LoadedModel& loaded, const LoadOptions& options);

}  // namespace tideline::reference
