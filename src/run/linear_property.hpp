// A linear-time property as a user gives it, a formula or an automaton of the counterexample runs, turned into what a
// check needs.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "automata/automaton.hpp"
#include "logic/lasso.hpp"
#include "model/model.hpp"
#include "run/formula_atoms.hpp"
#include "run/refusal.hpp"
#include "run/sink.hpp"
#include "run/spec.hpp"

namespace tideline::run {

struct LinearProperty {
    std::string name;
    std::string logic;                         // ltl or automaton
    std::string formula;                       // as the user wrote it, or the file
    std::shared_ptr<automata::Labels> labels;  // of the automaton
    automata::Automaton automaton;             // of the counterexample runs
    std::vector<model::Expression> atoms;      // of the automaton, over the model's names; false where they are none
    std::vector<AtomMeaning> meanings;         // of the atoms
    // Of G (p -> f): p, as a label over the automaton's atoms and as text. Empty: the formula has no such form.
    automata::Label antecedent{};
    std::string antecedent_text{};
    // Whether a word over these atoms is a counterexample: of a formula by its meaning, without any automaton. Of an
    // automaton true where the budget, which must outlive this, does not suffice to find out. `ends`: the word is
    // finite, and ends with the last letter.
    std::function<bool(const logic::Lasso&, bool ends)> is_counterexample;
    bool is_translated_elsewhere = false;  // another program has made the automaton
    // Of a formula: its monitor, over the same atoms; nothing where it is no safety property, or reads steps. Null: no
    // formula, or another translator's automaton was asked for.
    std::function<std::optional<automata::Automaton>()> make_monitor{};

    [[nodiscard]] bool reads_moves() const {
        return std::any_of(meanings.begin(), meanings.end(),
                           [](const AtomMeaning& m) { return m.kind == AtomMeaning::Kind::moved; });
    }
    [[nodiscard]] bool speaks_of_steps() const {
        return std::any_of(meanings.begin(), meanings.end(),
                           [](const AtomMeaning& m) { return m.kind != AtomMeaning::Kind::expression; });
    }
};

// Errors and warnings of the property's text; nothing is translated. Its kind is ltl or automaton.
[[nodiscard]] support::Diagnostics check_linear_property(const PropertySpec& property, const model::Model& model,
                                                         const support::Budget& budget);

// A formula whose automaton could not be made within the limits: nothing is wrong with it, but nothing is decided.
struct Untranslated {
    std::string reason;
};
// The property with its automaton, by the reading of deadlocks. Throws Refusal where the property or what another
// translator wrote is wrong; warnings go to the sink.
[[nodiscard]] std::variant<LinearProperty, Untranslated> make_linear_property(const PropertySpec& property,
                                                                              const model::Model& model,
                                                                              DeadlockReading deadlocks,
                                                                              const std::string& translator, Sink& sink,
                                                                              const support::Budget& budget);

// The same without a model: any names are atoms. A formula's automaton is that of the formula itself.
struct NamedAutomaton {
    std::string name;  // the formula, or the file
    std::shared_ptr<automata::Labels> labels;
    automata::Automaton automaton;
};
[[nodiscard]] OrRefusal<NamedAutomaton> automaton_of_formula(const std::string& text, const std::string& translator,
                                                             bool state_based, Sink& sink,
                                                             const support::Budget& budget);
[[nodiscard]] OrRefusal<NamedAutomaton> automaton_of_file(const std::string& path, Sink& sink,
                                                          const support::Budget& budget);

}  // namespace tideline::run
