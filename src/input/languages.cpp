// The table of input languages. In a file of its own, so that a program can be linked with a table of its own
// (tests/toys/language does).
#include <array>

#include "input/dve/load.hpp"
#include "input/language.hpp"
#include "input/lts/load.hpp"
#include "input/promela/load.hpp"

namespace tideline::input {
namespace {

constexpr std::array<Language, 4> kLanguages{{
    {"dve", {"dve"}, nullptr, dve::load},
    {"aut", {"aut"}, lts::looks_like_aut, lts::load_aut},
    {"promela", {"pml", "pm", "prm", "prom", "promela", "pr", "spin"}, nullptr, promela::load},
    {"kripke", {"json"}, nullptr, lts::load_kripke},
}};

}  // namespace

std::span<const Language> languages() { return kLanguages; }

}  // namespace tideline::input
