// The sweep with a ledger against its specification, on random systems with random measures: every state is expanded
// once, every figure is the specification's, the first violation is reached with the fewest regress edges, and a search
// that is interrupted or crashes, any number of times, ends with the figures of one that is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "explore/search.hpp"
#include "input/load.hpp"
#include "ledger/sample_ledger.hpp"
#include "model/example_models.hpp"
#include "progress/measure.hpp"
#include "reference/exact_sweep.hpp"
#include "reference/sweep.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "support/memory.hpp"
#include "tests/differential/interrupted_search.hpp"
#include "tests/differential/random_dve.hpp"
#include "tests/differential/random_graph.hpp"

namespace tideline::differential {
namespace {

using namespace model::examples;

constexpr std::uint64_t kGraphs = 2000;
constexpr unsigned kBlockBits = 4;

// ---- systems --------------------------------------------------------------------------------------------------------

RandomGraph random_graph(std::uint64_t seed, std::size_t largest = 400) {
    RandomNumbers random(seed);
    RandomGraph graph = random_measured_graph(random, largest);
    // In some the measure is monotonic: regress edges become forward edges.
    if (random.chance(15))
        for (std::size_t s = 0; s < graph.edges.size(); ++s)
            for (std::size_t& t : graph.edges[s])
                if (graph.keys[t] < graph.keys[s]) t = s;
    return graph;
}

// The label is true in all states but `unlabelled`.
std::shared_ptr<const successor::System> labelled_system_of(const RandomGraph& graph, std::size_t unlabelled) {
    return system_of(graph, [&](const model::Model& names) {
        return std::vector{model::Expression::binary(
            model::Op::not_equal, names.read(0), model::Expression::constant(static_cast<model::Value>(unlabelled)))};
    });
}

using ModelPointer = std::shared_ptr<const model::Model>;

// Packed as if only the initial values had ever been seen, so that every search needs repacking.
std::shared_ptr<const successor::System> needs_repacking(const ModelPointer& model, const successor::KeyProgram& key) {
    std::vector<model::Range> seen;
    for (const model::Value value : model->initial) seen.push_back({value, value});
    return successor::make_interpreted_system(model, {}, successor::Layout::observed(*model, seen), key);
}
std::shared_ptr<const successor::System> declared(const ModelPointer& model, const successor::KeyProgram& key) {
    return successor::make_interpreted_system(model, {}, successor::Layout::declared(*model), key);
}

struct MeasuredModel {
    ModelPointer model;
    successor::KeyProgram key;
};

// A random graph whose node numbers are spread over a wide range, with a random measure in a table.
MeasuredModel spread_model(std::uint64_t seed) {
    RandomNumbers random(seed);
    model::Model model;
    const model::VariableId node = add_scalar(model, "node", {0, 1000000}, 0);
    const std::size_t n = 5 + random.below(60);
    std::vector<model::Value> place{0};
    for (std::size_t i = 1; i < n; ++i) place.push_back(place.back() + random.between(1, i < n / 2 ? 3 : 3000));
    std::vector<model::Value> progress(static_cast<std::size_t>(place.back()) + 1);
    for (const model::Value p : place) progress[static_cast<std::size_t>(p)] = random.between(0, 4);
    model.tables.push_back({"progress", std::move(progress), true, std::nullopt});
    for (std::size_t from = 0; from < n; ++from) {
        for (std::size_t degree = random.below(4); degree > 0; --degree) {
            model::Transition transition;
            transition.guards.push_back(
                model::Expression::binary(model::Op::equal, model.read(node), number(place[from])));
            transition.effects.emplace_back(assign(node, number(place[random.below(n)])));
            model.add_transition(transition);
        }
    }
    const model::Expression key = model::Expression::table(0, model.read(node));
    return {std::make_shared<const model::Model>(std::move(model)), {{{key, 0, 3}}}};
}

// Processes with a counter each, some of which look at another's: most steps commute.
MeasuredModel counting_processes(std::uint64_t seed) {
    using namespace model::examples;
    RandomNumbers random(seed);
    model::Model model;
    const std::size_t processes = 2 + random.below(3);
    const int limit = random.between(2, processes == 4 ? 4 : 7);
    std::vector<model::VariableId> counters;
    for (std::size_t i = 0; i < processes; ++i) {
        add_process(model, "P" + std::to_string(i), {"even", "odd"});
        counters.push_back(add_scalar(model, "P" + std::to_string(i) + ".x", {0, limit}, 0));
    }
    for (std::size_t i = 0; i < processes; ++i) {
        for (const model::Value from : {0, 1}) {
            model::Transition up = count(model, counters[i], 1, limit);
            up.participants.push_back({static_cast<model::ProcessId>(i), from, 1 - from, {}});
            if (random.chance(20))
                up.guards.push_back(model::Expression::binary(model::Op::less_equal,
                                                              model.read(counters[random.below(processes)]),
                                                              number(random.between(1, limit))));
            model.add_transition(up);
            if (random.chance(50)) continue;
            model::Transition home = move(static_cast<model::ProcessId>(i), from, 0);
            home.guards.push_back(
                model::Expression::binary(model::Op::equal, model.read(counters[i]), number(random.between(1, limit))));
            home.effects.emplace_back(assign(counters[i], number(0)));
            model.add_transition(home);
        }
    }
    model::Expression key = model.read(counters[random.below(processes)]);
    if (random.chance(50))
        key = model::Expression::binary(model::Op::add, key, model.read(counters[random.below(processes)]));
    if (random.chance(50)) key = model::Expression::unary(model::Op::negate, key);
    return {std::make_shared<const model::Model>(std::move(model)), {{{key, -2 * limit, 6}}}};
}

// Nothing where the text is not usable.
std::optional<MeasuredModel> dve_model(std::uint64_t seed) {
    const support::Result<input::LoadedModel> loaded = input::load_model_text("random.dve", random_dve_model(seed), {});
    if (!loaded) return std::nullopt;
    RandomNumbers random(seed);
    std::vector<std::string> names{"7"};
    for (const model::Model::SlotOwner owner : loaded->model->slot_owners())
        names.push_back(loaded->model->slot_name(owner));
    const std::string measure =
        (random.chance(50) ? "-(" : "(") + random.one_of(names) + "), " + random.one_of(names) + " & 3";
    support::Result<progress::Measure> parsed = progress::parse_measure(*loaded->model, measure);
    if (!parsed) return std::nullopt;
    return MeasuredModel{loaded->model, parsed->program};
}

// ---- searches -------------------------------------------------------------------------------------------------------

// A path of a system: from its initial state, by its steps.
::testing::AssertionResult is_path(const successor::System& system,
                                   const std::vector<std::vector<successor::Word>>& path) {
    if (path.empty()) return ::testing::AssertionFailure() << "there is no path";
    const std::vector<std::vector<successor::Word>> initial = system.initial_states();
    if (std::find(initial.begin(), initial.end(), path.front()) == initial.end())
        return ::testing::AssertionFailure() << "it does not begin with an initial state";
    for (std::size_t i = 1; i < path.size(); ++i) {
        const std::vector<successor::StepDetail> steps = system.steps(path[i - 1].data());
        if (std::none_of(steps.begin(), steps.end(), [&](const successor::StepDetail& s) {
                return s.fault == model::FaultKind::none && s.next == path[i];
            }))
            return ::testing::AssertionFailure() << "there is no step from its state " << i - 1 << " to the next";
    }
    return ::testing::AssertionSuccess();
}

std::vector<std::vector<successor::Word>> states_of(const std::optional<explore::PackedPath>& path) {
    std::vector<std::vector<successor::Word>> states;
    for (std::size_t i = 0; path && i < path->size(); ++i)
        states.emplace_back(path->state(i), path->state(i) + path->words());
    return states;
}

class Recorder : public PathObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(explore::SearchView& search, std::span<const explore::StateRef> fresh) override {
        if (calls_until_crash == 0) throw Crash();
        --calls_until_crash;
        // Where there is time for it, a checkpoint follows.
        if (random.chance(pause_percent)) std::this_thread::sleep_for(kOften);
        for (const explore::StateRef& found : fresh) order.push_back(search.system().decode(found.state));
        if (follows_paths) {
            const explore::StateRef& found = fresh[order.size() % fresh.size()];
            followed_.emplace_back(found.number, search.system().decode(found.state));
        }
        if (at_call) at_call();
        return true;
    }
    bool deadlock(explore::SearchView& search, const explore::StateRef& found) override {
        deadlocks.insert(search.system().decode(found.state));
        return true;
    }
    bool faulty(explore::SearchView& search, const explore::StateRef& source, model::TransitionId /*transition*/,
                model::FaultKind kind) override {
        faults.insert({search.system().decode(source.state), kind});
        return true;
    }
    void follow_paths(const explore::SearchResult& result) override {
        for (const auto& [number, values] : followed_) {
            const std::vector<std::vector<successor::Word>> path = states_of(result.paths->path_to(number, {}));
            ASSERT_TRUE(is_path(*result.system, path));
            EXPECT_EQ(result.system->decode(path.back().data()), values);
        }
    }
    [[nodiscard]] std::set<std::vector<model::Value>> states() const { return {order.begin(), order.end()}; }

