// Accepting runs, and paths to states, by breadth-first searches after the verdict, whatever engine has found it. An
// engine says where: a state on an accepting cycle, or a set of states that is strongly connected and whose inner steps
// carry all wanted marks. It keeps nothing else for it.
//
//   through()  the component of the state, as far as it lies among the states that are nearest behind it.
//   into()     the set, as far as it lies near the first of its states that a shortest path from an initial one leads
//   to. onto()     a cycle that is known: a shortest path to the nearest of its states.
//
// Inside what was found so, the states in the order of their distance from an initial one are all tried as the place
// where the run enters its cycle, each with a shortest path to it and a shortest cycle through it that carries all
// marks (more than four marks: the shortest way to a step with a missing one until none is missing, and the shortest
// way back; Couvreur, Duret-Lutz and Poitrenaud, SPIN 2005, do the same). The shortest run is taken.
//
// Where the states nearby have no cycle with all marks, through() returns a shortest cycle that leads through the state
// and carries the mark, with a shortest path to the nearest state of it, and into() a shortest path into the set, then
// round it on shortest ways.
//
// Searches go over all states of the system, found again, or among known states only: those that an engine has
// expanded, where it has a table of them. The first are shorter, the second never take longer than the engine did.
// shortened() takes the run of the second kind as the place where one of the first kind begins.
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
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};

    // All states; at most so many are expanded by each search.
    LassoFinder(std::shared_ptr<const successor::System> system, model::Marks wanted, std::uint64_t most = kAll);
    // Those of the table for which may_enter() is true: all of them have been expanded as the system packs them now.
    // The table must outlive this.
    LassoFinder(std::shared_ptr<const successor::System> system, model::Marks wanted, const store::NumberedTable& known,
                std::function<bool(Number)> may_enter);
    ~LassoFinder();
    LassoFinder(const LassoFinder&) = delete;
    LassoFinder& operator=(const LassoFinder&) = delete;

    // `layer`: only states with this progress lie on the cycle. Nothing where the budget is exhausted, and where there
    // are several marks and no cycle near the state that carries them.
    [[nodiscard]] std::optional<PackedLasso> through(const std::vector<Word>& state, const support::Budget& budget,
                                                     std::optional<successor::Key> layer = std::nullopt);

    // The predicate is asked with states as the given system packs them: that may change on the way.
    using Contains = std::function<bool(const successor::System&, const Word*)>;
    [[nodiscard]] std::optional<PackedLasso> into(const Contains& contains, const support::Budget& budget);

    // The same among known states, by their numbers in the table.
    using ContainsNumber = std::function<bool(Number)>;
    [[nodiscard]] std::optional<PackedLasso> into(const ContainsNumber& contains, const support::Budget& budget);

    // The same cycle, entered elsewhere. The run is packed as the system was in the beginning.
    [[nodiscard]] std::optional<PackedLasso> onto(const PackedLasso& run, const support::Budget& budget);

    // A shortest path from an initial state to this one, which is packed as the system was in the beginning. The search
    // continues where the one before it has ended.
    [[nodiscard]] std::optional<PackedRun> path_to(const std::vector<Word>& state, const support::Budget& budget);

private:
    class Search;
    std::unique_ptr<Search> search_;
};

// A run that an engine has among what it knows, and one that a search over all states finds from a state of its cycle:
// the shorter one. The search expands about as many states as the engine did (`expanded`); where that, or the budget,
// does not suffice, the run stays as it is. With strong fairness (`same_cycle`) only what leads to the cycle changes.
struct ShorterRun {
    model::Marks wanted = 0;
    std::uint64_t expanded = 0;
    bool same_cycle = false;
};
[[nodiscard]] PackedLasso shortened(PackedLasso run, const ShorterRun& how, const support::Budget& budget);

}  // namespace tideline::check::ltl
