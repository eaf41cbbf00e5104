// The numbered graph of a linear-time check that changes to the exact sweep at a random moment, on random systems with
// marks, random measures and several initial states: the verdict is that of the components, every state is expanded
// once, runs are runs, the ledger has the edges of the system, and what continues can be stopped and resumed, also in
// another process.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "check/ltl/exact_sweep.hpp"
#include "check/ltl/graph.hpp"
#include "ledger/edge_reader.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "support/components.hpp"
#include "tests/differential/interrupted_search.hpp"
#include "tests/differential/random_numbers.hpp"

namespace tideline::differential {
namespace {

using check::ltl::EmptinessResult;
using check::ltl::EmptinessTask;

struct Edge {
    std::uint32_t to;
    model::Marks marks;
    friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct MarkedGraph {
    std::vector<std::vector<Edge>> edges;
    std::vector<model::Value> progress;
    std::vector<std::size_t> initial{0};
    unsigned marks = 0;

    explicit MarkedGraph(RandomNumbers& random) {
        const std::size_t n = 1 + random.below(random.chance(20) ? 150 : 25);
        marks = static_cast<unsigned>(random.below(3));
        const std::size_t degree = 1 + random.below(3);
        const unsigned density = random.chance(50) ? 15 : 50;
        const std::size_t layers = 1 + random.below(6);
        for (std::size_t v = 0; v < n; ++v) {
            std::vector<Edge>& row = edges.emplace_back();
            for (std::size_t i = random.below(degree + 1); i > 0; --i) {
                Edge edge{static_cast<std::uint32_t>(random.below(n)), 0};
                for (unsigned mark = 0; mark < marks; ++mark)
                    if (random.chance(density)) edge.marks |= model::Marks{1} << mark;
                row.push_back(edge);
            }
            progress.push_back(static_cast<model::Value>(random.below(layers)));
        }
        if (random.chance(25))
            for (std::size_t more = 1 + random.below(3); more > 0; --more)
                if (const std::size_t v = random.below(n); std::ranges::find(initial, v) == initial.end())
                    initial.push_back(v);
    }

    // The node is the value of the only slot; packed as `now`, or as narrow as the initial states allow.
    [[nodiscard]] std::shared_ptr<const successor::System> system(const successor::Layout* now, bool is_narrow) const {
        using namespace model::examples;
        model::Model result;
        const model::VariableId node = add_scalar(result, "node", {0, 1'000'000}, 0);
        result.initial[0] = static_cast<model::Value>(initial[0]);
        for (std::size_t i = 1; i < initial.size(); ++i)
            result.more_initial.push_back(static_cast<model::Value>(initial[i]));
        result.acceptance_sets = marks;
        result.tables.push_back({"progress", progress, true, std::nullopt});
        const model::Expression key = model::Expression::table(0, result.read(node));
        for (std::size_t from = 0; from < edges.size(); ++from)
            for (const Edge& edge : edges[from]) {
                model::Transition transition;
                transition.guards.push_back(model::Expression::binary(model::Op::equal, result.read(node),
                                                                      number(static_cast<model::Value>(from))));
                transition.effects.emplace_back(assign(node, number(static_cast<model::Value>(edge.to))));
                transition.marks = edge.marks;
                result.add_transition(transition);
            }
        const auto model = std::make_shared<const model::Model>(result);
        const auto [low, high] = std::ranges::minmax(initial);
        const model::Range seen{static_cast<model::Value>(low), static_cast<model::Value>(high)};
        const successor::Layout layout = now != nullptr ? *now
                                         : is_narrow    ? successor::Layout::observed(*model, {seen})
                                                        : successor::Layout::declared(*model);
        constexpr unsigned kKeyBits = 16;
        return successor::make_interpreted_system(model, {}, layout,
                                                  successor::KeyProgram{{successor::KeyComponent{key, 0, kKeyBits}}});
    }

    [[nodiscard]] std::set<std::size_t> reachable() const {
        std::vector<std::size_t> open = initial;
        std::set<std::size_t> reached(open.begin(), open.end());
        while (!open.empty()) {
            const std::size_t from = open.back();
            open.pop_back();
            for (const Edge& edge : edges[from])
                if (reached.insert(edge.to).second) open.push_back(edge.to);
        }
        return reached;
    }

    [[nodiscard]] bool has_accepting_cycle() const {
        const auto target = [](const Edge& edge) { return edge.to; };
        const support::RowGraph<decltype(edges), decltype(target)> graph(edges, target);
        const std::vector<std::uint32_t> roots(initial.begin(), initial.end());
        const auto components = support::component_numbers_from(graph, roots, support::KeepAllEdges());
        std::map<std::uint32_t, model::Marks> inside;
        for (const std::size_t from : reachable())
            for (const Edge& edge : edges[from])
                if (components.of[from] == components.of[edge.to]) inside[components.of[from]] |= edge.marks;
        return std::ranges::any_of(inside, [&](const auto& each) { return (each.second & wanted()) == wanted(); });
    }
    [[nodiscard]] model::Marks wanted() const { return (model::Marks{1} << marks) - 1; }
};

std::size_t node_of(const successor::System& system, const successor::Word* state) {
    return static_cast<std::size_t>(system.decode(state)[0]);
}

class ChangeToLedger final : public explore::ChangeOver {
public:
    ChangeToLedger(const MarkedGraph& graph, std::string directory) : graph_(graph), directory_(std::move(directory)) {}

