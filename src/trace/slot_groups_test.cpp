#include "trace/slot_groups.hpp"

#include <gtest/gtest.h>

namespace tideline::trace {
namespace {

// "a*3" for an array of three, "x" for a scalar.
std::string shape(const std::vector<std::string>& names) {
    std::string text;
    std::size_t next = 0;
    for (const SlotGroup& group : slot_groups(names)) {
        EXPECT_EQ(group.first, next);
        next += group.count;
        if (!text.empty()) text += ' ';
        text += group.name;
        if (group.array) text += '*' + std::to_string(group.count);
    }
    EXPECT_EQ(next, names.size());
    return text;
}

TEST(SlotGroups, ScalarsStayScalars) {
    EXPECT_EQ(shape({}), "");
    EXPECT_EQ(shape({"x", "P.x", "P", "c.length"}), "x P.x P c.length");
}

TEST(SlotGroups, CompleteArraysAreJoined) {
    EXPECT_EQ(shape({"x", "a[0]", "a[1]", "a[2]", "P.b[0]", "P.b[1]", "P"}), "x a*3 P.b*2 P");
    EXPECT_EQ(shape({"a[0]"}), "a*1");
}

TEST(SlotGroups, FieldsOfAChannelAreArraysOfTheirOwn) {
    EXPECT_EQ(shape({"c.length", "c[0].0", "c[1].0", "c[0].1", "c[1].1"}), "c.length c.0*2 c.1*2");
}

TEST(SlotGroups, RowsOfAMatrixAreArrays) {
    EXPECT_EQ(shape({"m[0][0]", "m[0][1]", "m[1][0]", "m[1][1]"}), "m[0]*2 m[1]*2");
}

TEST(SlotGroups, IncompleteArraysAreNotJoined) {
    EXPECT_EQ(shape({"a[1]", "a[2]"}), "a[1] a[2]");
    EXPECT_EQ(shape({"a[0]", "a[2]"}), "a[0] a[2]");
    EXPECT_EQ(shape({"a[0]", "x", "a[1]"}), "a[0] x a[1]");
    EXPECT_EQ(shape({"a[0]", "a[01]"}), "a[0] a[01]");
}

TEST(SlotGroups, NamesThatWouldBeTakenTwiceAreNotJoined) {
    EXPECT_EQ(shape({"a", "a[0]", "a[1]"}), "a a[0] a[1]");
    EXPECT_EQ(shape({"c[0].x", "c.x[0]"}), "c[0].x c.x[0]");
}

TEST(SlotGroups, OddNamesAreScalars) {
    EXPECT_EQ(shape({"[0]", "a[", "a]0[", "a[x]", "", "#meta"}), "[0] a[ a]0[ a[x]  #meta");
}

}  // namespace
}  // namespace tideline::trace
