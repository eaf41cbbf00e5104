// The verdict on a property of a system.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/statistics.hpp"
#include "model/fault.hpp"
#include "trace/trace.hpp"

namespace tideline::check {

enum class Answer : std::uint8_t { holds, violated, unknown };

constexpr std::string_view to_string(Answer answer) {
    switch (answer) {
        case Answer::holds: return "holds";
        case Answer::violated: return "violated";
        case Answer::unknown: return "unknown";
    }
    return "unknown";
}

namespace ctl {
struct EvidenceTree;
}

// Whether all states of an accepting cycle have the same progress.
enum class CycleKind : std::uint8_t { single_layer, multi_layer };

constexpr std::string_view to_string(CycleKind kind) {
    return kind == CycleKind::single_layer ? "single-layer" : "multi-layer";
}

// How many states satisfy a subformula, and some of them.
struct Satisfying {
    std::string formula;
    std::uint64_t states = 0;
    std::vector<std::string> listed{};
};

// What an engine for branching time counts.
struct BranchingFigures {
    std::uint64_t operations = 0;             // temporal operators and path formulas
    std::uint64_t edges = 0;                  // of the graph; of its products for path formulas
    std::uint64_t edge_visits = 0;            // by all operations
    std::uint64_t most_edge_visits = 0;       // by one
    std::uint64_t product_nodes = 0;          // of path formulas
    std::uint64_t deepest_stack = 0;          // of a depth-first search
    std::uint64_t deepest_by_components = 0;  // the same in the order of components, where asked for
    std::uint64_t clusters = 0;               // of layers
    std::uint64_t largest_cluster = 0;        // states of it
    std::uint64_t scans = 0;                  // of edges on disk
};

// The residual graph of an exact sweep, as it was looked at, at its largest.
struct ResidualFigures {
    std::uint64_t nodes = 0;
    std::uint64_t edges = 0;
    std::uint64_t bytes = 0;       // in memory
    std::uint64_t disk_bytes = 0;  // of its edges in a file, beside the ledger
    std::uint64_t passes = 0;      // through these edges, of all looks
};

struct [[nodiscard]] Verdict {
    std::string name;     // "invariant 1", "deadlock", "assert P.s"
    std::string logic;    // "invariant", "deadlock", "assert", later "ltl", "ctl", ...
    std::string formula;  // as the user wrote it; empty for deadlock
    Answer answer = Answer::unknown;
    std::string reason;  // of unknown: "memory", "time", "interrupted", "fault", or a sentence
    std::string note{};  // a sentence on how a verdict that holds is to be read; may be empty
    double seconds = 0;
    std::uint64_t states = 0;
    std::uint64_t expanded = 0;
    std::uint64_t peak_states = 0;
    std::optional<trace::Trace> trace;
    std::string trace_reason;          // why a violation has no trace: "memory", "time", "interrupted", or a sentence
    std::optional<Answer> expected;    // by the user
    std::optional<CycleKind> cycle{};  // of a violation that a sweep has found
    std::optional<ResidualFigures> residual{};  // linear time by an exact sweep
    std::string vacuous{};                      // holds only because this condition is never true
    // Of branching time.
    std::optional<BranchingFigures> branching{};
    std::shared_ptr<const ctl::EvidenceTree> tree{};
    std::vector<Satisfying> satisfying{};
};

// What a search has found out about a property.
struct PropertyFinding {
    bool violated = false;
    std::string note{};       // to a violation: that the property cannot be evaluated there, say
    bool complete = false;    // every reachable state was visited
    bool met_faults = false;  // states behind a faulty step were not visited
    support::StopReason stopped = support::StopReason::none;  // why the search is not complete
};
// The only function that decides a verdict. A violation stands, whatever was not visited. That a property holds is said
// only where the search for it visited every reachable state without a fault; everything else is unknown, with the
// reason.
void decide(Verdict& verdict, const PropertyFinding& finding);

// A run-time fault of the model: one per transition and kind, with the trace to its first occurrence.
struct FaultReport {
    model::FaultKind kind = model::FaultKind::none;
    bool in_assertion = false;      // a failed assertion of an exploration
    std::string text;               // "index 5 of a[4]", "assertion P.s: x < 3"
    std::uint64_t occurrences = 0;  // faulty steps of this kind by this transition
    std::optional<trace::Trace> trace;
    std::string trace_reason{};  // why there is none, as in a Verdict
};

// A measure that cannot be used: the offending step.
struct MeasureError {
    support::StopReason kind = support::StopReason::against_order;  // or no_key
    trace::Trace step;                                              // the state and, where there is one, its successor
    std::vector<model::Value> from_values;                          // of the measure's components
    std::vector<model::Value> to_values;
};

struct [[nodiscard]] Outcome {
    std::string engine;
    bool complete = false;     // every reachable state was visited
    bool counts_known = true;  // false: states were deleted and visited again, so the number of distinct ones is
                               // unknown
    support::StopReason reason = support::StopReason::none;
    bool resumable = false;  // the ledger has a checkpoint from which a resumed run gains something
    explore::Statistics statistics;
    std::vector<FaultReport> faults;
    std::vector<Verdict> verdicts;  // empty for an exploration
    std::optional<MeasureError> measure_error;
};

}  // namespace tideline::check
