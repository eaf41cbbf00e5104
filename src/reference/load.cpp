#include "reference/load.hpp"

#include "reference/dve_machine.hpp"
#include "reference/lts_machine.hpp"

namespace tideline::reference {

std::unique_ptr<Machine> make_machine(const LoadedModel& loaded, const LoadOptions& options) {
    if (const auto* program = std::get_if<std::shared_ptr<const dve::Program>>(&loaded.syntax))
        return make_dve_machine(*program, {options.wrap, options.with_property});
    const lts::Graph& graph = *std::get<std::shared_ptr<const lts::Graph>>(loaded.syntax);
    ExplicitGraph explicit_graph;
    explicit_graph.states = graph.state_count;
    explicit_graph.initial = graph.initial;
    for (const lts::Edge& edge : graph.edges)
        explicit_graph.edges.push_back({edge.from, edge.to, graph.source.line_number(edge.span.begin), graph.action(edge)});
    for (const lts::Label& label : graph.labels) {
        std::set<std::uint64_t>& carriers = explicit_graph.labels[label.name];
        for (std::uint64_t s = 0; s < label.states.size(); ++s)
            if (label.states[s]) carriers.insert(s);
    }
    return make_lts_machine(std::move(explicit_graph));
}

}  // namespace tideline::reference