    std::vector<std::vector<model::Value>> order;
    std::set<std::vector<model::Value>> deadlocks;
    std::multiset<std::pair<std::vector<model::Value>, model::FaultKind>> faults;
    std::uint64_t calls_until_crash = std::numeric_limits<std::uint64_t>::max();
    unsigned pause_percent = 0;
    RandomNumbers random{0};
    bool follows_paths = false;
    std::function<void()> at_call;

private:
    std::vector<std::pair<std::uint64_t, std::vector<model::Value>>> followed_;  // numbers and states
};

// The directory of a ledger, new for every search.
class LedgerFolder {
public:
    [[nodiscard]] std::string next() {
        std::filesystem::remove_all(path());
        ++number_;
        return path();
    }
    [[nodiscard]] std::string path() const { return folder_ / std::to_string(number_); }
    [[nodiscard]] std::string operator/(const std::string& name) const { return folder_ / name; }

private:
    ledger::sample::TemporaryDirectory folder_;
    std::uint64_t number_ = 0;
};

explore::SearchResult search_with_ledger(const std::shared_ptr<const successor::System>& system,
                                         explore::WalkOrder order, unsigned threads, const std::string& directory,
                                         PathObserver& observer, std::optional<unsigned> block_bits = std::nullopt,
                                         std::optional<std::uint64_t> thin_above = std::nullopt,
                                         std::uint64_t streamed_above = kNeverStreamed) {
    const std::unique_ptr<ledger::LedgerWriter> writer = create_ledger(directory, *system);
    explore::LedgerRun run{*writer};
    run.block_bits = block_bits;
    run.thin_above = thin_above;
    run.streamed_above = streamed_above;
    // A checkpoint on a slow machine would count its frontier as spilled.
    run.checkpoint_every = std::chrono::hours(1);
    explore::SearchSettings settings;
    settings.threads = threads;
    settings.alone_below = threads == 2 ? 0 : 8;
    settings.ledger = &run;
    explore::SearchResult result = explore::search(system, order, settings, observer);
    observer.follow_paths(result);
    return result;
}

// Every graph by one thread, some by several: they wait for each other after every few states.
std::vector<unsigned> thread_counts(std::uint64_t seed, std::uint64_t every = 40) {
    if (seed % every == 0) return {1, 2};
    if (seed % every == every / 2) return {1, 3};
    return {1};
}

// ---- comparisons ----------------------------------------------------------------------------------------------------

// What must agree between a search with a ledger and a plain breadth-first search.
void expect_counts_of_the_full_search(const explore::Statistics& mine, const explore::Statistics& full) {
    EXPECT_EQ(mine.states, full.states);
    EXPECT_EQ(mine.expanded, full.states);
    EXPECT_EQ(mine.transitions, full.transitions);
    EXPECT_EQ(mine.deadlocks, full.deadlocks);
    EXPECT_EQ(mine.faults, full.faults);
    EXPECT_EQ(mine.waiting, 0U);
}

void expect_figures(const explore::Statistics& mine, const reference::ExactFigures& figures) {
    EXPECT_EQ(mine.expanded, figures.expanded);
    EXPECT_EQ(mine.transitions, figures.transitions);
    EXPECT_EQ(mine.deadlocks, figures.deadlocks);
    EXPECT_EQ(mine.layers, figures.layers);
    EXPECT_EQ(mine.sweeps, figures.passes.size());
    EXPECT_EQ(mine.peak_states, figures.peak);
    EXPECT_EQ(mine.widest_layer, figures.widest_layer);
    EXPECT_EQ(mine.reread, figures.reread);
    EXPECT_EQ(mine.regress_edges, figures.regress_edges);
    std::vector<explore::SweepCount> passes;
    for (const reference::ExactPass& pass : figures.passes) passes.push_back({pass.peak, pass.expanded});
    EXPECT_EQ(mine.sweep_details, passes);
}

// The ledger of every search: each state once, with a step that leads to it from one that was written before.
void expect_ledger_of(const RandomGraph& graph, const std::set<std::vector<model::Value>>& reachable, bool by_level,
                      const std::string& directory) {
    const std::unique_ptr<ledger::LedgerReader> ledger = ledger::LedgerReader::open(directory);
    ledger->verify();
    std::vector<std::size_t> states;
    ledger->read(ledger::Stream::states, 0, ledger->states(), [&](const ledger::Records& records) {
        for (std::size_t i = 0; i < records.count; ++i) {
            std::uint16_t number = 0;
            std::memcpy(&number, records.bytes.data() + i * records.record_bytes, sizeof number);
            states.push_back(number);
        }
    });
    std::set<std::vector<model::Value>> distinct;
    for (const std::size_t state : states) distinct.insert({static_cast<model::Value>(state)});
    ASSERT_EQ(distinct.size(), states.size());
    ASSERT_EQ(distinct, reachable);
    std::vector<std::uint64_t> initials;
    ledger->read(ledger::Stream::parents, 0, ledger->states(), [&](const ledger::Records& records) {
        for (std::size_t i = 0; i < records.count; ++i) {
            const std::uint64_t number = records.first + i;
            const bool is_initial =
                std::find(graph.initials.begin(), graph.initials.end(), states[number]) != graph.initials.end();
            ASSERT_EQ(records.numbers[i] == number, is_initial) << "an initial state, and no other, is its own parent";
            if (is_initial) {
                initials.push_back(number);
                continue;
            }
            ASSERT_LT(records.numbers[i], number);
            ASSERT_EQ(graph.edges[states[records.numbers[i]]].at(records.tags[i]), states[number]);
        }
    });
    ASSERT_EQ(initials.size(), graph.initials.size());
    ASSERT_EQ(ledger->initial_states(), initials);
    if (by_level) return;
    const std::vector<std::uint64_t> pass_of = reference::exact_sweep(graph.edges, graph.keys, graph.initials).pass_of;
    for (std::uint64_t i = 0; i < ledger->extent_count(); ++i) {
        const ledger::Extent extent = ledger->extent(i);
        for (std::uint64_t n = extent.first; n < extent.first + extent.count; ++n) {
            ASSERT_EQ(extent.key, graph.keys[states[n]]);
            ASSERT_EQ(extent.pass, pass_of[states[n]]);
        }
    }
}

// ---- tests ----------------------------------------------------------------------------------------------------------

TEST(ExactSweep, GivesTheFiguresOfTheSpecificationOnRandomGraphs) {
    LedgerFolder folder;
    std::uint64_t several_passes = 0;
    std::uint64_t monotonic = 0;
    for (std::uint64_t seed = 0; seed < kGraphs; ++seed) {
        SCOPED_TRACE(seed);
        const RandomGraph graph = random_graph(seed);
        const reference::ExactFigures figures = reference::exact_sweep(graph.edges, graph.keys, graph.initials);
        Recorder all;
        const explore::SearchResult full =
            explore::search(system_of(graph), explore::WalkOrder::breadth_first, {}, all);
        for (const unsigned threads : thread_counts(seed)) {
            SCOPED_TRACE(threads);
            Recorder swept;
            const explore::SearchResult result =
                search_with_ledger(system_of(graph), explore::WalkOrder::sweep, threads, folder.next(), swept);
            ASSERT_TRUE(result.complete);
            EXPECT_FALSE(result.forgets);
            EXPECT_EQ(swept.order.size(), all.order.size()) << "a state is told of more than once, or not at all";
            EXPECT_EQ(swept.states(), all.states());
            EXPECT_EQ(swept.deadlocks, all.deadlocks);
            expect_counts_of_the_full_search(result.statistics, full.statistics);
            expect_figures(result.statistics, figures);
            expect_ledger_of(graph, all.states(), false, folder.path());
            ASSERT_FALSE(HasFailure());
        }
        several_passes += figures.passes.size() > 1;
        monotonic += figures.regress_edges == 0;
        ASSERT_TRUE(figures.regress_edges > 0 || figures.reread == 0);
    }
    EXPECT_GT(several_passes, kGraphs / 4);
    EXPECT_GT(monotonic, kGraphs / 10);
}

TEST(ExactSweep, NestedInBlocksGivesTheFiguresOfTheSpecification) {
    LedgerFolder folder;
    std::uint64_t reread = 0;
    std::uint64_t nested_reread = 0;
    for (std::uint64_t seed = 0; seed < kGraphs / 5; ++seed) {
        SCOPED_TRACE(seed);
        const RandomGraph graph = in_blocks(random_graph(seed), RandomNumbers(seed + 1), kBlockBits);
        const reference::ExactFigures figures =
            reference::nested_exact_sweep(graph.edges, graph.keys, blocks_of(graph, kBlockBits), graph.initials);
        Recorder all;
        const explore::SearchResult full =
            explore::search(system_of(graph), explore::WalkOrder::breadth_first, {}, all);
        for (const unsigned threads : thread_counts(seed)) {
            SCOPED_TRACE(threads);
            Recorder swept;
            const explore::SearchResult result = search_with_ledger(system_of(graph), explore::WalkOrder::sweep,
                                                                    threads, folder.next(), swept, kBlockBits);
            ASSERT_TRUE(result.complete);
            EXPECT_EQ(swept.states(), all.states());
            expect_counts_of_the_full_search(result.statistics, full.statistics);
            expect_figures(result.statistics, figures);
            ASSERT_FALSE(HasFailure());
        }
        nested_reread += figures.reread;
        reread += reference::exact_sweep(graph.edges, graph.keys, graph.initials).reread;
    }
    EXPECT_LT(nested_reread, reread);
}

TEST(ExactSweep, ExpandsEveryStateOnceWhenThinLayersWait) {
    LedgerFolder folder;
    std::uint64_t differ = 0;
    for (std::uint64_t seed = 0; seed < kGraphs / 2; ++seed) {
        SCOPED_TRACE(seed);
        const RandomGraph graph = random_graph(seed);
        const reference::ExactFigures figures = reference::exact_sweep(graph.edges, graph.keys, graph.initials);
        Recorder all;
        const explore::SearchResult full =
            explore::search(system_of(graph), explore::WalkOrder::breadth_first, {}, all);
        for (const unsigned threads : thread_counts(seed)) {
            SCOPED_TRACE(threads);
            Recorder swept;
            const explore::SearchResult result =
                search_with_ledger(system_of(graph), explore::WalkOrder::sweep, threads, folder.next(), swept,
                                   std::nullopt, seed % 5, seed % 2 == 0 ? kNeverStreamed : seed % 7);
            ASSERT_TRUE(result.complete);
            EXPECT_EQ(swept.order.size(), all.order.size()) << "a state is told of more than once, or not at all";
            EXPECT_EQ(swept.states(), all.states());
            EXPECT_EQ(swept.deadlocks, all.deadlocks);
            expect_counts_of_the_full_search(result.statistics, full.statistics);
            EXPECT_EQ(result.statistics.regress_edges, figures.regress_edges);
            differ += result.statistics.reread != figures.reread;
            ASSERT_FALSE(HasFailure());
        }
    }
    EXPECT_GT(differ, kGraphs / 100);  // in most of them no state stays open long enough
}

TEST(ExactSweep, ExpandsEveryStateOnceInTheSamePassesWhereKnownStatesAreStreamed) {
    LedgerFolder folder;
    std::uint64_t differ = 0;
    for (std::uint64_t seed = 0; seed < kGraphs / 2; ++seed) {
        SCOPED_TRACE(seed);
        const std::optional<unsigned> block_bits = seed % 3 == 0 ? std::optional(kBlockBits) : std::nullopt;
        const RandomGraph graph =
            block_bits ? in_blocks(random_graph(seed), RandomNumbers(seed + 1), kBlockBits) : random_graph(seed);
        const reference::ExactFigures figures =
            block_bits
                ? reference::nested_exact_sweep(graph.edges, graph.keys, blocks_of(graph, kBlockBits), graph.initials)
                : reference::exact_sweep(graph.edges, graph.keys, graph.initials);
        Recorder all;
        const explore::SearchResult full =
            explore::search(system_of(graph), explore::WalkOrder::breadth_first, {}, all);
        for (const unsigned threads : thread_counts(seed)) {
            SCOPED_TRACE(threads);
            Recorder swept;
            const explore::SearchResult result =
                search_with_ledger(system_of(graph), explore::WalkOrder::sweep, threads, folder.next(), swept,
                                   block_bits, std::nullopt, seed % 5);
            ASSERT_TRUE(result.complete);
            EXPECT_EQ(swept.order.size(), all.order.size()) << "a state is told of more than once, or not at all";
            EXPECT_EQ(swept.states(), all.states());
            expect_counts_of_the_full_search(result.statistics, full.statistics);
            EXPECT_EQ(result.statistics.regress_edges, figures.regress_edges);
            EXPECT_EQ(result.statistics.layers, figures.layers);
            EXPECT_LE(result.statistics.peak_states, figures.peak);
            ASSERT_EQ(result.statistics.sweeps, figures.passes.size());
            for (std::size_t i = 0; i < figures.passes.size(); ++i)
                EXPECT_EQ(result.statistics.sweep_details[i].expanded, figures.passes[i].expanded);
            differ += result.statistics.peak_states != figures.peak || result.statistics.reread != figures.reread;
            ASSERT_FALSE(HasFailure());
        }
    }
    EXPECT_GT(differ, kGraphs / 100);
}

TEST(ExactSweep, WithoutAMeasureIsTheBreadthFirstSearch) {
    LedgerFolder folder;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        SCOPED_TRACE(seed);
        const RandomGraph graph = random_graph(seed);
        Recorder all;
        const explore::SearchResult full =
            explore::search(system_of(graph), explore::WalkOrder::breadth_first, {}, all);
        for (const unsigned threads : thread_counts(seed)) {
            SCOPED_TRACE(threads);
            Recorder mine;
            const explore::SearchResult result =
                search_with_ledger(system_of(graph), explore::WalkOrder::breadth_first, threads, folder.next(), mine);
            ASSERT_TRUE(result.complete);
            EXPECT_EQ(mine.order.size(), all.order.size());
            EXPECT_EQ(mine.states(), all.states());
            EXPECT_EQ(mine.deadlocks, all.deadlocks);
            expect_counts_of_the_full_search(result.statistics, full.statistics);
            EXPECT_EQ(result.statistics.depth, full.statistics.depth);
            EXPECT_EQ(result.statistics.sweeps, 0U);
            EXPECT_EQ(result.statistics.layers, 1U);
            EXPECT_EQ(result.statistics.regress_edges, 0U);
            expect_ledger_of(graph, all.states(), true, folder.path());
            ASSERT_FALSE(HasFailure());
        }
    }
}

