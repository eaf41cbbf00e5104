// Machine code against the interpreter: the same successors in the same order, with the same transitions, marks,
// faults, keys and labels.
#include "successor/native/native_system.hpp"

#include <bit>
#include <cstdlib>
#include <limits>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "model/example_models.hpp"
#include "model/interval.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::successor {
namespace {

const support::Budget kUnlimited;

using namespace model::examples;

// Everything that a system reports about the first states that it reaches.
struct Account {
    struct Step {
        std::vector<model::Value> source;
        model::TransitionId transition = 0;
        model::Marks marks = 0;
        model::FaultKind fault = model::FaultKind::none;
        Key key = 0;
        std::vector<model::Value> values;  // empty with a fault
        friend bool operator==(const Step&, const Step&) = default;
    };
    std::vector<std::vector<model::Value>> states;
    std::vector<Step> steps;
    std::vector<std::vector<std::uint64_t>> labels;  // by state
    std::vector<std::vector<model::FaultKind>> label_faults;
    std::vector<std::optional<Key>> keys;
    std::size_t complete = 0;  // sources
    bool key_undefined = false;
};

// How states are given to a system.
struct Manner {
    std::size_t together;  // states in a call
    std::size_t capacity;  // of the batch
};

// Breadth-first over the first states. A system whose fields are too narrow is repacked; `widenings` counts that.
Account account(std::shared_ptr<const System> system, const model::Model& model, std::size_t most, Manner manner,
                unsigned* widenings = nullptr) {
    const std::unique_ptr<System> wide =
        make_interpreted_system(std::make_shared<const model::Model>(model), {}, Layout::declared(model));
    const Layout declared = Layout::declared(model);
    Account result;
    std::map<std::vector<model::Value>, std::size_t> numbers;
    const auto add = [&](const std::vector<model::Value>& values) {
        if (numbers.size() < most && numbers.emplace(values, numbers.size()).second) result.states.push_back(values);
    };
    add(model.initial);
    std::unique_ptr<Expander> expander = system->expander();
    std::size_t begin = 0;
    Cursor cursor;
    while (begin < result.states.size() && !result.key_undefined) {
        const std::size_t count = std::min(manner.together, result.states.size() - begin);
        const std::vector<std::vector<model::Value>> sources(
            result.states.begin() + static_cast<std::ptrdiff_t>(begin),
            result.states.begin() + static_cast<std::ptrdiff_t>(begin + count));
        SuccessorBatch batch(system->state_words(), manner.capacity);
        std::vector<Word> packed(count * system->state_words());
        std::vector<Word> one(wide->state_words());
        for (std::size_t i = 0; i < count; ++i) {
            EXPECT_FALSE(declared.pack(sources[i].data(), one.data()));
            system->repacking (*wide)(one.data(), packed.data() + i * system->state_words());
        }
        Expansion expansion = Expansion::full;
        while (expansion == Expansion::full) {
            batch.restart(cursor.state);
            expansion = expander->expand(packed.data(), count, cursor, batch);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                const bool faulty = batch.fault(i) != model::FaultKind::none;
                result.steps.push_back({sources[batch.source(i)], batch.transition(i), batch.marks(i), batch.fault(i),
                                        batch.key(i),
                                        faulty ? std::vector<model::Value>{} : system->decode(batch.state(i))});
                if (!faulty) add(result.steps.back().values);
            }
            result.complete += batch.complete_sources();
        }
        result.key_undefined = expansion == Expansion::key_undefined;
        if (expansion == Expansion::needs_repacking) {
            if (widenings != nullptr) ++*widenings;
            system = system->with_wider_fields(*expander);
            expander = system->expander();
            continue;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Word* state = packed.data() + i * system->state_words();
            result.keys.push_back(expander->key(state));
            result.labels.emplace_back(system->label_words());
            result.label_faults.emplace_back(system->label_count());
            expander->labels(state, result.labels.back().data(), result.label_faults.back().data());
        }
        begin += count;
        cursor = {};
    }
    return result;
}

// Faults have no state, and their keys mean nothing.
void expect_same(const Account& native, const Account& interpreted) {
    EXPECT_EQ(native.states, interpreted.states);
    ASSERT_EQ(native.steps.size(), interpreted.steps.size());
    for (std::size_t i = 0; i < native.steps.size(); ++i) {
        const Account::Step& mine = native.steps[i];
        const Account::Step& theirs = interpreted.steps[i];
        ASSERT_TRUE(mine == theirs) << "step " << i << ": transition " << mine.transition << " and "
                                    << theirs.transition << ", faults " << model::to_string(mine.fault) << " and "
                                    << model::to_string(theirs.fault) << ", marks " << mine.marks << " and "
                                    << theirs.marks << ", values " << testing::PrintToString(mine.values) << " and "
                                    << testing::PrintToString(theirs.values);
    }
    EXPECT_EQ(native.complete, interpreted.complete);
    EXPECT_EQ(native.key_undefined, interpreted.key_undefined);
    EXPECT_EQ(native.labels, interpreted.labels);
    EXPECT_EQ(native.label_faults, interpreted.label_faults);
    EXPECT_TRUE(native.keys == interpreted.keys);
}

