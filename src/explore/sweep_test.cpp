#include "explore/sweep.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "explore/search.hpp"
#include "model/example_models.hpp"
#include "successor/cpp/cpp_system.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "support/memory.hpp"

namespace tideline::explore {
namespace {

using namespace model::examples;

class Recorder : public SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(SearchView& search, std::span<const StateRef> discovered) override {
        EXPECT_FALSE(search.current_path({})) << "a sweep knows no paths";
        for (const StateRef& found : discovered) order.push_back(search.system().decode(found.state));
        return order.size() < stop_at;
    }
    bool deadlock(SearchView& search, const StateRef& found) override {
        deadlocks.push_back(search.system().decode(found.state));
        return true;
    }
    bool faulty(SearchView& search, const StateRef& source, model::TransitionId, model::FaultKind kind) override {
        faults.emplace_back(search.system().decode(source.state), kind);
        return true;
    }
    [[nodiscard]] std::set<std::vector<model::Value>> states() const { return {order.begin(), order.end()}; }

    std::vector<std::vector<model::Value>> order;
    std::vector<std::vector<model::Value>> deadlocks;
    std::vector<std::pair<std::vector<model::Value>, model::FaultKind>> faults;
    std::size_t stop_at = SIZE_MAX;
};

successor::KeyProgram by(model::Expression expression, model::Value low, unsigned bits) {
    return {{{std::move(expression), low, bits}}};
}

std::shared_ptr<const successor::System> declared(const model::Model& model, successor::KeyProgram key) {
    return successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                              successor::Layout::declared(model), std::move(key));
}

// Packed as if only the initial values had ever been seen, so that every search needs repacking.
std::shared_ptr<const successor::System> needs_repacking(const model::Model& model, successor::KeyProgram key) {
    std::vector<model::Range> seen;
    for (const model::Value value : model.initial) seen.push_back({value, value});
    return successor::make_interpreted_system(std::make_shared<const model::Model>(model), {},
                                              successor::Layout::observed(model, seen), std::move(key));
}

model::Expression plus(const model::Expression& a, const model::Expression& b) {
    return model::Expression::binary(model::Op::add, a, b);
}

// A random graph whose node numbers are spread over a wide range, with a random measure in a table. No edge leads to an
// earlier block; the measure has the block above three bits.
model::Model random_model(std::uint64_t seed, std::size_t blocks = 1) {
    std::mt19937_64 random(seed);
    model::Model model;
    const model::VariableId node = add_scalar(model, "node", {0, 1000000}, 0);
    const std::size_t n = 5 + random() % 60;
    std::vector<model::Value> value{0};
    for (std::size_t i = 1; i < n; ++i)
        value.push_back(value.back() + 1 + static_cast<model::Value>(random() % (i < n / 2 ? 3 : 3000)));
    std::vector<model::Value> progress(static_cast<std::size_t>(value.back()) + 1);
    const auto block_of = [&](std::size_t i) { return i * blocks / n; };
    for (std::size_t i = 0; i < n; ++i)
        progress[static_cast<std::size_t>(value[i])] = static_cast<model::Value>(8 * block_of(i) + random() % 5);
    model.tables.push_back({"progress", std::move(progress), true, std::nullopt});
    for (std::size_t from = 0; from < n; ++from) {
        for (std::size_t degree = random() % 4; degree > 0; --degree) {
            model::Transition transition;
            transition.guards.push_back(
                model::Expression::binary(model::Op::equal, model.read(node), number(value[from])));
            std::size_t to = random() % n;
            while (block_of(to) < block_of(from)) to = random() % n;
            transition.effects.emplace_back(assign(node, number(value[to])));
            model.add_transition(transition);
        }
    }
    return model;
}

