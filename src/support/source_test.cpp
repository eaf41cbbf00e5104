#include "support/source.hpp"

#include <gtest/gtest.h>

namespace tideline::support {
namespace {

TEST(Source, PositionsCountLinesAndCharactersFromOne) {
    const SourceText source("f", "ab\ncd\n\nx");
    EXPECT_EQ(source.position(0), (SourcePosition{1, 1}));
    EXPECT_EQ(source.position(1), (SourcePosition{1, 2}));
    EXPECT_EQ(source.position(2), (SourcePosition{1, 3}));
    EXPECT_EQ(source.position(3), (SourcePosition{2, 1}));
    EXPECT_EQ(source.position(6), (SourcePosition{3, 1}));
    EXPECT_EQ(source.position(7), (SourcePosition{4, 1}));
    EXPECT_EQ(source.position(8), (SourcePosition{4, 2}));
    EXPECT_EQ(source.line_number(5), 2U);
}

TEST(Source, AColumnCountsACharacterOfSeveralBytesOnce) {
    const SourceText source("f", "\u00e4\u2192x");
    EXPECT_EQ(source.position(5), (SourcePosition{1, 3}));
}

TEST(Source, PositionsBehindTheEndStayInTheLastLine) {
    EXPECT_EQ(SourceText("f", "ab").position(100), (SourcePosition{1, 3}));
    EXPECT_EQ(SourceText("f", "").position(0), (SourcePosition{1, 1}));
    EXPECT_EQ(SourceText().position(7), (SourcePosition{1, 1}));
}

TEST(Source, LinesComeWithoutTheirEnds) {
    const SourceText source("f", "one\r\ntwo\n");
    EXPECT_EQ(source.line(1), "one");
    EXPECT_EQ(source.line(2), "two");
    EXPECT_EQ(source.line(3), "");
    EXPECT_EQ(source.line(0), "");
    EXPECT_EQ(source.line(4), "");
}

TEST(Source, SpansOutsideTheTextAreCut) {
    const SourceText source("f", "abc");
    EXPECT_EQ(source.text({1, 2}), "b");
    EXPECT_EQ(source.text({2, 10}), "c");
    EXPECT_EQ(source.text({7, 9}), "");
    EXPECT_EQ(source.text({2, 1}), "");
}

}  // namespace
}  // namespace tideline::support
