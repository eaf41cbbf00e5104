// The two tables of the toy program: its one language, and the machine of that.
#include <array>

#include "input/language.hpp"
#include "reference/machines.hpp"
#include "tests/toys/language/boxes.hpp"
#include "tests/toys/language/boxes_machine.hpp"

namespace tideline {

std::span<const input::Language> input::languages() {
    static constexpr std::array<Language, 1> kLanguages{{{toys::kBoxesName, {"boxes"}, nullptr, toys::load_boxes}}};
    return kLanguages;
}

std::span<const reference::MachineRow> reference::machines() {
    static constexpr std::array<MachineRow, 1> kMachines{{{toys::kBoxesName, toys::machine_of_boxes}}};
    return kMachines;
}

}  // namespace tideline
