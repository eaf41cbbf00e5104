// Implications between formulas that their syntax shows (Somenzi and Bloem, CAV 2000; Babiak, Kretinsky, Rehak and
// Strejcek, TACAS 2012). They are found by rules, so a "no" only means that the rules do not suffice.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "logic/normal_form.hpp"

namespace tideline::logic {

class Implications {
public:
    explicit Implications(Formulas& formulas) : formulas_(formulas), normal_forms_(formulas) {}

    // Whether f implies g on all paths; both in negation normal form.
    bool implies(Formula f, Formula g);
    // Whether f and g exclude each other, and whether one of them always holds.
    bool contradict(Formula f, Formula g) { return implies(f, negation(g)); }
    bool exhaust(Formula f, Formula g) { return implies(negation(f), g); }
    // The negation in normal form, cached.
    Formula negation(Formula f) { return normal_forms_.negative(f); }

private:
    bool decide(Formula f, Formula g, std::size_t depth);
    bool by_rules(Formula f, Formula g, std::size_t depth);
    bool by_left(Formula f, Formula g, std::size_t depth);
    bool by_right(Formula f, Formula g, std::size_t depth);
    bool by_both(Formula f, Formula g, std::size_t depth);

    Formulas& formulas_;
    std::unordered_map<std::uint64_t, bool> known_;
    NormalForms normal_forms_;
    bool cut_ = false;              // the last query hit the bound on depth or on steps
    std::size_t steps_ = 0;         // of the current query
    std::size_t steps_in_all_ = 0;  // of all
};

}  // namespace tideline::logic
