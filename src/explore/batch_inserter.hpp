// The second half of a round: a thread inserts the successors that it owns into its partition of the walk, counts
// transitions and deadlocks of what it has expanded, and evaluates the labels that the observer watches in new states.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "explore/search_core.hpp"

namespace tideline::explore {

template <Walk W>
class BatchInserter {
public:
    explicit BatchInserter(SearchCore<W>& core) : core_(core) {}

    // What all threads have sent.
    void insert_all(Worker<W>& worker) const {
        count_sources(worker);
        start_round(worker);
        for (std::size_t from = 0; from < core_.workers.size(); ++from)
            insert_from(worker, *core_.workers[from]->sent, worker.discovered[from]);
        if (W::kTraits.records() && worker.sent->has_just_popped) watch_popped(worker);
        if (worker.expansion == successor::Expansion::done && worker.popped > 0) worker.partition.expanded();
    }

    void start_round(Worker<W>& worker) const {
        worker.hits.clear();
        worker.discovered.resize(core_.workers.size());
        worker.discovered_count = 0;
    }

    void insert_from(Worker<W>& worker, Production& sent, NewEntries& discovered) const {
        discovered.batch = &sent.batch;
        discovered.indices.clear();
        const bool is_scattered = !sent.owned.ends.empty();
        if (!is_scattered && !sent.batch.has_faults()) {
            insert(worker, sent, sent.batch.size(), [](std::size_t j) { return j; }, discovered.indices);
        } else {
            const std::span<const std::uint32_t> mine =
                is_scattered ? sent.owned.of(worker.number) : without_fault(worker, sent.batch);
            insert(worker, sent, mine.size(), [&](std::size_t j) { return mine[j]; }, discovered.indices);
        }
        if (!W::kTraits.records()) watch(worker, discovered);
        worker.discovered_count += discovered.indices.size();
    }

    // Expanded states, transitions and deadlocks of what the thread has sent.
    void count_sources(Worker<W>& worker) const {
        const successor::SuccessorBatch& batch = worker.sent->batch;
        worker.deadlocks.clear();
        worker.expanded += batch.complete_sources();
        worker.transitions += batch.size();
        if (batch.has_faults())
            for (std::size_t i = 0; i < batch.size(); ++i)
                worker.transitions -= batch.fault(i) != model::FaultKind::none;
        std::uint32_t begin = 0;
        for (std::size_t n = 0; n < batch.complete_sources(); ++n) {
            worker.transitions += batch.skipped(n);
            if (batch.end(n) == begin && batch.skipped(n) == 0 && (n > 0 || worker.sent->delivered_before == 0))
                worker.deadlocks.push_back(batch.first_source() + static_cast<std::uint32_t>(n));
            begin = batch.end(n);
        }
        worker.deadlock_count += worker.deadlocks.size();
    }

private:
    template <class Pick>
    void insert(Worker<W>& worker, Production& sent, std::size_t count, Pick pick,
                std::vector<std::uint32_t>& discovered) const {
        assert((W::kTraits.shared_tables || count == 0 ||
                core_.owner(sent.batch.hash(pick(count - 1))) == worker.number) &&
               "a partition has the states that it owns");
        worker.partition.insert_successors(sent.batch, count, pick, discovered);
        if constexpr (requires { worker.partition.give_numbers(pick, sent.targets); })
            if (core_.edges.wants_edges()) worker.partition.give_numbers(pick, sent.targets);
    }

    static std::span<const std::uint32_t> without_fault(Worker<W>& worker, const successor::SuccessorBatch& batch) {
        worker.without_fault.clear();
        for (std::size_t i = 0; i < batch.size(); ++i)
            if (batch.fault(i) == model::FaultKind::none) worker.without_fault.push_back(static_cast<std::uint32_t>(i));
        return worker.without_fault;
    }

    void watch(Worker<W>& worker, const NewEntries& discovered) const {
        const std::span<const std::size_t> watched = core_.observer.watched_labels();
        if (watched.empty()) return;
        make_room_for_labels(worker);
        std::uint64_t number = worker.discovered_count;
        for (const std::uint32_t index : discovered.indices)
            watch_state(worker, watched, discovered.batch->state(index), number++);
    }

    void watch_popped(Worker<W>& worker) const {
        const std::span<const std::size_t> watched = core_.observer.watched_labels();
        if (watched.empty()) return;
        make_room_for_labels(worker);
        const Production& sent = *worker.sent;
        for (std::size_t i = 0; i < sent.popped; ++i)
            watch_state(worker, watched, sent.source(i), sent.first_number + i);
    }

    void make_room_for_labels(Worker<W>& worker) const {
        worker.label_bits.resize(core_.system->label_words());
        worker.label_faults.resize(core_.system->label_count());
    }

    static void watch_state(Worker<W>& worker, std::span<const std::size_t> watched, const successor::Word* state,
                            std::uint64_t number) {
        worker.expander->labels(state, worker.label_bits.data(), worker.label_faults.data());
        for (const std::size_t label : watched)
            if (((worker.label_bits[label / 64] >> (label % 64)) & 1U) == 0)
                worker.hits.push_back({state, number, label, worker.label_faults[label]});
    }

    SearchCore<W>& core_;
};

}  // namespace tideline::explore
