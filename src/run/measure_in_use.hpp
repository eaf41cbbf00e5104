// The measure that a search uses: the system's own, one that was given or found, or none; of a product with an
// automaton the rank of the automaton's component comes before it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "automata/automaton.hpp"
#include "progress/measure.hpp"
#include "run/loaded_system.hpp"

namespace tideline::run {

class MeasureInUse {
public:
    // `product`: the automaton that the system is multiplied with; null: none. Both must outlive this.
    MeasureInUse(const LoadedSystem& system, const automata::Automaton* product)
        : system_(&system), product_(product) {}

    void use(progress::Measure measure) { measure_ = std::move(measure); }

    // A product always has one: its rank.
    [[nodiscard]] bool exists() const { return measure() != nullptr || product_ != nullptr; }
    // As LoadedSystem::make_system() takes it; null: the system's own.
    [[nodiscard]] const progress::Measure* given() const { return measure_ ? &*measure_ : nullptr; }
    // Bits that the measure's values take, without the rank.
    [[nodiscard]] unsigned key_bits() const;
    // Least value and bits of each component: what a key means depends on them. Empty for a measure that is no
    // expression.
    [[nodiscard]] std::vector<std::pair<model::Value, unsigned>> key_layout() const;
    // Whether the rank is part of it: there is none without a product, and it does not fit behind a measure of nearly
    // 128 bits.
    [[nodiscard]] bool has_rank() const;
    [[nodiscard]] std::vector<std::string> components() const;
    // The bits behind the leading components that provably never decrease; nothing where no component does that.
    [[nodiscard]] std::optional<unsigned> block_bits() const;

    // The largest key that the ranges of the components allow, where all of them provably never decrease.
    [[nodiscard]] std::optional<successor::Key> last_key() const;

private:
    [[nodiscard]] const progress::Measure* measure() const {
        return measure_ ? &*measure_ : system_->own_measure ? &*system_->own_measure : nullptr;
    }

    const LoadedSystem* system_;
    const automata::Automaton* product_;
    std::optional<progress::Measure> measure_;
};

}  // namespace tideline::run
