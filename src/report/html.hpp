// A run as one HTML file that needs nothing else: verdicts, traces to step through, evidence as a tree, how the search
// went. The page is src/report/html/; the data in it are the JSON report.
#pragma once

#include <string>

#include "report/run_history.hpp"
#include "run/run_report.hpp"
#include "support/budget.hpp"
#include "support/text_sink.hpp"

namespace tideline::report {

// `command`: the command line that made the run, to be shown. Traces as write_json() has them.
void write_html(const run::RunReport& report, const RunHistory& history, const std::string& command,
                const support::TextSink& sink, const support::Budget& budget);

}  // namespace tideline::report
