// The edges and labels that searches record in their ledgers, read back, against the systems themselves: of random graphs and random
// models by random measures, with several threads, frames of a few records, packings that widen, crashes and limits on the way, and
// little memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "explore/search.hpp"
#include "input/load.hpp"
#include "ledger/edge_reader.hpp"
#include "ledger/sample_ledger.hpp"
#include "progress/measure.hpp"
#include "reference/machines.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "support/memory.hpp"
#include "tests/differential/interrupted_search.hpp"
#include "tests/differential/random_dve.hpp"
#include "tests/differential/random_graph.hpp"

namespace tideline::differential {
namespace {

using Values = std::vector<Value>;
using SystemPointer = std::shared_ptr<const System>;

// ---- searches ------------------------------------------------------------------------------------------------------------------

// Lets time for commits pass, and crashes at some moment.
class Disturbance final : public SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(SearchView& /*search*/, std::span<const Found> /*fresh*/) override {
        if (calls_until_crash-- == 0) throw Crash();
        if (pauses && calls_until_crash % 3 == 0) std::this_thread::sleep_for(kOften);
        return true;
    }
    std::uint64_t calls_until_crash = ~std::uint64_t{0};
    bool pauses = false;
};

// To the end, with some attempts before that are stopped by limits or crash.
template <class MakeSystem>
SearchResult run(const MakeSystem& make_system, WalkOrder order, const std::string& directory, std::uint64_t states, RandomNumbers& random,
                 Attempts& interruptions) {
    const AttemptSettings attempt{.recorded = Recorded::edges, .ledger = unsynced_ledger(random.chance(50) ? 200 : std::uint64_t{128} << 10U)};
    for (int attempts = random.chance(50) ? random.between(1, 5) : 0; attempts > 0; --attempts) {
        SearchSettings settings;
        settings.threads = random.chance(15) ? 2 : 1;
        settings.alone_below = 0;
        Disturbance disturbance;
        if (random.chance(60)) settings.states = 1 + random.below(states);
        if (random.chance(60)) disturbance.calls_until_crash = random.below(12);
        disturbance.pauses = random.chance(60);
        const std::optional<SearchResult> result =
            go_on(make_system, order, directory, settings, disturbance.pauses ? kOften : kOnlyAtTheEnd, disturbance, attempt);
        if (result && result->complete) return *result;
        ++(result ? interruptions.limits : interruptions.crashes);
    }
    SearchObserver ignored;
    SearchSettings settings;
    settings.threads = random.chance(10) ? 1 + static_cast<unsigned>(random.below(3)) : 1;
    settings.alone_below = 0;
    return *go_on(make_system, order, directory, settings, kOnlyAtTheEnd, ignored, attempt);
}

// ---- comparisons ---------------------------------------------------------------------------------------------------------------

struct ReadBack {
    std::vector<Values> states;                                                  // by number
    std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> edges;     // of each: transition, number of the target
};

// All of it, by every way of reading; `system` is how states are packed in the end.
void read_back(const std::string& directory, const System& system, std::uint64_t memory, ReadBack& result) {
    const std::unique_ptr<LedgerWriter> ledger = LedgerWriter::reopen(directory);
    ledger->verify();
    const LedgerPackings packings(*ledger, system);
    std::vector<std::vector<Word>> words;
    ledger->read(Stream::states, 0, ledger->states(), [&](const Records& records) {
        for (std::uint64_t i = 0; i < records.count; ++i) {
            packings.unpack(records.packing, records.bytes.data() + i * records.record_bytes, words.emplace_back(system.state_words()).data());
            result.states.push_back(system.decode(words.back().data()));
        }
    });
    // What is not what it was written for may not be there: a provisional number has one meaning.
    std::map<std::uint64_t, std::uint64_t> finals;
    ledger->read(Stream::numbers, 0, ledger->records(Stream::numbers), [&](const Records& records) {
        for (std::uint64_t i = 0; i < records.count; ++i) ASSERT_EQ(finals.emplace(records.numbers[i], records.others[i]).first->second, records.others[i]);
    });

    EdgeReaderSettings settings;
    settings.memory = memory;
    EdgeReader reader(*ledger, settings);
    const auto take = [&](const Edges& edges) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < edges.degrees.size(); ++i) {
            auto& mine = result.edges.at(edges.first + i);
            ASSERT_TRUE(mine.empty());
            for (std::uint32_t k = 0; k < edges.degrees[i]; ++k, ++next) {
                ASSERT_LT(edges.targets[next], result.states.size());
                mine.emplace_back(edges.transitions[next], edges.targets[next]);
            }
        }
    };
    result.edges.resize(result.states.size());
    reader.read(0, ledger->states(), take);
    const auto forwards = std::exchange(result.edges, decltype(result.edges)(result.states.size()));
    UInt128 last = ~UInt128{0};
    std::uint64_t seen = 0;
    reader.read_backwards([&](UInt128 key, const Edges& edges) {
        ASSERT_LE(key, last);
        last = key;
        seen += edges.degrees.size();
        take(edges);
    });
    ASSERT_EQ(seen, result.states.size());
    ASSERT_EQ(result.edges, forwards);

    if (system.label_count() == 0) return;
    const std::unique_ptr<Expander> expander = system.expander();
    std::vector<std::uint64_t> bits(system.label_words());
    std::vector<FaultKind> faults(system.label_count());
    ledger->read(Stream::labels, 0, ledger->states(), [&](const Records& records) {
        ASSERT_EQ(records.record_bytes, (system.label_count() + 7) / 8);
        for (std::uint64_t i = 0; i < records.count; ++i) {
            expander->labels(words[records.first + i].data(), bits.data(), faults.data());
            for (std::size_t label = 0; label < system.label_count(); ++label) {
                const std::uint8_t byte = records.bytes[i * records.record_bytes + label / 8];
                ASSERT_EQ(byte >> (label % 8) & 1U, bits[label / 64] >> (label % 64) & 1U);
            }
        }
    });
}