TEST(Sweep, WidensThePackingUnderWayWithoutLosingPersistentOrWaitingStates) {
    std::uint64_t persistent = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        SCOPED_TRACE(seed);
        const model::Model model = random_model(seed);
        const successor::KeyProgram key = by(model::Expression::table(0, model.read(0)), 0, 3);
        Recorder all;
        (void)search(declared(model, key), WalkOrder::sweep, {}, all);
        Recorder with_wider_fields;
        const SearchResult wide = search(declared(model, key), WalkOrder::sweep, {}, all);
        const SearchResult result = search(needs_repacking(model, key), WalkOrder::sweep, {}, with_wider_fields);
        ASSERT_TRUE(result.complete);
        ASSERT_FALSE(result.paths) << "a sweep knows no paths";
        ASSERT_EQ(with_wider_fields.states(), all.states());
        ASSERT_EQ(result.statistics.expanded, wide.statistics.expanded);
        ASSERT_EQ(result.statistics.persistent, wide.statistics.persistent);
        ASSERT_EQ(result.statistics.peak_states, wide.statistics.peak_states);
        ASSERT_EQ(result.statistics.regress_edges, wide.statistics.regress_edges);
        ASSERT_EQ(result.statistics.sweep_details, wide.statistics.sweep_details);
        ASSERT_EQ(result.statistics.waiting, 0U);
        persistent += result.statistics.persistent;
    }
    EXPECT_GT(persistent, 1000U);
}

TEST(Sweep, WidensThePackingInsideABlockAndForgetsTheBlock) {
    std::uint64_t dropped = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        const model::Model model = random_model(seed, 4);
        const successor::KeyProgram key = by(model::Expression::table(0, model.read(0)), 0, 5);
        Recorder all;
        const SearchResult unnested = search(declared(model, key), WalkOrder::sweep, {}, all);
        SearchSettings settings;
        settings.block_bits = 3;
        Recorder ignored;
        const Statistics wide = search(declared(model, key), WalkOrder::sweep, settings, ignored).statistics;
        for (const unsigned threads : {1U, 2U}) {
            if (threads > 1 && seed % 8 != 0) continue;
            settings.threads = threads;
            settings.alone_below = seed % 3 == 0 ? 0 : 1U << (seed % 5);
            Recorder with_wider_fields;
            const SearchResult result =
                search(needs_repacking(model, key), WalkOrder::sweep, settings, with_wider_fields);
            ASSERT_TRUE(result.complete);
            ASSERT_EQ(with_wider_fields.states(), all.states());
            const Statistics& mine = result.statistics;
            ASSERT_EQ(
                std::tuple(mine.expanded, mine.persistent, mine.peak_states, mine.regress_edges, mine.layers,
                           mine.waiting),
                std::tuple(wide.expanded, wide.persistent, wide.peak_states, wide.regress_edges, wide.layers, 0U));
            ASSERT_EQ(mine.sweep_details, wide.sweep_details);
        }
        dropped += unnested.statistics.persistent - wide.persistent;
    }
    EXPECT_GT(dropped, 100U);
}

TEST(Sweep, CountsLayersPeakAndWidestLayerOfAGrid) {
    const model::Model model = two_counters(9);
    Recorder recorder;
    const SearchResult result =
        search(declared(model, by(plus(model.read(0), model.read(1)), 0, 5)), WalkOrder::sweep_basic, {}, recorder);
    ASSERT_TRUE(result.complete);
    EXPECT_TRUE(result.forgets);
    EXPECT_EQ(result.statistics.states, 100U);
    EXPECT_EQ(result.statistics.expanded, 100U);
    EXPECT_EQ(result.statistics.transitions, 180U);
    EXPECT_EQ(result.statistics.layers, 19U);
    EXPECT_EQ(result.statistics.widest_layer, 10U);
    EXPECT_EQ(result.statistics.peak_states, 19U);
    EXPECT_EQ(result.statistics.sweeps, 1U);
    EXPECT_EQ(result.statistics.sweep_details, (std::vector<SweepCount>{{19, 100}}));
    EXPECT_EQ(recorder.deadlocks, (std::vector<std::vector<model::Value>>{{9, 9}}));
}

