// What `tideline progress` reports: a measure, its known properties and its predicted effect.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/summary.hpp"
#include "run/forecast.hpp"

namespace tideline::report {

struct MeasureReport {
    std::vector<std::string> components;  // the most significant first
    std::size_t monotonic = 0;            // number of leading components that are certified never to decrease
    double peak_share = 1;                // of the pilot's states, in memory
    double predicted_share = 1;           // of all states
    double reread_share = 0;              // with a ledger: states read back, divided by states
    double expanded_share = 1;
    std::uint64_t layers = 0;
    std::uint64_t passes = 0;
};

struct TransitionReport {
    std::string text;
    std::uint64_t forward = 0;
    std::uint64_t level = 0;
    std::uint64_t back = 0;
};

struct ProgressReport {
    std::string version;
    std::string model_path;
    bool ledger = true;
    bool own = false;         // the measure comes with the model
    bool given = false;       // the first measure is the user's
    bool projection = false;  // only values of single slots were asked for
    std::uint64_t pilot_states = 0;
    bool pilot_complete = false;
    std::vector<MeasureReport> measures;  // the one that would be used, then the next best
    std::vector<TransitionReport> transitions;
    std::size_t certified_transitions = 0;  // examined by the proof that the measure never decreases
    std::vector<std::uint64_t> predicted_layers;
    std::vector<std::uint64_t> actual_layers;  // where it was measured
    std::uint64_t actual_states = 0;
    std::uint64_t actual_peak = 0;
    std::optional<run::Forecast> forecast;
};

std::string to_text(const ProgressReport& report, const SummaryOptions& options);
std::string to_json(const ProgressReport& report);
// The layers as a drawing: predicted ones, and actual ones where they were measured.
std::string to_svg(const ProgressReport& report);

}  // namespace tideline::report
