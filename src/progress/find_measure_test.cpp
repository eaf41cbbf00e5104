#include "progress/find_measure.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "input/load.hpp"
#include "progress/candidates.hpp"
#include "progress/certificate.hpp"
#include "progress/explanation.hpp"
#include "progress/linear_program.hpp"
#include "successor/native/native_system.hpp"

namespace tideline::progress {
namespace {

const support::Budget kUnlimited;

// A sender that counts up and two processes that go round.
constexpr const char* kCounting = R"(
byte sent = 0; byte got = 0; byte wire = 0; byte spins[2];
process Sender {
  state idle, busy, done;
  init idle;
  trans
    idle -> busy { guard sent < 30 and wire == 0; effect sent = sent + 1, wire = 1; },
    busy -> idle { guard wire == 0; },
    busy -> done { guard sent == 30 and wire == 0; };
}
process Receiver {
  state wait, have;
  init wait;
  trans
    wait -> have { guard wire == 1; effect got = got + 1; },
    have -> wait { effect wire = 0; };
}
process Spinner {
  state a, b, c;
  init a;
  trans
    a -> b { effect spins[0] = 1; },
    b -> c { effect spins[1] = 1; },
    c -> a { effect spins[0] = 0, spins[1] = 0; };
}
system async;
)";

// Two processes that go round and nothing else: no progress but within a round.
constexpr const char* kRound = R"(
byte turn = 0;
process P { state a, b; init a; trans a -> b { guard turn == 0; effect turn = 1; }, b -> a {}; }
process Q { state a, b; init a; trans a -> b { guard turn == 1; effect turn = 0; }, b -> a {}; }
system async;
)";

// Three processes that go round by themselves, and begin with a step that is never taken again.
constexpr const char* kThreeRounds = R"(
process P { state s, a, b, c, d; init s; trans s -> a {}, a -> b {}, b -> c {}, c -> d {}, d -> a {}; }
process Q { state s, a, b, c, d; init s; trans s -> a {}, a -> b {}, b -> c {}, c -> d {}, d -> a {}; }
process R { state s, a, b, c, d; init s; trans s -> a {}, a -> b {}, b -> c {}, c -> d {}, d -> a {}; }
system async;
)";

// An Aldebaran file. Its states are numbered at random: only edges show their order.
std::string explicit_system(std::size_t states, const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
    std::vector<std::size_t> number(states);
    std::iota(number.begin(), number.end(), std::size_t{0});
    std::shuffle(number.begin(), number.end(), std::mt19937_64(7));
    std::string text = fmt::format("des ({}, {}, {})\n", number[0], edges.size(), states);
    for (const auto& [from, to] : edges) text += fmt::format("({}, \"step\", {})\n", number[from], number[to]);
    return text;
}

std::shared_ptr<const model::Model> model_of(const std::string& text, const std::string& path = "m.dve") {
    const support::Result<input::LoadedModel> loaded = input::load_model_text(path, text, {});
    EXPECT_TRUE(loaded);
    return loaded->model;
}

std::shared_ptr<const successor::System> system_of(const std::shared_ptr<const model::Model>& model) {
    std::string notice;
    return successor::make_model_system(model, {}, successor::Layout::declared(*model), {},
                                        successor::Successors::interpret, kUnlimited, notice);
}

const support::Budget never;  // is exhausted

TEST(Pilot, HasAllStatesAndEdgesOfASmallSystem) {
    const auto model = model_of(kRound);
    const Pilot pilot = explore_pilot(*system_of(model), {}, never);
    EXPECT_TRUE(pilot.complete);
    // (P, Q, turn): a step of P or of Q from each of the six reachable ones where it is enabled.
    EXPECT_EQ(pilot.states, pilot.edge_ends.size());
    EXPECT_EQ(pilot.targets.size(), pilot.transitions.size());
    EXPECT_EQ(pilot.slots.size(), model->slot_count());
    for (const std::uint32_t target : pilot.targets) EXPECT_LT(target, pilot.states);
}

