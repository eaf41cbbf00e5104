// Engines against reference/ on random models. Environment: TIDELINE_RANDOM_MODELS (how many), TIDELINE_RANDOM_SEED
// (the first), TIDELINE_EVERY_NATIVE (every n-th model is compiled too).
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/differential/agreement.hpp"
#include "tests/differential/random_dve.hpp"
#include "tests/differential/shrink_dve.hpp"

namespace tideline::differential {
namespace {

std::uint64_t number(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(RandomModels, EnginesAndReferenceAgree) {
    const std::uint64_t count = number("TIDELINE_RANDOM_MODELS", 2000);
    const std::uint64_t first = number("TIDELINE_RANDOM_SEED", 0);
    const std::uint64_t every_native = number("TIDELINE_EVERY_NATIVE", 5);  // compiling takes most of the time
    std::uint64_t compared = 0;
    std::uint64_t with_faults = 0;
    std::uint64_t nested = 0;
    std::uint64_t seed = first;
    for (; compared < count && seed < first + count + count / 5; ++seed) {
        const RandomModel model = random_model(seed);
        AgreementOptions options;
        options.wrap = seed % 5 == 4;
        options.max_states = 3'000;
        options.seed = seed;
        options.native = seed % every_native == 0;
        const AgreementResult result = compare_with_reference(model.text, model.invariants, options);
        if (result.disagreement) {
            const std::string small = shrink_dve_model(model.text, [&](const std::string& text) {
                return compare_with_reference(text, model.invariants, options).disagreement.has_value();
            });
            FAIL() << "seed " << seed << (options.wrap ? " (wrap)" : "") << ": " << *result.disagreement << "\n"
                   << small;
        }
        if (result.compared) ++compared;
        if (result.faults > 0) ++with_faults;
        if (result.nested) ++nested;
    }
    // Nearly all models are valid and small enough, and many have faults: otherwise this test shows little.
    EXPECT_EQ(compared, count);
    EXPECT_GE(with_faults, count / 20);
    EXPECT_GE(nested, count / 50);
    std::printf("%llu models compared, %llu of them with faults\n", static_cast<unsigned long long>(compared),
                static_cast<unsigned long long>(with_faults));
}

}  // namespace
}  // namespace tideline::differential
