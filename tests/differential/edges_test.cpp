// The edges and labels that searches record in their ledgers, read back, against the systems themselves: of random
// graphs and random models by random measures, with several threads, frames of a few records, packings that widen,
// crashes and limits on the way, and little memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "automata/check_automaton.hpp"
#include "automata/system_product.hpp"
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

using Values = std::vector<model::Value>;
using SystemPointer = std::shared_ptr<const successor::System>;

// ---- searches
// ------------------------------------------------------------------------------------------------------------------

// Lets time for commits pass, and crashes at some moment.
class Disturbance final : public PathObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(explore::SearchView& /*search*/, std::span<const explore::StateRef> /*fresh*/) override {
        if (calls_until_crash-- == 0) throw Crash();
        if (pauses && calls_until_crash % 3 == 0) std::this_thread::sleep_for(kOften);
        return true;
    }
    std::uint64_t calls_until_crash = ~std::uint64_t{0};
    bool pauses = false;
};

// To the end, with some attempts before that are stopped by limits or crash.
template <class MakeSystem>
explore::SearchResult run(const MakeSystem& make_system, explore::WalkOrder order, const std::string& directory,
                          std::uint64_t states, RandomNumbers& random, Attempts& interruptions) {
    const AttemptSettings attempt{.recorded = explore::Recorded::edges,
                                  .ledger = unsynced_ledger(random.chance(50) ? 200 : std::uint64_t{128} << 10U)};
    for (int attempts = random.chance(50) ? random.between(1, 5) : 0; attempts > 0; --attempts) {
        explore::SearchSettings settings;
        settings.threads = random.chance(15) ? 2 : 1;
        settings.alone_below = 0;
        Disturbance disturbance;
        if (random.chance(60)) settings.states = 1 + random.below(states);
        if (random.chance(60)) disturbance.calls_until_crash = random.below(12);
        disturbance.pauses = random.chance(60);
        const std::optional<explore::SearchResult> result = go_on(
            make_system, order, directory, settings, disturbance.pauses ? kOften : kOnlyAtTheEnd, disturbance, attempt);
        if (result && result->complete) return *result;
        ++(result ? interruptions.limits : interruptions.crashes);
    }
    PathObserver ignored;
    explore::SearchSettings settings;
    settings.threads = random.chance(10) ? 1 + static_cast<unsigned>(random.below(3)) : 1;
    settings.alone_below = 0;
    return *go_on(make_system, order, directory, settings, kOnlyAtTheEnd, ignored, attempt);
}

// ---- comparisons
// ---------------------------------------------------------------------------------------------------------------

struct ReadBack {
    std::vector<Values> states;  // by number
    std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>>
        edges;                                        // of each: transition, number of the target
    std::vector<std::vector<std::uint64_t>> marks{};  // of each edge; empty where the ledger has none
    std::vector<std::vector<successor::Word>> words{};
};

