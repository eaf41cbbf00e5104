// What executes boxes slowly (reference/machine.hpp): straight from the statements, without the Model.
#pragma once

#include <memory>

#include "input/load.hpp"
#include "reference/machine.hpp"

namespace tideline::toys {

// The row of the table of machines (reference/machines.hpp).
[[nodiscard]] std::unique_ptr<reference::Machine> machine_of_boxes(const support::SourceText& source,
                                                                   const input::LoadOptions& options);

}  // namespace tideline::toys
