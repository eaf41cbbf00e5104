#include "progress/rating.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace tideline::progress {
namespace {

// The minimum first.
using WaitingRanks = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;

}  // namespace

Ranks constant_ranks(std::uint32_t states) { return {1, std::vector<std::uint32_t>(states, 0), {0}}; }

Ranks refined(const Ranks& ranks, const std::vector<std::uint32_t>& component, bool leads) {
    const std::size_t states = ranks.of.size();
    const std::uint64_t width = std::uint64_t{*std::max_element(component.begin(), component.end())} + 1;
    const auto pair_of = [&](std::size_t state) { return ranks.of[state] * width + component[state]; };
    Ranks result;
    result.of.resize(states);
    const auto add = [&](std::uint64_t pair) {
        result.block_of.push_back(leads ? result.count : ranks.block_of[pair / width]);
        return result.count++;
    };
    if (ranks.count * width <= 8 * states + 1024) {
        constexpr std::uint32_t kAbsent = ~0U;
        std::vector<std::uint32_t> rank_of(ranks.count * width, kAbsent);
        for (std::size_t state = 0; state < states; ++state) rank_of[pair_of(state)] = 0;
        for (std::size_t pair = 0; pair < rank_of.size(); ++pair)
            if (rank_of[pair] != kAbsent) rank_of[pair] = add(pair);
        for (std::size_t state = 0; state < states; ++state) result.of[state] = rank_of[pair_of(state)];
        return result;
    }
    std::vector<std::uint64_t> pairs(states);
    for (std::size_t state = 0; state < states; ++state) pairs[state] = pair_of(state);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const std::uint64_t pair : pairs) add(pair);
    for (std::size_t state = 0; state < states; ++state)
        result.of[state] =
            static_cast<std::uint32_t>(std::lower_bound(pairs.begin(), pairs.end(), pair_of(state)) - pairs.begin());
    return result;
}

Rating Rater::exact(const Ranks& ranks, std::uint32_t first_states) {
    Rating rating;
    rating.passes = 1;
    for (std::uint32_t state = 0; state < first_states; ++state) states_[state] = {ranks.of[state], false, false};
    std::vector<std::uint32_t> ahead(ranks.count, kNone);  // first open state of this pass
    std::vector<std::uint32_t> later(ranks.count, kNone);  // and in the next
    std::vector<std::uint32_t> on_disk(ranks.count, 0);    // states of a layer
    std::uint64_t elsewhere = 0;
    // The ranks with open states: there may be many ranks and many passes, and few in one pass.
    WaitingRanks ranks_ahead;
    std::vector<std::uint32_t> ranks_later;
    const auto wait = [&](std::uint32_t state, std::vector<std::uint32_t>& lists) {
        const std::uint32_t rank = states_[state].rank;
        std::uint32_t& list = lists[rank];
        if (list == kNone && &lists == &ahead) ranks_ahead.push(rank);
        if (list == kNone && &lists == &later) ranks_later.push_back(rank);
        next_[state] = list;
        list = state;
        states_[state].waits = true;
        ++elsewhere;
    };
    wait(0, ahead);
    // The layer of this rank.
    const auto visit = [&](std::uint32_t rank) {
        ++rating.visits;
        rating.reread += on_disk[rank];
        std::uint32_t on_line = on_disk[rank];
        for (std::uint32_t state = std::exchange(ahead[rank], kNone); state != kNone; state = next_[state]) {
            --elsewhere;
            states_[state].waits = false;
            if (std::exchange(states_[state].is_known, true)) continue;
            ++on_line;
            stack_.push_back(state);
        }
        while (!stack_.empty()) {
            const std::uint32_t source = stack_.back();
            stack_.pop_back();
            ++rating.expanded;
            for (std::uint32_t edge = pilot_.edges_begin(source); edge < pilot_.edge_ends[source]; ++edge) {
                const std::uint32_t target = pilot_.targets[edge];
                if (target >= first_states) continue;
                State& state = states_[target];
                if (state.rank == rank) {
                    if (std::exchange(state.is_known, true)) continue;
                    ++on_line;
                    stack_.push_back(target);
                } else if (!state.waits) {
                    wait(target, state.rank > rank ? ahead : later);
                }
            }
        }
        on_disk[rank] = on_line;
        rating.peak = std::max(rating.peak, on_line + elsewhere);
    };
    std::uint32_t begin = 0;
    while (begin < ranks.count) {
        std::uint32_t end = begin;
        while (end < ranks.count && ranks.block_of[end] == ranks.block_of[begin]) ++end;
        for (bool again = true; again;) {
            while (!ranks_ahead.empty() && ranks_ahead.top() < end) {
                const std::uint32_t rank = ranks_ahead.top();
                ranks_ahead.pop();
                visit(rank);
            }
            again = !ranks_later.empty();
            for (const std::uint32_t rank : ranks_later) {
                ahead[rank] = std::exchange(later[rank], kNone);
                ranks_ahead.push(rank);
            }
            ranks_later.clear();
            rating.passes += again;
        }
        begin = end;
    }
    rating.states = rating.expanded;
    return rating;
}

