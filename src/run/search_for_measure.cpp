#include "run/search_for_measure.hpp"

#include "automata/system_product.hpp"

namespace tideline::run {

SweepKind sweep_kind(const RunSpec& spec) {
    return spec.engine == Engine::sweep_basic                      ? SweepKind::basic
           : spec.ledger.kind == LedgerChoice::Kind::none ? SweepKind::without_ledger
                                                          : SweepKind::with_ledger;
}

FoundMeasures search_for_measures(const LoadedSystem& system, const LinearProperty* product, SweepKind kind, const Measure* given,
                                  const Budget& budget) {
    std::string notice;
    const Measure none;
    PilotLimits limits;
    // A measure that is no expression is known to the system alone.
    limits.keys = given != nullptr && given->program.components.empty();
    // All declared values fit into the pilot's states, so that it need not stop.
    std::shared_ptr<const System> searched =
        system.make_system(product == nullptr ? std::vector<Expression>() : product->atoms, limits.keys ? nullptr : &none, Successors::interpret,
                           Layout::declared(*system.names), budget, notice);
    if (product != nullptr) searched = make_product(std::move(searched), product->automaton, {});
    return find_measures(*system.names, *searched, kind, limits, budget, given);
}

}  // namespace tideline::run
