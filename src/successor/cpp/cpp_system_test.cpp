#include "successor/cpp/cpp_system.hpp"

#include <gtest/gtest.h>

namespace tideline::successor {
namespace {

// 0 -> 1 -> ... -> 9, from 5 on also back to 0; a state of 12 bytes, so that a word is half used.
struct Counter {
    struct State {
        std::uint32_t n;
        std::array<std::uint8_t, 8> rest;
    };
    bool fickle = false;  // describes the state 3 unlike the others

    State initial() const { return {}; }
    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        if (s.n < 9) emit(State{s.n + 1, s.rest}, "up");
        if (s.n >= 5) emit(State{0, s.rest}, "home");
    }
    void describe(const State& s, Description& d) const {
        d.value("n", s.n);
        d.values("rest", s.rest);
        if (!fickle || s.n != 3) d.label("done", s.n == 9);
    }
    std::array<std::uint32_t, 4> progress(const State& s) const { return {0xFFFFFFFFU, s.n, 0, 0x80000000U + s.n}; }
};

// The same without its own measure.
struct Plain {
    using State = Counter::State;
    Counter counter;
    State initial() const { return counter.initial(); }
    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        counter.successors(s, emit);
    }
    void describe(const State& s, Description& d) const { counter.describe(s, d); }
};

struct Padded {
    struct State {
        std::uint8_t a;
        std::uint32_t b;
    };
    State initial() const { return {}; }
    template <class Emit>
    void successors(const State&, Emit&&) const {}
    void describe(const State&, Description&) const {}
};

static_assert(CppModel<Counter> && HasProgress<Counter>);
static_assert(CppModel<Plain> && !HasProgress<Plain>);
static_assert(!CppModel<Padded>, "padding bytes would make equal states different");
static_assert(kIsProgress<std::array<std::uint32_t, 1>> && kIsProgress<std::array<std::uint32_t, 4>>);
static_assert(!kIsProgress<std::array<std::uint32_t, 5>> && !kIsProgress<std::array<std::uint64_t, 2>> &&
                  !kIsProgress<std::array<std::int32_t, 1>>,
              "nothing is cut, nothing sorts wrongly");

// Counts down to 0 from several numbers.
struct CountDown {
    struct State {
        std::uint32_t n;
    };
    std::vector<State> from;

    std::vector<State> initial() const { return from; }
    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        if (s.n > 0) emit(State{s.n - 1}, "down");
    }
    void describe(const State& s, Description& d) const { d.value("n", s.n); }
};
static_assert(CppModel<CountDown>);

template <class S>
CppSystem<S> system_of(S system, bool own_progress, KeyProgram key = {}, std::vector<model::Expression> labels = {}) {
    Description first;
    first.restart(true);
    system.describe(cpp::initial_states(system).front(), first);
    return CppSystem<S>(std::make_shared<CppShared<S>>(
        CppShared<S>{system, Description::names_as_model(first), std::move(labels), std::move(key), own_progress}));
}

std::vector<Word> state_with(std::uint32_t n) {
    std::vector<Word> words(2);
    cpp::store_state(Counter::State{n, {}}, words.data());
    return words;
}

TEST(CppSystem, PacksAStateAsItsBytes) {
    const auto system = system_of(Counter{}, true);
    EXPECT_EQ(system.state_words(), 2U);
    EXPECT_EQ(system.state_bytes(), 12U);
    EXPECT_EQ(system.initial_states().front(), (std::vector<Word>{0, 0}));
    std::vector<Word> dirty(2, ~Word{0});
    cpp::store_state(Counter::State{7, {1, 2, 3, 4, 5, 6, 7, 8}}, dirty.data());
    EXPECT_EQ(dirty[1] >> 32U, 0U) << "what is not used is 0";
    EXPECT_EQ(system.decode(dirty.data()), (std::vector<model::Value>{7, 1, 2, 3, 4, 5, 6, 7, 8, 0}));
}

