#include "successor/interpret/interpreted_system.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/example_models.hpp"
#include "successor/interpret/pilot.hpp"

namespace tideline::successor {
namespace {

const support::Budget kUnlimited;

using namespace model::examples;

struct Successor {
    std::uint32_t source;
    model::TransitionId transition;
    model::Marks marks;
    model::FaultKind fault;
    std::vector<model::Value> values;
    friend bool operator==(const Successor&, const Successor&) = default;
};

// Steps of all kinds: counters, a shift, a fault for x == 3, and an observer with two moves.
model::Model busy_model() {
    model::Model model = two_counters(20);
    const model::VariableId queue = add_array(model, "q", {0, 5}, {5, 4, 3});
    model::Transition shift;
    shift.effects.emplace_back(model::Shift{queue, number(0), 3});
    model.add_transition(shift);
    model::Transition fault;
    fault.guards.push_back(model::Expression::binary(model::Op::equal, model.read(0), number(3)));
    fault.effects.emplace_back(assign(1, number(99)));
    model.add_transition(fault);
    const model::ProcessId observer = add_process(model, "N", {"s", "t"});
    model.observer = observer;
    model::Transition mark = move(observer, 0, 0);
    mark.marks = 1;
    model.add_transition(mark);
    model.add_transition(move(observer, 0, 1));
    model.add_transition(move(observer, 1, 1));
    return model;
}

std::shared_ptr<System> declared(const model::Model& model, std::vector<model::Expression> labels = {}) {
    return make_interpreted_system(std::make_shared<const model::Model>(model), std::move(labels),
                                   Layout::declared(model));
}

std::vector<Word> packed(const model::Model& model, const std::vector<std::vector<model::Value>>& states) {
    const Layout layout = Layout::declared(model);
    std::vector<Word> result(states.size() * layout.words());
    for (std::size_t i = 0; i < states.size(); ++i)
        EXPECT_FALSE(layout.pack(states[i].data(), result.data() + i * layout.words()));
    return result;
}

std::vector<Successor> expand(const System& system, const std::vector<Word>& states, std::size_t capacity) {
    const std::unique_ptr<Expander> expander = system.expander();
    SuccessorBatch batch(system.state_words(), capacity);
    std::vector<Successor> result;
    Cursor cursor;
    for (Expansion expansion = Expansion::full; expansion != Expansion::done;) {
        batch.restart(cursor.state);
        expansion = expander->expand(states.data(), states.size() / system.state_words(), cursor, batch);
        EXPECT_NE(expansion, Expansion::needs_repacking);
        EXPECT_TRUE(expansion == Expansion::done || batch.full());
        batch.compute_hashes();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const bool faulty = batch.fault(i) != model::FaultKind::none;
            result.push_back({batch.source(i), batch.transition(i), batch.marks(i), batch.fault(i),
                              faulty ? std::vector<model::Value>{} : system.decode(batch.state(i))});
            if (!faulty) {
                EXPECT_EQ(batch.hash(i), hash_state(batch.state(i), system.state_words()));
            }
        }
    }
    return result;
}

TEST(InterpretedSystem, ABatchOfAnySizeGivesTheSameSuccessors) {
    const auto system = declared(busy_model());
    const std::vector<Word> states =
        packed(busy_model(), {{0, 0, 5, 4, 3, 0}, {3, 0, 5, 4, 3, 0}, {0, 0, 5, 4, 3, 1}, {3, 20, 4, 3, 0, 1}});
    const std::vector<Successor> all = expand(*system, states, 1000);
    EXPECT_EQ(all.size(), 6U + 7U + 3U + 3U);
    for (const std::size_t capacity : {1U, 2U, 3U, 5U, 6U, 20U})
        EXPECT_EQ(expand(*system, states, capacity), all) << capacity;
}

TEST(InterpretedSystem, StepsAreTheSuccessorsInTheSameOrder) {
    const auto system = declared(busy_model());
    const std::vector<Word> state = packed(busy_model(), {{3, 0, 5, 4, 3, 0}});
    const std::vector<Successor> successors = expand(*system, state, 100);
    const std::vector<StepDetail> steps = system->steps(state.data());
    ASSERT_EQ(steps.size(), successors.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].transition, successors[i].transition);
        EXPECT_EQ(steps[i].fault, successors[i].fault);
        EXPECT_EQ(steps[i].next.empty(), steps[i].fault != model::FaultKind::none);
        EXPECT_EQ(steps[i].fault_text.empty(), steps[i].fault == model::FaultKind::none);
        if (!steps[i].next.empty()) {
            EXPECT_EQ(system->decode(steps[i].next.data()), successors[i].values);
        }
    }
}

