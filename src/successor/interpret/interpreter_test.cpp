#include "successor/interpret/interpreter.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "model/example_models.hpp"

namespace tideline::successor {
namespace {

using namespace model::examples;

struct Seen {
    std::vector<model::TransitionId> transitions;
    model::Marks marks = 0;
    model::FaultKind fault = model::FaultKind::none;
    std::string explanation;
    std::vector<model::Value> next;  // empty with a fault
};

// The steps of the initial state, or of another one.
std::vector<Seen> steps(const model::Model& model, std::vector<model::Value> state = {}) {
    Interpreter interpreter(model);
    if (!state.empty()) std::copy(state.begin(), state.end(), interpreter.values());
    const std::vector<model::Value> before(interpreter.values(), interpreter.values() + model.slot_count());
    std::vector<Seen> result;
    interpreter.visit_steps([&](const InterpretedStep& step) {
        Seen seen{{step.transitions.begin(), step.transitions.end()}, step.marks, step.fault, {}, {}};
        if (step.fault == model::FaultKind::none)
            seen.next.assign(interpreter.values(), interpreter.values() + model.slot_count());
        else seen.explanation = interpreter.explain_fault();
        result.push_back(std::move(seen));
        return true;
    });
    EXPECT_EQ(before, std::vector<model::Value>(interpreter.values(), interpreter.values() + model.slot_count()))
        << "visiting leaves the state as it was";
    return result;
}

using Ids = std::vector<std::vector<model::TransitionId>>;

Ids ids(const std::vector<Seen>& all) {
    Ids result;
    for (const Seen& seen : all) result.push_back(seen.transitions);
    return result;
}

TEST(Interpreter, OnlyTheHighestPriorityAmongTheEnabledOnesHappens) {
    model::Model model;
    const model::VariableId x = add_scalar(model, "x", {0, 9}, 0);
    model::Transition low;
    low.priority = -1;
    model::Transition middle;
    model::Transition high;
    high.priority = 5;
    high.guards.push_back(model.read(x));
    for (const model::Transition& t : {low, middle, high, middle}) model.add_transition(t);
    EXPECT_EQ(ids(steps(model)), (Ids{{1}, {3}}));
    EXPECT_EQ(ids(steps(model, {1})), (Ids{{2}}));
}

TEST(Interpreter, AnAtomicProcessGoesOnAloneWhileItCan) {
    model::Model model;
    const model::VariableId holder = add_scalar(model, "holder", {0, 2}, 0);
    const model::VariableId x = add_scalar(model, "x", {0, 1}, 0);
    model.atomic = holder;
    add_process(model, "P", {"a", "b", "c"});
    add_process(model, "Q", {"a", "b"});
    model::Transition enter = move(0, 0, 1);
    enter.effects.emplace_back(assign(holder, number(1)));
    model.add_transition(enter);
    model::Transition leave = move(0, 1, 2);
    leave.guards.push_back(model::Expression::unary(model::Op::logical_not, model.read(x)));
    leave.effects.emplace_back(assign(holder, number(0)));
    model.add_transition(leave);
    model.add_transition(move(1, 0, 1));
    EXPECT_EQ(ids(steps(model, {0, 0, 0, 0})), (Ids{{2}, {0, 1}})) << "no state inside is seen";
    EXPECT_EQ(ids(steps(model, {0, 1, 0, 0})), (Ids{{2}, {0}})) << "P cannot go on: the state inside is seen";
    EXPECT_EQ(ids(steps(model, {0, 0, 1, 0})), (Ids{{1}, {2}})) << "where it was blocked, everybody may go on";
}

TEST(Interpreter, AnAtomicLoopEnds) {
    model::Model model;
    const model::VariableId holder = add_scalar(model, "holder", {0, 1}, 0);
    const model::VariableId x = add_scalar(model, "x", {0, 2}, 0);
    model.atomic = holder;
    add_process(model, "P", {"a", "b", "c"});
    model::Transition enter = move(0, 0, 1);
    enter.effects.emplace_back(assign(holder, number(1)));
    model.add_transition(enter);
    model::Transition again = move(0, 1, 1);
    again.effects.emplace_back(assign(
        x, model::Expression::binary(model::Op::modulo,
                                     model::Expression::binary(model::Op::add, model.read(x), number(1)), number(3))));
    model.add_transition(again);
    model::Transition leave = move(0, 1, 2);
    leave.effects.emplace_back(assign(holder, number(0)));
    model.add_transition(leave);
    EXPECT_EQ(ids(steps(model, {0, 0, 0})), (Ids{{0, 2}, {0, 1, 2}, {0, 1, 1, 2}}));
}

TEST(Interpreter, ARequirementThatFailsIsAFault) {
    model::Model model;
    const model::VariableId x = add_scalar(model, "x", {0, 1}, 0);
    model::Transition t;
    t.effects.emplace_back(model::Require{model.read(x), model::FaultKind::assertion, "x"});
    model.add_transition(t);
    Interpreter interpreter(model);
    std::vector<model::FaultKind> faults;
    const auto see = [&](const InterpretedStep& step) {
        faults.push_back(step.fault);
        if (step.fault != model::FaultKind::none) {
            EXPECT_EQ(interpreter.explain_fault(), "x");
        }
        return true;
    };
    interpreter.visit_steps(see);
    interpreter.values()[0] = 1;
    interpreter.visit_steps(see);
    EXPECT_EQ(faults, (std::vector{model::FaultKind::assertion, model::FaultKind::none}));
}

TEST(Interpreter, ANetIsTransitionsWithoutParticipants) {
    // p0 -2-> t0 -> p1 -> t1 -> p0, with three tokens.
    model::Model model;
    const model::VariableId p0 = add_scalar(model, "p0", {0, 1000}, 3);
    const model::VariableId p1 = add_scalar(model, "p1", {0, 1000}, 0);
    const auto take = [&](model::VariableId place, model::Value tokens) {
        return assign(place, model::Expression::binary(model::Op::subtract, model.read(place), number(tokens)));
    };
    const auto put = [&](model::VariableId place, model::Value tokens) {
        return assign(place, model::Expression::binary(model::Op::add, model.read(place), number(tokens)));
    };
    model::Transition t0;
    t0.guards.push_back(model::Expression::binary(model::Op::greater_equal, model.read(p0), number(2)));
    t0.effects = {take(p0, 2), put(p1, 1)};
    model::Transition t1;
    t1.guards.push_back(model::Expression::binary(model::Op::greater_equal, model.read(p1), number(1)));
    t1.effects = {take(p1, 1), put(p0, 1)};
    model.add_transition(t0);
    model.add_transition(t1);
    const std::vector<Seen> first = steps(model);
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0].next, (std::vector<model::Value>{1, 1}));
    const std::vector<Seen> second = steps(model, first[0].next);
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(second[0].next, (std::vector<model::Value>{2, 0}));
    EXPECT_EQ(ids(steps(model, {2, 1})), (Ids{{0}, {1}}));
    EXPECT_TRUE(steps(model, {1, 0}).empty());
}