// Stops at the first state that was marked.
class Hunter final : public PathObserver {
public:
    explicit Hunter(std::vector<bool> marked) : marked_(std::move(marked)) {}
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(explore::SearchView& search, std::span<const explore::StateRef> fresh) override {
        const auto hit = std::find_if(fresh.begin(), fresh.end(), [&](const explore::StateRef& found) {
            return marked_[static_cast<std::size_t>(search.system().decode(found.state)[0])];
        });
        if (hit == fresh.end()) return true;
        take(search, *hit);
        return false;
    }
    void take(explore::SearchView& search, const explore::StateRef& found) {
        taken_.emplace(found.number, search.system().decode(found.state)[0]);
    }
    void follow_paths(const explore::SearchResult& result) override {
        if (!taken_) return;
        const std::vector<std::vector<successor::Word>> words = states_of(result.paths->path_to(taken_->first, {}));
        ASSERT_TRUE(is_path(*result.system, words));
        for (const std::vector<successor::Word>& state : words)
            path.push_back(static_cast<std::size_t>(result.system->decode(state.data())[0]));
        EXPECT_EQ(taken_->second, static_cast<model::Value>(path.back()));
    }

    std::vector<std::size_t> path;

private:
    std::vector<bool> marked_;
    std::optional<std::pair<std::uint64_t, model::Value>> taken_;  // number and state
};