// All of it, by every way of reading; `system` is how states are packed in the end.
void read_back(const std::string& directory, const successor::System& system, std::uint64_t memory, ReadBack& result) {
    const std::unique_ptr<ledger::LedgerWriter> ledger = ledger::LedgerWriter::reopen(directory);
    ledger->verify();
    const explore::LedgerPackings packings(*ledger, system);
    std::vector<std::vector<successor::Word>> words;
    ledger->read(ledger::Stream::states, 0, ledger->states(), [&](const ledger::Records& records) {
        for (std::uint64_t i = 0; i < records.count; ++i) {
            packings.unpack(records.packing, records.bytes.data() + i * records.record_bytes,
                            words.emplace_back(system.state_words()).data());
            result.states.push_back(system.decode(words.back().data()));
        }
    });
    // What is not what it was written for may not be there: a temporary id has one meaning.
    std::map<std::uint64_t, std::uint64_t> finals;
    ledger->read(
        ledger::Stream::numbers, 0, ledger->records(ledger::Stream::numbers), [&](const ledger::Records& records) {
            for (std::uint64_t i = 0; i < records.count; ++i)
                ASSERT_EQ(finals.emplace(records.numbers[i], records.others[i]).first->second, records.others[i]);
        });

    ledger::EdgeReaderSettings settings;
    settings.memory = memory;
    ledger::EdgeReader reader(*ledger, settings);
    const auto take = [&](const ledger::Edges& edges) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < edges.degrees.size(); ++i) {
            auto& mine = result.edges.at(edges.first + i);
            ASSERT_TRUE(mine.empty());
            for (std::uint32_t k = 0; k < edges.degrees[i]; ++k, ++next) {
                ASSERT_LT(edges.targets[next], result.states.size());
                mine.emplace_back(edges.transitions[next], edges.targets[next]);
                if (!edges.marks.empty()) result.marks.at(edges.first + i).push_back(edges.marks[next]);
            }
        }
    };
    result.edges.resize(result.states.size());
    result.marks.resize(result.states.size());
    ASSERT_EQ(ledger->header().marks, system.acceptance_sets() > 0);
    reader.read(0, ledger->states(), take);
    const auto forwards = std::exchange(result.edges, decltype(result.edges)(result.states.size()));
    const auto forward_marks = std::exchange(result.marks, decltype(result.marks)(result.states.size()));
    support::UInt128 last = ~support::UInt128{0};
    std::uint64_t seen = 0;
    reader.read_backwards([&](support::UInt128 key, const ledger::Edges& edges) {
        ASSERT_LE(key, last);
        last = key;
        seen += edges.degrees.size();
        take(edges);
    });
    ASSERT_EQ(seen, result.states.size());
    ASSERT_EQ(result.edges, forwards);
    ASSERT_EQ(result.marks, forward_marks);
    result.words = words;

    if (system.label_count() == 0) return;
    const std::unique_ptr<successor::Expander> expander = system.expander();
    std::vector<std::uint64_t> bits(system.label_words());
    std::vector<model::FaultKind> faults(system.label_count());
    ledger->read(ledger::Stream::labels, 0, ledger->states(), [&](const ledger::Records& records) {
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

// ---- random graphs
// -------------------------------------------------------------------------------------------------------------

RandomGraph random_graph(RandomNumbers& random) {
    RandomGraph graph;
    const std::size_t n = 1 + random.below(random.chance(20) ? 1500 : 60);
    graph.edges.resize(n);
    for (std::vector<std::size_t>& out : graph.edges)
        // Some have more successors than others have together: a batch ends in the midst of theirs.
        for (std::size_t degree = random.below(random.chance(5) ? 60 : 5); degree > 0; --degree)
            out.push_back(random.below(n));
    const std::size_t kind = random.below(4);
    const std::size_t keys = 1 + random.below(6);
    for (std::size_t s = 0; s < n; ++s) graph.keys.push_back(kind == 0 ? s : kind == 1 ? n - s : random.below(keys));
    add_initials(graph, random);
    return graph;
}

// With 11 labels.
SystemPointer labelled_system_of(const RandomGraph& graph) {
    return system_of(graph, [](const model::Model& names) {
        std::vector<model::Expression> labels;
        for (model::Value bound = 0; bound < 11; ++bound)
            labels.push_back(
                model::Expression::binary(model::Op::less, names.read(0), model::Expression::constant(bound * bound)));
        return labels;
    });
}

void compare_graphs(explore::WalkOrder order, std::uint64_t seeds) {
    const ledger::sample::TemporaryDirectory folder;
    Attempts interruptions;
    std::uint64_t edges = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE(seed);
        RandomNumbers random(seed);
        const RandomGraph graph = random_graph(random);
        const std::string directory = folder / std::to_string(seed);
        const auto make_system = [&](const std::optional<successor::Layout>&) { return labelled_system_of(graph); };
        const explore::SearchResult result =
            run(make_system, order, directory, graph.edges.size(), random, interruptions);
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
                ASSERT_EQ(read.states[read.edges[s][i].second], Values{static_cast<model::Value>(expected[i])});
            }
            edges += expected.size();
        }
        std::filesystem::remove_all(directory);
    }
    EXPECT_GT(edges, 50 * seeds);
    EXPECT_GT(interruptions.crashes, seeds / 10);
    EXPECT_GT(interruptions.limits, seeds / 20);
}

