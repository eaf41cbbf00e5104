// The second part of a search: rounds, with threads, barrier and limits (docs/algorithms/rounds.md).
//
// In a round every thread *produces*: it pops states of its partition and expands them into a batch; and *inserts*: it
// goes through the batches of all and inserts the successors that its partition owns. Then one thread, alone, *finishes
// the round*: it reports to the observer, looks at the limits, repacks states with wider fields, makes checkpoints,
// advances the walk. Several threads meet once per round, before it is finished: each inserts what was sent in the
// round before and then makes what it will send, so that one part that takes long is made up for by the other. Nothing
// is ever touched by two threads at a time, and no part needs a lock; what a search with several threads does depends
// on their number only.
//
// Threads of a walk with shared tables (joint_breadth_first.hpp) work like a thread that is alone, with small batches
// that stay in its cache, and meet the others only to finish a round. There the order of states within a level is left
// to chance.
#pragma once

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "explore/barrier.hpp"
#include "explore/batch_inserter.hpp"
#include "explore/batch_producer.hpp"
#include "explore/change_step.hpp"
#include "explore/event_reporter.hpp"
#include "explore/measure_errors.hpp"
#include "explore/recorder.hpp"
#include "explore/search_core.hpp"
#include "explore/searched_system.hpp"
#include "explore/team_pace.hpp"
#include "explore/thread_team.hpp"
#include "support/memory.hpp"

namespace tideline::explore {

template <Walk W>
class Rounds {
public:
    using RecorderType = typename RecorderOf<W>::type;

    Rounds(SearchCore<W>& core, EventReporter<W>& reporter, RecorderType& recorder, std::size_t label_bytes)
        : core_(core), reporter_(reporter), recorder_(recorder), producer_(core, label_bytes), inserter_(core) {}

    // Until the walk is complete, or the search is stopped.
    void run(ThreadTeam& team) { core_.workers.size() == 1 ? run_alone() : run_together(team); }

    // To what is expanded next. False: the walk is complete.
    bool advance() {
        const bool continues = core_.walk.advance(core_.owner);
        // A walk that records has asked what it could have, and given memory back where it was too little.
        if constexpr (kRecords) {
            core_.limits.clear_memory_pressure();
            if (const support::StopReason reason = core_.walk.cut_short(); reason != support::StopReason::none)
                end(reason);
        }
        return continues;
    }

private:
    using Clock = SearchLimits::Clock;
    static constexpr bool kRecords = W::kTraits.records();
    static constexpr bool kSharedTables = W::kTraits.shared_tables;
    static constexpr bool kHandsOver = W::kTraits.hands_over;
    static constexpr std::uint64_t kRoundsPerCheck = 16;
    static constexpr std::chrono::milliseconds kRound{20};  // with shared tables

    // ---- threads ---------------------------------------------------------------------------------------------------

    void run_alone() {
        Worker<W>& worker = *core_.workers[0];
        while (!core_.control.finished()) {
            producer_.produce(worker);
            if constexpr (W::kTraits.discovers_on_pop()) {
                if (worker.popped > 0 && !reporter_.report_entered(worker)) return;
                if (worker.popped > 0) producer_.expand(worker);
            }
            recorder_.append_popped();
            inserter_.insert_all(worker);
            deliver_edges(worker);
            core_.edges.end_round();
            finish_round();
        }
    }

    void run_together(ThreadTeam& team) {
        Barrier barrier(core_.workers.size());
        TeamPace pace(core_.workers.size(), Clock::now());
        team.run([&](unsigned i) {
            while (!core_.control.finished()) {
                const TeamPace::Reading begin = TeamPace::read();
                work(*core_.workers[i], barrier, false);
                pace.end_part(i, begin, TeamPace::read());
                barrier.arrive([&] {
                    pace.end_round(Clock::now());
                    finish_round_of_threads();
                    work_for_all(barrier, pace);
                    pace.start_round(Clock::now());
                });
            }
        });
        if (failure_) std::rethrow_exception(failure_);
    }

