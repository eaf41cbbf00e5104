#include "report/html.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tideline::report {
namespace {

TEST(RunHistory, KeepsEvenlySpreadMomentsOfRunsOfAnyLength) {
    RunHistory history;
    explore::Statistics statistics;
    constexpr int kCalls = 100'000;
    for (int i = 0; i < kCalls; ++i) {
        statistics.states = static_cast<std::uint64_t>(i);
        history.add(0.1 * i, statistics);
    }
    const std::vector<RunHistory::Sample>& samples = history.samples();
    ASSERT_GE(samples.size(), RunHistory::kMost / 4);
    ASSERT_LE(samples.size(), RunHistory::kMost);
    EXPECT_EQ(samples.front().states, 0U);
    double longest = 0;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        ASSERT_GT(samples[i].seconds, samples[i - 1].seconds);
        EXPECT_DOUBLE_EQ(samples[i].seconds, 0.1 * static_cast<double>(samples[i].states));
        longest = std::max(longest, samples[i].seconds - samples[i - 1].seconds);
    }
    EXPECT_GE(samples.back().seconds, 0.95 * 0.1 * kCalls);
    EXPECT_LE(longest, 4 * 0.1 * kCalls / static_cast<double>(RunHistory::kMost));
}

std::string page_of(const run::RunReport& report, const std::string& command) {
    RunHistory history;
    history.add(0.5, {.states = 7});
    std::string text;
    write_html(report, history, command, support::sink_into(text), support::Budget());
    return text;
}

TEST(Html, HasTheReportAsDataOfAWholePage) {
    run::RunReport report;
    report.model_path = "m.dve";
    report.outcome.statistics.states = 10;
    const std::string page = page_of(report, "tideline explore m.dve");
    const std::string begin = "<script type=\"application/json\" id=\"data\">";
    const std::size_t from = page.find(begin) + begin.size();
    const auto data = nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
    EXPECT_EQ(data["command"], "tideline explore m.dve");
    EXPECT_EQ(data["report"]["states"], 10);
    EXPECT_EQ(data["report"]["model"]["path"], "m.dve");
    EXPECT_EQ(data["history"][0]["states"], 7);
    EXPECT_TRUE(page.starts_with("<!doctype html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
    for (const char* left : {"@STYLE@", "@SCRIPT@", "@DATA@"}) EXPECT_EQ(page.find(left), std::string::npos);
    EXPECT_EQ(page.find("http:"), page.find("http://www.w3.org/2000/svg")) << "nothing is fetched";
    EXPECT_EQ(page.find("https:"), std::string::npos);
}

TEST(Html, NoTextOfAModelEndsTheScript) {
    run::RunReport report;
    report.model_path = "</script><script>alert(1)</script>";
    const std::string page = page_of(report, "tideline explore '<!--'");
    EXPECT_EQ(page.find("<script>alert"), std::string::npos);
    EXPECT_EQ(page.find("<!--"), std::string::npos);
    EXPECT_NE(page.find("\\u003c/script>\\u003cscript>alert(1)"), std::string::npos);
}

}  // namespace
}  // namespace tideline::report
