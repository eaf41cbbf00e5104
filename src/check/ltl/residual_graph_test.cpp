// The executable specification of the exact sweep for linear time, as a test: random graphs with random measures,
// blocks, layers that are split, a breadth-first beginning; the residual graph against components of the whole graph.
#include "check/ltl/residual_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "support/components.hpp"

namespace tideline::check::ltl {
namespace {

using Marks = model::Marks;
using Number = ResidualGraph::Number;

struct Edge {
    std::size_t target;
    Marks marks;
};
using Rows = std::vector<std::vector<Edge>>;

// Whether the part of the graph that these states are has a cycle with all marks.
bool has_accepting_cycle(const Rows& rows, const std::set<std::size_t>& states, Marks required) {
    const auto row_target = [](const Edge& edge) { return edge.target; };
    Rows part(rows.size());
    for (const std::size_t s : states)
        for (const Edge& edge : rows[s])
            if (states.contains(edge.target)) part[s].push_back(edge);
    const support::RowGraph<Rows, decltype(row_target)> graph(part, row_target);
    bool found = false;
    support::for_each_component(graph, support::KeepAllEdges{}, [&](std::span<const std::uint32_t> members) {
        Marks marks = 0;
        bool has_edge = false;
        for (const std::uint32_t s : members)
            for (const Edge& edge : part[s])
                if (std::ranges::find(members, edge.target) != members.end()) {
                    has_edge = true;
                    marks |= edge.marks;
                }
        found = found || (has_edge && (marks & required) == required);
    });
    return found;
}

class SweptGraph {
public:
    using Key = std::pair<std::size_t, std::size_t>;  // block, measure

    SweptGraph(const Rows& rows, std::vector<Key> keys, Marks required, std::mt19937& random)
        : rows_(rows), keys_(std::move(keys)), required_(required), random_(random), residual_(required) {}

    // Sweeps until nothing is open, or a cycle is reported.
    void run(std::size_t breadth_first) {
        std::vector<std::size_t> queue{0};
        std::set<std::size_t> seen{0};
        for (std::size_t head = 0; head < queue.size(); ++head) {
            if (head == breadth_first) break;
            expand(queue[head], number_of(queue[head]), [&](std::size_t t) {
                if (seen.insert(t).second) queue.push_back(t);
                return number_of(t);
            });
        }
        for (std::size_t i = std::min(breadth_first, queue.size()); i < queue.size(); ++i)
            frontier_[keys_[queue[i]]].emplace(queue[i], number_of(queue[i]));
        if (breadth_first > 0) {
            end_visit();
            end_pass();
        }
        while (!frontier_.empty() && !residual_.found()) pass();
    }

    [[nodiscard]] const ResidualGraph& residual() const { return residual_; }
    [[nodiscard]] const std::set<std::size_t>& expanded() const { return expanded_; }
    [[nodiscard]] std::size_t state(Number number) const { return order_.at(number); }
    [[nodiscard]] bool is_late() const { return is_late_; }

private:
    // A state that was not expanded has a temporary number, which may be one of several.
    Number number_of(std::size_t s) {
        if (const auto found = final_.find(s); found != final_.end()) return found->second;
        if (const auto found = open_.find(s); found != open_.end()) return found->second;
        return open_[s] = next_temporary_++ | ResidualGraph::kTemporary;
    }

    template <class NumberOf>
    void expand(std::size_t s, Number open, const NumberOf& number) {
        EXPECT_TRUE(expanded_.insert(s).second);
        final_[s] = order_.size();
        open_.erase(s);
        order_.push_back(s);
        visit_.insert(s);
        if ((open & ResidualGraph::kTemporary) != 0) fixups_.emplace_back(open, final_[s]);
        std::vector<Number> targets;
        std::vector<Marks> marks;
        for (const Edge& edge : rows_[s]) {
            targets.push_back(number(edge.target));
            marks.push_back(edge.marks);
        }
        residual_.add_row(final_[s], targets, marks, keys_[s].first);
    }

