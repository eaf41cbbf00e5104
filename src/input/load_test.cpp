#include "input/load.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace tideline::input {
namespace {

constexpr const char* kDve = "byte x; process P { state s; init s; trans s -> s { effect x = x + 1; }; } system async;";
constexpr const char* kWithProperty =
    "process P { state s; init s; } process N { state q; init q; accept q; trans q -> q {}; } system async property N;";

TEST(Load, TheEndingDecidesTheLanguage) {
    const support::Result<LoadedModel> dve = load_model_text("m.dve", kDve, {});
    ASSERT_TRUE(dve);
    EXPECT_EQ(dve->model->format, "dve");
    EXPECT_EQ(dve->language, "dve");
    const support::Result<LoadedModel> aut = load_model_text("some.dir/m.aut", "des (0, 1, 2)\n(0, a, 1)\n", {});
    ASSERT_TRUE(aut);
    EXPECT_EQ(aut->model->format, "aut");
    EXPECT_EQ(aut->model->transitions.size(), 1U);
    EXPECT_EQ(aut->language, "aut");
    const support::Result<LoadedModel> json =
        load_model_text("m.json", R"({"states": 2, "initial": 0, "edges": [[0, 1]]})", {});
    ASSERT_TRUE(json);
    EXPECT_EQ(json->model->transitions.size(), 1U);
}

TEST(Load, AnUnknownEndingIsExplained) {
    for (const char* path : {"m.txt", "m", "dir.dve/m", "m."}) {
        const support::Result<LoadedModel> result = load_model_text(path, kDve, {});
        ASSERT_FALSE(result) << path;
        EXPECT_EQ(result.diagnostics().at(0).hint,
                  "expected a name that ends in .dve, .aut, .pml, .pm, .prm, .prom, .promela, .pr, .spin or .json");
    }
    EXPECT_EQ(load_model_text("m.txt", "", {}).diagnostics().at(0).message, "the kind of model is not known: .txt");
    EXPECT_EQ(load_model_text("a.b/m", "", {}).diagnostics().at(0).message,
              "the kind of model is not known: the name has no ending");
}

TEST(Load, AMissingFileIsAnError) {
    const support::Result<LoadedModel> result = load_model("/nonexistent/m.dve", {});
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
    const support::Result<LoadedModel> result = load_model_text(
        "m.dve", "byte x; process P { state s; init s; trans s -> s { guard x or x and x; }; } system async;", {});
    ASSERT_TRUE(result);
    ASSERT_EQ(result.diagnostics().size(), 1U);
    EXPECT_EQ(result.diagnostics()[0].severity, support::Severity::warning);
}

TEST(Load, OptionsReachTheTranslation) {
    const support::Result<LoadedModel> wrapping = load_model_text("m.dve", kDve, {.wrap = true, .with_property = true});
    ASSERT_TRUE(wrapping);
    EXPECT_TRUE(std::get<model::Assign>(wrapping->model->transitions[0].effects[0]).wrap);
    const support::Result<LoadedModel> with = load_model_text("m.dve", kWithProperty, {});
    ASSERT_TRUE(with);
    EXPECT_EQ(with->model->processes.size(), 2U);
    EXPECT_EQ(with->model->observer, 1U);
    const support::Result<LoadedModel> without =
        load_model_text("m.dve", kWithProperty, {.wrap = false, .with_property = false});
    ASSERT_TRUE(without);
    EXPECT_EQ(without->model->processes.size(), 1U);
    EXPECT_FALSE(without->model->observer);
}

TEST(LoadDve, TakesMeasuresOfProgressFromComments) {
    const std::string model =
        "byte n; byte k;\n"
        "  // tideline progress: n + 1\n"
        "process P { state a, b; init a; trans a -> b { effect n = 1; }; }\n"
        "// tideline progress: P\n"
        "// tideline progresses: no\n"
        "system async;\n";
    const support::Result<LoadedModel> loaded = load_model_text("m.dve", model, {});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->model->progress.size(), 2U);
    const support::Result<LoadedModel> wrong =
        load_model_text("m.dve", "byte n;\n// tideline progress: n + m\n" + model, {});
    ASSERT_FALSE(wrong);
}

