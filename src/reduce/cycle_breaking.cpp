#include "reduce/cycle_breaking.hpp"

#include <algorithm>
#include <utility>

namespace tideline::reduce {
namespace {

// The control graph of a process, which stays without cycles.
class ControlGraph {
public:
    explicit ControlGraph(std::size_t locations) : next_(locations), seen_(locations, 0) {}

    // Whether an edge would close a cycle.
    [[nodiscard]] bool closes_cycle(model::Value from, model::Value to) {
        ++round_;
        stack_ = {to};
        while (!stack_.empty()) {
            const model::Value at = stack_.back();
            stack_.pop_back();
            if (at == from) return true;
            if (std::exchange(seen_[static_cast<std::size_t>(at)], round_) == round_) continue;
            const std::vector<model::Value>& next = next_[static_cast<std::size_t>(at)];
            stack_.insert(stack_.end(), next.begin(), next.end());
        }
        return false;
    }
    void add(model::Value from, model::Value to) {
        std::vector<model::Value>& next = next_[static_cast<std::size_t>(from)];
        if (std::find(next.begin(), next.end(), to) == next.end()) next.push_back(to);
    }

private:
    std::vector<std::vector<model::Value>> next_;
    std::vector<std::uint32_t> seen_;
    std::uint32_t round_ = 0;
    std::vector<model::Value> stack_;
};

}  // namespace

std::vector<bool> sticky_transitions(const model::Model& model, const StepFacts& steps,
                                     std::span<const model::TransitionId> preference) {
    std::vector<ControlGraph> graphs;
    for (const model::Process& process : model.processes)
        graphs.emplace_back(
            std::max<std::size_t>(process.outgoing.size(), model.variables[process.location].range.span() + 1));
    std::vector<bool> single(model.transitions.size(), true);
    for (const model::TransitionId t : preference) {
        const std::vector<model::Participant>& participants = model.transitions[t].participants;
        const auto moves = [](const model::Participant& p) { return p.from != p.to; };
        if (std::none_of(participants.begin(), participants.end(), moves) ||
            assigns_location(model, model.transitions[t]))
            continue;
        const bool closes = std::any_of(participants.begin(), participants.end(), [&](const model::Participant& p) {
            return moves(p) && graphs[p.process].closes_cycle(p.from, p.to);
        });
        if (closes) continue;
        for (const model::Participant& p : participants)
            if (moves(p)) graphs[p.process].add(p.from, p.to);
        single[t] = false;
    }
    std::vector<bool> result(single.size());
    for (std::size_t t = 0; t < result.size(); ++t)
        result[t] = std::any_of(steps.members[t].begin(), steps.members[t].end(),
                                [&](model::TransitionId member) { return single[member]; });
    return result;
}

}  // namespace tideline::reduce
