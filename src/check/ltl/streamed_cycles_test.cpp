#include "check/ltl/streamed_cycles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "support/components.hpp"

namespace tideline::check::ltl {
namespace {

using Marks = model::Marks;

struct Edge {
    std::size_t target;
    Marks marks;
};
using Rows = std::vector<std::vector<Edge>>;

// The states of accepting components.
std::vector<bool> on_accepting_cycles(const Rows& rows, Marks required) {
    const auto row_target = [](const Edge& edge) { return edge.target; };
    const support::RowGraph<Rows, decltype(row_target)> graph(rows, row_target);
    std::vector<bool> result(rows.size(), false);
    support::for_each_component(graph, support::KeepAllEdges{}, [&](std::span<const std::uint32_t> members) {
        Marks marks = 0;
        bool has_edge = false;
        for (const std::uint32_t s : members)
            for (const Edge& edge : rows[s])
                if (std::ranges::find(members, edge.target) != members.end()) {
                    has_edge = true;
                    marks |= edge.marks;
                }
        if (has_edge && (marks & required) == required)
            for (const std::uint32_t s : members) result[s] = true;
    });
    return result;
}

// Whether one of the states can be reached.
bool reaches(const Rows& rows, std::size_t from, const std::vector<bool>& wanted) {
    std::vector<bool> seen(rows.size());
    std::vector<std::size_t> open{from};
    seen[from] = true;
    while (!open.empty()) {
        const std::size_t s = open.back();
        open.pop_back();
        if (wanted[s]) return true;
        for (const Edge& edge : rows[s])
            if (!seen[edge.target]) {
                seen[edge.target] = true;
                open.push_back(edge.target);
            }
    }
    return false;
}

// The states of a component from which a strongly fair accepting cycle can be reached: all sets of a component are
// tried, so components have few states.
struct Fair {
    std::vector<Marks> enabled;  // by state, a bit per process
    StreamedCycles::Strong marks;
    [[nodiscard]] Marks moved(Marks edge) const { return edge >> marks.moved & ((Marks{1} << marks.processes) - 1); }
};
std::vector<bool> on_fair_cycles(const Rows& rows, Marks required, const Fair& fair) {
    std::vector<bool> result(rows.size(), false);
    for (std::uint64_t set = 1; set < std::uint64_t{1} << rows.size(); ++set) {
        const auto is_inside = [&](std::size_t s) { return (set >> s & 1U) != 0; };
        Marks marks = 0;
        Marks enabled = 0;
        bool has_edge = false;
        for (std::size_t s = 0; s < rows.size(); ++s) {
            if (!is_inside(s)) continue;
            enabled |= fair.enabled[s];
            for (const Edge& edge : rows[s])
                if (is_inside(edge.target)) {
                    has_edge = true;
                    marks |= edge.marks;
                }
        }
        if (!has_edge || (marks & required) != required || (enabled & ~fair.moved(marks)) != 0) continue;
        // Connected: each state reaches each inside the set.
        bool is_connected = true;
        for (std::size_t s = 0; s < rows.size() && is_connected; ++s) {
            if (!is_inside(s)) continue;
            std::uint64_t seen = 0;
            std::vector<std::size_t> open{s};
            while (!open.empty()) {
                const std::size_t at = open.back();
                open.pop_back();
                for (const Edge& edge : rows[at])
                    if (is_inside(edge.target) && (seen >> edge.target & 1U) == 0) {
                        seen |= std::uint64_t{1} << edge.target;
                        open.push_back(edge.target);
                    }
            }
            is_connected = seen == set;
        }
        for (std::size_t s = 0; s < rows.size() && is_connected; ++s)
            if (is_inside(s)) result[s] = true;
    }
    return result;
}

class KeptLog final : public RemovalLog {
public:
    void begin(const Removal& removal) override { removals_.push_back({removal, {}}); }
    void add(std::uint64_t number, std::uint32_t rank) override {
        of_.emplace(number, std::pair(removals_.size() - 1, rank));
    }
    void end(std::span<const std::optional<unsigned>> claims) override {
        removals_.back().second.assign(claims.begin(), claims.end());
    }

