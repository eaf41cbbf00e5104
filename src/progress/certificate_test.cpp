#include "progress/certificate.hpp"

#include <gtest/gtest.h>

#include "input/load.hpp"
#include "progress/measure.hpp"

namespace tideline::progress {
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
    const support::Result<input::LoadedModel> loaded = input::load_model_text("m.dve", kModel, {});
    EXPECT_TRUE(loaded);
    const support::Result<Measure> measure = parse_measure(*loaded->model, text);
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
    EXPECT_FALSE(proven("k"));     // never decreases, but by a relation that ranges do not show
    EXPECT_FALSE(proven("a[1]"));  // written at a computed index
    EXPECT_FALSE(proven("n * n"));
    EXPECT_FALSE(proven("n % 4"));
}

// The number of leading components that are certified together.
std::size_t leading(const char* text, const std::string& measure_text) {
    const support::Result<input::LoadedModel> loaded = input::load_model_text("m.dve", text, {false, true});
    EXPECT_TRUE(loaded);
    const support::Result<Measure> measure = parse_measure(*loaded->model, measure_text);
    EXPECT_TRUE(measure) << measure_text;
    std::vector<model::Expression> expressions;
    for (const successor::KeyComponent& component : measure->program.components)
        expressions.push_back(component.expression);
    return monotonic_components(with_tables(*loaded->model, *measure), expressions);
}

TEST(Certificate, ProvesWeightsOfLocations) {
    EXPECT_TRUE(leading(kModel, "P.s2") == 1);                      // it is not left
    EXPECT_TRUE(leading(kModel, "P.s0 + P.s1 + 2*P.s2") == 1);      // s0 and s1 alike
    EXPECT_TRUE(leading(kModel, "P.s1 + 2*P.s2") == 0);             // s1 goes back to s0
    EXPECT_TRUE(leading(kModel, "2*n + 2*P.s0 + P.s1") == 0);       // s1 to s2 loses one, and nothing grows with it
    EXPECT_TRUE(leading(kModel, "n + 2*P.s0 + P.s1 + P.s2") == 1);  // what is lost from s0 to s1, n gains
}

TEST(Certificate, IsLexicographic) {
    // s0 to s1 moves n up, and s1 to s0 only the location back.
    EXPECT_EQ(leading(kModel, "n, P.s0"), 2U);
    EXPECT_EQ(leading(kModel, "n, P.s1"), 1U);
    EXPECT_EQ(leading(kModel, "P.s0, n"), 0U);
    EXPECT_EQ(leading(kModel, "n, Q"), 2U);
    EXPECT_EQ(leading(kModel, "P.s2, n, 0 - k"), 2U);
    // t0 -> t1 writes an array at a computed index, but the location has grown by then.
    constexpr const char* kOnce = R"(
byte a[3]; byte n;
process Q { state t0, t1; init t0; trans t0 -> t1 { effect a[n] = 1; }; }
system async;
)";
    EXPECT_EQ(leading(kOnce, "Q, a[1]"), 2U);
    EXPECT_EQ(leading(kOnce, "a[1], Q"), 0U);
}

TEST(Certificate, SeesAPropertyProcessMoveWithEveryStep) {
    constexpr const char* kProperty = R"(
byte n = 0;
process P { state a, b; init a; trans a -> b { guard n < 9; effect n = n + 1; }, b -> a {}; }
process LTL_property { state q0, q1; accept q1; init q0; trans q0 -> q0 {}, q0 -> q1 { guard n > 3; }, q1 -> q1 {}; }
system async property LTL_property;
)";
    EXPECT_EQ(leading(kProperty, "LTL_property, n"), 2U);
    EXPECT_EQ(leading(kProperty, "n + LTL_property"), 1U);
    EXPECT_EQ(leading(kProperty, "0 - LTL_property"), 0U);
    EXPECT_EQ(leading(kProperty, "2*n - LTL_property"), 0U);  // the property moves with a step of P that leaves n alone
}

}  // namespace
}  // namespace tideline::progress