std::shared_ptr<const System> native_system(const model::Model& model, const std::vector<model::Expression>& labels,
                                            const Layout& layout, const KeyProgram& key) {
    std::string notice;
    std::shared_ptr<const System> system = make_model_system(std::make_shared<const model::Model>(model), labels,
                                                             layout, key, Successors::native, kUnlimited, notice);
    EXPECT_EQ(notice, "");
    EXPECT_GT(system->compile_seconds(), 0);
    return system;
}

Layout initial_values_only(const model::Model& model) {
    std::vector<model::Range> ranges;
    for (const model::Value v : model.initial) ranges.push_back({v, v});
    return Layout::observed(model, ranges);
}

// Returns the interpreter's results, for further checks.
Account compare(const model::Model& model, const std::vector<model::Expression>& labels = {},
                const KeyProgram& key = {}, std::size_t most = 60) {
    const Layout wide = Layout::declared(model);
    const Account expected =
        account(make_interpreted_system(std::make_shared<const model::Model>(model), labels, wide, key), model, most,
                {1, 1000});
    const std::shared_ptr<const System> native = native_system(model, labels, wide, key);
    for (const Manner manner : {Manner{1, 1}, Manner{5, 3}, Manner{7, 1000}, Manner{400, 37}}) {
        const Account interpreted =
            account(make_interpreted_system(std::make_shared<const model::Model>(model), labels, wide, key), model,
                    most, manner);
        expect_same(account(native, model, most, manner), interpreted);
    }
    expect_same(account(native_system(model, labels, initial_values_only(model), key), model, most, {1, 1000}),
                expected);
    return expected;
}

model::Expression equals(const model::Expression& left, model::Value right) {
    return model::Expression::binary(model::Op::equal, left, number(right));
}

model::Transition guarded(model::Expression guard) {
    model::Transition result;
    result.guards.push_back(std::move(guard));
    return result;
}

TEST(NativeSystem, CountersAndTheirDeadlock) { EXPECT_EQ(compare(two_counters(5)).states.size(), 36U); }

TEST(NativeSystem, AFieldThatTurnsOutTooNarrowIsWidened) {
    const model::Model model = two_counters(100);
    unsigned widenings = 0;
    const Account needs_repacking =
        account(native_system(model, {}, initial_values_only(model), {}), model, 300, {4, 16}, &widenings);
    EXPECT_GT(widenings, 0U);
    expect_same(needs_repacking, account(native_system(model, {}, Layout::declared(model), {}), model, 300, {4, 16}));
}

TEST(NativeSystem, LabelsWithFaultsAndMoreThanAWordOfThem) {
    model::Model model = two_counters(9);
    const model::VariableId array = add_array(model, "a", {0, 9}, {3, 1, 4, 1});
    std::vector<model::Expression> labels;
    labels.push_back(equals(model.read(0), 3));
    labels.push_back(model::Expression::binary(model::Op::less, model.read(array, model.read(0)),
                                               number(2)));  // index fault for x > 3
    labels.push_back(model::Expression::either(equals(model.read(0), 5),
                                               equals(model.read(array, model.read(0)), 1)));  // only where x != 5
    labels.push_back(model::Expression::binary(model::Op::divide, number(7), model.read(1)));
    labels.push_back(model::Expression::binary(
        model::Op::shift_left, number(1), model::Expression::binary(model::Op::multiply, model.read(0), number(20))));
    labels.push_back(number(0));
    labels.push_back(number(-4));
    for (model::Value v = 0; v < 70; ++v)
        labels.push_back(model::Expression::binary(
            model::Op::greater, model::Expression::binary(model::Op::add, model.read(0), model.read(1)),
            number(v % 19)));
    const Account seen = compare(model, labels, {}, 200);
    std::map<model::FaultKind, int> faults;
    for (const std::vector<model::FaultKind>& of_state : seen.label_faults)
        for (const model::FaultKind fault : of_state) ++faults[fault];
    EXPECT_EQ(faults[model::FaultKind::index], 60 + 50) << "x from 4 to 9; all of them but 5";
    EXPECT_EQ(faults[model::FaultKind::division], 10);
    EXPECT_EQ(faults[model::FaultKind::shift], 60);
}

