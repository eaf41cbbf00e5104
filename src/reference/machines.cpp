#include "reference/machines.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>

#include "input/dve/parser.hpp"
#include "input/lts/aut.hpp"
#include "input/lts/kripke_json.hpp"
#include "reference/dve_machine.hpp"
#include "reference/lts_machine.hpp"

namespace tideline::reference {
namespace {

// The text has been accepted before.
template <class T>
T accepted(Result<T> parsed) {
    if (!parsed) throw std::logic_error("a model that was loaded cannot be parsed again: " + to_text(parsed.diagnostics().front()));
    return *std::move(parsed);
}

std::unique_ptr<Machine> machine_of_dve(const SourceText& source, const LoadOptions& options) {
    return make_dve_machine(std::make_shared<const dve::Program>(accepted(dve::parse(source))), {options.wrap, options.with_property});
}

std::unique_ptr<Machine> machine_of_graph(const lts::Graph& graph) {
    ExplicitGraph explicit_graph;
    explicit_graph.states = graph.state_count;
    explicit_graph.initial = graph.initial;
    for (const lts::Edge& edge : graph.edges)
        explicit_graph.edges.push_back({edge.from, edge.to, graph.source.line_number(edge.span.begin), graph.action(edge)});
    for (const lts::Label& label : graph.labels) {
        std::set<std::uint64_t>& carriers = explicit_graph.labels[label.name];
        carriers.insert(label.states.begin(), label.states.end());
    }
    explicit_graph.names = graph.names;
    explicit_graph.progress = graph.progress;
    return make_lts_machine(std::move(explicit_graph));
}

std::unique_ptr<Machine> machine_of_aut(const SourceText& source, const LoadOptions& /*options*/) {
    return machine_of_graph(accepted(lts::parse_aut(source)));
}

std::unique_ptr<Machine> machine_of_kripke(const SourceText& source, const LoadOptions& /*options*/) {
    return machine_of_graph(accepted(lts::parse_kripke(source)));
}

constexpr std::array<MachineRow, 3> kMachines{{
    {"dve", machine_of_dve},
    {"aut", machine_of_aut},
    {"kripke", machine_of_kripke},
}};

}  // namespace

std::span<const MachineRow> machines() { return kMachines; }

std::unique_ptr<Machine> make_machine(const LoadedModel& loaded, const LoadOptions& options) {
    const auto row = std::find_if(kMachines.begin(), kMachines.end(), [&](const MachineRow& r) { return r.language == loaded.language; });
    assert(row != kMachines.end());
    return row->make(loaded.source, options);
}

}  // namespace tideline::reference
