// A trace as a message sequence chart, in Mermaid's notation: a column per process that takes part.
#pragma once

#include "support/budget.hpp"
#include "support/text_sink.hpp"
#include "trace/trace.hpp"

namespace tideline::trace {

// A rendezvous is a solid arrow. A message through a buffered channel is a note where it is sent, and a dashed arrow
// from its sender where it is received; printed texts are notes. Where the budget is exhausted the chart ends with a
// comment that says so.
support::StopReason write_msc(const Trace& trace, const support::TextSink& sink, const support::Budget& budget);

}  // namespace tideline::trace
