// The automaton of a product as the header of a ledger has it: HOA, in the form in which searches write it. Labels are
// sums of products of atoms; acceptance is a number of sets, whose marks edges or states have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tideline::audit {

class Automaton {
public:
    // Objects where the text is something else.
    explicit Automaton(const std::string& hoa);

    [[nodiscard]] const std::vector<std::string>& atoms() const { return atoms_; }
    [[nodiscard]] std::uint64_t initial() const { return initial_; }
    // Of acceptance.
    [[nodiscard]] std::size_t sets() const { return sets_; }
    // At least one: without any, a product is in a state without edges.
    [[nodiscard]] std::uint64_t states() const { return edges_.size(); }

    struct Target {
        std::uint64_t state = 0;
        std::uint64_t marks = 0;
    };
    struct Choice {
        std::vector<Target> targets;      // of the edges that fit, in order
        bool depends_on_unknown = false;  // there is an edge that may or may not fit, which is left out
    };
    // Bit i of `valuation` is the value of atom i, unless it is unknown.
    [[nodiscard]] Choice choose(std::uint64_t state, std::uint64_t valuation, std::uint64_t unknown) const;

private:
    struct Product {
        std::uint64_t positive = 0;
        std::uint64_t negative = 0;
    };
    struct Edge {
        std::vector<Product> label;
        std::uint64_t target = 0;
        std::uint64_t marks = 0;
    };
    [[nodiscard]] std::uint64_t marks_of(std::string_view text) const;
    [[nodiscard]] std::vector<Product> sum_of(std::string_view text) const;
    static bool fits(const std::vector<Product>& label, std::uint64_t valuation);

    std::vector<std::string> atoms_;
    std::uint64_t initial_ = 0;
    std::size_t sets_ = 0;
    std::vector<std::vector<Edge>> edges_;  // of each state
};

}  // namespace tideline::audit
