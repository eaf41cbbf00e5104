#include "logic/classify.hpp"

namespace tideline::logic {

PropertyClass property_class(const Formulas& formulas, Formula f) {
    if (formulas.has(f, Trait::safety)) return PropertyClass::safety;
    if (formulas.has(f, Trait::guarantee)) return PropertyClass::guarantee;
    if (formulas.has(f, Trait::obligation)) return PropertyClass::obligation;
    if (formulas.has(f, Trait::recurrence)) return PropertyClass::recurrence;
    if (formulas.has(f, Trait::persistence)) return PropertyClass::persistence;
    return PropertyClass::reactivity;
}

std::string_view to_text(PropertyClass property_class) {
    switch (property_class) {
        case PropertyClass::safety: return "safety";
        case PropertyClass::guarantee: return "guarantee";
        case PropertyClass::obligation: return "obligation";
        case PropertyClass::recurrence: return "recurrence";
        case PropertyClass::persistence: return "persistence";
        case PropertyClass::reactivity: break;
    }
    return "reactivity";
}

bool belongs_to(const Formulas& formulas, Formula f, Logic logic) {
    switch (logic) {
        case Logic::ltl: return !formulas.has(f, Trait::quantified);
        case Logic::ctl: return formulas.has(f, Trait::ctl);
        case Logic::ctl_star: break;
    }
    return true;
}

bool is_stutter_invariant_by_shape(const Formulas& formulas, Formula f) { return formulas.has(f, Trait::next_free); }

}  // namespace tideline::logic
