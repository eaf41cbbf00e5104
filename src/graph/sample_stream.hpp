// For tests: random graphs as edge streams, what a breadth-first search with one or several threads would deliver.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "explore/edge_sink.hpp"
#include "graph/memory_graph.hpp"

namespace tideline::graph {

inline const store::MemoryBudget kNoLimit = [](std::uint64_t) { return true; };

struct SampleEdge {
    std::uint64_t target = 0;
    model::TransitionId transition = 0;
    model::Marks marks = 0;
    bool operator==(const SampleEdge&) const = default;
};

struct SampleGraph {
    std::vector<std::vector<SampleEdge>> rows;
    std::vector<std::uint64_t> initial;
    std::vector<std::uint64_t> labels;  // one word per state
    std::vector<std::uint64_t> faulty;  // states with a faulty step, ascending
    std::vector<std::uint64_t> levels;  // the first state of each, and the number of states
};

struct SampleShape {
    std::size_t states = 100;
    std::size_t initial = 1;
    double degree = 2;
    std::uint32_t transitions = 10;
    bool marks = false;
};

inline SampleShape random_shape(std::mt19937_64& random) {
    SampleShape shape;
    shape.states = 1 + random() % (random() % 10 == 0 ? 3000 : 200);
    shape.initial = 1 + random() % std::min<std::size_t>(shape.states, 4);
    shape.degree = 0.5 + 0.25 * static_cast<double>(random() % 12);
    const std::uint32_t transitions[] = {1, 5, 40, 400, 4000, 2'000'000};
    shape.transitions = transitions[random() % 6];
    shape.marks = random() % 2 == 0;
    return shape;
}

// Renumbered in the order of discovery; states that are not reachable are dropped.
inline SampleGraph canonical(const SampleGraph& graph) {
    SampleGraph result;
    std::map<std::uint64_t, std::uint64_t> number;
    std::vector<std::uint64_t> order;
    const auto discover = [&](std::uint64_t state) {
        const auto [at, is_new] = number.try_emplace(state, order.size());
        if (is_new) order.push_back(state);
        return at->second;
    };
    for (const std::uint64_t state : graph.initial) result.initial.push_back(discover(state));
    std::size_t level_end = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == level_end) {
            result.levels.push_back(i);
            level_end = order.size();
        }
        std::vector<SampleEdge> row = graph.rows[order[i]];
        for (SampleEdge& edge : row) edge.target = discover(edge.target);
        result.rows.push_back(std::move(row));
        result.labels.push_back(graph.labels[order[i]]);
        if (std::ranges::binary_search(graph.faulty, order[i])) result.faulty.push_back(i);
    }
    result.levels.push_back(order.size());
    return result;
}

inline SampleGraph random_sample(std::mt19937_64& random, const SampleShape& shape) {
    SampleGraph graph;
    std::poisson_distribution<unsigned> degree(shape.degree);
    for (std::size_t v = 0; v < shape.states; ++v) {
        std::vector<SampleEdge>& row = graph.rows.emplace_back();
        for (unsigned i = degree(random); i > 0; --i) {
            const std::uint64_t target = random() % 8 == 0 ? v : random() % shape.states;
            row.push_back({target, static_cast<model::TransitionId>(random() % shape.transitions),
                           shape.marks ? random() % 5 * (random() % 3) : 0});
            if (random() % 8 == 0) row.push_back(row.back());
        }
        graph.labels.push_back(random());
        if (random() % 10 == 0) graph.faulty.push_back(v);
    }
    for (std::size_t i = 0; i < shape.initial; ++i) graph.initial.push_back(i);
    return canonical(graph);
}

