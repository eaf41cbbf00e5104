// Where a run reports what happens while it is under way. Printing is the caller's.
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
    virtual void report(const Diagnostics& /*diagnostics*/) {}
    // Something that is done otherwise than asked, or that the user may want to know.
    virtual void notice(const std::string& /*text*/) {}
    // A temporary ledger was made.
    virtual void ledger_opened(const std::string& /*directory*/) {}
    // Some ten times a second.
    virtual void progress(const Statistics& /*statistics*/) {}
    // The search that the figures were of has ended.
    virtual void progress_ended() {}
};

}  // namespace tideline::run
