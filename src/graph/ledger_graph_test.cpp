// The graph in a ledger against a naive search of the same system.
#include "graph/ledger_graph.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "automata/check_automaton.hpp"
#include "automata/lettered_graph.hpp"
#include "automata/system_product.hpp"
#include "explore/search.hpp"
#include "graph/naive_graph.hpp"
#include "graph/sample_recording.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::graph {
namespace {

using ledger::sample::TemporaryDirectory;

// The key of a node is its remainder by `keys`: regress edges abound.
std::shared_ptr<const successor::System> system_of(const automata::examples::LetteredGraph& graph, model::Value keys) {
    const auto model = std::make_shared<const model::Model>(graph.model());
    successor::KeyProgram key;
    key.components.push_back(
        {model::Expression::binary(model::Op::modulo, model->read(0), model::examples::number(keys)), 0, 8});
    return successor::make_interpreted_system(model, graph.atoms(*model), successor::Layout::declared(*model), key);
}

// By its values, the number that a naive search gives to each state of the ledger.
std::vector<StateNumber> numbers_in(ledger::LedgerContents& contents, const successor::System& system,
                                    const NaiveGraph& naive) {
    std::map<Values, StateNumber> by_values;
    for (StateNumber v = 0; v < naive.states.size(); ++v) by_values[naive.states[v]] = v;
    std::vector<StateNumber> result;
    contents.read(ledger::Stream::states, 0, contents.states(), [&](const ledger::Records& records) {
        for (std::uint64_t i = 0; i < records.count; ++i) {
            std::vector<successor::Word> state(system.state_words());
            std::memcpy(state.data(), records.bytes.data() + i * records.record_bytes, records.record_bytes);
            result.push_back(by_values.at(system.decode(state.data())));
        }
    });
    return result;
}

struct Expected {
    const NaiveGraph& naive;
    const std::vector<StateNumber>& numbers;
    std::uint64_t open = 0;  // edges
};

void expect_block(LedgerGraph& graph, const RowBlock& block, Expected& expected, std::size_t labels) {
    const NaiveGraph& naive = expected.naive;
    std::size_t at = 0;
    ASSERT_EQ(block.labels.size(), block.degrees.size() * graph.label_bytes());
    ASSERT_EQ(block.transitions.size(), block.targets.size());
    for (std::size_t i = 0; i < block.degrees.size(); ++i) {
        const StateNumber v = expected.numbers.at(block.first + i);
        ASSERT_EQ(block.degrees[i], naive.rows[v].size());
        for (const NaiveGraph::Edge& edge : naive.rows[v]) {
            ASSERT_EQ(block.transitions[at], edge.transition);
            ASSERT_EQ(block.marks.empty() ? 0 : block.marks[at], edge.marks);
            // A state that was there already may wait to be looked up when a search ends early.
            if (block.targets[at] == kOpen) {
                ++expected.open;
            } else {
                ASSERT_EQ(expected.numbers.at(block.targets[at]), edge.target);
            }
            ++at;
        }
        for (std::size_t label = 0; label < labels; ++label)
            ASSERT_EQ(((block.labels[i * graph.label_bytes() + label / 8] >> (label % 8)) & 1U) != 0,
                      naive.labels[v][label].first);
        ASSERT_EQ(graph.key(graph.layer_of(block.first + i)), naive.keys[v]);
    }
    ASSERT_EQ(at, block.targets.size());
}

void expect_equal(const std::string& directory, const std::shared_ptr<const successor::System>& system, bool complete,
                  std::uint64_t memory, explore::WalkOrder order = explore::WalkOrder::sweep) {
    NaiveGraph naive = naive_graph(*system, system->label_count());
    if (order == explore::WalkOrder::breadth_first)
        naive.keys.assign(naive.keys.size(), 0);  // its ledger has one layer
    const std::unique_ptr<ledger::LedgerReader> contents = ledger::LedgerReader::open(directory);
    const std::vector<StateNumber> numbers = numbers_in(*contents, *system, naive);
    LedgerGraph graph(*contents, {.memory = memory, .temporary_directory = directory});
    ASSERT_EQ(graph.prepare(support::Budget()), support::StopReason::none);
    ASSERT_EQ(graph.is_complete(), complete);
    ASSERT_EQ(graph.state_count(), numbers.size());
    ASSERT_TRUE(!complete || graph.state_count() == naive.states.size());
    std::set<StateNumber> initial;
    for (const StateNumber n : graph.initial_states()) initial.insert(numbers.at(n));
    ASSERT_TRUE(!complete || initial.size() == naive.initial);
    for (const StateNumber v : initial) ASSERT_LT(v, naive.initial);

    ASSERT_EQ(std::set<StateNumber>(numbers.begin(), numbers.end()).size(), numbers.size());
    Expected expected{naive, numbers};
    std::uint64_t edges = 0;
    StateNumber next = 0;
    ASSERT_TRUE(graph.read_forward([&](const RowBlock& block) {
        EXPECT_EQ(block.first, next);
        next = block.first + block.degrees.size();
        edges += block.targets.size();
        expect_block(graph, block, expected, system->label_count());
    }));
    ASSERT_FALSE(testing::Test::HasFailure());
    ASSERT_EQ(next, graph.state_count());
    ASSERT_EQ(edges, graph.edge_count());
    ASSERT_TRUE(!complete || expected.open == 0);

    // Layers.
    std::map<std::uint64_t, std::set<std::uint64_t>> layer_edges;
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> sizes;
    for (const StateNumber v : numbers) {
        const auto key = static_cast<std::uint64_t>(naive.keys[v]);
        layer_edges[key];
        ++sizes[key].first;
        sizes[key].second += naive.rows[v].size();
    }
    graph.read_forward([&](const RowBlock& block) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < block.degrees.size(); ++i)
            for (std::uint32_t e = 0; e < block.degrees[i]; ++e, ++at)
                if (block.targets[at] != kOpen)
                    layer_edges[static_cast<std::uint64_t>(naive.keys[numbers[block.first + i]])].insert(
                        static_cast<std::uint64_t>(naive.keys[numbers[block.targets[at]]]));
    });
    ASSERT_EQ(graph.layer_count(), layer_edges.size());
    LayerNumber layer = 0;
    for (const auto& [key, targets] : layer_edges) {
        ASSERT_EQ(graph.key(layer), key) << "ascending";
        std::vector<std::uint64_t> found;
        for (const LayerNumber target : graph.successors(layer))
            found.push_back(static_cast<std::uint64_t>(graph.key(target)));
        std::ranges::sort(found);
        ASSERT_TRUE(std::ranges::equal(found, targets)) << "each once";
        ASSERT_EQ(graph.states_of(layer), sizes[key].first);
        ASSERT_EQ(graph.edges_of(layer), sizes[key].second);
        ++layer;
    }
    ASSERT_EQ(graph.layer_graph().node_count(), graph.layer_count());

    // Backward.
    LayerNumber before = graph.layer_count();
    std::set<StateNumber> read;
    ASSERT_TRUE(graph.read_backward([&](const RowBlock& block) {
        EXPECT_LE(graph.layer_of(block.first), before);
        before = graph.layer_of(block.first);
        for (std::size_t i = 0; i < block.degrees.size(); ++i) {
            EXPECT_TRUE(read.insert(block.first + i).second);
            EXPECT_EQ(graph.layer_of(block.first + i), before) << "a block belongs to one layer";
        }
        expect_block(graph, block, expected, system->label_count());
    }));
    ASSERT_EQ(read.size(), graph.state_count());
    // Until the visit says so.
    std::uint64_t blocks = 0;
    ASSERT_FALSE(graph.read_backward([&](const RowBlock&) { return ++blocks < 1; }));
    ASSERT_EQ(blocks, 1U);
}

