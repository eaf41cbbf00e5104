// An explicit graph as a Machine, so that the textbook checkers run on graphs written down state by state.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "reference/machine.hpp"

namespace tideline::reference {

struct ExplicitEdge {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint32_t line = 0;  // of the file
    std::string action;
};

struct ExplicitGraph {
    std::uint64_t states = 1;  // numbered from 0
    std::vector<std::uint64_t> initial{0};
    std::vector<ExplicitEdge> edges;
    std::map<std::string, std::set<std::uint64_t>> labels;  // a label, and the states that carry it
    std::vector<std::string> names;                         // by state; empty: the states have none
    std::vector<std::int64_t> progress;                     // by state; empty: none given
};

// Its only name is "state". Steps are the edges in their order, taken by a process "lts". Expressions are those of DVE
// over "state" (which DVE itself reserves) and the labels, a label being 1 in the states that carry it. Edges outside
// the states are left out.
[[nodiscard]] std::unique_ptr<Machine> make_lts_machine(ExplicitGraph graph);

}  // namespace tideline::reference
