// For tests: a machine from a DVE text, and short queries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "input/dve/parser.hpp"
#include "reference/dve_machine.hpp"

namespace tideline::reference {

inline std::unique_ptr<Machine> machine_from_text(const std::string& text, DveMachineOptions options = {}) {
    support::Result<input::dve::Program> program = input::dve::parse(support::SourceText("model.dve", text));
    if (!program) throw std::runtime_error(support::to_text(program.diagnostics().front()));
    return make_dve_machine(std::make_shared<const input::dve::Program>(*std::move(program)), options);
}

inline std::int64_t value_of(const Machine& machine, const State& state, const std::string& name) {
    const auto found = std::find(machine.names().begin(), machine.names().end(), name);
    if (found == machine.names().end()) throw std::runtime_error("no such name: " + name);
    return state[static_cast<std::size_t>(found - machine.names().begin())];
}

}  // namespace tideline::reference