    // Whether it shows that there is no accepting cycle.
    [[nodiscard]] bool proves(const Rows& rows, Marks required) const {
        for (std::size_t s = 0; s < rows.size(); ++s) {
            if (!of_.contains(s)) return false;
            const auto [removal, rank] = of_.at(s);
            for (const Edge& edge : rows[s]) {
                const auto [to, to_rank] = of_.at(edge.target);
                if (to > removal) return false;
                if (to < removal) continue;
                const Removal& what = removals_[removal].first;
                std::optional<unsigned> mark;
                switch (what.kind) {
                    case Removal::Kind::ascending:
                        if (edge.target <= s) return false;
                        continue;
                    case Removal::Kind::descending:
                        if (edge.target >= s) return false;
                        continue;
                    case Removal::Kind::mark: mark = what.mark; break;
                    case Removal::Kind::ranked:
                        if (to_rank > rank) return false;
                        if (to_rank < rank) continue;
                        mark = removals_[removal].second.at(rank);
                        break;
                }
                if (!mark || (required >> *mark & 1U) == 0 || (edge.marks >> *mark & 1U) != 0) return false;
            }
        }
        return true;
    }
    [[nodiscard]] bool has(Removal::Kind kind) const {
        return std::ranges::any_of(removals_, [&](const auto& removal) { return removal.first.kind == kind; });
    }

private:
    std::vector<std::pair<Removal, std::vector<std::optional<unsigned>>>> removals_;
    std::map<std::uint64_t, std::pair<std::size_t, std::uint32_t>> of_;
};

TEST(StreamedCycles, AgreeWithTheComponentsOfRandomGraphs) {
    std::mt19937 random(11);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    std::map<bool, std::size_t> answers;
    std::map<Removal::Kind, std::size_t> kinds;
    for (int round = 0; round < 20'000; ++round) {
        const std::size_t count = 1 + below(24);
        const Marks required = std::vector<Marks>{0, 1, 1, 2, 3, 5, 7}[below(7)];
        const bool mostly_upwards = below(3) == 0;
        const std::size_t density = 1 + below(8);
        Rows rows(count);
        for (std::size_t s = 0; s < count; ++s)
            for (std::size_t left = below(4); left > 0; --left) {
                std::size_t target = below(count);
                if (mostly_upwards && below(8) != 0) target = s + below(count - s);
                Marks marks = 0;
                for (unsigned m = 0; m < 3; ++m)
                    if (below(density) == 0) marks |= Marks{1} << m;
                rows[s].push_back({target, marks});
            }
        KeptLog log;
        StreamedCycles::Settings settings{
            .required = required, .directory = testing::TempDir(), .block = 1 + below(40), .log = &log};
        settings.in_memory = below(20) == 0 ? 0 : 1U << 20U;
        settings.component_bytes = below(2) == 0 ? 0 : below(2000);
        const support::Budget budget;
        StreamedCycles cycles(settings, budget);
        const std::optional<std::uint64_t> found = cycles.find(count, [&](EdgeSpool& spool) {
            for (std::size_t s = 0; s < count; ++s) {
                spool.begin_row(s);
                for (const Edge& edge : rows[s]) spool.add(edge.target, edge.marks | 8);
            }
        });
        ASSERT_EQ(cycles.stopped(), support::StopReason::none);
        const std::vector<bool> expected = on_accepting_cycles(rows, required);
        const bool has_cycle = std::ranges::find(expected, true) != expected.end();
        ASSERT_EQ(found.has_value(), has_cycle) << round;
        ++answers[has_cycle];
        if (found) ASSERT_TRUE(reaches(rows, *found, expected)) << round;
        else ASSERT_TRUE(log.proves(rows, required)) << round;
        for (const Removal::Kind kind :
             {Removal::Kind::ascending, Removal::Kind::descending, Removal::Kind::mark, Removal::Kind::ranked})
            kinds[kind] += !found && log.has(kind) ? 1 : 0;
    }
    EXPECT_GT(answers[true], 3000U);
    EXPECT_GT(answers[false], 3000U);
    for (const auto& [kind, count] : kinds) EXPECT_GT(count, 200U) << static_cast<int>(kind);
}

// By the definition of strong fairness: all sets of states that a run could visit infinitely often.
TEST(StreamedCycles, AgreeWithTheDefinitionOfStrongFairness) {
    std::mt19937 random(13);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    std::map<bool, std::size_t> answers;
    std::size_t only_unfair = 0;
    for (int round = 0; round < 20'000; ++round) {
        const std::size_t count = 1 + below(7);
        const auto required = static_cast<Marks>(std::vector<int>{0, 1, 1, 3, 5}[below(5)]);
        Fair fair{{}, {static_cast<unsigned>(below(6)), 3, 10}};
        const Marks all = (Marks{1} << fair.marks.processes) - 1;
        const std::size_t density = 1 + below(4);
        const std::size_t rare = 1 + below(4);
        Rows rows(count);
        for (std::size_t s = 0; s < count; ++s) {
            // Who has a step need not have an edge: the product drops steps.
            Marks enabled = below(rare) == 0 ? random() & all : 0;
            for (std::size_t left = below(4); left > 0; --left) {
                Marks marks = 0;
                for (unsigned m = 0; m < 3; ++m)
                    if (below(density) == 0) marks |= Marks{1} << m;
                Marks moved = fair.marks.processes == 0 ? 0 : Marks{1} << below(fair.marks.processes);
                if (below(4) == 0) moved |= random() & all;
                enabled |= moved;
                rows[s].push_back({below(count), marks | moved << fair.marks.moved});
            }
            for (Edge& edge : rows[s]) edge.marks |= enabled << fair.marks.enabled;
            fair.enabled.push_back(enabled);
        }
        StreamedCycles::Settings settings{.required = required,
                                          .directory = testing::TempDir(),
                                          .block = 1 + below(40),
                                          .in_memory = 1U << 20U,
                                          .component_bytes = below(2) == 0 ? 0 : below(2000),
                                          .strong = fair.marks};
        const support::Budget budget;
        StreamedCycles cycles(settings, budget);
        const std::optional<std::uint64_t> found = cycles.find(count, [&](EdgeSpool& spool) {
            for (std::size_t s = 0; s < count; ++s) {
                if (rows[s].empty()) continue;
                spool.begin_row(s);
                for (const Edge& edge : rows[s]) spool.add(edge.target, edge.marks);
            }
        });
        ASSERT_EQ(cycles.stopped(), support::StopReason::none);
        const std::vector<bool> expected = on_fair_cycles(rows, required, fair);
        const bool has_cycle = std::ranges::find(expected, true) != expected.end();
        ASSERT_EQ(found.has_value(), has_cycle) << round;
        if (found) {
            ASSERT_TRUE(reaches(rows, *found, expected)) << round;
        }
        ++answers[has_cycle];
        const std::vector<bool> unfair = on_accepting_cycles(rows, required);
        only_unfair += !has_cycle && std::ranges::find(unfair, true) != unfair.end() ? 1 : 0;
    }
    EXPECT_GT(answers[true], 3000U);
    EXPECT_GT(only_unfair, 1000U);
}

TEST(StreamedCycles, ALongChainUpwardsTakesOnePass) {
    constexpr std::uint64_t kStates = 200'000;
    const support::Budget budget;
    StreamedCycles cycles({.required = 1, .directory = testing::TempDir()}, budget);
    EXPECT_FALSE(cycles.find(kStates, [](EdgeSpool& spool) {
        for (std::uint64_t s = 0; s + 1 < kStates; ++s) {
            spool.begin_row(s);
            spool.add(s + 1, 1);
        }
    }));
    EXPECT_EQ(cycles.passes(), 1U);
    EXPECT_GT(cycles.peak_disk_bytes(), kStates);
    EXPECT_LT(cycles.peak_bytes(), kStates / 4 + (1U << 19U));
}

TEST(StreamedCycles, StopAtALimit) {
    const support::Budget budget({}, [] { return true; });
    StreamedCycles cycles({.required = 1, .directory = testing::TempDir()}, budget);
    EXPECT_FALSE(cycles.find(2, [](EdgeSpool& spool) {
        spool.begin_row(0);
        spool.add(0, 1);
    }));
    EXPECT_EQ(cycles.stopped(), support::StopReason::interrupted);
}

}  // namespace
}  // namespace tideline::check::ltl
