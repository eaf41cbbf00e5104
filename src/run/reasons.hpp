// Why the last state of a run is what it is, for people: what blocks each process of a deadlock, and the values that an
// invariant reads where it is false.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace tideline::run {

// A transition that leaves the location of a process, and what is in its way.
struct BlockedTransition {
    std::string to;
    std::uint32_t line = 0;  // of the model; 0: not known
    std::vector<std::string> by;
};

struct BlockedProcess {
    std::string process;
    std::string location;
    std::vector<BlockedTransition> transitions;
};

// Of a verdict; empty where there is nothing to say.
struct Reasons {
    std::vector<BlockedProcess> blocked;  // of a deadlock
    std::string values;                   // of a violated condition: "x = 5, P = idle"
};

// In a state where nothing moves. Empty for a graph that was given edge by edge.
[[nodiscard]] std::vector<BlockedProcess> blocked_processes(const model::Model& model,
                                                            std::span<const model::Value> values);

// "x = 5, P = idle": what an expression reads.
[[nodiscard]] std::string values_read(const model::Model& model, const model::Expression& expression,
                                      std::span<const model::Value> values);

}  // namespace tideline::run
