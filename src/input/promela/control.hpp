// The control flow of a process: its locations and the steps that leave them, as SPIN builds them. docs/promela.md has
// the rules, control.cpp how they come about.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "input/promela/syntax.hpp"

namespace tideline::input::promela {

struct Edge {
    const Statement* statement = nullptr;  // null: the process ends
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    bool continues = false;  // afterwards the process goes on alone while it can: it is inside an atomic sequence
    // Steps of escape clauses (unless) that are tried before this one, and prevent it where they can be taken.
    std::vector<std::uint32_t> prevented_by;
    std::vector<std::uint32_t> preceding;  // of else: it is possible where none of these can be taken
    std::uint32_t inside = 0;              // of a d_step: the location of its first statement
};

struct Location {
    const Statement* statement = nullptr;  // null: the end
    std::vector<std::uint32_t> edges;      // in the order in which they are tried
    std::vector<std::string> labels;
    const Statement* d_step = nullptr;  // inside of this one; then no process is ever seen there
    bool is_end = false;
    bool is_accepting = false;
    bool is_progress = false;
};

struct Control {
    std::vector<Location> locations;
    std::vector<Edge> edges;
    std::uint32_t start = 0;
    std::uint32_t end = 0;                                   // where the process has executed its last statement
    std::map<std::string, std::uint32_t> labels;             // that are locations
    std::vector<std::unique_ptr<Statement>> ends_of_blocks;  // steps that are no statement of the program
};

// The process must outlive the result.
[[nodiscard]] Control control_flow(const Process& process);

}  // namespace tideline::input::promela
