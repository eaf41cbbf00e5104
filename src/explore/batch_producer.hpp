// The first half of a round: a thread pops states of its partition and expands them into a batch of successors, with
// hashes, sleep sets and, where other threads insert them, sorted by owner.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "explore/search_core.hpp"

namespace tideline::explore {

template <Walk W>
class BatchProducer {
public:
    // `label_bytes`: of each popped state, evaluated for the ledger.
    BatchProducer(SearchCore<W>& core, std::size_t label_bytes) : core_(core), label_bytes_(label_bytes) {}

    void produce(Worker<W>& worker) const {
        Production& made = *worker.made;
        made.has_just_popped = false;
        if (core_.control.expands() && worker.cursor.state == worker.popped) {
            worker.cursor = {};
            worker.popped = 0;
            if (core_.control.pops()) pop(worker);
        }
        made.sources = worker.states.data();
        made.popped = worker.popped;
        made.expanded_before = worker.expanded_before;
        made.first_number = worker.first_number;
        if constexpr (requires { worker.partition.popped_numbers(); })
            made.numbers = worker.partition.popped_numbers().data();
        made.batch.restart(worker.cursor.state, worker.asleep.empty() ? nullptr : worker.asleep.data());
        made.delivered_before = worker.cursor.delivered;
        std::fill(made.owned.ends.begin(), made.owned.ends.end(), 0);
        if (!core_.control.expands()) return;
        worker.expansion = successor::Expansion::done;
        if (worker.popped > 0 && !W::kTraits.discovers_on_pop()) expand(worker);
    }

    void expand(Worker<W>& worker) const {
        Production& made = *worker.made;
        expand_in_slices(worker);
        made.batch.compute_hashes();
        if (core_.edges.wants_edges()) made.targets.resize(made.batch.size());
        if (core_.workers.size() == 1) return;
        // A step that slept in the source leads to a state that is visited only if states are expanded in the order of
        // their discovery, which several threads do not keep: with what they inherit, sleeping steps could wait for
        // each other in a circle. By levels, the order of transitions excludes that; without levels, what sleeps must
        // have been looked up from the same source before.
        if constexpr (W::kTraits.by_levels()) {
            if (const successor::Commuting* commuting = core_.system->commuting())
                made.batch.sleep_by_order(*commuting);
        } else {
            made.batch.wake_inherited();
        }
        if (!W::kTraits.shared_tables) scatter(worker);
    }

private:
    using Clock = SearchLimits::Clock;

    void pop(Worker<W>& worker) const {
        Production& made = *worker.made;
        if (!worker.states_before.empty()) worker.states.swap(worker.states_before);
        worker.popped = worker.partition.pop_batch(worker.states.data(), worker.asleep.data(), worker.chunk);
        made.has_just_popped = true;
        worker.expanded_before = worker.expanded;
        if (label_bytes_ > 0) evaluate_recorded_labels(worker);
        if (core_.edges.listens()) number_popped(worker);
    }

    // Of a walk that records, states get their numbers when they are appended to the ledger.
    void number_popped(Worker<W>& worker) const {
        if constexpr (W::kTraits.records()) return;
        if (W::kTraits.in_discovery_order()) worker.first_number = worker.expanded;
        else worker.first_number = core_.next_number.fetch_add(worker.popped);
    }

    // Some systems take long for a state: between slices the clock is looked at. What is in a batch does not depend on
    // the slices, but where time is up.
    void expand_in_slices(Worker<W>& worker) const {
        Clock::time_point before;
        for (bool is_first = true;; is_first = false) {
            const std::size_t end = std::min(worker.popped, worker.cursor.state + worker.slice);
            const std::uint32_t begin = worker.cursor.state;
            if (end < worker.popped && is_first) before = Clock::now();
            worker.expansion = worker.expander->expand(worker.states.data(), end, worker.cursor, worker.made->batch);
            if (worker.expansion != successor::Expansion::done || worker.cursor.state == worker.popped) return;
            const Clock::time_point now = Clock::now();
            if (now - before < SearchLimits::kLongestCheck / 25)
                worker.slice = std::min(worker.slice * 2, worker.chunk);
            else if (now - before > SearchLimits::kLongestCheck / 2)
                worker.slice = std::max<std::size_t>((worker.cursor.state - begin) / 2, 1);
            before = now;
            if (!core_.limits.is_tick_due(now) && !core_.limits.is_past_deadline(now)) continue;
            core_.limits.request_check();
            if (!core_.limits.is_past_deadline(now) && !core_.limits.budget().is_interrupted()) continue;
            worker.expansion = successor::Expansion::full;
            return;
        }
    }

    // Sorts the entries of a batch by owner. Those with a fault come behind those of the last thread.
    void scatter(Worker<W>& worker) const {
        Production& made = *worker.made;
        const successor::SuccessorBatch& batch = made.batch;
        std::vector<std::size_t>& ends = made.owned.ends;
        const std::size_t threads = ends.size();
        worker.counts.assign(threads + 1, 0);
        worker.owners.resize(batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const std::size_t to = batch.fault(i) == model::FaultKind::none ? core_.owner(batch.hash(i)) : threads;
            worker.owners[i] = static_cast<std::uint32_t>(to);
            ++worker.counts[to];
        }
        std::size_t begin = 0;
        for (std::size_t& count : worker.counts) begin += std::exchange(count, begin);
        made.owned.indices.resize(batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i)
            made.owned.indices[worker.counts[worker.owners[i]]++] = static_cast<std::uint32_t>(i);
        std::copy_n(worker.counts.begin(), threads, ends.begin());
    }

    // Bit i % 8 of byte i / 8 of a state is what label i is in it.
    void evaluate_recorded_labels(Worker<W>& worker) const {
        const successor::System& system = *core_.system;
        worker.label_bits.resize(system.label_words());
        worker.label_faults.resize(system.label_count());
        worker.recorded_labels.resize(worker.popped * label_bytes_);
        for (std::size_t i = 0; i < worker.popped; ++i) {
            worker.expander->labels(worker.states.data() + i * system.state_words(), worker.label_bits.data(),
                                    worker.label_faults.data());
            std::memcpy(worker.recorded_labels.data() + i * label_bytes_, worker.label_bits.data(), label_bytes_);
        }
    }

    SearchCore<W>& core_;
    std::size_t label_bytes_;
};

}  // namespace tideline::explore
