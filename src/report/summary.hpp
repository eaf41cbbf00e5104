// The short text about a run that a person reads at the end.
#pragma once

#include <string>

#include "run/run_report.hpp"
#include "trace/render.hpp"

namespace tideline::report {

struct SummaryOptions {
    bool utf8 = false;
    bool colour = false;
    bool brief = false;  // the answers only, no traces and no figures
    trace::TraceStyle style = trace::TraceStyle::changes;
    std::size_t width = 100;
    bool is_terminal = false;  // then the width is that of the terminal, and no line is longer than need be
};

// The answers first, then the traces of what is violated and of faults, then the figures. Traces are written as they
// are made, as far as the budget allows; everything else is always written.
void write_summary(const run::RunReport& report, const SummaryOptions& options, const support::TextSink& sink,
                   const support::Budget& budget);

// The same as one text.
std::string summary(const run::RunReport& report, const SummaryOptions& options);

// The answers alone: a line per verdict and fault.
void write_answers(const run::RunReport& report, const SummaryOptions& options, const support::TextSink& sink);

// Of a regression test: the verdicts that are not as expected, as a table, and how many there are.
std::string expectations(const run::RunReport& report);

}  // namespace tideline::report