// ---- random graphs -------------------------------------------------------------------------------------------------------------

RandomGraph random_graph(RandomNumbers& random) {
    RandomGraph graph;
    const std::size_t n = 1 + random.below(random.chance(20) ? 1500 : 60);
    graph.edges.resize(n);
    for (std::vector<std::size_t>& out : graph.edges)
        // Some have more successors than others have together: a batch ends in the midst of theirs.
        for (std::size_t degree = random.below(random.chance(5) ? 60 : 5); degree > 0; --degree) out.push_back(random.below(n));
    const std::size_t kind = random.below(4);
    const std::size_t keys = 1 + random.below(6);
    for (std::size_t s = 0; s < n; ++s) graph.keys.push_back(kind == 0 ? s : kind == 1 ? n - s : random.below(keys));
    return graph;
}

// With 11 labels.
SystemPointer labelled_system_of(const RandomGraph& graph) {
    return system_of(graph, [](const Model& names) {
        std::vector<Expression> labels;
        for (Value bound = 0; bound < 11; ++bound) labels.push_back(Expression::binary(Op::less, names.read(0), Expression::constant(bound * bound)));
        return labels;
    });
}

void compare_graphs(WalkOrder order, std::uint64_t seeds) {
    const sample::TemporaryDirectory folder;
    Attempts interruptions;
    std::uint64_t edges = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE(seed);
        RandomNumbers random(seed);
        const RandomGraph graph = random_graph(random);
        const std::string directory = folder / std::to_string(seed);
        const auto make_system = [&](const std::optional<Layout>&) { return labelled_system_of(graph); };
        const SearchResult result = run(make_system, order, directory, graph.edges.size(), random, interruptions);
        ASSERT_TRUE(result.complete);
        ReadBack read;
        read_back(directory, *result.system, random.chance(50) ? 0 : 100'000, read);
        ASSERT_FALSE(::testing::Test::HasFailure());
        ASSERT_EQ(read.states.size(), result.statistics.states);
        for (std::size_t s = 0; s < read.states.size(); ++s) {
            const std::vector<std::size_t>& expected = graph.edges[static_cast<std::size_t>(read.states[s][0])];
            ASSERT_EQ(read.edges[s].size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                ASSERT_EQ(read.edges[s][i].first, i);
                ASSERT_EQ(read.states[read.edges[s][i].second], Values{static_cast<Value>(expected[i])});
            }
            edges += expected.size();
        }
        std::filesystem::remove_all(directory);
    }
    EXPECT_GT(edges, 50 * seeds);
    EXPECT_GT(interruptions.crashes, seeds / 10);
    EXPECT_GT(interruptions.limits, seeds / 20);
}

