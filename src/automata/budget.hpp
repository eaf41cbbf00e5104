// Bounds on the work of a translation. An automaton can be exponentially larger than its formula, and a determinised one more so;
// whatever builds states asks here first. Exhaustion travels as an exception inside this folder and becomes a diagnostic at its border.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tideline {

struct TranslationLimits {
    std::size_t states = 20'000;           // of the automaton that a formula unfolds to, before it is made smaller
    std::size_t diagram_nodes = 4'000'000; // of all labels
    std::function<bool()> stop;            // asked now and then; true ends the work
};

struct LimitReached {
    std::string reason;
};

class Budget {
public:
    explicit Budget(const TranslationLimits& limits) : limits_(limits) {}

    // Throws LimitReached.
    void check(std::size_t states, std::size_t diagram_nodes) const {
        if (states > limits_.states) throw LimitReached{"more than " + std::to_string(limits_.states) + " states"};
        check(diagram_nodes);
    }
    void check(std::size_t diagram_nodes) const {
        if (diagram_nodes > limits_.diagram_nodes) throw LimitReached{"its labels take more than " + std::to_string(limits_.diagram_nodes) + " nodes"};
        if (limits_.stop && limits_.stop()) throw LimitReached{"interrupted"};
    }
    [[nodiscard]] std::size_t states() const { return limits_.states; }

private:
    const TranslationLimits& limits_;
};

}  // namespace tideline
