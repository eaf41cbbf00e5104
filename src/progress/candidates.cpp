#include "progress/candidates.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "progress/linear_program.hpp"
#include "progress/location_orders.hpp"
#include "progress/rating.hpp"
#include "progress/value_order.hpp"
#include "successor/hash.hpp"

namespace tideline::progress {
namespace {

constexpr std::uint64_t kLargestTable = 1024;     // values of a slot whose order is given by a table
constexpr model::Value kMostLocations = 100'000;  // of a process whose graph is looked at
constexpr std::size_t kMostValues = 256;          // values of a slot in the pilot that are still reordered
constexpr std::size_t kMostParts = 32;            // of a vector

class Collector {
public:
    Collector(const model::Model& model, const Pilot& pilot, std::uint32_t first_states, const support::Budget& budget)
        : model_(model),
          pilot_(pilot),
          first_states_(first_states),
          budget_(budget),
          poll_(budget, 1),
          owners_(model.slot_owners()) {}

    std::vector<Candidate> collect() {
        // The component graph of an explicit system gives all its monotonic measures.
        if (model_.slot_count() > 1) add_monotonic();
        for (model::SlotId slot = 0; slot < model_.slot_count(); ++slot)  // a product has one more, of the automaton
            if (!pilot_.slots[slot].empty()) add_slot(slot);
        add_sums();
        return std::move(found_);
    }

private:
    void add_monotonic() {
        const std::vector<double> alike(model_.transitions.size(), 1.0);
        std::vector<double> by_frequency(model_.transitions.size(), 0.01);
        for (const model::TransitionId transition : pilot_.transitions)
            if (transition < by_frequency.size())
                by_frequency[transition] +=
                    static_cast<double>(by_frequency.size()) / static_cast<double>(pilot_.transitions.size());
        for (const LinearFeatures features :
             {LinearFeatures{true, true}, LinearFeatures{false, true}, LinearFeatures{true, false}})
            for (const std::vector<double>* weights :
                 std::initializer_list<const std::vector<double>*>{&alike, &by_frequency})
                for (const LinearComponent& component : monotonic_chain(model_, *weights, features, budget_))
                    add(component);
    }

    void add_slot(model::SlotId slot) {
        if (poll_.is_exhausted()) return;
        LinearComponent up;
        up.factors[slot] = 1;
        add_both_ways(up);
        const model::Variable& variable = model_.variables[owners_[slot].variable];
        std::string name = variable.length ? variable.name : "";
        if (variable.kind == model::Variable::Kind::location) name = "locations";
        else if (!variable.length && variable.owner && variable.name.find('.') != std::string::npos)
            name = variable.name.substr(variable.name.rfind('.'));
        if (!name.empty()) sums_[name].factors[slot] = 1;
        if (variable.kind == model::Variable::Kind::location && variable.owner && variable.range.high <= kMostLocations)
            add_location_orders(slot, *variable.owner);
        if (variable.range.span() >= kLargestTable || variable.range.span() < 2) return;
        add_orders(slot, variable);
    }

    // For several processes the linear programs know more than the graph of one: which steps synchronise. But they find
    // no vectors.
    void add_location_orders(model::SlotId slot, model::ProcessId process) {
        for (const auto& [name, weights] :
             {std::pair("locations by component", component_order(model_, process)),
              std::pair("locations by component, coarsely", component_ranks(model_, process)),
              std::pair("locations by position in a spanning tree", spanning_order(model_, process)),
              std::pair("locations by depth", spanning_depths(model_, process))}) {
            if (model_.processes.size() == 1) add({{{slot, weights}}, {}});
            else if (std::any_of(weights.begin(), weights.end(), [](model::Value weight) { return weight != 0; }))
                sums_[name].weights[slot] = weights;
        }
    }

    void add_sums() {
        for (const auto& [name, sum] : sums_) {
            if (sum.factors.size() > 1) {
                add_both_ways(sum);
                add_vector(sum);
                add_vector(negated(sum));
            }
            if (sum.weights.size() > 1) {
                add(sum);
                add_vector(sum);
            }
        }
    }

    // The vector of what is summed up.
    void add_vector(const LinearComponent& sum) {
        std::vector<LinearComponent> components{sum};
        for (const auto& [slot, factor] : sum.factors) components.push_back({{}, {{slot, factor}}});
        for (const auto& [slot, weights] : sum.weights) components.push_back({{{slot, weights}}, {}});
        components.pop_back();
        if (components.size() <= kMostParts) add(components);
    }

    // Orders of the slot's values, unless it takes too many. A value that the pilot has not seen has no weight.
    void add_orders(model::SlotId slot, const model::Variable& variable) {
        const Column& column = pilot_.slots[slot];
        const std::vector<std::uint32_t> ranks = ranked(column.values());
        const std::size_t values = std::size_t{*std::max_element(ranks.begin(), ranks.end())} + 1;
        if (values <= 2 || values > kMostValues) return;
        ValueSteps steps{values, std::vector<std::uint64_t>(values * values, 0)};
        for (std::uint32_t state = 0; state < pilot_.states; ++state)
            for (std::uint32_t edge = pilot_.edges_begin(state); edge < pilot_.edge_ends[state]; ++edge)
                ++steps.counts[ranks[state] * values + ranks[pilot_.targets[edge]]];
        const std::vector<std::uint32_t> position = forward_order(steps);
        std::vector<model::Value> forward(variable.range.span() + 1, 0);
        std::vector<model::Value> backward = forward;
        for (std::uint32_t state = 0; state < pilot_.states; ++state) {
            const auto value = static_cast<std::size_t>(column[state] - variable.range.low);
            forward[value] = position[ranks[state]];
            backward[value] = static_cast<model::Value>(values - 1) - forward[value];
        }
        add({{{slot, forward}}, {}});
        add({{{slot, backward}}, {}});
        if (variable.kind != model::Variable::Kind::location) return;
        sums_["locations forward"].weights[slot] = std::move(forward);
        sums_["locations backward"].weights[slot] = std::move(backward);
    }

