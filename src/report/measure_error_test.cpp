#include "report/measure_error.hpp"

#include <gtest/gtest.h>

#include "trace/example_traces.hpp"

namespace tideline::report {
namespace {

check::MeasureError step_back() {
    check::MeasureError error;
    error.kind = support::StopReason::against_order;
    error.step = trace::examples::WrittenTrace{
        {"n", "k"}, {{{2, 1}, {"2", "1"}}, {{1, 1}, {"1", "1"}}}, {{{{"P", "s", "t", 7, "s -> t {}"}}, ""}}, {}, {}};
    error.from_values = {2, -1};
    error.to_values = {1, -1};
    return error;
}

TEST(MeasureErrorText, TellsTheStepThatGoesBackWithTheValuesBeforeAndAfter) {
    EXPECT_EQ(measure_error_text(step_back(), {"n", "-k"}, "m.dve", {}),
              "--progress: error: the measure is not monotonic: this step goes from n = 2, -k = -1 to n = 1, -k = -1\n"
              " 0  a reachable state\n"
              "      n = 2, k = 1\n"
              " 1  P: s -> t (m.dve:7)\n"
              "      s -> t {}\n"
              "      n: 2 -> 1\n"
              "  --engine sweep takes measures that are not monotonic\n");
}

TEST(MeasureErrorText, TellsTheStateInWhichTheMeasureHasNoValue) {
    check::MeasureError error = step_back();
    error.kind = support::StopReason::no_key;
    error.from_values = error.to_values = {};
    error.step.words.pop_back();
    EXPECT_EQ(measure_error_text(error, {}, "m.dve", {}),
              "--progress: error: the measure cannot be evaluated in the last of these states\n"
              " 0  a reachable state\n"
              "      n = 2, k = 1\n"
              "  expected a measure without division by zero, indices outside an array and the like\n");
}

}  // namespace
}  // namespace tideline::report
