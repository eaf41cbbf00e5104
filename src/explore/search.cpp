#include "explore/search.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "explore/breadth_first.hpp"
#include "explore/depth_first.hpp"
#include "explore/driver.hpp"
#include "explore/exact_sweep.hpp"
#include "explore/joint_breadth_first.hpp"
#include "explore/sweep.hpp"

namespace tideline::explore {

SearchResult search(std::shared_ptr<const successor::System> system, WalkOrder order, const SearchSettings& settings,
                    SearchObserver& observer) {
    // With a ledger, both sweeps are exact; the basic one ends where the measure is not monotonic.
    const bool monotonic_only = order == WalkOrder::sweep_basic;
    if (settings.ledger != nullptr && monotonic_only) order = WalkOrder::sweep;
    const bool records = settings.ledger != nullptr && (order == WalkOrder::sweep || order == WalkOrder::breadth_first);
    // A ledger's states lie where its walk looks for them: another one would expand them again.
    if (records && settings.ledger->resumed && !settings.ledger->saved.walk.empty() &&
        settings.ledger->saved.walk != to_string(order))
        throw ledger::LedgerError(ledger::LedgerFault::other_run, settings.ledger->writer.directory(),
                                  "it was written by the engine " + settings.ledger->saved.walk +
                                      " and cannot be resumed by " + std::string(to_string(order)));
    if (settings.edges != nullptr && settings.edges->need() != EdgeNeed::nothing &&
        !(records ? settings.ledger->writer.header().edges && !settings.ledger->resumed
                  : order == WalkOrder::breadth_first))
        throw std::invalid_argument("this search has no numbers for an edge sink");
    ThreadTeam team(order == WalkOrder::depth_first ? 1 : std::max(1U, settings.threads), settings.start_thread);
    const auto run = [&]<class W>(std::type_identity<W>, auto&&... for_walk) {
        return Driver<W>(std::move(system), settings, observer, team, for_walk...).run();
    };
    if (records)
        return run(std::type_identity<ExactSweep>(), *settings.ledger, order == WalkOrder::breadth_first,
                   monotonic_only);
    switch (order) {
        case WalkOrder::breadth_first: break;
        case WalkOrder::depth_first: return run(std::type_identity<DepthFirst>());
        case WalkOrder::sweep_basic: return run(std::type_identity<Sweep>(), true);
        case WalkOrder::sweep: return run(std::type_identity<Sweep>(), false, settings.block_bits);
    }
    if (settings.edges != nullptr && settings.edges->need() == EdgeNeed::edges) {
        if (team.size() > 1) return run(std::type_identity<NumberedJointBreadthFirst>());
        return run(std::type_identity<BreadthFirst<NumberedVisitedStates>>());
    }
    if (settings.compress) return run(std::type_identity<BreadthFirst<CompressedVisitedStates>>());
    if (team.size() > 1) return run(std::type_identity<JointBreadthFirst>());
    return run(std::type_identity<BreadthFirst<PlainVisitedStates>>());
}

}  // namespace tideline::explore
