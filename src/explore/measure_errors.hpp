// What ends a search because of its progress measure: a step to less progress where the walk needs a monotonic measure,
// and a state in which the measure cannot be evaluated.
#pragma once

#include <cstddef>
#include <vector>

#include "explore/logged_paths.hpp"
#include "explore/search_core.hpp"

namespace tideline::explore {

// The step, of which the walk has noted an entry of a batch. False: the search is stopped.
template <Walk W>
bool stop_at_regress_edge(SearchCore<W>& core, const Worker<W>& producer, std::size_t entry) {
    const successor::System& system = *core.system;
    const Production& sent = *producer.sent;
    const successor::Word* from = sent.source(sent.batch.source(entry));
    const successor::Word* to = sent.batch.state(entry);
    const auto words = static_cast<std::ptrdiff_t>(system.state_words());
    core.offending = OffendingStep{{from, from + words},
                                   {to, to + words},
                                   system.key_values(*producer.expander->key(from)),
                                   system.key_values(sent.batch.key(entry))};
    return core.stop(support::StopReason::against_order);
}

// False: a partition has met a step to less progress that it was not to follow, and the search is stopped.
template <Walk W>
bool check_order(SearchCore<W>& core) {
    if constexpr (W::kTraits.order == ExpansionOrder::keys) {
        for (const auto& worker : core.workers) {
            const auto& regress = worker->partition.against_order();
            if (!regress) continue;
            for (const auto& producer : core.workers)
                if (&producer->sent->batch == regress->batch)
                    return stop_at_regress_edge(core, *producer, regress->index);
        }
    }
    return true;
}

// The successor without a key is the next one that the cursor would deliver.
template <Walk W>
void stop_without_key(SearchCore<W>& core, const Worker<W>& worker) {
    const successor::System& system = *core.system;
    const successor::Word* from = worker.states.data() + worker.cursor.state * system.state_words();
    const auto words = static_cast<std::ptrdiff_t>(system.state_words());
    const successor::SleepSet asleep = worker.asleep.empty() ? 0 : worker.asleep[worker.cursor.state];
    core.offending =
        OffendingStep{{from, from + words}, step_at(system, from, asleep, worker.cursor.delivered).next, {}, {}};
    core.stop(support::StopReason::no_key);
}

}  // namespace tideline::explore