TEST(Column, HoldsNarrowAndWideValues) {
    constexpr model::Value kWide = model::Value{1} << 40U;
    Column column;
    EXPECT_TRUE(column.empty());
    column.assign(3, -7);
    EXPECT_EQ(column.values(), (std::vector<model::Value>{-7, -7, -7}));
    column.set(1, kWide);
    column.set(2, 5);
    EXPECT_EQ(column.values(), (std::vector<model::Value>{-7, kWide, 5}));
    EXPECT_EQ(column[1], kWide);
    Column wide;
    wide.assign(2, -kWide);
    EXPECT_EQ(wide.values(), (std::vector<model::Value>{-kWide, -kWide}));
}

TEST(Pilot, KeepsItsLimits) {
    const auto model = model_of(kCounting);
    PilotLimits limits;
    limits.states = 10;
    const Pilot pilot = explore_pilot(*system_of(model), limits, never);
    EXPECT_FALSE(pilot.complete);
    EXPECT_EQ(pilot.states, 10U);
    for (const std::uint32_t target : pilot.targets) EXPECT_LT(target, 10U);
    limits.states = 1000;
    limits.values = 5 * pilot.slots.size();
    EXPECT_EQ(explore_pilot(*system_of(model), limits, never).states, 5U);
}

TEST(Pilot, KeepsTheBudget) {
    const auto model = model_of(kCounting);
    const support::Budget interrupted({}, [] { return true; });
    const FoundMeasures found = find_measures(*model, *system_of(model), SweepKind::with_ledger, {}, interrupted);
    EXPECT_EQ(found.pilot.states, 0U);
    EXPECT_TRUE(found.measures.empty());
    EXPECT_TRUE(monotonic_chain(*model, std::vector<double>(model->transitions.size(), 1.0), {}, interrupted).empty());
}

TEST(Pilot, HasTheKeysOfTheSystemWhereAsked) {
    const auto model = model_of(kCounting);
    const support::Result<Measure> measure = parse_measure(*model, model->variables[0].name);
    ASSERT_TRUE(measure);
    std::string notice;
    const auto system = successor::make_model_system(model, {}, successor::Layout::declared(*model), measure->program,
                                                     successor::Successors::interpret, support::Budget(), notice);
    PilotLimits limits;
    EXPECT_TRUE(explore_pilot(*system, limits).keys.empty());
    limits.keys = true;
    const Pilot pilot = explore_pilot(*system, limits);
    ASSERT_EQ(pilot.keys.size(), pilot.states);
    const std::optional<Ranks> by_expression = ranks_of(pilot, *model, *measure, 0);
    Measure own;
    own.components.push_back("its own");
    const std::optional<Ranks> by_key = ranks_of(pilot, *model, own, 0);
    ASSERT_TRUE(by_expression && by_key);
    EXPECT_EQ(by_key->of, by_expression->of);
    EXPECT_EQ(by_key->count, by_expression->count);
}

TEST(LinearProgram, FindsCountersAndComponentsOfProcesses) {
    const auto model = model_of(kCounting);
    const std::vector<LinearComponent> chain =
        monotonic_chain(*model, std::vector<double>(model->transitions.size(), 1.0), {});
    ASSERT_FALSE(chain.empty());
    // The counters grow; the spinner's cycle does not matter.
    bool counts = false;
    for (const LinearComponent& component : chain)
        for (const auto& [slot, factor] : component.factors) counts = counts || factor > 0;
    EXPECT_TRUE(counts);
}

TEST(LinearProgram, FindsNothingInACircle) {
    const auto model = model_of(kRound);
    EXPECT_TRUE(monotonic_chain(*model, std::vector<double>(model->transitions.size(), 1.0), {}).empty());
}

TEST(FindMeasures, KeepsFewStatesOfASystemWithProgress) {
    const auto model = model_of(kCounting);
    const FoundMeasures found = find_measures(*model, *system_of(model), SweepKind::with_ledger, {}, never);
    ASSERT_FALSE(found.measures.empty());
    EXPECT_TRUE(found.pilot.complete);
    EXPECT_LT(found.measures[0].predicted_share, 0.2);
    EXPECT_EQ(found.measures[0].rating.expanded, found.pilot.states);
}

TEST(FindMeasures, GivesABasicSweepOnlyWhatIsCertified) {
    const auto model = model_of(kCounting);
    const FoundMeasures found = find_measures(*model, *system_of(model), SweepKind::basic, {}, never);
    ASSERT_FALSE(found.measures.empty());
    for (const RatedMeasure& rated : found.measures) {
        EXPECT_EQ(rated.monotonic, rated.measure.components.size());
        EXPECT_EQ(rated.rating.passes, 1U);
    }
    const auto round = model_of(kRound);
    EXPECT_TRUE(find_measures(*round, *system_of(round), SweepKind::basic, {}, never).measures.empty());
}

