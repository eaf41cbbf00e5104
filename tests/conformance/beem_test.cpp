// The numbers of the BEEM benchmark: small instances, for the ordinary tests. beem_long_test.cpp has the larger ones.
#include "tests/conformance/beem.hpp"

#include <gtest/gtest.h>

#include "input/load.hpp"

namespace tideline::conformance {
namespace {

constexpr std::uint64_t kSmall = 100'000;

class Beem : public testing::Test {
protected:
    void SetUp() override {
        if (!shared_folder())
            GTEST_SKIP() << "the folder of reference facts is absent; TIDELINE_SHARED tells where it is";
    }
};

TEST_F(Beem, EveryModelParsesAndTranslates) {
    std::size_t models = 0;
    for (const auto& entry : std::filesystem::directory_iterator(beem_folder())) {
        if (entry.path().extension() != ".dve") continue;
        ++models;
        const support::Result<input::LoadedModel> loaded = input::load_model(entry.path().string(), {});
        EXPECT_TRUE(loaded) << entry.path().filename() << '\n' << support::to_text(loaded.diagnostics().front());
    }
    EXPECT_GT(models, 0u);
}

TEST_F(Beem, SmallInstancesHaveTheKnownStatesAndTransitions) {
    const std::vector<BeemFact> facts = beem_states(0, kSmall);
    EXPECT_FALSE(facts.empty());
    expect_facts(facts);
}

TEST_F(Beem, SmallProductsWithAPropertyHaveTheKnownSize) {
    const std::vector<BeemFact> facts = beem_products(0, kSmall);
    EXPECT_FALSE(facts.empty());
    expect_facts(facts);
}

TEST_F(Beem, PropertyProcessesHaveTheKnownVerdict) {
    constexpr std::uint64_t kFew = 5'000;
    EXPECT_GT(expect_verdicts(kFew), 150U);
}

}  // namespace
}  // namespace tideline::conformance
