#include "explore/search.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>

#include <gtest/gtest.h>

#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::explore {
namespace {

using namespace model::examples;

constexpr WalkOrder kOrders[] = {WalkOrder::breadth_first, WalkOrder::depth_first};

std::shared_ptr<const successor::System> declared(const model::Model& model,
                                                  std::vector<model::Expression> labels = {}) {
    return successor::make_interpreted_system(std::make_shared<const model::Model>(model), std::move(labels),
                                              successor::Layout::declared(model));
}

// Packed as if only the initial values had ever been seen, so that every search needs repacking.
std::shared_ptr<const successor::System> needs_repacking(const model::Model& model) {
    std::vector<model::Range> seen;
    for (const model::Value value : model.initial) seen.push_back({value, value});
    for (std::size_t i = 1; i < model.initial_count(); ++i)
        for (std::size_t slot = 0; slot < seen.size(); ++slot) {
            seen[slot].low = std::min(seen[slot].low, model.initial_state(i)[slot]);
            seen[slot].high = std::max(seen[slot].high, model.initial_state(i)[slot]);
        }
    return successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                              successor::Layout::observed(model, seen));
}

struct Graph {
    std::vector<std::vector<std::size_t>> edges;
    std::vector<std::size_t> initials{0};
    [[nodiscard]] std::vector<std::size_t> distances() const {
        std::vector<std::size_t> result(edges.size(), SIZE_MAX);
        std::vector<std::size_t> queue = initials;
        for (const std::size_t node : initials) result[node] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (const std::size_t to : edges[queue[i]])
                if (result[to] == SIZE_MAX) {
                    result[to] = result[queue[i]] + 1;
                    queue.push_back(to);
                }
        return result;
    }
    // The graph's node is the value of one slot with a wide range.
    [[nodiscard]] model::Model model() const {
        model::Model result;
        const model::VariableId node =
            add_scalar(result, "node", {0, 1000000}, static_cast<model::Value>(initials.front()));
        result.more_initial.assign(initials.begin() + 1, initials.end());
        for (std::size_t from = 0; from < edges.size(); ++from) {
            for (const std::size_t to : edges[from]) {
                model::Transition transition;
                transition.guards.push_back(model::Expression::binary(model::Op::equal, result.read(node),
                                                                      number(static_cast<model::Value>(from))));
                transition.effects.emplace_back(assign(node, number(static_cast<model::Value>(to))));
                result.add_transition(transition);
            }
        }
        return result;
    }
};

Graph random_graph(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Graph graph;
    graph.edges.resize(20 + random() % 60);
    const std::uint64_t degree = 1 + random() % 4;
    for (auto& out : graph.edges)
        for (std::uint64_t i = random() % (degree + 1); i > 0; --i) out.push_back(random() % graph.edges.size());
    graph.edges[0].push_back(1);
    if (seed % 2 == 1) graph.initials = {7, 0, 19, 3 + random() % 4};  // all different
    return graph;
}

std::vector<std::vector<successor::Word>> states_of(const std::optional<PackedPath>& path) {
    std::vector<std::vector<successor::Word>> states;
    for (std::size_t i = 0; path && i < path->size(); ++i)
        states.emplace_back(path->state(i), path->state(i) + path->words());
    return states;
}

// Asks for the path to everything that is reported: a depth-first search at once, others when they have ended.
class Recorder : public SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(SearchView& search, std::span<const StateRef> discovered) override {
        for (const StateRef& found : discovered) note(search, found, true);
        return count < stop_at;
    }
    bool deadlock(SearchView& search, const StateRef& found) override {
        deadlocks.push_back(search.system().decode(found.state));
        note(search, found, false);
        return true;
    }
    bool faulty(SearchView& search, const StateRef& source, model::TransitionId transition,
                model::FaultKind kind) override {
        faults.emplace_back(transition, kind);
        note(search, source, false);
        return go_on_after_faults;
    }
    void tick(const Statistics&) override { ++ticks; }

    // When the search has ended.
    void follow_paths(const SearchResult& result) {
        ASSERT_TRUE(noted_.empty() || result.paths);
        for (const Noted& noted : noted_) {
            const auto path =
                check_path(*result.system, states_of(result.paths->path_to(noted.number, {})), noted.values);
            if (noted.is_new) paths.push_back(path);
        }
    }

    std::size_t count = 0;                                      // new states
    std::vector<std::vector<std::vector<model::Value>>> paths;  // of each of them
    std::vector<std::vector<model::Value>> deadlocks;
    std::vector<std::pair<model::TransitionId, model::FaultKind>> faults;
    std::size_t stop_at = SIZE_MAX;
    std::size_t ticks = 0;
    bool go_on_after_faults = true;

