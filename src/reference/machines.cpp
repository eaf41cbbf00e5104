// The table of machines. In a file of its own, as the table of languages is (input/languages.cpp).
#include "reference/machines.hpp"

#include <array>
#include <stdexcept>

#include "input/dve/definitions.hpp"
#include "input/dve/parser.hpp"
#include "input/lts/aut.hpp"
#include "input/lts/kripke_json.hpp"
#include "input/promela/parser.hpp"
#include "reference/dve_machine.hpp"
#include "reference/lts_machine.hpp"
#include "reference/promela_machine.hpp"

namespace tideline::reference {
namespace {

// The text has been accepted before.
template <class T>
T accepted(support::Result<T> parsed) {
    if (!parsed)
        throw std::logic_error("a model that was loaded cannot be parsed again: " +
                               support::to_text(parsed.diagnostics().front()));
    return *std::move(parsed);
}

std::unique_ptr<Machine> machine_of_dve(const support::SourceText& source, const input::LoadOptions& options) {
    auto program = std::make_shared<input::dve::Program>(accepted(input::dve::parse(source)));
    if (const support::Diagnostics errors = input::dve::define_constants(*program, options.definitions);
        !errors.empty())
        throw std::logic_error("a constant that was set cannot be set again: " + support::to_text(errors.front()));
    return make_dve_machine(std::move(program), {options.wrap, options.with_property});
}

std::unique_ptr<Machine> machine_of_graph(const input::lts::Graph& graph) {
    ExplicitGraph explicit_graph;
    explicit_graph.states = graph.state_count;
    explicit_graph.initial.assign(graph.initial.begin(), graph.initial.end());
    for (const input::lts::Edge& edge : graph.edges)
        explicit_graph.edges.push_back(
            {edge.from, edge.to, graph.source.line_number(edge.span.begin), graph.action(edge)});
    for (const input::lts::Label& label : graph.labels) {
        std::set<std::uint64_t>& carriers = explicit_graph.labels[label.name];
        carriers.insert(label.states.begin(), label.states.end());
    }
    explicit_graph.names = graph.names;
    explicit_graph.progress = graph.progress;
    return make_lts_machine(std::move(explicit_graph));
}

std::unique_ptr<Machine> machine_of_aut(const support::SourceText& source, const input::LoadOptions& /*options*/) {
    return machine_of_graph(accepted(input::lts::parse_aut(source)));
}

std::unique_ptr<Machine> machine_of_kripke(const support::SourceText& source, const input::LoadOptions& /*options*/) {
    return machine_of_graph(accepted(input::lts::parse_kripke(source)));
}

std::unique_ptr<Machine> machine_of_promela(const support::SourceText& source, const input::LoadOptions& options) {
    return make_promela_machine(std::make_shared<const input::promela::Program>(accepted(input::promela::parse(
                                    source, {options.definitions, options.include_dirs}, support::Budget()))),
                                {options.with_property, options.instances});
}

constexpr std::array<MachineRow, 4> kMachines{{
    {"dve", machine_of_dve},
    {"aut", machine_of_aut},
    {"promela", machine_of_promela},
    {"kripke", machine_of_kripke},
}};

}  // namespace

std::span<const MachineRow> machines() { return kMachines; }

}  // namespace tideline::reference
