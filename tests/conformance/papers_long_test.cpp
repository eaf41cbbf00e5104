// A larger run of the system of the 2017 paper; papers_test.cpp has the rows of its table.
#include "tests/conformance/papers.hpp"

#include <gtest/gtest.h>

namespace tideline::conformance {
namespace {

// The paper stops at 20-3; these figures follow from the polynomials through its rows.
TEST(StopAndWaitLong, FiftyPacketsHaveTheFiguresThatTheTableLeadsTo) {
    expect_row({50, 3, 2'732'252, 11'797'351, 119'806});
}

}  // namespace
}  // namespace tideline::conformance
