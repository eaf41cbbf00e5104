// An order of the values of a slot in which most steps go forward.
#pragma once

#include <cstdint>
#include <vector>

namespace tideline::progress {

// How often, in a pilot run, a slot went from one value to another; values are numbered.
struct ValueSteps {
    std::size_t values = 0;
    std::vector<std::uint64_t> counts;  // of a pair, at from * values + to
};

// The position of every value in an order with few steps backwards, by the heuristic of Eades, Lin and Smyth (1993) for
// feedback arc sets: sinks go to the end, sources to the front, and of the others the one with the largest ratio of
// steps out of it to steps into it is next at the front.
std::vector<std::uint32_t> forward_order(const ValueSteps& steps);

}  // namespace tideline::progress