TEST(InterpretedSystem, StepsNameWhoMovesAndWhereTheTextStands) {
    model::Model model;
    model.source = support::SourceText("m", "first\nsecond -> third\n");
    add_process(model, "P", {"s", "t"});
    add_process(model, "Q", {"u", "v"});
    model::Transition meeting = move(0, 0, 1);
    meeting.participants[0].span = {6, 21};
    meeting.participants.push_back({1, 0, 1, {0, 5}});
    meeting.label = "c";
    model.add_transition(meeting);
    const auto system = declared(model);
    const std::vector<StepDetail> steps = system->steps(system->initial_states().front().data());
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].label, "c");
    ASSERT_EQ(steps[0].parts.size(), 2U);
    EXPECT_EQ(steps[0].parts[0].process, "P");
    EXPECT_EQ(steps[0].parts[0].from, "s");
    EXPECT_EQ(steps[0].parts[0].to, "t");
    EXPECT_EQ(steps[0].parts[0].line, 2U);
    EXPECT_EQ(steps[0].parts[0].text, "second -> third");
    EXPECT_EQ(steps[0].parts[1].process, "Q");
    EXPECT_EQ(system->slot_names(), (std::vector<std::string>{"P", "Q"}));
    EXPECT_EQ(system->value_text(1, 1), "v");
}

TEST(InterpretedSystem, LabelsAreBitsAndFaultsAreTold) {
    const model::Model model = two_counters(5);
    std::vector<model::Expression> labels(70, number(0));
    labels[0] = number(7);
    labels[1] = model::Expression::binary(model::Op::divide, number(1), model.read(0));
    labels[69] = model::Expression::binary(model::Op::equal, model.read(0), number(0));
    const auto system = declared(model, labels);
    EXPECT_EQ(system->label_count(), 70U);
    EXPECT_EQ(system->label_words(), 2U);
    std::vector<std::uint64_t> bits(2, ~std::uint64_t{0});
    std::vector<model::FaultKind> faults(70, model::FaultKind::shift);
    system->expander()->labels(system->initial_states().front().data(), bits.data(), faults.data());
    EXPECT_EQ(bits, (std::vector<std::uint64_t>{1, 1U << 5U}));
    EXPECT_EQ(faults[1], model::FaultKind::division);
    EXPECT_EQ(std::count(faults.begin(), faults.end(), model::FaultKind::none), 69);
}

TEST(InterpretedSystem, AValueThatDoesNotFitThePackingStopsUntilItIsWidened) {
    model::Model model;
    const model::VariableId x = add_scalar(model, "x", {-1000, 1000}, 0);
    for (const model::Value value : {1, 3, -900, 2}) {
        model::Transition transition;
        transition.effects.emplace_back(assign(x, number(value)));
        model.add_transition(transition);
    }
    std::shared_ptr<const System> system =
        make_interpreted_system(std::make_shared<const model::Model>(model), {}, Layout::observed(model, {{0, 1}}));
    std::unique_ptr<Expander> expander = system->expander();
    std::vector<Word> state = system->initial_states().front();
    std::vector<model::Value> found;
    std::size_t widenings = 0;
    Cursor cursor;
    for (;;) {
        SuccessorBatch batch(system->state_words(), 10);
        const Expansion result = expander->expand(state.data(), 1, cursor, batch);
        for (std::size_t i = 0; i < batch.size(); ++i) found.push_back(system->decode(batch.state(i))[0]);
        if (result == Expansion::done) break;
        ASSERT_EQ(result, Expansion::needs_repacking);
        ++widenings;
        const std::shared_ptr<const System> wider = system->with_wider_fields(*expander);
        std::vector<Word> repacked(wider->state_words());
        wider->repacking (*system)(state.data(), repacked.data());
        EXPECT_EQ(wider->decode(repacked.data()), system->decode(state.data()));
        EXPECT_EQ(wider->initial_states().front(), repacked);
        state = repacked;
        system = wider;
        expander = system->expander();
    }
    EXPECT_EQ(found, (std::vector<model::Value>{1, 3, -900, 2}));
    EXPECT_EQ(widenings, 2U);
}