TEST(NativeSystem, KeysAndStatesWithoutOne) {
    const model::Model model = two_counters(6);
    KeyProgram key;
    key.components.push_back({model::Expression::binary(model::Op::subtract, number(0), model.read(0)), -6, 3});
    key.components.push_back({model.read(1), 0, 64});
    EXPECT_FALSE(compare(model, {}, key).key_undefined);
    key.components.push_back(
        {model::Expression::binary(model::Op::modulo, number(5),
                                   model::Expression::binary(model::Op::subtract, model.read(0), number(2))),
         -5, 4});
    EXPECT_TRUE(compare(model, {}, key).key_undefined) << "5 % (x - 2) has no value for x == 2";
}

TEST(NativeSystem, OnlyTheHighestPriorityHappens) {
    model::Model model = two_counters(4);
    model.has_priorities = true;
    model.transitions[1].priority = 2;
    model::Transition low;
    low.priority = -3;
    low.effects.emplace_back(assign(0, number(0)));
    model.add_transition(low);
    // Not enabled, and faulty for x == 2.
    model::Transition faulty = guarded(
        equals(model::Expression::binary(model::Op::divide, number(1),
                                         model::Expression::binary(model::Op::subtract, model.read(0), number(2))),
               5));
    faulty.priority = 1;
    model.add_transition(faulty);
    const Account seen = compare(model);
    EXPECT_TRUE(std::any_of(seen.steps.begin(), seen.steps.end(),
                            [](const Account::Step& s) { return s.fault == model::FaultKind::division; }));
}

TEST(NativeSystem, AnAtomicProcessGoesOnAloneWhileItCan) {
    model::Model model;
    const model::VariableId holder = add_scalar(model, "holder", {0, 2}, 0);
    const model::VariableId x = add_scalar(model, "x", {0, 3}, 0);
    model.atomic = holder;
    for (const char* name : {"P", "Q"}) {
        const model::ProcessId p = add_process(model, name, {"a", "b", "c"});
        model::Transition enter = move(p, 0, 1);
        enter.effects.emplace_back(assign(holder, number(static_cast<model::Value>(p) + 1)));
        model.add_transition(enter);
        model::Transition work = move(p, 1, 2);
        work.guards.push_back(model::Expression::binary(model::Op::less, model.read(x), number(3)));
        work.effects.emplace_back(assign(x, model::Expression::binary(model::Op::add, model.read(x), number(1))));
        model.add_transition(work);
        model::Transition leave = move(p, 2, 0);
        leave.effects.emplace_back(assign(holder, number(0)));
        model.add_transition(leave);
    }
    const Account seen = compare(model);
    EXPECT_TRUE(std::all_of(seen.states.begin(), seen.states.end(), [](const std::vector<model::Value>& s) {
        return s[0] == 0 && s[2] < 2 && s[3] < 2;
    })) << "no state inside is seen";
    EXPECT_TRUE(std::any_of(seen.states.begin(), seen.states.end(), [](const std::vector<model::Value>& s) {
        return s[1] == 3 && s[2] == 1 && s[3] == 1;
    })) << "unless the process is blocked there";
}

TEST(NativeSystem, AnObserverMovesWithEveryStepAndAloneInADeadlock) {
    model::Model model = two_counters(3);
    const model::ProcessId observer = add_process(model, "N", {"s", "t"});
    model.observer = observer;
    model.transitions[0].marks = 4;
    model::Transition stay = move(observer, 0, 0);
    stay.marks = 1;
    model.add_transition(stay);
    model::Transition go = move(observer, 0, 1);
    go.guards.push_back(equals(model.read(0), 2));
    go.effects.emplace_back(
        assign(1, model::Expression::binary(model::Op::subtract, model.read(1), number(1))));  // a fault for y == 0
    model.add_transition(go);
    model::Transition doubtful = move(observer, 0, 1);
    doubtful.guards.push_back(
        equals(model::Expression::binary(model::Op::modulo, number(3), model.read(1)), 1));  // a fault for y == 0
    model.add_transition(doubtful);
    KeyProgram key;
    key.components.push_back({model::Expression::binary(model::Op::add, model.read(0), model.read(1)), 0, 3});
    const Account seen = compare(model, {equals(model.read(0), 2)}, key);
    std::map<model::Marks, int> marks;
    for (const Account::Step& step : seen.steps) ++marks[step.marks];
    EXPECT_GT(marks[5], 0);
    EXPECT_GT(marks[1], 0);
    EXPECT_GT(marks[4], 0);
}

