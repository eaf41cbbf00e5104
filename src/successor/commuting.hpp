// Sleep sets: steps that a search need not execute, because their targets are found elsewhere.
//
// Two transitions commute where neither writes what the other reads or writes: both orders lead to the same state. Let
// a state t be new, reached from s by b, and let a come before b in the order of successors and commute with it. Then
// a(t) = b(a(s)), and a(s) was discovered before t: expanding a(s) finds a(t). So a *sleeps* in t. The same holds for
// every a that already slept in s and commutes with b:
//
//     asleep(t) = { a : a commutes with b, and a sleeps in s or comes before b }
//
// Why no state is lost: by induction over the order of discovery. If a sleeps in t, then a(s) was discovered before t;
// so a(t), its successor by b, either is generated when a(s) is expanded, or b sleeps in a(s), and a(t) is found by a
// state discovered earlier still. A sleeping transition that is not enabled stays disabled, since nothing that it reads
// has changed. The argument only requires that every discovered state is expanded, once, with the set that it was
// discovered with; any smaller set is correct as well. In a breadth-first search by one thread, a(t) is even visited
// when t is expanded: which states are new, in which order and from where, is the same with sleep sets as without.
//
// Sleep sets are Godefroid's (Partial-Order Methods for the Verification of Concurrent Systems, LNCS 1032, chapter 5),
// where they save transitions in a depth-first search. There, a state that is reached again with a smaller set must be
// visited again; here it need not, since a transition that sleeps has been or will be taken from a state discovered
// earlier, whatever the sets of other visits are. Sleeping steps are counted, but their targets are not looked up:
// numbers of states and of transitions stay exact.
//
// In a sweep, deletion and the order of layers matter. There only transitions sleep that cannot change the progress
// key, and sets are kept only for states of the current layer, in the first sweep: a(s), which has the key of s, is
// then in memory and expanded before t, or in the same layer at the latest, so a sweep with sleep sets visits the same
// states in the same layers as one without.
//
// Transitions share a bit where they commute with the same others; at most 64 bits are kept.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"
#include "successor/key.hpp"

namespace tideline::successor {

// A set of classes of transitions.
using SleepSet = std::uint64_t;

class Commuting {
public:
    // Nothing ever sleeps where more than guards decides which process moves: property processes, lockstep, priorities,
    // committed locations; nor in models whose transitions and slots are too many to compare all pairs. A
    // transition that may change the key never sleeps.
    Commuting(const model::Model& model, const KeyProgram& key);

    // How many bits sleep sets have; 0: nothing ever sleeps.
    [[nodiscard]] unsigned classes() const { return classes_; }
    // The class of a transition as a set; empty where it never sleeps.
    [[nodiscard]] SleepSet class_of(model::TransitionId t) const { return of_[t].own; }
    // asleep(t) = (asleep(s) | before(b)) & commutes(b)
    [[nodiscard]] SleepSet before(model::TransitionId b) const { return of_[b].before; }
    [[nodiscard]] SleepSet commutes(model::TransitionId b) const { return of_[b].commutes; }
    [[nodiscard]] SleepSet asleep_after(SleepSet asleep, model::TransitionId b) const {
        return (asleep | of_[b].before) & of_[b].commutes;
    }

private:
    struct Sets {
        SleepSet own = 0;
        SleepSet before = 0;
        SleepSet commutes = 0;
    };
    std::vector<Sets> of_;  // by transition; empty where classes_ is 0
    unsigned classes_ = 0;
};

}  // namespace tideline::successor
