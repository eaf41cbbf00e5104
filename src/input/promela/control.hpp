// The control flow of a process: its locations and the steps that leave them. SPIN's rules decide what is a location of
// its own: goto, break and the ends of blocks take no step unless they stand first in an option; a block that is not
// first in an option is a location apart from its first statement.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "input/promela/syntax.hpp"

namespace tideline::input::promela {

struct Edge {
    const Statement* statement = nullptr;  // null: the process ends
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    bool continues = false;  // afterwards the process is inside an atomic sequence and goes on alone while it can
    // Steps that prevent this one where they can be taken: those of the escape clauses (unless) around it.
    std::vector<std::uint32_t> prevented_by;
    std::uint32_t inside = 0;  // of a d_step: the location of its first statement
};

struct Location {
    const Statement* statement = nullptr;  // null: the end
    std::vector<std::uint32_t> edges;      // in the order in which they are tried; else last
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
    std::uint32_t end = 0;                        // where the process has executed its last statement
    std::map<std::string, std::uint32_t> labels;  // that are locations
};

// The process must outlive the result.
[[nodiscard]] Control control_flow(const Process& process);

}  // namespace tideline::input::promela
