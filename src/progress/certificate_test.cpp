#include "progress/certificate.hpp"

#include <gtest/gtest.h>

#include "input/load.hpp"
#include "progress/measure.hpp"

namespace tideline {
namespace {

// A counter, a location that goes round, one that does not, an array, a copy.
constexpr const char* kModel = R"(
byte n = 0; byte k = 0; byte big = 9; byte a[3];
process P {
  state s0, s1, s2;
  init s0;
  trans
    s0 -> s1 { guard n < 9; effect n = n + 1; },
    s1 -> s0 { guard k <= n; effect k = n, a[1] = a[1] + 2; },
    s1 -> s2 { guard big == 9; effect big = 20; };
}
process Q {
  state t0, t1;
  init t0;
  trans
    t0 -> t1 { effect a[n] = 1; },
    t1 -> t1 { guard n > 3; effect n = n + k; };
}
system async;
)";

bool proven(const std::string& text) {
    const Result<LoadedModel> loaded = load_model_text("m.dve", kModel, {});
    EXPECT_TRUE(loaded);
    const Result<Measure> measure = parse_measure(*loaded->model, text);
    EXPECT_TRUE(measure) << text;
    return never_decreases(*loaded->model, measure->program.components.front().expression);
}

TEST(Certificate, ProvesCountersLocationsAndSumsOfThem) {
    EXPECT_TRUE(proven("n"));
    EXPECT_TRUE(proven("Q"));
    EXPECT_TRUE(proven("n + 2 * Q"));
    EXPECT_TRUE(proven("big"));  // 20 - 9, by the guard
    EXPECT_TRUE(proven("7"));
    EXPECT_TRUE(proven("0 - (3 - n)"));
}

TEST(Certificate, ProvesNothingThatCanDecrease) {
    EXPECT_FALSE(proven("P"));
    EXPECT_FALSE(proven("0 - n"));
    EXPECT_FALSE(proven("n - k"));
    EXPECT_FALSE(proven("0 - Q"));
    EXPECT_FALSE(proven("n - 2 * Q"));
    EXPECT_FALSE(proven("0 - big"));
}

TEST(Certificate, ProvesNothingWhereItCannotTell) {
    EXPECT_FALSE(proven("k"));        // never decreases, but by a relation that ranges do not show
    EXPECT_FALSE(proven("a[1]"));     // written at a computed place
    EXPECT_FALSE(proven("n * n"));
    EXPECT_FALSE(proven("n % 4"));
}

}  // namespace
}  // namespace tideline
