#include "successor/key.hpp"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "model/example_models.hpp"

namespace tideline::successor {
namespace {

constexpr model::Value kLowest = std::numeric_limits<model::Value>::min();
constexpr model::Value kHighest = std::numeric_limits<model::Value>::max();

// One component per slot.
KeyProgram reading_slots(const std::vector<std::pair<model::Value, unsigned>>& low_and_bits) {
    KeyProgram program;
    for (const auto& [low, bits] : low_and_bits)
        program.components.push_back(
            {model::Expression::slot(static_cast<model::SlotId>(program.components.size())), low, bits});
    return program;
}

Key key_of(const KeyProgram& program, const std::vector<model::Value>& slots) {
    model::Value stack[8];
    const std::optional<Key> key = evaluate_key(program, {}, slots.data(), stack);
    EXPECT_TRUE(key);
    return key.value_or(0);
}

TEST(Key, WithoutComponentsIsZero) {
    EXPECT_EQ(key_of({}, {1, 2, 3}), Key{0});
    EXPECT_TRUE(key_values({}, 0).empty());
}

TEST(Key, ComponentsWithoutBitsTakeNoRoom) {
    const KeyProgram program = reading_slots({{7, 0}, {0, 4}, {-3, 0}});
    EXPECT_EQ(key_of(program, {7, 9, -3}), Key{9});
    EXPECT_EQ(key_values(program, 9), (std::vector<model::Value>{7, 9, -3}));
}

TEST(Key, OfTwoComponentsOf64BitsFills128) {
    const KeyProgram program = reading_slots({{kLowest, 64}, {kLowest, 64}});
    EXPECT_EQ(key_of(program, {kLowest, kLowest}), Key{0});
    EXPECT_EQ(key_of(program, {kHighest, kHighest}), ~Key{0});
    EXPECT_EQ(key_of(program, {kLowest, kHighest}), Key{~std::uint64_t{0}});
    EXPECT_EQ(key_of(program, {kLowest + 1, kLowest}), Key{1} << 64U);
    for (const std::vector<model::Value>& values :
         {std::vector<model::Value>{0, 0}, {-1, 1}, {kLowest, kHighest}, {kHighest, kLowest}, {kHighest, kHighest}})
        EXPECT_EQ(key_values(program, key_of(program, values)), values);
}

TEST(Key, IsNothingWhereAComponentCannotBeEvaluated) {
    KeyProgram program = reading_slots({{0, 8}});
    program.components.push_back(
        {model::Expression::binary(model::Op::divide, model::Expression::constant(1), model::Expression::slot(0)), -1,
         2});
    model::Value stack[8];
    const model::Value zero[] = {0};
    const model::Value one[] = {1};
    EXPECT_FALSE(evaluate_key(program, {}, zero, stack));
    EXPECT_TRUE(evaluate_key(program, {}, one, stack));
}

TEST(Key, OrdersStatesAsTheirComponentsDoLexicographically) {
    std::mt19937_64 random(5);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::pair<model::Value, unsigned>> shape;
        unsigned room = 128;
        for (std::size_t n = random() % 6; n > 0; --n) {
            const unsigned bits = static_cast<unsigned>(random() % (std::min(room, 64U) + 1));
            room -= bits;
            // Some range of this number of bits: anywhere for small ones, at the bottom for those of 64 bits.
            const model::Value low = bits > 62 ? kLowest : static_cast<model::Value>(random() % 2000) - 1000;
            shape.emplace_back(low, bits);
        }
        const KeyProgram program = reading_slots(shape);
        const auto any_values = [&] {
            std::vector<model::Value> values;
            for (const auto& [low, bits] : shape) {
                const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
                const std::uint64_t ends[] = {0, mask, random() & mask, random() & mask & 3U};
                values.push_back(static_cast<model::Value>(static_cast<std::uint64_t>(low) + ends[random() % 4]));
            }
            return values;
        };
        const std::vector<model::Value> a = any_values();
        const std::vector<model::Value> b = any_values();
        ASSERT_EQ(key_of(program, a) < key_of(program, b), a < b);
        ASSERT_EQ(key_of(program, a) == key_of(program, b), a == b);
        ASSERT_EQ(key_values(program, key_of(program, a)), a);
    }
}

// An array's element that is chosen at run time may be any; a location counts where it changes.
TEST(Key, IsChangedByTransitionsThatMayWriteWhatItReads) {
    model::Model model;
    const model::VariableId read = model::examples::add_scalar(model, "read", {0, 9}, 0);
    const model::VariableId other = model::examples::add_scalar(model, "other", {0, 1}, 0);
    const model::VariableId array = model::examples::add_array(model, "array", {0, 9}, {0, 0});
    const model::ProcessId process = model::examples::add_process(model, "P", {"a", "b"});
    const auto add = [&](model::Value to, std::vector<model::Effect> effects) {
        model::Transition transition;
        transition.participants.push_back({process, 0, to, {}});
        transition.effects = std::move(effects);
        model.add_transition(std::move(transition));
    };
    model::Assign element;
    element.targets.push_back({array, model.read(other)});
    element.values.push_back(model::examples::number(1));
    add(0, {model::examples::assign(read, model::examples::number(1))});
    add(0, {model::examples::assign(other, model::examples::number(1))});
    add(0, {element});
    add(1, {});
    add(0, {});
    const auto changed_where_read = [&](std::vector<model::Expression> components) {
        KeyProgram program;
        for (model::Expression& component : components) program.components.push_back({std::move(component), 0, 4});
        return may_change_key(model, program);
    };
    const auto sum =
        model::Expression::binary(model::Op::add, model.read(read), model.read(array, model::examples::number(1)));
    EXPECT_EQ(changed_where_read({}), (std::vector<bool>{false, false, false, false, false}));
    EXPECT_EQ(changed_where_read({model.read(read)}), (std::vector<bool>{true, false, false, false, false}));
    EXPECT_EQ(changed_where_read({sum}), (std::vector<bool>{true, false, true, false, false}));
    EXPECT_EQ(changed_where_read({model.read(other), model.read(model.processes[process].location)}),
              (std::vector<bool>{false, true, false, true, false}));
}

}  // namespace
}  // namespace tideline::successor
