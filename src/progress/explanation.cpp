#include "progress/explanation.hpp"

#include <algorithm>
#include <map>

#include "model/evaluate.hpp"
#include "model/footprint.hpp"
#include "progress/candidates.hpp"

namespace tideline::progress {

namespace {

// Calls `see(value)` for the component's value in one state of the pilot after the other; the state where it has none,
// or the number of states. `slots` are left as they are there.
template <class See>
std::uint32_t evaluate_all(const Pilot& pilot, const std::vector<model::Table>& tables,
                           const model::Expression& expression, std::vector<model::Value>& slots, const See& see) {
    std::vector<model::Value> stack(expression.stack_depth() + 1);
    for (std::uint32_t state = 0; state < pilot.states; ++state) {
        for (model::SlotId slot = 0; slot < slots.size(); ++slot)
            if (!pilot.slots[slot].empty()) slots[slot] = pilot.slots[slot][state];
        const model::Evaluation result = model::evaluate(expression, tables, slots.data(), stack.data());
        if (result.fault != model::FaultKind::none) return state;
        see(result.value);
    }
    return pilot.states;
}

std::vector<std::uint32_t> ranks_of_keys(const std::vector<successor::Key>& keys) {
    std::vector<successor::Key> distinct = keys;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::uint32_t> ranks;
    ranks.reserve(keys.size());
    for (const successor::Key key : keys)
        ranks.push_back(
            static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), key) - distinct.begin()));
    return ranks;
}

std::vector<model::Table> all_tables(const model::Model& model, const Measure& measure) {
    std::vector<model::Table> tables = model.tables;
    tables.insert(tables.end(), measure.tables.begin(), measure.tables.end());
    return tables;
}

}  // namespace

std::optional<Ranks> ranks_of(const Pilot& pilot, const model::Model& model, const Measure& measure,
                              std::size_t monotonic) {
    const std::vector<model::Table> tables = all_tables(model, measure);
    Ranks ranks = constant_ranks(pilot.states);
    if (measure.program.components.empty() && !pilot.keys.empty())
        return refined(ranks, ranks_of_keys(pilot.keys), false);
    std::vector<model::Value> slots = model.initial;
    for (std::size_t i = 0; i < measure.program.components.size(); ++i) {
        std::vector<model::Value> values;
        values.reserve(pilot.states);
        const model::Expression& expression = measure.program.components[i].expression;
        if (evaluate_all(pilot, tables, expression, slots, [&](model::Value value) { values.push_back(value); }) <
            pilot.states)
            return std::nullopt;
        ranks = refined(ranks, ranked(values), i < monotonic);
    }
    return ranks;
}

std::string unevaluable_text(const Pilot& pilot, const model::Model& model, const Measure& measure) {
    constexpr std::size_t kMostValues = 8;
    const std::vector<model::Table> tables = all_tables(model, measure);
    const std::vector<model::Model::SlotOwner> owners = model.slot_owners();
    std::vector<model::Value> slots = model.initial;
    for (std::size_t i = 0; i < measure.program.components.size(); ++i) {
        const model::Expression& expression = measure.program.components[i].expression;
        if (evaluate_all(pilot, tables, expression, slots, [](model::Value) {}) == pilot.states) continue;
        std::vector<model::SlotId> read = model::slots_read(expression);
        std::sort(read.begin(), read.end());
        read.erase(std::unique(read.begin(), read.end()), read.end());
        std::string text;
        for (std::size_t r = 0; r < std::min(kMostValues, read.size()); ++r)
            text += (r == 0 ? " where " : ", ") + model.slot_name(owners[read[r]]) + " = " +
                    model.value_text(owners[read[r]].variable, slots[read[r]]);
        return measure.components[i] + text + (read.size() > kMostValues ? ", ..." : "");
    }
    return {};
}

std::vector<Flow> flows(const Pilot& pilot, const Ranks& ranks) {
    std::map<model::TransitionId, Flow> by_transition;
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

}  // namespace tideline::progress
