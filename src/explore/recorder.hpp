// The third part of a search, beside the walk and the rounds, where the walk has a ledger: what is popped is appended
// to the ledger before it is expanded, from time to time everything is made durable (checkpoint), and a search that was
// interrupted continues from there (resume). It also decides, with the walk, what is left to the ledger when memory is
// short, and when the disk is.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "explore/event_reporter.hpp"
#include "explore/ledger_edge_sink.hpp"
#include "explore/ledger_run.hpp"
#include "explore/search_core.hpp"
#include "support/memory.hpp"

namespace tideline::explore {

template <Walk W>
class Recorder {
    static_assert(W::kTraits.records());

public:
    using Clock = SearchLimits::Clock;

    Recorder(SearchCore<W>& core, EventReporter<W>& reporter)
        : core_(core),
          reporter_(reporter),
          ledger_(*core.settings.ledger),
          next_checkpoint_(core.limits.start() + ledger_.checkpoint_every) {
        core_.walk.set_overdraft(core_.limits.overdraft());
        if (ledger_.writer.header().edges) core_.edges.add(&edges_.emplace(ledger_.writer));
    }

    // ---- append ----------------------------------------------------------------------------------------------------

    // States that were popped in this round become part of the ledger, before anything can refer to them. In the order
    // of the threads, so that numbers are the same every time.
    void append_popped() {
        for (const auto& worker : core_.workers) {
            Production& made = *worker->made;
            if (made.has_just_popped && worker->popped > 0)
                worker->first_number = core_.walk.record(worker->number, worker->recorded_labels);
            made.first_number = worker->first_number;
            made.batch.set_first_number(made.first_number + made.batch.first_source());
        }
    }

    // ---- checkpoint ------------------------------------------------------------------------------------------------

    [[nodiscard]] bool is_checkpoint_due() const { return Clock::now() >= next_checkpoint_; }

    [[nodiscard]] bool is_quiescent() const { return core_.is_quiescent(); }

    void checkpoint(bool complete) {
        assert(is_quiescent() && "nothing that was popped may be lost");
        assert((!edges_ || edges_->empty()) && "the edges of everything that was popped are written");
        core_.update_statistics();
        SavedSearch saved;
        saved.complete = complete;
        saved.statistics = core_.statistics;
        saved.events = reporter_.events().all();
        core_.walk.checkpoint(std::move(saved));
        next_checkpoint_ = Clock::now() + ledger_.checkpoint_every;
    }

    // The search has ended. `begun`: there was something to expand.
    void finish(bool begun) {
        if (!begun && core_.reason == support::StopReason::none && !ledger_.saved.complete) checkpoint(true);
        ledger_.writer.wait();
    }

    // Whether resuming continues from something that this search, or the one that it has resumed, has made durable.
    [[nodiscard]] bool is_resumable() const {
        return core_.reason != support::StopReason::none && (ledger_.resumed || ledger_.writer.durable_commits() > 0);
    }

    // ---- resume ----------------------------------------------------------------------------------------------------

    [[nodiscard]] bool resumes() const { return ledger_.resumed; }

    // What the search knew when it was interrupted. False: that is all there is, or enough for the observer.
    bool resume() {
        const SavedSearch& saved = ledger_.saved;
        Worker<W>& first = *core_.workers[0];
        first.expanded = saved.statistics.expanded;
        first.transitions = saved.statistics.transitions;
        first.deadlock_count = saved.statistics.deadlocks;
        core_.statistics.faults = saved.statistics.faults;
        core_.statistics.changed_over = saved.statistics.changed_over;
        core_.seconds_before = saved.statistics.seconds;
        core_.update_statistics();
        if (!reporter_.report_again(saved.events, [this](std::uint64_t number) { return core_.walk.state_of(number); }))
            return false;
        core_.walk.load_open_states(core_.owner);
        core_.limits.clear_memory_pressure();
        return !saved.complete && core_.walk.advance(core_.owner);
    }

    // ---- memory and disk -------------------------------------------------------------------------------------------

    // Leaves states of the frontier to the ledger before memory runs out. False: the current layer itself is too large.
    bool relieve_memory_pressure() {
        if (!core_.limits.needs_relief()) return true;
        const bool has_spilled = core_.walk.spill(core_.limits.relief_bytes());
        support::release_free_memory();
        return has_spilled && core_.limits.is_relieved();
    }

    // Whether what is left of the disk is needed for the last checkpoint: of the user's limit, and of the file system,
    // which is looked at when a tick is due, and always where it may be full before the next one. The ledger counts
    // what it has written; what it was given since then, and a checkpoint would give it, counts by how much it has been
    // compressed so far, twice to be safe.
    bool is_disk_short(bool is_tick_due) {
        constexpr std::uint64_t kNearlyFull = std::uint64_t{256} << 20U;
        const std::optional<std::uint64_t>& disk = core_.limits.budget().limits().disk;
        const bool looks_at_file_system = is_tick_due || file_system_free_ < kNearlyFull;
        if (!disk && !looks_at_file_system) return false;
        if (edges_) core_.walk.note_edges(edges_->take_count());
        const auto is_short = [&](const auto& free) {
            if (core_.walk.checkpoint_bytes() < free()) return false;
            ledger_.writer.wait();
            core_.walk.note_written();
            return core_.walk.checkpoint_bytes() >= free();
        };
        if (disk && is_short([&] { return *disk - std::min(*disk, ledger_.writer.bytes()); })) return true;
        return looks_at_file_system && is_short([&] { return file_system_free_ = free_bytes_of_file_system(); });
    }

private:
    [[nodiscard]] std::uint64_t free_bytes_of_file_system() const {
        if (ledger_.free_bytes) return ledger_.free_bytes();
        std::error_code error;
        const std::filesystem::space_info space = std::filesystem::space(ledger_.writer.directory(), error);
        return error ? std::numeric_limits<std::uint64_t>::max() : std::uint64_t{space.available};
    }

    SearchCore<W>& core_;
    EventReporter<W>& reporter_;
    LedgerRun& ledger_;
    Clock::time_point next_checkpoint_;
    std::uint64_t file_system_free_ = 0;   // bytes, when it was last looked at
    std::optional<LedgerEdgeSink> edges_;  // where they are recorded
};

// What a search has in its place where the walk has no ledger.
struct NoRecorder {
    template <class... Ignored>
    explicit NoRecorder(Ignored&&... /*ignored*/) {}
    void append_popped() {}
};

template <Walk W>
struct RecorderOf {
    using type = NoRecorder;
};
template <Walk W>
    requires(W::kTraits.records())
struct RecorderOf<W> {
    using type = Recorder<W>;
};

}  // namespace tideline::explore