    [[nodiscard]] std::optional<explore::ChangeTarget> prepare(const explore::StatesInMemory& states) override {
        std::set<std::size_t> seen;
        states.for_each([&](const successor::Word* state) { seen.insert(node_of(states.system(), state)); });
        EXPECT_EQ(seen.size(), states.size());
        const std::shared_ptr<const successor::System> system = graph_.system(states.system().layout(), false);
        writer = create_ledger(directory_, *system, explore::Recorded::edges);
        run_.emplace(explore::LedgerRun{*writer});
        return explore::ChangeTarget{system, &*run_};
    }
    [[nodiscard]] std::string reason() const override { return "test"; }

    // As a crash would.
    void forget() {
        run_.reset();
        writer.reset();
    }

    std::unique_ptr<ledger::LedgerWriter> writer;

private:
    const MarkedGraph& graph_;
    std::string directory_;
    std::optional<explore::LedgerRun> run_;
};

class LtlChangeTest : public ::testing::Test {
protected:
    void check(std::uint64_t seed) {
        RandomNumbers random(seed);
        const MarkedGraph graph(random);
        const bool is_violated = graph.has_accepting_cycle();
        const std::size_t reachable = graph.reachable().size();
        const std::string directory = folder_ / std::to_string(seed);
        ChangeToLedger change(graph, directory);
        EmptinessTask task;
        task.system = graph.system(nullptr, random.chance(50));
        task.marks = graph.wanted();
        task.settings.threads = random.chance(15) ? 2 : 1;
        task.settings.alone_below = task.settings.threads == 2 ? 0 : 4096;
        task.settings.change_over = &change;
        task.settings.change_at = 1 + random.below(reachable);
        EmptinessResult result = check::ltl::graph_components(task);
        if (!result.continues_with) {  // the rest came in one round
            EXPECT_EQ(result.reason, is_violated ? support::StopReason::violation : support::StopReason::none);
            return;
        }
        ++changes_;
        const explore::ChangeTarget target = *result.continues_with;
        result = {};
        task.system = target.system;
        task.settings.change_over = nullptr;
        task.settings.threads = random.chance(15) ? 2 : 1;
        task.settings.ledger = target.ledger;
        std::unique_ptr<ledger::LedgerWriter> reopened;
        std::optional<explore::LedgerRun> run;
        if (random.chance(50)) {
            change.forget();
            for (int attempt = 0;; ++attempt) {
                run.reset();
                reopened.reset();
                reopened = ledger::LedgerWriter::reopen(directory, unsynced_ledger());
                run.emplace(explore::LedgerRun{*reopened});
                run->checkpoint_every = random.chance(50) ? kOften : kOnlyAtTheEnd;
                run->resumed = true;
                run->saved = explore::parse_saved_search(reopened->engine());
                ASSERT_TRUE(run->saved.statistics.changed_over);
                const std::optional<successor::Layout> layout = explore::described_layout(
                    reopened->packings().size() > 1 ? reopened->packings().back().description
                                                    : explore::packing_description(*target.system));
                task.system = graph.system(&*layout, false);
                task.settings.ledger = &*run;
                task.settings.states.reset();
                if (attempt < 5) task.settings.states = 1 + random.below(reachable);
                result = check::ltl::exact_sweep(task);
                if (result.reason != support::StopReason::states) break;
                ++stops_;
            }
        } else {
            result = check::ltl::exact_sweep(task);
        }
        ASSERT_EQ(result.reason, is_violated ? support::StopReason::violation : support::StopReason::none);
        EXPECT_LE(result.statistics.expanded, reachable);
        ASSERT_TRUE(result.statistics.changed_over);
        if (is_violated) return expect_run(graph, result);
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.statistics.states, reachable);
        EXPECT_EQ(result.statistics.expanded, reachable);
        expect_edges(graph, reopened ? *reopened : *change.writer, *result.system);
    }

