#include "progress/certificate.hpp"

#include <algorithm>
#include <optional>

#include "progress/effects.hpp"

namespace tideline::progress {
namespace {

using Changes = std::vector<std::optional<model::Range>>;  // of each component

Changes changes_by(const model::Model& model, const model::Transition& transition,
                   const std::vector<model::Expression>& components) {
    Changes changes;
    for (const model::Expression& component : components) changes.push_back(change_by(model, transition, component));
    return changes;
}

// The number of leading components, at most `most`, that do not decrease when both changes come together.
std::size_t kept(const Changes& one, const Changes& other, std::size_t most) {
    for (std::size_t i = 0; i < most; ++i) {
        if (!one[i] || !other[i]) return i;
        model::Value least = 0;
        if (__builtin_add_overflow(one[i]->low, other[i]->low, &least)) {
            if (one[i]->low > 0 && other[i]->low > 0) return most;  // one of the two is never enabled
            return i;
        }
        if (least < 0) return i;
        if (least > 0) return most;
    }
    return most;
}

}  // namespace

std::size_t monotonic_components(const model::Model& model, const std::vector<model::Expression>& components,
                                 const support::Budget& budget) {
    return monotonic_components(model, model.transitions, components, budget);
}

std::size_t monotonic_components(const model::Model& model, const std::vector<model::Transition>& transitions,
                                 const std::vector<model::Expression>& components, const support::Budget& budget) {
    // Without transitions nothing can be proved. Where several transitions make one step, a guard need not hold any
    // more when effects take place.
    if (transitions.empty() || model.composition != model::Composition::interleaving || model.atomic) return 0;
    std::vector<Changes> of_observer{Changes(components.size(), model::Range{0, 0})};
    std::size_t result = components.size();
    support::BudgetPoll poll(budget, 256);
    try {
        if (model.observer) {
            of_observer.clear();
            for (const model::Transition& transition : transitions) {
                if (transition.participants.empty() || transition.participants.front().process != *model.observer)
                    continue;
                if (!transition.effects.empty() || poll.is_exhausted()) return 0;
                of_observer.push_back(changes_by(model, transition, components));
                // Where the system has no step, the property moves alone.
                result = kept(of_observer.back(), Changes(components.size(), model::Range{0, 0}), result);
            }
        }
        for (const model::Transition& transition : transitions) {
            if (result == 0) break;
            if (poll.is_exhausted()) return 0;
            if (model.observer && !transition.participants.empty() &&
                transition.participants.front().process == *model.observer)
                continue;
            const Changes changes = changes_by(model, transition, components);
            for (const Changes& together : of_observer) result = kept(changes, together, result);
        }
    } catch (const NumberTooLarge&) {
        return 0;
    }
    return result;
}

bool never_decreases(const model::Model& model, const model::Expression& component) {
    return monotonic_components(model, {component}) == 1;
}

}  // namespace tideline::progress
