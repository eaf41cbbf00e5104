// Everything that a run reports: to a person, to a program, or to the caller of execute().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/verdict.hpp"
#include "run/reasons.hpp"
#include "run/spec.hpp"

namespace tideline::run {

// What a run was reduced by.
struct SymmetryReport {
    std::string requested;                               // auto, or names of processes
    std::optional<std::uint64_t> order;                  // of the group, where it was enumerated
    std::vector<std::vector<std::string>> exchangeable;  // classes of processes: in every order
    std::size_t others = 0;       // symmetries beside those: all of them, or generators where they are many
    bool is_canonical = true;     // every class has one representative, so that classes were counted
    bool is_measure_kept = true;  // the progress measure is the same for all states of a class
};

// States that were not expanded because a condition holds in them.
struct CutOffReport {
    std::string condition;
    std::optional<bool> is_exact;  // whether all their successors were visited in another way; nothing: not known
    std::uint64_t unvisited = 0;   // those that were not
};
// What the figures count: states of the system, or of its product with the automaton of a property; or the sums of
// several searches.
enum class FiguresOf : std::uint8_t { system, product, searches };

struct [[nodiscard]] RunReport {
    Task task = Task::explore;
    FiguresOf figures_of = FiguresOf::system;
    bool has_proper_ends = false;  // some states without a step may be such
    std::string version;           // of the tool
    std::string model_path;
    std::string format;                      // of the model: "dve", "aut", ...
    std::vector<std::string> definitions{};  // macros and constants of the model that were given: NAME or NAME=VALUE
    check::Outcome outcome;                  // verdicts are final
    std::vector<Reasons> reasons{};          // of the verdicts, in their order; empty: none are known
    double seconds = 0;          // of the whole run, from the request on; of one that was resumed with what came before
    double measure_seconds = 0;  // of those, in which a measure was looked for
    std::uint64_t peak_rss_bytes = 0;
    std::uint64_t ledger_bytes = 0;
    std::string stubborn = "none";  // whether steps were left out
    std::string progress_source = "none";
    std::string monotonic = "unknown";
    std::vector<std::string> components;     // of the progress measure
    std::optional<double> predicted_share;   // of the states, in memory at the peak
    std::optional<CutOffReport> cut_off;     // where it was asked for
    std::optional<SymmetryReport> symmetry;  // where it was asked for
    std::string engine_reason;               // why this engine was chosen, where none was requested
    std::string resumable;  // the directory of a ledger from which the run can be resumed; empty: it cannot
    std::vector<std::uint64_t>
        layer_sizes;  // as the ledger has them, in the order of the sweep line; empty without a ledger
};

// Of a run whose budget ended before there was anything to search: every requested property is unknown.
[[nodiscard]] RunReport unsearched_report(const RunSpec& spec, support::StopReason reason);

// What a property without an expected verdict is expected to do: to hold.
[[nodiscard]] check::Answer expected_answer(const check::Verdict& verdict);

// "index", "range", ... or "assertion" for a failed one.
[[nodiscard]] std::string fault_kind_text(const check::FaultReport& fault);

enum class Conclusion : std::uint8_t { holds, violated, undecided };
// Of the whole run: violated beats undecided. A fault of the model counts as a violation.
[[nodiscard]] Conclusion result_of(const RunReport& report);
// Of a regression test, where violations may be expected: `holds` where every verdict is as expected, `undecided` where
// the only difference is an unknown verdict.
[[nodiscard]] Conclusion expected_result_of(const RunReport& report);

}  // namespace tideline::run
