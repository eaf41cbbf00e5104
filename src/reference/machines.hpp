// The machines of the input languages: a row for each row of input/languages.cpp, by the same name. A machine reads the
// text itself.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "input/load.hpp"
#include "reference/machine.hpp"

namespace tideline::reference {

struct MachineRow {
    std::string_view language;
    // The text is one that the language's loader has accepted.
    std::unique_ptr<Machine> (*make)(const support::SourceText& source, const input::LoadOptions& options) = nullptr;
};

[[nodiscard]] std::span<const MachineRow> machines();

// The machine of a model that was loaded from a file.
[[nodiscard]] std::unique_ptr<Machine> make_machine(const input::LoadedModel& loaded,
                                                    const input::LoadOptions& options);

}  // namespace tideline::reference
