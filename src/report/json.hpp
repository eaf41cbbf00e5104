// A run as a JSON object, for programs. The names are fixed: scripts rely on them.
#pragma once

#include <string>

#include "run/run_report.hpp"
#include "support/budget.hpp"
#include "support/text_sink.hpp"

namespace tideline::report {

// Writes one object, ended by a newline; traces state by state. Bytes of the model's text that are not UTF-8 are
// replaced. A trace that the budget does not allow is null, or incomplete where it was begun; "trace_reason" says why;
// everything else is always written.
void write_json(const run::RunReport& report, const support::TextSink& sink, const support::Budget& budget);

// The same as one text.
std::string to_json(const run::RunReport& report);

}  // namespace tideline::report
