#include "automata/monitor.hpp"

#include <algorithm>

#include "automata/components.hpp"
#include "automata/obligation.hpp"
#include "automata/translate.hpp"

namespace tideline::automata {
namespace {

constexpr std::size_t kMostSubsets = 1024;

}  // namespace

std::optional<Automaton> safety_monitor(logic::Formulas& formulas, logic::Formula f, Labels& labels,
                                        const std::vector<logic::Formula>& atoms, const TranslationLimits& limits) {
    const auto translated = [&](logic::Formula g) {
        return translate(formulas, g, labels, AutomatonKind::generalised, limits, atoms);
    };
    const support::Result<Automaton> good = translated(f);
    if (!good) return std::nullopt;
    const support::Result<Automaton> bad = translated(formulas.negation(f));
    if (!bad) return std::nullopt;
    try {
        std::optional<Automaton> monitor = minimal_weak(*good, *bad, kMostSubsets, TranslationBudget(limits));
        if (!monitor) return std::nullopt;
        const Components found = components(*monitor);
        if (std::ranges::find(found.kinds, ComponentKind::rejecting) != found.kinds.end()) return std::nullopt;
        monitor->sets = 0;
        monitor->state_based = false;
        for (std::vector<Edge>& edges : monitor->states)
            for (Edge& edge : edges) edge.marks = 0;
        merge_edges(*monitor);
        return monitor;
    } catch (const LimitReached&) {
        return std::nullopt;
    }
}

}  // namespace tideline::automata
