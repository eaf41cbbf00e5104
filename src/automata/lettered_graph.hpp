// For tests: graphs whose nodes carry letters over two atoms, as models with expressions for the atoms.
#pragma once

#include <cstdint>
#include <vector>

#include "logic/random_formula.hpp"
#include "model/example_models.hpp"

namespace tideline::examples {

struct LetteredGraph {
    std::vector<std::vector<std::size_t>> edges;
    std::vector<std::uint64_t> letters;  // bit i: the i-th atom is true

    [[nodiscard]] std::vector<std::size_t> next(std::size_t node) const {
        return edges[node].empty() ? std::vector<std::size_t>{node} : edges[node];  // a deadlock repeats
    }
    // The node is the value of one slot with a wide range.
    [[nodiscard]] Model model() const { return make_model(false); }
    // The same, and the steps are those of a process that stays where it is.
    [[nodiscard]] Model walked_model() const { return make_model(true); }
    [[nodiscard]] static Expression at(const Model& model, std::size_t node) {
        return Expression::binary(Op::equal, model.read(0), number(static_cast<Value>(node)));
    }
    [[nodiscard]] std::vector<Expression> atoms(const Model& model) const {
        std::vector<Expression> result(2, number(0));
        for (std::size_t atom = 0; atom < 2; ++atom)
            for (std::size_t node = 0; node < edges.size(); ++node)
                if (((letters[node] >> atom) & 1U) != 0) result[atom] = Expression::binary(Op::bit_or, result[atom], at(model, node));
        return result;
    }

private:
    [[nodiscard]] Model make_model(bool walks) const {
        Model result;
        const VariableId node = add_scalar(result, "node", {0, 1'000'000}, 0);
        if (walks) add_process(result, "Walker", {"there"});
        for (std::size_t from = 0; from < edges.size(); ++from) {
            for (const std::size_t to : edges[from]) {
                Transition transition = walks ? move(0, 0, 0) : Transition();
                transition.guards.push_back(at(result, from));
                transition.effects.emplace_back(assign(node, number(static_cast<Value>(to))));
                result.add_transition(transition);
            }
        }
        return result;
    }
};

inline LetteredGraph random_lettered_graph(RandomEngine& random, std::size_t most) {
    LetteredGraph graph;
    graph.edges.resize(1 + below(random, most));
    const std::size_t degree = 1 + below(random, 3);
    for (auto& out : graph.edges) {
        for (std::size_t i = below(random, degree + 1); i > 0; --i) out.push_back(below(random, graph.edges.size()));
        graph.letters.push_back(below(random, 4));
    }
    return graph;
}

}  // namespace tideline::examples
