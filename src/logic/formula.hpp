// Formulas of LTL, CTL and CTL*: immutable, each stored once (hash-consed), so that equal formulas have equal handles
// and a formula is a graph without repeated parts. A Formulas owns them; a Formula is a number that only means
// something together with its Formulas.
//
// Path quantifiers are connectives like the others: EF p is E applied to F p. Conjunctions and disjunctions have any
// number of operands, flat, sorted and without repetition. A few identities are built in, all of which hold on infinite
// and on finite maximal paths alike: constants, double negation, p & !p, F F p, G G p, true U p = F p, false R p = G p
// and similar ones. X true is kept: whether it holds in a state without successors depends on how deadlocks are read.
// Everything else is done in rewrite.hpp.
//
// Every formula has traits, which are computed when it is built. The classes of the hierarchy of Manna and Pnueli
// follow the syntactic characterisation of Chang, Manna and Pnueli (ICALP 1992) with the W and M rules of Cerna and
// Pelanek (MFCS 2003); pure eventualities and universalities are those of Etessami and Holzmann (CONCUR 2000).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tideline::logic {

enum class Connective : std::uint8_t {
    falsity,
    truth,
    atom,
    negation,
    conjunction,
    disjunction,
    implication,
    equivalence,
    exclusion,  // exactly one of two holds
    next,
    eventually,
    always,
    until,
    release,
    weak_until,
    strong_release,
    exists,  // E: on some path
    forall,  // A: on all paths
};

class Formula {
public:
    Formula() = default;
    explicit Formula(std::uint32_t number) : number_(number) {}

    [[nodiscard]] std::uint32_t number() const { return number_; }
    friend bool operator==(Formula, Formula) = default;
    friend auto operator<=>(Formula, Formula) = default;

private:
    std::uint32_t number_ = 0;  // false
};

// What the syntax of a formula shows; each formula has a set of these. A formula may belong to a class semantically
// although its syntax does not show it.
enum class Trait : std::uint32_t {
    boolean = 1U << 0,     // no temporal connective and no quantifier
    quantified = 1U << 1,  // a path quantifier occurs
    next_free = 1U << 2,   // no X: the truth of an LTL formula does not depend on repetitions of a state
    eventual = 1U << 3,    // if it holds on a suffix of a path, then on the path
    universal = 1U << 4,   // if it holds on a path, then on all its suffixes
    safety = 1U << 5,
    guarantee = 1U << 6,
    obligation = 1U << 7,
    persistence = 1U << 8,
    recurrence = 1U << 9,
    state = 1U << 10,            // its truth depends on the first state of a path only
    ctl = 1U << 11,              // a state formula of CTL
    ctl_path = 1U << 12,         // a temporal connective over state formulas of CTL
    negation_normal = 1U << 13,  // negations of atoms only; no implication, equivalence or exclusion
};

class Formulas {
public:
    // `keeps_quantifiers`: A p and E p stay what they are where p is a formula of states. They are p where a path
    // begins in every state; where only infinite paths count, one need not.
    explicit Formulas(bool keeps_quantifiers = false);

    [[nodiscard]] Formula falsity() const { return Formula(0); }
    [[nodiscard]] Formula truth() const { return Formula(1); }
    [[nodiscard]] Formula constant(bool value) const { return Formula(value ? 1 : 0); }
    Formula atom(std::string_view text);
    Formula negation(Formula f);
    Formula conjunction(std::vector<Formula> operands);
    Formula disjunction(std::vector<Formula> operands);
    Formula conjunction(Formula f, Formula g);
    Formula disjunction(Formula f, Formula g);
    Formula implication(Formula f, Formula g);
    Formula equivalence(Formula f, Formula g);
    Formula exclusion(Formula f, Formula g);
    Formula next(Formula f);
    Formula eventually(Formula f);
    Formula always(Formula f);
    Formula until(Formula f, Formula g);
    Formula release(Formula f, Formula g);
    Formula weak_until(Formula f, Formula g);
    Formula strong_release(Formula f, Formula g);
    Formula exists(Formula f);
    Formula forall(Formula f);
    // Any connective except atom, by the functions above.
    Formula make(Connective connective, std::span<const Formula> operands);

    [[nodiscard]] Connective connective(Formula f) const { return nodes_[f.number()].connective; }
    [[nodiscard]] bool is(Formula f, Connective connective) const {
        return nodes_[f.number()].connective == connective;
    }
    [[nodiscard]] std::span<const Formula> operands(Formula f) const;
    [[nodiscard]] Formula operand(Formula f, std::size_t index) const { return operands(f)[index]; }
    [[nodiscard]] bool has(Formula f, Trait trait) const {
        return (nodes_[f.number()].traits & static_cast<std::uint32_t>(trait)) != 0;
    }
    // The text of an atom: a name or an expression over the model's names.
    [[nodiscard]] const std::string& text(Formula atom) const { return texts_[nodes_[atom.number()].first]; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    // Size of the operand lists in words. It grows with every formula that is built.
    [[nodiscard]] std::size_t words() const { return operands_.size(); }

private:
    struct Node {
        Connective connective;
        std::uint32_t traits;
        std::uint32_t first;  // of its operands in operands_; for an atom: the index of its text in texts_
        std::uint32_t count;
    };

    Formula intern(Connective connective, std::span<const Formula> operands);
    Formula junction(Connective connective, std::vector<Formula> operands);
    void grow_table();

    bool keeps_quantifiers_;
    std::vector<Node> nodes_;
    std::vector<Formula> operands_;
    std::vector<std::string> texts_;
    std::vector<std::uint32_t> table_;  // open addressing; 0 is free (false and true are not in the table)
};

// Every formula that occurs in `f`, each once, operands before the formulas that use them; `f` is last.
std::vector<Formula> subformulas(const Formulas& formulas, Formula f);

// The atoms of `f` in the order of their texts.
std::vector<Formula> atoms(const Formulas& formulas, Formula f);

}  // namespace tideline::logic