    void pass() {
        const std::size_t block = frontier_.begin()->first.first;
        residual_.finish_blocks_below(block);
        std::map<Key, std::map<std::size_t, Number>> later;
        while (!frontier_.empty() && frontier_.begin()->first.first == block && !residual_.found()) {
            const Key key = frontier_.begin()->first;
            std::map<std::size_t, Number> open = std::move(frontier_.begin()->second);
            frontier_.erase(frontier_.begin());
            std::vector<std::pair<std::size_t, Number>> todo;
            std::map<std::size_t, Number> of_layer;  // states of the layer that are known by a number now
            for (const auto& [s, number] : open) {
                if (const auto known = final_.find(s); known != final_.end()) {
                    fixups_.emplace_back(number, known->second);  // found on disk
                } else {
                    todo.emplace_back(s, number);
                    of_layer.emplace(s, number);
                }
            }
            const auto number = [&](std::size_t t) -> Number {
                if (keys_[t] == key) {
                    if (const auto known = final_.find(t); known != final_.end()) return known->second;
                    const auto [found, is_new] = of_layer.try_emplace(t, 0);
                    if (is_new) {
                        found->second = next_temporary_++ | ResidualGraph::kTemporary;
                        todo.emplace_back(t, found->second);
                    }
                    return found->second;
                }
                // Whether it is on disk is found out when its layer is taken.
                auto& table = (keys_[t] > key ? frontier_ : later)[keys_[t]];
                const auto [found, is_new] = table.try_emplace(t, 0);
                if (is_new) found->second = next_temporary_++ | ResidualGraph::kTemporary;
                return found->second;
            };
            const std::size_t budgets[] = {1, 2, 4, 1000};
            for (std::size_t budget = budgets[random_() % 4]; budget > 0 && !todo.empty(); --budget) {
                std::swap(todo[random_() % todo.size()], todo.back());
                const auto [s, temporary] = todo.back();
                todo.pop_back();
                expand(s, temporary, number);
            }
            // A state that is open already, under another number, has two.
            for (const auto& [s, temporary] : todo)
                if (!(random_() % 2 == 0 ? frontier_ : later)[key].emplace(s, temporary).second)
                    aliases_.emplace_back(temporary, s);
            end_visit();
        }
        for (auto& [key, open] : later) frontier_[key].merge(open);
        for (auto& [key, open] : later)
            for (const auto& [s, temporary] : open) aliases_.emplace_back(temporary, s);
        end_pass();
    }