TEST(NativeSystem, AnObserverThatOnlyMovesIsJoinedWithManySteps) {
    // None, one, two or three of its transitions are enabled, so sources have more, as many, or fewer steps than the
    // system's.
    model::Model model = two_counters(25);
    const model::ProcessId observer = add_process(model, "N", {"s", "t", "u"});
    model.observer = observer;
    for (const auto& [from, to, value] : {std::tuple(0, 0, 0), std::tuple(0, 1, 3), std::tuple(0, 2, 20),
                                          std::tuple(1, 1, 0), std::tuple(2, 0, 24), std::tuple(2, 2, 22)}) {
        model::Transition t = move(observer, from, to);
        t.guards.push_back(model::Expression::binary(model::Op::greater_equal, model.read(0), number(value)));
        t.marks = to == 1 ? 1 : 0;
        model.add_transition(t);
    }
    const Account seen = compare(model, {}, {}, 1500);
    EXPECT_GT(seen.states.size(), 1000U);
}

TEST(NativeSystem, LockstepIsTheProductOfTheProcesses) {
    model::Model model;
    model.composition = model::Composition::lockstep;
    const model::VariableId x = add_scalar(model, "x", {0, 6}, 0);
    for (const char* name : {"P", "Q", "R"}) {
        const model::ProcessId p = add_process(model, name, {"a", "b"});
        model::Transition up = move(p, 0, 1);
        up.marks = std::uint64_t{1} << p;
        up.effects.emplace_back(
            assign(x, model::Expression::binary(model::Op::add, model.read(x), number(1))));  // a fault in the end
        model.add_transition(up);
        model.add_transition(move(p, 0, 0));
        model::Transition back = move(p, 1, 0);
        back.guards.push_back(model::Expression::binary(model::Op::divide, number(30), model.read(x)));
        model.add_transition(back);
    }
    const Account seen = compare(model);
    EXPECT_EQ(std::count_if(seen.steps.begin(), seen.steps.end(),
                            [&](const Account::Step& s) { return s.source == model.initial; }),
              8);
    EXPECT_TRUE(std::any_of(seen.steps.begin(), seen.steps.end(),
                            [](const Account::Step& s) { return s.fault == model::FaultKind::range; }));
    const model::ProcessId observer = add_process(model, "N", {"s"});
    model.observer = observer;
    for (const model::Value v : {0, 1}) {
        model::Transition t = move(observer, 0, 0);
        t.guards.push_back(model::Expression::binary(model::Op::greater_equal, model.read(x), number(v)));
        t.marks = 8;
        model.add_transition(t);
    }
    compare(model);
}

TEST(NativeSystem, ManyTransitionsThatDifferInAValueKeepTheirOrder) {
    model::Model model = two_counters(7);
    const model::ProcessId p = add_process(model, "P", {"a", "b", "c"});
    const model::ProcessId q = add_process(model, "Q", {"a", "b", "c", "d"});
    // Rendezvous for each location of the other one and each value; the guards of a few say no more than that, or can
    // be faulty.
    for (int round = 0; round < 2; ++round) {
        for (model::Value v = 0; v < 6; ++v) {
            for (model::Value at = 0; at < 4; ++at) {
                model::Transition t = move(p, 0, (v + at) % 3);
                t.participants.push_back({q, at, (at + 1 + round) % 4, {}});
                model::Expression guard = equals(model.read(0), v);
                if (at == 1) guard = model::Expression::both(guard, equals(model.read(1), v / 2));
                if (at == 2)
                    guard = model::Expression::both(
                        guard, model::Expression::binary(model::Op::divide, number(4), model.read(1)));
                if (at == 3)
                    t.guards.push_back(model::Expression::binary(
                        model::Op::modulo, number(9),
                        model::Expression::binary(model::Op::subtract, model.read(1), number(1))));
                t.guards.push_back(guard);
                if (v == 3) t.effects.emplace_back(assign(0, number(0)));
                model.add_transition(t);
            }
        }
    }
    for (model::Value at = 1; at < 3; ++at) model.add_transition(move(p, at, 0));
    const Account seen = compare(model, {}, {}, 150);
    EXPECT_TRUE(std::any_of(seen.steps.begin(), seen.steps.end(),
                            [](const Account::Step& s) { return s.fault == model::FaultKind::division; }));
    EXPECT_TRUE(std::any_of(seen.steps.begin(), seen.steps.end(), [](const Account::Step& s) {
        return s.fault == model::FaultKind::none && s.transition > 30;
    }));
}

