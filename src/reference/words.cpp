// Breadth-first over the system's states, each with the set of states in which the specification may be.
#include "reference/words.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>

namespace tideline::reference {
namespace {

std::set<std::size_t> after(const WordSystem& specification, const std::set<std::size_t>& now,
                            const std::string& label) {
    std::set<std::size_t> result;
    for (const WordSystem::Move& move : specification.moves)
        if (now.contains(move.from) && move.label == label) result.insert(move.to);
    return result;
}

std::set<std::size_t> with_silent(const WordSystem& specification, std::set<std::size_t> now) {
    for (;;) {
        std::set<std::size_t> more = after(specification, now, "");
        more.insert(now.begin(), now.end());
        if (more == now) return now;
        now = std::move(more);
    }
}

}  // namespace

IllegalRuns illegal_runs(const WordSystem& system, const WordSystem& specification) {
    IllegalRuns result;
    using Node = std::pair<std::size_t, std::set<std::size_t>>;
    std::map<Node, std::size_t> distance;
    std::deque<Node> open;
    const auto add = [&](const Node& node, std::size_t steps) {
        if (distance.emplace(node, steps).second) open.push_back(node);
    };
    add({system.initial, with_silent(specification, {specification.initial})}, 0);
    while (!open.empty()) {
        const Node node = open.front();
        open.pop_front();
        const std::size_t steps = distance.at(node);
        bool ends = true;
        for (const WordSystem::Move& move : system.moves) {
            if (move.from != node.first) continue;
            ends = false;
            std::set<std::size_t> then = node.second;
            if (!move.label.empty()) then = with_silent(specification, after(specification, then, move.label));
            if (then.empty()) result.steps = std::min(result.steps.value_or(steps + 1), steps + 1);
            else add({move.to, then}, steps + 1);
        }
        if (ends && !specification.final.empty() &&
            std::none_of(node.second.begin(), node.second.end(), [&](std::size_t s) { return specification.final[s]; }))
            result.ends_badly = true;
    }
    return result;
}

}  // namespace tideline::reference