private:
    struct Noted {
        std::uint64_t number;
        std::vector<model::Value> values;
        bool is_new;
    };

    void note(SearchView& search, const StateRef& found, bool is_new) {
        count += is_new;
        const std::vector<model::Value> values = search.system().decode(found.state);
        const std::optional<PackedPath> path = search.current_path({});
        if (!path) {
            noted_.push_back({found.number, values, is_new});
            return;
        }
        const auto decoded = check_path(search.system(), states_of(path), values);
        if (is_new) paths.push_back(decoded);
    }

    static std::vector<std::vector<model::Value>> check_path(const successor::System& system,
                                                             const std::vector<std::vector<successor::Word>>& states,
                                                             const std::vector<model::Value>& last) {
        EXPECT_FALSE(states.empty());
        if (states.empty()) return {};
        const std::vector<std::vector<successor::Word>> initial = system.initial_states();
        EXPECT_EQ(std::count(initial.begin(), initial.end(), states.front()), 1);
        EXPECT_EQ(system.decode(states.back().data()), last);
        std::vector<std::vector<model::Value>> path;
        for (std::size_t i = 0; i < states.size(); ++i) {
            path.push_back(system.decode(states[i].data()));
            if (i + 1 == states.size()) break;
            const std::vector<successor::StepDetail> steps = system.steps(states[i].data());
            EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [&](const successor::StepDetail& s) {
                return s.next == states[i + 1];
            })) << "every pair of the path is a step";
        }
        return path;
    }

    std::vector<Noted> noted_;  // whose paths are known when the search has ended
};

void expect_agreement(const Graph& graph, std::shared_ptr<const successor::System> system, WalkOrder order) {
    Recorder recorder;
    const SearchResult result = search(std::move(system), order, {}, recorder);
    recorder.follow_paths(result);
    const std::vector<std::size_t> distances = graph.distances();
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t deadlocks = 0;
    std::size_t farthest = 0;
    for (std::size_t node = 0; node < distances.size(); ++node) {
        if (distances[node] == SIZE_MAX) continue;
        ++states;
        transitions += graph.edges[node].size();
        deadlocks += graph.edges[node].empty();
        farthest = std::max(farthest, distances[node]);
    }
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.reason, support::StopReason::none);
    EXPECT_EQ(result.statistics.states, states);
    EXPECT_EQ(result.statistics.expanded, states);
    EXPECT_EQ(result.statistics.peak_states, states);
    EXPECT_EQ(result.statistics.transitions, transitions);
    EXPECT_EQ(result.statistics.deadlocks, deadlocks);
    EXPECT_EQ(result.statistics.waiting, 0U);
    EXPECT_EQ(recorder.paths.size(), states);
    EXPECT_EQ(recorder.deadlocks.size(), deadlocks);
    for (const auto& path : recorder.paths) {
        const std::size_t distance = distances[static_cast<std::size_t>(path.back()[0])];
        if (order == WalkOrder::breadth_first) EXPECT_EQ(path.size(), distance + 1) << "a shortest path";
        else EXPECT_GE(path.size(), distance + 1);
    }
    if (order == WalkOrder::breadth_first) {
        EXPECT_EQ(result.statistics.depth, farthest + 1);
    }
}

TEST(Search, VisitsRandomGraphsCompletelyAndKnowsPaths) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Graph graph = random_graph(seed);
        const model::Model model = graph.model();
        for (const WalkOrder order : kOrders) {
            expect_agreement(graph, declared(model), order);
            expect_agreement(graph, needs_repacking(model), order);
        }
    }
}

