// Searches with an edge sink: what it receives, against the graph.
#include "explore/edge_stream.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "explore/search.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::explore {
namespace {

using namespace model::examples;

// Nodes below 2^kBits, from a range that a narrow packing does not hold. Label i of a state is bit i of its node.
constexpr unsigned kBits = 7;
constexpr model::Value kFaultyEvery = 5;

struct RandomGraph {
    explicit RandomGraph(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        edges.resize(2 + random() % 120);
        for (auto& row : edges)
            for (std::uint64_t i = random() % 5; i > 0; --i) row.push_back(random() % edges.size());
        edges[0].push_back(1);
        edges[0].push_back(1);  // parallel edges
    }

    [[nodiscard]] model::Model model() const {
        model::Model result;
        const model::VariableId node = add_scalar(result, "node", {0, 1000000}, 0);
        const auto is_at = [&](std::size_t at) {
            return model::Expression::binary(model::Op::equal, result.read(node),
                                             number(static_cast<model::Value>(at)));
        };
        for (std::size_t from = 0; from < edges.size(); ++from) {
            for (const std::size_t to : edges[from]) {
                model::Transition transition;
                transition.guards.push_back(is_at(from));
                transition.effects.emplace_back(assign(node, number(static_cast<model::Value>(to))));
                result.add_transition(transition);
            }
        }
        model::Transition faulty;
        faulty.guards.push_back(model::Expression::binary(
            model::Op::equal, model::Expression::binary(model::Op::modulo, result.read(node), number(kFaultyEvery)),
            number(0)));
        faulty.effects.emplace_back(assign(node, number(2000000)));
        result.add_transition(faulty);
        return result;
    }

    [[nodiscard]] std::shared_ptr<const successor::System> system(bool narrow) const {
        const auto shared = std::make_shared<const model::Model>(model());
        std::vector<model::Expression> labels;
        for (unsigned bit = 0; bit < kBits; ++bit)
            labels.push_back(model::Expression::binary(
                model::Op::equal,
                model::Expression::binary(
                    model::Op::modulo,
                    model::Expression::binary(model::Op::divide, shared->read(0), number(model::Value{1} << bit)),
                    number(2)),
                number(1)));
        return successor::make_interpreted_system(
            shared, std::move(labels),
            narrow ? successor::Layout::observed(*shared, {{0, 0}}) : successor::Layout::declared(*shared));
    }

    [[nodiscard]] std::map<std::size_t, std::size_t> distances() const {
        std::map<std::size_t, std::size_t> result{{0, 0}};
        std::vector<std::size_t> queue{0};
        for (std::size_t i = 0; i < queue.size(); ++i)
            for (const std::size_t to : edges[queue[i]])
                if (result.try_emplace(to, result[queue[i]] + 1).second) queue.push_back(to);
        return result;
    }

    std::vector<std::vector<std::size_t>> edges;
};

// Puts the rows together.
class Collector : public EdgeSink {
public:
    explicit Collector(EdgeNeed wanted) : need_(wanted) {}
    [[nodiscard]] EdgeNeed need() const override { return need_; }

    void begin(const EdgeStreamInfo& begun) override {
        info = begun;
        initial.assign(begun.initial.begin(), begun.initial.end());
        open.resize(begun.threads);
    }
    void batch(unsigned thread, const EdgeBatch& batch) override {
        const std::lock_guard lock(mutex_);
        EXPECT_EQ(batch.continued, open[thread].has_value());
        EXPECT_EQ(batch.labels.size(), batch.sources.size() * info.label_words);
        EXPECT_EQ(batch.transitions.size(), batch.targets.size());
        EXPECT_EQ(batch.marks.size(), batch.targets.size());
        std::size_t edge = 0;
        for (std::size_t i = 0; i < batch.sources.size(); ++i) {
            const bool is_continued = i == 0 && batch.continued;
            Row row = is_continued ? *std::exchange(open[thread], std::nullopt) : Row{};
            if (is_continued) {
                EXPECT_EQ(row.source, batch.sources[i]);
            }
            row.source = batch.sources[i];
            row.node = batch.labels[i * info.label_words];
            const std::size_t end = i < batch.ends.size() ? batch.ends[i] : batch.targets.size();
            for (; edge < end; ++edge) {
                row.targets.push_back(batch.targets[edge]);
                row.transitions.push_back(batch.transitions[edge]);
            }
            for (const EdgeBatch::FaultyStep& step : batch.faulty) row.faulty += step.source == i;
            if (i < batch.ends.size()) {
                EXPECT_TRUE(rows.try_emplace(row.source, row).second) << "a state has one row";
                order.push_back(row.source);
            } else {
                open[thread] = row;
            }
        }
    }
    void end_round() override { ++rounds; }
    bool end_layer(const LayerEnd& layer) override {
        for (const auto& row : open) EXPECT_FALSE(row) << "rows are complete when their layer ends";
        layers.push_back(layer);
        rows_of_layers.push_back(rows.size());
        return layers.size() < stop_at;
    }
    void finish(support::StopReason why) override { reasons.push_back(why); }

