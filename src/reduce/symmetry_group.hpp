// The group of symmetries of a model that a search reduces by: verified generators, brought into a form in which
// representatives are quickly found.
//
// Exchangeable processes: two of them are, where some symmetry swaps them and leaves every other process where it is.
// That is an equivalence relation (the swap of i and k is that of i and j, conjugated by that of j and k), and all
// permutations of a class are symmetries. What a class permutes lies in columns: n slots, one per process (its
// location, its variables, its elements of arrays), and n values per column of names. What else there is (rotations of
// a ring, an exchange of two classes, swaps that do not lie in columns) is a set of cosets of that group, enumerated up
// to kMostCosets, or else a list of generators.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reduce/automorphisms.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::reduce {

struct ExchangeClass {
    std::vector<model::ProcessId> processes;          // ascending
    std::vector<std::vector<model::SlotId>> columns;  // columns[c][k]: of the k-th process
};

// A value that is the name of a member of a class.
struct NamedMember {
    std::size_t class_number = 0;
    std::size_t column = 0;  // among the class's columns of names, of all domains
    std::size_t index = 0;
};

struct SymmetryGroup {
    static constexpr std::size_t kMostCosets = 1'024;

    std::shared_ptr<const model::Model> model;
    ValueDomains domains;
    std::vector<Renaming> generators;  // of the whole group, each verified
    std::vector<ExchangeClass> classes;
    // By domain and member: whom the value names.
    std::vector<std::vector<std::optional<NamedMember>>> names;
    std::vector<Renaming> others;       // what is beside the permutations of classes: one of each coset but their own,
    bool is_complete = true;            // or, where there are too many, generators
    std::vector<std::string> rejected;  // why candidates were not used

    [[nodiscard]] bool is_trivial() const { return generators.empty(); }
    // How many elements the group has; nothing where it was not enumerated, or above 2^63.
    [[nodiscard]] std::optional<std::uint64_t> order() const;
    // The permutation of a class's processes as a renaming: the k-th becomes the permutation[k]-th.
    [[nodiscard]] Renaming permuting(std::size_t class_number, const std::vector<std::size_t>& permutation) const;
    // The transition that a transition becomes.
    [[nodiscard]] model::TransitionId image(const Renaming& renaming, model::TransitionId transition) const;
    // The generator under which an expression has different values in a state and the renamed one; null: none.
    [[nodiscard]] const Renaming* changes(const model::Expression& expression) const;
};

// `chosen`: names of processes, or what comes before the numbers in their names, that may be exchanged; empty: all. An
// error where a name is unknown, where no two of the chosen ones can be exchanged, or where the budget ends.
[[nodiscard]] support::Result<SymmetryGroup> find_symmetries(std::shared_ptr<const model::Model> model,
                                                             const std::vector<std::string>& chosen,
                                                             const support::Budget& budget);

}  // namespace tideline::reduce
