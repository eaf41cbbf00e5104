// Breadth-first search with a map from states to their numbers. A state's number is its position in the queue, so the
// vector of states is the queue itself; the first path found to a state is a shortest one.
#include "reference/explorer.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tideline::reference {

namespace {

bool before(const std::vector<Participant>& left, const std::vector<Participant>& right) {
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(),
                                        [](const Participant& a, const Participant& b) {
                                            return std::tie(a.process, a.line) < std::tie(b.process, b.line);
                                        });
}

bool fault_before(const FaultyStep& left, const FaultyStep& right) {
    if (left.state != right.state) return left.state < right.state;
    if (left.participants != right.participants) return before(left.participants, right.participants);
    return left.kind < right.kind;
}

}  // namespace

Graph explore(const Machine& machine, ExploreOptions options) {
    Graph graph;
    std::map<State, std::size_t> numbers;
    graph.states = machine.initial_states();
    graph.initial = graph.states.size();
    for (std::size_t i = 0; i < graph.initial; ++i) numbers.emplace(graph.states[i], i);
    for (std::size_t current = 0; current < graph.states.size() && !graph.limit_hit; ++current) {
        for (const Machine::FailedAssertion& failed : machine.failed_assertions(graph.states[current])) {
            graph.assertions.push_back({current, failed.index, failed.fault});
        }
        std::vector<Step> steps = machine.steps(graph.states[current]);
        if (steps.empty()) graph.deadlocks.push_back(current);
        for (Step& step : steps) {
            if (step.fault != model::FaultKind::none) {
                graph.faults.push_back({current, std::move(step.participants), step.fault});
                continue;
            }
            const auto [place, is_new] = numbers.emplace(step.next, graph.states.size());
            if (is_new && graph.states.size() >= options.max_states) {
                graph.limit_hit = true;
                break;
            }
            if (is_new) graph.states.push_back(std::move(step.next));
            ++graph.transitions;
            if (options.keep_edges)
                graph.edges.push_back({current, place->second, std::move(step.participants), step.marks});
        }
    }
    std::sort(graph.faults.begin(), graph.faults.end(), fault_before);
    return graph;
}

std::optional<RecordedTrace> shortest_run(const Machine& machine, const std::function<bool(const State&)>& wanted,
                                          std::size_t max_states) {
    struct Found {
        State state;
        std::size_t predecessor = 0;  // of an initial state: itself
        std::vector<Participant> participants;
    };
    std::vector<Found> found;
    std::map<State, std::size_t> numbers;
    for (State& state : machine.initial_states()) {
        numbers.emplace(state, found.size());
        found.push_back({std::move(state), found.size(), {}});
    }
    for (std::size_t current = 0; current < found.size(); ++current) {
        if (wanted(found[current].state)) {
            RecordedTrace trace;
            for (std::size_t at = current;; at = found[at].predecessor) {
                trace.states.push_back(named_values(machine, found[at].state));
                if (found[at].predecessor == at) break;  // an initial state
                trace.steps.push_back(found[at].participants);
            }
            std::reverse(trace.states.begin(), trace.states.end());
            std::reverse(trace.steps.begin(), trace.steps.end());
            return trace;
        }
        for (Step& step : machine.steps(found[current].state)) {
            if (step.fault != model::FaultKind::none || found.size() >= max_states) continue;
            if (!numbers.emplace(step.next, found.size()).second) continue;
            found.push_back({std::move(step.next), current, std::move(step.participants)});
        }
    }
    return std::nullopt;
}

}  // namespace tideline::reference
