// What the parts of a search have in common: the system, the walk, the workers, the figures, and why the search ended.
//
// The parts: rounds (rounds.hpp: threads, barrier, limits) call, in each round, the producer (batch_producer.hpp: pop
// and expand), the inserter (batch_inserter.hpp: insert successors, evaluate labels), the reporter (event_reporter.hpp:
// reports to the observer) and, where the walk has a ledger, the recorder (recorder.hpp: append, checkpoint, resume).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "explore/edge_stream.hpp"
#include "explore/owner.hpp"
#include "explore/round_state.hpp"
#include "explore/search.hpp"
#include "explore/search_limits.hpp"
#include "explore/searched_system.hpp"
#include "explore/worker.hpp"

namespace tideline::explore {

template <Walk W>
struct SearchCore {
    template <class... ForWalk>
    SearchCore(std::shared_ptr<const successor::System> searched, const SearchSettings& search_settings,
               SearchObserver& search_observer, unsigned threads, std::uint64_t refused_threads, bool sleeps,
               ForWalk&&... for_walk)
        : system(std::move(searched)),
          settings(search_settings),
          observer(search_observer),
          may_change(W::kTraits.hands_over && settings.change_over != nullptr &&
                     (settings.edges == nullptr || settings.edges->kept_rows() != nullptr)),
          limits(settings.limits(), W::kTraits.records(), may_change),
          owner(threads),
          threads_refused(refused_threads),
          edges(threads),
          walk(WalkSetup{*system, limits.memory_budget(), threads, sleeps ? system->commuting() : nullptr,
                         &limits.budget()},
               std::forward<ForWalk>(for_walk)...) {
        const std::uint64_t bytes = buffer_bytes(limits.budget().limits().memory, threads);
        const bool uses_sleep_sets = W::kTraits.uses_sleep_sets() && sleeps && system->commuting() != nullptr;
        for (unsigned i = 0; i < threads; ++i)
            workers.push_back(
                std::make_unique<Worker<W>>(*system, walk.partition(i), i, threads, uses_sleep_sets, bytes));
    }

    // Whether a thread inserts what it has made itself, in the same round.
    [[nodiscard]] bool inserts_at_once() const { return workers.size() == 1 || W::kTraits.shared_tables; }

    // Whether everything that was popped has been expanded and inserted.
    [[nodiscard]] bool is_quiescent() const {
        return std::all_of(workers.begin(), workers.end(), [this](const auto& worker) {
            return worker->expansion == successor::Expansion::done && worker->cursor.state == worker->popped &&
                   (workers.size() == 1 || worker->popped == 0);
        });
    }

    // Ends the search. An observer that has seen enough needs no more, whatever limit was about to end the search.
    bool stop(support::StopReason why) {
        if (reason == support::StopReason::none || why == support::StopReason::violation) reason = why;
        control.finish();
        return false;
    }

    void update_statistics() {
        walk.count(statistics);
        statistics.expanded = statistics.transitions = statistics.deadlocks = 0;
        for (const auto& worker : workers) {
            statistics.expanded += worker->expanded;
            statistics.transitions += worker->transitions;
            statistics.deadlocks += worker->deadlock_count;
        }
        statistics.threads = workers.size();
        statistics.threads_refused = threads_refused;
        count_system(statistics, *system, limits);
        statistics.seconds += seconds_before;
    }

    std::shared_ptr<const successor::System> system;  // as states are packed now
    const SearchSettings& settings;
    SearchObserver& observer;
    SearchView* view = nullptr;  // what the observer may ask
    bool may_change;             // to the sweep; no longer where that was tried and could not be done
    SearchLimits limits;
    Owner owner;
    std::uint64_t threads_refused;
    EdgeStream edges;
    W walk;
    std::vector<std::unique_ptr<Worker<W>>> workers;
    std::atomic<StateNumber> next_number = 0;  // of a popped state, where a sink needs it and the walk has none
    RoundControl control;
    Statistics statistics;
    support::StopReason reason = support::StopReason::none;
    std::optional<OffendingStep> offending;
    std::optional<ChangeTarget> continues_with;
    double seconds_before = 0;  // of the search that is resumed
};

}  // namespace tideline::explore
