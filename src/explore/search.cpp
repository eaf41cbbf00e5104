#include "explore/search.hpp"

#include "explore/breadth_first.hpp"
#include "explore/depth_first.hpp"
#include "explore/driver.hpp"
#include "explore/sweep.hpp"

namespace tideline {

SearchResult search(std::shared_ptr<const System> system, WalkOrder order, const SearchLimits& limits,
                    SearchObserver& observer) {
    switch (order) {
        case WalkOrder::breadth_first: break;
        case WalkOrder::depth_first: return Driver<DepthFirst>(std::move(system), limits, observer).run();
        case WalkOrder::sweep_basic: return Driver<Sweep>(std::move(system), limits, observer, true).run();
        case WalkOrder::sweep: return Driver<Sweep>(std::move(system), limits, observer).run();
    }
    return Driver<BreadthFirst>(std::move(system), limits, observer).run();
}

}  // namespace tideline
