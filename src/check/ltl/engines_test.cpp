// All engines on random automaton graphs, with random progress measures, against the components of the graph; their
// evidence against the graph; the theorems of the papers.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "check/ltl/emptiness.hpp"
#include "check/ltl/lasso.hpp"
#include "check/ltl/ltl_sweep.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "support/components.hpp"

namespace tideline::check::ltl {
namespace {

using namespace model::examples;
using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) { return random() % n; }

// Definition 1 of the paper, with a progress measure, and perhaps several initial states.
struct AutomatonGraph {
    std::vector<std::vector<std::uint32_t>> edges;
    std::vector<bool> accepting;
    std::vector<model::Value> progress;
    std::vector<std::size_t> initial{0};

    [[nodiscard]] std::size_t size() const { return edges.size(); }

    // The node is the value of the only slot. Steps of accepting nodes carry the mark.
    [[nodiscard]] std::shared_ptr<const successor::System> system(bool needs_repacking) const {
        model::Model result;
        const model::VariableId node = add_scalar(result, "node", {0, 1'000'000}, 0);
        result.initial[0] = static_cast<model::Value>(initial[0]);
        for (std::size_t i = 1; i < initial.size(); ++i)
            result.more_initial.push_back(static_cast<model::Value>(initial[i]));
        result.acceptance_sets = 1;
        result.tables.push_back({"progress", progress, true, std::nullopt});
        const model::Expression key = model::Expression::table(0, result.read(node));
        for (std::size_t from = 0; from < size(); ++from) {
            const model::Expression at =
                model::Expression::binary(model::Op::equal, result.read(node), number(static_cast<model::Value>(from)));
            for (const std::uint32_t to : edges[from]) {
                model::Transition transition;
                transition.guards.push_back(at);
                transition.effects.emplace_back(assign(node, number(static_cast<model::Value>(to))));
                transition.marks = accepting[from] ? 1 : 0;
                result.add_transition(transition);
            }
        }
        const auto model = std::make_shared<const model::Model>(result);
        model::Range seen{model->initial[0], model->initial[0]};
        for (const std::size_t each : initial) {
            seen.low = std::min(seen.low, static_cast<model::Value>(each));
            seen.high = std::max(seen.high, static_cast<model::Value>(each));
        }
        constexpr unsigned kKeyBits = 16;
        return successor::make_interpreted_system(
            model, {},
            needs_repacking ? successor::Layout::observed(*model, {seen}) : successor::Layout::declared(*model),
            successor::KeyProgram{{successor::KeyComponent{key, 0, kKeyBits}}});
    }

    [[nodiscard]] std::set<std::size_t> reachable() const {
        std::set<std::size_t> reached(initial.begin(), initial.end());
        std::vector<std::size_t> open(initial.begin(), initial.end());
        while (!open.empty()) {
            const std::size_t from = open.back();
            open.pop_back();
            for (const std::size_t to : edges[from])
                if (reached.insert(to).second) open.push_back(to);
        }
        return reached;
    }

    // By the components of the graph.
    [[nodiscard]] bool has_accepting_cycle() const {
        const auto identity = [](std::uint32_t to) { return to; };
        const support::RowGraph<decltype(edges), decltype(identity)> graph(edges, identity);
        const std::vector<std::uint32_t> roots(initial.begin(), initial.end());
        const auto components = support::component_numbers_from(graph, roots, support::KeepAllEdges());
        for (const std::size_t from : reachable())
            for (const std::uint32_t to : edges[from])
                if (accepting[from] && components.of[from] == components.of[to]) return true;
        return false;
    }