TEST(Search, LevelsLargerThanABatchKeepTheirPaths) {
    // A fan of 1500 states from the start (more successors than fit one batch), each with a follower of its own.
    Graph graph;
    graph.edges.resize(3001);
    for (std::size_t i = 1; i <= 1500; ++i) {
        graph.edges[0].push_back(i);
        graph.edges[i].push_back(1500 + i);
    }
    model::Model model;
    const model::VariableId node = add_scalar(model, "node", {0, 1000000}, 0);
    for (model::Value i = 1; i <= 1500; ++i) {
        model::Transition fan;
        fan.guards.push_back(model::Expression::binary(model::Op::equal, model.read(node), number(0)));
        fan.effects.emplace_back(assign(node, number(i)));
        model.add_transition(fan);
    }
    model::Transition follow;
    follow.guards.push_back(
        model::Expression::both(model::Expression::binary(model::Op::greater, model.read(node), number(0)),
                                model::Expression::binary(model::Op::less_equal, model.read(node), number(1500))));
    follow.effects.emplace_back(
        assign(node, model::Expression::binary(model::Op::add, model.read(node), number(1500))));
    model.add_transition(follow);
    class LastPath final : public SearchObserver {
    public:
        [[nodiscard]] bool wants_discoveries() const override { return true; }
        bool discovered(SearchView& /*search*/, std::span<const StateRef> discovered) override {
            number = discovered.back().number;
            return true;
        }
        std::uint64_t number = 0;
    } last;
    const SearchResult result = search(needs_repacking(model), WalkOrder::breadth_first, {}, last);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.statistics.states, 3001U);
    EXPECT_EQ(result.statistics.transitions, 3000U);
    EXPECT_EQ(result.statistics.deadlocks, 1500U);
    EXPECT_EQ(result.statistics.depth, 3U);
    EXPECT_EQ(states_of(result.paths->path_to(last.number, {})).size(), 3U);
}

TEST(Search, DepthFirstGoesDownTheFirstSuccessor) {
    // 0 -> 1, 4;  1 -> 2, 3;  2 -> 4
    const Graph graph{{{1, 4}, {2, 3}, {4}, {}, {}}};
    class Order final : public SearchObserver {
    public:
        bool deadlock(SearchView& search, const StateRef& found) override {
            values.push_back(search.system().decode(found.state)[0]);
            lengths.push_back(states_of(search.current_path({})).size());
            return true;
        }
        std::vector<model::Value> values;
        std::vector<std::size_t> lengths;
    } order;
    const SearchResult result = search(declared(graph.model()), WalkOrder::depth_first, {}, order);
    EXPECT_EQ(order.values, (std::vector<model::Value>{4, 3}));
    EXPECT_EQ(order.lengths, (std::vector<std::size_t>{4, 3})) << "4 is entered by way of 1 and 2";
    EXPECT_EQ(result.statistics.depth, 4U);
}

TEST(Search, FaultyStepsAreReportedAndAreNeitherTransitionsNorDeadlocks) {
    model::Model model = two_counters(2);
    model::Transition faulty;
    faulty.guards.push_back(
        model::Expression::both(model::Expression::binary(model::Op::equal, model.read(0), number(2)),
                                model::Expression::binary(model::Op::equal, model.read(1), number(2))));
    faulty.effects.emplace_back(assign(0, number(5)));
    model.add_transition(faulty);
    for (const WalkOrder order : kOrders) {
        Recorder recorder;
        const SearchResult result = search(declared(model), order, {}, recorder);
        recorder.follow_paths(result);
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.statistics.states, 9U);
        EXPECT_EQ(result.statistics.transitions, 12U);
        EXPECT_EQ(result.statistics.deadlocks, 0U);
        EXPECT_EQ(result.statistics.faults, 1U);
        ASSERT_EQ(recorder.faults.size(), 1U);
        EXPECT_EQ(recorder.faults[0], std::pair(model::TransitionId{2}, model::FaultKind::range));
    }
}

TEST(Search, TheObserverMayEndIt) {
    for (const WalkOrder order : kOrders) {
        Recorder at_once;
        at_once.stop_at = 1;
        SearchResult result = search(declared(two_counters(50)), order, {}, at_once);
        EXPECT_FALSE(result.complete);
        EXPECT_EQ(result.reason, support::StopReason::violation);
        EXPECT_EQ(result.statistics.states, 1U);
        EXPECT_EQ(result.statistics.expanded, 0U);
        Recorder later;
        later.stop_at = 100;
        result = search(declared(two_counters(50)), order, {}, later);
        EXPECT_EQ(result.reason, support::StopReason::violation);
        EXPECT_LT(result.statistics.states, 300U);
    }
}

