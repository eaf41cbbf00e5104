// What transitions do to the slots of a model, as linear forms over the slots before the step: the basis of proofs
// about progress.
//
// All arithmetic is exact; where a number does not fit, NumberTooLarge is thrown, and there is no proof.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "model/model.hpp"

namespace tideline::progress {

struct NumberTooLarge {};

// A value that depends on one slot: the slot itself, an entry of a constant table that it chooses, or whether it has
// some value.
struct Atom {
    enum class Kind : std::uint8_t { slot, table, equals };
    model::SlotId slot = 0;
    Kind kind = Kind::slot;
    model::TableId table = 0;  // entry slot + value
    model::Value value = 0;
    friend auto operator<=>(const Atom&, const Atom&) = default;
};

// A value that lies in: the sum of factor * atom, plus something of `rest`.
struct Form {
    std::map<Atom, model::Value> factors;
    model::Range rest;

    [[nodiscard]] bool is_constant() const { return factors.empty() && rest.low == rest.high; }
};

Form scaled(const Form& form, model::Value factor);
Form added(Form a, const Form& b);

using Slots = std::map<model::SlotId, Form>;  // values of slots that have been assigned, over those before

// The expression over the slots before, where it is linear in atoms; nothing otherwise.
std::optional<Form> linear_form(const model::Model& model, const model::Expression& expression, const Slots& slots);

// What a transition does, seen from the slots that matter; nothing where a relevant array is written at a computed
// index, or shifted.
std::optional<Slots> slots_after(const model::Model& model, const model::Transition& transition,
                                 const std::function<bool(model::SlotId)>& matters);

// The ranges of slots where a transition is enabled, as far as its locations and simple guards show.
class EnabledRanges {
public:
    EnabledRanges(const model::Model& model, const model::Transition& transition);

    [[nodiscard]] model::Range of(model::SlotId slot) const;
    // Nothing where the transition is never enabled.
    [[nodiscard]] std::optional<model::Range> of(const Form& form) const;

private:
    void needs_repacking(const model::Expression& guard);
    [[nodiscard]] model::Range of(const Atom& atom, model::Range slot) const;

    const model::Model& model_;
    std::map<model::SlotId, model::Range> at_;
};

// By how much a transition changes an expression's value; nothing where that is unknown. A transition that is never
// enabled changes it by more than anything.
std::optional<model::Range> change_by(const model::Model& model, const model::Transition& transition,
                                      const model::Expression& expression);

}  // namespace tideline::progress
