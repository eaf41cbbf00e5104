#include "support/json_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tideline::support {
namespace {

TEST(JsonDepth, CountsArraysAndObjects) {
    EXPECT_EQ(json_depth("1"), 0U);
    EXPECT_EQ(json_depth("[]"), 1U);
    EXPECT_EQ(json_depth(R"({"a": [1, {"b": []}], "c": {}})"), 4U);
    EXPECT_EQ(json_depth(std::string(100'000, '[')), 100'000U);
}

TEST(JsonDepth, LooksPastTextsAndEscapes) {
    EXPECT_EQ(json_depth(R"(["[[[", "\"[[", "\\", [1]])"), 2U);
    EXPECT_EQ(json_depth(R"(["[[[)"), 1U) << "a text that does not end";
    EXPECT_EQ(json_depth("]]]["), 1U) << "no JSON";
}

TEST(JsonText, InvalidBytesAreReplaced) { EXPECT_EQ(to_json_text(nlohmann::json("a\xff")), "\"a\xef\xbf\xbd\""); }

}  // namespace
}  // namespace tideline::support
