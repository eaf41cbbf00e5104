// Texts that are equal only where expressions, and transitions, mean the same: operands of commutative operators and
// effects that do not depend on each other are sorted, as far as no fault could show their order. Renamed: as the text
// of what a renaming makes of them. A renaming is an automorphism where the renamed texts are those of the model.
#pragma once

#include <string>

#include "reduce/renaming.hpp"

namespace tideline::reduce {

class NormalForm {
public:
    // Without a renaming: as it is. All must outlive this.
    NormalForm(const model::Model& model, const ValueDomains& domains, const Renaming* renaming = nullptr)
        : model_(model), domains_(domains), renaming_(renaming) {}

    [[nodiscard]] std::string text(const Term& term) const;
    [[nodiscard]] std::string text(model::TransitionId transition) const;

private:
    struct Done;
    [[nodiscard]] model::SlotId slot(model::SlotId s) const { return renaming_ ? renaming_->slots[s] : s; }
    [[nodiscard]] model::ProcessId process(model::ProcessId p) const { return renaming_ ? renaming_->processes[p] : p; }
    [[nodiscard]] std::string constant(const Term& term) const;
    [[nodiscard]] std::string array(model::SlotId first) const;
    [[nodiscard]] std::string operands(const Term& term, bool ordered) const;
    [[nodiscard]] std::string text(const TermEffect& effect) const;
    [[nodiscard]] std::string effects(const std::vector<TermEffect>& all) const;
    [[nodiscard]] std::string conjunction(const std::vector<const Term*>& all) const;

    const model::Model& model_;
    const ValueDomains& domains_;
    const Renaming* renaming_;
};

}  // namespace tideline::reduce
