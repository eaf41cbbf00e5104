// The sweep-line algorithm of the 2012 survey, figure 3, on an explicit graph: every line of the figure is a line here,
// with sets from the standard library, and the last layer of a sweep deleted as well. The reference for the engine.
#pragma once

#include <cstdint>
#include <vector>

namespace tideline::reference {

struct SweepFigures {
    std::uint64_t expanded = 0;
    std::uint64_t persistent = 0;  // at most, at one time
    std::uint64_t peak = 0;
    std::uint64_t regress_edges = 0;         // repeats counted
    std::vector<std::uint64_t> sweep_peaks;  // one a sweep
    std::vector<std::uint64_t> sweep_expanded;
    std::vector<bool> visited;  // by state
};

// States are 0 ... edges.size() - 1; the initial ones are given, at least one and each once.
[[nodiscard]] SweepFigures sweep(const std::vector<std::vector<std::size_t>>& edges,
                                 const std::vector<std::uint64_t>& progress,
                                 const std::vector<std::size_t>& initial = {0});

// The nested algorithm of section 3.2: no edge leads from a block to an earlier one, and blocks lie one after the other
// in the order of progress. The figure's algorithm is carried out in one block after the other; what was persistent is
// deleted with its block.
[[nodiscard]] SweepFigures nested_sweep(const std::vector<std::vector<std::size_t>>& edges,
                                        const std::vector<std::uint64_t>& progress,
                                        const std::vector<std::uint64_t>& block_of,
                                        const std::vector<std::size_t>& initial = {0});

// The same under the product order of vectors: an edge is a regress edge unless no component decreases, and a state is
// deleted when no open state has a vector below its own or the same. Of the open states one with the least sum of
// components comes first, then the least in lexicographic order.
[[nodiscard]] SweepFigures product_sweep(const std::vector<std::vector<std::size_t>>& edges,
                                         const std::vector<std::vector<std::uint64_t>>& progress,
                                         const std::vector<std::size_t>& initial = {0});

// For every state the least number of regress edges on a path from an initial one; the largest value of the type where
// there is none.
[[nodiscard]] std::vector<std::uint64_t> regress_distance(const std::vector<std::vector<std::size_t>>& edges,
                                                          const std::vector<std::uint64_t>& progress,
                                                          const std::vector<std::size_t>& initial = {0});

}  // namespace tideline::reference
