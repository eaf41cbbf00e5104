#include "run/automaton_again.hpp"

#include "automata/hoa_print.hpp"
#include "run/linear_property.hpp"

namespace tideline::run {

std::optional<std::string> automaton_again(const RunPlan& plan, const LoadedInput& input,
                                           const support::Budget& budget) {
    if (plan.spec.properties.size() != 1) return std::nullopt;
    const PropertySpec& property = plan.spec.properties.front();
    if (property.kind != PropertyKind::ltl && property.kind != PropertyKind::automaton) return std::nullopt;
    if (!property.automaton.empty()) return std::nullopt;
    Sink sink;
    try {
        const std::variant<LinearProperty, Untranslated> made =
            make_linear_property(property, *input.system.names, plan.spec.deadlocks, "", sink, budget);
        const auto* const linear = std::get_if<LinearProperty>(&made);
        if (linear == nullptr) return std::nullopt;
        return automata::to_hoa(linear->automaton);
    } catch (const Refusal&) {
        return std::nullopt;
    }
}

}  // namespace tideline::run