TEST(LedgerGraph, IsTheGraphOfTheSystem) {
    logic::RandomEngine random(11);
    std::uint64_t multiple = 0;
    for (int run = 0; run < 80; ++run) {
        SCOPED_TRACE(run);
        const TemporaryDirectory place;
        automata::examples::LetteredGraph graph = automata::examples::random_lettered_graph(random, 300);
        for (std::size_t i = 1; i < graph.edges.size() && i < 4; ++i) graph.initials.push_back(i);
        // Many more edges, so that most is reachable.
        for (std::size_t i = 0; i + 1 < graph.edges.size(); ++i)
            if (logic::below(random, 4) != 0) graph.edges[i].push_back(i + 1);
        const auto system = system_of(graph, static_cast<model::Value>(1 + logic::below(random, 40)));
        const auto order = run % 4 == 0 ? explore::WalkOrder::breadth_first : explore::WalkOrder::sweep;
        const explore::SearchResult result = record(system, place / "ledger", order, 1 + run % 3);
        ASSERT_TRUE(result.complete);
        multiple += result.statistics.sweeps > 1;
        ASSERT_NO_FATAL_FAILURE(expect_equal(place / "ledger", system, true, run % 2 == 0 ? 0 : 1 << 20, order));
        ASSERT_FALSE(testing::Test::HasFailure());
    }
    EXPECT_GT(multiple, 30U) << "layers of several ranges";
}

