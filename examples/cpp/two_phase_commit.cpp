// The two-phase commit protocol as a system written in C++.
//
//     build/release/examples/two_phase_commit explore --engine sweep --workers 3
//     build/release/examples/two_phase_commit check --deadlock
//     build/release/examples/two_phase_commit explore --engine sweep --workers 3 --symmetry auto
//
// The coordinator asks all workers and waits for their votes; when all are in, it sends the decision to those that said
// yes and waits until they have acknowledged. Its phase is the progress of the system; it is not monotonic, since a new
// round begins at the end.
#include <algorithm>
#include <array>

#include "cli/cpp_main.hpp"

namespace {

constexpr int kMostWorkers = 12;

struct TwoPhaseCommit {
    int workers = 2;

    enum Phase : std::uint8_t { kIdle, kVotes, kAcknowledgements };
    enum Worker : std::uint8_t { kReady, kAsked, kYes, kNo, kToCommit, kToAbort, kCommitted, kAborted };

    struct State {
        Phase coordinator = kIdle;
        std::array<Worker, kMostWorkers> worker{};
    };

    State initial() const { return {}; }

    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        const auto all = [&](auto&& holds) { return std::all_of(s.worker.begin(), s.worker.begin() + workers, holds); };
        State t = s;
        const auto set = [&](auto&& value) {
            std::transform(s.worker.begin(), s.worker.begin() + workers, t.worker.begin(), value);
        };
        if (s.coordinator == kIdle) {
            t.coordinator = kVotes;
            set([](Worker) { return kAsked; });
            emit(t, "ask");
        } else if (s.coordinator == kVotes && all([](Worker w) { return w == kYes || w == kNo; })) {
            const bool commit = all([](Worker w) { return w == kYes; });
            t.coordinator = kAcknowledgements;
            set([&](Worker w) { return w == kNo ? kReady : commit ? kToCommit : kToAbort; });
            emit(t, commit ? "decide to commit" : "decide to abort");
        } else if (s.coordinator == kAcknowledgements &&
                   all([](Worker w) { return w != kToCommit && w != kToAbort; })) {
            t.coordinator = kIdle;
            set([](Worker) { return kReady; });
            emit(t, "collect");
        }
        for (int i = 0; i < workers; ++i) {
            const auto move = [&](Worker to, const char* name) {
                State next = s;
                next.worker[i] = to;
                emit(next, name);
            };
            if (s.worker[i] == kAsked) {
                move(kYes, "vote yes");
                move(kNo, "vote no");
            }
            if (s.worker[i] == kToCommit) move(kCommitted, "acknowledge the commit");
            if (s.worker[i] == kToAbort) move(kAborted, "acknowledge the abort");
        }
    }

    void describe(const State& s, tideline::successor::Description& d) const {
        d.value("coordinator", s.coordinator);
        d.values("worker", s.worker);
        d.label("committing", std::count(s.worker.begin(), s.worker.end(), kToCommit) > 0);
        d.label("aborting", std::count(s.worker.begin(), s.worker.end(), kToAbort) > 0);
    }

    // Workers are copies of each other: with --symmetry auto they are sorted.
    State canonical(const State& s) const {
        State t = s;
        std::sort(t.worker.begin(), t.worker.begin() + workers);
        return t;
    }

    std::array<std::uint32_t, 1> progress(const State& s) const { return {s.coordinator}; }

    void options(tideline::cli::CppOptions& o) { o.number("--workers", workers, 1, kMostWorkers, "number of workers"); }
};

}  // namespace

int main(int argc, char** argv) { return tideline::cli::main(argc, argv, TwoPhaseCommit{}); }
