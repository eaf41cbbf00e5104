// Accepting runs, and paths to states, by breadth-first searches after the verdict, whatever engine has found it. An
// engine says where: a state on an accepting cycle, or a set of states that is strongly connected and whose inner steps
// carry all wanted marks. It keeps nothing else for it.
//
//   through()  a shortest cycle that leads through the state and carries the mark, then a shortest path from an initial
//              state to the nearest state of it.
//   into()     a shortest path from an initial state into the set, then round it: a shortest way to a step with a
//              missing mark until none is missing, and a shortest way back. (Couvreur, Duret-Lutz and Poitrenaud, SPIN
//              2005, do the same.)
//
// Searches go over all states of the system, found again, or among known states only: those that an engine has
// expanded, where it has a table of them. The first are shorter, the second never take longer than the engine did.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "check/ltl/emptiness.hpp"
#include "store/numbered_table.hpp"

namespace tideline::check::ltl {

class LassoFinder {
public:
    using Word = successor::Word;
    using Number = store::NumberedTable::Number;

    // All states.
    LassoFinder(std::shared_ptr<const successor::System> system, model::Marks wanted);
    // Those of the table for which may_enter() is true: all of them have been expanded as the system packs them now.
    // The table must outlive this.
    LassoFinder(std::shared_ptr<const successor::System> system, model::Marks wanted, const store::NumberedTable& known,
                std::function<bool(Number)> may_enter);
    ~LassoFinder();
    LassoFinder(const LassoFinder&) = delete;
    LassoFinder& operator=(const LassoFinder&) = delete;

    // For one mark at most. `layer`: only states with this progress lie on the cycle. Nothing where the budget is
    // exhausted.
    [[nodiscard]] std::optional<PackedLasso> through(const std::vector<Word>& state, const support::Budget& budget,
                                                     std::optional<successor::Key> layer = std::nullopt);

    // The predicate is asked with states as the given system packs them: that may change on the way.
    using Contains = std::function<bool(const successor::System&, const Word*)>;
    [[nodiscard]] std::optional<PackedLasso> into(const Contains& contains, const support::Budget& budget);

    // A shortest path from an initial state to this one, which is packed as the system was in the beginning. The search
    // continues where the one before it has ended.
    [[nodiscard]] std::optional<PackedRun> path_to(const std::vector<Word>& state, const support::Budget& budget);

private:
    class Search;
    std::unique_ptr<Search> search_;
};

}  // namespace tideline::check::ltl