TEST(LedgerGraph, OfAProductHasItsMarks) {
    logic::RandomEngine random(12);
    std::uint64_t marked = 0;
    for (int run = 0; run < 40; ++run) {
        SCOPED_TRACE(run);
        const TemporaryDirectory place;
        const automata::examples::LetteredGraph graph = automata::examples::random_lettered_graph(random, 80);
        automata::Labels labels;
        const automata::Automaton automaton =
            automata::random_automaton(labels, random, 4, 1 + logic::below(random, 3));
        const auto system = automata::make_product(system_of(graph, 7), automaton, {});
        ASSERT_TRUE(record(system, place / "ledger", explore::WalkOrder::sweep, 1).complete);
        ASSERT_NO_FATAL_FAILURE(expect_equal(place / "ledger", system, true, 1 << 20));
        for (const auto& row : naive_graph(*system, 0).rows)
            for (const NaiveGraph::Edge& edge : row) marked += edge.marks != 0;
        ASSERT_FALSE(testing::Test::HasFailure());
    }
    EXPECT_GT(marked, 100U);
}

TEST(LedgerGraph, OfASearchThatEndedEarlyHasOpenTargets) {
    logic::RandomEngine random(13);
    std::uint64_t early = 0;
    std::uint64_t open = 0;
    for (int run = 0; run < 40; ++run) {
        SCOPED_TRACE(run);
        const TemporaryDirectory place;
        automata::examples::LetteredGraph graph = automata::examples::random_lettered_graph(random, 300);
        for (std::size_t i = 0; i + 1 < graph.edges.size(); ++i) graph.edges[i].push_back(i + 1);
        const auto system = system_of(graph, 13);
        const explore::SearchResult result =
            record(system, place / "ledger", explore::WalkOrder::sweep, 1, 1 + logic::below(random, 100));
        early += !result.complete;
        ASSERT_NO_FATAL_FAILURE(expect_equal(place / "ledger", system, result.complete, 1 << 20));
        ASSERT_FALSE(testing::Test::HasFailure());
        const std::unique_ptr<ledger::LedgerReader> contents = ledger::LedgerReader::open(place / "ledger");
        LedgerGraph read(*contents);
        ASSERT_EQ(read.prepare(support::Budget()), support::StopReason::none);
        read.read_forward([&](const RowBlock& block) { open += std::ranges::count(block.targets, kOpen) > 0; });
    }
    EXPECT_GT(early, 5U);
    EXPECT_GT(open, 5U);
}

TEST(LedgerGraph, EndsWithItsBudget) {
    const TemporaryDirectory place;
    const auto model = std::make_shared<const model::Model>(model::examples::two_counters(100));
    const std::shared_ptr<const successor::System> system =
        successor::make_interpreted_system(model, {}, successor::Layout::declared(*model));
    ASSERT_TRUE(record(system, place / "ledger", explore::WalkOrder::breadth_first, 1).complete);
    const std::unique_ptr<ledger::LedgerReader> contents = ledger::LedgerReader::open(place / "ledger");
    LedgerGraph graph(*contents);
    EXPECT_EQ(graph.prepare(support::Budget({}, [] { return true; })), support::StopReason::interrupted);
    EXPECT_EQ(graph.prepare(support::Budget()), support::StopReason::none) << "it may be asked again";
    EXPECT_EQ(graph.edge_count(), 2U * 100U * 101U);
    EXPECT_GT(graph.bytes(), 0U);
}

TEST(LedgerGraph, NeedsEdges) {
    const TemporaryDirectory place;
    const auto model = std::make_shared<const model::Model>(model::examples::two_counters(3));
    const std::shared_ptr<const successor::System> system =
        successor::make_interpreted_system(model, {}, successor::Layout::declared(*model));
    const std::unique_ptr<ledger::LedgerWriter> writer = ledger::LedgerWriter::create(
        place / "ledger", explore::ledger_header(*system, explore::Recorded::labels,
                                                 "{\"packing\": " + explore::packing_description(*system) + "}"));
    EXPECT_THROW(LedgerGraph graph(*writer), ledger::LedgerError);
}

}  // namespace
}  // namespace tideline::graph
