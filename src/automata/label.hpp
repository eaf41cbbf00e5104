// Boolean functions as labels of automata: reduced ordered decision diagrams, each function stored once.
//
// Whether one label implies another, or two are equal, is asked millions of times when automata are simplified, and
// every answer has to be exact: with sums of cubes each would be a covering problem, and truth tables end at a dozen
// atoms. Diagrams have neither problem and are small for the labels of formulas. A search evaluates cubes instead, each
// two masks of 64 bits, for every state.
//
// Diagrams can explode; operations that would make more nodes than allowed throw LimitReached.
//
// Variables 0 to 63 are atoms. The translation of formulas uses higher ones for the obligations of the next state.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tideline::automata {

constexpr std::size_t kMostAtoms = 64;

class Label {
public:
    Label() = default;
    explicit Label(std::uint32_t number) : number_(number) {}

    [[nodiscard]] std::uint32_t number() const { return number_; }
    friend bool operator==(Label, Label) = default;
    friend auto operator<=>(Label, Label) = default;

private:
    std::uint32_t number_ = 0;  // false
};

// A conjunction of atoms and negated atoms.
struct Cube {
    std::uint64_t positive = 0;
    std::uint64_t negative = 0;

    [[nodiscard]] bool contains(std::uint64_t valuation) const {
        return (valuation & positive) == positive && (valuation & negative) == 0;
    }
    friend bool operator==(const Cube&, const Cube&) = default;
};

// A variable and whether it is negated.
struct Literal {
    std::uint32_t variable = 0;
    bool positive = true;
};

class Labels {
public:
    Labels();

    [[nodiscard]] Label falsity() const { return Label(0); }
    [[nodiscard]] Label truth() const { return Label(1); }
    Label variable(std::uint32_t v) { return node(v, falsity(), truth()); }
    Label both(Label a, Label b) { return if_then_else(a, b, falsity()); }
    Label either(Label a, Label b) { return if_then_else(a, truth(), b); }
    Label negation(Label a) { return if_then_else(a, falsity(), truth()); }
    Label minus(Label a, Label b) { return if_then_else(b, falsity(), a); }
    Label if_then_else(Label condition, Label then, Label otherwise);
    Label cube(const Cube& c);

    bool implies(Label a, Label b) { return minus(a, b) == falsity(); }
    bool intersect(Label a, Label b) { return both(a, b) != falsity(); }
    [[nodiscard]] bool evaluate(Label a, std::uint64_t valuation) const;

    // The variable at the top; not of constants.
    [[nodiscard]] std::uint32_t top(Label a) const { return nodes_[a.number()].variable; }
    [[nodiscard]] Label low(Label a) const { return nodes_[a.number()].low; }
    [[nodiscard]] Label high(Label a) const { return nodes_[a.number()].high; }
    [[nodiscard]] bool is_constant(Label a) const { return a.number() < 2; }
    // In increasing order.
    [[nodiscard]] std::vector<std::uint32_t> support(Label a) const;

    // A sum of few products: an irredundant sum of prime implicants (Minato 1992). The variables are at most kWidestSum
    // different ones. Nothing where there are more than `most` products.
    using Sum = std::vector<std::vector<Literal>>;
    std::optional<Sum> sum_of_products(Label a, std::size_t most);
    // The same over atoms only, whatever the number.
    std::vector<Cube> cubes(Label a);

    // Some valuation of the atoms that satisfies `a`, which must not be false; other atoms are 0.
    [[nodiscard]] std::uint64_t example(Label a) const;

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    // The limit on nodes; each takes 12 bytes and as much again in the unique table. `stop` is asked periodically while
    // nodes are added; true ends the work.
    void allow(std::size_t nodes, std::function<bool()> stop = {}) {
        most_nodes_ = nodes;
        stop_ = std::move(stop);
    }

private:
    struct Node {
        std::uint32_t variable;
        Label low;
        Label high;
    };
    struct Cached {
        std::uint32_t a = 0;
        std::uint32_t b = 0;
        std::uint32_t c = 0;
        std::uint32_t result = 0;
    };

    // A call of if_then_else whose sub-calls are being computed.
    struct Frame {
        Label a;
        Label b;
        Label c;
        std::uint32_t variable = 0;
        int stage = 0;
        Label low;
    };

    Label node(std::uint32_t variable, Label low, Label high);
    bool is_answered(Label a, Label b, Label c, Label& result);
    void grow_table();
    [[nodiscard]] std::size_t cache_place(Label a, Label b, Label c) const;
    Label irredundant(Label lower, Label upper, std::size_t most, std::vector<Literal>& prefix, Sum& products);

    std::vector<Node> nodes_;
    std::size_t most_nodes_ = 8'000'000;
    std::function<bool()> stop_;
    std::vector<std::uint32_t> table_;  // open addressing; 0 is free
    std::vector<Cached> cache_;         // of if_then_else; a == 0 is free
    std::vector<Frame> stack_;          // of if_then_else
};

// Callers refuse sums of more variables than this.
constexpr std::size_t kWidestSum = 1000;

}  // namespace tideline::automata