TEST(NativeSystem, WhatIsInterpretedTakesNoTimeToCompile) {
    std::string notice = "something";
    const model::Model model = two_counters(2);
    const auto system = make_model_system(std::make_shared<const model::Model>(model), {}, Layout::declared(model), {},
                                          Successors::interpret, kUnlimited, notice);
    EXPECT_EQ(notice, "");
    EXPECT_EQ(system->compile_seconds(), 0);
}

// ---- large models and budgets
// ----------------------------------------------------------------------------------------------------

// Tokens that move between places, by transitions without a process or, from each of the locations in turn, by those of
// one process.
model::Model net(std::size_t places, std::size_t transitions, std::size_t locations) {
    model::Model model;
    for (std::size_t i = 0; i < places; ++i)
        add_scalar(model, "p" + std::to_string(i), {0, 7}, locations > 0 || i % 5 == 0 ? 2 : 0);
    std::mt19937_64 random(places + transitions);
    if (locations > 0) add_process(model, "P", std::vector<std::string>(locations, "at"));
    for (std::size_t i = 0; i < transitions; ++i) {
        const auto place = [&] { return static_cast<model::VariableId>(random() % places); };
        const model::VariableId from = place();
        const model::VariableId also = place();
        const model::VariableId to = place();
        model::Transition t = locations == 0 ? model::Transition{}
                                             : move(0, static_cast<model::Value>(i % locations),
                                                    static_cast<model::Value>(random() % locations));
        t.guards.push_back(model::Expression::binary(model::Op::greater, model.read(from), number(0)));
        t.guards.push_back(model::Expression::binary(model::Op::less_equal, model.read(also), number(3)));
        t.effects.emplace_back(
            assign(from, model::Expression::binary(model::Op::subtract, model.read(from), number(1))));
        t.effects.emplace_back(assign(to, model::Expression::binary(model::Op::add, model.read(to), number(1))));
        model.add_transition(t);
    }
    return model;
}

// As compare(), but compiled once only.
Account compare_once(const model::Model& model, const std::vector<model::Expression>& labels, std::size_t most) {
    const Layout wide = Layout::declared(model);
    Account expected = account(make_interpreted_system(std::make_shared<const model::Model>(model), labels, wide),
                               model, most, {7, 300});
    expect_same(account(native_system(model, labels, wide, {}), model, most, {7, 300}), expected);
    return expected;
}

TEST(NativeSystem, ALargeNetIsCompiledInUnits) {
    // States of few words are kept in registers, others are copied.
    EXPECT_GT(compare_once(net(400, 420, 0), {}, 3).steps.size(), 200U);
    EXPECT_GT(compare_once(net(30, 420, 0), {}, 3).steps.size(), 200U);
}

TEST(NativeSystem, ProcessesOfManyLocationsAndLocationsOfManyTransitionsAreCut) {
    EXPECT_GT(compare_once(net(60, 450, 90), {}, 60).steps.size(), 200U);
    EXPECT_GT(compare_once(net(60, 600, 2), {}, 3).steps.size(), 500U);
}

TEST(NativeSystem, LargeStatesWithArraysAreChangedInMemory) {
    model::Model model = two_counters(9);
    const model::VariableId array = add_array(model, "a", {0, 255}, std::vector<model::Value>(400, 1));
    const model::VariableId index = add_scalar(model, "i", {0, 399}, 0);
    model::Transition write;
    write.guards.push_back(model::Expression::binary(model::Op::less, model.read(index), number(390)));
    write.effects.emplace_back(
        assign_element(array, model.read(index),
                       model::Expression::binary(model::Op::add, model.read(array, model.read(0)), number(2))));
    write.effects.emplace_back(assign_element(array, number(7), model.read(array, model.read(index))));
    write.effects.emplace_back(
        assign(index, model::Expression::binary(model::Op::add, model.read(index), model.read(array, model.read(1)))));
    model.add_transition(write);
    model::Transition shift;
    shift.effects.emplace_back(model::Shift{array, model.read(1), 20});
    model.add_transition(shift);
    compare(model, {equals(model.read(array, model.read(index)), 3)}, {}, 30);
    model.has_priorities = true;
    compare(model, {}, {}, 30);
}

TEST(NativeSystem, ManyLabelsAreCompiledInUnits) {
    const model::Model model = two_counters(9);
    std::vector<model::Expression> labels;
    for (model::Value i = 0; i < 5400; ++i)
        labels.push_back(equals(model.read(static_cast<model::VariableId>(i % 2)), i / 540));
    compare_once(model, labels, 3);
}

