#include "successor/layout.hpp"

#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "model/example_models.hpp"

namespace tideline::successor {
namespace {

using namespace model::examples;

constexpr model::Value kLeast = std::numeric_limits<model::Value>::min();
constexpr model::Value kMost = std::numeric_limits<model::Value>::max();

model::Value add(model::Value low, std::uint64_t offset) {
    return static_cast<model::Value>(static_cast<std::uint64_t>(low) + offset);
}
std::uint64_t reach(unsigned width) { return width == 0 ? 0 : ~std::uint64_t{0} >> (64 - width); }

class LayoutTest : public testing::Test {
protected:
    model::Value pick(model::Range range) {
        const std::uint64_t span = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
        return add(range.low, span == ~std::uint64_t{0} ? random_() : random_() % (span + 1));
    }
    model::Range random_range() {
        const auto width = static_cast<unsigned>(random_() % 65);
        if (width == 64) return {kLeast, kMost};
        const model::Value low = pick({kLeast, add(kMost, ~reach(width) + 1)});
        return {low, add(low, reach(width) == 0 ? 0 : reach(width) / 2 + 1 + random_() % (reach(width) / 2 + 1))};
    }
    std::mt19937_64 random_{5};
};

TEST_F(LayoutTest, AFieldIsAsWideAsItsRangeNeeds) {
    for (unsigned width = 0; width <= 64; ++width) {
        for (const model::Value low : {model::Value{0}, model::Value{-5}, kLeast}) {
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
    const auto holds = [&](model::SlotId slot, model::Value value) {
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
        std::vector<model::Range> ranges(1 + random_() % 60);
        for (model::Range& range : ranges) range = random_range();
        const Layout layout(ranges);
        std::vector<std::uint64_t> used(layout.words());
        for (model::SlotId slot = 0; slot < ranges.size(); ++slot) {
            const Layout::Field& field = layout.field(slot);
            ASSERT_LT(field.word, layout.words());
            ASSERT_LE(field.shift + field.width, 64);
            const std::uint64_t bits = field.width == 0 ? 0 : field.mask << field.shift;
            ASSERT_EQ(used[field.word] & bits, 0U);
            used[field.word] |= bits;
        }
        const std::size_t bits_of_last_word = (layout.bytes() - (layout.words() - 1) * 8) * 8;
        ASSERT_GE(layout.bytes(), (layout.words() - 1) * 8 + 1);
        ASSERT_TRUE(bits_of_last_word == 64 || used.back() >> bits_of_last_word == 0)
            << "the bytes beyond bytes() are 0";
        std::vector<model::Value> values(ranges.size());
        std::vector<model::Value> found(ranges.size());
        std::vector<std::uint64_t> state(layout.words(), ~std::uint64_t{0});
        for (int i = 0; i < 10; ++i) {
            for (model::SlotId slot = 0; slot < ranges.size(); ++slot) values[slot] = pick(ranges[slot]);
            ASSERT_FALSE(layout.pack(values.data(), state.data()));
            layout.unpack(state.data(), found.data());
            ASSERT_EQ(found, values);
        }
    }
}

TEST_F(LayoutTest, PackingTellsTheFirstSlotThatDoesNotFit) {
    const Layout layout({{0, 1}, {0, 3}, {0, 3}});
    std::vector<std::uint64_t> state(layout.words());
    const model::Value values[] = {1, 4, 9};
    EXPECT_EQ(layout.pack(values, state.data()), 1U);
}

TEST_F(LayoutTest, WithoutSlotsAStateIsOneByte) {
    const Layout layout(std::vector<model::Range>{});
    EXPECT_EQ(layout.words(), 1U);
    EXPECT_EQ(layout.bytes(), 1U);
}

TEST_F(LayoutTest, ObservedRangesAreRoundedUpWithinTheDeclaredOnes) {
    model::Model model;
    add_scalar(model, "x", {0, 255}, 0);
    add_scalar(model, "y", {0, 5}, 0);
    add_scalar(model, "z", {-10, 255}, 0);
    add_process(model, "P", {"s", "t", "u"});
    const Layout layout = Layout::observed(model, {{3, 5}, {1, 5}, {252, 254}, {0, 0}});
    EXPECT_EQ(layout.range(0), (model::Range{3, 6}));
    EXPECT_EQ(layout.range(1), (model::Range{0, 5}));
    EXPECT_EQ(layout.range(2), (model::Range{252, 255}));
    EXPECT_EQ(layout.range(3), (model::Range{0, 2})) << "locations are packed whole";
    EXPECT_EQ(Layout::declared(model).range(2), (model::Range{-10, 255}));
}

TEST_F(LayoutTest, WideningHoldsTheNewValueAndAllOldOnes) {
    for (int round = 0; round < 500; ++round) {
        model::Model model;
        const model::Range declared = random_range();
        const model::Value initial = pick(declared);
        add_scalar(model, "other", {0, 3}, 2);
        add_array(model, "a", declared, {initial, initial});
        Layout layout = Layout::observed(model, {{2, 2}, {initial, initial}, {initial, initial}});
        std::vector<model::Value> values = model.initial;
        for (int i = 0; i < 80; ++i) {
            const model::Value wanted = i % 2 == 0 ? pick(declared) : pick({declared.low, initial});
            const model::SlotId slot = 1 + static_cast<model::SlotId>(i % 2);
            std::vector<std::uint64_t> state(layout.words());
            ASSERT_FALSE(layout.pack(values.data(), state.data()));
            if (!layout.store(state.data(), slot, wanted)) {
                const Layout wider = layout.with_wider_fields(model, slot, wanted);
                for (model::SlotId s = 0; s < 3; ++s) {
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
    model::Model model;
    for (const char* name : {"P", "Q"}) {
        const model::ProcessId p = add_process(model, name, {"s"});
        const model::VariableId n = add_scalar(model, std::string(name) + ".n", {0, 255}, 0);
        model.variables[n].owner = p;
    }
    add_scalar(model, "n", {0, 255}, 0);
    const Layout layout =
        Layout::observed(model, {{0, 0}, {0, 1}, {0, 0}, {0, 1}, {0, 1}}).with_wider_fields(model, 1, 12);
    EXPECT_EQ(layout.range(1), (model::Range{0, 15}));
    EXPECT_EQ(layout.range(3), (model::Range{0, 15}));
    EXPECT_EQ(layout.range(4), (model::Range{0, 1}));
}

}  // namespace
}  // namespace tideline::successor