    // The others sleep while one thread does all parts of rounds: where there is little to do, or where threads do not
    // get processors of their own.
    void work_for_all(const Barrier& barrier, TeamPace& pace) {
        while (!core_.control.finished()) {
            const bool has_little = has_little_to_do();
            if (!has_little && !pace.works_alone()) return;
            const TeamPace::Reading begin = TeamPace::read();
            for (const auto& each : core_.workers) work(*each, barrier, true);
            if (!has_little) pace.end_round_alone(begin, TeamPace::read());
            finish_round_of_threads();
        }
    }

    // One thread's part of a round; `alone` where one thread does the parts of all.
    void work(Worker<W>& worker, const Barrier& barrier, bool alone) {
        if (worker.failure) return;
        try {
            if constexpr (kSharedTables) {
                work_on_shared_tables(worker, barrier, alone);
            } else {
                inserter_.insert_all(worker);
                producer_.produce(worker);
            }
        } catch (...) {
            worker.failure = std::current_exception();
        }
    }

    // Batches, until there is something to report of one, or another thread waits, or it is time to look at the limits.
    void work_on_shared_tables(Worker<W>& worker, const Barrier& barrier, bool alone) {
        const bool reports_all = core_.observer.wants_discoveries();
        const bool reports_deadlocks = core_.observer.wants_deadlocks();
        const auto continues = [&] {
            if (worker.popped == 0 || !is_expandable(worker)) return false;
            if (reports_all || worker.sent->batch.has_faults() || (reports_deadlocks && !worker.deadlocks.empty()) ||
                !worker.hits.empty())
                return false;
            if (core_.may_change && core_.limits.memory_pressure()) return false;
            return !core_.settings.states &&
                   (alone || !barrier.has_waiters());  // a limit on states is looked at after every batch
        };
        worker.partition.set_alone(alone);
        worker.partition.allow_deferral(!reports_all && core_.observer.watched_labels().empty() &&
                                        !core_.edges.wants_edges());
        inserter_.start_round(worker);
        const Clock::time_point end = Clock::now() + kRound;
        do {
            producer_.produce(worker);
            inserter_.count_sources(worker);
            inserter_.insert_from(worker, *worker.sent, worker.discovered[0]);
            deliver_edges(worker);
        } while (continues() && Clock::now() < end);
        worker.partition.flush_deferred();
    }

    // Whether a round takes less time than to wait for other threads. The same at every run: it depends on counts only.
    [[nodiscard]] bool has_little_to_do() const {
        std::uint64_t states = core_.walk.ready();
        std::uint64_t successors = 0;
        for (const auto& worker : core_.workers) {
            states += worker->popped - worker->cursor.state;
            if (!kSharedTables) successors += worker->sent->batch.size();
        }
        return states < core_.settings.alone_below && successors < 2 * core_.settings.alone_below;
    }

    // ---- the end of a round ----------------------------------------------------------------------------------------

    // While the other threads wait.
    void finish_round_of_threads() noexcept {
        if (core_.control.finished()) return;
        try {
            for (const auto& each : core_.workers)
                if (each->failure) std::rethrow_exception(each->failure);
            if (!kSharedTables)
                for (const auto& each : core_.workers) deliver_edges(*each);  // of states that were popped before
            core_.edges.end_round();
            recorder_.append_popped();
            finish_round();
            if (!kSharedTables)
                for (const auto& each : core_.workers) std::swap(each->made, each->sent);
        } catch (const std::bad_alloc&) {
            core_.stop(support::StopReason::memory);
        } catch (...) {
            failure_ = std::current_exception();
            core_.control.finish();
        }
    }