// The text of a measure gives the same keys, bit for bit: a run is resumed by it.
TEST(FindMeasures, AreTheSameWhenTheirTextIsRead) {
    for (const char* text : {kCounting, kRound, kThreeRounds}) {
        const auto model = model_of(text);
        const Pilot pilot = explore_pilot(*system_of(model), {}, never);
        for (const SweepKind kind : {SweepKind::with_ledger, SweepKind::without_ledger}) {
            for (const RatedMeasure& rated : find_measures(*model, *system_of(model), kind, {}, never).measures) {
                const support::Result<Measure> again = parse_measure(*model, measure_text(rated.measure));
                ASSERT_TRUE(again) << measure_text(rated.measure);
                EXPECT_EQ(again->components, rated.measure.components);
                ASSERT_EQ(again->program.components.size(), rated.measure.program.components.size());
                for (std::size_t i = 0; i < again->program.components.size(); ++i) {
                    EXPECT_EQ(again->program.components[i].low, rated.measure.program.components[i].low);
                    EXPECT_EQ(again->program.components[i].bits, rated.measure.program.components[i].bits);
                }
                EXPECT_EQ(ranks_of(pilot, *model, *again, 0)->of, ranks_of(pilot, *model, rated.measure, 0)->of);
            }
        }
    }
}

TEST(Candidates, AreAlsoVectorsOfWhatIsSummedUp) {
    const auto model = model_of(kThreeRounds);
    const Pilot pilot = explore_pilot(*system_of(model), {}, never);
    ASSERT_TRUE(pilot.complete);
    EXPECT_EQ(pilot.states, 125U);
    std::size_t by_component = 0;
    std::size_t by_location = 0;
    for (const Candidate& candidate : candidates(*model, pilot, pilot.states)) {
        if (candidate.components.size() == 1) continue;
        ASSERT_EQ(candidate.components.size(), 3U);  // the sum, P, Q
        const LinearComponent& sum = candidate.components[0];
        EXPECT_EQ(sum.weights.size() + sum.factors.size(), 3U);
        // The ranks extend the product order: where no part decreases from one state to another, neither do they.
        std::vector<std::vector<model::Value>> parts;
        for (const auto& [slot, weights] : sum.weights)
            parts.push_back(values_on(pilot, *model, {{{slot, weights}}, {}}, pilot.states));
        for (const auto& [slot, factor] : sum.factors)
            parts.push_back(values_on(pilot, *model, {{}, {{slot, factor}}}, pilot.states));
        for (std::uint32_t a = 0; a < pilot.states; ++a) {
            for (std::uint32_t b = 0; b < pilot.states; ++b) {
                const bool is_below =
                    std::all_of(parts.begin(), parts.end(),
                                [&](const std::vector<model::Value>& part) { return part[a] <= part[b]; });
                const bool is_same =
                    std::all_of(parts.begin(), parts.end(),
                                [&](const std::vector<model::Value>& part) { return part[a] == part[b]; });
                ASSERT_TRUE(!is_below || candidate.ranks[a] <= candidate.ranks[b]);
                ASSERT_EQ(is_same, candidate.ranks[a] == candidate.ranks[b]);
            }
        }
        const std::set<std::uint32_t> vectors(candidate.ranks.begin(), candidate.ranks.end());
        by_component += vectors.size() == 8;
        by_location += vectors.size() == 125;
    }
    EXPECT_EQ(by_component, 1U);
    EXPECT_GE(by_location, 1U);
}

