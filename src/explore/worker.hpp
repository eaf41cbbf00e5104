// One thread's part in a search: the states that it has popped, the successors that it has made of them, what it found,
// what it counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "explore/buffer_sizes.hpp"
#include "explore/production.hpp"
#include "explore/walk.hpp"
#include "successor/system.hpp"

namespace tideline::explore {

// A label that is false in a new state.
struct LabelHit {
    const successor::Word* state;
    std::uint64_t number;  // among the new states of the round; where states are recorded, its number there
    std::size_t label;
    model::FaultKind fault;
};

// The entries of a batch that are new states.
struct NewEntries {
    const successor::SuccessorBatch* batch;
    std::vector<std::uint32_t> indices;
};

template <Walk W>
struct Worker {
    static constexpr std::size_t kFirstSlice = 8;

    Worker(const successor::System& system, typename W::Partition& own_partition, std::size_t index,
           std::size_t workers, bool uses_sleep_sets, std::uint64_t bytes)
        : partition(own_partition),
          number(index),
          buffer_bytes(bytes),
          expander(system.search_expander()),
          sleeps(uses_sleep_sets) {
        resize_buffers(system.state_words(), workers);
    }

    [[nodiscard]] static Exchange exchange(std::size_t workers) {
        if (workers == 1) return Exchange::none;
        return W::kTraits.shared_tables ? Exchange::shared_tables : Exchange::by_owner;
    }

    // For states of this number of words. What was popped stays, and is to be written again.
    void resize_buffers(std::size_t words, std::size_t workers) {
        const bool sends = exchange(workers) == Exchange::by_owner;
        const BufferSizes sizes = buffer_sizes(exchange(workers), words * sizeof(successor::Word), buffer_bytes);
        chunk = std::max(sizes.chunk, popped);
        slice = std::min(slice, chunk);
        states.resize(chunk * words);
        states_before.resize(sends ? chunk * words : 0);
        if (sleeps) asleep.resize(chunk);
        productions.clear();
        const std::size_t buffers = sends ? 2 : 1;
        productions.reserve(buffers);  // `made` and `sent` point here
        for (std::size_t i = 0; i < buffers; ++i) {
            Production& production = productions.emplace_back(words, sizes.successors);
            if (sends) production.owned.ends.resize(workers);
        }
        made = &productions.front();
        sent = &productions.back();
    }

    typename W::Partition& partition;
    std::size_t number;
    std::uint64_t buffer_bytes;
    std::size_t chunk = 0;  // states popped at a time
    std::size_t slice =
        kFirstSlice;  // states expanded between two looks at the clock; as many as are popped, unless they take long
    std::unique_ptr<successor::Expander> expander;
    bool sleeps;
    std::vector<successor::Word> states;  // popped, being expanded
    std::vector<successor::Word>
        states_before;  // where successors are sent: those before them, of which some may just have been
    std::vector<successor::SleepSet> asleep;  // in each of the states; empty where nothing ever sleeps
    std::size_t popped = 0;
    successor::Cursor cursor;
    successor::Expansion expansion = successor::Expansion::done;
    std::vector<Production> productions;
    Production* made = nullptr;         // in this round,
    Production* sent = nullptr;         // and what is inserted in it: the same with one thread, and with shared tables
    std::vector<std::uint32_t> owners;  // of the entries of a batch,
    std::vector<std::size_t> counts;    // and how many each has
    std::vector<std::uint32_t> without_fault;
    StateNumber first_number = 0;        // of the states, where they are recorded
    std::uint64_t expanded_before = 0;   // the states
    std::vector<NewEntries> discovered;  // of what each thread has sent; with shared tables, of its own batch
    std::uint64_t discovered_count = 0;  // in this round
    std::vector<LabelHit> hits;
    std::vector<std::uint32_t> deadlocks;  // indices among the sources of what was sent
    std::vector<std::uint64_t> label_bits;
    std::vector<model::FaultKind> label_faults;
    std::vector<std::uint8_t> recorded_labels;  // of the states popped last, where they are recorded
    std::exception_ptr failure;
    std::uint64_t expanded = 0;
    std::uint64_t transitions = 0;
    std::uint64_t deadlock_count = 0;
};

}  // namespace tideline::explore