TEST(RecordedEdges, OfSweepsThroughRandomGraphsAreAllThatThereAre) { compare_graphs(explore::WalkOrder::sweep, 200); }

TEST(RecordedEdges, OfBreadthFirstSearchesAreAllThatThereAre) {
    compare_graphs(explore::WalkOrder::breadth_first, 120);
}

// Products carry the marks of the automaton's edges.
TEST(RecordedEdges, OfProductsHaveTheirMarks) {
    const ledger::sample::TemporaryDirectory folder;
    Attempts interruptions;
    std::uint64_t marked = 0;
    std::uint64_t without_sets = 0;
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        SCOPED_TRACE(seed);
        RandomNumbers random(seed);
        logic::RandomEngine engine(seed);
        const RandomGraph graph = random_graph(random);
        automata::Labels labels;
        const automata::Automaton automaton = automata::random_automaton(labels, engine, 4, logic::below(engine, 4));
        const auto make_system = [&](const std::optional<successor::Layout>&) {
            return automata::make_product(labelled_system_of(graph), automaton,
                                          {.first_atom = 11 - automaton.atoms.size()});
        };
        const std::string directory = folder / std::to_string(seed);
        const explore::WalkOrder order =
            random.chance(50) ? explore::WalkOrder::sweep : explore::WalkOrder::breadth_first;
        const explore::SearchResult result =
            run(make_system, order, directory, graph.edges.size(), random, interruptions);
        ASSERT_TRUE(result.complete);
        ReadBack read;
        read_back(directory, *result.system, random.chance(50) ? 0 : 100'000, read);
        ASSERT_FALSE(HasFailure());
        without_sets += automaton.sets == 0;
        const std::unique_ptr<successor::Expander> expander = result.system->expander();
        successor::SuccessorBatch batch(result.system->state_words(), 7);
        for (std::size_t s = 0; s < read.states.size(); ++s) {
            std::size_t edge = 0;
            successor::Cursor cursor;
            successor::Expansion expansion = successor::Expansion::full;
            while (expansion == successor::Expansion::full) {
                batch.restart(0);
                expansion = expander->expand(read.words[s].data(), 1, cursor, batch);
                for (std::size_t i = 0; i < batch.size(); ++i, ++edge) {
                    ASSERT_LT(edge, read.edges[s].size());
                    ASSERT_EQ(read.edges[s][edge].first, batch.transition(i));
                    ASSERT_EQ(read.states[read.edges[s][edge].second], result.system->decode(batch.state(i)));
                    ASSERT_EQ(automaton.sets > 0 ? read.marks[s][edge] : 0, batch.marks(i));
                    marked += batch.marks(i) != 0;
                }
            }
            ASSERT_EQ(edge, read.edges[s].size());
            ASSERT_EQ(read.marks[s].size(), automaton.sets > 0 ? edge : 0);
        }
        std::filesystem::remove_all(directory);
    }
    EXPECT_GT(marked, 1000U);
    EXPECT_GT(without_sets, 5U);
}