    void end_visit() {
        for (const auto& [temporary, number] : std::exchange(fixups_, {})) residual_.resolve(temporary, number);
        for (std::size_t i = 0; i < aliases_.size();) {
            const auto known = final_.find(aliases_[i].second);
            if (known == final_.end()) {
                ++i;
                continue;
            }
            residual_.resolve(aliases_[i].first, known->second);
            aliases_.erase(aliases_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        residual_.end_visit(order_.size());
        if (!residual_.found() && has_accepting_cycle(rows_, visit_, required_)) is_late_ = true;
        visit_.clear();
    }

    void end_pass() {
        residual_.end_pass();
        if (!residual_.found() && has_accepting_cycle(rows_, of_last_pass_, required_)) is_late_ = true;
        of_last_pass_ = expanded_;
    }

    const Rows& rows_;
    std::vector<Key> keys_;
    Marks required_;
    std::mt19937& random_;
    ResidualGraph residual_;
    std::map<Key, std::map<std::size_t, Number>> frontier_;
    std::map<std::size_t, Number> final_;
    std::map<std::size_t, Number> open_;
    std::vector<std::size_t> order_;
    std::set<std::size_t> expanded_;
    std::set<std::size_t> visit_;
    std::set<std::size_t> of_last_pass_;  // expanded when the pass before ended
    std::vector<std::pair<Number, Number>> fixups_;
    std::vector<std::pair<Number, std::size_t>> aliases_;  // second numbers of states that are open under another
    Number next_temporary_ = 0;
    bool is_late_ = false;
};

// Blocks: consecutive components, from the source on.
std::vector<std::size_t> blocks_of(const Rows& rows, std::size_t width) {
    std::vector<std::size_t> result(rows.size(), 0);
    const auto row_target = [](const Edge& edge) { return edge.target; };
    const support::RowGraph<Rows, decltype(row_target)> graph(rows, row_target);
    const auto numbers = support::component_numbers(graph);
    for (std::size_t s = 0; s < rows.size(); ++s) result[s] = width == 0 ? 0 : (rows.size() - numbers.of[s]) / width;
    return result;
}

TEST(ResidualGraph, FindsAcceptingCyclesInTimeOnRandomGraphs) {
    std::mt19937 random(1);
    std::size_t violated = 0;
    std::size_t early = 0;
    std::size_t small = 0;
    for (int round = 0; round < 20'000; ++round) {
        const std::size_t n = random() % 3 == 0 ? 1 + random() % 24 : 24;
        const unsigned sets = random() % 4;
        const Marks required = (Marks{1} << sets) - 1;
        const unsigned density = 1 + random() % 6;
        const unsigned most = 2 + random() % 3;
        Rows rows(n);
        for (auto& row : rows)
            for (unsigned degree = random() % most; degree > 0; --degree) {
                Marks marks = 0;
                for (unsigned b = 0; b < sets; ++b)
                    if (random() % 10 < density) marks |= Marks{1} << b;
                row.push_back({random() % n, marks});
            }
        std::set<std::size_t> reachable{0};
        for (std::vector<std::size_t> open{0}; !open.empty();) {
            const std::size_t s = open.back();
            open.pop_back();
            for (const Edge& edge : rows[s])
                if (reachable.insert(edge.target).second) open.push_back(edge.target);
        }
        std::vector<std::size_t> measure(n, 0);
        switch (random() % 5) {
            case 0: break;
            case 1:
                for (std::size_t& value : measure) value = random() % 4;
                break;
            case 2: std::iota(measure.begin(), measure.end(), 0); break;
            case 3: std::iota(measure.rbegin(), measure.rend(), 0); break;
            default: std::iota(measure.begin(), measure.end(), 0); std::ranges::shuffle(measure, random);
        }
        const std::size_t widths[] = {0, 1, 3};
        const std::vector<std::size_t> blocks = blocks_of(rows, widths[random() % 3]);
        std::vector<SweptGraph::Key> keys;
        for (std::size_t s = 0; s < n; ++s) keys.emplace_back(blocks[s], measure[s]);
        SweptGraph swept(rows, keys, required, random);
        const std::size_t beginnings[] = {0, 0, 1, n / 2, n};
        swept.run(beginnings[random() % 5]);
        const bool expected = has_accepting_cycle(rows, reachable, required);
        ASSERT_EQ(swept.residual().found().has_value(), expected) << "round " << round;
        ASSERT_FALSE(swept.is_late()) << "round " << round;
        if (expected) {
            ++violated;
            early += swept.expanded().size() < reachable.size() ? 1 : 0;
            ASSERT_TRUE(swept.expanded().contains(swept.state(*swept.residual().found())));
        } else {
            ASSERT_EQ(swept.expanded(), reachable);
            ASSERT_EQ(swept.residual().node_count(), 0U);
            ASSERT_EQ(swept.residual().edge_count(), 0U);
            ASSERT_EQ(swept.residual().open_count(), 0U);
            small += swept.residual().peak_nodes() * 2 < reachable.size() ? 1 : 0;
        }
    }
    EXPECT_GT(violated, 4000U);
    EXPECT_GT(early, 1000U);
    EXPECT_GT(small, 100U);
}

}  // namespace
}  // namespace tideline::check::ltl
