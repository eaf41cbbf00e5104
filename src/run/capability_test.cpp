#include "run/capability.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace tideline::run {
namespace {

TEST(Capability, TheManualHasTheTable) {
    std::ifstream file("docs/manual.md");
    const std::string manual(std::istreambuf_iterator<char>(file), {});
    ASSERT_FALSE(manual.empty()) << "tests run in the project's folder";
    EXPECT_NE(manual.find(capability_table()), std::string::npos) << capability_table();
}

TEST(Capability, EveryRefusalHasAReasonAndAWayOut) {
    for (const EngineTraits& traits : all_engines())
        for (const PropertyClass property : kPropertyClasses)
            for (const bool has_measure : {false, true})
                for (const InputKind input : {InputKind::model, InputKind::program}) {
                    const Capability found = capability(property, traits.engine, has_measure, input);
                    EXPECT_EQ(found.supported, found.reason.empty());
                    EXPECT_EQ(found.supported, found.hint.empty());
                }
}

TEST(Capability, SweepsNeedAMeasure) {
    for (const Engine engine : {Engine::sweep, Engine::sweep_basic}) {
        EXPECT_FALSE(capability(PropertyClass::state, engine, false, InputKind::model).supported);
        EXPECT_TRUE(capability(PropertyClass::state, engine, true, InputKind::model).supported);
    }
    EXPECT_TRUE(capability(PropertyClass::state, Engine::bfs, false, InputKind::model).supported);
}

TEST(Capability, ThereIsAnEngineForEverything) {
    for (const PropertyClass property : kPropertyClasses)
        for (const InputKind input : {InputKind::model, InputKind::program}) {
            bool any = false;
            for (const EngineTraits& traits : all_engines())
                any = any || capability(property, traits.engine, false, input).supported;
            EXPECT_TRUE(any);
            EXPECT_TRUE(capability(property, Engine::automatic, false, input).supported);
        }
}

}  // namespace
}  // namespace tideline::run
