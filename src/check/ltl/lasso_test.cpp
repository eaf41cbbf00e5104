// How long the runs are that engines show, on random graphs, against shortest ones: all states are tried as the place
// where a run enters its cycle, with a shortest way to it and a shortest round through it.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "check/ltl/emptiness.hpp"
#include "explore/ledger_run.hpp"
#include "ledger/sample_ledger.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::check::ltl {
namespace {

using namespace model::examples;
using Random = std::mt19937_64;
constexpr std::size_t kNever = ~std::size_t{0};

std::size_t below(Random& random, std::size_t n) { return random() % n; }

struct MarkedGraph {
    struct Edge {
        std::size_t to;
        model::Marks marks;
    };
    std::vector<std::vector<Edge>> edges;
    std::vector<model::Value> progress;
    model::Marks all = 0;

    [[nodiscard]] std::size_t size() const { return edges.size(); }

    // The node is the value of the only slot.
    [[nodiscard]] std::shared_ptr<const successor::System> system() const {
        model::Model result;
        const model::VariableId node = add_scalar(result, "node", {0, 1'000'000}, 0);
        result.acceptance_sets = 4;
        result.tables.push_back({"progress", progress, true, std::nullopt});
        const model::Expression key = model::Expression::table(0, result.read(node));
        for (std::size_t from = 0; from < size(); ++from) {
            const model::Expression at =
                model::Expression::binary(model::Op::equal, result.read(node), number(static_cast<model::Value>(from)));
            for (const Edge& edge : edges[from]) {
                model::Transition transition;
                transition.guards.push_back(at);
                transition.effects.emplace_back(assign(node, number(static_cast<model::Value>(edge.to))));
                transition.marks = edge.marks;
                result.add_transition(transition);
            }
        }
        const auto model = std::make_shared<const model::Model>(result);
        constexpr unsigned kKeyBits = 16;
        return successor::make_interpreted_system(model, {}, successor::Layout::declared(*model),
                                                  successor::KeyProgram{{successor::KeyComponent{key, 0, kKeyBits}}});
    }

    [[nodiscard]] std::vector<std::size_t> distances() const {
        std::vector<std::size_t> distance(size(), kNever);
        std::vector<std::size_t> queue{0};
        distance[0] = 0;
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (const Edge& edge : edges[queue[i]])
                if (distance[edge.to] == kNever) {
                    distance[edge.to] = distance[queue[i]] + 1;
                    queue.push_back(edge.to);
                }
        return distance;
    }
    // The steps of a shortest way back to a node that carries all marks.
    [[nodiscard]] std::size_t round(std::size_t entry) const {
        std::map<std::pair<std::size_t, model::Marks>, std::size_t> distance{{{entry, 0}, 0}};
        std::vector<std::pair<std::size_t, model::Marks>> queue{{entry, 0}};
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const auto [from, seen] = queue[i];
            const std::size_t steps = distance.at(queue[i]) + 1;
            for (const Edge& edge : edges[from]) {
                const std::pair to(edge.to, seen | (edge.marks & all));
                if (to == std::pair(entry, all)) return steps;
                if (distance.emplace(to, steps).second) queue.push_back(to);
            }
        }
        return kNever;
    }
    // The least number of states; nothing: there is no such run.
    [[nodiscard]] std::optional<std::size_t> shortest() const {
        std::optional<std::size_t> best;
        const std::vector<std::size_t> stem = distances();
        for (std::size_t entry = 0; entry < size(); ++entry) {
            const std::size_t steps = stem[entry] == kNever ? kNever : round(entry);
            if (steps != kNever) best = std::min(best.value_or(kNever), stem[entry] + steps);
        }
        return best;
    }
};

// `state_based`: one mark, which all steps of a node carry or none.
MarkedGraph random_graph(Random& random, bool state_based) {
    MarkedGraph graph;
    const std::size_t size = 2 + below(random, 40);
    const std::size_t degree = 1 + below(random, 3);
    const std::size_t marks = state_based ? 1 : below(random, 5);
    const std::size_t rare = 1 + below(random, 8);
    const std::size_t layers = 1 + below(random, 5);
    // Most edges of some graphs lead to a neighbour: their cycles are long.
    const bool is_ring = below(random, 2) == 0;
    graph.all = (model::Marks{1} << marks) - 1;
    graph.edges.resize(size);
    for (std::size_t v = 0; v < size; ++v) {
        graph.progress.push_back(static_cast<model::Value>(below(random, layers)));
        const bool accepts = below(random, rare) == 0;
        for (std::size_t i = below(random, degree + 1) + (is_ring ? 1 : 0); i > 0; --i) {
            MarkedGraph::Edge edge{below(random, size), 0};
            if (is_ring && below(random, 8) != 0) edge.to = (v + 1) % size;
            for (std::size_t m = 0; m < marks; ++m)
                if (state_based ? accepts : below(random, rare) == 0) edge.marks |= model::Marks{1} << m;
            graph.edges[v].push_back(edge);
        }
    }
    return graph;
}

