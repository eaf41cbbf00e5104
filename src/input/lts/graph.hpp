// An explicit transition system as its file gives it: numbered states, labelled edges, and what is known of the states.
// The parsers of this folder make it; translate() turns it into a Model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/source.hpp"

namespace tideline::input::lts {

using StateNumber = std::uint32_t;
using ActionNumber = std::uint32_t;

// More states than this are refused: a mistyped header must not ask for all of the memory.
inline constexpr std::uint64_t kMaxStates = std::uint64_t{1} << 26U;

struct Edge {
    StateNumber from = 0;
    StateNumber to = 0;
    ActionNumber action = 0;
    support::SourceSpan span;
};

struct Label {
    std::string name;
    support::SourceSpan span;         // where it is first mentioned
    std::vector<StateNumber> states;  // that carry the label, ascending
};

struct Graph {
    std::string format;  // "aut" or "kripke"
    support::SourceText source;
    std::uint64_t state_count = 0;
    std::vector<StateNumber> initial;  // at least one, each once
    std::vector<std::string> actions;  // an edge without a label has an action with an empty name
    std::vector<Edge> edges;           // in the order of the file
    std::vector<std::string> names;    // by state; empty: the states have no names
    std::vector<Label> labels;
    std::vector<std::int64_t> progress;  // by state; empty: none given

    [[nodiscard]] const std::string& action(const Edge& edge) const { return actions[edge.action]; }
};

}  // namespace tideline::input::lts
