// Receives the messages of a running run. Printing is the caller's.
#pragma once

#include <string>

#include "explore/statistics.hpp"
#include "support/diagnostic.hpp"

namespace tideline::run {

// All calls come from the thread that called execute().
class Sink {
public:
    virtual ~Sink() = default;
    // Warnings about the input, and errors that do not end the run.
    virtual void report(const support::Diagnostics& /*diagnostics*/) {}
    // A deviation from the request, or something else that the user may want to know.
    virtual void notice(const std::string& /*text*/) {}
    // Some ten times a second.
    virtual void progress(const explore::Statistics& /*statistics*/) {}
    // The search has ended.
    virtual void progress_ended() {}
};

}  // namespace tideline::run
