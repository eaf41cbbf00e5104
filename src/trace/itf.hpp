// A trace as JSON, in the Informal Trace Format (ITF) of Apalache's ADR 015, which other tools read.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "trace/trace.hpp"

namespace tideline {

struct ItfOptions {
    std::string description;  // what the trace shows
    std::string source;       // the model's file; empty: left out
};

nlohmann::json to_itf(const Trace& trace, const ItfOptions& options);

// The same as text for a file of its own. Bytes of the model's text that are not UTF-8 are replaced.
std::string to_itf_text(const Trace& trace, const ItfOptions& options);

}  // namespace tideline
