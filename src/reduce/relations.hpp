// How the transitions of a model depend on each other: what the closure of stubborn_sets.hpp is computed from. All of
// it is conservative: from facts that are read and written (step_facts.hpp), not from values.
//
// dependent(t, u): there may be a state where both are enabled, and there one disables the other, or their order
//   matters. Not where a process would have to be in two locations. A transition that enters a committed location
//   disables all that leave none.
// enabling(t): where t is disabled, the transitions one of which has to happen before t can. Of a participant that is
//   elsewhere: what brings it to its location. Of a guard that does not hold: everything that writes what it reads.
//   Where several conditions do not hold, any of them will do. Where all of them hold, a process is in a committed
//   location, and it is what leaves such locations.
//
// Transitions of less than the highest priority (timeouts) happen only where none of the highest can. A set is computed
// where one of these is enabled, which stays enabled until it happens or what depends on it does: a transition of a
// lower priority neither happens before that nor has to be enabled.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "model/model.hpp"
#include "reduce/bit_rows.hpp"

namespace tideline::reduce {

struct Relations {
    // What a transition needs to be enabled: that a process is in a location, or one of its guards.
    struct Condition {
        std::uint32_t enabling = 0;  // a row: one of these transitions makes it true, if it is not
        std::uint32_t guard = 0;     // kLocation: the location
        model::SlotId location = 0;
        model::Value from = 0;
    };
    static constexpr std::uint32_t kLocation = UINT32_MAX;

    std::shared_ptr<const model::Model> model;
    std::size_t count = 0;
    BitRows dependent;  // by transition
    BitRows needs;      // by transition: what a set must contain that contains it, where it is enabled
    BitRows enabling;   // rows; the first: transitions that leave a committed location
    std::vector<std::uint32_t> first_condition;  // by transition, and one more
    std::vector<Condition> conditions;           // of a transition, those with the smallest rows first
    BitRows visible;                             // one row: transitions that may change a label
    BitRows faulty;                              // one row: transitions whose step may be a fault
    std::vector<bool> sticky;                    // by transition: every cycle of states has such a step
    std::vector<bool> lone;  // by transition, for `branching`: it may be the only one that is taken from a state
    std::vector<bool> low;   // by transition: it has less than the highest priority
    bool has_low = false;
};

// Why transitions of a model cannot be left out; empty: they can.
[[nodiscard]] std::string_view irreducible(const model::Model& model);

// `labels`: expressions whose values are observed. Everything but `needs` and `lone`.
[[nodiscard]] Relations basic_relations(std::shared_ptr<const model::Model> model,
                                        std::span<const model::Expression> labels);
// Adds to what a set needs by D2 what it needs by V and L (stubborn_sets.hpp).
[[nodiscard]] Relations with_conditions(Relations relations);
[[nodiscard]] inline Relations relations(std::shared_ptr<const model::Model> model,
                                         std::span<const model::Expression> labels) {
    return with_conditions(basic_relations(std::move(model), labels));
}

}  // namespace tideline::reduce
