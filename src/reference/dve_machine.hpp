// A DVE program as a Machine: the syntax tree executed as docs/dve.md describes it, with no optimisation except that
// names are resolved once.
#pragma once

#include <memory>

#include "input/dve/syntax.hpp"
#include "reference/machine.hpp"

namespace tideline::reference {

struct DveMachineOptions {
    bool wrap = false;          // values that do not fit wrap around instead of being a fault
    bool with_property = true;  // false: the property process is not there at all
};

// The program must be a valid one (translate() accepts it). Assertions are numbered through the file also where the
// property process is left out.
[[nodiscard]] std::unique_ptr<Machine> make_dve_machine(std::shared_ptr<const input::dve::Program> program,
                                                        DveMachineOptions options = {});

}  // namespace tideline::reference