TEST(Interpreter, WhileACommittedLocationIsOccupiedOnlyTransitionsFromThereHappen) {
    model::Model model;
    add_process(model, "P", {"s", "t"}, 1);
    add_process(model, "Q", {"s"});
    model.processes[0].committed = {false, true};
    model.add_transition(move(1, 0, 0));
    model::Transition leaving = move(0, 1, 0);
    leaving.committed = true;
    model.add_transition(leaving);
    model.add_transition({});
    EXPECT_EQ(ids(steps(model)), (Ids{{1}}));
    EXPECT_EQ(ids(steps(model, {0, 0})), (Ids{{0}, {2}}));
}

class Observed : public testing::Test {
protected:
    Observed() {
        x_ = add_scalar(model_, "x", {0, 2}, 0);
        count_ = add_scalar(model_, "N.count", {0, 9}, 0);
        observer_ = add_process(model_, "N", {"wait", "seen"});
        model_.observer = observer_;
        model::Transition step = count(model_, x_, 1, 2);
        step.marks = 8;
        model_.add_transition(step);
        model::Transition stay = move(observer_, 0, 0);
        stay.marks = 1;
        model_.add_transition(stay);
        model::Transition notice = move(observer_, 0, 1);
        notice.guards.push_back(model::Expression::binary(model::Op::equal, model_.read(x_), number(1)));
        notice.effects.emplace_back(
            assign(count_, model::Expression::binary(model::Op::add, model_.read(x_), number(5))));
        notice.marks = 2;
        model_.add_transition(notice);
    }
    model::Model model_;
    model::VariableId x_ = 0;
    model::VariableId count_ = 0;
    model::ProcessId observer_ = 0;
};

