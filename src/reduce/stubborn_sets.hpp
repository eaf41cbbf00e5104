// Stubborn sets: for each state, enabled transitions that suffice.
//
// A. Valmari: Stubborn sets for reduced state space generation, LNCS 483 (1990); The state explosion problem, LNCS 1491
// (1998), section 5. Conditions (strong stubborn sets) on a set T in a state with an enabled transition:
//
//   D0  T contains an enabled transition.
//   D1  What is disabled in T stays disabled until something of T happens: T contains an enabling set of it.
//   D2  What is enabled in T does not depend on anything outside of T.
//   V   If T contains an enabled visible transition, it contains all visible ones.
//   I   If an invisible transition is enabled, T contains one that is.                            (linear)
//   L   Every cycle of the reduced state space has a state whose T contains all visible transitions, and all that may
//       be faulty.
//
// D0 to D2 keep deadlocks, V and L states where a label has another value, I linear-time formulas without X
// (docs/algorithms/stubborn-sets.md has the proofs). L is the cycle proviso. It holds by sticky transitions
// (cycle_breaking.hpp): every cycle has one, and a T with an enabled sticky transition contains what L asks for. So
// what is taken from a state depends on the state alone, not on the search: the reduced state space is one and the
// same for all engines, orders and numbers of threads, and a System of its own.
//
// For CTL* without X (R. Gerth, R. Kuiper, D. Peled and W. Penczek, Information and Computation 150, 1999): a T with
// one enabled transition, with one outcome, neither visible nor sticky; or all.
//
// The closure begins with each enabled transition in turn and adds what D1, D2, V and L ask for until nothing is
// missing; the result with the fewest enabled transitions is kept, the first of equals. A state with a faulty step
// keeps all of its steps.
#pragma once

#include <memory>
#include <vector>

#include "reduce/relations.hpp"
#include "successor/layout.hpp"

namespace tideline::reduce {

// What the reduced state space must have of the whole.
enum class Preserved : std::uint8_t {
    states,     // deadlocks, the values that the labels have together, faults
    linear,     // and linear-time formulas without X over the labels
    branching,  // and formulas of CTL* without X
};

class StubbornSets {
public:
    StubbornSets(std::shared_ptr<const Relations> relations, Preserved preserved);

    // Whether fewer than all enabled transitions suffice; has() then says which. `enabled`: the first transitions of
    // the state's steps, one entry per step, none of them faulty.
    [[nodiscard]] bool choose(const successor::Layout& layout, const std::uint64_t* state,
                              const std::vector<model::TransitionId>& enabled);
    [[nodiscard]] bool has(model::TransitionId t) const { return (best_[t / 64] >> (t % 64) & 1U) != 0; }

private:
    using Bits = std::vector<std::uint64_t>;

    // How many enabled transitions the closure of one has; `limit` if that many, or where it must not be taken.
    std::size_t close(model::TransitionId from, std::size_t limit, const successor::Layout& layout,
                      const std::uint64_t* state);
    [[nodiscard]] const std::uint64_t* row_of(std::size_t t, const successor::Layout& layout,
                                              const std::uint64_t* state);
    // Of a disabled transition: the row of the first of its conditions that does not hold.
    [[nodiscard]] std::uint32_t missing(std::size_t t, const successor::Layout& layout, const std::uint64_t* state);
    [[nodiscard]] bool keeps_invisible() const;
    [[nodiscard]] static bool contains(const Bits& bits, std::size_t t) { return (bits[t / 64] >> (t % 64) & 1U) != 0; }

    std::shared_ptr<const Relations> relations_;
    Preserved preserved_;
    Bits enabled_;
    Bits set_;
    Bits open_;
    Bits best_;
    // Of the current state, by transition: missing(), once it was asked for; the number of the state.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> missing_;
    std::uint32_t state_ = 0;
    bool is_unpacked_ = false;
    std::vector<model::Value> values_;
    std::vector<model::Value> stack_;
};

}  // namespace tideline::reduce
