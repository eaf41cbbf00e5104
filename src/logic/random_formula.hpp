// Random formulas and words for tests.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "logic/lasso.hpp"

namespace tideline::logic {

using RandomEngine = std::mt19937_64;

inline std::size_t below(RandomEngine& random, std::size_t bound) { return static_cast<std::size_t>(random() % bound); }

// Of LTL, with about `size` connectives over the given atoms.
inline Formula random_ltl(Formulas& formulas, RandomEngine& random, const std::vector<Formula>& atoms,
                          std::size_t size) {
    using enum Connective;
    static constexpr Connective kUnary[] = {negation, next, eventually, always};
    static constexpr Connective kBinary[] = {conjunction,    disjunction, until,       release,  weak_until,
                                             strong_release, implication, equivalence, exclusion};
    // Built from leaves: two are joined until one is left.
    std::vector<Formula> pool;
    for (std::size_t i = 0; i < size / 2 + 1; ++i)
        pool.push_back(below(random, 20) == 0 ? formulas.constant(below(random, 2) == 0)
                                              : atoms[below(random, atoms.size())]);
    for (std::size_t i = 0; i < size / 2 || pool.size() > 1; ++i) {
        if (pool.size() == 1 || (i < size / 2 && below(random, 2) == 0)) {
            Formula& f = pool[below(random, pool.size())];
            f = formulas.make(kUnary[below(random, 4)], std::vector<Formula>{f});
            continue;
        }
        const std::size_t a = below(random, pool.size());
        std::swap(pool[a], pool.back());
        const Formula right = pool.back();
        pool.pop_back();
        Formula& left = pool[below(random, pool.size())];
        // The boolean ones that double a formula are rarer.
        const std::size_t kind = below(random, 20);
        left = formulas.make(kBinary[kind < 18 ? kind % 7 : 7 + kind % 2], std::vector<Formula>{left, right});
    }
    return pool[0];
}

inline Lasso random_lasso(RandomEngine& random, std::size_t atoms) {
    Lasso word;
    const std::size_t length = 1 + below(random, 7);
    for (std::size_t i = 0; i < length; ++i) word.letters.push_back(random() & ((std::uint64_t{1} << atoms) - 1));
    word.loop = below(random, length);
    return word;
}

}  // namespace tideline::logic