// The same by a label that is false in one state.
class LabelHunter final : public PathObserver {
public:
    [[nodiscard]] std::span<const std::size_t> watched_labels() const override { return labels_; }
    bool label_is_false(explore::SearchView& search, const explore::StateRef& found, std::size_t /*label*/,
                        model::FaultKind fault) override {
        EXPECT_EQ(fault, model::FaultKind::none);
        hunter.take(search, found);
        return false;
    }
    void follow_paths(const explore::SearchResult& result) override { hunter.follow_paths(result); }

    Hunter hunter{{}};

private:
    std::vector<std::size_t> labels_{0};
};

std::uint64_t regress_edges_on(const RandomGraph& graph, const std::vector<std::size_t>& path) {
    std::uint64_t count = 0;
    for (std::size_t i = 1; i < path.size(); ++i) count += graph.keys[path[i]] < graph.keys[path[i - 1]];
    return count;
}

TEST(ExactSweep, WhatItStopsAtIsReachedWithTheFewestRegressEdgesAndHasTheLeastProgressOfThose) {
    LedgerFolder folder;
    std::uint64_t behind_regress_edges = 0;
    std::uint64_t unreachable = 0;
    for (std::uint64_t seed = 0; seed < 800; ++seed) {
        SCOPED_TRACE(seed);
        const RandomGraph graph = random_graph(seed);
        RandomNumbers random(seed + 7);
        std::vector<bool> marked(graph.edges.size());
        for (std::size_t count = 1 + random.below(3); count > 0; --count) marked[random.below(marked.size())] = true;
        const std::vector<std::uint64_t> distance =
            reference::regress_distance(graph.edges, graph.keys, graph.initials);
        // Fewest regress edges, then the least key, of all marked states.
        constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
        std::pair<std::uint64_t, std::uint64_t> best{kNone, 0};
        for (std::size_t s = 0; s < marked.size(); ++s)
            if (marked[s] && distance[s] != kNone) best = std::min(best, {distance[s], graph.keys[s]});
        const unsigned threads = thread_counts(seed).back();
        Hunter hunter(marked);
        const explore::SearchResult result =
            search_with_ledger(system_of(graph), explore::WalkOrder::sweep, threads, folder.next(), hunter,
                               std::nullopt, std::nullopt, seed % 2 == 0 ? kNeverStreamed : 0);
        ASSERT_EQ(result.complete, best.first == kNone);
        if (best.first == kNone) {
            ++unreachable;
            ASSERT_TRUE(hunter.path.empty());
            continue;
        }
        ASSERT_EQ(result.reason, support::StopReason::violation);
        ASSERT_TRUE(marked[hunter.path.back()]);
        ASSERT_EQ(regress_edges_on(graph, hunter.path), best.first);
        ASSERT_EQ(graph.keys[hunter.path.back()], best.second);
        behind_regress_edges += best.first > 0;

        const std::size_t target = hunter.path.back();
        LabelHunter by_label;
        const explore::SearchResult labelled = search_with_ledger(
            labelled_system_of(graph, target), explore::WalkOrder::sweep, threads, folder.next(), by_label);
        ASSERT_EQ(labelled.reason, support::StopReason::violation);
        ASSERT_EQ(by_label.hunter.path.back(), target);
        ASSERT_EQ(regress_edges_on(graph, by_label.hunter.path), best.first);
    }
    EXPECT_GT(behind_regress_edges, 40U);
    EXPECT_GT(unreachable, 40U);
}