TEST(Sweep, NegativeValuesOfAMeasureComeFirst) {
    model::Model model;
    const model::VariableId x = add_scalar(model, "x", {-20, 20}, -20);
    model.add_transition(count(model, x, 1, 20));
    Recorder recorder;
    const SearchResult result =
        search(declared(model, by(model.read(x), -20, 6)), WalkOrder::sweep_basic, {}, recorder);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.statistics.states, 41U);
    EXPECT_EQ(result.statistics.regress_edges, 0U);
    // The same backwards: every step is a regress edge, and a sweep finds one new state.
    const model::Expression backwards = model::Expression::unary(model::Op::negate, model.read(x));
    Recorder back;
    const SearchResult reversed = search(declared(model, by(backwards, -20, 6)), WalkOrder::sweep, {}, back);
    EXPECT_TRUE(reversed.complete);
    EXPECT_EQ(back.states(), recorder.states());
    EXPECT_EQ(reversed.statistics.sweeps, 41U);
    EXPECT_EQ(reversed.statistics.persistent, 40U);
    EXPECT_EQ(reversed.statistics.expanded, 41U);
}

TEST(Sweep, BasicStopsAtTheFirstStepBackAndTellsIt) {
    const model::Model model = two_counters(5);
    Recorder recorder;
    const SearchResult result =
        search(declared(model, by(model::Expression::binary(model::Op::subtract, model.read(0), model.read(1)), -5, 4)),
               WalkOrder::sweep_basic, {}, recorder);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.reason, support::StopReason::against_order);
    ASSERT_TRUE(result.offending);
    EXPECT_EQ(result.offending->from_values, (std::vector<model::Value>{0}));
    EXPECT_EQ(result.offending->to_values, (std::vector<model::Value>{-1}));
    EXPECT_EQ(result.system->decode(result.offending->to.data()), (std::vector<model::Value>{0, 1}));
}

TEST(Sweep, AMeasureWithoutAValueEndsTheSearchAtTheStep) {
    const model::Model model = two_counters(5);
    const auto inverse_of = [&](model::Value root) {
        const model::Expression distance = model::Expression::binary(model::Op::subtract, model.read(0), number(root));
        return by(model::Expression::binary(model::Op::divide, number(10), distance), -10, 5);
    };
    for (const WalkOrder order : {WalkOrder::sweep, WalkOrder::sweep_basic}) {
        Recorder recorder;
        const SearchResult first = search(declared(model, inverse_of(0)), order, {}, recorder);
        EXPECT_EQ(first.reason, support::StopReason::no_key);
        EXPECT_TRUE(first.offending && first.offending->to.empty()) << "the initial state itself";
        EXPECT_TRUE(recorder.order.empty());
    }
    Recorder recorder;
    const SearchResult later = search(needs_repacking(model, inverse_of(3)), WalkOrder::sweep, {}, recorder);
    EXPECT_FALSE(later.complete);
    EXPECT_EQ(later.reason, support::StopReason::no_key);
    ASSERT_TRUE(later.offending);
    EXPECT_EQ(later.system->decode(later.offending->from.data())[0], 2);
    EXPECT_EQ(later.system->decode(later.offending->to.data())[0], 3);
}

TEST(Sweep, ReportsFaultsAndDeadlocksWithStatesThatAreStillThere) {
    model::Model model = two_counters(4);
    model::Transition faulty;
    faulty.guards.push_back(model::Expression::binary(model::Op::equal, plus(model.read(0), model.read(1)), number(8)));
    faulty.effects.emplace_back(assign(0, number(99)));
    model.add_transition(faulty);
    Recorder recorder;
    const SearchResult result =
        search(declared(model, by(plus(model.read(0), model.read(1)), 0, 4)), WalkOrder::sweep, {}, recorder);
    EXPECT_TRUE(result.complete);
    ASSERT_EQ(recorder.faults.size(), 1U);
    EXPECT_EQ(recorder.faults[0].first, (std::vector<model::Value>{4, 4}));
    EXPECT_EQ(recorder.faults[0].second, model::FaultKind::range);
    EXPECT_TRUE(recorder.deadlocks.empty()) << "a faulty step is a step";
    EXPECT_EQ(result.statistics.faults, 1U);
}