TEST(NativeSystem, AnExplicitGraphIsNotCompiled) {
    model::Model model;
    add_process(model, "lts", {"a", "b", "c"});
    for (model::Value v = 0; v < 3; ++v) model.add_transition(move(0, v, (v + 1) % 3));
    EXPECT_TRUE(model.is_explicit_graph());
    EXPECT_FALSE(two_counters(2).is_explicit_graph());
    std::string notice;
    const auto system = make_model_system(std::make_shared<const model::Model>(model), {}, Layout::declared(model), {},
                                          Successors::native, kUnlimited, notice);
    EXPECT_EQ(system->compile_seconds(), 0);
    EXPECT_NE(notice.find("explicit graph"), std::string::npos);
    EXPECT_EQ(account(std::shared_ptr<const System>(make_model_system(std::make_shared<const model::Model>(model), {},
                                                                      Layout::declared(model), {},
                                                                      Successors::automatic, kUnlimited, notice)),
                      model, 10, {1, 10})
                  .states.size(),
              3U);
    EXPECT_EQ(notice, "");
}

// What is compiled keeps to the budget; without room for it the model is interpreted.
TEST(NativeSystem, ABudgetThatIsTooSmallLeavesTheModelInterpreted) {
    using namespace std::chrono_literals;
    const model::Model model = net(40, 400, 0);
    const auto compiles = [&](const support::Budget& budget) {
        std::string notice;
        const auto system = make_model_system(std::make_shared<const model::Model>(model), {}, Layout::declared(model),
                                              {}, Successors::native, budget, notice);
        EXPECT_EQ(notice.empty(), system->compile_seconds() > 0) << notice;
        return system->compile_seconds() > 0;
    };
    EXPECT_TRUE(compiles(kUnlimited));
    EXPECT_FALSE(compiles(support::Budget({std::nullopt, std::nullopt, 30ms})));
    EXPECT_FALSE(compiles(support::Budget({}, [] { return true; })));
    // It is interrupted when the work is half done.
    int asked = 0;
    EXPECT_FALSE(compiles(support::Budget({}, [&] { return ++asked > 5; })));
    EXPECT_LT(asked, 8);
}

// ---- random models of every kind
// -------------------------------------------------------------------------------------------------

class RandomModel {
public:
    explicit RandomModel(unsigned seed) : random_(seed) {}

    model::Model make() {
        model::Model model;
        const auto scalars = 1 + below(4);
        for (std::uint64_t i = 0; i < scalars; ++i) add_scalar(model, "x" + std::to_string(i), range(), 0);
        for (std::uint64_t i = below(3); i > 0; --i)
            add_array(model, "a" + std::to_string(i), range(),
                      std::vector<model::Value>(1 + below(chance(20) ? 30 : 5)));
        for (model::Variable& variable : model.variables)
            for (model::SlotId s = variable.first_slot; s < variable.first_slot + variable.slot_count(); ++s)
                model.initial[s] = variable.range.low +
                                   static_cast<model::Value>(below(std::min<std::uint64_t>(
                                       4, static_cast<std::uint64_t>(variable.range.high - variable.range.low) + 1)));
        model::Table table;
        table.name = "T";
        table.values = {5, -2, 0, 11};
        table.array = true;
        model.tables.push_back(table);
        data_ = static_cast<model::VariableId>(model.variables.size());
        const auto processes = below(4);
        for (std::uint64_t p = 0; p < processes; ++p) add_random_process(model, "P" + std::to_string(p));
        if (processes > 1 && chance(20)) model.composition = model::Composition::lockstep;
        if (model.composition == model::Composition::interleaving) {
            for (std::uint64_t i = below(4) + (processes == 0 ? 1 : 0); i > 0; --i)
                model.add_transition(filled(model, {}));
            if (processes > 0 && chance(25)) model.has_priorities = true;
            if (processes > 0 && chance(25)) add_holder(model, processes, below(processes + 1));
        }
        if (chance(25)) {
            model.observer = add_process(model, "N", {"s", "t"});
            for (std::uint64_t i = 1 + below(4); i > 0; --i)
                model.add_transition(filled(model, move(*model.observer, static_cast<model::Value>(below(2)),
                                                        static_cast<model::Value>(below(2)))));
        }
        return model;
    }

