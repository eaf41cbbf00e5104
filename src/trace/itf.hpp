// A trace as JSON, in the Informal Trace Format (ITF) of Apalache's ADR 015, which other tools read.
#pragma once

#include <string>

#include "support/budget.hpp"
#include "support/text_sink.hpp"
#include "trace/trace.hpp"

namespace tideline::trace {

struct ItfOptions {
    std::string description;  // what the trace shows
    std::string source;       // the model's file; empty: left out
    std::size_t indent = 0;   // of the lines after the first, for an object inside another one
};

// Writes the object without a newline at its end, state by state. Bytes of the model's text that are not UTF-8 are
// replaced. Where the budget is exhausted the remaining states are left out and the object says so under "incomplete";
// the reason is returned.
support::StopReason write_itf(const Trace& trace, const ItfOptions& options, const support::TextSink& sink,
                              const support::Budget& budget);

// The same as one text, ended by a newline.
std::string to_itf_text(const Trace& trace, const ItfOptions& options);

}  // namespace tideline::trace
