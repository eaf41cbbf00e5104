#include "progress/explanation.hpp"

#include <algorithm>
#include <map>

#include "model/evaluate.hpp"
#include "progress/candidates.hpp"

namespace tideline {

std::optional<Ranks> ranks_of(const Pilot& pilot, const Model& model, const Measure& measure, std::size_t monotonic) {
    const Model extended = with_tables(model, measure);
    Ranks ranks = constant_ranks(pilot.states);
    std::vector<Value> slots = model.initial;
    for (std::size_t i = 0; i < measure.program.components.size(); ++i) {
        const Expression& expression = measure.program.components[i].expression;
        std::vector<Value> stack(expression.stack_depth() + 1);
        std::vector<Value> values;
        values.reserve(pilot.states);
        for (std::uint32_t state = 0; state < pilot.states; ++state) {
            for (SlotId slot = 0; slot < slots.size(); ++slot)
                if (!pilot.slots[slot].empty()) slots[slot] = pilot.slots[slot][state];
            const Evaluation result = evaluate(expression, extended.tables, slots.data(), stack.data());
            if (result.fault != FaultKind::none) return std::nullopt;
            values.push_back(result.value);
        }
        ranks = refined(ranks, ranked(values), i < monotonic);
    }
    return ranks;
}

std::vector<Flow> flows(const Pilot& pilot, const Ranks& ranks) {
    std::map<TransitionId, Flow> by_transition;
    for (std::uint32_t state = 0; state < pilot.states; ++state) {
        for (std::uint32_t edge = pilot.edges_begin(state); edge < pilot.edge_ends[state]; ++edge) {
            Flow& flow = by_transition[pilot.transitions[edge]];
            flow.transition = pilot.transitions[edge];
            const std::uint32_t from = ranks.of[state];
            const std::uint32_t to = ranks.of[pilot.targets[edge]];
            ++(to > from ? flow.forward : to < from ? flow.back : flow.level);
        }
    }
    std::vector<Flow> result;
    for (const auto& [transition, flow] : by_transition) result.push_back(flow);
    std::stable_sort(result.begin(), result.end(), [](const Flow& a, const Flow& b) { return a.back > b.back; });
    return result;
}

std::vector<std::uint64_t> layer_sizes(const Ranks& ranks) {
    std::vector<std::uint64_t> sizes(ranks.count, 0);
    for (const std::uint32_t rank : ranks.of) ++sizes[rank];
    return sizes;
}

}  // namespace tideline
