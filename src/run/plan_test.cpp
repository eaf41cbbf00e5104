#include "run/plan.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ledger/error.hpp"
#include "run/properties_file.hpp"
#include "run/sample_input.hpp"
#include "run/stored_plan.hpp"

namespace tideline::run {
namespace {

class PlanTest : public ::testing::Test {
protected:
    RunPlan planned(RunSpec spec) {
        const LoadedInput input = loaded(spec);
        OrRefusal<RunPlan> result = plan(std::move(spec), input);
        if (const auto* refusal = std::get_if<Refusal>(&result))
            throw std::runtime_error(refusal->diagnostics.front().message);
        return std::get<RunPlan>(std::move(result));
    }
    std::string refusal_of(RunSpec spec) {
        const LoadedInput input = loaded(spec);
        OrRefusal<RunPlan> result = plan(std::move(spec), input);
        return std::holds_alternative<Refusal>(result) ? std::get<Refusal>(result).diagnostics.front().message : "";
    }

    SampleFolder folder_;
    std::string model_ = folder_.write("m.dve", counter_model(20));
};

TEST_F(PlanTest, AutoIsBreadthFirst) {
    for (const Task task : {Task::explore, Task::check}) {
        const RunPlan plan = planned(spec_for(
            model_, task, task == Task::check ? std::vector{invariant("x >= 0")} : std::vector<PropertySpec>()));
        EXPECT_EQ(plan.engine, Engine::bfs);
        EXPECT_EQ(plan.measure_source, MeasureSource::none);
        EXPECT_FALSE(plan.keeps_ledger());
        EXPECT_FALSE(plan.engine_reason.empty());
    }
}

TEST_F(PlanTest, WithALedgerAutoIsLeftOpenUntilAMeasureIsSearchedFor) {
    RunSpec spec = spec_for(model_, Task::explore);
    spec.record = explore::Recorded::edges;
    EXPECT_FALSE(planned(spec).is_resolved());
    spec.record = explore::Recorded::tree;
    spec.ledger = {LedgerChoice::Kind::directory, folder_ / "ledger"};
    const RunPlan plan = planned(spec);
    EXPECT_EQ(plan.engine, Engine::automatic);
    EXPECT_EQ(plan.measure_source, MeasureSource::open);
    EXPECT_FALSE(plan.is_resolved());
}

TEST_F(PlanTest, WhatIsAskedForIsResolved) {
    RunSpec spec = spec_for(model_, Task::explore);
    spec.engine = Engine::dfs;
    EXPECT_EQ(planned(spec).engine, Engine::dfs);
    spec.engine = Engine::automatic;
    spec.progress = {ProgressChoice::Kind::given, "x"};
    EXPECT_EQ(planned(spec).engine, Engine::sweep);
    EXPECT_TRUE(planned(spec).keeps_ledger());
    spec.ledger.kind = LedgerChoice::Kind::none;
    EXPECT_FALSE(planned(spec).keeps_ledger());
    spec.progress = {ProgressChoice::Kind::none, ""};
    EXPECT_EQ(planned(spec).engine, Engine::bfs);
}

TEST_F(PlanTest, WhatDoesNotFitIsRefused) {
    RunSpec spec = spec_for(model_, Task::explore);
    spec.engine = Engine::couvreur;
    EXPECT_EQ(refusal_of(spec), "the engine couvreur decides linear-time properties");
    spec = spec_for(model_, Task::check, {invariant("x >= 0")});
    spec.engine = Engine::couvreur;
    EXPECT_EQ(refusal_of(spec),
              "the engine couvreur decides linear-time properties, not invariants, assertions or deadlocks");
    spec.engine = Engine::sweep;
    spec.progress = {ProgressChoice::Kind::none, ""};
    EXPECT_EQ(refusal_of(spec), "the engine sweep needs a progress measure");
    spec.progress = {ProgressChoice::Kind::given, "z"};
    EXPECT_NE(refusal_of(spec).find("'z'"), std::string::npos);
    EXPECT_NE(refusal_of(spec_for(model_, Task::check, {invariant("z")})).find("'z'"), std::string::npos);
    EXPECT_EQ(refusal_of(spec_for(model_, Task::check, {invariant("x"), invariant("y")})),
              "there is a property 'invariant' already");
    EXPECT_EQ(refusal_of(spec_for(model_, Task::check)),
              "nothing to check: the model has no assertions and no property process");
}

TEST_F(PlanTest, AStoredPlanIsReadAsItWas) {
    RunSpec spec = spec_for(model_, Task::check, {invariant("x >= 0", "first"), invariant("y < 7", "second")});
    spec.properties[1].expected = check::Answer::violated;
    spec.progress = {ProgressChoice::Kind::given, "x, y"};
    spec.record = explore::Recorded::edges;
    spec.threads = 3;
    spec.limits.memory = 1U << 20U;
    const RunPlan plan = planned(spec);
    const RunPlan again = parse_plan(to_json(plan), "header.json");
    EXPECT_EQ(again.engine, Engine::sweep);
    EXPECT_EQ(again.spec.engine, Engine::automatic);
    EXPECT_EQ(again.measure, "x, y");
    EXPECT_EQ(again.measure_source, MeasureSource::given);
    EXPECT_EQ(again.spec.record, explore::Recorded::edges);
    EXPECT_EQ(again.spec.threads, 3U);
    EXPECT_EQ(again.spec.limits.memory, plan.spec.limits.memory);
    EXPECT_EQ(again.spec.model, plan.spec.model);
    ASSERT_EQ(again.spec.properties.size(), 2U);
    EXPECT_EQ(again.spec.properties[0].text, "x >= 0");
    EXPECT_EQ(again.spec.properties[1].expected, check::Answer::violated);
    EXPECT_EQ(to_json(again), to_json(plan));
}

TEST_F(PlanTest, APathThatIsNoTextIsStored) {
    RunSpec spec = spec_for(model_, Task::explore);
    RunPlan plan = planned(spec);
    plan.engine = Engine::bfs;
    plan.measure_source = MeasureSource::none;
    plan.spec.model.path = "/tmp/\xff\xfe.dve";
    EXPECT_EQ(parse_plan(nlohmann::ordered_json::parse(to_json(plan).dump()), "header.json").spec.model.path,
              plan.spec.model.path);
}

TEST_F(PlanTest, PlansOfOtherVersionsAndDamagedOnesAreRefused) {
    RunSpec spec = spec_for(model_, Task::explore);
    spec.engine = Engine::bfs;
    const nlohmann::ordered_json good = to_json(planned(spec));
    nlohmann::ordered_json other = good;
    other["version"] = kPlanVersion + 1;
    EXPECT_THROW((void)parse_plan(other, "header.json"), ledger::LedgerError);
    for (const auto& [name, value] : good.items()) {
        nlohmann::ordered_json without = good;
        without.erase(name);
        EXPECT_THROW((void)parse_plan(without, "header.json"), ledger::LedgerError) << name;
    }
    nlohmann::ordered_json open = good;
    open["engine"] = "auto";
    EXPECT_THROW((void)parse_plan(open, "header.json"), ledger::LedgerError);
}

TEST_F(PlanTest, DifferencesAreNamed) {
    const std::string properties = folder_.write("p.txt", "p: invariant x >= 0\nq: deadlock\n");
    RunSpec spec = spec_for(model_, Task::check);
    spec.properties_file = properties;
    spec.properties = *read_properties_file(properties);
    spec.engine = Engine::bfs;
    RunPlan stored = planned(spec);
    stored = parse_plan(to_json(stored), "header.json");
    const LoadedInput input = loaded(spec);
    EXPECT_FALSE(difference(stored, input));
    const auto changed = [&](const std::string& text) {
        folder_.write("p.txt", text);
        return difference(stored, input).value_or("the same");
    };
    EXPECT_NE(
        changed("p: invariant x != 5\nq: deadlock\n").find("'p' was 'invariant x >= 0' and is 'invariant x != 5'"),
        std::string::npos);
    EXPECT_NE(changed("p: invariant x >= 0\n").find("'q' is missing"), std::string::npos);
    EXPECT_NE(changed("p: invariant x >= 0\nq: deadlock\nr: deadlock\n").find("'r' is new"), std::string::npos);
    EXPECT_NE(changed("p violated: invariant x >= 0\nq: deadlock\n").find("'p' has another expected verdict"),
              std::string::npos);
    EXPECT_NE(changed("nonsense\n").find("has changed since the run began"), std::string::npos);
    EXPECT_EQ(changed("# a comment\nq: deadlock\np: invariant x >= 0\n"), "the same");
    std::filesystem::remove(properties);
    EXPECT_FALSE(difference(stored, input)) << "the plan has the properties";
    folder_.write("m.dve", counter_model(21));
    RunSpec again = spec_for(model_, Task::explore);
    EXPECT_NE(difference(stored, loaded(again)).value_or("").find("the model has changed"), std::string::npos);
}

}  // namespace
}  // namespace tideline::run