TEST_F(Observed, TheObserverMovesWithEveryStepByWhatItsGuardsSayBefore) {
    const std::vector<Seen> at_start = steps(model_);
    ASSERT_EQ(ids(at_start), (Ids{{0, 1}}));
    EXPECT_EQ(at_start[0].marks, 9U);
    EXPECT_EQ(at_start[0].next, (std::vector<model::Value>{1, 0, 0}));
    const std::vector<Seen> at_one = steps(model_, {1, 0, 0});
    ASSERT_EQ(ids(at_one), (Ids{{0, 1}, {0, 2}}));
    EXPECT_EQ(at_one[1].marks, 10U);
    EXPECT_EQ(at_one[1].next, (std::vector<model::Value>{2, 7, 1})) << "its effects see those of the step";
}

TEST_F(Observed, TheObserverMovesAloneWhereTheOthersCannot) {
    const std::vector<Seen> at_end = steps(model_, {2, 0, 0});
    ASSERT_EQ(ids(at_end), (Ids{{1}}));
    EXPECT_EQ(at_end[0].marks, 1U);
}

TEST_F(Observed, WithoutAMoveOfTheObserverThereIsNoStep) { EXPECT_TRUE(steps(model_, {0, 0, 1}).empty()); }

TEST_F(Observed, AFaultyStepIsListedOnceAndKeepsTheObserverFromMovingAlone) {
    model::Transition faulty;
    faulty.guards.push_back(model::Expression::binary(model::Op::equal, model_.read(x_), number(2)));
    faulty.effects.emplace_back(assign(x_, number(3)));
    model_.add_transition(faulty);
    const std::vector<Seen> at_end = steps(model_, {2, 0, 0});
    ASSERT_EQ(ids(at_end), (Ids{{3}}));
    EXPECT_EQ(at_end[0].fault, model::FaultKind::range);
}

TEST_F(Observed, AFaultOfTheObserverMakesAFaultyStepForEveryStep) {
    model::Transition bad = move(observer_, 1, 1);
    bad.guards.push_back(model::Expression::binary(model::Op::divide, number(1), model_.read(count_)));
    model_.add_transition(bad);
    model::Transition worse = move(observer_, 1, 1);
    worse.effects.emplace_back(assign(count_, number(10)));
    model_.add_transition(worse);
    model_.add_transition(model_.transitions[0]);
    const std::vector<Seen> all = steps(model_, {0, 0, 1});
    ASSERT_EQ(ids(all), (Ids{{0, 3}, {0, 4}, {5, 3}, {5, 4}}));
    for (const std::size_t i : {0U, 2U}) {
        EXPECT_EQ(all[i].fault, model::FaultKind::division);
        EXPECT_EQ(all[i].explanation, "division by zero");
        EXPECT_EQ(all[i + 1].fault, model::FaultKind::range);
        EXPECT_EQ(all[i + 1].explanation, "value 10 does not fit N.count (0 to 9)");
    }
}

