// One line on a terminal that is rewritten during a search.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

#include "explore/statistics.hpp"
#include "support/terminal.hpp"

namespace tideline::report {

// Where `out` is no terminal nothing is ever written. Not for several threads at a time.
class StatusLine {
public:
    using Clock = std::chrono::steady_clock;

    StatusLine(std::FILE* out, support::TerminalTraits traits, std::function<Clock::time_point()> now = Clock::now);
    ~StatusLine();
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    // Cheap where it is not yet time to write again.
    void update(const explore::Statistics& statistics);
    // Erases the line, so that other text can be written.
    void clear();

private:
    [[nodiscard]] std::string text(const explore::Statistics& statistics, double seconds) const;
    void write(const std::string& line);

    std::FILE* out_;
    support::TerminalTraits traits_;
    std::function<Clock::time_point()> now_;
    Clock::time_point start_;
    Clock::time_point next_;
    std::size_t shown_width_ = 0;
};

}  // namespace tideline::report
