// For tests: the graph of a system as a textbook makes it, with states by their values. States have the numbers of
// their discovery, so it is a MemoryGraph's equal.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "graph/numbered_graph.hpp"
#include "successor/system.hpp"

namespace tideline::graph {

using Values = std::vector<model::Value>;

struct NaiveGraph {
    struct Edge {
        StateNumber target;
        model::TransitionId transition;
        model::Marks marks;
        bool operator==(const Edge&) const = default;
    };
    std::vector<Values> states;
    std::vector<std::vector<Edge>> rows;
    std::vector<std::vector<model::TransitionId>> faulty;
    std::vector<std::vector<std::pair<bool, model::FaultKind>>> labels;
    std::vector<successor::Key> keys;
    std::size_t initial = 0;
};

inline NaiveGraph naive_graph(const successor::System& system, std::size_t labels) {
    NaiveGraph graph;
    std::map<Values, StateNumber> numbers;
    std::vector<std::vector<successor::Word>> packed;
    const auto number_of = [&](const std::vector<successor::Word>& state) {
        const auto [found, is_new] = numbers.try_emplace(system.decode(state.data()), packed.size());
        if (is_new) {
            packed.push_back(state);
            graph.states.push_back(found->first);
        }
        return found->second;
    };
    for (const auto& state : system.initial_states()) number_of(state);
    graph.initial = packed.size();
    const std::unique_ptr<successor::Expander> expander = system.expander();
    successor::SuccessorBatch batch(system.state_words(), 3);
    std::vector<std::uint64_t> bits(system.label_words());
    std::vector<model::FaultKind> faults(system.label_count());
    for (StateNumber v = 0; v < packed.size(); ++v) {
        const std::vector<successor::Word> state = packed[v];
        auto& row = graph.rows.emplace_back();
        auto& faulty = graph.faulty.emplace_back();
        successor::Cursor cursor;
        for (auto expansion = successor::Expansion::full; expansion == successor::Expansion::full;) {
            batch.restart(0);
            expansion = expander->expand(state.data(), 1, cursor, batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                if (batch.fault(i) != model::FaultKind::none) {
                    faulty.push_back(batch.transition(i));
                    continue;
                }
                const std::vector next(batch.state(i), batch.state(i) + system.state_words());
                row.push_back({number_of(next), batch.transition(i), batch.marks(i)});
            }
        }
        expander->labels(state.data(), bits.data(), faults.data());
        graph.keys.push_back(expander->key(state.data()).value());
        auto& of_state = graph.labels.emplace_back();
        for (std::size_t i = 0; i < labels; ++i)
            of_state.emplace_back(((bits[i / 64] >> (i % 64)) & 1U) != 0, faults[i]);
    }
    return graph;
}

}  // namespace tideline::graph