TEST(Interpreter, AssigningALocationStartsAProcess) {
    model::Model model;
    add_process(model, "Parent", {"s", "t"});
    add_process(model, "Child", {"not_running", "start", "end"});
    model::Transition spawn = move(0, 0, 1);
    spawn.effects.emplace_back(assign(model.processes[1].location, number(1)));
    model.add_transition(spawn);
    model.add_transition(move(1, 1, 2));
    const std::vector<Seen> first = steps(model);
    ASSERT_EQ(ids(first), (Ids{{0}}));
    EXPECT_EQ(first[0].next, (std::vector<model::Value>{1, 1}));
    EXPECT_EQ(ids(steps(model, first[0].next)), (Ids{{1}}));
}

TEST(Interpreter, AParallelAssignmentSwaps) {
    model::Model model;
    const model::VariableId x = add_scalar(model, "x", {0, 9}, 3);
    const model::VariableId y = add_scalar(model, "y", {0, 9}, 4);
    model::Assign swap;
    swap.targets = {{x, std::nullopt}, {y, std::nullopt}};
    swap.values = {model.read(y), model.read(x)};
    model::Transition transition;
    transition.effects.emplace_back(swap);
    model.add_transition(transition);
    EXPECT_EQ(steps(model).at(0).next, (std::vector<model::Value>{4, 3}));
}

TEST(Interpreter, AnIndexIsEvaluatedWhenItsTargetsTurnComes) {
    model::Model model;
    const model::VariableId i = add_scalar(model, "i", {0, 2}, 0);
    const model::VariableId a = add_array(model, "a", {0, 9}, {0, 0, 0});
    model::Assign both;
    both.targets = {{i, std::nullopt}, {a, model.read(i)}};
    both.values = {number(2), number(7)};
    model::Transition transition;
    transition.effects.emplace_back(both);
    model.add_transition(transition);
    EXPECT_EQ(steps(model).at(0).next, (std::vector<model::Value>{2, 0, 0, 7}));
}

TEST(Interpreter, PassedValuesMustFitTheChannelEvenWhereTheyAreDropped) {
    model::Model model;
    const model::VariableId x = add_scalar(model, "x", {0, 999}, 0);
    model::Assign passing;
    passing.targets = {{x, std::nullopt}};
    passing.values = {number(5), number(300)};
    passing.passing = {{0, 255}, {0, 255}};
    model::Transition transition;
    transition.effects.emplace_back(passing);
    model.add_transition(transition);
    EXPECT_EQ(steps(model).at(0).fault, model::FaultKind::range);
    EXPECT_EQ(steps(model).at(0).explanation, "value 300 does not fit the channel's field");
    auto& changed = std::get<model::Assign>(model.transitions[0].effects[0]);
    changed.wrap = true;
    changed.values = {number(300), number(300)};
    EXPECT_EQ(steps(model).at(0).next, std::vector<model::Value>{44}) << "it wraps to the field before it is stored";
}

TEST(Interpreter, AShiftMovesTheElementsBehindAComputedStart) {
    model::Model model;
    const model::VariableId first = add_scalar(model, "first", {-9, 9}, 1);
    const model::VariableId a = add_array(model, "a", {0, 9}, {1, 2, 3, 4, 5});
    model::Transition transition;
    transition.effects.emplace_back(model::Shift{a, model.read(first), 3});
    model.add_transition(transition);
    EXPECT_EQ(steps(model).at(0).next, (std::vector<model::Value>{1, 1, 3, 4, 0, 5}));
    EXPECT_EQ(steps(model, {2, 1, 2, 3, 4, 5}).at(0).next, (std::vector<model::Value>{2, 1, 2, 4, 5, 0}));
    for (const model::Value wrong : {model::Value{3}, model::Value{-1}, model::Value{9}}) {
        const Seen seen = steps(model, {wrong, 1, 2, 3, 4, 5}).at(0);
        EXPECT_EQ(seen.fault, model::FaultKind::index);
        EXPECT_EQ(seen.explanation, "index " + std::to_string(wrong) + " is outside the array a[5]");
    }
}

