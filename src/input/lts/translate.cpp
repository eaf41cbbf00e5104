// Every edge becomes a transition of its own, so counts and traces are those of the file: two edges between the same
// states are two transitions. What is known of the states (labels, progress) becomes tables indexed by the state; a
// label that few states carry becomes comparisons with them, so that many labels take memory in proportion to the file.
#include "input/lts/translate.hpp"

#include <utility>

namespace tideline::input::lts {
namespace {

constexpr model::ProcessId kProcess = 0;

model::Expression table_of_states(model::Model& model, std::string name, std::vector<model::Value> values) {
    const auto table = static_cast<model::TableId>(model.tables.size());
    model.tables.push_back({std::move(name), std::move(values), true, std::nullopt});
    return model::Expression::table(table, model.read(model.processes[kProcess].location));
}

// Consecutive states.
struct Run {
    model::Value first = 0;
    model::Value last = 0;
};

// Whether the state is in one of the intervals begin ... end - 1, by bisection.
model::Expression is_in_runs(const model::Expression& state, const std::vector<Run>& runs, std::size_t begin,
                             std::size_t end) {
    if (end - begin > 1) {
        const std::size_t middle = (begin + end) / 2;
        return model::Expression::choice(
            model::Expression::binary(model::Op::less, state, model::Expression::constant(runs[middle].first)),
            is_in_runs(state, runs, begin, middle), is_in_runs(state, runs, middle, end));
    }
    const Run run = runs[begin];
    if (run.first == run.last)
        return model::Expression::binary(model::Op::equal, state, model::Expression::constant(run.first));
    return model::Expression::both(
        model::Expression::binary(model::Op::greater_equal, state, model::Expression::constant(run.first)),
        model::Expression::binary(model::Op::less_equal, state, model::Expression::constant(run.last)));
}

model::Expression carried_by(model::Model& model, const Graph& graph, const Label& label) {
    constexpr std::size_t kRunInEntries = 20;  // memory that a comparison takes
    std::vector<Run> runs;
    for (const StateNumber state : label.states) {
        if (!runs.empty() && runs.back().last + 1 == state) ++runs.back().last;
        else runs.push_back({state, state});
    }
    if (kRunInEntries * runs.size() < graph.state_count)
        return is_in_runs(model.read(model.processes[kProcess].location), runs, 0, runs.size());
    std::vector<model::Value> values(graph.state_count);
    for (const StateNumber state : label.states) values[state] = 1;
    return table_of_states(model, "label " + label.name, std::move(values));
}

std::vector<std::string> names_of_states(Graph& graph) {
    if (!graph.names.empty()) return std::move(graph.names);
    std::vector<std::string> names(graph.state_count);
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::to_string(i);
    return names;
}

void add_process(model::Model& model, Graph& graph) {
    model::Variable state;
    state.name = "state";
    state.kind = model::Variable::Kind::location;
    state.range = {0, static_cast<model::Value>(graph.state_count) - 1};
    state.owner = kProcess;
    state.value_names = names_of_states(graph);
    model::Process process;
    process.name = "lts";
    process.location = model.add_variable(std::move(state), {static_cast<model::Value>(graph.initial.front())});
    model.more_initial.assign(graph.initial.begin() + 1, graph.initial.end());
    process.outgoing.resize(graph.state_count);
    model.processes.push_back(std::move(process));
}

// False where the budget does not suffice.
bool add_edges(model::Model& model, const Graph& graph, support::BudgetPoll& poll) {
    model.transitions.reserve(graph.edges.size());
    for (const Edge& edge : graph.edges) {
        if (poll.is_exhausted()) return false;
        model::Transition transition;
        transition.participants.push_back(
            {kProcess, static_cast<model::Value>(edge.from), static_cast<model::Value>(edge.to), edge.span});
        transition.label = graph.action(edge);
        model.add_transition(std::move(transition));
    }
    return true;
}

}  // namespace

support::Result<model::Model> translate(Graph graph, const support::Budget& budget) {
    model::Model model;
    model.format = std::move(graph.format);
    model.source = std::move(graph.source);
    const auto stopped = [&](support::StopReason reason) {
        return support::diagnostic_of_stop(model.source.path(), reason, "the model was translated");
    };
    // Its name and the list of its edges.
    constexpr std::uint64_t kBytesPerState = sizeof(std::string) + sizeof(std::vector<model::TransitionId>);
    if (const support::StopReason reason =
            budget.exhausted(graph.state_count * kBytesPerState + graph.edges.size() * sizeof(model::Transition));
        reason != support::StopReason::none)
        return stopped(reason);
    add_process(model, graph);
    support::BudgetPoll poll(budget);
    if (!add_edges(model, graph, poll)) return stopped(poll.reason());
    for (Label& label : graph.labels) {
        if (const support::StopReason reason = budget.exhausted(label.states.size() * sizeof(model::Value));
            reason != support::StopReason::none)
            return stopped(reason);
        model::Expression carried = carried_by(model, graph, label);
        model.labels.push_back({std::move(label.name), std::move(carried), label.span});
    }
    if (!graph.progress.empty())
        model.progress.push_back({table_of_states(model, "progress", std::move(graph.progress))});
    return model;
}

}  // namespace tideline::input::lts