Rating Rater::forgetful(const Ranks& ranks, std::uint32_t first_states, std::uint64_t most) {
    Rating rating;
    rating.passes = 1;
    for (std::uint32_t state = 0; state < first_states; ++state) states_[state] = {ranks.of[state], false, false};
    // Visited states are those in memory.
    std::vector<std::vector<std::uint32_t>> layers(ranks.count);  // those in memory of this sweep
    std::vector<std::vector<std::uint32_t>> pending(ranks.count);
    WaitingRanks waiting;  // ranks with pending states; perhaps also some without
    const auto add_pending = [&](std::uint32_t state) {
        const std::uint32_t rank = states_[state].rank;
        if (pending[rank].empty()) waiting.push(rank);
        pending[rank].push_back(state);
    };
    std::vector<std::uint32_t> roots;
    std::vector<std::uint32_t> persistent;  // of this block
    std::uint64_t in_memory = 1;
    states_[0].is_known = true;
    layers[states_[0].rank].push_back(0);
    add_pending(0);
    const auto visit = [&](std::uint32_t rank) {
        ++rating.visits;
        while (!pending[rank].empty()) {
            const std::uint32_t source = pending[rank].back();
            pending[rank].pop_back();
            ++rating.expanded;
            for (std::uint32_t edge = pilot_.edges_begin(source); edge < pilot_.edge_ends[source]; ++edge) {
                const std::uint32_t target = pilot_.targets[edge];
                if (target >= first_states) continue;
                State& state = states_[target];
                if (std::exchange(state.is_known, true)) continue;
                ++in_memory;
                if (state.rank < rank) {
                    persistent.push_back(target);
                    roots.push_back(target);
                } else {
                    layers[state.rank].push_back(target);
                    add_pending(target);
                }
            }
        }
        rating.peak = std::max(rating.peak, in_memory);
        rating.given_up = rating.expanded > most;
        for (const std::uint32_t state : layers[rank]) states_[state].is_known = false;
        in_memory -= layers[rank].size();
        layers[rank].clear();
    };
    std::uint32_t begin = 0;
    while (begin < ranks.count && !rating.given_up) {
        std::uint32_t end = begin;
        while (end < ranks.count && ranks.block_of[end] == ranks.block_of[begin]) ++end;
        for (bool again = true; again && !rating.given_up;) {
            while (!waiting.empty() && waiting.top() < end && !rating.given_up) {
                const std::uint32_t rank = waiting.top();
                waiting.pop();
                if (!pending[rank].empty()) visit(rank);
            }
            again = !roots.empty();
            rating.passes += again;
            for (const std::uint32_t root : roots) add_pending(root);
            roots.clear();
        }
        // No step leads back into the block.
        for (const std::uint32_t state : persistent) states_[state].is_known = false;
        in_memory -= persistent.size();
        persistent.clear();
        begin = end;
    }
    rating.states = first_states;
    return rating;
}

}  // namespace tideline::progress
