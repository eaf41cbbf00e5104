#include "run/search_for_measure.hpp"

#include "automata/system_product.hpp"

namespace tideline::run {

progress::SweepKind sweep_kind(const RunSpec& spec) {
    const bool is_basic = spec.engine == Engine::sweep_basic || spec.engine == Engine::scc_ctl;
    return is_basic                                       ? progress::SweepKind::basic
           : spec.ledger.kind == LedgerChoice::Kind::none ? progress::SweepKind::without_ledger
                                                          : progress::SweepKind::with_ledger;
}

progress::FoundMeasures search_for_measures(const LoadedSystem& system, const LinearProperty* product,
                                            progress::SweepKind kind, const progress::Measure* given,
                                            const support::Budget& budget) {
    std::string notice;
    const progress::Measure none;
    progress::PilotLimits limits;
    // A measure that is no expression is known to the system alone.
    limits.keys = given != nullptr && given->program.components.empty();
    // All declared values fit into the pilot's states, so that it need not stop.
    std::shared_ptr<const successor::System> searched = system.make_system(
        product == nullptr ? std::vector<model::Expression>() : product->atoms, limits.keys ? nullptr : &none,
        successor::Successors::interpret, successor::Layout::declared(*system.names), budget, notice);
    if (product != nullptr) searched = automata::make_product(std::move(searched), product->automaton, {});
    return progress::find_measures(*system.names, *searched, kind, limits, budget, given);
}

}  // namespace tideline::run
