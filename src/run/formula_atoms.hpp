// The atoms of a temporal formula: expressions over the model's names, and what speaks of steps, parsed where they
// stand in the formula's text.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/expression.hpp"
#include "model/model.hpp"
#include "support/diagnostic.hpp"
#include "support/source.hpp"

namespace tideline::run {

// What an atom of a formula speaks of: a state, by an expression over the model's names, or the steps of one
// (successor/step_labels.hpp).
struct AtomMeaning {
    enum class Kind : std::uint8_t { expression, deadlock, enabled, moved };
    Kind kind = Kind::expression;
    std::size_t process = 0;  // of enabled and moved: its index among those of successor::process_table()
};

// The atom that the finite reading of deadlocks adds to a linear-time formula; users write `deadlock`.
inline constexpr const char* kDeadlockAtom = "(deadlock)";

// Parses the atoms of a formula, in its text, and keeps their meaning.
class FormulaAtoms {
public:
    // The model must outlive this.
    explicit FormulaAtoms(const model::Model& model) : model_(model) {}

    // kDeadlockAtom, which the text does not have.
    void add_deadlock() { add(kDeadlockAtom, {AtomMeaning::Kind::deadlock, 0}); }

    // For logic::FormulaContext::check_atom.
    support::Diagnostics operator()(const support::SourceText& source, support::SourceSpan span,
                                    const std::string& atom);

    // Null where no formula has such an atom; false where it speaks of steps.
    [[nodiscard]] const model::Expression* find(const std::string& atom) const;
    [[nodiscard]] AtomMeaning meaning(const std::string& atom) const;

private:
    void add(const std::string& atom, AtomMeaning meaning) {
        expressions_[atom] = model::Expression::constant(0);
        meanings_[atom] = meaning;
    }

    const model::Model& model_;
    std::map<std::string, model::Expression> expressions_;
    std::map<std::string, AtomMeaning> meanings_;  // of those that are no expressions
};

// What a name in a formula may be, for suggestions.
[[nodiscard]] std::vector<std::string> names_in_formulas(const model::Model& model);

}  // namespace tideline::run
