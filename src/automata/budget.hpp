// Bounds on the work of a translation. An automaton can be exponentially larger than its formula, and a determinised
// one more so; whatever builds states asks here first. Exhaustion is an exception inside this folder and becomes a
// diagnostic at its interface.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tideline::automata {

struct TranslationLimits {
    std::size_t states = 20'000;            // of the automaton that a formula unfolds to, before reduction
    std::size_t edges = 100'000;            // of the same; also of one state
    std::size_t diagram_nodes = 2'000'000;  // of its labels
    std::function<bool()> stop;             // asked periodically; true ends the work
};

struct LimitReached {
    std::string reason;
    bool interrupted = false;
};

inline constexpr const char* kInterrupted = "time or memory ran out, or it was interrupted";

class TranslationBudget {
public:
    explicit TranslationBudget(const TranslationLimits& limits) : limits_(limits) {}

    // These throw LimitReached.
    void check() const {
        if (limits_.stop && limits_.stop()) throw LimitReached{kInterrupted, true};
    }
    void check_states(std::size_t states) const {
        if (states > limits_.states) throw LimitReached{"more than " + std::to_string(limits_.states) + " states"};
        check();
    }
    void check_edges(std::size_t edges) const {
        if (edges > limits_.edges) throw LimitReached{"more than " + std::to_string(limits_.edges) + " edges"};
    }
    [[nodiscard]] std::size_t edges() const { return limits_.edges; }
    [[nodiscard]] const TranslationLimits& limits() const { return limits_; }

private:
    const TranslationLimits& limits_;
};

}  // namespace tideline::automata