TEST(Search, EndsWithATick) {
    Recorder recorder;
    (void)search(declared(two_counters(2)), WalkOrder::breadth_first, {}, recorder);
    EXPECT_EQ(recorder.ticks, 1U);
}

TEST(Search, WithoutMemoryItStopsAndSaysSo) {
    const support::Budget budget({.memory = 1});
    SearchSettings limits;
    limits.budget = &budget;
    for (const WalkOrder order : kOrders) {
        SearchObserver observer;
        const SearchResult result = search(declared(two_counters(300)), order, limits, observer);
        EXPECT_FALSE(result.complete);
        EXPECT_EQ(result.reason, support::StopReason::memory);
    }
}

TEST(Search, TheTimeLimitEndsIt) {
    for (const WalkOrder order : kOrders) {
        const support::Budget budget({.time = std::chrono::milliseconds(1)});
        SearchSettings limits;
        limits.budget = &budget;
        SearchObserver observer;
        const SearchResult result = search(declared(two_counters(3000)), order, limits, observer);
        EXPECT_FALSE(result.complete);
        EXPECT_EQ(result.reason, support::StopReason::time);
        EXPECT_LT(result.statistics.seconds, 5);
    }
}

TEST(Search, AnInterruptEndsItWithinAMoment) {
    const support::Budget budget({}, [] { return true; });
    SearchSettings limits;
    limits.budget = &budget;
    for (const WalkOrder order : kOrders) {
        SearchObserver observer;
        const SearchResult result = search(declared(two_counters(20000)), order, limits, observer);
        EXPECT_FALSE(result.complete);
        EXPECT_EQ(result.reason, support::StopReason::interrupted);
        EXPECT_LT(result.statistics.seconds, 5);
        EXPECT_GT(result.statistics.states, 1U);
    }
}

TEST(Search, ASingleStateWithoutStepsIsADeadlock) {
    model::Model model;
    add_scalar(model, "x", {0, 9}, 4);
    for (const WalkOrder order : kOrders) {
        Recorder recorder;
        const SearchResult result = search(declared(model), order, {}, recorder);
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.statistics.states, 1U);
        EXPECT_EQ(result.statistics.depth, 1U);
        EXPECT_EQ(recorder.deadlocks, (std::vector<std::vector<model::Value>>{{4}}));
    }
}

// What a search saw, in no order.
class Census : public SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(SearchView& search, std::span<const StateRef> discovered) override {
        for (const StateRef& found : discovered) {
            EXPECT_TRUE(states.insert(search.system().decode(found.state)).second) << "a state is discovered once";
            EXPECT_TRUE(numbers.insert(found.number).second);
        }
        return states.size() < stop_at;
    }
    bool deadlock(SearchView& search, const StateRef& found) override {
        deadlocks.insert(search.system().decode(found.state));
        return true;
    }
    bool faulty(SearchView& search, const StateRef& source, model::TransitionId transition,
                model::FaultKind kind) override {
        faults.insert({search.system().decode(source.state), transition, kind});
        return true;
    }
    std::set<std::vector<model::Value>> states;
    std::set<std::uint64_t> numbers;
    std::set<std::vector<model::Value>> deadlocks;
    std::multiset<std::tuple<std::vector<model::Value>, model::TransitionId, model::FaultKind>> faults;
    std::size_t stop_at = SIZE_MAX;
};

TEST(Search, SeveralThreadsSeeWhatOneDoes) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        model::Model model = random_graph(seed).model();
        model::Transition faulty;
        faulty.guards.push_back(model::Expression::binary(
            model::Op::equal, model::Expression::binary(model::Op::modulo, model.read(0), number(7)), number(3)));
        faulty.effects.emplace_back(assign(0, number(2000000)));
        model.add_transition(faulty);
        Census one;
        const SearchResult alone = search(needs_repacking(model), WalkOrder::breadth_first, {}, one);
        for (const unsigned threads : {2U, 3U, 5U}) {
            SearchSettings settings;
            settings.threads = threads;
            settings.alone_below = threads % 2 == 0 ? 0 : 8;
            Census several;
            const SearchResult together = search(needs_repacking(model), WalkOrder::breadth_first, settings, several);
            EXPECT_TRUE(together.complete);
            EXPECT_EQ(several.states, one.states);
            EXPECT_EQ(several.deadlocks, one.deadlocks);
            EXPECT_EQ(several.faults, one.faults);
            EXPECT_EQ(together.statistics.states, alone.statistics.states);
            EXPECT_EQ(together.statistics.expanded, alone.statistics.expanded);
            EXPECT_EQ(together.statistics.transitions, alone.statistics.transitions);
            EXPECT_EQ(together.statistics.deadlocks, alone.statistics.deadlocks);
            EXPECT_EQ(together.statistics.faults, alone.statistics.faults);
            EXPECT_EQ(together.statistics.depth, alone.statistics.depth);
            EXPECT_EQ(together.statistics.threads, threads);
        }
    }
}