    model::Expression expression(const model::Model& model, int depth = 3) {
        if (depth == 0 || chance(30)) return leaf(model);
        switch (below(10)) {
            case 0: return model::Expression::both(expression(model, depth - 1), expression(model, depth - 1));
            case 1: return model::Expression::either(expression(model, depth - 1), expression(model, depth - 1));
            case 2: return model::Expression::implication(expression(model, depth - 1), expression(model, depth - 1));
            case 3:
                return model::Expression::choice(expression(model, depth - 1), expression(model, depth - 1),
                                                 expression(model, depth - 1));
            case 4:
                return model::Expression::unary(
                    static_cast<model::Op>(static_cast<int>(model::Op::negate) + static_cast<int>(below(4))),
                    expression(model, depth - 1));
            case 5: return element(model, depth);
            default: {
                const auto op =
                    chance(70)
                        ? one_of({model::Op::add, model::Op::subtract, model::Op::equal, model::Op::less,
                                  model::Op::not_equal, model::Op::greater_equal, model::Op::bit_and,
                                  model::Op::bit_or})
                        : static_cast<model::Op>(static_cast<int>(model::Op::multiply) + static_cast<int>(below(16)));
                return model::Expression::binary(op, expression(model, depth - 1), expression(model, depth - 1));
            }
        }
    }

    KeyProgram key(const model::Model& model) {
        KeyProgram result;
        if (!chance(40)) return result;
        for (std::uint64_t i = 1 + below(2); i > 0; --i) {
            KeyComponent component;
            component.expression = expression(model, 2);
            const model::Range values = model::value_range(model, component.expression);
            component.low = values.low;
            component.bits = static_cast<unsigned>(
                std::bit_width(static_cast<std::uint64_t>(values.high) - static_cast<std::uint64_t>(values.low)));
            result.components.push_back(component);
        }
        return result;
    }

    model::Op one_of(std::initializer_list<model::Op> ops) { return *(ops.begin() + below(ops.size())); }
    bool chance(unsigned percent) { return below(100) < percent; }
    std::uint64_t below(std::uint64_t n) { return random_() % n; }

private:
    model::Range range() {
        switch (below(6)) {
            case 0: return {0, 255};
            case 1: return {-3, 4};
            case 2: return {-32768, 32767};
            case 3: return {0, 1};
            case 4: return {std::numeric_limits<model::Value>::min() / 2, std::numeric_limits<model::Value>::max() / 2};
            default: return {0, static_cast<model::Value>(below(7))};
        }
    }

    model::Expression leaf(const model::Model& model) {
        if (chance(40)) return number(static_cast<model::Value>(below(7)) - 2);
        const model::Variable& variable = model.variables[below(model.variables.size())];
        return model::Expression::slot(variable.first_slot + static_cast<model::SlotId>(below(variable.slot_count())));
    }

    model::Expression element(const model::Model& model, int depth) {
        if (chance(20)) return model::Expression::table(0, expression(model, depth - 1));
        const auto id = static_cast<model::VariableId>(below(model.variables.size()));
        return model.variables[id].length ? model.read(id, expression(model, depth - 1)) : leaf(model);
    }

    model::Transition filled(const model::Model& model, model::Transition t) {
        for (std::uint64_t i = below(3); i > 0; --i)
            t.guards.push_back(chance(40) ? equals(leaf(model), static_cast<model::Value>(below(3)))
                                          : expression(model));
        if (chance(50)) t.guards.clear();
        for (std::uint64_t i = below(4); i > 0; --i) {
            const auto id = static_cast<model::VariableId>(below(std::max<model::VariableId>(data_, 1)));
            const model::Variable& variable = model.variables[id];
            if (variable.length && chance(30)) {
                t.effects.emplace_back(model::Shift{id, chance(70) ? number(0) : expression(model, 1),
                                                    1 + static_cast<std::uint32_t>(below(variable.slot_count()))});
                continue;
            }
            model::Assign assignment;
            for (std::uint64_t k = 1 + below(2); k > 0; --k) {
                const auto to = static_cast<model::VariableId>(below(std::max<model::VariableId>(data_, 1)));
                model::Target target{to, std::nullopt};
                if (model.variables[to].length)
                    target.index = chance(70) ? model::Expression::binary(model::Op::bit_and, leaf(model), number(1))
                                              : expression(model, 1);
                assignment.targets.push_back(target);
                assignment.values.push_back(expression(model));
            }
            assignment.wrap = chance(80);
            if (chance(20)) assignment.passing.assign(assignment.values.size(), {-1, 5});
            t.effects.emplace_back(assignment);
        }
        // Now and then a requirement: without dice, so that it changes nothing else.
        if (++filled_ % 16 == 0 && !t.guards.empty())
            t.effects.emplace_back(model::Require{t.guards.back(), model::FaultKind::assertion, "required"});
        t.marks = chance(20) ? below(8) : 0;
        t.priority = static_cast<int>(below(3)) - 1;
        return t;
    }

