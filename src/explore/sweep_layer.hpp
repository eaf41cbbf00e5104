// One layer of an exact sweep as a partition has it in memory: the set of its states and a log of those that are open,
// oldest first.
//
// A layer that waits in a queue has open states only. The current layer also has visited ones, as far as they are in
// memory. Where edges are recorded, the set is a map from states to numbers (layer_numbers.hpp).
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "explore/layer_numbers.hpp"
#include "store/record_log.hpp"
#include "store/state_table.hpp"

namespace tideline::explore {

// How states are packed, and what tables of them may take.
struct StateShape {
    std::size_t words = 0;
    std::size_t bytes = 0;
    const store::MemoryBudget* try_reserve = nullptr;
    bool is_numbered = false;
};

// An open state that is moved to a layer.
struct OpenState {
    const successor::Word* state = nullptr;
    std::uint64_t hash = 0;
    std::uint64_t parent = 0;
    model::TransitionId transition = 0;
    std::uint64_t temporary = 0;  // its id, where states have numbers
};

struct SweepLayer {
    explicit SweepLayer(const StateShape& shape)
        : table(shape.words, shape.bytes, *shape.try_reserve), open(shape.bytes) {
        if (shape.is_numbered) numbers = std::make_unique<LayerNumbers>(shape.words, shape.bytes, *shape.try_reserve);
    }

    // States in memory.
    [[nodiscard]] std::uint64_t size() const { return numbers ? numbers->table.size() : table.size(); }
    // Open states before this position are in a batch of the ledger.
    [[nodiscard]] bool has_unsaved() const { return saved_end < open.end(); }

    // Makes room for states that are about to be read, as far as the budget allows it. Batches may have them in the
    // order of their hashes; a table that grows meanwhile would be full in one place and empty elsewhere.
    void reserve(std::uint64_t states) {
        if (size() > 0) return;
        if (numbers) numbers->table.reserve(states);
        else table.reserve(states);
    }

    // Opens a state; false where it is here already.
    bool insert(const OpenState& state) {
        const bool is_new =
            numbers ? numbers->reopen(state.state, state.hash, state.temporary) : table.insert(state.state, state.hash);
        if (is_new) open.push(state.state, state.parent, state.transition);
        return is_new;
    }
    // The same for a state that has been read from a batch, which stays in the ledger.
    bool insert_saved(const OpenState& state) {
        if (!insert(state)) return false;
        // Only where no state before it is missing on disk.
        if (saved_end + 1 == open.end()) ++saved_end;
        return true;
    }

    // Moves the open states with is_in_slice(hash) to another layer. What is on disk of the others is forgotten: at
    // worst a state is written twice.
    template <class IsInSlice>
    void move_slice(const StateShape& shape, SweepLayer& slice, IsInSlice is_in_slice) {
        SweepLayer old = std::exchange(*this, SweepLayer(shape));
        in_next_pass = old.in_next_pass;
        old.table = store::StateTable(shape.words, shape.bytes, *shape.try_reserve);
        std::vector<successor::Word> state(shape.words);
        std::uint64_t hash = 0;
        const auto layer_of = [&]() -> SweepLayer& {
            hash = successor::hash_state(state.data(), shape.words);
            return is_in_slice(hash) ? slice : *this;
        };
        while (old.open.size() > 0) {
            const std::uint64_t position = old.open.begin();
            const store::RecordLog::Record record = old.open.pop();
            state.back() = 0;
            std::memcpy(state.data(), record.state, shape.bytes);
            SweepLayer& to = layer_of();
            to.insert(
                {state.data(), hash, record.parent, record.transition, old.numbers ? old.temporary_at(position) : 0});
        }
        if (!old.numbers) return;
        for (const LayerNumbers::Alias& alias : old.numbers->aliases) {
            old.numbers->table.read(alias.position, state.data());
            SweepLayer& to = layer_of();
            to.numbers->reopen(state.data(), hash, alias.temporary);
        }
    }

    // Open states that are in the set of visited ones are closed.
    void remove_visited(const StateShape& shape, const store::StateTable& visited) {
        store::RecordLog rest(shape.bytes);
        std::vector<successor::Word> state(shape.words);
        while (open.size() > 0) {
            const store::RecordLog::Record record = open.pop();
            state.back() = 0;
            std::memcpy(state.data(), record.state, shape.bytes);
            if (!visited.contains(state.data(), successor::hash_state(state.data(), shape.words)))
                rest.push(state.data(), record.parent, record.transition);
        }
        open = std::move(rest);
        saved_end = 0;
    }
    // The same for those that have final numbers.
    void remove_resolved(const StateShape& shape) {
        store::RecordLog rest(shape.bytes);
        std::vector<store::PackedNumber> positions;
        while (open.size() > 0) {
            const LayerNumbers::Position position = numbers->positions[open.begin()];
            const store::RecordLog::Record record = open.pop();
            if (!numbers->is_temporary(position)) continue;
            rest.push(record.state, record.parent, record.transition);
            positions.emplace_back(position);
        }
        open = std::move(rest);
        numbers->positions = std::move(positions);
        saved_end = 0;
    }

    // Whether an open state of another layer is in this one, open or not. For assertions.
    [[nodiscard]] bool has_open_state_of(const SweepLayer& other) const {
        const std::size_t bytes = table.state_bytes();
        std::vector<successor::Word> state(table.state_words());
        bool has = false;
        other.open.for_each_from(0, [&](const store::RecordLog::Record& record) {
            state.back() = 0;
            std::memcpy(state.data(), record.state, bytes);
            const std::uint64_t hash = successor::hash_state(state.data(), state.size());
            has = has ||
                  (numbers ? numbers->table.find(state.data(), hash).has_value() : table.contains(state.data(), hash));
        });
        return has;
    }

    // The id of the open state at a position of the log.
    [[nodiscard]] std::uint64_t temporary_at(std::uint64_t position) const {
        return numbers->temporary(numbers->positions[position]);
    }

    store::StateTable table;  // empty where states have numbers
    std::unique_ptr<LayerNumbers> numbers;
    store::RecordLog open;
    std::uint32_t group = 0;      // for GroupedInsertion
    bool in_next_pass = false;    // the queue that it waits in (open_layers.hpp)
    std::uint64_t saved_end = 0;  // position in `open`
};

}  // namespace tideline::explore