    void add_both_ways(const LinearComponent& component) {
        add(component);
        add(negated(component));
    }

    static LinearComponent negated(LinearComponent component) {
        for (auto& [slot, factor] : component.factors) factor = -factor;
        return component;
    }

    void add(const LinearComponent& component) { add(std::vector{component}); }

    // After the budget is exhausted, candidates are left out.
    void add(const std::vector<LinearComponent>& components) {
        if (poll_.is_exhausted()) return;
        std::vector<std::uint32_t> ranks = ranked(values_on(pilot_, model_, components.front(), first_states_));
        if (components.size() > 1) {
            Ranks all = refined(constant_ranks(first_states_), ranks, false);
            for (std::size_t i = 1; i < components.size(); ++i)
                all = refined(all, ranked(values_on(pilot_, model_, components[i], first_states_)), false);
            ranks = std::move(all.of);
        }
        if (std::all_of(ranks.begin(), ranks.end(), [](std::uint32_t rank) { return rank == 0; })) return;
        std::uint64_t hash = 0;
        for (const std::uint32_t rank : ranks) hash = successor::hashing::mix(hash ^ rank);
        if (seen_.insert(hash).second) found_.push_back({components, std::move(ranks)});
    }

    const model::Model& model_;
    const Pilot& pilot_;
    std::uint32_t first_states_;
    const support::Budget& budget_;
    support::BudgetPoll poll_;
    std::vector<model::Model::SlotOwner> owners_;
    std::map<std::string, LinearComponent> sums_;
    std::set<std::uint64_t> seen_;  // hashes of ranks
    std::vector<Candidate> found_;
};

}  // namespace

std::vector<Candidate> candidates(const model::Model& model, const Pilot& pilot, std::uint32_t first_states,
                                  const support::Budget& budget) {
    return Collector(model, pilot, first_states, budget).collect();
}

std::vector<Candidate> single_slots(const model::Model& model, const Pilot& pilot, std::uint32_t first_states) {
    std::vector<Candidate> result;
    for (std::size_t slot = 0; slot < pilot.slots.size() && slot < model.initial.size(); ++slot) {
        if (pilot.slots[slot].empty()) continue;
        LinearComponent component;
        component.factors[static_cast<model::SlotId>(slot)] = 1;
        std::vector<std::uint32_t> ranks = ranked(values_on(pilot, model, component, first_states));
        if (std::ranges::any_of(ranks, [](std::uint32_t rank) { return rank > 0; }))
            result.push_back({{std::move(component)}, std::move(ranks)});
    }
    return result;
}

std::vector<std::uint32_t> ranked(const std::vector<model::Value>& values) {
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    const std::uint64_t span =
        values.empty() ? 0 : static_cast<std::uint64_t>(*largest) - static_cast<std::uint64_t>(*least);
    if (!values.empty() && span <= 8 * values.size() + 1024) {
        const auto index = [low = *least](model::Value value) { return static_cast<std::size_t>(value - low); };
        std::vector<std::uint32_t> rank_of(span + 1, 0);
        for (const model::Value value : values) rank_of[index(value)] = 1;
        std::exclusive_scan(rank_of.begin(), rank_of.end(), rank_of.begin(), 0U);
        std::vector<std::uint32_t> ranks;
        ranks.reserve(values.size());
        for (const model::Value value : values) ranks.push_back(rank_of[index(value)]);
        return ranks;
    }
    std::vector<model::Value> distinct = values;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::uint32_t> ranks;
    ranks.reserve(values.size());
    for (const model::Value value : values)
        ranks.push_back(
            static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), value) - distinct.begin()));
    return ranks;
}

std::vector<model::Value> values_on(const Pilot& pilot, const model::Model& model, const LinearComponent& component,
                                    std::uint32_t first_states) {
    std::vector<model::Value> result(first_states, 0);
    const std::vector<model::Model::SlotOwner> owners = model.slot_owners();
    // Sums of huge numbers may wrap around here; then the component only gets a bad rating.
    const auto add = [](model::Value& sum, model::Value value) {
        sum = static_cast<model::Value>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(value));
    };
    for (const auto& [slot, factor] : component.factors) {
        if (pilot.slots[slot].empty()) continue;
        for (std::uint32_t state = 0; state < first_states; ++state)
            add(result[state], static_cast<model::Value>(static_cast<std::uint64_t>(factor) *
                                                         static_cast<std::uint64_t>(pilot.slots[slot][state])));
    }
    for (const auto& [slot, weights] : component.weights) {
        if (pilot.slots[slot].empty()) continue;
        const model::Value low = model.variables[owners[slot].variable].range.low;
        for (std::uint32_t state = 0; state < first_states; ++state)
            add(result[state], weights[static_cast<std::size_t>(pilot.slots[slot][state] - low)]);
    }
    return result;
}

}  // namespace tideline::progress