TEST(Interpreter, ValuesWrapAroundInBothDirections) {
    constexpr model::Value kLeast = std::numeric_limits<model::Value>::min();
    constexpr model::Value kMost = std::numeric_limits<model::Value>::max();
    const auto wrapped = [](model::Range range, model::Value value) {
        model::Model model;
        const model::VariableId x = add_scalar(model, "x", range, range.low);
        model::Transition transition;
        model::Assign effect = assign(x, number(value));
        effect.wrap = true;
        transition.effects.emplace_back(effect);
        model.add_transition(transition);
        return steps(model).at(0).next.at(0);
    };
    EXPECT_EQ(wrapped({0, 255}, 256), 0);
    EXPECT_EQ(wrapped({0, 255}, 1000), 1000 - 3 * 256);
    EXPECT_EQ(wrapped({0, 255}, -1), 255);
    EXPECT_EQ(wrapped({0, 255}, -256), 0);
    EXPECT_EQ(wrapped({0, 255}, -257), 255);
    EXPECT_EQ(wrapped({-32768, 32767}, 32768), -32768);
    EXPECT_EQ(wrapped({-32768, 32767}, -32769), 32767);
    EXPECT_EQ(wrapped({-32768, 32767}, 65536 + 5), 5);
    EXPECT_EQ(wrapped({0, 255}, kMost), 255);
    EXPECT_EQ(wrapped({0, 255}, kLeast), 0);
    EXPECT_EQ(wrapped({5, 7}, 8), 5);
    EXPECT_EQ(wrapped({5, 7}, 4), 7);
    EXPECT_EQ(wrapped({4, 4}, -100), 4);
    EXPECT_EQ(wrapped({kLeast, kMost}, 12), 12);
    EXPECT_EQ(wrapped({kLeast, kMost - 1}, kMost), kLeast);
    EXPECT_EQ(wrapped({kMost - 1, kMost}, kLeast), kMost - 1);
}

TEST(Interpreter, EveryFaultOfAStateIsExplainedByItsOwnCause) {
    model::Model model;
    const model::VariableId zero = add_scalar(model, "zero", {0, 9}, 0);
    const model::VariableId a = add_array(model, "a", {0, 9}, {0, 0});
    model.tables.push_back({"t", {1, 2, 3}, true, std::nullopt});
    const model::Expression none = model.read(zero);
    const model::Expression many = model::Expression::binary(model::Op::add, none, number(70));
    const auto guarded = [&](model::Expression guard) {
        model::Transition transition;
        transition.guards.push_back(std::move(guard));
        model.add_transition(transition);
    };
    const auto effecting = [&](model::Effect effect) {
        model::Transition transition;
        transition.effects.push_back(std::move(effect));
        model.add_transition(transition);
    };
    guarded(model::Expression::binary(model::Op::modulo, number(1), none));
    effecting(assign(zero, number(10)));
    guarded(model.read(a, many));
    effecting(assign_element(a, number(-1), number(0)));
    guarded(model::Expression::table(0, many));
    guarded(model::Expression::binary(model::Op::shift_left, number(1), many));
    effecting(assign(
        zero, model::Expression::binary(model::Op::multiply, model::Expression::binary(model::Op::add, none, number(4)),
                                        number(INT64_MAX))));
    const std::vector<std::pair<model::FaultKind, std::string>> expected = {
        {model::FaultKind::division, "division by zero"},
        {model::FaultKind::range, "value 10 does not fit zero (0 to 9)"},
        {model::FaultKind::index, "index 70 is outside the array a[2]"},
        {model::FaultKind::index, "index -1 is outside the array a[2]"},
        {model::FaultKind::index, "index 70 is outside the array t[3]"},
        {model::FaultKind::shift, "shift by 70 bits (0 to 63 are possible)"},
        {model::FaultKind::overflow, "a result does not fit 64 bits"},
    };
    std::vector<std::pair<model::FaultKind, std::string>> found;
    for (const Seen& seen : steps(model)) found.emplace_back(seen.fault, seen.explanation);
    EXPECT_EQ(found, expected);
}

