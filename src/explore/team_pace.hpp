// Whether the threads of a search help each other now, or hinder each other.
//
// Threads meet at the end of every round. Where other programs want the processors too, a thread is now and then
// suspended in the middle of its part, for some milliseconds, and all others wait for it: beside one busy process two
// threads took up to 1.4 times as long as one. Every part of a round may be done by any thread (rounds.hpp). So where
// threads do not get their processors, one thread does the parts of all for a while and the others sleep. That is a
// search with one thread, whatever the load. Results do not depend on who does a part.
//
// A team is crowded where its threads were runnable and did not run for more than a tenth of a window of some
// milliseconds: what a part took by the clock, less the thread's own processor time. That alone does not decide: beside
// many other processes a program with two threads gets twice the share of one with a single thread. So the processor
// time that a round gets per second decides. It is measured in both ways, and the better one is kept for a while, which
// doubles where it wins again; then the other one is tried for a window. (A trial costs some 30 ms: it takes the
// system a while to move what is left to a processor of its own.) A team that gets its processors reads two
// clocks per part, and never works alone.
//
// Tried and left: deciding by expanded states per second (it changes tenfold from one window to the next as a search
// goes on, on an idle machine too); counting involuntary context switches (they say nothing about how long one took).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include <time.h>

namespace tideline::explore {

class TeamPace {
public:
    using Clock = std::chrono::steady_clock;
    using Duration = Clock::duration;

    // What a thread reads when it begins a part, and when it ends it.
    struct Reading {
        Clock::time_point now;
        Duration processor{};  // of the thread
    };
    [[nodiscard]] static Reading read() {
        timespec time{};
        const bool known = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0;
        const Clock::time_point now = Clock::now();
        // Where it is not known, no thread seems to be suspended.
        if (!known) return {now, now.time_since_epoch()};
        return {now, std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)};
    }

    TeamPace(std::size_t threads, Clock::time_point now) : threads_(threads), round_begin_(now) {}

    // Each thread, about its part of a round.
    void end_part(std::size_t thread, const Reading& begin, const Reading& end) {
        threads_[thread].processor += end.processor - begin.processor;
        threads_[thread].elapsed += end.now - begin.now;
    }

    // One thread, when all parts are done, and when what is done between rounds is done.
    void end_round(Clock::time_point now) {
        Duration processor{};
        Duration elapsed{};
        for (Thread& thread : threads_) {
            processor += thread.processor;
            elapsed += thread.elapsed;
            thread.processor = thread.elapsed = {};
        }
        suspended_ += elapsed - processor;
        add(processor, now - round_begin_, now);
    }
    void start_round(Clock::time_point now) { round_begin_ = now; }

    // One thread has done the parts of all, because works_alone().
    void end_round_alone(const Reading& begin, const Reading& end) {
        add(end.processor - begin.processor, end.now - begin.now, end.now);
    }
    [[nodiscard]] bool works_alone() const { return alone_; }

private:
    static constexpr Duration kWindow = std::chrono::milliseconds(16);
    static constexpr Duration kShortestHold = std::chrono::milliseconds(256);
    static constexpr Duration kLongestHold = std::chrono::milliseconds(2048);
    static constexpr int kCrowdedPercent = 10;
    // Several threads need this much more processor time for the same work: lines of memory travel between them.
    static constexpr double kOverhead = 1.1;
    static constexpr double kDecay = 0.5;  // of what earlier windows say, at every window

    struct alignas(64) Thread {
        Duration processor{};
        Duration elapsed{};
    };
    // Processor time per time, in one of the two ways.
    struct Share {
        double processor = 0;
        double elapsed = 0;
        [[nodiscard]] double value() const { return processor / elapsed; }
    };

    void add(Duration processor, Duration elapsed, Clock::time_point now) {
        processor_ += processor;
        elapsed_ += elapsed;
        if (elapsed_ < kWindow) return;
        Share& share = shares_[alone_ ? 1 : 0];
        share.processor = share.processor * kDecay + std::chrono::duration<double>(processor_).count();
        share.elapsed = share.elapsed * kDecay + std::chrono::duration<double>(elapsed_).count();
        const bool is_crowded =
            alone_ || suspended_ * 100 > elapsed_ * kCrowdedPercent * static_cast<Duration::rep>(threads_.size());
        processor_ = elapsed_ = suspended_ = {};
        if (!is_crowded) {
            shares_[0] = shares_[1] = {};
            hold_ = kShortestHold;
            return;
        }
        if (now >= hold_until_) choose(now);
    }

    // Keeps to the better way for a while, or tries the other one.
    void choose(Clock::time_point now) {
        if (!is_trial_) {
            is_trial_ = true;
            alone_ = !alone_;
            return;
        }
        is_trial_ = false;
        const bool alone_is_better = shares_[0].value() < kOverhead * shares_[1].value();
        if (alone_is_better != alone_won_) hold_ = kShortestHold;
        hold_until_ = now + hold_;
        hold_ = std::min(hold_ * 2, kLongestHold);
        alone_won_ = alone_ = alone_is_better;
    }

    std::vector<Thread> threads_;
    Clock::time_point round_begin_;
    // Of this window.
    Duration processor_{};
    Duration elapsed_{};
    Duration suspended_{};

    bool alone_ = false;
    bool is_trial_ = false;   // this window tries the way that was not chosen
    bool alone_won_ = false;  // the last time
    Share shares_[2];         // together, alone
    Duration hold_ = kShortestHold;
    Clock::time_point hold_until_{};
};

}  // namespace tideline::explore