TEST(RecordedEdges, OfSweepsThroughRandomGraphsAreAllThatThereAre) { compare_graphs(WalkOrder::sweep, 200); }

TEST(RecordedEdges, OfBreadthFirstSearchesAreAllThatThereAre) { compare_graphs(WalkOrder::breadth_first, 120); }

// ---- random models -------------------------------------------------------------------------------------------------------------

// Packed as if only the initial values had ever been seen, or as they were when the search was interrupted.
struct DveSystems {
    std::shared_ptr<const Model> model;
    KeyProgram key;
    std::vector<Expression> labels;

    SystemPointer operator()(const std::optional<Layout>& layout) const {
        std::vector<Range> seen;
        for (const Value value : model->initial) seen.push_back({value, value});
        return make_interpreted_system(model, labels, layout ? *layout : Layout::observed(*model, seen), key);
    }
};

// From the values of a system to those of the reference machine.
class Translation {
public:
    Translation(const System& system, const reference::Machine& machine) {
        const std::vector<std::string>& names = system.slot_names();
        for (const std::string& name : machine.names())
            places_.push_back(static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
    }
    [[nodiscard]] reference::State operator()(const Values& values) const {
        reference::State state;
        for (const std::size_t place : places_) state.push_back(values.at(place));
        return state;
    }

private:
    std::vector<std::size_t> places_;
};

TEST(RecordedEdges, OfRandomModelsAreTheStepsOfTheReference) {
    const sample::TemporaryDirectory folder;
    Attempts interruptions;
    std::uint64_t models = 0;
    std::uint64_t edges = 0;
    std::uint64_t sleeping = 0;
    std::uint64_t widened = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        SCOPED_TRACE(seed);
        const Result<LoadedModel> loaded = load_model_text("random.dve", random_dve_model(seed), {});
        if (!loaded) continue;
        RandomNumbers random(seed);
        std::vector<std::string> names{"7"};
        for (const Model::SlotOwner owner : loaded->model->slot_owners()) names.push_back(loaded->model->slot_name(owner));
        const Result<Measure> measure =
            parse_measure(*loaded->model, (random.chance(50) ? "-(" : "(") + random.one_of(names) + "), " + random.one_of(names) + " & 3");
        if (!measure) continue;
        DveSystems systems{loaded->model, measure->program, {}};
        for (const NamedExpression& assertion : loaded->model->assertions) systems.labels.push_back(assertion.expression);
        SearchSettings few;
        few.states = 3'000;
        SearchObserver ignored;
        const SearchResult full = search(systems(Layout::declared(*loaded->model)), WalkOrder::breadth_first, few, ignored);
        if (!full.complete) continue;
        ++models;
        sleeping += full.system->commuting() != nullptr;

        const std::string directory = folder / std::to_string(seed);
        const WalkOrder order = random.chance(70) ? WalkOrder::sweep : WalkOrder::breadth_first;
        const SearchResult result = run(systems, order, directory, full.statistics.states, random, interruptions);
        ASSERT_TRUE(result.complete);
        ASSERT_EQ(result.statistics.transitions, full.statistics.transitions);
        ReadBack read;
        read_back(directory, *result.system, random.chance(50) ? 0 : 100'000, read);
        ASSERT_FALSE(HasFailure());
        ASSERT_EQ(read.states.size(), full.statistics.states);
        widened += LedgerReader::open(directory)->packings().size() > 1;

        const std::unique_ptr<reference::Machine> machine = reference::make_machine(*loaded, {});
        const Translation translated(*result.system, *machine);
        // What else takes part is the property process, or a synchronous step.
        std::map<std::uint64_t, reference::Participant> transitions;
        for (std::size_t s = 0; s < read.states.size(); ++s) {
            std::vector<reference::Step> steps = machine->steps(translated(read.states[s]));
            std::erase_if(steps, [](const reference::Step& step) { return step.fault != FaultKind::none; });
            ASSERT_EQ(read.edges[s].size(), steps.size());
            for (std::size_t i = 0; i < steps.size(); ++i) {
                ASSERT_EQ(translated(read.states[read.edges[s][i].second]), steps[i].next);
                ASSERT_TRUE(transitions.emplace(read.edges[s][i].first, steps[i].participants[0]).first->second == steps[i].participants[0]);
            }
            edges += steps.size();
        }
        std::filesystem::remove_all(directory);
    }
    EXPECT_GT(models, 50U);
    EXPECT_GT(edges, 10'000U);
    EXPECT_GT(sleeping, 5U);
    EXPECT_GT(widened, 20U);
    EXPECT_GT(interruptions.crashes, 20U);
}

// ---- memory --------------------------------------------------------------------------------------------------------------------

// A binary tree with steps back and across, in layers at random or all in one.
struct Tree {
    std::uint32_t nodes = 0;
    unsigned key_bits = 0;

    struct State {
        std::array<std::uint32_t, 12> number;  // large, so that states are most of the memory
    };
    static State state(std::uint32_t number) {
        State result{};
        result.number.fill(number);
        return result;
    }
    State initial() const { return state(1); }
    [[nodiscard]] std::vector<std::uint32_t> targets(std::uint32_t n) const {
        if (2 * n + 1 > nodes) return {};
        return {2 * n, 2 * n + 1, n / 2 + 1, (n * 2654435761U >> 7U) % nodes + 1};
    }
    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        for (const std::uint32_t target : targets(s.number[0])) emit(state(target), "step");
    }
    void describe(const State& s, Description& d) const { d.value("number", s.number[0]); }
    std::array<std::uint32_t, 1> progress(const State& s) const { return {key_bits == 0 ? 0 : (s.number[0] * 2654435761U) >> (32U - key_bits)}; }
};

#if !defined(__SANITIZE_ADDRESS__)  // which keeps what was freed
// Where memory does not suffice all the same, the search is resumed with a little more.
void record_with_little_memory(unsigned tree_bits, unsigned key_bits, WalkOrder order, unsigned threads) {
    auto shared = std::make_shared<CppShared<Tree>>();
    const Tree tree{(1U << tree_bits) - 1, key_bits};
    shared->system = tree;
    Description first;
    first.restart(true);
    tree.describe(tree.initial(), first);
    shared->names = Description::names_as_model(first);
    shared->own_progress = true;
    const SystemPointer system = std::make_shared<CppSystem<Tree>>(shared);
    const sample::TemporaryDirectory folder;
    SearchObserver ignored;
    std::optional<SearchResult> result;
    for (std::uint64_t megabytes = 2; !result || (!result->complete && megabytes < 100); megabytes += 2) {
        release_free_memory();
        SearchSettings settings;
        settings.threads = threads;
        settings.alone_below = 0;
        const Budget budget({.memory = megabytes << 20U});
        settings.budget = &budget;
        result = go_on([&](const std::optional<Layout>&) { return system; }, order, folder / "ledger", settings, std::chrono::milliseconds(200), ignored,
                       {.recorded = Recorded::edges, .ledger = unsynced_ledger(std::uint64_t{32} << 10U)});
    }
    ASSERT_TRUE(result->complete);
    EXPECT_GT(result->statistics.spilled, 0U);
    EXPECT_EQ(result->statistics.states, (1U << tree_bits) - 1);
    ReadBack read;
    read_back(folder / "ledger", *system, 100'000, read);
    for (std::size_t s = 0; s < read.states.size(); ++s) {
        std::vector<std::uint32_t> targets;
        for (const auto& [transition, target] : read.edges[s]) targets.push_back(static_cast<std::uint32_t>(read.states[target][0]));
        ASSERT_EQ(targets, tree.targets(static_cast<std::uint32_t>(read.states[s][0])));
    }
}

TEST(RecordedEdges, AreAllThereWhereWaitingStatesWereLeftToTheLedger) { record_with_little_memory(17, 6, WalkOrder::sweep, 1); }

TEST(RecordedEdges, AreAllThereWhereALayerWasCut) { record_with_little_memory(17, 0, WalkOrder::sweep, 2); }

TEST(RecordedEdges, AreAllThereOfABreadthFirstSearchInLittleMemory) { record_with_little_memory(17, 0, WalkOrder::breadth_first, 1); }
#endif

}  // namespace
}  // namespace tideline::differential
