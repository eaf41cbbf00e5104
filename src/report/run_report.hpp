// Everything that is told about a run, to a person or to a program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/verdict.hpp"

namespace tideline {

struct RunReport {
    std::string version;      // of the tool
    std::string model_path;
    std::string format;       // of the model: "dve", "aut", ...
    Outcome outcome;
    std::uint64_t peak_rss_bytes = 0;
    std::uint64_t ledger_bytes = 0;
    std::string progress_source = "none";
    std::string monotonic = "unknown";
    std::vector<std::string> components;  // of the progress measure
    std::optional<double> predicted_share;  // of the states, in memory at the peak
    std::string engine_reason;            // why this engine was chosen, where nobody asked for it
};

// The answer that may be told. A search that did not see every state may have found a violation, but never says that something
// holds: whatever an engine claims, that is unknown.
Answer told_answer(const Outcome& outcome, const Verdict& verdict);

// What a property without an expected verdict is expected to do: to hold.
Answer expected_answer(const Verdict& verdict);

// Why an answer is unknown: the verdict's reason or else that of the whole run. What there is to add to a violation: that the property
// cannot be evaluated, say.
std::string told_reason(const Outcome& outcome, const Verdict& verdict);

// "index", "range", ... or "assertion" for a failed one.
std::string fault_kind_text(const FaultReport& fault);

}  // namespace tideline
