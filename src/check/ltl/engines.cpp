// Which function an engine is.
#include <cassert>

#include "check/ltl/couvreur.hpp"
#include "check/ltl/emptiness.hpp"
#include "check/ltl/exact_sweep.hpp"
#include "check/ltl/graph.hpp"
#include "check/ltl/ltl_sweep.hpp"
#include "check/ltl/map.hpp"
#include "check/ltl/ndfs.hpp"

namespace tideline::check::ltl {

EmptinessResult find_accepting_run(Engine engine, const EmptinessTask& task) {
    switch (engine) {
        case Engine::couvreur: return couvreur(task);
        case Engine::ndfs: return ndfs(task);
        case Engine::map: return map(task);
        case Engine::ltl_sweep_offline: return ltl_sweep(task, MlacSearch::offline);
        case Engine::ltl_sweep_online: return ltl_sweep(task, MlacSearch::online);
        case Engine::graph: return graph_components(task);
        case Engine::sweep: return exact_sweep(task);
    }
    assert(false && "every engine has a case");
    return {};
}

}  // namespace tideline::check::ltl
