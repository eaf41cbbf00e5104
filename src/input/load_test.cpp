#include "input/load.hpp"

#include <gtest/gtest.h>

namespace tideline {
namespace {

constexpr const char* kDve = "byte x; process P { state s; init s; trans s -> s { effect x = x + 1; }; } system async;";
constexpr const char* kWithProperty =
    "process P { state s; init s; } process N { state q; init q; accept q; trans q -> q {}; } system async property N;";

TEST(Load, TheEndingDecidesTheLanguage) {
    const Result<LoadedModel> dve = load_model_text("m.dve", kDve, {});
    ASSERT_TRUE(dve);
    EXPECT_EQ(dve->model->format, "dve");
    EXPECT_TRUE(std::holds_alternative<std::shared_ptr<const dve::Program>>(dve->syntax));
    const Result<LoadedModel> aut = load_model_text("some.dir/m.aut", "des (0, 1, 2)\n(0, a, 1)\n", {});
    ASSERT_TRUE(aut);
    EXPECT_EQ(aut->model->format, "aut");
    EXPECT_EQ(aut->model->transitions.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<std::shared_ptr<const lts::Graph>>(aut->syntax));
    const Result<LoadedModel> json = load_model_text("m.json", R"({"states": 2, "initial": 0, "edges": [[0, 1]]})", {});
    ASSERT_TRUE(json);
    EXPECT_EQ(json->model->transitions.size(), 1U);
}

TEST(Load, AnUnknownEndingIsExplained) {
    for (const char* path : {"m.txt", "m", "dir.dve/m", "m."}) {
        const Result<LoadedModel> result = load_model_text(path, kDve, {});
        ASSERT_FALSE(result) << path;
        EXPECT_EQ(result.diagnostics().at(0).hint, "expected a name that ends in .dve, .aut or .json");
    }
    EXPECT_EQ(load_model_text("m.txt", "", {}).diagnostics().at(0).message, "the kind of model is not known: .txt");
    EXPECT_EQ(load_model_text("a.b/m", "", {}).diagnostics().at(0).message, "the kind of model is not known: the name has no ending");
}

TEST(Load, AMissingFileIsAnError) {
    const Result<LoadedModel> result = load_model("/nonexistent/m.dve", {});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.diagnostics().at(0).file, "/nonexistent/m.dve");
}

TEST(Load, ErrorsOfAllStagesAreReturned) {
    EXPECT_FALSE(load_model_text("m.dve", "process", {}));
    EXPECT_FALSE(load_model_text("m.dve", "process P { state s; init t; } system async;", {}));
    EXPECT_FALSE(load_model_text("m.aut", "des", {}));
    EXPECT_FALSE(load_model_text("m.json", "{", {}));
}

TEST(Load, WarningsComeWithTheModel) {
    const Result<LoadedModel> result =
        load_model_text("m.dve", "byte x; process P { state s; init s; trans s -> s { guard x or x and x; }; } system async;", {});
    ASSERT_TRUE(result);
    ASSERT_EQ(result.diagnostics().size(), 1U);
    EXPECT_EQ(result.diagnostics()[0].severity, Severity::warning);
}

TEST(Load, OptionsReachTheTranslation) {
    const Result<LoadedModel> wrapping = load_model_text("m.dve", kDve, {.wrap = true, .with_property = true});
    ASSERT_TRUE(wrapping);
    EXPECT_TRUE(std::get<Assign>(wrapping->model->transitions[0].effects[0]).wrap);
    const Result<LoadedModel> with = load_model_text("m.dve", kWithProperty, {});
    ASSERT_TRUE(with);
    EXPECT_EQ(with->model->processes.size(), 2U);
    EXPECT_EQ(with->model->observer, 1U);
    const Result<LoadedModel> without = load_model_text("m.dve", kWithProperty, {.wrap = false, .with_property = false});
    ASSERT_TRUE(without);
    EXPECT_EQ(without->model->processes.size(), 1U);
    EXPECT_FALSE(without->model->observer);
}

TEST(LoadDve, TakesMeasuresOfProgressFromComments) {
    const std::string model = "byte n; byte k;\n"
                              "  // tideline progress: n + 1\n"
                              "process P { state a, b; init a; trans a -> b { effect n = 1; }; }\n"
                              "// tideline progress: P\n"
                              "// tideline progresses: no\n"
                              "system async;\n";
    const Result<LoadedModel> loaded = load_model_text("m.dve", model, {});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->model->progress.size(), 2U);
    const Result<LoadedModel> wrong = load_model_text("m.dve", "byte n;\n// tideline progress: n + m\n" + model, {});
    ASSERT_FALSE(wrong);
}

TEST(LoadDve, TakesVectorsAndListsOfComponentsFromComments) {
    const std::string model = "byte n; byte k;\n"
                              "process P { state a, b; init a; trans a -> b { effect n = 1; }; }\n"
                              "system async;\n";
    const Result<LoadedModel> loaded = load_model_text("m.dve", model + "// tideline progress: product(n, k), P\n", {});
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->model->progress.size(), 2U);
    EXPECT_EQ(loaded->model->progress[0].size(), 2U);
    EXPECT_EQ(loaded->model->progress[1].size(), 1U);
    const Result<LoadedModel> open = load_model_text("m.dve", model + "// tideline progress: product(n, k\n", {});
    ASSERT_FALSE(open);
    EXPECT_EQ(open.diagnostics().front().message, "this parenthesis is not closed");
    for (const char* nothing : {"", "  ", "product()", "n,"}) {
        SCOPED_TRACE(nothing);
        const Result<LoadedModel> empty = load_model_text("m.dve", model + "// tideline progress:" + nothing + "\n", {});
        ASSERT_FALSE(empty);
        EXPECT_EQ(empty.diagnostics().front().message, "a component of the measure is empty");
        EXPECT_EQ(empty.diagnostics().front().position.line, 4U);
    }
}

}  // namespace
}  // namespace tideline