    // Two of three transitions set who goes on alone, or that nobody does. No sequence counts for ever.
    static void add_holder(model::Model& model, std::uint64_t processes, std::uint64_t first) {
        for (model::Variable& variable : model.variables) {
            if (variable.range.span() < 8) continue;
            variable.range = {0, 3};
            for (std::uint32_t i = 0; i < variable.slot_count(); ++i) model.initial[variable.first_slot + i] = 0;
        }
        model.atomic = add_scalar(model, "holder", {0, static_cast<model::Value>(processes)}, 0);
        for (std::size_t t = 0; t < model.transitions.size(); ++t)
            if (t % 3 != 2)
                model.transitions[t].effects.emplace_back(
                    assign(*model.atomic, number(static_cast<model::Value>((first + t) % (processes + 1)))));
    }

    void add_random_process(model::Model& model, const std::string& name) {
        const std::uint64_t locations = 1 + below(4);
        const model::ProcessId p = add_process(model, name, std::vector<std::string>(locations, "l"));
        if (chance(20)) {
            model.processes[p].committed.resize(locations);
            model.processes[p].committed[below(locations)] = true;
        }
        for (std::uint64_t i = 1 + below(chance(10) ? 60 : 6); i > 0; --i) {
            model::Transition t = filled(model, move(p, static_cast<model::Value>(below(locations)),
                                                     static_cast<model::Value>(below(locations))));
            if (p > 0 && chance(25)) {
                const auto other = static_cast<model::ProcessId>(below(p));
                const auto places = static_cast<std::uint64_t>(model.processes[other].outgoing.size());
                t.participants.push_back(
                    {other, static_cast<model::Value>(below(places)), static_cast<model::Value>(below(places)), {}});
            }
            t.committed = std::all_of(t.participants.begin(), t.participants.end(), [&](const model::Participant& who) {
                const std::vector<bool>& committed = model.processes[who.process].committed;
                return !committed.empty() && committed[static_cast<std::size_t>(who.from)];
            });
            model.add_transition(t);
        }
    }

    std::mt19937 random_;
    std::size_t filled_ = 0;
    model::VariableId data_ = 0;  // number of variables that hold data
};

TEST(SuccessorBatch, WakesWhatSleptInTheSource) {
    const std::vector<SleepSet> asleep{0b1111, 0b0001, 0b0110, 0};
    SuccessorBatch batch(1, 8);
    batch.restart(1, asleep.data());
    const auto add = [&](SleepSet set) {
        *batch.next_state() = 0;
        batch.push(0, 0, model::FaultKind::none, 0, set);
    };
    add(0b1011);
    add(0b0001);
    batch.complete_source();
    batch.complete_source();  // without successors
    add(0b1111);
    batch.wake_inherited();
    EXPECT_EQ(batch.asleep(0), 0b1010U);
    EXPECT_EQ(batch.asleep(1), 0U);
    EXPECT_EQ(batch.asleep(2), 0b1111U) << "of the source that is not complete";
}

TEST(NativeSystem, RandomModelsOfEveryKind) {
    std::map<model::FaultKind, std::size_t> faults;
    std::map<std::string, std::size_t> kinds;
    std::size_t steps = 0;
    const char* wanted = std::getenv("TIDELINE_RANDOM_NATIVE");
    const unsigned count = wanted == nullptr ? 80 : static_cast<unsigned>(std::atoi(wanted));
    for (unsigned seed = 0; seed < count; ++seed) {
        RandomModel random(seed);
        const model::Model model = random.make();
        std::vector<model::Expression> labels;
        for (std::uint64_t i = random.below(4); i > 0; --i) labels.push_back(random.expression(model));
        const KeyProgram key = random.key(model);
        const Account seen = compare(model, labels, key, 40);
        if (HasFatalFailure() || HasNonfatalFailure()) FAIL() << "seed " << seed;
        for (const Account::Step& step : seen.steps) ++faults[step.fault];
        steps += seen.steps.size();
        kinds["lockstep"] += model.composition == model::Composition::lockstep;
        kinds["observer"] += model.observer.has_value();
        kinds["atomic"] += model.atomic.has_value();
        kinds["priorities"] += model.has_priorities;
        kinds["key undefined"] += seen.key_undefined;
    }
    // Otherwise this shows little.
    EXPECT_GT(steps, 3000U);
    for (const model::FaultKind kind : {model::FaultKind::index, model::FaultKind::division, model::FaultKind::range,
                                        model::FaultKind::overflow, model::FaultKind::shift})
        EXPECT_GT(faults[kind], 0U) << model::to_string(kind);
    for (const auto& [name, number_of] : kinds) EXPECT_GT(number_of, 0U) << name;
}

}  // namespace
}  // namespace tideline::successor
