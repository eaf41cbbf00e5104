// The contract between a walk and the search that drives it. A walk is the policy: it holds the frontier (states that
// are discovered and not expanded) and the visited set, divided into one partition per thread, and decides which states
// come next. The search (rounds.hpp) pops states, expands them, and inserts their successors.
//
// A *round* is what happens between two calls of finish_round (rounds.hpp). "Alone" means: by one thread, between
// rounds.
//
//  insert_initial(state, hash, key)    Alone, before the first advance(), on partition owner(hash).
//                                      Then: the state is in the frontier.
//  pop_batch(states, asleep, most)     The partition's thread, within a round, when all it popped before is expanded.
//                                      Then: the popped states have left the frontier. 0: the partition has nothing
//                                      ready until advance().
//  insert_successors(batch, count,     The partition's thread, within a round. Entries without fault, with hashes, that
//      pick, discovered)               the partition owns (shared tables: any); each entry of a batch once.
//                                      Then: every entry is in the visited set or the frontier. Those that were in
//                                      neither are appended to `discovered`, in ascending order (but for deferred ones
//                                      of shared tables).
//  expanded()                          The partition's thread, when all successors of all popped states are inserted.
//                                      Then: a depth-first walk has descended.
//  advance(owner)                      Alone, when ready() is 0 and everything popped is expanded and inserted.
//                                      Then: true, and ready() > 0; or false, the frontier is empty and stays so.
//  repack(system, translate, owner)    Alone. No entry may wait to be inserted; popped states may wait to be expanded,
//                                      and who popped them translates them.
//                                      Then: frontier, visited set, numbers and ready() are those of before, in the
//                                      packing of `system`; every state is in partition owner(new hash); sleep sets are
//                                      empty or as before. A recording walk may begin a layer again that is split: then
//                                      ready() is 0, and advance() comes next. After std::bad_alloc the walk can only
//                                      be counted and destroyed.
//  states(), ready(), count(figures)   Alone. Nothing changes.
//
// Of walks that hand their states over (change_over.hpp):
//
//  for_each_state(visit)               Alone. Every state once.
//  take_open(visit)                    Alone, when everything popped is expanded and inserted.
//                                      Then: every state of the frontier was visited once, and the frontier is empty.
//  take_all(visit)                     Alone, after it. Then: every state was visited once, and the walk can only be
//                                      counted and destroyed. It ends early where visit() returns false.
//
// Of walks that record:
//
//  record(partition, labels)           Alone, after a round in which the partition popped.
//                                      Then: the popped states are part of the ledger, with consecutive numbers.
//  checkpoint(saved)                   Alone, when everything popped is expanded and inserted.
//                                      Then: a search that resumes from here continues with this frontier.
//  spill(bytes)                        Alone. Then: memory was given back; the frontier is the same set.
//  split_layer()                       Where a checkpoint may be made. Then: ready() is 0, and advance() comes next.
//
// Invariants of every walk, between rounds:
//
//  W1  A state is in at most one partition, that of owner(hash) (shared tables: in one table).
//  W2  A state enters the frontier at most once; where the walk forgets, at most once per sweep. A recording walk may
//      hold a state of the frontier twice while one copy is on disk; it pops it once.
//  W3  ready() is the number of states that pop_batch() gives before the next advance(), if nothing is inserted
//      meanwhile. A depth-first walk may give fewer, since it compares states when it enters them.
//  W4  Walks by levels pop states in the order of their distance from the initial states. Walks by keys pop, between
//      two advance(), states of one key, and keys ascend within a sweep.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <vector>

#include "explore/owner.hpp"
#include "explore/statistics.hpp"
#include "explore/walk_traits.hpp"
#include "store/state_table.hpp"
#include "successor/system.hpp"
#include "support/budget.hpp"

namespace tideline::explore {

// What every walk is made from.
struct WalkSetup {
    const successor::System& system;
    const store::MemoryBudget& try_reserve;  // outlives the walk
    unsigned partitions = 1;
    const successor::Commuting* commuting = nullptr;  // null: no sleep sets
    const support::Budget* budget = nullptr;          // for work between rounds that can be long; null: no limits
};

template <class P>
concept WalkPartition =
    requires(P& partition, const successor::Word* state, successor::Word* states, successor::SleepSet* asleep,
             const successor::SuccessorBatch& batch, std::vector<std::uint32_t>& discovered) {
        partition.insert_initial(state, std::uint64_t{}, successor::Key{});
        { partition.pop_batch(states, asleep, std::size_t{}) } -> std::same_as<std::size_t>;
        partition.insert_successors(batch, std::size_t{}, [](std::size_t j) { return j; }, discovered);
        partition.expanded();
    };

template <class W>
concept Walk = WalkPartition<typename W::Partition> &&
               requires(W& walk, const W& counted, const successor::System& system,
                        const successor::Repacking& translate, Owner owner, Statistics& statistics) {
                   { W::kTraits } -> std::convertible_to<WalkTraits>;
                   { walk.partition(std::size_t{}) } -> std::same_as<typename W::Partition&>;
                   { walk.advance(owner) } -> std::same_as<bool>;
                   walk.repack(system, translate, owner);
                   { counted.states() } -> std::same_as<std::uint64_t>;
                   { counted.ready() } -> std::same_as<std::uint64_t>;
                   walk.count(statistics);
               };

}  // namespace tideline::explore