TEST(CppSystem, BeginsInEveryStateOfARangeInItsOrderAndOnce) {
    const auto system = system_of(CountDown{{{5}, {2}, {5}, {9}, {2}}}, false);
    EXPECT_EQ(system.initial_states(), (std::vector<std::vector<Word>>{{5}, {2}, {9}}));
    EXPECT_THROW((void)system_of(CountDown{}, false), std::logic_error) << "a system has an initial state";
}

TEST(CppSystem, ExpandsInPiecesAsInOne) {
    const auto system = system_of(Counter{}, true);
    std::vector<Word> states;
    for (std::uint32_t n = 0; n < 10; ++n)
        for (const Word word : state_with(n)) states.push_back(word);
    const auto expand = [&](std::size_t capacity) {
        std::vector<std::tuple<std::uint32_t, model::TransitionId, std::vector<model::Value>>> result;
        const std::unique_ptr<Expander> expander = system.expander();
        SuccessorBatch batch(2, capacity);
        Cursor cursor;
        Expansion state = Expansion::full;
        while (state == Expansion::full) {
            batch.restart(cursor.state);
            state = expander->expand(states.data(), 10, cursor, batch);
            batch.compute_hashes();
            for (std::size_t i = 0; i < batch.size(); ++i) {
                EXPECT_EQ(batch.hash(i), hash_state(batch.state(i), 2));
                EXPECT_EQ(batch.key(i), *expander->key(batch.state(i)));
                result.emplace_back(batch.source(i), batch.transition(i), system.decode(batch.state(i)));
            }
        }
        EXPECT_EQ(state, Expansion::done);
        return result;
    };
    const auto whole = expand(1000);
    EXPECT_EQ(whole.size(), 14U);
    for (const std::size_t capacity : {1, 2, 3, 5, 14}) EXPECT_EQ(expand(capacity), whole);
}

TEST(CppSystem, ItsOwnMeasureFillsUpTo128Bits) {
    const auto system = system_of(Counter{}, true);
    const std::unique_ptr<Expander> expander = system.expander();
    Key last = 0;
    for (std::uint32_t n = 0; n < 10; ++n) {
        const Key key = expander->key(state_with(n).data()).value();
        EXPECT_GT(key, last);
        EXPECT_EQ(system.key_values(key), (std::vector<model::Value>{0xFFFFFFFF, n, 0, 0x80000000LL + n}));
        last = key;
    }
}

TEST(CppSystem, AGivenMeasureTakesTheOwnOnesPlace) {
    KeyProgram key;
    key.components.push_back(
        {model::Expression::binary(model::Op::subtract, model::Expression::constant(9), model::Expression::slot(0)), 0,
         4});
    const auto system = system_of(Counter{}, false, key);
    const std::unique_ptr<Expander> expander = system.expander();
    EXPECT_EQ(expander->key(state_with(2).data()), Key{7});
    EXPECT_EQ(system.key_values(7), (std::vector<model::Value>{7}));
}

TEST(CppSystem, WithoutAMeasureEveryKeyIsZero) {
    for (const bool own : {false, true}) {
        const auto system = system_of(Plain{}, own);
        EXPECT_EQ(system.expander()->key(state_with(5).data()), Key{0});
        EXPECT_TRUE(system.key_values(0).empty());
    }
    EXPECT_EQ(system_of(Counter{}, false).expander()->key(state_with(5).data()), Key{0});
}

TEST(CppSystem, ASuccessorWithoutAKeyIsTheNextOneOfTheCursor) {
    KeyProgram key;
    const model::Expression distance =
        model::Expression::binary(model::Op::subtract, model::Expression::slot(0), model::Expression::constant(0));
    key.components.push_back(
        {model::Expression::binary(model::Op::divide, model::Expression::constant(10), distance), 0, 4});
    const auto system = system_of(Plain{}, false, key);
    SuccessorBatch batch(2, 10);
    Cursor cursor;
    EXPECT_EQ(system.expander()->expand(state_with(5).data(), 1, cursor, batch), Expansion::key_undefined);
    EXPECT_EQ(batch.size(), 1U);
    EXPECT_EQ(system.decode(system.steps(state_with(5).data())[cursor.delivered].next.data())[0], 0);
}