TEST(Sweep, AnObserverMayEndItAtAnyState) {
    const model::Model model = two_counters(9);
    for (std::size_t stop = 1; stop <= 100; stop += 9) {
        Recorder recorder;
        recorder.stop_at = stop;
        const SearchResult result =
            search(declared(model, by(plus(model.read(0), model.read(1)), 0, 5)), WalkOrder::sweep, {}, recorder);
        EXPECT_FALSE(result.complete);
        EXPECT_EQ(result.reason, support::StopReason::violation);
        EXPECT_GE(recorder.order.size(), stop);
    }
}

// Counts up to `limit`, in layers of `width` states; from the end back to the beginning where it is a ring.
struct Chain {
    std::uint32_t limit = 0;
    std::uint32_t width = 1;
    bool ring = false;
    bool falling = false;  // the measure goes down

    struct State {
        std::uint32_t n;
    };
    State initial() const { return {0}; }
    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        if (s.n < limit) emit(State{s.n + 1}, "up");
        if (s.n == limit && ring) emit(State{0}, "home");
    }
    void describe(const State& s, successor::Description& d) const { d.value("n", s.n); }
    std::array<std::uint32_t, 1> progress(const State& s) const { return {falling ? limit - s.n : s.n / width}; }
};

std::shared_ptr<const successor::System> system_of(const Chain& chain) {
    auto shared = std::make_shared<successor::CppShared<Chain>>();
    successor::Description first;
    first.restart(true);
    chain.describe(chain.initial(), first);
    shared->system = chain;
    shared->names = successor::Description::names_as_model(first);
    shared->own_progress = true;
    return std::make_shared<successor::CppSystem<Chain>>(shared);
}

TEST(Sweep, ManyTinyLayersAreFastAndSmall) {
    SearchObserver observer;
    const std::uint64_t before = support::resident_memory();
    const auto start = std::chrono::steady_clock::now();
    const SearchResult result = search(system_of({200000}), WalkOrder::sweep_basic, {}, observer);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.statistics.states, 200001U);
    EXPECT_EQ(result.statistics.layers, 200001U);
    EXPECT_EQ(result.statistics.peak_states, 2U);
#if !defined(__SANITIZE_ADDRESS__)  // which keeps what was freed
    EXPECT_LT(support::resident_memory(), before + (std::uint64_t{20} << 20U));
#endif
    (void)before;
}

TEST(Sweep, AsManySweepsAsStatesAreFastToo) {
    Chain chain{100000};
    chain.falling = true;
    SearchObserver observer;
    const auto start = std::chrono::steady_clock::now();
    const SearchResult result = search(system_of(chain), WalkOrder::sweep, {}, observer);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.statistics.sweeps, 100001U);
    EXPECT_EQ(result.statistics.layers, 100001U);
    EXPECT_EQ(result.statistics.expanded, 100001U);
    EXPECT_EQ(result.statistics.persistent, 100000U);
}

TEST(Sweep, OneHugeLayerIsTheWholeStateSpace) {
    SearchObserver observer;
    const SearchResult result = search(system_of({200000, 1000000}), WalkOrder::sweep, {}, observer);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.statistics.states, 200001U);
    EXPECT_EQ(result.statistics.layers, 1U);
    EXPECT_EQ(result.statistics.widest_layer, 200001U);
    EXPECT_EQ(result.statistics.peak_states, 200001U);
}

TEST(Sweep, TellsEverySweepApart) {
    SearchObserver observer;
    const SearchResult result = search(system_of({99, 10, true}), WalkOrder::sweep, {}, observer);
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.statistics.sweeps, 2U);
    EXPECT_EQ(result.statistics.persistent, 1U);
    EXPECT_EQ(result.statistics.regress_edges, 2U);
    EXPECT_EQ(result.statistics.expanded, 200U);
    EXPECT_EQ(result.statistics.layers, 10U);
    EXPECT_EQ(result.statistics.sweep_details, (std::vector<SweepCount>{{11, 100}, {12, 100}}));
    EXPECT_EQ(result.statistics.waiting, 0U);
}

