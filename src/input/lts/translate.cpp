// Every edge becomes a transition of its own, so counts and traces are those of the file: two edges between the same
// states are two transitions. What is known of the states (labels, progress) becomes tables indexed by the state.
#include "input/lts/translate.hpp"

#include <utility>

namespace tideline::lts {
namespace {

constexpr ProcessId kProcess = 0;

Expression table_of_states(Model& model, std::string name, std::vector<Value> values) {
    const auto table = static_cast<TableId>(model.tables.size());
    model.tables.push_back({std::move(name), std::move(values), true, std::nullopt});
    return Expression::table(table, model.read(model.processes[kProcess].location));
}

std::vector<std::string> names_of_states(Graph& graph) {
    if (!graph.names.empty()) return std::move(graph.names);
    std::vector<std::string> names(graph.state_count);
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::to_string(i);
    return names;
}

void add_process(Model& model, Graph& graph) {
    Variable state;
    state.name = "state";
    state.kind = Variable::Kind::location;
    state.range = {0, static_cast<Value>(graph.state_count) - 1};
    state.owner = kProcess;
    state.value_names = names_of_states(graph);
    Process process;
    process.name = "lts";
    process.location = model.add_variable(std::move(state), {static_cast<Value>(graph.initial)});
    process.outgoing.resize(graph.state_count);
    model.processes.push_back(std::move(process));
}

// False where the budget does not suffice.
bool add_edges(Model& model, const Graph& graph, BudgetPoll& poll) {
    model.transitions.reserve(graph.edges.size());
    for (const Edge& edge : graph.edges) {
        if (poll.is_exhausted()) return false;
        Transition transition;
        transition.participants.push_back(
            {kProcess, static_cast<Value>(edge.from), static_cast<Value>(edge.to), edge.span});
        transition.label = graph.action(edge);
        model.add_transition(std::move(transition));
    }
    return true;
}

}  // namespace

Result<Model> translate(Graph graph, const Budget& budget) {
    Model model;
    model.format = std::move(graph.format);
    model.source = std::move(graph.source);
    const auto stopped = [&](StopReason reason) { return diagnostic_of_stop(model.source.path(), reason, "the model was translated"); };
    // Its name and the list of its edges.
    constexpr std::uint64_t kBytesPerState = sizeof(std::string) + sizeof(std::vector<TransitionId>);
    if (const StopReason reason = budget.exhausted(graph.state_count * kBytesPerState + graph.edges.size() * sizeof(Transition)); reason != StopReason::none)
        return stopped(reason);
    add_process(model, graph);
    BudgetPoll poll(budget);
    if (!add_edges(model, graph, poll)) return stopped(poll.reason());
    for (Label& label : graph.labels) {
        if (const StopReason reason = budget.exhausted(graph.state_count * sizeof(Value)); reason != StopReason::none) return stopped(reason);
        std::vector<Value> values(label.states.begin(), label.states.end());
        Expression carried = table_of_states(model, "label " + label.name, std::move(values));
        model.labels.push_back({std::move(label.name), std::move(carried), label.span});
    }
    if (!graph.progress.empty())
        model.progress.push_back({table_of_states(model, "progress", std::move(graph.progress))});
    return model;
}

}  // namespace tideline::lts