TEST(ExactSweep, BreadthFirstAPathHasTheFewestSteps) {
    LedgerFolder folder;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        const RandomGraph graph = random_graph(seed);
        RandomNumbers random(seed + 7);
        std::vector<bool> marked(graph.edges.size());
        marked[random.below(marked.size())] = true;
        Hunter plain(marked);
        const explore::SearchResult full =
            explore::search(system_of(graph), explore::WalkOrder::breadth_first, {}, plain);
        plain.follow_paths(full);
        Hunter hunter(marked);
        const explore::SearchResult result = search_with_ledger(system_of(graph), explore::WalkOrder::breadth_first,
                                                                thread_counts(seed).back(), folder.next(), hunter);
        ASSERT_EQ(result.reason, full.reason);
        ASSERT_EQ(hunter.path.size(), plain.path.size());
    }
}

// Sweeps and breadth-first searches of a model with narrow fields, against the full search of the same model with wide
// fields.
void compare_model(const MeasuredModel& measured, std::uint64_t seed, LedgerFolder& folder, std::uint64_t& sweeps) {
    Recorder all;
    explore::SearchSettings limits;
    limits.states = 20'000;
    const explore::SearchResult full =
        explore::search(declared(measured.model, measured.key), explore::WalkOrder::breadth_first, limits, all);
    if (!full.complete) return;
    for (const explore::WalkOrder order : {explore::WalkOrder::sweep, explore::WalkOrder::breadth_first}) {
        explore::Statistics alone;
        for (const unsigned threads : thread_counts(seed, 10)) {
            SCOPED_TRACE(std::string(explore::to_string(order)) + " with " + std::to_string(threads) + " threads");
            Recorder mine;
            mine.follows_paths = true;
            const explore::SearchResult result =
                search_with_ledger(needs_repacking(measured.model, measured.key), order, threads, folder.next(), mine,
                                   std::nullopt, std::nullopt, seed % 2 == 0 ? kNeverStreamed : 0);
            ASSERT_TRUE(result.complete);
            EXPECT_EQ(mine.order.size(), all.order.size());
            EXPECT_EQ(mine.states(), all.states());
            EXPECT_EQ(mine.deadlocks, all.deadlocks);
            EXPECT_EQ(mine.faults, all.faults);
            expect_counts_of_the_full_search(result.statistics, full.statistics);
            const explore::Statistics& s = result.statistics;
            EXPECT_EQ(s.depth, order == explore::WalkOrder::breadth_first ? full.statistics.depth : 0);
            if (threads == 1) alone = s;
            EXPECT_EQ(std::tuple(s.layers, s.sweeps, s.peak_states, s.widest_layer, s.reread, s.regress_edges),
                      std::tuple(alone.layers, alone.sweeps, alone.peak_states, alone.widest_layer, alone.reread,
                                 alone.regress_edges));
            EXPECT_EQ(s.sweep_details, alone.sweep_details);
            if (::testing::Test::HasFailure()) return;
            ledger::LedgerReader::open(folder.path())->verify();
        }
        if (order == explore::WalkOrder::sweep) sweeps += alone.sweeps;
    }
}

