// The larger instances of the BEEM benchmark: minutes, and some gigabytes.
#include "tests/conformance/beem.hpp"

#include <gtest/gtest.h>

namespace tideline::conformance {
namespace {

constexpr std::uint64_t kSmall = 100'000;  // beem_test.cpp covers up to here
constexpr std::uint64_t kLarge = 5'000'000;
constexpr std::uint64_t kLargeProduct = 5'000'000;

class BeemLong : public testing::Test {
protected:
    void SetUp() override {
        if (!shared_folder())
            GTEST_SKIP() << "the folder of reference facts is absent; TIDELINE_SHARED tells where it is";
    }
};

TEST_F(BeemLong, LargerInstancesHaveTheKnownStatesAndTransitions) {
    const std::vector<BeemFact> facts = beem_states(kSmall, kLarge);
    EXPECT_FALSE(facts.empty());
    expect_facts(facts);
}

TEST_F(BeemLong, LargerProductsWithAPropertyHaveTheKnownSize) {
    const std::vector<BeemFact> facts = beem_products(kSmall, kLargeProduct);
    EXPECT_FALSE(facts.empty());
    expect_facts(facts);
}

}  // namespace
}  // namespace tideline::conformance