    void finish_round() {
        if (!check_order(core_) || !reporter_.report_round()) return;
        bool is_idle = follow_stopped_expansion();
        if (core_.control.finished()) return;
        if (is_check_due()) check_limits();
        if (core_.control.finished()) return;
        if constexpr (kRecords)
            if (!checkpoint_where_due(is_idle)) return;
        if constexpr (kHandsOver)
            if (core_.control.is_quiescence_requested() && !follow_change_request()) return;
        if (!is_idle) return;
        if (!end_layer()) {
            core_.stop(support::StopReason::violation);
            return;
        }
        if (advance()) return;
        core_.control.finish();
        if constexpr (kRecords) recorder_.checkpoint(true);
    }

    [[nodiscard]] static bool is_expandable(const Worker<W>& worker) {
        return worker.expansion == successor::Expansion::done || worker.expansion == successor::Expansion::full;
    }

    // Where an expander needs wider fields, or a key is undefined: at once, or when what several threads have made is
    // inserted. Returns whether no thread has anything to expand.
    bool follow_stopped_expansion() {
        bool is_idle = true;
        for (const auto& worker : core_.workers) {
            is_idle = is_idle && worker->popped == 0;
            if (is_expandable(*worker)) continue;
            const bool is_draining = core_.control.state() == RoundState::draining;
            if (!core_.inserts_at_once() && !is_draining) {
                core_.control.begin_drain();
                return false;
            }
            if (is_draining) core_.control.end_drain();
            if (worker->expansion == successor::Expansion::key_undefined) stop_without_key(core_, *worker);
            else repack_wider(*worker->expander);
            return false;
        }
        return is_idle;
    }

    void repack_wider(const successor::Expander& stopped) {
        std::shared_ptr<const successor::System> wider = repacked(*core_.system, stopped, core_.limits);
        const successor::Repacking translate = wider->repacking(*core_.system);
        core_.walk.repack(*wider, translate, core_.owner);
        const std::size_t words = wider->state_words();
        for (const auto& worker : core_.workers) {
            const std::vector<successor::Word> states = std::exchange(worker->states, {});
            worker->resize_buffers(words, core_.workers.size());
            for (std::size_t i = 0; i < worker->popped; ++i)
                translate(states.data() + i * core_.system->state_words(), worker->states.data() + i * words);
            worker->expander = wider->search_expander();
        }
        core_.system = std::move(wider);
    }

    // ---- edges ---------------------------------------------------------------------------------------------------

    // What the worker has sent, when all of it has been inserted.
    void deliver_edges(Worker<W>& worker) {
        if (!core_.edges.listens()) return;
        std::optional<successor::Key> key;
        if constexpr (requires { core_.walk.key(); }) key = core_.walk.key();
        core_.edges.deliver(static_cast<unsigned>(worker.number), *worker.sent, *worker.expander, key);
    }

    // Nothing of the layer is left. False: a sink has seen enough.
    bool end_layer() {
        LayerEnd layer{.key = layers_++, .states = core_.walk.states(), .number_bound = core_.next_number};
        if constexpr (requires { core_.walk.key(); }) layer.key = core_.walk.key();
        if constexpr (requires { core_.walk.number_bound(); }) layer.number_bound = core_.walk.number_bound();
        else if (W::kTraits.in_discovery_order()) layer.number_bound = layer.states;
        return core_.edges.end_layer(layer);
    }

    // ---- limits ----------------------------------------------------------------------------------------------------

    [[nodiscard]] bool is_check_due() {
        ++rounds_;
        return is_regular_check() || core_.limits.is_check_requested() ||
               ((kRecords || core_.may_change) && core_.limits.memory_pressure());
    }
    // The same at every run: not where the clock has asked for it.
    [[nodiscard]] bool is_regular_check() const {
        return rounds_ % kRoundsPerCheck == 0 || core_.workers.size() > 1 || core_.settings.change_at;
    }

