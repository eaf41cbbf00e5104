// Laws that hold for every model, whatever it does: names, orders, unused declarations, the search and the packing of
// states make no difference. They are tested on the models of tests/models and on random ones.
#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>

#include "input/dve/parser.hpp"
#include "tests/conformance/census.hpp"
#include "tests/conformance/rewrite_dve.hpp"
#include "tests/differential/print_dve.hpp"
#include "tests/differential/random_dve.hpp"

namespace tideline::conformance {
namespace {

constexpr std::uint64_t kRandomModels = 300;

struct Subject {
    std::string name;
    std::string text;
    std::uint64_t seed = 0;
    input::LoadedModel loaded;
    Census census;
};

input::LoadedModel load_text(const std::string& text, const input::LoadOptions& options = {}) {
    support::Result<input::LoadedModel> loaded = input::load_model_text("model.dve", text, options);
    if (!loaded) throw std::runtime_error(support::to_text(loaded.diagnostics().front()) + "of\n" + text);
    return *std::move(loaded);
}

input::dve::Program parsed(const std::string& text) {
    support::Result<input::dve::Program> program = input::dve::parse(support::SourceText("model.dve", text));
    if (!program) throw std::runtime_error(support::to_text(program.diagnostics().front()) + "of\n" + text);
    return *std::move(program);
}

// Assertions are compared as a multiset: where processes are reordered, so are they.
Census comparable(Census census) {
    std::sort(census.failed.begin(), census.failed.end());
    return census;
}

class Laws : public testing::Test {
protected:
    static void SetUpTestSuite() {
        for (const std::filesystem::path& path : test_models()) {
            std::ostringstream text;
            text << std::ifstream(path).rdbuf();
            add(path.filename().string(), text.str(), subjects().size());
        }
        for (std::uint64_t seed = 0; seed < kRandomModels; ++seed)
            add("random model " + std::to_string(seed), differential::random_dve_model(seed), seed);
    }
    static void TearDownTestSuite() { subjects().clear(); }

    static std::vector<Subject>& subjects() {
        static std::vector<Subject> list;
        return list;
    }

    using Rewrite = std::function<void(input::dve::Program&, differential::RandomNumbers&)>;
    enum class Systems { all, asynchronous };

    // How many models count something else after the change.
    static int differences(const Rewrite& rewrite, Systems systems, bool report) {
        int different = 0;
        for (const Subject& subject : subjects()) {
            input::dve::Program program = parsed(subject.text);
            if (program.synchronous && systems == Systems::asynchronous) continue;
            differential::RandomNumbers numbers(subject.seed + 1);
            rewrite(program, numbers);
            const std::string changed = differential::to_dve_text(program);
            const Census after = comparable(census(load_text(changed), explore::WalkOrder::breadth_first));
            if (after == subject.census) continue;
            ++different;
            if (report)
                ADD_FAILURE() << subject.name << " had " << subject.census << ", has " << after << "\n"
                              << subject.text << "\nafter\n"
                              << changed;
        }
        return different;
    }

