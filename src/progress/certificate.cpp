#include "progress/certificate.hpp"

#include <algorithm>
#include <optional>

#include "progress/effects.hpp"

namespace tideline {
namespace {

using Changes = std::vector<std::optional<Range>>;  // of each component

Changes changes_by(const Model& model, const Transition& transition, const std::vector<Expression>& components) {
    Changes changes;
    for (const Expression& component : components) changes.push_back(change_by(model, transition, component));
    return changes;
}

// The number of leading components, at most `most`, that do not decrease when both changes come together.
std::size_t kept(const Changes& one, const Changes& other, std::size_t most) {
    for (std::size_t i = 0; i < most; ++i) {
        if (!one[i] || !other[i]) return i;
        Value least = 0;
        if (__builtin_add_overflow(one[i]->low, other[i]->low, &least)) {
            if (one[i]->low > 0 && other[i]->low > 0) return most;  // one of them is never enabled
            return i;
        }
        if (least < 0) return i;
        if (least > 0) return most;
    }
    return most;
}

}  // namespace

std::size_t monotonic_components(const Model& model, const std::vector<Expression>& components, const Budget& budget) {
    return monotonic_components(model, model.transitions, components, budget);
}

std::size_t monotonic_components(const Model& model, const std::vector<Transition>& transitions, const std::vector<Expression>& components,
                                 const Budget& budget) {
    // A system that is not made of transitions says nothing. Where several make one step, what guards say need not hold any more when effects
    // take place.
    if (transitions.empty() || model.composition != Composition::interleaving || model.atomic) return 0;
    std::vector<Changes> of_observer{Changes(components.size(), Range{0, 0})};
    std::size_t result = components.size();
    BudgetPoll poll(budget, 256);
    try {
        if (model.observer) {
            of_observer.clear();
            for (const Transition& transition : transitions) {
                if (transition.participants.empty() || transition.participants.front().process != *model.observer) continue;
                if (!transition.effects.empty() || poll.is_exhausted()) return 0;
                of_observer.push_back(changes_by(model, transition, components));
                // Where the system has no step, the property moves alone.
                result = kept(of_observer.back(), Changes(components.size(), Range{0, 0}), result);
            }
        }
        for (const Transition& transition : transitions) {
            if (result == 0) break;
            if (poll.is_exhausted()) return 0;
            if (model.observer && !transition.participants.empty() && transition.participants.front().process == *model.observer) continue;
            const Changes changes = changes_by(model, transition, components);
            for (const Changes& together : of_observer) result = kept(changes, together, result);
        }
    } catch (const NumberTooLarge&) {
        return 0;
    }
    return result;
}

bool never_decreases(const Model& model, const Expression& component) { return monotonic_components(model, {component}) == 1; }

}  // namespace tideline
