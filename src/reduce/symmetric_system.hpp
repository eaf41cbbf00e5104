// A model's system reduced by its symmetries: its states are representatives of classes, its steps those of the
// representatives, with representatives as their targets. It is a System, so every engine works on it.
//
// A symmetry maps runs to runs, so a class has a step to a class where one of its states, and then every one, has a
// step into it. Where labels are invariant, classes and states satisfy the same formulas of CTL* over them (E. A.
// Emerson, A. P. Sistla: Symmetry and model checking, 1996; C. N. Ip, D. L. Dill 1996). Which element of a class
// represents it does not matter for that, so representatives need not be unique.
//
// No step sleeps: that one step is found by way of another is known of states, not of representatives. Keys are those
// of representatives; where the measure is not invariant, a step may lead to a smaller key although no step of the
// model does.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "reduce/representative.hpp"
#include "successor/system.hpp"

namespace tideline::reduce {

struct SymmetrySettings {
    std::shared_ptr<const SymmetryGroup> group;
    bool is_key_invariant = true;
    // Set where the bounds of the search for representatives were met. Null: nobody asks.
    std::shared_ptr<std::atomic<bool>> has_ambiguous{};
};

// Makes the system of the model with a packing; nothing: with any.
using MakePacked = std::function<std::shared_ptr<const successor::System>(const successor::Layout* layout)>;

// `make` must work as long as the system is there.
[[nodiscard]] std::shared_ptr<const successor::System> make_symmetric(MakePacked make, SymmetrySettings settings);

// The least packing above it where every slot holds what symmetries bring there.
[[nodiscard]] successor::Layout closed_layout(const SymmetryGroup& group, const successor::Layout& layout);

}  // namespace tideline::reduce