// With a ledger where the engine needs one.
std::optional<PackedLasso> run_of(const MarkedGraph& graph, Engine engine, const Variant& variant) {
    const support::Budget unlimited;
    EmptinessTask task;
    task.system = graph.system();
    task.marks = graph.all;
    task.variant = variant;
    if (engine != Engine::sweep) return find_accepting_run(engine, task).evidence->accepting_run(unlimited);
    const ledger::sample::TemporaryDirectory directory;
    ledger::LedgerSettings settings;
    settings.files = std::make_shared<ledger::sample::UnsyncedFiles>();
    const std::unique_ptr<ledger::LedgerWriter> writer = ledger::LedgerWriter::create(
        directory / "ledger",
        explore::ledger_header(*task.system, explore::Recorded::edges,
                               "{\"packing\": " + explore::packing_description(*task.system) + "}"),
        settings);
    explore::LedgerRun run{*writer};
    task.settings.ledger = &run;
    return find_accepting_run(engine, task).evidence->accepting_run(unlimited);
}

// A run of the graph that carries all marks in its cycle; what leads to the cycle is as short as it can be.
void expect_run(const MarkedGraph& graph, const PackedLasso& lasso) {
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < lasso.states.size(); i += lasso.system->state_words())
        nodes.push_back(static_cast<std::size_t>(lasso.system->decode(lasso.states.data() + i)[0]));
    ASSERT_LT(lasso.loop, nodes.size());
    ASSERT_EQ(nodes[0], 0U);
    EXPECT_EQ(lasso.loop, graph.distances()[nodes[lasso.loop]]);
    model::Marks marks = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::size_t next = i + 1 < nodes.size() ? nodes[i + 1] : nodes[lasso.loop];
        bool is_step = false;
        for (const MarkedGraph::Edge& edge : graph.edges[nodes[i]]) {
            is_step = is_step || edge.to == next;
            if (edge.to == next && i >= lasso.loop) marks |= edge.marks;
        }
        ASSERT_TRUE(is_step);
    }
    EXPECT_EQ(marks & graph.all, graph.all);
}

struct Choice {
    Engine engine;
    Variant variant;
};

TEST(Lassos, AreAtMostHalfLongerThanShortestOnes) {
    Random random(29);
    const std::vector<Choice> of_marks{{Engine::couvreur, {}}, {Engine::graph, {}}, {Engine::sweep, {}}};
    const std::vector<Choice> of_states{{Engine::ndfs, {}},
                                        {Engine::ndfs, {.plain = true}},
                                        {Engine::map, {}},
                                        {Engine::ltl_sweep_offline, {}},
                                        {Engine::ltl_sweep_online, {}}};
    struct Lengths {
        std::size_t shown = 0;
        std::size_t shortest = 0;
        double worst = 1;
    };
    std::map<std::string, Lengths> lengths;
    for (const bool state_based : {false, true})
        for (std::size_t count = 0; count < 200;) {
            const MarkedGraph graph = random_graph(random, state_based);
            const std::optional<std::size_t> shortest = graph.shortest();
            if (!shortest) continue;
            ++count;
            std::vector<Choice> choices = of_marks;
            if (state_based) choices.insert(choices.end(), of_states.begin(), of_states.end());
            for (const Choice& choice : choices) {
                const std::string name = std::string(to_string(choice.engine)) + (choice.variant.plain ? " plain" : "");
                SCOPED_TRACE(name);
                const std::optional<PackedLasso> lasso = run_of(graph, choice.engine, choice.variant);
                ASSERT_TRUE(lasso);
                expect_run(graph, *lasso);
                if (HasFatalFailure()) return;
                Lengths& sum = lengths[name];
                const std::size_t shown = lasso->states.size() / lasso->system->state_words();
                sum.shown += shown;
                sum.shortest += *shortest;
                sum.worst = std::max(sum.worst, static_cast<double>(shown) / static_cast<double>(*shortest));
            }
        }
    for (const auto& [engine, sum] : lengths) {
        EXPECT_LE(static_cast<double>(sum.shown), 1.5 * static_cast<double>(sum.shortest)) << engine;
        RecordProperty(engine, std::to_string(sum.shown) + " of " + std::to_string(sum.shortest) + ", worst " +
                                   std::to_string(sum.worst));
        if (std::getenv("TIDELINE_LENGTHS") != nullptr)
            std::printf("%s: %zu of %zu, worst %.2f\n", engine.c_str(), sum.shown, sum.shortest, sum.worst);
    }
}

}  // namespace
}  // namespace tideline::check::ltl
