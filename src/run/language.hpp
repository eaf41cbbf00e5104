// A finite automaton as the specification of a system (--language): every sequence of visible labels that a run of the
// system shows must be one of the automaton's; where the automaton has final states, a run that ends must end in one.
//
// The deterministic automaton becomes a part of the model: a variable that every step with a visible label changes by a
// constant table. So all engines, measures and reductions apply as they are, and an invariant asks whether the variable
// has its illegal value. The variable never comes back from a later component of the automaton: the number of the
// component is a monotonic progress measure.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "automata/word_automaton.hpp"
#include "run/loaded_system.hpp"

namespace tideline::run {

// The labels of a model's steps.
class StepTexts {
public:
    // Text of hidden labels (a regular expression; empty: none), and labels that stand for others.
    StepTexts(const model::Model& model, const LanguageSpec& spec);

    // The label of a transition without its message: the channel, else Process.from->to. Not renamed.
    [[nodiscard]] const std::string& plain(model::TransitionId t) const { return plain_[t]; }
    // The values that it passes, as expressions over the state before it; null: it passes none that are known.
    [[nodiscard]] const std::vector<model::Expression>* message(model::TransitionId t) const;
    // What is visible of a label, with its message; empty: nothing.
    [[nodiscard]] std::string visible(const std::string& label) const;
    // The label of a step from a state with these values.
    [[nodiscard]] std::string label(model::TransitionId t, const std::vector<model::Value>& values) const;

private:
    class Hidden;
    const model::Model& model_;
    const LanguageSpec& spec_;
    std::shared_ptr<const Hidden> hidden_;
    std::vector<std::string> plain_;
};

// The system with the automaton beside it.
[[nodiscard]] OrRefusal<LoadedSystem> with_language(LoadedSystem system, const LanguageSpec& language,
                                                    const support::Budget& budget);

// The properties that ask for legal behaviour, where the spec has an automaton and lacks them.
void add_language_properties(RunSpec& spec);

}  // namespace tideline::run