TEST(LoadDve, TakesVectorsAndListsOfComponentsFromComments) {
    const std::string model =
        "byte n; byte k;\n"
        "process P { state a, b; init a; trans a -> b { effect n = 1; }; }\n"
        "system async;\n";
    const support::Result<LoadedModel> loaded =
        load_model_text("m.dve", model + "// tideline progress: product(n, k), P\n", {});
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->model->progress.size(), 2U);
    EXPECT_EQ(loaded->model->progress[0].size(), 2U);
    EXPECT_EQ(loaded->model->progress[1].size(), 1U);
    const support::Result<LoadedModel> open =
        load_model_text("m.dve", model + "// tideline progress: product(n, k\n", {});
    ASSERT_FALSE(open);
    EXPECT_EQ(open.diagnostics().front().message, "this parenthesis is not closed");
    for (const char* nothing : {"", "  ", "product()", "n,"}) {
        SCOPED_TRACE(nothing);
        const support::Result<LoadedModel> empty =
            load_model_text("m.dve", model + "// tideline progress:" + nothing + "\n", {});
        ASSERT_FALSE(empty);
        EXPECT_EQ(empty.diagnostics().front().message, "a component of the measure is empty");
        EXPECT_EQ(empty.diagnostics().front().position.line, 4U);
    }
}

TEST(Load, KeepsTheTextAndItsHash) {
    const support::Result<LoadedModel> loaded = load_model_text("m.aut", "des (0, 1, 2)\n(0, a, 1)\n", {});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->source.text(), "des (0, 1, 2)\n(0, a, 1)\n");
    EXPECT_EQ(loaded->source.path(), "m.aut");
    EXPECT_EQ(loaded->hash, text_hash("des (0, 1, 2)\n(0, a, 1)\n"));
    EXPECT_EQ(text_hash(""), "2d06800538d394c2");
    const support::Result<LoadedModel> again = load_again(*loaded, {});
    ASSERT_TRUE(again);
    EXPECT_EQ(again->hash, loaded->hash);
}

TEST(Load, RecognisesTheTextWhereTheNameHasNoEnding) {
    const support::Result<LoadedModel> loaded = load_model_text("pipe", "des (0, 1, 2)\n(0, a, 1)\n", {});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->language, "aut");
    EXPECT_FALSE(load_model_text("m.txt", "des (0, 1, 2)\n(0, a, 1)\n", {}));
}

TEST(Load, TheBudgetEndsEveryLanguage) {
    const support::Budget interrupted({}, [] { return true; });
    std::string dve = "process P { state s; init s; trans";
    std::string aut = "des (0, 5000, 2)\n";
    std::string json = R"({"states": 2, "initial": 0, "edges": [[0, 1])";
    for (int i = 0; i < 5000; ++i) {
        dve += i == 0 ? " s -> s {}" : ",\n s -> s {}";
        aut += "(0, a, 1)\n";
        json += ", [0, 1]";
    }
    dve += "; } system async;";
    json += "]}";
    for (const auto& [path, text] : {std::pair{"m.dve", dve}, {"m.aut", aut}, {"m.json", json}}) {
        EXPECT_TRUE(load_model_text(path, text, {})) << path;
        const support::Result<LoadedModel> stopped = load_model_text(path, text, {}, interrupted);
        ASSERT_FALSE(stopped) << path;
        EXPECT_EQ(stopped.stopped(), support::StopReason::interrupted) << path;
        EXPECT_EQ(load_model_text(path, "?", {}, interrupted).stopped(), support::StopReason::none) << path;
    }
}

TEST(Load, TranslationIsWithinTheBudgetToo) {
    // Ten lines of the file are a million pairs of sender and receiver.
    std::string text = "channel c;\n";
    for (const char* half : {"S { state s; init s; trans", "R { state s; init s; trans"}) {
        text += std::string("process ") + half;
        for (int i = 0; i < 1000; ++i)
            text += std::string(i == 0 ? "" : ",") + " s -> s { sync c" + (*half == 'S' ? "!" : "?") + "; }";
        text += "; }\n";
    }
    text += "system async;";
    const support::Budget short_time({.time = std::chrono::milliseconds(50)});
    const auto start = std::chrono::steady_clock::now();
    const support::Result<LoadedModel> stopped = load_model_text("m.dve", text, {}, short_time);
    EXPECT_EQ(stopped.stopped(), support::StopReason::time);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
    // More labels than fit into the program's own memory.
    std::string labels = R"({"states": [)";
    for (int i = 0; i < 400'000; ++i)
        labels += std::string(i == 0 ? "" : ",") + R"({"labels": ["p)" + std::to_string(i) + "\"]}";
    labels += R"(], "initial": 0, "edges": []})";
    const support::Budget little_memory({.memory = 0});
    EXPECT_EQ(load_model_text("m.json", labels, {}, little_memory).stopped(), support::StopReason::memory);
}

}  // namespace
}  // namespace tideline::input
