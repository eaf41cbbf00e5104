#include "successor/interpret/step_events.hpp"

#include <gtest/gtest.h>

namespace tideline::successor {
namespace {

TEST(StepEvents, PrintedTextsHaveTheirValues) {
    EXPECT_EQ(printed("x", {}), "x");
    EXPECT_EQ(printed("%d of %d%%", {{3}, {-4}}), "3 of -4%");
    EXPECT_EQ(printed("%c%x %o %u", {{65}, {255}, {8}, {-1}}), "Aff 10 4294967295");
    EXPECT_EQ(printed("%e %e", {{2, "ack"}, {7}}), "ack 7");
}

TEST(StepEvents, ConversionsWithoutAValueStay) {
    EXPECT_EQ(printed("%d %d", {{1}}), "1 %d");
    EXPECT_EQ(printed("100%", {}), "100%");
}

}  // namespace
}  // namespace tideline::successor
