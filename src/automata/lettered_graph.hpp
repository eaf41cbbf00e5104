// For tests: graphs whose nodes carry letters over two atoms, as models with expressions for the atoms.
#pragma once

#include <cstdint>
#include <vector>

#include "logic/random_formula.hpp"
#include "model/example_models.hpp"

namespace tideline::automata::examples {

struct LetteredGraph {
    std::vector<std::vector<std::size_t>> edges;
    std::vector<std::uint64_t> letters;  // bit i: the i-th atom is true
    std::vector<std::size_t> initials{0};

    [[nodiscard]] std::vector<std::size_t> next(std::size_t node) const {
        return edges[node].empty() ? std::vector<std::size_t>{node} : edges[node];  // a deadlock repeats
    }
    // The node is the value of one slot with a wide range.
    [[nodiscard]] model::Model model() const { return make_model(false); }
    // The same, and the steps are those of a process that stays where it is.
    [[nodiscard]] model::Model walked_model() const { return make_model(true); }
    [[nodiscard]] static model::Expression at(const model::Model& model, std::size_t node) {
        return model::Expression::binary(model::Op::equal, model.read(0),
                                         model::examples::number(static_cast<model::Value>(node)));
    }
    [[nodiscard]] std::vector<model::Expression> atoms(const model::Model& model) const {
        std::vector<model::Expression> result(2, model::examples::number(0));
        for (std::size_t atom = 0; atom < 2; ++atom)
            for (std::size_t node = 0; node < edges.size(); ++node)
                if (((letters[node] >> atom) & 1U) != 0)
                    result[atom] = model::Expression::binary(model::Op::bit_or, result[atom], at(model, node));
        return result;
    }

private:
    [[nodiscard]] model::Model make_model(bool walks) const {
        model::Model result;
        const model::VariableId node = model::examples::add_scalar(result, "node", {0, 1'000'000}, 0);
        result.initial[0] = static_cast<model::Value>(initials.front());
        if (walks) model::examples::add_process(result, "Walker", {"there"});
        for (std::size_t i = 1; i < initials.size(); ++i) {
            result.more_initial.push_back(static_cast<model::Value>(initials[i]));
            if (walks) result.more_initial.push_back(0);
        }
        for (std::size_t from = 0; from < edges.size(); ++from) {
            for (const std::size_t to : edges[from]) {
                model::Transition transition = walks ? model::examples::move(0, 0, 0) : model::Transition();
                transition.guards.push_back(at(result, from));
                transition.effects.emplace_back(
                    model::examples::assign(node, model::examples::number(static_cast<model::Value>(to))));
                result.add_transition(transition);
            }
        }
        return result;
    }
};

inline LetteredGraph random_lettered_graph(logic::RandomEngine& random, std::size_t most) {
    LetteredGraph graph;
    graph.edges.resize(1 + logic::below(random, most));
    const std::size_t degree = 1 + logic::below(random, 3);
    for (auto& out : graph.edges) {
        for (std::size_t i = logic::below(random, degree + 1); i > 0; --i)
            out.push_back(logic::below(random, graph.edges.size()));
        graph.letters.push_back(logic::below(random, 4));
    }
    return graph;
}

}  // namespace tideline::automata::examples
