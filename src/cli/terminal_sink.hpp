// A run's messages on standard error, and a status line where that is a terminal.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <optional>

#include "cli/terminal_output.hpp"
#include "report/status_line.hpp"
#include "run/sink.hpp"

namespace tideline::cli {

class TerminalSink final : public run::Sink {
public:
    explicit TerminalSink(bool quiet) : quiet_(quiet), traits_(traits_of(STDERR_FILENO)) {
        if (quiet_) traits_.terminal = false;
    }

    // Errors are shown in quiet mode, too.
    void report(const support::Diagnostics& diagnostics) override {
        status_.reset();
        for (const support::Diagnostic& diagnostic : diagnostics)
            if (!quiet_ || diagnostic.severity == support::Severity::error) print({diagnostic});
    }
    void notice(const std::string& text) override { write("notice: " + text); }
    void ledger_opened(const std::string& directory) override { write("the ledger is in " + directory); }
    void progress(const explore::Statistics& statistics) override {
        if (!status_) status_.emplace(stderr, traits_);
        status_->update(statistics);
    }
    void progress_ended() override { status_.reset(); }

private:
    void write(const std::string& text) {
        status_.reset();
        if (!quiet_) std::fprintf(stderr, "tideline: %s\n", text.c_str());
    }

    bool quiet_;
    support::TerminalTraits traits_;
    std::optional<report::StatusLine> status_;
};

}  // namespace tideline::cli
