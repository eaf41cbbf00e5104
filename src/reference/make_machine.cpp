#include <algorithm>
#include <cassert>

#include "reference/machines.hpp"

namespace tideline::reference {

std::unique_ptr<Machine> make_machine(const input::LoadedModel& loaded, const input::LoadOptions& options) {
    const std::span<const MachineRow> all = machines();
    const auto row =
        std::find_if(all.begin(), all.end(), [&](const MachineRow& r) { return r.language == loaded.language; });
    assert(row != all.end());
    return row->make(loaded.source, options);
}

}  // namespace tideline::reference
