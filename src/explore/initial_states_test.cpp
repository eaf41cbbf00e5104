#include "explore/initial_states.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::explore {
namespace {

TEST(InitialStates, AreRecordedOnceAlsoAfterRepacking) {
    model::Model model;
    model::examples::add_scalar(model, "x", {0, 100'000}, 4);
    model.more_initial = {7, 2};
    const auto shared = std::make_shared<const model::Model>(model);
    const auto narrow = successor::make_interpreted_system(shared, {}, successor::Layout::observed(model, {{0, 9}}));
    const auto wide = successor::make_interpreted_system(shared, {}, successor::Layout::declared(model));
    const auto bytes_of = [](const std::vector<successor::Word>& state) {
        return reinterpret_cast<const std::uint8_t*>(state.data());
    };
    InitialStates open(*narrow);
    const std::vector<std::vector<successor::Word>> before = narrow->initial_states();
    const std::vector<successor::Word> other(narrow->state_words(), before[0][0] ^ 1U);
    EXPECT_FALSE(open.record(bytes_of(other)));
    EXPECT_TRUE(open.record(bytes_of(before[1])));
    EXPECT_FALSE(open.record(bytes_of(before[1]))) << "it is recorded already";
    open.repack(*wide);
    const std::vector<std::vector<successor::Word>> after = wide->initial_states();
    EXPECT_FALSE(open.record(bytes_of(after[1])));
    EXPECT_TRUE(open.record(bytes_of(after[0])));
    EXPECT_FALSE(open.are_all_recorded());
    EXPECT_TRUE(open.record(bytes_of(after[2])));
    EXPECT_TRUE(open.are_all_recorded());
}

}  // namespace
}  // namespace tideline::explore
