// Which function an engine is.
#include <cassert>
#include <utility>

#include "check/ltl/couvreur.hpp"
#include "check/ltl/emptiness.hpp"
#include "check/ltl/exact_sweep.hpp"
#include "check/ltl/graph.hpp"
#include "check/ltl/ltl_sweep.hpp"
#include "check/ltl/map.hpp"
#include "check/ltl/ndfs.hpp"
#include "support/memory.hpp"

namespace tideline::check::ltl {
namespace {

// The graph, and where memory becomes short the sweep that continues with all that is in it.
EmptinessResult graph_or_sweep(const EmptinessTask& task) {
    EmptinessResult result = graph_components(task);
    if (!result.continues_with) return result;
    const explore::ChangeTarget target = *std::exchange(result.continues_with, std::nullopt);
    result = {};
    support::release_free_memory();
    EmptinessTask rest = task;
    rest.system = target.system;
    rest.settings.ledger = target.ledger;
    rest.settings.change_over = nullptr;
    result = exact_sweep(rest);
    result.engine = Engine::sweep;
    return result;
}

}  // namespace

EmptinessResult find_accepting_run(Engine engine, const EmptinessTask& task) {
    switch (engine) {
        case Engine::couvreur: return couvreur(task);
        case Engine::ndfs: return ndfs(task);
        case Engine::map: return map(task);
        case Engine::ltl_sweep_offline: return ltl_sweep(task, MlacSearch::offline);
        case Engine::ltl_sweep_online: return ltl_sweep(task, MlacSearch::online);
        case Engine::graph: return graph_or_sweep(task);
        case Engine::sweep: return exact_sweep(task);
    }
    assert(false && "every engine has a case");
    return {};
}

}  // namespace tideline::check::ltl
