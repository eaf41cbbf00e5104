// Which function an engine is.
#include <cassert>

#include "check/ltl/couvreur.hpp"
#include "check/ltl/emptiness.hpp"

namespace tideline::check::ltl {

EmptinessResult find_accepting_run(Engine engine, const EmptinessTask& task) {
    switch (engine) {
        case Engine::couvreur: return couvreur(task);
    }
    assert(false && "every engine has a case");
    return {};
}

}  // namespace tideline::check::ltl
