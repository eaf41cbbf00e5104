#include "logic/traits.hpp"

namespace tideline::logic {
namespace {

constexpr std::uint32_t bit(Trait trait) { return static_cast<std::uint32_t>(trait); }

constexpr std::uint32_t kClasses = bit(Trait::safety) | bit(Trait::guarantee) | bit(Trait::obligation) |
                                   bit(Trait::persistence) | bit(Trait::recurrence);

// Of an operand, as conditions that read like the tables of the papers.
struct Operand {
    std::uint32_t traits;
    [[nodiscard]] bool has(Trait trait) const { return (traits & bit(trait)) != 0; }
};

std::uint32_t when(bool condition, Trait trait) { return condition ? bit(trait) : 0; }

// Swaps safety and guarantee, persistence and recurrence, eventual and universal.
std::uint32_t negated(Operand f) {
    return when(f.has(Trait::guarantee), Trait::safety) | when(f.has(Trait::safety), Trait::guarantee) |
           when(f.has(Trait::obligation), Trait::obligation) | when(f.has(Trait::recurrence), Trait::persistence) |
           when(f.has(Trait::persistence), Trait::recurrence) | when(f.has(Trait::universal), Trait::eventual) |
           when(f.has(Trait::eventual), Trait::universal);
}

std::uint32_t temporal(Connective connective, Operand f, Operand g) {
    const auto both = [&](Trait trait) { return f.has(trait) && g.has(trait); };
    switch (connective) {
        case Connective::next: return f.traits & (kClasses | bit(Trait::eventual) | bit(Trait::universal));
        case Connective::eventually:
            return bit(Trait::eventual) | when(f.has(Trait::universal), Trait::universal) |
                   when(f.has(Trait::guarantee), Trait::guarantee) | when(f.has(Trait::guarantee), Trait::obligation) |
                   when(f.has(Trait::guarantee), Trait::recurrence) |
                   when(f.has(Trait::persistence), Trait::persistence);
        case Connective::always:
            return bit(Trait::universal) | when(f.has(Trait::eventual), Trait::eventual) |
                   when(f.has(Trait::safety), Trait::safety) | when(f.has(Trait::safety), Trait::obligation) |
                   when(f.has(Trait::safety), Trait::persistence) | when(f.has(Trait::recurrence), Trait::recurrence);
        case Connective::until:
            return when(g.has(Trait::eventual), Trait::eventual) | when(both(Trait::universal), Trait::universal) |
                   when(both(Trait::guarantee), Trait::guarantee) |
                   when(f.has(Trait::obligation) && g.has(Trait::guarantee), Trait::obligation) |
                   when(f.has(Trait::recurrence) && g.has(Trait::guarantee), Trait::recurrence) |
                   when(both(Trait::persistence), Trait::persistence);
        case Connective::weak_until:
            return when(both(Trait::eventual), Trait::eventual) | when(both(Trait::universal), Trait::universal) |
                   when(both(Trait::safety), Trait::safety) |
                   when(f.has(Trait::safety) && g.has(Trait::obligation), Trait::obligation) |
                   when(f.has(Trait::safety) && g.has(Trait::persistence), Trait::persistence) |
                   when(both(Trait::recurrence), Trait::recurrence);
        case Connective::release:
            return when(both(Trait::eventual), Trait::eventual) | when(g.has(Trait::universal), Trait::universal) |
                   when(both(Trait::safety), Trait::safety) |
                   when(f.has(Trait::obligation) && g.has(Trait::safety), Trait::obligation) |
                   when(f.has(Trait::persistence) && g.has(Trait::safety), Trait::persistence) |
                   when(both(Trait::recurrence), Trait::recurrence);
        case Connective::strong_release:
            return when(both(Trait::eventual), Trait::eventual) | when(both(Trait::universal), Trait::universal) |
                   when(both(Trait::guarantee), Trait::guarantee) |
                   when(f.has(Trait::guarantee) && g.has(Trait::obligation), Trait::obligation) |
                   when(f.has(Trait::guarantee) && g.has(Trait::recurrence), Trait::recurrence) |
                   when(both(Trait::persistence), Trait::persistence);
        default: return 0;
    }
}

}  // namespace

std::uint32_t traits_of(Connective connective, std::span<const std::uint32_t> operands) {
    constexpr std::uint32_t kPlain = kClasses | bit(Trait::boolean) | bit(Trait::next_free) | bit(Trait::state) |
                                     bit(Trait::ctl) | bit(Trait::negation_normal);
    std::uint32_t all = ~0U;
    std::uint32_t any = 0;
    for (const std::uint32_t traits : operands) {
        all &= traits;
        any |= traits;
    }
    const Operand f{operands.empty() ? 0 : operands.front()};
    const Operand g{operands.empty() ? 0 : operands.back()};
    const std::uint32_t inherited = (all & bit(Trait::next_free)) | (any & bit(Trait::quantified));
    const std::uint32_t of_states = all & (bit(Trait::boolean) | bit(Trait::state) | bit(Trait::ctl));
    switch (connective) {
        case Connective::falsity:
        case Connective::truth: return kPlain | bit(Trait::eventual) | bit(Trait::universal);
        case Connective::atom: return kPlain;
        case Connective::negation:
            // Whether the operand is an atom, and the result in negation normal form, only Formulas knows.
            return inherited | of_states | negated(f);
        case Connective::conjunction:
        case Connective::disjunction:
            return inherited | of_states |
                   (all & (kClasses | bit(Trait::eventual) | bit(Trait::universal) | bit(Trait::negation_normal)));
        case Connective::implication: {
            const std::uint32_t left = negated(f);
            return inherited | of_states |
                   (left & g.traits & (kClasses | bit(Trait::eventual) | bit(Trait::universal)));
        }
        case Connective::equivalence:
        case Connective::exclusion:
            return inherited | of_states |
                   (negated(f) & negated(g) & all & (kClasses | bit(Trait::eventual) | bit(Trait::universal)));
        case Connective::exists:
        case Connective::forall:
            return (all & (bit(Trait::next_free) | bit(Trait::negation_normal))) | bit(Trait::quantified) |
                   bit(Trait::state) | when(f.has(Trait::ctl_path) || f.has(Trait::ctl), Trait::ctl);
        default: break;
    }
    std::uint32_t result = temporal(connective, f, g) | inherited |
                           when((all & bit(Trait::ctl)) != 0, Trait::ctl_path) | (all & bit(Trait::negation_normal));
    if (connective == Connective::next) result &= ~bit(Trait::next_free);
    return result;
}

}  // namespace tideline::logic
