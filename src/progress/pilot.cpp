#include "progress/pilot.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "successor/hash.hpp"

namespace tideline {
namespace {

// Packed states with their numbers.
class Numbers {
public:
    explicit Numbers(std::size_t words) : words_(words), places_(1024, kFree) {}

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(states_.size() / words_); }
    [[nodiscard]] const Word* state(std::uint32_t number) const { return states_.data() + number * words_; }

    std::uint32_t number_of(const Word* state) {
        if (2 * std::size_t{size()} >= places_.size()) grow();
        std::uint32_t& place = places_[find(state)];
        if (place != kFree) return place;
        place = size();
        states_.insert(states_.end(), state, state + words_);
        return place;
    }

private:
    static constexpr std::uint32_t kFree = ~0U;

    [[nodiscard]] std::size_t find(const Word* state) const {
        std::size_t at = hash_state(state, words_) & (places_.size() - 1);
        while (places_[at] != kFree && std::memcmp(this->state(places_[at]), state, words_ * sizeof(Word)) != 0) at = (at + 1) & (places_.size() - 1);
        return at;
    }
    void grow() {
        places_.assign(2 * places_.size(), kFree);
        for (std::uint32_t number = 0; number < size(); ++number) places_[find(state(number))] = number;
    }

    std::size_t words_;
    std::vector<Word> states_;
    std::vector<std::uint32_t> places_;
};

// What the values of so many states take at most, at first: four bytes each.
std::uint64_t bytes_of_columns(std::uint64_t states, std::uint64_t slots) { return states * slots * sizeof(std::int32_t); }

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

void Column::assign(std::size_t states, Value value) {
    narrow_.assign(states, 0);
    for (std::size_t state = 0; state < states; ++state) set(state, value);
}

void Column::set(std::size_t state, Value value) {
    if (wide_.empty() && !std::in_range<std::int32_t>(value)) {
        wide_.assign(narrow_.begin(), narrow_.end());
        narrow_ = {};
    }
    if (wide_.empty())
        narrow_[state] = static_cast<std::int32_t>(value);
    else
        wide_[state] = value;
}

Pilot explore_pilot(const System& system, const PilotLimits& limits, const Budget& budget) {
    constexpr std::size_t kWorkPerLook = 100'000;  // slots and edges
    Pilot pilot;
    const std::uint64_t reserve = budget.memory_left().value_or(0) / 2;
    const std::size_t words = system.state_words();
    const std::vector<Word> initial = system.initial_state();
    const std::size_t slots = system.decode(initial.data()).size();
    if (slots > limits.slots) return pilot;
    const std::uint64_t most = std::min<std::uint64_t>(limits.states, limits.values / std::max<std::size_t>(slots, 1));
    const std::uint64_t most_numbers = limits.bytes / (words * sizeof(Word));
    Numbers numbers(words);
    numbers.number_of(initial.data());
    const std::unique_ptr<Expander> expander = system.expander();
    // Large states come a few at a time.
    SuccessorBatch batch(words, std::clamp<std::size_t>(limits.bytes / 16 / (words * sizeof(Word)), 1, 1024));
    std::vector<Word> source(words);
    if (limits.keys) pilot.keys.push_back(expander->key(initial.data()).value_or(0));
    std::size_t work = kWorkPerLook;  // so that the first look comes first
    const auto must_stop = [&](std::size_t more) {
        work += more;
        if (work < kWorkPerLook) return false;
        work = 0;
        return budget.exhausted(reserve + bytes_of_columns(pilot.states + 256, slots)) != StopReason::none;
    };
    while (pilot.states < numbers.size() && pilot.states < most && pilot.targets.size() < limits.edges && numbers.size() < most_numbers) {
        const std::size_t edges_before = pilot.targets.size();
        std::copy_n(numbers.state(pilot.states), source.size(), source.begin());
        Cursor cursor;
        Expansion expansion = Expansion::full;
        bool ends = must_stop(slots);
        while (!ends && expansion == Expansion::full) {
            batch.restart(0);
            expansion = expander->expand(source.data(), 1, cursor, batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                if (batch.fault(i) != FaultKind::none) continue;
                pilot.targets.push_back(numbers.number_of(batch.state(i)));
                if (limits.keys && pilot.keys.size() < numbers.size()) pilot.keys.push_back(batch.key(i));
                pilot.transitions.push_back(batch.transition(i));
            }
            // A state with more edges than there is room for, or than can be looked at in time, is left out.
            ends = must_stop(batch.size() + slots) || pilot.targets.size() > 2 * std::size_t{limits.edges} || numbers.size() > 2 * most_numbers;
        }
        if (expansion != Expansion::done) {
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
        for (std::uint32_t edge = pilot.edges_begin(state); edge < pilot.edge_ends[state]; ++edge)
            if (std::uint32_t& depth = depths[pilot.targets[edge]]; pilot.targets[edge] > state && depth == 0) depth = depths[state] + 1;
    if (pilot.states > 0) pilot.depth = depths.back();

    pilot.slots.resize(slots);
    const std::vector<Value> first = system.decode(numbers.state(0));
    for (std::uint32_t state = 0; state < pilot.states; ++state) {
        const std::vector<Value> values = system.decode(numbers.state(state));
        for (std::size_t slot = 0; slot < slots; ++slot) {
            Column& column = pilot.slots[slot];
            if (column.empty() && values[slot] == first[slot]) continue;
            if (column.empty()) column.assign(pilot.states, first[slot]);
            column.set(state, values[slot]);
        }
    }
    return pilot;
}

}  // namespace tideline
