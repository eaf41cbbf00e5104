#include "explore/search.hpp"

#include "explore/breadth_first.hpp"
#include "explore/depth_first.hpp"
#include "explore/driver.hpp"
#include "explore/exact_sweep.hpp"
#include "explore/joint_breadth_first.hpp"
#include "explore/sweep.hpp"

namespace tideline {

SearchResult search(std::shared_ptr<const System> system, WalkOrder order, const SearchSettings& settings,
                    SearchObserver& observer) {
    if (settings.ledger != nullptr && (order == WalkOrder::sweep || order == WalkOrder::breadth_first))
        return Driver<ExactSweep>(std::move(system), settings, observer, false, *settings.ledger, order == WalkOrder::breadth_first).run();
    switch (order) {
        case WalkOrder::breadth_first: break;
        case WalkOrder::depth_first: return Driver<DepthFirst>(std::move(system), settings, observer).run();
        case WalkOrder::sweep_basic: return Driver<Sweep>(std::move(system), settings, observer, true).run();
        case WalkOrder::sweep: return Driver<Sweep>(std::move(system), settings, observer, false, settings.block_bits).run();
    }
    if (settings.compress) return Driver<BreadthFirst<CompressedKnownStates>>(std::move(system), settings, observer).run();
    if (settings.threads > 1) return Driver<JointBreadthFirst>(std::move(system), settings, observer).run();
    return Driver<BreadthFirst<PlainStates>>(std::move(system), settings, observer).run();
}

}  // namespace tideline