TEST(Sweep, TheWidestLayerIsKnownAlsoWhereTheSearchStopsOnIt) {
    Recorder recorder;
    recorder.stop_at = 50;
    const SearchResult result = search(system_of({100000, 1000000}), WalkOrder::sweep, {}, recorder);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.statistics.widest_layer, result.statistics.states);
}

TEST(Sweep, LimitsLeaveItIncomplete) {
    const Chain endless{4000000000U, 1000, false};
    SearchObserver observer;
    SearchSettings limits;
    const support::Budget short_time({.time = std::chrono::milliseconds(50)});
    limits.budget = &short_time;
    const SearchResult late = search(system_of(endless), WalkOrder::sweep, limits, observer);
    EXPECT_FALSE(late.complete);
    EXPECT_EQ(late.reason, support::StopReason::time);
    EXPECT_EQ(late.statistics.waiting, 1U);

    const support::Budget interrupted({}, [] { return true; });
    limits.budget = &interrupted;
    const SearchResult stopped = search(system_of(endless), WalkOrder::sweep_basic, limits, observer);
    EXPECT_FALSE(stopped.complete);
    EXPECT_EQ(stopped.reason, support::StopReason::interrupted);

    const support::Budget small({.memory = std::uint64_t{4} << 20U});
    limits.budget = &small;
    const SearchResult full = search(system_of({4000000000U, 4000000000U, false}), WalkOrder::sweep, limits, observer);
    EXPECT_FALSE(full.complete);
    EXPECT_EQ(full.reason, support::StopReason::memory);
    EXPECT_GT(full.statistics.states, 1000U);
}

TEST(Sweep, SeveralThreadsCountWhatOneDoes) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        SCOPED_TRACE(seed);
        const model::Model model = random_model(seed);
        const successor::KeyProgram key = by(model::Expression::table(0, model.read(0)), 0, 3);
        Recorder one;
        const SearchResult alone = search(needs_repacking(model, key), WalkOrder::sweep, {}, one);
        Recorder basic;
        const SearchResult alone_basic = search(needs_repacking(model, key), WalkOrder::sweep_basic, {}, basic);
        for (const unsigned threads : {2U, 4U}) {
            SearchSettings settings;
            settings.threads = threads;
            settings.alone_below = seed % 3 == 0 ? 0 : 1U << (seed % 5);
            Recorder several;
            const SearchResult together = search(needs_repacking(model, key), WalkOrder::sweep, settings, several);
            ASSERT_TRUE(together.complete);
            ASSERT_EQ(several.states(), one.states());
            ASSERT_EQ(several.order.size(), one.order.size());
            const Statistics& mine = together.statistics;
            const Statistics& its = alone.statistics;
            ASSERT_EQ(std::tuple(mine.states, mine.expanded, mine.transitions, mine.deadlocks, mine.layers, mine.sweeps,
                                 mine.persistent),
                      std::tuple(its.states, its.expanded, its.transitions, its.deadlocks, its.layers, its.sweeps,
                                 its.persistent));
            ASSERT_EQ(std::tuple(mine.peak_states, mine.regress_edges, mine.widest_layer, mine.waiting),
                      std::tuple(its.peak_states, its.regress_edges, its.widest_layer, its.waiting));
            ASSERT_EQ(mine.sweep_details, its.sweep_details);
            Recorder ordered;
            const SearchResult basic_together =
                search(needs_repacking(model, key), WalkOrder::sweep_basic, settings, ordered);
            ASSERT_EQ(basic_together.reason, alone_basic.reason);
            ASSERT_EQ(basic_together.offending.has_value(), alone_basic.offending.has_value());
        }
    }
}

}  // namespace
}  // namespace tideline::explore