    struct Row {
        StateNumber source = 0;
        std::uint64_t node = 0;
        std::vector<StateNumber> targets;
        std::vector<model::TransitionId> transitions;
        unsigned faulty = 0;
    };
    EdgeStreamInfo info;
    std::vector<StateNumber> initial;
    std::vector<std::optional<Row>> open;
    std::map<StateNumber, Row> rows;
    std::vector<StateNumber> order;
    std::uint64_t rounds = 0;
    std::vector<LayerEnd> layers;
    std::vector<std::size_t> rows_of_layers;
    std::vector<support::StopReason> reasons;
    std::size_t stop_at = SIZE_MAX;

private:
    EdgeNeed need_;
    std::mutex mutex_;
};

SearchSettings settings_with(EdgeSink& sink, unsigned threads) {
    SearchSettings settings;
    settings.edges = &sink;
    settings.threads = threads;
    settings.alone_below = threads % 2 == 0 ? 0 : 8;
    return settings;
}

void expect_rows_of(const RandomGraph& graph, const Collector& sink) {
    const std::map<std::size_t, std::size_t> distances = graph.distances();
    ASSERT_EQ(sink.rows.size(), distances.size());
    std::size_t first_transition = 0;
    std::vector<std::size_t> transition_of(graph.edges.size());
    for (std::size_t node = 0; node < graph.edges.size(); ++node) {
        transition_of[node] = first_transition;
        first_transition += graph.edges[node].size();
    }
    for (const auto& [number, row] : sink.rows) {
        ASSERT_LT(number, sink.layers.back().number_bound);
        ASSERT_TRUE(distances.contains(row.node));
        std::vector<std::size_t> nodes;
        for (const StateNumber target : row.targets) {
            ASSERT_TRUE(sink.rows.contains(target)) << "a target is a source, too";
            nodes.push_back(sink.rows.at(target).node);
        }
        EXPECT_EQ(nodes, graph.edges[row.node]) << "all edges, in their order";
        for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(row.transitions[i], transition_of[row.node] + i);
        EXPECT_EQ(row.faulty, row.node % kFaultyEvery == 0 ? 1U : 0U);
    }
}

TEST(EdgeStream, ABreadthFirstSearchDeliversTheWholeGraph) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const RandomGraph graph(seed);
        for (const unsigned threads : {1U, 2U, 3U}) {
            for (const bool narrow : {false, true}) {
                SCOPED_TRACE(std::to_string(seed) + ", threads: " + std::to_string(threads));
                Collector sink(EdgeNeed::edges);
                SearchObserver nothing;
                const SearchResult result =
                    search(graph.system(narrow), WalkOrder::breadth_first, settings_with(sink, threads), nothing);
                ASSERT_TRUE(result.complete);
                ASSERT_EQ(sink.reasons, std::vector{support::StopReason::none});
                expect_rows_of(graph, sink);
                ASSERT_EQ(sink.initial.size(), 1U);
                EXPECT_EQ(sink.rows.at(sink.initial[0]).node, 0U);
                EXPECT_GT(sink.rounds, 0U);
                EXPECT_LE(sink.layers.back().number_bound, sink.rows.size() + (std::uint64_t{1} << 20U));
                // Levels.
                const std::map<std::size_t, std::size_t> distances = graph.distances();
                ASSERT_EQ(sink.layers.size(), result.statistics.depth);
                for (std::size_t level = 0; level < sink.layers.size(); ++level) {
                    EXPECT_EQ(sink.layers[level].key, level);
                    EXPECT_EQ(sink.rows_of_layers[level], static_cast<std::size_t>(std::count_if(
                                                              distances.begin(), distances.end(),
                                                              [&](const auto& each) { return each.second <= level; })));
                }
                if (threads > 1) continue;
                EXPECT_EQ(sink.info.numbering, Numbering::discovery);
                StateNumber next = 0;
                for (const StateNumber number : sink.order) EXPECT_EQ(number, next++) << "the order of discovery";
            }
        }
    }
}

