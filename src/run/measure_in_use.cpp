#include "run/measure_in_use.hpp"

#include "automata/system_product.hpp"
#include "model/interval.hpp"
#include "progress/certificate.hpp"

namespace tideline::run {

unsigned MeasureInUse::key_bits() const {
    const progress::Measure* measure = this->measure();
    if (measure == nullptr) return 0;
    // A system written in C++ has no program for its own measure, but a number of 32 bits per component.
    if (measure->program.components.empty()) return static_cast<unsigned>(32 * measure->components.size());
    unsigned bits = 0;
    for (const successor::KeyComponent& component : measure->program.components) bits += component.bits;
    return bits;
}

std::vector<std::pair<model::Value, unsigned>> MeasureInUse::key_layout() const {
    std::vector<std::pair<model::Value, unsigned>> result;
    if (const progress::Measure* measure = this->measure())
        for (const successor::KeyComponent& component : measure->program.components)
            result.emplace_back(component.low, component.bits);
    return result;
}

bool MeasureInUse::has_rank() const {
    return product_ != nullptr && key_bits() + automata::rank_bits(*product_) <= 8 * sizeof(successor::Key);
}

std::vector<std::string> MeasureInUse::components() const {
    std::vector<std::string> result;
    if (has_rank()) result.emplace_back("automaton");
    if (const progress::Measure* measure = this->measure())
        result.insert(result.end(), measure->components.begin(), measure->components.end());
    return result;
}

std::optional<unsigned> MeasureInUse::block_bits() const {
    const progress::Measure* measure = this->measure();
    if (measure == nullptr) return has_rank() ? std::optional(0U) : std::nullopt;
    std::vector<model::Expression> expressions;
    for (const successor::KeyComponent& component : measure->program.components)
        expressions.push_back(component.expression);
    // What no step of the model decreases, a step to another representative may.
    const bool is_kept = !system_->keeps_measure || system_->keeps_measure(*measure);
    const std::size_t leading =
        is_kept ? progress::monotonic_components(progress::with_tables(*system_->names, *measure), expressions) : 0;
    unsigned bits = 0;
    for (std::size_t i = leading; i < expressions.size(); ++i) bits += measure->program.components[i].bits;
    return leading > 0 || has_rank() ? std::optional(bits) : std::nullopt;
}

std::optional<successor::Key> MeasureInUse::last_key() const {
    const progress::Measure* measure = this->measure();
    if (measure == nullptr || measure->program.components.empty() || product_ != nullptr || block_bits() != 0U)
        return std::nullopt;
    const model::Model extended = progress::with_tables(*system_->names, *measure);
    successor::Key key = 0;
    for (const successor::KeyComponent& component : measure->program.components) {
        const model::Range range = model::value_range(extended, component.expression);
        const auto span = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(component.low);
        key = component.bits >= 8 * sizeof key ? span : (key << component.bits) | span;
    }
    return key;
}

}  // namespace tideline::run
