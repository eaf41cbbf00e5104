#include "explore/search.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>

#include <gtest/gtest.h>

#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline {
namespace {

using namespace examples;

constexpr WalkOrder kOrders[] = {WalkOrder::breadth_first, WalkOrder::depth_first};

std::shared_ptr<const System> declared(const Model& model, std::vector<Expression> labels = {}) {
    return make_interpreted_system(std::make_shared<const Model>(model), std::move(labels), Layout::declared(model));
}

// Packed as if only the initial values had ever been seen, so that every search has to widen.
std::shared_ptr<const System> narrow(const Model& model) {
    std::vector<Range> seen;
    for (const Value value : model.initial) seen.push_back({value, value});
    return make_interpreted_system(std::make_shared<const Model>(model), {}, Layout::observed(model, seen));
}

struct Graph {
    std::vector<std::vector<std::size_t>> edges;
    [[nodiscard]] std::vector<std::size_t> distances() const {
        std::vector<std::size_t> result(edges.size(), SIZE_MAX);
        std::vector<std::size_t> queue{0};
        result[0] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (const std::size_t to : edges[queue[i]])
                if (result[to] == SIZE_MAX) {
                    result[to] = result[queue[i]] + 1;
                    queue.push_back(to);
                }
        return result;
    }
    // The graph's node is the value of one slot with a wide range.
    [[nodiscard]] Model model() const {
        Model result;
        const VariableId node = add_scalar(result, "node", {0, 1000000}, 0);
        for (std::size_t from = 0; from < edges.size(); ++from) {
            for (const std::size_t to : edges[from]) {
                Transition transition;
                transition.guards.push_back(Expression::binary(Op::equal, result.read(node), number(static_cast<Value>(from))));
                transition.effects.emplace_back(assign(node, number(static_cast<Value>(to))));
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
    return graph;
}

// Asks for the path to everything it is told of, at once, as a check would.
class Recorder : public SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(SearchView& search, std::span<const Found> fresh) override {
        for (const Found& found : fresh) paths.push_back(check_path(search, found));
        return paths.size() < stop_at;
    }
    bool deadlock(SearchView& search, const Found& found) override {
        deadlocks.push_back(search.system().decode(found.state));
        check_path(search, found);
        return true;
    }
    bool faulty(SearchView& search, const Found& source, TransitionId transition, FaultKind kind) override {
        faults.emplace_back(transition, kind);
        check_path(search, source);
        return go_on_after_faults;
    }
    void tick(const Statistics&) override { ++ticks; }

    std::vector<std::vector<std::vector<Value>>> paths;  // of each state
    std::vector<std::vector<Value>> deadlocks;
    std::vector<std::pair<TransitionId, FaultKind>> faults;
    std::size_t stop_at = SIZE_MAX;
    std::size_t ticks = 0;
    bool go_on_after_faults = true;

private:
    static std::vector<std::vector<Value>> check_path(SearchView& search, const Found& found) {
        const System& system = search.system();
        const std::vector<std::vector<Word>> states = search.path_to(found);
        EXPECT_FALSE(states.empty());
        if (states.empty()) return {};
        EXPECT_EQ(states.front(), system.initial_state());
        EXPECT_EQ(system.decode(states.back().data()), system.decode(found.state));
        std::vector<std::vector<Value>> path;
        for (std::size_t i = 0; i < states.size(); ++i) {
            path.push_back(system.decode(states[i].data()));
            if (i + 1 == states.size()) break;
            const std::vector<StepDetail> steps = system.steps(states[i].data());
            EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [&](const StepDetail& s) { return s.next == states[i + 1]; }))
                << "every pair of the path is a step";
        }
        return path;
    }
};

void expect_agreement(const Graph& graph, std::shared_ptr<const System> system, WalkOrder order) {
    Recorder recorder;
    const SearchResult result = search(std::move(system), order, {}, recorder);
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
    EXPECT_EQ(result.reason, StopReason::none);
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
        if (order == WalkOrder::breadth_first)
            EXPECT_EQ(path.size(), distance + 1) << "a shortest path";
        else
            EXPECT_GE(path.size(), distance + 1);
    }
    if (order == WalkOrder::breadth_first) {
        EXPECT_EQ(result.statistics.depth, farthest + 1);
    }
}