TEST(EdgeStream, NoEdgeSleeps) {
    const std::shared_ptr<const successor::System> system = successor::make_interpreted_system(
        std::make_shared<const model::Model>(two_counters(30)), {}, successor::Layout::declared(two_counters(30)));
    ASSERT_NE(system->commuting(), nullptr);
    for (const unsigned threads : {1U, 2U}) {
        class Counter final : public EdgeSink {
        public:
            [[nodiscard]] EdgeNeed need() const override { return EdgeNeed::edges; }
            void begin(const EdgeStreamInfo& /*info*/) override {}
            void batch(unsigned /*thread*/, const EdgeBatch& batch) override { edges += batch.targets.size(); }
            bool end_layer(const LayerEnd& /*layer*/) override { return true; }
            void finish(support::StopReason /*reason*/) override {}
            std::atomic<std::uint64_t> edges = 0;
        } counter;
        SearchObserver nothing;
        const SearchResult result = search(system, WalkOrder::breadth_first, settings_with(counter, threads), nothing);
        EXPECT_EQ(result.statistics.transitions, 2U * 30U * 31U);
        EXPECT_EQ(counter.edges, result.statistics.transitions);
    }
}

TEST(EdgeStream, WhoNeedsLabelsReceivesRowsWithoutEdges) {
    for (const unsigned threads : {1U, 2U}) {
        const RandomGraph graph(7);
        Collector sink(EdgeNeed::labels);
        SearchObserver nothing;
        ASSERT_TRUE(
            search(graph.system(true), WalkOrder::breadth_first, settings_with(sink, threads), nothing).complete);
        std::set<std::size_t> nodes;
        for (const auto& [number, row] : sink.rows) {
            EXPECT_TRUE(row.targets.empty());
            EXPECT_LT(number, sink.layers.back().number_bound);
            nodes.insert(row.node);
        }
        EXPECT_EQ(nodes.size(), graph.distances().size());
        EXPECT_EQ(sink.rows.size(), nodes.size());
    }
}

TEST(EdgeStream, WhoNeedsNothingIsToldOfLayersAlone) {
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::sweep}) {
        const RandomGraph graph(8);
        Collector sink(EdgeNeed::nothing);
        SearchObserver nothing;
        ASSERT_TRUE(search(graph.system(false), order, settings_with(sink, 1), nothing).complete);
        EXPECT_TRUE(sink.rows.empty());
        EXPECT_FALSE(sink.layers.empty());
        EXPECT_EQ(sink.reasons.size(), 1U);
    }
}

TEST(EdgeStream, ASinkMayEndTheSearchWithALayer) {
    const RandomGraph graph(9);
    Collector sink(EdgeNeed::edges);
    sink.stop_at = 2;
    SearchObserver nothing;
    const SearchResult result = search(graph.system(false), WalkOrder::breadth_first, settings_with(sink, 1), nothing);
    EXPECT_EQ(result.reason, support::StopReason::violation);
    EXPECT_EQ(sink.layers.size(), 2U);
    EXPECT_EQ(sink.reasons, std::vector{support::StopReason::violation});
}

TEST(EdgeStream, ASinkThatThrowsIsFinishedNevertheless) {
    class Thrower final : public Collector {
    public:
        explicit Thrower(bool has_no_memory) : Collector(EdgeNeed::edges), has_no_memory_(has_no_memory) {}
        void batch(unsigned /*thread*/, const EdgeBatch& /*batch*/) override {
            if (has_no_memory_) throw std::bad_alloc();
            throw std::runtime_error("seen");
        }

    private:
        bool has_no_memory_;
    };
    for (const unsigned threads : {1U, 2U}) {
        Thrower poor(true);
        SearchObserver nothing;
        const auto system = RandomGraph(10).system(false);
        const SearchResult result = search(system, WalkOrder::breadth_first, settings_with(poor, threads), nothing);
        EXPECT_EQ(result.reason, support::StopReason::memory);
        EXPECT_EQ(poor.reasons, std::vector{support::StopReason::memory});
        Thrower broken(false);
        EXPECT_THROW((void)search(system, WalkOrder::breadth_first, settings_with(broken, threads), nothing),
                     std::runtime_error);
        EXPECT_EQ(broken.reasons.size(), 1U);
    }
}

TEST(EdgeStream, SearchesWithoutNumbersRefuseIt) {
    Collector sink(EdgeNeed::edges);
    SearchObserver nothing;
    for (const WalkOrder order : {WalkOrder::depth_first, WalkOrder::sweep, WalkOrder::sweep_basic})
        EXPECT_THROW((void)search(RandomGraph(1).system(false), order, settings_with(sink, 1), nothing),
                     std::invalid_argument);
}

}  // namespace
}  // namespace tideline::explore
