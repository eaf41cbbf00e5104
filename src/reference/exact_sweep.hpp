// The exact sweep, which keeps its layers, on an explicit graph: what is behind the sweep line is read back, so that
// every state is expanded once under any measure. Written with sets from the standard library and without optimisation;
// the reference for the engine.
#pragma once

#include <cstdint>
#include <vector>

namespace tideline::reference {

struct ExactPass {
    std::uint64_t peak = 0;
    std::uint64_t expanded = 0;
    friend bool operator==(const ExactPass&, const ExactPass&) = default;
};

struct ExactFigures {
    std::uint64_t expanded = 0;
    std::uint64_t transitions = 0;
    std::uint64_t deadlocks = 0;
    std::uint64_t layers = 0;
    std::uint64_t peak = 0;  // states of the current layer, including those read back, and all open states
    std::uint64_t widest_layer = 0;
    std::uint64_t reread = 0;  // states of earlier passes that were read back
    std::uint64_t regress_edges = 0;
    std::vector<ExactPass> passes;
    std::vector<std::uint64_t> pass_of;  // by state, from 0; the largest value of the type where it is not reachable
};

// States are 0 ... edges.size() - 1; the initial ones are given, at least one and each once.
[[nodiscard]] ExactFigures exact_sweep(const std::vector<std::vector<std::size_t>>& edges,
                                       const std::vector<std::uint64_t>& progress,
                                       const std::vector<std::size_t>& initial = {0});

// With passes nested in blocks: no edge leads from a block to an earlier one, and blocks lie one after the other in the
// order of progress. A block is finished, pass after pass, before the next is begun.
[[nodiscard]] ExactFigures nested_exact_sweep(const std::vector<std::vector<std::size_t>>& edges,
                                              const std::vector<std::uint64_t>& progress,
                                              const std::vector<std::uint64_t>& block_of,
                                              const std::vector<std::size_t>& initial = {0});

}  // namespace tideline::reference