// A ledger whose numbers end early, at any of its streams: the search ends as on a full disk.
TEST(RecordedEdges, EndWithTheNumbers) {
    const ledger::sample::TemporaryDirectory folder;
    std::uint64_t stopped = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        RandomNumbers random(seed);
        const RandomGraph graph = random_graph(random);
        const std::shared_ptr<const successor::System> system = labelled_system_of(graph);
        ledger::LedgerSettings settings = ledger::sample::small_settings();
        settings.number_end = 1 + random.below(60);
        const std::unique_ptr<ledger::LedgerWriter> writer = ledger::LedgerWriter::create(
            folder / std::to_string(seed),
            explore::ledger_header(*system, explore::Recorded::edges,
                                   "{\"packing\": " + explore::packing_description(*system) + "}"),
            settings);
        explore::LedgerRun run{*writer};
        explore::SearchSettings search_settings;
        search_settings.ledger = &run;
        explore::SearchObserver ignored;
        const explore::SearchResult result =
            explore::search(system, explore::WalkOrder::sweep, search_settings, ignored);
        if (result.complete) {
            ASSERT_LE(result.statistics.states, settings.number_end);
            continue;
        }
        ASSERT_EQ(result.reason, support::StopReason::disk);
        ASSERT_LE(writer->states(), settings.number_end);
        ++stopped;
    }
    EXPECT_GT(stopped, 10U);
}

// ---- random models
// -------------------------------------------------------------------------------------------------------------

// Packed as if only the initial values had ever been seen, or as they were when the search was interrupted.
struct DveSystems {
    std::shared_ptr<const model::Model> model;
    successor::KeyProgram key;
    std::vector<model::Expression> labels;

    SystemPointer operator()(const std::optional<successor::Layout>& layout) const {
        std::vector<model::Range> seen;
        for (const model::Value value : model->initial) seen.push_back({value, value});
        return successor::make_interpreted_system(model, labels,
                                                  layout ? *layout : successor::Layout::observed(*model, seen), key);
    }
};