    static void expect_no_difference(const Rewrite& rewrite, Systems systems = Systems::all) {
        EXPECT_EQ(differences(rewrite, systems, true), 0);
    }

private:
    static void add(const std::string& name, const std::string& text, std::uint64_t seed) {
        input::LoadedModel loaded = load_text(text);
        const Census counted = comparable(census(loaded, explore::WalkOrder::breadth_first));
        subjects().push_back({name, text, seed, std::move(loaded), counted});
    }
};

TEST_F(Laws, AreTriedOnModelsOfManyKinds) {
    int faulty = 0, failing = 0, stopping = 0, large = 0;
    for (const Subject& subject : subjects()) {
        EXPECT_TRUE(subject.census.complete) << subject.name;
        faulty += !subject.census.faults.empty();
        failing += !subject.census.failed.empty() && subject.census.failed.back() > 0;
        stopping += subject.census.deadlocks > 0;
        large += subject.census.states > 50;
    }
    EXPECT_GT(faulty, 30);
    EXPECT_GT(failing, 30);
    EXPECT_GT(stopping, 30);
    EXPECT_GT(large, 100);
}

TEST_F(Laws, NoticeATransitionThatDoesMakeADifference) {
    EXPECT_GT(differences(add_live_transition, Systems::all, false), static_cast<int>(subjects().size() / 2));
}

TEST_F(Laws, RenamingEverythingChangesNothing) {
    expect_no_difference(
        [](input::dve::Program& program, differential::RandomNumbers&) { rename_everything(program); });
}

TEST_F(Laws, TheOrderOfProcessesDoesNotMatter) { expect_no_difference(reorder_processes, Systems::asynchronous); }

TEST_F(Laws, TheOrderOfDeclarationsDoesNotMatter) { expect_no_difference(reorder_declarations); }

TEST_F(Laws, TheOrderOfLocationsAndTransitionsDoesNotMatter) {
    expect_no_difference(reorder_locations_and_transitions);
}

TEST_F(Laws, ATransitionThatIsNeverEnabledChangesNothing) { expect_no_difference(add_dead_transition); }

TEST_F(Laws, VariablesThatNothingUsesChangeNothing) { expect_no_difference(add_unused_variables); }

TEST_F(Laws, AProcessThatDoesNothingChangesNothing) { expect_no_difference(add_idle_process, Systems::asynchronous); }

TEST_F(Laws, SearchAndPackingFindTheSameNumbers) {
    for (const Subject& subject : subjects())
        for (const explore::WalkOrder order : kOrders)
            for (const Packing packing : kPackings)
                EXPECT_EQ(comparable(census(subject.loaded, order, packing)), subject.census)
                    << subject.name << ", " << to_text(order) << ", " << to_text(packing) << "\n"
                    << subject.text;
}

TEST_F(Laws, SearchAndPackingVisitTheSameStates) {
    for (const Subject& subject : subjects()) {
        const auto expected = visited_states(subject.loaded, explore::WalkOrder::breadth_first, Packing::declared);
        EXPECT_EQ(expected.size(), subject.census.states);
        EXPECT_EQ(std::adjacent_find(expected.begin(), expected.end()), expected.end())
            << "a state twice in " << subject.name;
        for (const explore::WalkOrder order : kOrders)
            for (const Packing packing : kPackings)
                EXPECT_TRUE(visited_states(subject.loaded, order, packing) == expected)
                    << subject.name << ", " << to_text(order) << ", " << to_text(packing) << "\n"
                    << subject.text;
    }
}

TEST_F(Laws, WrappingChangesNothingWhereNoValueIsOutOfRange) {
    for (const Subject& subject : subjects()) {
        if (subject.census.faults_of("range") > 0) continue;
        const input::LoadedModel loaded = load_text(subject.text, {.wrap = true});
        EXPECT_EQ(comparable(census(loaded, explore::WalkOrder::breadth_first)), subject.census) << subject.name << "\n"
                                                                                                 << subject.text;
        EXPECT_TRUE(visited_states(loaded, explore::WalkOrder::breadth_first, Packing::observed) ==
                    visited_states(subject.loaded, explore::WalkOrder::breadth_first, Packing::observed))
            << subject.name << "\n"
            << subject.text;
    }
}

TEST_F(Laws, WrappingMakesADifferenceWhereAValueIsOutOfRange) {
    const std::string text =
        "byte b = 250; process P { state s; init s; trans s -> s { effect b = b + 1; }; } system async;";
    const Census faulty = census(load_text(text), explore::WalkOrder::breadth_first);
    EXPECT_EQ(faulty.states, 6u);
    EXPECT_EQ(faulty.faults_of("range"), 1u);
    const Census wrapped = census(load_text(text, {.wrap = true}), explore::WalkOrder::breadth_first);
    EXPECT_EQ(wrapped.states, 256u);
    EXPECT_TRUE(wrapped.faults.empty());
}

}  // namespace
}  // namespace tideline::conformance