TEST(Search, VisitsRandomGraphsCompletelyAndKnowsPaths) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Graph graph = random_graph(seed);
        const Model model = graph.model();
        for (const WalkOrder order : kOrders) {
            expect_agreement(graph, declared(model), order);
            expect_agreement(graph, narrow(model), order);
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
    Model model;
    const VariableId node = add_scalar(model, "node", {0, 1000000}, 0);
    for (Value i = 1; i <= 1500; ++i) {
        Transition fan;
        fan.guards.push_back(Expression::binary(Op::equal, model.read(node), number(0)));
        fan.effects.emplace_back(assign(node, number(i)));
        model.add_transition(fan);
    }
    Transition follow;
    follow.guards.push_back(Expression::both(Expression::binary(Op::greater, model.read(node), number(0)),
                                             Expression::binary(Op::less_equal, model.read(node), number(1500))));
    follow.effects.emplace_back(assign(node, Expression::binary(Op::add, model.read(node), number(1500))));
    model.add_transition(follow);
    class LastPath final : public SearchObserver {
    public:
        [[nodiscard]] bool wants_discoveries() const override { return true; }
        bool discovered(SearchView& search, std::span<const Found> fresh) override {
            length = search.path_to(fresh.back()).size();
            return true;
        }
        std::size_t length = 0;
    } last;
    const SearchResult result = search(narrow(model), WalkOrder::breadth_first, {}, last);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.statistics.states, 3001U);
    EXPECT_EQ(result.statistics.transitions, 3000U);
    EXPECT_EQ(result.statistics.deadlocks, 1500U);
    EXPECT_EQ(result.statistics.depth, 3U);
    EXPECT_EQ(last.length, 3U);
}

TEST(Search, DepthFirstGoesDownTheFirstSuccessor) {
    // 0 -> 1, 4;  1 -> 2, 3;  2 -> 4
    const Graph graph{{{1, 4}, {2, 3}, {4}, {}, {}}};
    class Order final : public SearchObserver {
    public:
        bool deadlock(SearchView& search, const Found& found) override {
            values.push_back(search.system().decode(found.state)[0]);
            lengths.push_back(search.path_to(found).size());
            return true;
        }
        std::vector<Value> values;
        std::vector<std::size_t> lengths;
    } order;
    const SearchResult result = search(declared(graph.model()), WalkOrder::depth_first, {}, order);
    EXPECT_EQ(order.values, (std::vector<Value>{4, 3}));
    EXPECT_EQ(order.lengths, (std::vector<std::size_t>{4, 3})) << "4 is entered by way of 1 and 2";
    EXPECT_EQ(result.statistics.depth, 4U);
}

TEST(Search, FaultyStepsAreReportedAndAreNeitherTransitionsNorDeadlocks) {
    Model model = two_counters(2);
    Transition faulty;
    faulty.guards.push_back(Expression::both(Expression::binary(Op::equal, model.read(0), number(2)),
                                             Expression::binary(Op::equal, model.read(1), number(2))));
    faulty.effects.emplace_back(assign(0, number(5)));
    model.add_transition(faulty);
    for (const WalkOrder order : kOrders) {
        Recorder recorder;
        const SearchResult result = search(declared(model), order, {}, recorder);
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.statistics.states, 9U);
        EXPECT_EQ(result.statistics.transitions, 12U);
        EXPECT_EQ(result.statistics.deadlocks, 0U);
        EXPECT_EQ(result.statistics.faults, 1U);
        ASSERT_EQ(recorder.faults.size(), 1U);
        EXPECT_EQ(recorder.faults[0], std::pair(TransitionId{2}, FaultKind::range));
    }
}

TEST(Search, TheObserverMayEndIt) {
    for (const WalkOrder order : kOrders) {
        Recorder at_once;
        at_once.stop_at = 1;
        SearchResult result = search(declared(two_counters(50)), order, {}, at_once);
        EXPECT_FALSE(result.complete);
        EXPECT_EQ(result.reason, StopReason::violation);
        EXPECT_EQ(result.statistics.states, 1U);
        EXPECT_EQ(result.statistics.expanded, 0U);
        Recorder later;
        later.stop_at = 100;
        result = search(declared(two_counters(50)), order, {}, later);
        EXPECT_EQ(result.reason, StopReason::violation);
        EXPECT_LT(result.statistics.states, 300U);
    }
}

TEST(Search, EndsWithATick) {
    Recorder recorder;
    (void)search(declared(two_counters(2)), WalkOrder::breadth_first, {}, recorder);
    EXPECT_EQ(recorder.ticks, 1U);
}

TEST(Search, WithoutMemoryItStopsAndSaysSo) {
    const Budget budget({.memory = 1});
    SearchSettings limits;
    limits.budget = &budget;
    for (const WalkOrder order : kOrders) {
        SearchObserver observer;
        const SearchResult result = search(declared(two_counters(300)), order, limits, observer);
        EXPECT_FALSE(result.complete);
        EXPECT_EQ(result.reason, StopReason::memory);
    }
}

TEST(Search, TheTimeLimitEndsIt) {
    for (const WalkOrder order : kOrders) {
        const Budget budget({.time = std::chrono::milliseconds(1)});
        SearchSettings limits;
        limits.budget = &budget;
        SearchObserver observer;
        const SearchResult result = search(declared(two_counters(3000)), order, limits, observer);
        EXPECT_FALSE(result.complete);
        EXPECT_EQ(result.reason, StopReason::time);
        EXPECT_LT(result.statistics.seconds, 5);
    }
}

TEST(Search, AnInterruptEndsItWithinAMoment) {
    const Budget budget({}, [] { return true; });
    SearchSettings limits;
    limits.budget = &budget;
    for (const WalkOrder order : kOrders) {
        SearchObserver observer;
        const SearchResult result = search(declared(two_counters(20000)), order, limits, observer);
        EXPECT_FALSE(result.complete);
        EXPECT_EQ(result.reason, StopReason::interrupted);
        EXPECT_LT(result.statistics.seconds, 5);
        EXPECT_GT(result.statistics.states, 1U);
    }
}