TEST(ExactSweep, WidensThePackingUnderWay) {
    LedgerFolder folder;
    std::uint64_t sweeps = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        compare_model(spread_model(seed), seed, folder, sweeps);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(sweeps, 400U);
}

TEST(ExactSweep, LosesNothingWhereStepsSleep) {
    LedgerFolder folder;
    std::uint64_t sweeps = 0;
    std::uint64_t sleeping = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        const MeasuredModel measured = counting_processes(seed);
        const std::shared_ptr<const successor::System> system = declared(measured.model, measured.key);
        sleeping += system->commuting() != nullptr && system->commuting()->classes() > 0;
        compare_model(measured, seed, folder, sweeps);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(sweeps, 150U);
    EXPECT_GT(sleeping, 50U);
}

TEST(ExactSweep, AgreesWithTheFullSearchOnRandomDveModels) {
    LedgerFolder folder;
    std::uint64_t sweeps = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        const std::optional<MeasuredModel> measured = dve_model(seed);
        if (!measured) continue;
        compare_model(*measured, seed, folder, sweeps);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(sweeps, 60U);
}

// ---- interrupted searches -------------------------------------------------------------------------------------------

// Interrupts a search several times, by limits with a checkpoint and by crashes without one, and then lets it finish.
template <class MakeSystem>
explore::SearchResult run_with_interruptions(const MakeSystem& make_system, explore::WalkOrder order,
                                             const std::string& directory, RandomNumbers& random, std::uint64_t states,
                                             Attempts& attempts) {
    for (int i = random.between(1, 6); i > 0; --i) {
        explore::SearchSettings settings;
        settings.threads = random.chance(10) ? 2 + static_cast<unsigned>(random.below(2)) : 1;
        settings.alone_below = 0;
        Recorder recorder;
        if (random.chance(60)) settings.states = 1 + random.below(states);
        if (random.chance(60)) recorder.calls_until_crash = random.below(12);
        recorder.follows_paths = random.chance(20);
        recorder.random = RandomNumbers(random.next());
        const bool commits = random.chance(60);
        recorder.pause_percent = commits ? 40 : 0;
        const std::optional<explore::SearchResult> result =
            go_on(make_system, order, directory, settings, commits ? kOften : kOnlyAtTheEnd, recorder);
        if (!result) {
            ++attempts.crashes;
            continue;
        }
        EXPECT_EQ(result->complete, result->reason == support::StopReason::none);
        if (result->complete) return *result;
        EXPECT_EQ(result->reason, support::StopReason::states);
        ++attempts.limits;
    }
    Recorder recorder;
    explore::SearchSettings settings;
    settings.threads = random.chance(10) ? 2 + static_cast<unsigned>(random.below(2)) : 1;
    settings.alone_below = 0;
    return *go_on(make_system, order, directory, settings, kOnlyAtTheEnd, recorder);
}