    [[nodiscard]] std::uint64_t shortest_lasso() const;
};

// The least number of states of an accepting run, by trying all states of its loop.
std::uint64_t AutomatonGraph::shortest_lasso() const {
    const auto distances = [&](const std::vector<std::size_t>& from) {
        std::vector<std::uint64_t> distance(size(), ~std::uint64_t{0});
        std::vector<std::size_t> queue = from;
        for (const std::size_t each : from) distance[each] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (const std::size_t to : edges[queue[i]])
                if (distance[to] == ~std::uint64_t{0}) {
                    distance[to] = distance[queue[i]] + 1;
                    queue.push_back(to);
                }
        return distance;
    };
    const std::vector<std::uint64_t> stem = distances(initial);
    std::vector<std::vector<std::uint64_t>> all;
    for (std::size_t v = 0; v < size(); ++v) all.push_back(distances({v}));
    std::uint64_t best = ~std::uint64_t{0};
    for (std::size_t entry = 0; entry < size(); ++entry)
        for (std::size_t a = 0; a < size(); ++a) {
            if (!accepting[a] || stem[entry] == ~std::uint64_t{0} || all[entry][a] == ~std::uint64_t{0}) continue;
            for (const std::size_t after : edges[a])
                if (all[after][entry] != ~std::uint64_t{0})
                    best = std::min(best, stem[entry] + all[entry][a] + 1 + all[after][entry]);
        }
    return best;
}

AutomatonGraph random_graph(Random& random, std::size_t most) {
    AutomatonGraph graph;
    const std::size_t size = 1 + below(random, most);
    graph.edges.resize(size);
    const std::size_t degree = 1 + below(random, 3);
    const std::size_t layers = 1 + below(random, 5);
    const bool few_accepting = below(random, 2) == 0;
    for (std::size_t v = 0; v < size; ++v) {
        for (std::size_t i = below(random, degree + 1); i > 0; --i)
            graph.edges[v].push_back(static_cast<std::uint32_t>(below(random, size)));
        graph.accepting.push_back(below(random, few_accepting ? 6 : 2) == 0);
        graph.progress.push_back(static_cast<model::Value>(below(random, layers)));
    }
    if (below(random, 4) == 0)
        for (std::size_t more = 1 + below(random, 3); more > 0; --more) {
            const std::size_t v = below(random, size);
            if (std::count(graph.initial.begin(), graph.initial.end(), v) == 0) graph.initial.push_back(v);
        }
    return graph;
}

struct Choice {
    Engine engine;
    Variant variant;
};

std::vector<Choice> all_choices() {
    std::vector<Choice> result{
        {Engine::couvreur, {}}, {Engine::ndfs, {}}, {Engine::ndfs, {.plain = true}}, {Engine::map, {}}};
    for (const Engine engine : {Engine::ltl_sweep_offline, Engine::ltl_sweep_online})
        for (unsigned bits = 0; bits < 8; ++bits)
            result.push_back(
                {engine,
                 {.progress_graph = (bits & 1U) != 0, .progress_order = (bits & 2U) != 0, .mpp2 = (bits & 4U) != 0}});
    return result;
}

EmptinessTask task_of(const AutomatonGraph& graph, const Variant& variant, bool needs_repacking) {
    EmptinessTask task;
    task.system = graph.system(needs_repacking);
    task.marks = 1;
    task.variant = variant;
    return task;
}

std::vector<std::size_t> nodes_of(const successor::System& system, const std::vector<successor::Word>& states) {
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < states.size(); i += system.state_words())
        nodes.push_back(static_cast<std::size_t>(system.decode(states.data() + i)[0]));
    return nodes;
}

bool has_edge(const AutomatonGraph& graph, std::size_t from, std::size_t to) {
    return std::count(graph.edges[from].begin(), graph.edges[from].end(), to) > 0;
}

// A run of the graph that begins in an initial node and has an accepting node in its loop.
void expect_accepting_run(const AutomatonGraph& graph, const PackedLasso& lasso, std::optional<CycleKind> kind) {
    const std::vector<std::size_t> nodes = nodes_of(*lasso.system, lasso.states);
    ASSERT_LT(lasso.loop, nodes.size());
    EXPECT_EQ(std::count(graph.initial.begin(), graph.initial.end(), nodes[0]), 1);
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) ASSERT_TRUE(has_edge(graph, nodes[i], nodes[i + 1]));
    ASSERT_TRUE(has_edge(graph, nodes.back(), nodes[lasso.loop]));
    bool accepts = false;
    std::set<model::Value> layers;
    for (std::size_t i = lasso.loop; i < nodes.size(); ++i) {
        accepts = accepts || graph.accepting[nodes[i]];
        layers.insert(graph.progress[nodes[i]]);
    }
    EXPECT_TRUE(accepts);
    if (kind) {
        EXPECT_EQ(layers.size() == 1, *kind == CycleKind::single_layer);
    }
}