TEST(CppSystem, StepsComeInTheOrderOfTheirExpansionWithTheirNames) {
    const auto system = system_of(Counter{}, true);
    const std::vector<StepDetail> steps = system.steps(state_with(5).data());
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].label, "up");
    EXPECT_EQ(steps[1].label, "home");
    EXPECT_EQ(steps[0].next, state_with(6));
    EXPECT_EQ(steps[1].next, state_with(0));
    EXPECT_EQ(steps[1].transition, 1U);
}

TEST(CppSystem, LabelsAreEvaluatedOverTheDescribedNames) {
    const model::Expression done = model::Expression::slot(9);
    const model::Expression faulty =
        model::Expression::binary(model::Op::divide, model::Expression::constant(1), model::Expression::slot(0));
    const auto system = system_of(Counter{}, true, {}, {done, faulty});
    std::uint64_t bits = ~std::uint64_t{0};
    model::FaultKind faults[2];
    system.expander()->labels(state_with(9).data(), &bits, faults);
    EXPECT_EQ(bits, 1U);
    EXPECT_EQ(faults[1], model::FaultKind::none);
    system.expander()->labels(state_with(0).data(), &bits, faults);
    EXPECT_EQ(bits, 0U);
    EXPECT_EQ(faults[1], model::FaultKind::division);
}

TEST(CppSystem, AClassThatDescribesStatesDifferentlyIsRefused) {
    const auto system = system_of(Plain{Counter{true}}, false, {}, {model::Expression::slot(9)});
    EXPECT_NO_THROW((void)system.decode(state_with(2).data()));
    EXPECT_THROW((void)system.decode(state_with(3).data()), std::logic_error);
    std::uint64_t bits = 0;
    model::FaultKind faults[1];
    EXPECT_THROW(system.expander()->labels(state_with(3).data(), &bits, faults), std::logic_error);
}

TEST(CppDescription, ArraysOfWhichNothingIsWantedAreNotCopied) {
    Description description;
    description.want_only({4, 7});
    for (const std::uint8_t start : {1, 11, 21}) {
        const auto of = [&](int first) {
            const auto begin = static_cast<std::uint8_t>(start + first);
            return std::array<std::uint8_t, 3>{begin, static_cast<std::uint8_t>(begin + 1),
                                               static_cast<std::uint8_t>(begin + 2)};
        };
        description.restart(false);
        description.values("a", of(0));
        description.values("b", of(3));
        description.value("n", start);
        description.values("c", of(6));
        ASSERT_EQ(description.slots().size(), 10U);
        EXPECT_EQ(description.slots()[4], start + 4);
        EXPECT_EQ(description.slots()[6], start);
        EXPECT_EQ(description.slots()[7], start + 6);
        EXPECT_EQ(description.slots()[0], 1) << "as it was described first";
    }
}

TEST(CppDescription, BecomesAModelOfNames) {
    Description first;
    first.restart(true);
    first.value("n", 4);
    first.values("a", std::array<std::uint8_t, 3>{1, 2, 3});
    first.values("nothing", std::vector<int>{});
    first.label("done", true);
    const std::shared_ptr<const model::Model> names = Description::names_as_model(first);
    EXPECT_EQ(names->format, "c++");
    ASSERT_EQ(names->variables.size(), 3U);
    EXPECT_EQ(names->variables[1].length, 3U);
    EXPECT_FALSE(names->variables[2].length);
    EXPECT_EQ(names->initial, (std::vector<model::Value>{4, 1, 2, 3, 1}));
    std::vector<std::string> all;
    for (const model::Model::SlotOwner owner : names->slot_owners()) all.push_back(names->slot_name(owner));
    EXPECT_EQ(all, (std::vector<std::string>{"n", "a[0]", "a[1]", "a[2]", "done"}));
}

}  // namespace
}  // namespace tideline::successor
