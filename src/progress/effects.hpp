// What transitions do to the slots of a model, as linear forms over the slots before: the ground of proofs about progress.
//
// All arithmetic is exact; where a number does not fit, NumberTooLarge is thrown, and there is no proof.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "model/model.hpp"

namespace tideline {

struct NumberTooLarge {};

// A value that depends on one slot: the slot itself, an entry of a constant table that it chooses, or whether it has some value.
struct Atom {
    enum class Kind : std::uint8_t { slot, table, equals };
    SlotId slot = 0;
    Kind kind = Kind::slot;
    TableId table = 0;   // entry slot + value
    Value value = 0;
    friend auto operator<=>(const Atom&, const Atom&) = default;
};

// A value that lies in: the sum of factor * atom, plus something of `rest`.
struct Form {
    std::map<Atom, Value> factors;
    Range rest;

    [[nodiscard]] bool is_constant() const { return factors.empty() && rest.low == rest.high; }
};

Form scaled(const Form& form, Value factor);
Form added(Form a, const Form& b);

using Slots = std::map<SlotId, Form>;  // values of slots that have been assigned, over those before

// The expression over the slots before, where it is linear in atoms; nothing otherwise.
std::optional<Form> linear_form(const Model& model, const Expression& expression, const Slots& slots);

// What a transition does, seen from the slots that matter; nothing where an array is written at a computed place, or shifted, that matters.
std::optional<Slots> slots_after(const Model& model, const Transition& transition, const std::function<bool(SlotId)>& matters);

// The ranges of slots where a transition is enabled, as far as its locations and simple guards tell.
class EnabledRanges {
public:
    EnabledRanges(const Model& model, const Transition& transition);

    [[nodiscard]] Range of(SlotId slot) const;
    // Nothing where the transition is never enabled.
    [[nodiscard]] std::optional<Range> of(const Form& form) const;

private:
    void narrow(const Expression& guard);
    [[nodiscard]] Range of(const Atom& atom, Range slot) const;

    const Model& model_;
    std::map<SlotId, Range> at_;
};

// By how much a transition changes an expression's value; nothing where that cannot be told. A transition that is never enabled changes it by
// more than anything.
std::optional<Range> change_by(const Model& model, const Transition& transition, const Expression& expression);

}  // namespace tideline
