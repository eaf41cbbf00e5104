// The meaning of LTL on words of the form u v v v ..., computed in the most direct way, as an oracle for tests of
// everything else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "logic/formula.hpp"

namespace tideline::logic {

// Letters are sets of atoms (bit i is the i-th atom of a list); the word is the letters once, then those from `loop` on
// for ever.
struct Lasso {
    std::vector<std::uint64_t> letters;
    std::size_t loop = 0;

    [[nodiscard]] std::size_t after(std::size_t position) const {
        return position + 1 < letters.size() ? position + 1 : loop;
    }
};

// Whether `f` holds on the word, position by position and subformula by subformula. Along the positions that follow i
// until all have been seen, the definition of each operator is evaluated literally.
inline bool holds_on(const Formulas& formulas, Formula f, const Lasso& word, const std::vector<Formula>& atoms) {
    const std::size_t n = word.letters.size();
    std::map<std::uint32_t, std::vector<bool>> value;
    for (const Formula g : subformulas(formulas, f)) {
        std::vector<bool> here(n);
        const std::span<const Formula> operands = formulas.operands(g);
        const auto at = [&](std::size_t operand, std::size_t i) -> bool {
            return value.at(operands[operand].number())[i];
        };
        for (std::size_t i = 0; i < n; ++i) {
            // The positions from i on, each once, in the order of the word.
            std::vector<std::size_t> path;
            for (std::size_t p = i; std::find(path.begin(), path.end(), p) == path.end(); p = word.after(p))
                path.push_back(p);
            const auto until = [&](std::size_t a, std::size_t b) {
                for (std::size_t k = 0; k < path.size(); ++k) {
                    if (at(b, path[k])) return true;
                    if (!at(a, path[k])) return false;
                }
                return false;
            };
            const auto always = [&](std::size_t a) {
                return std::all_of(path.begin(), path.end(), [&](std::size_t p) { return at(a, p); });
            };
            const auto both_until = [&](std::size_t a, std::size_t b) {  // b until both a and b
                for (std::size_t k = 0; k < path.size(); ++k) {
                    if (!at(b, path[k])) return false;
                    if (at(a, path[k])) return true;
                }
                return false;
            };
            switch (formulas.connective(g)) {
                case Connective::falsity: here[i] = false; break;
                case Connective::truth: here[i] = true; break;
                case Connective::atom: {
                    const auto index =
                        static_cast<std::size_t>(std::find(atoms.begin(), atoms.end(), g) - atoms.begin());
                    here[i] = index < atoms.size() && ((word.letters[i] >> index) & 1U) != 0;
                    break;
                }
                case Connective::negation: here[i] = !at(0, i); break;
                case Connective::conjunction:
                    here[i] = true;
                    for (std::size_t k = 0; k < operands.size(); ++k) here[i] = here[i] && at(k, i);
                    break;
                case Connective::disjunction:
                    for (std::size_t k = 0; k < operands.size(); ++k) here[i] = here[i] || at(k, i);
                    break;
                case Connective::implication: here[i] = !at(0, i) || at(1, i); break;
                case Connective::equivalence: here[i] = at(0, i) == at(1, i); break;
                case Connective::exclusion: here[i] = at(0, i) != at(1, i); break;
                case Connective::next: here[i] = at(0, word.after(i)); break;
                case Connective::eventually:
                    here[i] = std::any_of(path.begin(), path.end(), [&](std::size_t p) { return at(0, p); });
                    break;
                case Connective::always: here[i] = always(0); break;
                case Connective::until: here[i] = until(0, 1); break;
                case Connective::weak_until: here[i] = until(0, 1) || always(0); break;
                case Connective::strong_release: here[i] = both_until(0, 1); break;
                case Connective::release: here[i] = both_until(0, 1) || always(1); break;
                case Connective::exists:
                case Connective::forall: break;  // not LTL
            }
        }
        value[g.number()] = std::move(here);
    }
    return value.at(f.number())[0];
}

}  // namespace tideline::logic