TEST(LtlEngines, AgreeWithTheComponentsOfRandomGraphs) {
    Random random(7);
    const support::Budget unlimited;
    std::map<std::string, std::size_t> cycles;
    std::size_t violated = 0;
    constexpr int kRounds = 3000;
    for (int round = 0; round < kRounds; ++round) {
        const AutomatonGraph graph = random_graph(random, round % 2 == 0 ? 7 : 25);
        const bool expected = graph.has_accepting_cycle();
        const std::size_t reachable = graph.reachable().size();
        violated += expected ? 1 : 0;
        for (const Choice& choice : all_choices()) {
            const EmptinessTask task = task_of(graph, choice.variant, below(random, 2) == 0);
            const EmptinessResult result = find_accepting_run(choice.engine, task);
            SCOPED_TRACE(std::string(to_string(choice.engine)) + " in round " + std::to_string(round));
            ASSERT_EQ(result.reason, expected ? support::StopReason::violation : support::StopReason::none);
            ASSERT_EQ(result.complete, !expected);
            if (expected) {
                const std::optional<PackedLasso> lasso = result.evidence->accepting_run(unlimited);
                ASSERT_TRUE(lasso);
                expect_accepting_run(graph, *lasso, result.cycle);
                ASSERT_EQ(result.cycle.has_value(), is_sweep(choice.engine));
                if (result.cycle) ++cycles[std::string(to_string(*result.cycle))];
            } else if (!result.forgets) {
                ASSERT_EQ(result.statistics.states, reachable);
            }
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
    EXPECT_GT(violated, kRounds / 4U);
    EXPECT_LT(violated, kRounds * 3U / 4U);
    EXPECT_GT(cycles["single-layer"], 1000U);
    EXPECT_GT(cycles["multi-layer"], 1000U);
}

// The smallest graphs on which the algorithms as printed miss cycles.
TEST(LtlSweep, FindsWhatThePrintedAlgorithmsMiss) {
    const support::Budget unlimited;
    const std::vector<AutomatonGraph> graphs{
        {{{2}, {0}, {1}}, {false, false, true}, {1, 2, 0}},
        // A state waits, or is persistent, when the depth-first search of its layer meets it.
        {{{1, 2}, {2}, {1}}, {false, true, false}, {0, 1, 1}},
        {{{1}, {2, 3}, {3}, {2}}, {false, false, true, false}, {1, 2, 0, 0}},
    };
    for (const AutomatonGraph& graph : graphs)
        for (const Choice& choice : all_choices()) {
            const EmptinessResult result = find_accepting_run(choice.engine, task_of(graph, choice.variant, false));
            ASSERT_EQ(result.reason, support::StopReason::violation) << to_string(choice.engine);
            expect_accepting_run(graph, *result.evidence->accepting_run(unlimited), result.cycle);
        }
}

// Theorem 2 in its corrected form: 2(p + 1)s + 2p^3 s visits, with p persistent states and s states.
TEST(LtlSweep, VisitsNoMoreStatesThanTheTheoremSays) {
    Random random(11);
    for (int round = 0; round < 2000; ++round) {
        const AutomatonGraph graph = random_graph(random, 15);
        const std::uint64_t s = graph.reachable().size();
        for (unsigned bits = 0; bits < 8; ++bits) {
            const Variant variant{
                .progress_graph = (bits & 1U) != 0, .progress_order = (bits & 2U) != 0, .mpp2 = (bits & 4U) != 0};
            const EmptinessResult result =
                find_accepting_run(Engine::ltl_sweep_offline, task_of(graph, variant, false));
            const std::uint64_t p = result.statistics.persistent;
            ASSERT_LE(result.statistics.expanded, 2 * (p + 1) * s + 2 * p * p * p * s);
        }
    }
}

// Plain nested search visits every state once, and those that accepting ones reach a second time.
TEST(Ndfs, PlainVisitsAreThoseOfThePaper) {
    Random random(13);
    std::size_t held = 0;
    for (int round = 0; round < 1000; ++round) {
        const AutomatonGraph graph = random_graph(random, 20);
        if (graph.has_accepting_cycle()) continue;
        ++held;
        AutomatonGraph from_accepting = graph;
        from_accepting.initial.clear();
        for (const std::size_t v : graph.reachable())
            if (graph.accepting[v] && !graph.edges[v].empty()) from_accepting.initial.push_back(v);
        const std::size_t red = from_accepting.initial.empty() ? 0 : from_accepting.reachable().size();
        const EmptinessResult plain = find_accepting_run(Engine::ndfs, task_of(graph, {.plain = true}, false));
        ASSERT_EQ(plain.statistics.states, graph.reachable().size());
        ASSERT_EQ(plain.statistics.expanded, graph.reachable().size() + red);
        const EmptinessResult early = find_accepting_run(Engine::ndfs, task_of(graph, {}, false));
        ASSERT_LE(early.statistics.expanded, plain.statistics.expanded);
    }
    EXPECT_GT(held, 200U);
}

// Definition 4: whatever is in memory when a layer is begun is not behind the line, or it is the target of an edge to
// less progress that was explored.
TEST(LtlSweep, KeepsNothingBehindTheLineButTargetsOfRegressEdges) {
    Random random(17);
    std::size_t persistent = 0;
    for (int round = 0; round < 500; ++round) {
        const AutomatonGraph graph = random_graph(random, 15);
        const std::set<std::size_t> reachable = graph.reachable();
        for (const MlacSearch when : {MlacSearch::offline, MlacSearch::online})
            for (const bool mpp2 : {false, true}) {
                const ObserveSweep observe = [&](const successor::System& system, const SweepMemory& memory) {
                    for (const SweepMemory::State& state : memory.states) {
                        const std::size_t node = nodes_of(system, state.words)[0];
                        ASSERT_EQ(static_cast<model::Value>(state.key), graph.progress[node]);
                        persistent += state.is_persistent ? 1 : 0;
                        ASSERT_TRUE(state.is_persistent || state.key >= memory.least_waiting);
                        if (state.key >= memory.least_waiting) continue;
                        ASSERT_TRUE(std::any_of(reachable.begin(), reachable.end(), [&](std::size_t from) {
                            return has_edge(graph, from, node) && graph.progress[from] > graph.progress[node];
                        }));
                    }
                };
                (void)ltl_sweep(task_of(graph, {.mpp2 = mpp2}, below(random, 2) == 0), when, observe);
            }
    }
    EXPECT_GT(persistent, 1000U);
}

// A component that is given by a predicate: stem, legs and closing leg are shortest.
TEST(LassoFinder, GoesIntoAComponent) {
    Random random(19);
    const support::Budget unlimited;
    std::size_t found = 0;
    for (int round = 0; round < 2000; ++round) {
        const AutomatonGraph graph = random_graph(random, 12);
        const auto identity = [](std::uint32_t to) { return to; };
        const support::RowGraph<std::vector<std::vector<std::uint32_t>>, decltype(identity)> rows(graph.edges,
                                                                                                  identity);
        const auto components = support::component_numbers(rows);
        std::optional<std::uint32_t> component;
        for (const std::size_t from : graph.reachable())
            for (const std::uint32_t to : graph.edges[from])
                if (graph.accepting[from] && components.of[from] == components.of[to]) component = components.of[to];
        if (!component) continue;
        ++found;
        LassoFinder finder(graph.system(below(random, 2) == 0), 1);
        const std::optional<PackedLasso> lasso = finder.into(
            [&](const successor::System& system, const successor::Word* state) {
                return components.of[static_cast<std::size_t>(system.decode(state)[0])] == *component;
            },
            unlimited);
        ASSERT_TRUE(lasso);
        expect_accepting_run(graph, *lasso, std::nullopt);
    }
    EXPECT_GT(found, 500U);
}

// All engines together on small graphs: the sum of all lengths against that of shortest runs.
TEST(LtlEngines, RunsAreShort) {
    Random random(23);
    const support::Budget unlimited;
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> lengths;
    for (std::size_t count = 0; count < 200;) {
        const AutomatonGraph graph = random_graph(random, 25);
        if (!graph.has_accepting_cycle()) continue;
        ++count;
        for (const Choice& choice : all_choices()) {
            const EmptinessResult result = find_accepting_run(choice.engine, task_of(graph, choice.variant, false));
            const PackedLasso lasso = result.evidence->accepting_run(unlimited).value();
            auto& [length, optimum] =
                lengths[std::string(to_string(choice.engine)) + (choice.variant.plain ? " plain" : "")];
            length += lasso.states.size() / lasso.system->state_words();
            optimum += graph.shortest_lasso();
        }
    }
    for (const auto& [engine, both] : lengths)
        EXPECT_LE(static_cast<double>(both.first), 1.5 * static_cast<double>(both.second)) << engine;
}

TEST(LtlEngines, StopAtLimits) {
    AutomatonGraph graph;
    constexpr std::uint32_t kNodes = 3000;
    for (std::uint32_t v = 0; v < kNodes; ++v) {
        graph.edges.push_back({(v + 1) % kNodes});
        graph.accepting.push_back(false);
        graph.progress.push_back(v / 100);
    }
    for (const Choice& choice : all_choices()) {
        EmptinessTask task = task_of(graph, choice.variant, false);
        task.settings.states = 500;
        EXPECT_EQ(find_accepting_run(choice.engine, task).reason, support::StopReason::states);
        task.settings.states.reset();
        const support::Budget no_time({.memory = {}, .disk = {}, .time = std::chrono::nanoseconds(1)});
        task.settings.budget = &no_time;
        EXPECT_EQ(find_accepting_run(choice.engine, task).reason, support::StopReason::time);
        const support::Budget no_memory({.memory = 1, .disk = {}, .time = {}});
        task.settings.budget = &no_memory;
        EXPECT_EQ(find_accepting_run(choice.engine, task).reason, support::StopReason::memory)
            << to_string(choice.engine);
    }
}

}  // namespace
}  // namespace tideline::check::ltl