TEST(Search, ASingleStateWithoutStepsIsADeadlock) {
    Model model;
    add_scalar(model, "x", {0, 9}, 4);
    for (const WalkOrder order : kOrders) {
        Recorder recorder;
        const SearchResult result = search(declared(model), order, {}, recorder);
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.statistics.states, 1U);
        EXPECT_EQ(result.statistics.depth, 1U);
        EXPECT_EQ(recorder.deadlocks, (std::vector<std::vector<Value>>{{4}}));
    }
}

// What a search saw, in no order.
class Census : public SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(SearchView& search, std::span<const Found> fresh) override {
        for (const Found& found : fresh) {
            EXPECT_TRUE(states.insert(search.system().decode(found.state)).second) << "a state is discovered once";
            EXPECT_TRUE(numbers.insert(found.number).second);
        }
        return states.size() < stop_at;
    }
    bool deadlock(SearchView& search, const Found& found) override {
        deadlocks.insert(search.system().decode(found.state));
        return true;
    }
    bool faulty(SearchView& search, const Found& source, TransitionId transition, FaultKind kind) override {
        faults.insert({search.system().decode(source.state), transition, kind});
        return true;
    }
    std::set<std::vector<Value>> states;
    std::set<std::uint64_t> numbers;
    std::set<std::vector<Value>> deadlocks;
    std::multiset<std::tuple<std::vector<Value>, TransitionId, FaultKind>> faults;
    std::size_t stop_at = SIZE_MAX;
};

TEST(Search, SeveralThreadsSeeWhatOneDoes) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        Model model = random_graph(seed).model();
        Transition faulty;
        faulty.guards.push_back(Expression::binary(Op::equal, Expression::binary(Op::modulo, model.read(0), number(7)), number(3)));
        faulty.effects.emplace_back(assign(0, number(2000000)));
        model.add_transition(faulty);
        Census one;
        const SearchResult alone = search(narrow(model), WalkOrder::breadth_first, {}, one);
        for (const unsigned threads : {2U, 3U, 5U}) {
            SearchSettings settings;
            settings.threads = threads;
            settings.alone_below = threads % 2 == 0 ? 0 : 8;
            Census several;
            const SearchResult together = search(narrow(model), WalkOrder::breadth_first, settings, several);
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

// Levels of many batches, of which nothing is told: threads take from each other and meet in tables that grow and are packed anew.
TEST(Search, ThreadsCountWhatOneDoes) {
    for (const int others : {0, 2, 6}) {  // for states of one word, of two and of more
        Model model;
        for (const char* name : {"a", "b", "c", "d"}) model.add_transition(count(model, add_scalar(model, name, {0, 13}, 0), 1, 13));
        for (int i = 0; i < others; ++i) add_scalar(model, "other" + std::to_string(i), {0, INT32_MAX}, i);
        for (const auto& make : {+[](const Model& m) { return declared(m); }, +[](const Model& m) { return narrow(m); }}) {
            SearchObserver nothing;
            const SearchResult alone = search(make(model), WalkOrder::breadth_first, {}, nothing);
            EXPECT_EQ(alone.statistics.states, 14U * 14U * 14U * 14U);
            for (const unsigned threads : {2U, 3U, 7U}) {
                SCOPED_TRACE(std::to_string(others) + " others, threads: " + std::to_string(threads));
                SearchSettings settings;
                settings.threads = threads;
                settings.alone_below = threads % 2 == 0 ? 0 : 8;
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
    const Model model = two_counters(700);
    SearchSettings settings;
    settings.threads = 2;
    settings.alone_below = 0;
    settings.states = 1000;
    Census census;
    SearchResult result = search(declared(model), WalkOrder::breadth_first, settings, census);
    EXPECT_EQ(result.reason, StopReason::states);
    EXPECT_GE(result.statistics.states, 1000U);
    EXPECT_LT(result.statistics.states, 100000U);

    settings.states.reset();
    census = {};
    census.stop_at = 500;
    result = search(declared(model), WalkOrder::breadth_first, settings, census);
    EXPECT_EQ(result.reason, StopReason::violation);

    census = {};
    const Budget no_time({.time = std::chrono::nanoseconds(1)});
    settings.budget = &no_time;
    EXPECT_EQ(search(declared(model), WalkOrder::breadth_first, settings, census).reason, StopReason::time);
    census = {};
    const Budget no_memory({.memory = 1});
    settings.budget = &no_memory;
    EXPECT_EQ(search(declared(model), WalkOrder::breadth_first, settings, census).reason, StopReason::memory);

    class Thrower final : public SearchObserver {
    public:
        bool deadlock(SearchView&, const Found&) override { throw std::runtime_error("seen"); }
    } thrower;
    settings.budget = nullptr;
    EXPECT_THROW((void)search(declared(two_counters(50)), WalkOrder::breadth_first, settings, thrower), std::runtime_error);
}

}  // namespace
}  // namespace tideline