    static void expect_run(const MarkedGraph& graph, EmptinessResult& result) {
        const support::Budget unlimited;
        const auto lasso = result.evidence->accepting_run(unlimited);
        ASSERT_TRUE(lasso);
        std::vector<std::size_t> nodes;
        for (std::size_t i = 0; i < lasso->states.size(); i += lasso->system->state_words())
            nodes.push_back(node_of(*lasso->system, lasso->states.data() + i));
        EXPECT_TRUE(std::ranges::count(graph.initial, nodes.front()));
        nodes.push_back(nodes[lasso->loop]);
        model::Marks marks = 0;
        for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
            bool is_edge = false;
            for (const Edge& edge : graph.edges[nodes[i]]) {
                if (edge.to != nodes[i + 1]) continue;
                is_edge = true;
                if (i >= lasso->loop) marks |= edge.marks;
            }
            ASSERT_TRUE(is_edge);
        }
        EXPECT_EQ(marks & graph.wanted(), graph.wanted());
    }

    // Row by row, with their marks.
    static void expect_edges(const MarkedGraph& graph, ledger::LedgerWriter& writer, const successor::System& system) {
        const explore::LedgerPackings packings(writer, system);
        std::vector<std::size_t> nodes;
        std::vector<successor::Word> state(system.state_words());
        for (std::uint64_t number = 0; number < writer.states(); ++number) {
            const ledger::Records records = writer.state(number);
            packings.unpack(records.packing, records.bytes.data(), state.data());
            nodes.push_back(node_of(system, state.data()));
        }
        std::set<std::size_t> initial;
        for (const std::uint64_t number : writer.initial_states()) initial.insert(nodes.at(number));
        EXPECT_EQ(initial, std::set(graph.initial.begin(), graph.initial.end()));
        ledger::EdgeReader reader(writer);
        std::uint64_t row = 0;
        reader.read(0, writer.states(), [&](const ledger::Edges& edges) {
            std::size_t next = 0;
            for (const std::uint32_t degree : edges.degrees) {
                std::vector<Edge> found;
                for (const std::size_t end = next + degree; next < end; ++next)
                    found.push_back({static_cast<std::uint32_t>(nodes.at(edges.targets[next])),
                                     edges.marks.empty() ? 0 : edges.marks[next]});
                std::vector<Edge> expected = graph.edges[nodes[row++]];
                std::ranges::sort(found);
                std::ranges::sort(expected);
                EXPECT_EQ(found.size(), expected.size());
                EXPECT_TRUE(found == expected) << "row " << row - 1;
            }
        });
        EXPECT_EQ(row, writer.states());
    }

    ledger::sample::TemporaryDirectory folder_;
    std::uint64_t changes_ = 0;
    std::uint64_t stops_ = 0;
};

TEST_F(LtlChangeTest, DecidesAsIfNothingHadHappened) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        SCOPED_TRACE(seed);
        check(seed);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
    EXPECT_GT(changes_, 500U);
    EXPECT_GT(stops_, 100U);
}

}  // namespace
}  // namespace tideline::differential
