#include "run/linear_engine.hpp"

#include <algorithm>
#include <numeric>

#include "automata/degeneralise.hpp"
#include "run/search_for_measure.hpp"
#include "support/memory.hpp"

namespace tideline::run {
namespace {

bool has_accepting_states(const automata::Automaton& automaton) {
    return automaton.sets <= 1 && std::ranges::all_of(automaton.states, [](const std::vector<automata::Edge>& edges) {
               return std::ranges::all_of(
                   edges, [&](const automata::Edge& edge) { return edge.marks == edges.front().marks; });
           });
}

progress::Measure parsed(const LoadedSystem& system, const std::string& text) {
    support::Result<progress::Measure> measure = progress::parse_measure(*system.names, text);
    if (!measure) throw Refusal{std::move(measure).diagnostics(), support::StopReason::none};
    return *std::move(measure);
}

}  // namespace

check::ltl::Engine linear_engine(Engine engine) {
    switch (engine) {
        case Engine::graph: return check::ltl::Engine::graph;
        case Engine::sweep: return check::ltl::Engine::sweep;
        case Engine::ndfs: return check::ltl::Engine::ndfs;
        case Engine::map: return check::ltl::Engine::map;
        case Engine::ltl_sweep_offline: return check::ltl::Engine::ltl_sweep_offline;
        case Engine::ltl_sweep_online: return check::ltl::Engine::ltl_sweep_online;
        default: return check::ltl::Engine::couvreur;
    }
}

Engine run_engine(check::ltl::Engine engine) {
    switch (engine) {
        case check::ltl::Engine::couvreur: return Engine::couvreur;
        case check::ltl::Engine::graph: return Engine::graph;
        case check::ltl::Engine::sweep: return Engine::sweep;
        case check::ltl::Engine::ndfs: return Engine::ndfs;
        case check::ltl::Engine::map: return Engine::map;
        case check::ltl::Engine::ltl_sweep_offline: return Engine::ltl_sweep_offline;
        case check::ltl::Engine::ltl_sweep_online: return Engine::ltl_sweep_online;
    }
    return Engine::couvreur;
}

check::ltl::Variant linear_variant(const std::vector<EngineVariant>& variants) {
    const auto has = [&](EngineVariant variant) { return std::ranges::find(variants, variant) != variants.end(); };
    return {.plain = has(EngineVariant::plain),
            .progress_graph = has(EngineVariant::progress_graph),
            .progress_order = has(EngineVariant::progress_order),
            .mpp2 = has(EngineVariant::mpp2)};
}

automata::Automaton automaton_for(check::ltl::Engine engine, const automata::Automaton& automaton,
                                  const std::string& property, const support::Budget& budget) {
    if (!check::ltl::is_state_based(engine) || has_accepting_states(automaton)) return automaton;
    automata::TranslationLimits limits;
    limits.stop = [&] { return budget.is_exhausted(); };
    automata::DegeneralisationChoice choice;
    choice.order.resize(automaton.sets);
    std::iota(choice.order.begin(), choice.order.end(), std::size_t{0});
    try {
        return automata::degeneralised(automaton, choice, automata::TranslationBudget(limits));
    } catch (const automata::LimitReached& limit) {
        throw Refusal{
            {support::diagnostic_about(property, "its automaton has no accepting states, and with them " + limit.reason,
                                       "expected --engine auto or couvreur")},
            budget.exhausted()};
    }
}

LinearMeasure linear_measure(const RunSpec& spec, const LoadedSystem& system, const automata::Automaton* product,
                             const support::Budget& budget) {
    LinearMeasure result{MeasureInUse(system, product)};
    using Kind = ProgressChoice::Kind;
    if (spec.progress.kind == Kind::given) {
        result.source = MeasureSource::given;
        result.text = spec.progress.measure;
        result.in_use.use(parsed(system, result.text));
    } else if (spec.progress.kind == Kind::automatic && system.own_measure) {
        result.source = MeasureSource::own;
    } else {
        result.source = MeasureSource::found;
        const auto shape =
            spec.progress.kind == Kind::projection ? progress::MeasureShape::projection : progress::MeasureShape::any;
        progress::FoundMeasures found =
            search_for_measures(system, nullptr, progress::SweepKind::without_ledger, nullptr, budget, shape);
        found.pilot = {};
        support::release_free_memory();
        if (found.measures.empty()) {
            result.text = "0";
            result.in_use.use(parsed(system, result.text));
        } else {
            result.predicted_share = found.measures[0].predicted_share;
            result.text = progress::measure_text(found.measures[0].measure);
            result.in_use.use(std::move(found.measures[0].measure));
        }
    }
    result.components = result.in_use.components();
    // The rank of the automaton comes last: accepting states are reached early.
    if (result.in_use.has_rank())
        std::rotate(result.components.begin(), result.components.begin() + 1, result.components.end());
    return result;
}

}  // namespace tideline::run