// Plays a graph to a sink. With several threads, the states of the next level get numbers at random among those that
// are free, rows of a level come in random order from random threads. Batches are cut at random, within rows too.
// `levels`: stops after that many, with this reason.
inline void play(const SampleGraph& graph, explore::EdgeSink& sink, unsigned threads, std::mt19937_64& random,
                 const store::MemoryBudget& try_reserve, std::size_t levels = ~std::size_t{0}) {
    const std::size_t n = graph.rows.size();
    std::vector<std::uint64_t> number(n);
    for (std::size_t v = 0; v < n; ++v) number[v] = v;
    if (threads > 1)
        for (std::size_t l = 0; l + 1 < graph.levels.size(); ++l)
            std::shuffle(number.begin() + static_cast<std::ptrdiff_t>(graph.levels[l]),
                         number.begin() + static_cast<std::ptrdiff_t>(graph.levels[l + 1]), random);
    // Some numbers are never given.
    if (threads > 1)
        for (std::uint64_t& each : number) each += each / 7;
    std::vector<std::uint64_t> initial;
    for (const std::uint64_t state : graph.initial) initial.push_back(number[state]);
    sink.begin(
        {threads, threads == 1 ? explore::Numbering::discovery : explore::Numbering::unique, 1, initial, &try_reserve});
    bool continues = true;
    std::size_t played = 0;
    for (std::size_t l = 0; l + 1 < graph.levels.size() && continues && played < levels; ++l, ++played) {
        std::vector<std::vector<std::uint64_t>> of(threads);
        for (std::uint64_t v = graph.levels[l]; v < graph.levels[l + 1]; ++v) of[random() % threads].push_back(v);
        std::vector<std::pair<std::size_t, std::size_t>> at(threads);  // row, edge
        if (threads > 1)
            for (std::vector<std::uint64_t>& rows : of) std::shuffle(rows.begin(), rows.end(), random);
        for (bool is_done = false; !is_done;) {
            is_done = true;
            for (unsigned t = 0; t < threads; ++t) {
                auto& [row, edge] = at[t];
                if (row == of[t].size()) continue;
                is_done = false;
                std::vector<std::uint64_t> sources;
                std::vector<std::uint64_t> targets;
                std::vector<std::uint64_t> labels;
                std::vector<std::uint32_t> ends;
                std::vector<model::TransitionId> transitions;
                std::vector<model::Marks> marks;
                std::vector<explore::EdgeBatch::FaultyStep> faulty;
                explore::EdgeBatch batch;
                batch.continued = edge > 0;
                for (std::size_t room = 1 + random() % 40; room > 0 && row < of[t].size();) {
                    const std::uint64_t v = of[t][row];
                    if (sources.empty() || edge == 0) {
                        sources.push_back(number[v]);
                        labels.push_back(graph.labels[v]);
                        if (edge == 0 && std::ranges::binary_search(graph.faulty, v))
                            faulty.push_back(
                                {static_cast<std::uint32_t>(sources.size() - 1), 77, model::FaultKind::division});
                    }
                    for (; edge < graph.rows[v].size() && room > 0; ++edge, --room) {
                        targets.push_back(number[graph.rows[v][edge].target]);
                        transitions.push_back(graph.rows[v][edge].transition);
                        marks.push_back(graph.rows[v][edge].marks);
                    }
                    if (edge < graph.rows[v].size()) break;
                    ends.push_back(static_cast<std::uint32_t>(targets.size()));
                    ++row;
                    edge = 0;
                    room -= room > 0;
                }
                batch.sources = sources;
                batch.ends = ends;
                batch.targets = targets;
                batch.transitions = transitions;
                batch.marks = marks;
                batch.labels = labels;
                batch.faulty = faulty;
                sink.batch(t, batch);
            }
        }
        std::uint64_t states = graph.levels[l + 1];
        for (std::uint64_t v = graph.levels[l]; v < graph.levels[l + 1]; ++v)
            for (const SampleEdge& edge : graph.rows[v]) states = std::max(states, edge.target + 1);
        continues = sink.end_layer({l, states, states + states / 7 + 1});
    }
    sink.finish(played + 1 < graph.levels.size() ? support::StopReason::violation : support::StopReason::none);
}

// The edges of a state, as the graph has them.
inline std::vector<SampleEdge> row_of(const MemoryGraph& graph, StateNumber state) {
    std::vector<SampleEdge> row;
    MemoryGraph::Cursor cursor = graph.successors(state);
    for (MemoryGraph::Edge edge; graph.next(cursor, edge);) row.push_back({edge.target, edge.transition, edge.marks});
    return row;
}

}  // namespace tideline::graph
