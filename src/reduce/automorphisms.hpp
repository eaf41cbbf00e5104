// The symmetries of a model: candidates are automorphisms of a coloured graph of it (model_graph.hpp); each is verified
// on the model itself before it is used, so that no verdict rests on the graph or on the library that searches it.
#pragma once

#include <string>

#include "reduce/normal_form.hpp"

namespace tideline::reduce {

// The texts of a model's transitions, sorted, to compare renamed ones with.
class TransitionTexts {
public:
    TransitionTexts(const model::Model& model, const ValueDomains& domains);
    [[nodiscard]] const std::vector<std::string>& sorted() const { return sorted_; }
    // A transition that has this text; nothing: none has.
    [[nodiscard]] std::optional<model::TransitionId> with_text(const std::string& text) const;

private:
    std::vector<std::string> by_id_;
    std::vector<std::string> sorted_;
};

// Why a renaming is no automorphism of the model: the first thing that differs, for people. Empty: it is one. An
// automorphism maps initial states, transitions, guards, effects, faults, ranges, priorities, committed locations and
// marks to themselves, so that it maps runs to runs.
[[nodiscard]] std::string refuted(const model::Model& model, const ValueDomains& domains, const TransitionTexts& texts,
                                  const Renaming& renaming);

// Whether every state and its renamed one give an expression the same value.
[[nodiscard]] bool is_invariant(const model::Model& model, const ValueDomains& domains, const Renaming& renaming,
                                const model::Expression& expression);

}  // namespace tideline::reduce