TEST(Pilot, WalksSeeTheValuesOfASmallModel) {
    const std::vector<model::Range> seen = observe_ranges(two_counters(6), kUnlimited);
    EXPECT_EQ(seen, (std::vector<model::Range>{{0, 6}, {0, 6}}));
}

TEST(Pilot, RangesStayInsideTheDeclaredOnesAndFaultsAreLeftOut) {
    const model::Model model = busy_model();
    const std::vector<model::Range> seen = observe_ranges(model, kUnlimited);
    ASSERT_EQ(seen.size(), model.slot_count());
    for (const model::Variable& variable : model.variables) {
        for (model::SlotId slot = variable.first_slot; slot < variable.first_slot + variable.slot_count(); ++slot) {
            EXPECT_TRUE(variable.range.holds(seen[slot].low) && variable.range.holds(seen[slot].high));
            EXPECT_LE(seen[slot].low, model.initial[slot]);
            EXPECT_GE(seen[slot].high, model.initial[slot]);
        }
    }
}

TEST(Pilot, AModelWithoutStepsEndsAtOnce) {
    model::Model model;
    add_scalar(model, "x", {0, 9}, 4);
    EXPECT_EQ(observe_ranges(model, kUnlimited), (std::vector<model::Range>{{4, 4}}));
}

// Every process has two moves at any time, all move at once: 2^n steps from each state.
model::Model lockstep(std::size_t processes) {
    model::Model model;
    model.composition = model::Composition::lockstep;
    for (std::size_t i = 0; i < processes; ++i) {
        const model::VariableId x = add_scalar(model, "x" + std::to_string(i), {0, 3}, 0);
        const model::ProcessId p = add_process(model, "P" + std::to_string(i), {"a"});
        for (model::Value v = 1; v < 3; ++v) {
            model::Transition t = move(p, 0, 0);
            t.effects.emplace_back(assign(x, number(v)));
            model.add_transition(t);
        }
    }
    return model;
}

TEST(Pilot, EndsWhereAStateHasMoreStepsThanCanBeVisited) {
    const std::vector<model::Range> seen = observe_ranges(lockstep(60), kUnlimited);
    EXPECT_EQ(seen[118], (model::Range{0, 2})) << "the last process moves first";
    EXPECT_EQ(seen, observe_ranges(lockstep(60), kUnlimited));
}

TEST(Pilot, EndsWithTheBudget) {
    int asked = 0;
    const support::Budget budget({}, [&] { return ++asked > 3; });
    const std::vector<model::Range> seen = observe_ranges(lockstep(60), budget);
    EXPECT_EQ(seen.size(), 120U);
    EXPECT_EQ(asked, 4);
}

// Starting again with the first step whenever the batch is full would take hours.
TEST(InterpretedSystem, ExpansionGoesOnWhereTheBatchWasFull) {
    const model::Model model = lockstep(18);
    const auto system = make_interpreted_system(std::make_shared<const model::Model>(model),
                                                {model::Expression::binary(model::Op::equal, model.read(0), number(0))},
                                                Layout::declared(model));
    const std::unique_ptr<Expander> expander = system->expander();
    const std::vector<Word> state = system->initial_states().front();
    Cursor cursor;
    SuccessorBatch batch(system->state_words(), 2);
    std::uint64_t steps = 0;
    std::uint64_t bits = 0;
    model::FaultKind fault = model::FaultKind::none;
    Expansion expansion = Expansion::full;
    while (expansion == Expansion::full) {
        batch.restart(0);
        expansion = expander->expand(state.data(), 1, cursor, batch);
        // The first process's choice is the last to change.
        if (batch.size() > 0) {
            ASSERT_EQ(system->decode(batch.state(0))[0], steps < (1U << 17U) ? 1 : 2);
        }
        steps += batch.size();
        expander->labels(state.data(), &bits, &fault);
        ASSERT_EQ(bits, 1U);
    }
    EXPECT_EQ(expansion, Expansion::done);
    EXPECT_EQ(steps, 1U << 18U);
}

}  // namespace
}  // namespace tideline::successor
