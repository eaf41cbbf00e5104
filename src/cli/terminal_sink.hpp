// A run's messages on standard error, and a status line where that is a terminal. There, something is shown half a
// second after the start at the latest, whatever the program is doing: until the first figures come, a thread says that
// the run is being prepared.
#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/terminal_output.hpp"
#include "report/run_history.hpp"
#include "report/statistics_line.hpp"
#include "report/status_line.hpp"
#include "run/sink.hpp"

namespace tideline::cli {

class TerminalSink final : public run::Sink {
public:
    // `shows_beginning`: something is shown before the first figures; progress_ended() must come before anything else
    // is printed then.
    // `statistics`: a file that gets a line of figures every second.
    explicit TerminalSink(bool quiet, bool shows_beginning = true, const std::optional<std::string>& statistics = {})
        : quiet_(quiet), traits_(traits_of(STDERR_FILENO)) {
        if (statistics) statistics_.open(*statistics, std::ios::trunc);
        if (quiet_) traits_.terminal = false;
        if (!traits_.terminal || !shows_beginning) return;
        preparing_.emplace(stderr, traits_);
        try {
            waiter_ = std::thread([this] { say_that_it_is_preparing(); });
        } catch (const std::system_error&) {  // then nothing is said
        }
    }
    TerminalSink(const TerminalSink&) = delete;
    TerminalSink& operator=(const TerminalSink&) = delete;
    ~TerminalSink() override { end_preparing(); }

    // Errors are shown in quiet mode, too.
    void report(const support::Diagnostics& diagnostics) override {
        const std::lock_guard lock(mutex_);
        clear();
        for (const support::Diagnostic& diagnostic : diagnostics)
            if (!quiet_ || diagnostic.severity == support::Severity::error) print({diagnostic});
    }
    void notice(const std::string& text) override { write("notice: " + text); }
    void progress(const explore::Statistics& statistics) override {
        end_preparing();
        history_.add(std::chrono::duration<double>(report::StatusLine::Clock::now() - begun_).count(), statistics);
        write_statistics(statistics);
        if (!status_) status_.emplace(stderr, traits_, report::StatusLine::Clock::now, begun_);
        status_->update(statistics);
    }
    void progress_ended() override {
        end_preparing();
        if (statistics_.is_open() && last_) statistics_ << last_->second << std::flush;
        last_.reset();
        status_.reset();
        if (!statistics_.is_open() || statistics_) return;
        statistics_.close();
        write("the file of --stats cannot be written; it is not complete");
    }

    [[nodiscard]] const report::RunHistory& history() const { return history_; }

private:
    // Every second, and the last figures of a search.
    void write_statistics(const explore::Statistics& statistics) {
        if (!statistics_.is_open()) return;
        const report::StatusLine::Clock::time_point now = report::StatusLine::Clock::now();
        const double seconds = std::chrono::duration<double>(now - begun_).count();
        std::string line = report::statistics_line(statistics, seconds);
        if (now < next_statistics_) {
            last_ = {seconds, std::move(line)};
            return;
        }
        statistics_ << line << std::flush;
        last_.reset();
        next_statistics_ = now + std::chrono::seconds(1);
    }

    void say_that_it_is_preparing() {
        constexpr std::chrono::milliseconds kFirst{400};
        constexpr std::chrono::milliseconds kPause{200};
        std::unique_lock lock(mutex_);
        std::chrono::milliseconds pause = kFirst;
        while (!changed_.wait_for(lock, pause, [this] { return is_prepared_; })) {
            preparing_->show("preparing the run");
            pause = kPause;
        }
    }
    void end_preparing() {
        if (!waiter_.joinable()) return;
        {
            const std::lock_guard lock(mutex_);
            is_prepared_ = true;
        }
        changed_.notify_all();
        waiter_.join();
        preparing_.reset();
    }
    void clear() {
        if (preparing_) preparing_->clear();
        status_.reset();
    }
    void write(const std::string& text) {
        const std::lock_guard lock(mutex_);
        clear();
        if (!quiet_) std::fprintf(stderr, "tideline: %s\n", text.c_str());
    }

    bool quiet_;
    support::TerminalTraits traits_;
    std::ofstream statistics_;
    report::StatusLine::Clock::time_point next_statistics_ = report::StatusLine::Clock::now();
    std::optional<std::pair<double, std::string>> last_;  // figures that are not written yet
    report::StatusLine::Clock::time_point begun_ = report::StatusLine::Clock::now();
    std::optional<report::StatusLine> status_;
    report::RunHistory history_;
    std::mutex mutex_;  // of what the thread below uses, and of what is printed meanwhile
    std::condition_variable changed_;
    bool is_prepared_ = false;
    std::optional<report::StatusLine> preparing_;
    std::thread waiter_;
};

}  // namespace tideline::cli