TEST(ExactSweep, EndsWithTheSameFiguresHoweverOftenItIsInterrupted) {
    LedgerFolder folder;
    Attempts attempts;
    for (std::uint64_t seed = 0; seed < 250; ++seed) {
        SCOPED_TRACE(seed);
        const RandomGraph graph = random_graph(seed, 2000);
        const auto make_system = [&](const std::optional<successor::Layout>&) { return system_of(graph); };
        RandomNumbers random(seed + 11);
        Recorder all;
        const explore::SearchResult full =
            explore::search(system_of(graph), explore::WalkOrder::breadth_first, {}, all);
        const explore::SearchResult swept = run_with_interruptions(
            make_system, explore::WalkOrder::sweep, folder.next(), random, full.statistics.states, attempts);
        ASSERT_TRUE(swept.complete);
        expect_counts_of_the_full_search(swept.statistics, full.statistics);
        expect_figures(swept.statistics, reference::exact_sweep(graph.edges, graph.keys, graph.initials));
        expect_ledger_of(graph, all.states(), false, folder.path());
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(attempts.limits, 40U);
    EXPECT_GT(attempts.crashes, 100U);
}

TEST(ExactSweep, WithoutAMeasureEndsWithTheSameCountsHoweverOftenItIsInterrupted) {
    LedgerFolder folder;
    Attempts attempts;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        const RandomGraph graph = random_graph(seed, 2000);
        const auto make_system = [&](const std::optional<successor::Layout>&) { return system_of(graph); };
        RandomNumbers random(seed + 13);
        Recorder all;
        const explore::SearchResult full =
            explore::search(system_of(graph), explore::WalkOrder::breadth_first, {}, all);
        const explore::SearchResult mine = run_with_interruptions(
            make_system, explore::WalkOrder::breadth_first, folder.next(), random, full.statistics.states, attempts);
        ASSERT_TRUE(mine.complete);
        expect_counts_of_the_full_search(mine.statistics, full.statistics);
        // The most states in memory depend on the interruptions: a level that is resumed has fewer.
        EXPECT_EQ(mine.statistics.depth, full.statistics.depth);
        expect_ledger_of(graph, all.states(), true, folder.path());
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(attempts.limits, 10U);
    EXPECT_GT(attempts.crashes, 50U);
}

TEST(ExactSweep, AModelThatWidensIsResumedAsItIsPackedThen) {
    LedgerFolder folder;
    Attempts attempts;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        const MeasuredModel measured = seed % 2 == 0 ? spread_model(seed) : counting_processes(seed);
        const auto make_system = [&](const std::optional<successor::Layout>& layout) {
            return layout ? successor::make_interpreted_system(measured.model, {}, *layout, measured.key)
                          : needs_repacking(measured.model, measured.key);
        };
        RandomNumbers random(seed + 17);
        Recorder all;
        const explore::SearchResult full =
            explore::search(declared(measured.model, measured.key), explore::WalkOrder::breadth_first, {}, all);
        Recorder once;
        const explore::SearchResult uninterrupted = search_with_ledger(
            declared(measured.model, measured.key), explore::WalkOrder::sweep, 1, folder.next(), once);
        const explore::SearchResult swept = run_with_interruptions(
            make_system, explore::WalkOrder::sweep, folder.next(), random, full.statistics.states, attempts);
        ASSERT_TRUE(swept.complete);
        expect_counts_of_the_full_search(swept.statistics, full.statistics);
        const explore::Statistics& s = swept.statistics;
        const explore::Statistics& u = uninterrupted.statistics;
        EXPECT_EQ(std::tuple(s.layers, s.sweeps, s.peak_states, s.widest_layer, s.regress_edges),
                  std::tuple(u.layers, u.sweeps, u.peak_states, u.widest_layer, u.regress_edges));
        EXPECT_EQ(s.sweep_details, u.sweep_details);
        // Every state is in the ledger once: this search is complete at once, and has nothing to expand.
        Recorder nothing;
        const std::optional<explore::SearchResult> again =
            go_on(make_system, explore::WalkOrder::sweep, folder.path(), {}, kOnlyAtTheEnd, nothing);
        ASSERT_TRUE(again && again->complete);
        EXPECT_TRUE(nothing.order.empty());
        EXPECT_EQ(again->statistics.sweep_details, u.sweep_details);
        expect_counts_of_the_full_search(again->statistics, full.statistics);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(attempts.limits + attempts.crashes, 200U);
}

// Faults and deadlocks reported to an observer in two runs are those of one run.
TEST(ExactSweep, WhatWasToldBeforeACrashIsToldAgain) {
    LedgerFolder folder;
    std::uint64_t resumed = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE(seed);
        const std::optional<MeasuredModel> measured = dve_model(seed);
        if (!measured) continue;
        explore::SearchSettings limits;
        limits.states = 5'000;
        Recorder all;
        const explore::SearchResult full =
            explore::search(declared(measured->model, measured->key), explore::WalkOrder::breadth_first, limits, all);
        if (!full.complete) continue;
        const auto make_system = [&](const std::optional<successor::Layout>& layout) {
            return layout ? successor::make_interpreted_system(measured->model, {}, *layout, measured->key)
                          : needs_repacking(measured->model, measured->key);
        };
        RandomNumbers random(seed + 19);
        (void)folder.next();
        Recorder crashing;
        crashing.calls_until_crash = 1 + random.below(10);
        crashing.pause_percent = 50;
        const std::optional<explore::SearchResult> first =
            go_on(make_system, explore::WalkOrder::sweep, folder.path(), {}, kOften, crashing);
        resumed += first ? 0 : 1;
        Recorder second;
        const std::optional<explore::SearchResult> last =
            go_on(make_system, explore::WalkOrder::sweep, folder.path(), {}, kOnlyAtTheEnd, second);
        ASSERT_TRUE(last && last->complete);
        expect_counts_of_the_full_search(last->statistics, full.statistics);
        EXPECT_EQ(second.deadlocks.empty(), all.deadlocks.empty());
        EXPECT_EQ(second.faults.size(), all.faults.size());
        // One state stands for all that had the same fault by the same transition.
        for (const auto& fault : second.faults) EXPECT_GT(all.faults.count(fault), 0U);
        for (const std::vector<model::Value>& deadlock : second.deadlocks) EXPECT_GT(all.deadlocks.count(deadlock), 0U);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(resumed, 20U);
}

TEST(ExactSweep, ALedgerThatWasCopiedAtAnyMomentCanBeResumed) {
    LedgerFolder folder;
    const std::string copy = folder / "copy";
    std::uint64_t copies = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        const RandomGraph graph = random_graph(seed * 5, 2000);
        const auto make_system = [&](const std::optional<successor::Layout>&) { return system_of(graph); };
        const reference::ExactFigures figures = reference::exact_sweep(graph.edges, graph.keys, graph.initials);
        Recorder all;
        const explore::SearchResult full =
            explore::search(system_of(graph), explore::WalkOrder::breadth_first, {}, all);
        const std::shared_ptr<const successor::System> system = system_of(graph);
        const std::unique_ptr<ledger::LedgerWriter> writer = create_ledger(folder.next(), *system);
        explore::LedgerRun run{*writer};
        run.checkpoint_every = kOften;
        if (seed % 4 == 3) run.thin_above = 2;
        run.streamed_above = seed % 2 == 0 ? kNeverStreamed : 0;
        explore::SearchSettings settings;
        settings.ledger = &run;
        Recorder copying;
        copying.pause_percent = 50;
        RandomNumbers random(seed + 23);
        copying.at_call = [&] {
            if (copies >= (seed + 1) * 10 || !random.chance(30)) return;
            ++copies;
            writer->wait();
            std::filesystem::copy(folder.path(), copy, std::filesystem::copy_options::recursive);
            Recorder rest;
            const std::optional<explore::SearchResult> result =
                go_on(make_system, explore::WalkOrder::sweep, copy, {}, kOnlyAtTheEnd, rest,
                      {.thin_above = run.thin_above, .streamed_above = run.streamed_above});
            ASSERT_TRUE(result && result->complete);
            expect_counts_of_the_full_search(result->statistics, full.statistics);
            EXPECT_EQ(result->statistics.regress_edges, figures.regress_edges);
            if (seed % 2 == 0) expect_figures(result->statistics, figures);
            if (!run.thin_above)
                expect_ledger_of(graph, all.states(), false,
                                 copy);  // passes are not those of the specification otherwise
            std::filesystem::remove_all(copy);
        };
        ASSERT_TRUE(explore::search(system, explore::WalkOrder::sweep, settings, copying).complete);
        ASSERT_FALSE(HasFailure());
    }
    EXPECT_GT(copies, 100U);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

// A binary tree, with steps back, in layers at random: at times a large part of it is open. Or all in one layer.
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
    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        const std::uint32_t n = s.number[0];
        if (2 * n + 1 > nodes) return;
        emit(state(2 * n), "left");
        emit(state(2 * n + 1), "right");
        emit(state(n / 2 + 1), "back");
    }
    void describe(const State& s, successor::Description& d) const { d.value("number", s.number[0]); }
    std::array<std::uint32_t, 1> progress(const State& s) const {
        return {key_bits == 0 ? 0 : (s.number[0] * 2654435761U) >> (32U - key_bits)};
    }
};

