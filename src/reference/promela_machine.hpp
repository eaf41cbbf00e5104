// A Promela program as a Machine: its statements executed along the control flow of the processes (input/promela's
// control.hpp), as docs/promela.md describes it, with no optimisation.
#pragma once

#include <memory>
#include <vector>

#include "input/load.hpp"
#include "input/promela/syntax.hpp"
#include "reference/machine.hpp"

namespace tideline::reference {

struct PromelaMachineOptions {
    bool with_claim = true;
    std::vector<input::ProcessInstance> instances;  // that are created at run time
};

// The program must be a valid one (translate() accepts it).
[[nodiscard]] std::unique_ptr<Machine> make_promela_machine(std::shared_ptr<const input::promela::Program> program,
                                                            PromelaMachineOptions options);

}  // namespace tideline::reference