TEST(FindMeasures, UseAVectorWhereThatKeepsFewerStates) {
    // Six processes that go to and fro, and six bits that change at any time: 64 vectors with 64 states each.
    std::string text = "byte bit[6];\n";
    std::string changes;
    for (int i = 0; i < 6; ++i) {
        text += fmt::format("process P{} {{ state a, b; init a; trans a -> b {{}}, b -> a {{}}; }}\n", i);
        changes += fmt::format("{} s -> s {{ effect bit[{}] = 1 - bit[{}]; }}", i == 0 ? "" : ",", i, i);
    }
    const auto model = model_of(text + "process Bits { state s; init s; trans" + changes + "; }\nsystem async;\n");
    const FoundMeasures found = find_measures(*model, *system_of(model), SweepKind::with_ledger, {}, never);
    ASSERT_FALSE(found.measures.empty());
    EXPECT_EQ(found.pilot.states, 4096U);
    // The sum of all six, and then five of them.
    EXPECT_EQ(found.measures[0].measure.components.size(), 6U);
    EXPECT_EQ(ranks_of(found.pilot, *model, found.measures[0].measure, 0)->count, 64U);
    // The sum alone has layers of 20 * 64 states.
    const support::Result<Measure> sum = parse_measure(*model, "0 - P0 - P1 - P2 - P3 - P4 - P5");
    const std::optional<Ranks> ranks = ranks_of(found.pilot, *model, *sum, 0);
    EXPECT_LT(found.measures[0].rating.peak, Rater(found.pilot).exact(*ranks, found.pilot.states).peak);
}

// The component graph of an explicit system is a certified measure.
TEST(FindMeasures, OrderTheComponentsOfAnExplicitSystem) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t s = 0; s < 400; ++s) {
        edges.emplace_back(s, s % 4 == 3 ? s - 3 : s + 1);  // circles of four
        if (s + 4 < 400) edges.emplace_back(s, s + 4);
    }
    const auto model = model_of(explicit_system(400, edges), "m.aut");
    for (const SweepKind kind : {SweepKind::with_ledger, SweepKind::without_ledger, SweepKind::basic}) {
        const FoundMeasures found = find_measures(*model, *system_of(model), kind, {}, never);
        ASSERT_FALSE(found.measures.empty());
        EXPECT_TRUE(found.pilot.complete);
        EXPECT_GE(found.measures[0].monotonic, 1U);
        EXPECT_EQ(found.measures[0].rating.expanded, 400U);
        EXPECT_LE(found.measures[0].rating.peak, 8U);
    }
}

// One that is strongly connected is ordered along a spanning tree.
TEST(FindMeasures, OrderAStronglyConnectedSystemAlongATree) {
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t s = 0; s < 400; ++s) {
        edges.emplace_back(s, (s + 1) % 400);
        edges.emplace_back(s, std::min<std::size_t>(s + 3, 399));
    }
    const auto model = model_of(explicit_system(400, edges), "m.aut");
    for (const SweepKind kind : {SweepKind::with_ledger, SweepKind::without_ledger}) {
        const FoundMeasures found = find_measures(*model, *system_of(model), kind, {}, never);
        ASSERT_FALSE(found.measures.empty());
        EXPECT_EQ(found.measures[0].monotonic, 0U);
        EXPECT_LE(found.measures[0].rating.peak, 8U);
        EXPECT_LE(found.measures[0].rating.passes, 2U);
    }
    EXPECT_TRUE(find_measures(*model, *system_of(model), SweepKind::basic, {}, never).measures.empty());
}

TEST(FindMeasures, RatesAGivenOneFirst) {
    const auto model = model_of(kCounting);
    const support::Result<Measure> given = parse_measure(*model, "0 - got");
    const FoundMeasures found = find_measures(*model, *system_of(model), SweepKind::with_ledger, {}, never, &*given);
    ASSERT_GT(found.measures.size(), 1U);
    EXPECT_EQ(found.measures[0].measure.components, given->components);
    EXPECT_GT(found.measures[0].rating.passes, 10U);
}

TEST(Explanation, CountsWhereTransitionsGo) {
    const auto model = model_of(kCounting);
    const Pilot pilot = explore_pilot(*system_of(model), {}, never);
    const support::Result<Measure> measure = parse_measure(*model, "Spinner");
    const std::vector<Flow> all = flows(pilot, *ranks_of(pilot, *model, *measure, 0));
    ASSERT_FALSE(all.empty());
    // Only c -> a goes back, always; a -> b and b -> c go forward.
    EXPECT_GT(all[0].back, 0U);
    EXPECT_EQ(all[0].forward + all[0].level, 0U);
    std::uint64_t forward = 0;
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_EQ(all[i].back, 0U);
        forward += all[i].forward > 0;
    }
    EXPECT_EQ(forward, 2U);
}

}  // namespace
}  // namespace tideline::progress
