#include "progress/pilot.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "store/numbered_table.hpp"
#include "successor/hash.hpp"

namespace tideline::progress {
namespace {

// What the values of `states` states take at most, at first: four bytes each.
std::uint64_t bytes_of_columns(std::uint64_t states, std::uint64_t slots) {
    return states * slots * sizeof(std::int32_t);
}

void drop_edges_out(Pilot& pilot) {
    std::uint32_t kept = 0;
    std::uint32_t at = 0;
    for (std::uint32_t state = 0; state < pilot.states; ++state) {
        for (const std::uint32_t end = pilot.edge_ends[state]; at < end; ++at) {
            if (pilot.targets[at] >= pilot.states) continue;
            pilot.targets[kept] = pilot.targets[at];
            pilot.transitions[kept++] = pilot.transitions[at];
        }
        pilot.edge_ends[state] = kept;
    }
    pilot.targets.resize(kept);
    pilot.transitions.resize(kept);
}

}  // namespace

void Column::assign(std::size_t states, model::Value value) {
    narrow_.assign(states, 0);
    for (std::size_t state = 0; state < states; ++state) set(state, value);
}

void Column::set(std::size_t state, model::Value value) {
    if (wide_.empty() && !std::in_range<std::int32_t>(value)) {
        wide_.assign(narrow_.begin(), narrow_.end());
        narrow_ = {};
    }
    if (wide_.empty()) narrow_[state] = static_cast<std::int32_t>(value);
    else wide_[state] = value;
}

Pilot explore_pilot(const successor::System& system, const PilotLimits& limits, const support::Budget& budget) {
    constexpr std::size_t kWorkPerLook = 100'000;  // slots and edges
    Pilot pilot;
    const std::uint64_t reserve = budget.memory_left().value_or(0) / 2;
    const std::size_t words = system.state_words();
    const std::vector<std::vector<successor::Word>> initial = system.initial_states();
    const std::size_t slots = system.decode(initial.front().data()).size();
    if (slots > limits.slots) return pilot;
    const std::uint64_t most = std::min<std::uint64_t>(limits.states, limits.values / std::max<std::size_t>(slots, 1));
    const std::uint64_t most_numbers = limits.bytes / (words * sizeof(successor::Word));
    const store::MemoryBudget limited_elsewhere = [](std::uint64_t) { return true; };  // most_numbers bounds it
    store::NumberedTable numbers(words, system.state_bytes(), limited_elsewhere);
    const auto number_of = [&](const successor::Word* state) {
        return static_cast<std::uint32_t>(numbers.insert(state, successor::hash_state(state, words)).number);
    };
    for (const std::vector<successor::Word>& state : initial) number_of(state.data());
    const std::unique_ptr<successor::Expander> expander = system.expander();
    // Large states come a few at a time.
    successor::SuccessorBatch batch(
        words, std::clamp<std::size_t>(limits.bytes / 16 / (words * sizeof(successor::Word)), 1, 1024));
    std::vector<successor::Word> source(words);
    for (const std::vector<successor::Word>& state : initial)
        if (limits.keys) pilot.keys.push_back(expander->key(state.data()).value_or(0));
    std::size_t work = kWorkPerLook;  // so that the first look comes first
    // A state may be expanded for long and have few edges.
    constexpr std::chrono::milliseconds kBetweenLooks(20);
    std::chrono::steady_clock::time_point looked;
    bool is_stopped = false;
    const auto must_stop = [&](std::size_t more) {
        work += more;
        const std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now();
        if (work < kWorkPerLook && now - looked < kBetweenLooks) return is_stopped;
        work = 0;
        looked = now;
        is_stopped =
            budget.exhausted(reserve + bytes_of_columns(pilot.states + 256, slots)) != support::StopReason::none;
        return is_stopped;
    };
    while (pilot.states < numbers.size() && pilot.states < most && pilot.targets.size() < limits.edges &&
           numbers.size() < most_numbers) {
        const std::size_t edges_before = pilot.targets.size();
        numbers.read(pilot.states, source.data());
        successor::Cursor cursor;
        successor::Expansion expansion = successor::Expansion::full;
        bool ends = must_stop(slots);
        while (!ends && expansion == successor::Expansion::full) {
            batch.restart(0);
            expansion = expander->expand(source.data(), 1, cursor, batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                if (batch.fault(i) != model::FaultKind::none) continue;
                pilot.targets.push_back(number_of(batch.state(i)));
                if (limits.keys && pilot.keys.size() < numbers.size()) pilot.keys.push_back(batch.key(i));
                pilot.transitions.push_back(batch.transition(i));
            }
            // A state with more edges than there is room for, or than can be looked at in time, is left out.
            ends = must_stop(batch.size() + slots) || pilot.targets.size() > 2 * std::size_t{limits.edges} ||
                   numbers.size() > 2 * most_numbers;
        }
        if (expansion != successor::Expansion::done) {
            pilot.targets.resize(edges_before);
            pilot.transitions.resize(edges_before);
            break;
        }
        pilot.edge_ends.push_back(static_cast<std::uint32_t>(pilot.targets.size()));
        ++pilot.states;
    }
    pilot.complete = pilot.states == numbers.size();
    drop_edges_out(pilot);
    if (limits.keys) pilot.keys.resize(pilot.states);

    std::vector<std::uint32_t> depths(pilot.states, 0);  // a state is first reached from one with a smaller number
    for (std::uint32_t state = 0; state < pilot.states; ++state)
        for (std::uint32_t edge = pilot.edges_begin(state); edge < pilot.edge_ends[state]; ++edge) {
            const std::uint32_t target = pilot.targets[edge];
            if (target > state && target >= initial.size() && depths[target] == 0) depths[target] = depths[state] + 1;
        }
    if (pilot.states > 0) pilot.depth = depths.back();

    pilot.slots.resize(slots);
    const std::vector<model::Value> first = system.decode(initial.front().data());
    for (std::uint32_t state = 0; state < pilot.states; ++state) {
        numbers.read(state, source.data());
        const std::vector<model::Value> values = system.decode(source.data());
        for (std::size_t slot = 0; slot < slots; ++slot) {
            Column& column = pilot.slots[slot];
            if (column.empty() && values[slot] == first[slot]) continue;
            if (column.empty()) column.assign(pilot.states, first[slot]);
            column.set(state, values[slot]);
        }
    }
    return pilot;
}

}  // namespace tideline::progress