    void check_limits() {
        SearchLimits& limits = core_.limits;
        limits.clear_check_request();
        if (core_.settings.states && is_regular_check() && core_.walk.states() >= *core_.settings.states)
            end(support::StopReason::states);
        const Clock::time_point now = Clock::now();
        if (limits.since_last_check(now) > (kSharedTables ? 2 : 1) * SearchLimits::kLongestCheck)
            for (const auto& worker : core_.workers) worker->slice = std::max<std::size_t>(worker->slice / 4, 1);
        if (limits.is_past_deadline(now)) end(support::StopReason::time);
        if constexpr (kRecords) {
            if (!recorder_.relieve_memory_pressure()) request_split();
            if (recorder_.is_disk_short(limits.is_tick_due(now))) end(support::StopReason::disk);
        } else if (core_.may_change) {
            if (is_change_due(now)) core_.control.request_quiescence();
        } else if (limits.is_memory_check_due(now) && limits.is_memory_exceeded()) {
            end(support::StopReason::memory);
        }
        limits.clear_memory_pressure();
        if (!limits.is_tick_due(now)) return;
        limits.start_next_tick(now);
        if (limits.budget().is_interrupted()) end(support::StopReason::interrupted);
        if (kRecords && limits.is_memory_exceeded()) request_split();  // it can give memory back once more
        core_.update_statistics();
        core_.observer.tick(core_.statistics);
    }

    // ---- change to the sweep ---------------------------------------------------------------------------------------

    [[nodiscard]] bool is_change_due(Clock::time_point now) {
        if (core_.settings.change_at && core_.walk.states() >= *core_.settings.change_at) return true;
        return (core_.limits.is_memory_check_due(now) || core_.limits.memory_pressure()) &&
               core_.limits.is_change_due();
    }

    // Returns whether the walk may advance, where there is nothing to expand.
    bool follow_change_request()
        requires(W::kTraits.hands_over)
    {
        if (!core_.is_quiescent()) return false;
        core_.control.end_quiescence();
        core_.update_statistics();
        if (core_.statistics.waiting == 0) return true;  // that was all
        if (!change_over(core_, reporter_)) core_.may_change = false;
        return false;  // threads without work may only have been kept from it
    }

    // Ends the search; where it records, not before what was popped is expanded and everything is durable.
    void end(support::StopReason reason) {
        if constexpr (kRecords) {
            if (core_.reason == support::StopReason::none) core_.reason = reason;
            core_.control.request_quiescence();
        } else {
            core_.stop(reason);
        }
    }

    // The current layer is too large for memory: at the next checkpoint it is split.
    void request_split() {
        split_requested_ = true;
        core_.control.request_quiescence();
    }

    // Returns whether the walk may advance, where there is nothing to expand.
    bool checkpoint_where_due(bool& is_idle)
        requires(W::kTraits.records())
    {
        const bool was_requested = core_.control.is_quiescence_requested();
        if (!was_requested && !recorder_.is_checkpoint_due()) return true;
        if (!recorder_.is_quiescent()) {
            core_.control.request_quiescence();
            return false;
        }
        core_.control.end_quiescence();
        recorder_.checkpoint(false);
        if (core_.reason != support::StopReason::none) {
            core_.control.finish();
            return false;
        }
        // What the layer has so far is durable; the walk begins it again in smaller slices.
        if (std::exchange(split_requested_, false)) {
            if (!core_.walk.split_layer()) {
                end(support::StopReason::memory);
                return false;
            }
            support::release_free_memory();
            is_idle = true;
            return true;
        }
        return !was_requested;  // threads without work may only have been kept from it
    }

    SearchCore<W>& core_;
    EventReporter<W>& reporter_;
    RecorderType& recorder_;
    BatchProducer<W> producer_;
    BatchInserter<W> inserter_;
    std::exception_ptr failure_;
    std::uint64_t rounds_ = 0;
    std::uint64_t layers_ = 0;  // that have ended
    bool split_requested_ = false;
};

}  // namespace tideline::explore
