#include "explore/search.hpp"

#include "explore/breadth_first.hpp"
#include "explore/depth_first.hpp"
#include "explore/driver.hpp"

namespace tideline {

SearchResult search(std::shared_ptr<const System> system, WalkOrder order, const SearchLimits& limits,
                    SearchObserver& observer) {
    if (order == WalkOrder::depth_first) return Driver<DepthFirst>(std::move(system), limits, observer).run();
    return Driver<BreadthFirst>(std::move(system), limits, observer).run();
}

}  // namespace tideline
