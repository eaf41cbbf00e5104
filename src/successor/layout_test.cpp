#include "successor/layout.hpp"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "model/example_models.hpp"

namespace tideline {
namespace {

using namespace examples;

constexpr Value kLeast = std::numeric_limits<Value>::min();
constexpr Value kMost = std::numeric_limits<Value>::max();

Value add(Value low, std::uint64_t offset) { return static_cast<Value>(static_cast<std::uint64_t>(low) + offset); }
std::uint64_t reach(unsigned width) { return width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width); }

class LayoutTest : public testing::Test {
protected:
    Value pick(Range range) {
        const std::uint64_t span = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
        return add(range.low, span == ~std::uint64_t{0} ? random_() : random_() % (span + 1));
    }
    Range random_range() {
        const auto width = static_cast<unsigned>(random_() % 65);
        if (width == 64) return {kLeast, kMost};
        const Value low = pick({kLeast, add(kMost, ~reach(width) + 1)});
        return {low, add(low, reach(width) == 0 ? 0 : reach(width) / 2 + 1 + random_() % (reach(width) / 2 + 1))};
    }
    std::mt19937_64 random_{5};
};

TEST_F(LayoutTest, AFieldIsAsWideAsItsRangeNeeds) {
    for (unsigned width = 0; width <= 64; ++width) {
        for (const Value low : {Value{0}, Value{-5}, kLeast}) {
            if (width == 64 && low != kLeast) continue;
            const Layout layout({{low, add(low, reach(width))}});
            EXPECT_EQ(layout.field(0).width, width);
            EXPECT_EQ(layout.words(), 1U);
            EXPECT_EQ(layout.bytes(), std::max(1U, (width + 7) / 8));
        }
    }
}

TEST_F(LayoutTest, BothEndsOfARangeAreHeldAndNothingOutside) {
    const Layout layout({{-3, 4}, {kLeast, kMost}, {7, 7}, {kMost - 1, kMost}, {0, 2}});
    std::vector<std::uint64_t> state(layout.words());
    const auto holds = [&](SlotId slot, Value value) {
        if (!layout.store(state.data(), slot, value)) return false;
        return layout.load(state.data(), slot) == value;
    };
    EXPECT_TRUE(holds(0, -3) && holds(0, 4) && !holds(0, -4) && !holds(0, 5) && !holds(0, kLeast) && !holds(0, kMost));
    EXPECT_TRUE(holds(1, kLeast) && holds(1, kMost) && holds(1, 0));
    EXPECT_TRUE(holds(2, 7) && !holds(2, 8) && !holds(2, 6));
    EXPECT_TRUE(holds(3, kMost) && holds(3, kMost - 1) && !holds(3, kMost - 2) && !holds(3, kLeast));
    EXPECT_TRUE(holds(4, 3)) << "a field holds all values of its bits";
}

TEST_F(LayoutTest, RandomValuesSurvivePackingAndNoFieldStraddlesOrOverlaps) {
    for (int round = 0; round < 200; ++round) {
        std::vector<Range> ranges(1 + random_() % 60);
        for (Range& range : ranges) range = random_range();
        const Layout layout(ranges);
        std::vector<std::uint64_t> used(layout.words());
        for (SlotId slot = 0; slot < ranges.size(); ++slot) {
            const Layout::Field& field = layout.field(slot);
            ASSERT_LT(field.word, layout.words());
            ASSERT_LE(field.shift + field.width, 64);
            const std::uint64_t bits = field.width == 0 ? 0 : field.mask << field.shift;
            ASSERT_EQ(used[field.word] & bits, 0U);
            used[field.word] |= bits;
        }
        const std::size_t bits_of_last_word = (layout.bytes() - (layout.words() - 1) * 8) * 8;
        ASSERT_GE(layout.bytes(), (layout.words() - 1) * 8 + 1);
        ASSERT_TRUE(bits_of_last_word == 64 || used.back() >> bits_of_last_word == 0) << "the bytes beyond bytes() are 0";
        std::vector<Value> values(ranges.size());
        std::vector<Value> found(ranges.size());
        std::vector<std::uint64_t> state(layout.words(), ~std::uint64_t{0});
        for (int i = 0; i < 10; ++i) {
            for (SlotId slot = 0; slot < ranges.size(); ++slot) values[slot] = pick(ranges[slot]);
            ASSERT_FALSE(layout.pack(values.data(), state.data()));
            layout.unpack(state.data(), found.data());
            ASSERT_EQ(found, values);
        }
    }
}

TEST_F(LayoutTest, PackingTellsTheFirstSlotThatDoesNotFit) {
    const Layout layout({{0, 1}, {0, 3}, {0, 3}});
    std::vector<std::uint64_t> state(layout.words());
    const Value values[] = {1, 4, 9};
    EXPECT_EQ(layout.pack(values, state.data()), 1U);
}

TEST_F(LayoutTest, WithoutSlotsAStateIsOneByte) {
    const Layout layout(std::vector<Range>{});
    EXPECT_EQ(layout.words(), 1U);
    EXPECT_EQ(layout.bytes(), 1U);
}

TEST_F(LayoutTest, ObservedRangesAreRoundedUpWithinTheDeclaredOnes) {
    Model model;
    add_scalar(model, "x", {0, 255}, 0);
    add_scalar(model, "y", {0, 5}, 0);
    add_scalar(model, "z", {-10, 255}, 0);
    add_process(model, "P", {"s", "t", "u"});
    const Layout layout = Layout::observed(model, {{3, 5}, {1, 5}, {252, 254}, {0, 0}});
    EXPECT_EQ(layout.range(0), (Range{3, 6}));
    EXPECT_EQ(layout.range(1), (Range{0, 5}));
    EXPECT_EQ(layout.range(2), (Range{252, 255}));
    EXPECT_EQ(layout.range(3), (Range{0, 2})) << "locations are packed whole";
    EXPECT_EQ(Layout::declared(model).range(2), (Range{-10, 255}));
}

TEST_F(LayoutTest, WideningHoldsTheNewValueAndAllOldOnes) {
    for (int round = 0; round < 500; ++round) {
        Model model;
        const Range declared = random_range();
        const Value initial = pick(declared);
        add_scalar(model, "other", {0, 3}, 2);
        add_array(model, "a", declared, {initial, initial});
        Layout layout = Layout::observed(model, {{2, 2}, {initial, initial}, {initial, initial}});
        std::vector<Value> values = model.initial;
        for (int i = 0; i < 80; ++i) {
            const Value wanted = i % 2 == 0 ? pick(declared) : pick({declared.low, initial});
            const SlotId slot = 1 + static_cast<SlotId>(i % 2);
            std::vector<std::uint64_t> state(layout.words());
            ASSERT_FALSE(layout.pack(values.data(), state.data()));
            if (!layout.store(state.data(), slot, wanted)) {
                const Layout wider = layout.widened(model, slot, wanted);
                for (SlotId s = 0; s < 3; ++s) {
                    ASSERT_LE(wider.range(s).low, layout.range(s).low);
                    ASSERT_GE(wider.range(s).high, layout.range(s).high);
                    ASSERT_TRUE(s == 0 || (declared.low <= wider.range(s).low && wider.range(s).high <= declared.high));
                }
                layout = wider;
                state.assign(layout.words(), 0);
                ASSERT_FALSE(layout.pack(values.data(), state.data()));
                ASSERT_TRUE(layout.store(state.data(), slot, wanted));
            }
            ASSERT_EQ(layout.load(state.data(), slot), wanted);
            ASSERT_EQ(layout.load(state.data(), 0), 2);
            values[slot] = wanted;
        }
    }
}

TEST_F(LayoutTest, NamesakesInOtherProcessesGrowTogether) {
    Model model;
    for (const char* name : {"P", "Q"}) {
        const ProcessId p = add_process(model, name, {"s"});
        const VariableId n = add_scalar(model, std::string(name) + ".n", {0, 255}, 0);
        model.variables[n].owner = p;
    }
    add_scalar(model, "n", {0, 255}, 0);
    const Layout layout = Layout::observed(model, {{0, 0}, {0, 1}, {0, 0}, {0, 1}, {0, 1}}).widened(model, 1, 12);
    EXPECT_EQ(layout.range(1), (Range{0, 15}));
    EXPECT_EQ(layout.range(3), (Range{0, 15}));
    EXPECT_EQ(layout.range(4), (Range{0, 1}));
}

}  // namespace
}  // namespace tideline
