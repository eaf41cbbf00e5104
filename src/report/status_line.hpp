// One line on a terminal that is rewritten during a search.
//
// How much is left is guessed from how the frontier grows. Where every expanded state gives, by the latest figures, r
// new ones, and r is less than 1, those that are open now will give open / (1 - r) in all. Where r is 1 or more there
// is no end in sight, and nothing is said. A sweep whose measure never decreases says how far its line is among the
// keys that the measure can have, and how long the rest takes at the speed of the last seconds.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "explore/statistics.hpp"
#include "support/terminal.hpp"

namespace tideline::report {

// Where `out` is no terminal nothing is ever written. Not for several threads at a time.
class StatusLine {
public:
    using Clock = std::chrono::steady_clock;

    // `begun`: when the run did, if that was earlier.
    StatusLine(std::FILE* out, support::TerminalTraits traits, std::function<Clock::time_point()> now = Clock::now,
               std::optional<Clock::time_point> begun = {});
    ~StatusLine();
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    // Cheap where it is not yet time to write again.
    void update(const explore::Statistics& statistics);
    // What is going on before there are figures, and for how long.
    void show(const std::string& what);
    // Erases the line, so that other text can be written.
    void clear();

private:
    // Some looks at the figures, the oldest first.
    struct Look {
        double seconds;
        std::uint64_t expanded;
        std::uint64_t states;
        double share;  // of the measure
    };
    // Of the runs before this one was resumed.
    struct Before {
        double seconds;
        std::uint64_t states;
    };
    void look(const explore::Statistics& statistics, double seconds);
    [[nodiscard]] std::string guess(const explore::Statistics& statistics) const;
    [[nodiscard]] std::string text(const explore::Statistics& statistics, double seconds) const;
    void write(const std::string& line);
    // What a line may take.
    [[nodiscard]] std::size_t room() const;

    std::FILE* out_;
    support::TerminalTraits traits_;
    std::function<Clock::time_point()> now_;
    Clock::time_point start_;
    Clock::time_point next_;
    std::size_t shown_width_ = 0;
    std::deque<Look> looks_;
    bool has_begun_ = false;
    std::optional<Before> first_;
};

}  // namespace tideline::report
