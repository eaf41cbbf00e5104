// The answer to a question about a system.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/statistics.hpp"
#include "model/fault.hpp"
#include "trace/trace.hpp"

namespace tideline {

enum class Answer : std::uint8_t { holds, violated, unknown };

constexpr std::string_view to_string(Answer answer) {
    switch (answer) {
        case Answer::holds: return "holds";
        case Answer::violated: return "violated";
        case Answer::unknown: return "unknown";
    }
    return "unknown";
}

struct [[nodiscard]] Verdict {
    std::string name;     // "invariant 1", "deadlock", "assert P.s"
    std::string logic;    // "invariant", "deadlock", "assert", later "ltl", "ctl", ...
    std::string formula;  // as the user wrote it; empty for deadlock
    Answer answer = Answer::unknown;
    std::string reason;   // of unknown: "memory", "time", "interrupted", "fault", or a sentence
    double seconds = 0;
    std::uint64_t states = 0;
    std::uint64_t expanded = 0;
    std::uint64_t peak_states = 0;
    std::optional<Trace> trace;
    std::string trace_reason;     // why a violation has no trace: "memory", "time", "interrupted", or a sentence
    std::optional<Answer> expected;  // by the user
};

// What a search has found out about a property.
struct PropertyFinding {
    bool violated = false;
    std::string note{};                       // to a violation: that the property cannot be evaluated there, say
    bool complete = false;                    // every reachable state was visited
    bool met_faults = false;                  // what lies behind a faulty step was not seen
    StopReason stopped = StopReason::none;    // why the search is not complete
};
// The one place where an answer is decided. A violation stands, whatever was not visited. That a property holds is said only where the search
// for it saw every reachable state and met no fault; everything else is unknown, with the reason.
void decide(Verdict& verdict, const PropertyFinding& finding);

// A run-time fault of the model: one per transition and kind, with the trace to its first occurrence.
struct FaultReport {
    FaultKind kind = FaultKind::none;
    bool in_assertion = false;      // a failed assertion met while exploring
    std::string text;               // "index 5 of a[4]", "assertion P.s: x < 3"
    std::uint64_t occurrences = 0;  // faulty steps of this kind by this transition
    std::optional<Trace> trace;
    std::string trace_reason{};     // why there is none, as in a Verdict
};

// A measure that cannot be used: the step where that shows.
struct MeasureError {
    StopReason kind = StopReason::against_order;  // or no_key
    Trace step;                                   // the state and, where there is one, its successor
    std::vector<Value> from_values;               // of the measure's components
    std::vector<Value> to_values;
};

struct [[nodiscard]] Outcome {
    std::string engine;
    bool complete = false;          // every reachable state was visited
    bool counts_known = true;       // false: states were deleted and met again, so distinct ones cannot be told
    StopReason reason = StopReason::none;
    bool resumable = false;         // the ledger has a checkpoint from which a resumed run gains something
    Statistics statistics;
    std::vector<FaultReport> faults;
    std::vector<Verdict> verdicts;  // empty for an exploration
    std::optional<MeasureError> measure_error;
};

}  // namespace tideline