// From the values of a system to those of the reference machine.
class Translation {
public:
    Translation(const successor::System& system, const reference::Machine& machine) {
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
    const ledger::sample::TemporaryDirectory folder;
    Attempts interruptions;
    std::uint64_t models = 0;
    std::uint64_t edges = 0;
    std::uint64_t sleeping = 0;
    std::uint64_t with_wider_fields = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        SCOPED_TRACE(seed);
        const support::Result<input::LoadedModel> loaded =
            input::load_model_text("random.dve", random_dve_model(seed), {});
        if (!loaded) continue;
        RandomNumbers random(seed);
        std::vector<std::string> names{"7"};
        for (const model::Model::SlotOwner owner : loaded->model->slot_owners())
            names.push_back(loaded->model->slot_name(owner));
        const support::Result<progress::Measure> measure =
            progress::parse_measure(*loaded->model, (random.chance(50) ? "-(" : "(") + random.one_of(names) + "), " +
                                                        random.one_of(names) + " & 3");
        if (!measure) continue;
        DveSystems systems{loaded->model, measure->program, {}};
        for (const model::NamedExpression& assertion : loaded->model->assertions)
            systems.labels.push_back(assertion.expression);
        explore::SearchSettings few;
        few.states = 3'000;
        PathObserver ignored;
        const explore::SearchResult full = explore::search(systems(successor::Layout::declared(*loaded->model)),
                                                           explore::WalkOrder::breadth_first, few, ignored);
        if (!full.complete) continue;
        ++models;
        sleeping += full.system->commuting() != nullptr;

        const std::string directory = folder / std::to_string(seed);
        const explore::WalkOrder order =
            random.chance(70) ? explore::WalkOrder::sweep : explore::WalkOrder::breadth_first;
        const explore::SearchResult result =
            run(systems, order, directory, full.statistics.states, random, interruptions);
        ASSERT_TRUE(result.complete);
        ASSERT_EQ(result.statistics.transitions, full.statistics.transitions);
        ReadBack read;
        read_back(directory, *result.system, random.chance(50) ? 0 : 100'000, read);
        ASSERT_FALSE(HasFailure());
        ASSERT_EQ(read.states.size(), full.statistics.states);
        with_wider_fields += ledger::LedgerReader::open(directory)->packings().size() > 1;

        const std::unique_ptr<reference::Machine> machine = reference::make_machine(*loaded, {});
        const Translation translated(*result.system, *machine);
        // What else takes part is the property process, or a synchronous step.
        std::map<std::uint64_t, reference::Participant> transitions;
        for (std::size_t s = 0; s < read.states.size(); ++s) {
            std::vector<reference::Step> steps = machine->steps(translated(read.states[s]));
            std::erase_if(steps, [](const reference::Step& step) { return step.fault != model::FaultKind::none; });
            ASSERT_EQ(read.edges[s].size(), steps.size());
            for (std::size_t i = 0; i < steps.size(); ++i) {
                ASSERT_EQ(translated(read.states[read.edges[s][i].second]), steps[i].next);
                ASSERT_TRUE(transitions.emplace(read.edges[s][i].first, steps[i].participants[0]).first->second ==
                            steps[i].participants[0]);
            }
            edges += steps.size();
        }
        std::filesystem::remove_all(directory);
    }
    EXPECT_GT(models, 50U);
    EXPECT_GT(edges, 10'000U);
    EXPECT_GT(sleeping, 5U);
    EXPECT_GT(with_wider_fields, 20U);
    EXPECT_GT(interruptions.crashes, 20U);
}

// ---- memory
// --------------------------------------------------------------------------------------------------------------------

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
    void describe(const State& s, successor::Description& d) const { d.value("number", s.number[0]); }
    std::array<std::uint32_t, 1> progress(const State& s) const {
        return {key_bits == 0 ? 0 : (s.number[0] * 2654435761U) >> (32U - key_bits)};
    }
};

#if !defined(__SANITIZE_ADDRESS__)  // which keeps what was freed
// Where memory does not suffice all the same, the search is resumed with a little more.
void record_with_little_memory(unsigned tree_bits, unsigned key_bits, explore::WalkOrder order, unsigned threads) {
    auto shared = std::make_shared<successor::CppShared<Tree>>();
    const Tree tree{(1U << tree_bits) - 1, key_bits};
    shared->system = tree;
    successor::Description first;
    first.restart(true);
    tree.describe(tree.initial(), first);
    shared->names = successor::Description::names_as_model(first);
    shared->own_progress = true;
    const SystemPointer system = std::make_shared<successor::CppSystem<Tree>>(shared);
    const ledger::sample::TemporaryDirectory folder;
    PathObserver ignored;
    std::optional<explore::SearchResult> result;
    for (std::uint64_t megabytes = 2; !result || (!result->complete && megabytes < 100); megabytes += 2) {
        support::release_free_memory();
        explore::SearchSettings settings;
        settings.threads = threads;
        settings.alone_below = 0;
        const support::Budget budget({.memory = megabytes << 20U});
        settings.budget = &budget;
        result = go_on([&](const std::optional<successor::Layout>&) { return system; }, order, folder / "ledger",
                       settings, std::chrono::milliseconds(200), ignored,
                       {.recorded = explore::Recorded::edges, .ledger = unsynced_ledger(std::uint64_t{32} << 10U)});
    }
    ASSERT_TRUE(result->complete);
    EXPECT_GT(result->statistics.spilled, 0U);
    EXPECT_EQ(result->statistics.states, (1U << tree_bits) - 1);
    ReadBack read;
    read_back(folder / "ledger", *system, 100'000, read);
    for (std::size_t s = 0; s < read.states.size(); ++s) {
        std::vector<std::uint32_t> targets;
        for (const auto& [transition, target] : read.edges[s])
            targets.push_back(static_cast<std::uint32_t>(read.states[target][0]));
        ASSERT_EQ(targets, tree.targets(static_cast<std::uint32_t>(read.states[s][0])));
    }
}

TEST(RecordedEdges, AreAllThereWhereWaitingStatesWereLeftToTheLedger) {
    record_with_little_memory(17, 6, explore::WalkOrder::sweep, 1);
}

TEST(RecordedEdges, AreAllThereWhereALayerWasCut) { record_with_little_memory(17, 0, explore::WalkOrder::sweep, 2); }

TEST(RecordedEdges, AreAllThereOfABreadthFirstSearchInLittleMemory) {
    record_with_little_memory(17, 0, explore::WalkOrder::breadth_first, 1);
}
#endif

}  // namespace
}  // namespace tideline::differential
