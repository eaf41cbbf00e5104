// What a run would take, from short trials: a breadth-first search in memory and a sweep by some measure, each for a
// second or so. Their rates and the memory per state are measured; the number of states is known where the trial ends
// by itself, and otherwise guessed from how the frontier of the breadth-first trial grows (explore/frontier_trend.hpp).
//
// What is not known: whether later states take as long as the first ones, and whether the frontier goes on as it does.
// A sweep's rate falls where layers are read back from the ledger, which the beginning of a run hardly shows: a state
// that is predicted to be read back counts as a fifth of one that is expanded. That is an assumption.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "run/execute.hpp"

namespace tideline::run {

struct Trial {
    bool complete = false;
    std::uint64_t states = 0;
    std::uint64_t expanded = 0;
    double seconds = 0;          // of the search
    double compile_seconds = 0;  // of these
    std::uint64_t bytes = 0;     // that the search took
    std::uint64_t peak_states = 0;
    std::optional<double> left{};  // states to expand, where an end is in sight
};

struct Forecast {
    std::optional<std::uint64_t> states;  // nothing: no end is in sight
    bool states_exact = false;
    std::uint64_t visited = 0;            // by the trial in memory: there are as many at least
    double trial_seconds = 0;             // of that trial
    std::optional<std::uint64_t> memory;  // the limit

    struct Search {
        double seconds_per_million = 0;
        std::optional<double> seconds;  // where the states are known or guessed
    };
    Search in_memory;
    double bytes_per_state = 0;
    std::optional<std::uint64_t> bytes;        // of all states
    std::optional<bool> fits;                  // within the limit
    std::optional<std::uint64_t> most_states;  // that fit
    std::optional<Search> sweep;               // where there is a measure
    std::optional<std::uint64_t> peak_states;  // of the sweep
};

// The trials of `progress`: `measure` is that of the sweep, empty where there is none; `own`: it is the model's own.
// Nothing where the budget, of which they take a quarter at most, does not allow them, or one is refused.
struct SweepToTry {
    std::string measure;
    bool own = false;
    double predicted_share = 1;  // of the states in memory at the peak
    double reread_share = 0;
};
[[nodiscard]] std::optional<Forecast> forecast(const RunSpec& spec, const LoadedInput& input,
                                               const std::optional<SweepToTry>& sweep, const support::Budget& budget);

// From the figures of the trials.
[[nodiscard]] Forecast forecast_of(const Trial& in_memory, const std::optional<Trial>& sweep,
                                   const std::optional<SweepToTry>& tried, std::optional<std::uint64_t> memory);

}  // namespace tideline::run
