// A trace as text for people.
#pragma once

#include <cstdint>
#include <string>

#include "support/budget.hpp"
#include "support/text_sink.hpp"
#include "trace/trace.hpp"

namespace tideline::trace {

enum class TraceStyle : std::uint8_t {
    full,     // all values after every step
    changes,  // all values at first, then what each step changes
    actions,  // one line per step
    none,     // nothing
};

struct RenderOptions {
    bool utf8 = false;
    bool colour = false;
    std::string file;          // of the model, shown with the lines of the steps; empty: lines alone
    bool from_initial = true;  // false: the first state is some reachable one
    std::size_t width = 100;   // where lists of values and source texts end
};

// Writes lines, the last one ended too, as they are made; nothing for a trace without states. Where the budget is
// exhausted the last line says how many steps are left out.
void render(const Trace& trace, TraceStyle style, const RenderOptions& options, const support::TextSink& sink,
            const support::Budget& budget);

// The same as one text.
std::string render(const Trace& trace, TraceStyle style, const RenderOptions& options);

}  // namespace tideline::trace
