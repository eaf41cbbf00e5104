#include "explore/paths.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explore/search.hpp"
#include "ledger/sample_ledger.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::explore {
namespace {

using namespace model::examples;

// Packed as if only the initial values had ever been seen, so that every search needs repacking.
std::shared_ptr<const successor::System> needs_repacking(const model::Model& model) {
    std::vector<model::Range> seen;
    for (const model::Value value : model.initial) seen.push_back({value, value});
    return successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                              successor::Layout::observed(model, seen));
}

// Notes the number of every state, and for a depth-first search the path to it.
class Numbers final : public SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(SearchView& search, std::span<const StateRef> discovered) override {
        for (const StateRef& found : discovered) {
            states[found.number] = search.system().decode(found.state);
            if (std::optional<PackedPath> path = search.current_path(budget)) {
                EXPECT_EQ(path->system->decode(path->state(path->size() - 1)), search.system().decode(found.state));
                paths.push_back(std::move(*path));
            }
        }
        return true;
    }
    support::Budget budget;
    std::map<std::uint64_t, std::vector<model::Value>> states;
    std::vector<PackedPath> paths;
};

void expect_run(const PackedPath& path) {
    const successor::System& system = *path.system;
    const std::vector<std::vector<successor::Word>> initial = system.initial_states();
    EXPECT_EQ(std::count(initial.begin(), initial.end(), std::vector(path.state(0), path.state(1))), 1);
    ASSERT_EQ(path.transitions.size() + 1, path.size());
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const std::vector<successor::StepDetail> steps = system.steps(path.state(i));
        EXPECT_TRUE(std::any_of(steps.begin(), steps.end(),
                                [&](const successor::StepDetail& step) {
                                    return step.transition == path.transitions[i] &&
                                           std::equal(step.next.begin(), step.next.end(), path.state(i + 1),
                                                      path.state(i + 2));
                                }))
            << "step " << i;
    }
}

void expect_paths_to_all(const SearchResult& result, const Numbers& numbers) {
    ASSERT_NE(result.paths, nullptr);
    EXPECT_EQ(numbers.states.size(), result.statistics.states);
    const support::Budget budget;
    for (const auto& [number, values] : numbers.states) {
        const std::optional<PackedPath> path = result.paths->path_to(number, budget);
        ASSERT_TRUE(path);
        expect_run(*path);
        EXPECT_EQ(path->system->decode(path->state(path->size() - 1)), values);
    }
    bool is_interrupted = false;
    const support::Budget exhausted({}, [&] { return is_interrupted; });
    const std::uint64_t last = numbers.states.rbegin()->first;
    EXPECT_TRUE(result.paths->path_to(last, exhausted));
    is_interrupted = true;
    EXPECT_FALSE(result.paths->path_to(last, exhausted)) << "evidence ends with the budget";
    EXPECT_FALSE(
        result.paths->path_to(last, support::Budget({.memory = 0, .disk = {}, .time = std::chrono::nanoseconds(1)})));
}

TEST(Paths, AreThereAfterABreadthFirstSearch) {
    Numbers numbers;
    const SearchResult result = search(needs_repacking(two_counters(30)), WalkOrder::breadth_first, {}, numbers);
    expect_paths_to_all(result, numbers);
}

TEST(Paths, AreThereAfterASearchWithALedger) {
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::sweep}) {
        const ledger::sample::TemporaryDirectory directory;
        const std::shared_ptr<const successor::System> system = needs_repacking(two_counters(30));
        const std::unique_ptr<ledger::LedgerWriter> writer = ledger::LedgerWriter::create(
            directory / "ledger",
            ledger_header(*system, Recorded::tree, "{\"packing\": " + packing_description(*system) + "}"));
        LedgerRun run{*writer};
        SearchSettings settings;
        settings.ledger = &run;
        Numbers numbers;
        const SearchResult result = search(system, order, settings, numbers);
        expect_paths_to_all(result, numbers);
    }
}

TEST(Paths, AreNotKeptWhereNobodyWantsThem) {
    Numbers numbers;
    SearchSettings settings;
    settings.paths = false;
    EXPECT_EQ(search(needs_repacking(two_counters(3)), WalkOrder::breadth_first, settings, numbers).paths, nullptr);
    EXPECT_TRUE(numbers.paths.empty());
}

TEST(Paths, OfADepthFirstSearchAreCopiedWhileItRuns) {
    Numbers numbers;
    const SearchResult result = search(needs_repacking(two_counters(12)), WalkOrder::depth_first, {}, numbers);
    EXPECT_EQ(result.paths, nullptr);
    EXPECT_EQ(numbers.paths.size(), result.statistics.states);
    const support::Budget budget;
    for (PackedPath& path : numbers.paths) {
        ASSERT_TRUE(find_transitions(path, budget));
        expect_run(path);  // with the packing of its time
    }
    const support::Budget none({}, [] { return true; });
    PackedPath& longest =
        *std::max_element(numbers.paths.begin(), numbers.paths.end(),
                          [](const PackedPath& a, const PackedPath& b) { return a.size() < b.size(); });
    ASSERT_GT(longest.size(), 20U);
    EXPECT_FALSE(find_transitions(longest, none));
    EXPECT_TRUE(longest.transitions.empty());
}

}  // namespace
}  // namespace tideline::explore