std::shared_ptr<const successor::System> tree_system(unsigned tree_bits, unsigned key_bits) {
    auto shared = std::make_shared<successor::CppShared<Tree>>();
    shared->system = {(1U << tree_bits) - 1, key_bits};
    successor::Description first;
    first.restart(true);
    shared->system.describe(shared->system.initial(), first);
    shared->names = successor::Description::names_as_model(first);
    shared->own_progress = true;
    return std::make_shared<successor::CppSystem<Tree>>(shared);
}

#if !defined(__SANITIZE_ADDRESS__)  // which keeps freed memory
// Where memory does not suffice all the same, the search is resumed with a little more. Perhaps it is also interrupted
// after a number of states.
void sweep_with_little_memory(unsigned tree_bits, unsigned key_bits, unsigned threads, std::uint64_t states_a_run = 0,
                              std::uint64_t megabytes = 6) {
    const std::shared_ptr<const successor::System> system = tree_system(tree_bits, key_bits);
    const auto make_system = [&](const std::optional<successor::Layout>&) { return system; };
    LedgerFolder folder;
    PathObserver ignored;
    const explore::SearchResult roomy =
        search_with_ledger(system, explore::WalkOrder::sweep, 1, folder.next(), ignored);
    EXPECT_EQ(roomy.statistics.states, (1U << tree_bits) - 1);
    EXPECT_EQ(roomy.statistics.spilled, 0U);
    (void)folder.next();
    std::optional<explore::SearchResult> result;
    for (std::uint64_t run = 1; !result || (!result->complete && megabytes < 200); ++run) {
        explore::SearchSettings settings;
        settings.threads = threads;
        settings.alone_below = 0;
        const support::Budget budget({.memory = megabytes << 20U});
        settings.budget = &budget;
        if (states_a_run > 0) settings.states = run * states_a_run;
        result = go_on(make_system, explore::WalkOrder::sweep, folder.path(), settings, std::chrono::milliseconds(200),
                       ignored, {.streamed_above = 32});
        ASSERT_TRUE(result->complete || result->reason == support::StopReason::memory ||
                    (states_a_run > 0 && result->reason == support::StopReason::states));
        if (states_a_run > 0) {
            EXPECT_LE(result->statistics.states, 2 * roomy.statistics.states)
                << "what is open is not written again with every run";
        }
        if (result->reason == support::StopReason::memory) megabytes += 4;
    }
    expect_counts_of_the_full_search(result->statistics, roomy.statistics);
    EXPECT_GT(result->statistics.spilled, 0U);
    EXPECT_EQ(result->statistics.sweeps, roomy.statistics.sweeps);
    EXPECT_EQ(result->statistics.layers, roomy.statistics.layers);
    EXPECT_EQ(result->statistics.regress_edges, roomy.statistics.regress_edges);
    EXPECT_LE(result->statistics.peak_states, roomy.statistics.peak_states);
}

TEST(ExactSweep, LeavesWaitingStatesToTheLedgerWhenMemoryIsShort) { sweep_with_little_memory(18, 6, 1); }

TEST(ExactSweep, LeavesManySmallLayersToTheLedgerTogether) { sweep_with_little_memory(17, 11, 1); }

TEST(ExactSweep, FindsWhatWasLeftTogetherAgainWhenItIsResumed) { sweep_with_little_memory(15, 9, 2, 7000, 3); }

// Each checkpoint writes a batch for each of them, until they are spilled together, although there is enough memory.
TEST(ExactSweep, LeavesManySmallLayersTogetherWhenTheirBatchesAreMany) {
    sweep_with_little_memory(17, 16, 1, 30000, 150);
}

TEST(ExactSweep, CutsALayerThatMemoryIsTooShortFor) { sweep_with_little_memory(18, 0, 2); }
#endif

// Interrupts come while open states are read back from the ledger, since a look at the budget there is the first of a
// run that is resumed: nothing is expanded then, and nothing is lost.
TEST(ExactSweep, CanBeInterruptedWhileALayerIsLoaded) {
    for (const unsigned threads : {1U, 2U}) {
        const std::shared_ptr<const successor::System> system = tree_system(17, 0);
        const auto make_system = [&](const std::optional<successor::Layout>&) { return system; };
        LedgerFolder folder;
        PathObserver ignored;
        const explore::SearchResult full =
            search_with_ledger(system, explore::WalkOrder::sweep, 1, folder.next(), ignored);
        (void)folder.next();
        explore::SearchSettings settings;
        settings.threads = threads;
        settings.states = 90'000;
        explore::SearchResult result =
            *go_on(make_system, explore::WalkOrder::sweep, folder.path(), settings, kOnlyAtTheEnd, ignored);
        ASSERT_EQ(result.reason, support::StopReason::states);
        ASSERT_GT(result.statistics.waiting, 32'768U) << "large enough for the budget to be looked at";
        settings.states = std::nullopt;
        for (unsigned looks = 0; looks < 3; ++looks) {
            // Part of the memory that loading needs is not there: the states stay on disk until the line comes.
            std::atomic<unsigned> calls = 0;
            const support::Budget budget({.memory = std::uint64_t{8} << 20U}, [&] { return calls++ >= looks; });
            settings.budget = &budget;
            const std::uint64_t before = result.statistics.expanded;
            result = *go_on(make_system, explore::WalkOrder::sweep, folder.path(), settings, kOnlyAtTheEnd, ignored);
            EXPECT_EQ(result.reason, support::StopReason::interrupted);
            EXPECT_GT(result.statistics.waiting, 0U);
            if (looks == 0) {
                EXPECT_EQ(result.statistics.expanded, before);
            }
        }
        settings.budget = nullptr;
        result = *go_on(make_system, explore::WalkOrder::sweep, folder.path(), settings, kOnlyAtTheEnd, ignored);
        ASSERT_TRUE(result.complete);
        expect_counts_of_the_full_search(result.statistics, full.statistics);
    }
}

}  // namespace
}  // namespace tideline::differential