TEST(Interpreter, GuardsAreTestedInTurnUpToTheFirstThatFails) {
    model::Model model;
    const model::VariableId x = add_scalar(model, "x", {0, 9}, 0);
    model::Transition transition;
    transition.guards = {model.read(x), model::Expression::binary(model::Op::divide, number(1), number(0))};
    model.add_transition(transition);
    EXPECT_TRUE(steps(model).empty());
    EXPECT_EQ(steps(model, {1}).at(0).fault, model::FaultKind::division);
}

class Lockstep : public testing::Test {
protected:
    Lockstep() {
        x_ = add_scalar(model_, "x", {0, 9}, 1);
        add_process(model_, "P", {"s", "t"});
        add_process(model_, "Q", {"s", "t"});
        model_.composition = model::Composition::lockstep;
    }
    model::TransitionId add(model::ProcessId process, model::Expression value) {
        model::Transition transition = move(process, 0, 1);
        transition.effects.emplace_back(assign(x_, std::move(value)));
        return model_.add_transition(transition);
    }
    model::Expression x() const { return model_.read(x_); }
    model::Model model_;
    model::VariableId x_ = 0;
};

TEST_F(Lockstep, AllProcessesMoveAndTheFirstVariesSlowest) {
    add(1, model::Expression::binary(model::Op::multiply, x(), number(2)));
    add(0, model::Expression::binary(model::Op::add, x(), number(1)));
    add(0, model::Expression::binary(model::Op::add, x(), number(2)));
    add(1, model::Expression::binary(model::Op::add, x(), number(3)));
    const std::vector<Seen> all = steps(model_);
    EXPECT_EQ(ids(all), (Ids{{1, 0}, {1, 3}, {2, 0}, {2, 3}}));
    EXPECT_EQ(all[0].next, (std::vector<model::Value>{4, 1, 1}));
    EXPECT_EQ(all[3].next, (std::vector<model::Value>{6, 1, 1}));
    EXPECT_TRUE(steps(model_, {1, 0, 1}).empty()) << "Q has no transition there";
}

TEST_F(Lockstep, EffectsSeeTheLocationsBeforeTheStep) {
    add(0, number(0));
    add(1, model::Expression::binary(model::Op::add, model_.at(0, 0), number(4)));
    EXPECT_EQ(steps(model_).at(0).next, (std::vector<model::Value>{5, 1, 1}));
}

TEST_F(Lockstep, AFaultyGuardIsAStepOfItsOwnListedFirst) {
    add(0, number(1));
    const model::TransitionId bad = add(1, number(1));
    model_.transitions[bad].guards.push_back(model::Expression::binary(model::Op::divide, number(1), number(0)));
    add(1, number(2));
    const std::vector<Seen> all = steps(model_);
    ASSERT_EQ(ids(all), (Ids{{1}, {0, 2}}));
    EXPECT_EQ(all[0].fault, model::FaultKind::division);
    EXPECT_EQ(all[0].explanation, "division by zero");
}

TEST_F(Lockstep, GuardsBehindAProcessThatCannotMoveAreNotLookedAt) {
    const model::TransitionId bad = add(1, number(1));
    model_.transitions[bad].guards.push_back(model::Expression::binary(model::Op::divide, number(1), number(0)));
    EXPECT_TRUE(steps(model_).empty());
}

TEST_F(Lockstep, AFaultyEffectMakesTheWholeStepFaulty) {
    add(0, number(10));
    add(1, number(1));
    const std::vector<Seen> all = steps(model_);
    ASSERT_EQ(ids(all), (Ids{{0, 1}}));
    EXPECT_EQ(all[0].fault, model::FaultKind::range);
}

}  // namespace
}  // namespace tideline::successor
