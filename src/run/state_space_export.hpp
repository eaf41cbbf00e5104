// A model's state space as a file of its own: built as a numbered graph in memory, then written
// (graph/graph_export.hpp); in the compact form, swept and read from the ledger.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "run/loaded_system.hpp"
#include "run/sink.hpp"
#include "run/spec.hpp"
#include "support/text_sink.hpp"

namespace tideline::run {

enum class StateSpaceFormat : std::uint8_t {
    aut,     // Aldebaran
    dot,     // Graphviz
    kripke,  // JSON
};

struct StateSpaceSpec {
    StateSpaceFormat format = StateSpaceFormat::aut;
    std::vector<std::string> labels;      // NAME=EXPR, besides the labels of the model
    ProgressChoice progress;              // automatic: the model's own measure, where it has one
    std::optional<std::uint64_t> states;  // refuse more; nothing: what the form is good for
    unsigned threads = 1;
    // kripke: numbers, bits and edges only (graph/compact_kripke.hpp), by a sweep whose ledger has the edges.
    bool is_compact = false;
    std::string temporary_folder{};  // for that ledger; empty: the system's
};

// More than what a drawing can show, and more than what is read again.
inline constexpr std::uint64_t kMostDrawnStates = 10'000;
inline constexpr std::uint64_t kMostWrittenStates = std::uint64_t{1} << 26U;

// Nothing where the state space was written; otherwise the reason, and what was written before is not complete.
[[nodiscard]] std::optional<Refusal> export_state_space(const StateSpaceSpec& spec, const LoadedSystem& system,
                                                        Sink& sink, const support::Budget& budget,
                                                        const support::TextSink& out);

}  // namespace tideline::run