// Levels of many batches, of which nothing is reported: threads take from each other and share tables that grow and are
// repacked; and one thread does all parts of some rounds, or of all.
TEST(Search, ThreadsCountWhatOneDoes) {
    for (const int others : {0, 2, 6}) {  // for states of one word, of two and of more
        model::Model model;
        for (const char* name : {"a", "b", "c", "d"})
            model.add_transition(count(model, add_scalar(model, name, {0, 13}, 0), 1, 13));
        for (int i = 0; i < others; ++i) add_scalar(model, "other" + std::to_string(i), {0, INT32_MAX}, i);
        for (const auto& make : {+[](const model::Model& m) { return declared(m); },
                                 +[](const model::Model& m) { return needs_repacking(m); }}) {
            SearchObserver nothing;
            const SearchResult alone = search(make(model), WalkOrder::breadth_first, {}, nothing);
            EXPECT_EQ(alone.statistics.states, 14U * 14U * 14U * 14U);
            for (const auto& [threads, alone_below] :
                 {std::pair{2U, 0U}, {2U, 1000U}, {2U, 1U << 30U}, {3U, 8U}, {7U, 8U}}) {
                SCOPED_TRACE(std::to_string(others) + " others, threads: " + std::to_string(threads) +
                             ", alone below " + std::to_string(alone_below));
                SearchSettings settings;
                settings.threads = threads;
                settings.alone_below = alone_below;
                const SearchResult together = search(make(model), WalkOrder::breadth_first, settings, nothing);
                EXPECT_TRUE(together.complete);
                EXPECT_EQ(together.statistics.states, alone.statistics.states);
                EXPECT_EQ(together.statistics.expanded, alone.statistics.expanded);
                EXPECT_EQ(together.statistics.transitions, alone.statistics.transitions);
                EXPECT_EQ(together.statistics.deadlocks, 1U);
                EXPECT_EQ(together.statistics.depth, alone.statistics.depth);
                EXPECT_EQ(together.statistics.waiting, 0U);
            }
        }
    }
}

TEST(Search, ThreadsStopForEveryReason) {
    const model::Model model = two_counters(700);
    SearchSettings settings;
    settings.threads = 2;
    settings.alone_below = 0;
    settings.states = 1000;
    Census census;
    SearchResult result = search(declared(model), WalkOrder::breadth_first, settings, census);
    EXPECT_EQ(result.reason, support::StopReason::states);
    EXPECT_GE(result.statistics.states, 1000U);
    EXPECT_LT(result.statistics.states, 100000U);

    settings.states.reset();
    census = {};
    census.stop_at = 500;
    result = search(declared(model), WalkOrder::breadth_first, settings, census);
    EXPECT_EQ(result.reason, support::StopReason::violation);

    census = {};
    const support::Budget no_time({.time = std::chrono::nanoseconds(1)});
    settings.budget = &no_time;
    EXPECT_EQ(search(declared(model), WalkOrder::breadth_first, settings, census).reason, support::StopReason::time);
    census = {};
    const support::Budget no_memory({.memory = 1});
    settings.budget = &no_memory;
    EXPECT_EQ(search(declared(model), WalkOrder::breadth_first, settings, census).reason, support::StopReason::memory);

    class Thrower final : public SearchObserver {
    public:
        bool deadlock(SearchView&, const StateRef&) override { throw std::runtime_error("seen"); }
    } thrower;
    settings.budget = nullptr;
    EXPECT_THROW((void)search(declared(two_counters(50)), WalkOrder::breadth_first, settings, thrower),
                 std::runtime_error);
}

}  // namespace
}  // namespace tideline::explore
