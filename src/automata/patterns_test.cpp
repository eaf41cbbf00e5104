// The 188 formulas of the specification patterns, beside the sizes that Spot reaches.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "automata/check_automaton.hpp"

namespace tideline::automata {
namespace {

struct Pattern {
    std::string formula;
    std::size_t spot_generalised;
    std::size_t spot_state_based;
};

std::vector<Pattern> patterns() {
    const char* given = std::getenv("TIDELINE_SHARED");
    const std::filesystem::path folder = given != nullptr && *given != '\0' ? given : "../shared";
    std::ifstream file(folder / "reference" / "ltl-patterns.csv");
    std::vector<Pattern> result;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        Pattern pattern;
        char comma = 0;
        std::getline(fields, pattern.formula, ',');
        fields >> pattern.spot_generalised >> comma >> pattern.spot_state_based;
        result.push_back(pattern);
    }
    return result;
}

TEST(Patterns, AutomataAreRight) {
    if (patterns().empty()) GTEST_SKIP() << "the folder of reference facts is absent; TIDELINE_SHARED names it";
    logic::RandomEngine random(3);
    for (const Pattern& pattern : patterns()) {
        logic::Formulas formulas;
        const logic::Formula f = parsed(formulas, pattern.formula);
        expect_right(formulas, f, logic::atoms(formulas, f), random, 40);
        if (HasFatalFailure()) return;
    }
}

TEST(Patterns, AutomataAreSmall) {
    if (patterns().empty()) GTEST_SKIP() << "the folder of reference facts is absent; TIDELINE_SHARED names it";
    ASSERT_EQ(patterns().size(), 188U);
    std::size_t generalised = 0;
    std::size_t state_based = 0;
    std::size_t spot_generalised = 0;
    std::size_t spot_state_based = 0;
    for (const Pattern& pattern : patterns()) {
        logic::Formulas formulas;
        Labels labels;
        const logic::Formula f = parsed(formulas, pattern.formula);
        const support::Result<Automaton> tgba = translate(formulas, f, labels, AutomatonKind::generalised);
        const support::Result<Automaton> ba = translate(formulas, f, labels, AutomatonKind::state_based);
        ASSERT_TRUE(tgba && ba) << pattern.formula;
        EXPECT_LE(tgba->size(), 2 * pattern.spot_generalised) << pattern.formula;
        EXPECT_LE(ba->size(), 2 * pattern.spot_state_based) << pattern.formula;
        EXPECT_LE(tgba->size(), ba->size()) << pattern.formula;
        generalised += tgba->size();
        state_based += ba->size();
        spot_generalised += pattern.spot_generalised;
        spot_state_based += pattern.spot_state_based;
    }
    EXPECT_LE(generalised, spot_generalised);
    EXPECT_LE(state_based, spot_state_based);
}

}  // namespace
}  // namespace tideline::automata
