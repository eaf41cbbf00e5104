#include "report/status_line.hpp"

#include <cstdio>
#include <memory>

#include <gtest/gtest.h>

namespace tideline::report {
namespace {

using namespace std::chrono_literals;

// A file to write to, and a clock that is set by hand.
class StatusLineTest : public testing::Test {
protected:
    ~StatusLineTest() override { std::fclose(file_); }

    StatusLine line(bool terminal, bool utf8 = false, std::size_t width = 80) {
        return {file_, {.terminal = terminal, .colour = false, .utf8 = utf8, .width = width}, [this] { return time_; }};
    }
    // What was written since the last time.
    std::string written() {
        std::string text;
        std::fseek(file_, read_, SEEK_SET);
        for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) text += static_cast<char>(c);
        std::fseek(file_, 0, SEEK_END);
        read_ = std::ftell(file_);
        return text;
    }

    [[nodiscard]] std::FILE* file() const { return file_; }

    StatusLine::Clock::time_point time_;
    explore::Statistics statistics_ = {.states = 1234567, .waiting = 4321};

private:
    std::FILE* file_ = std::tmpfile();
    long read_ = 0;
};

TEST_F(StatusLineTest, NothingIsWrittenWhereThereIsNoTerminal) {
    StatusLine status = line(false);
    time_ += 10s;
    status.update(statistics_);
    status.clear();
    EXPECT_EQ(written(), "");
}

TEST_F(StatusLineTest, ShortSearchesShowNothing) {
    StatusLine status = line(true);
    time_ += 300ms;
    status.update(statistics_);
    status.clear();
    EXPECT_EQ(written(), "");
}

TEST_F(StatusLineTest, TheLineTellsHowFarTheSearchIs) {
    StatusLine status = line(true);
    time_ += 2s;
    status.update(statistics_);
    const std::string text = written();
    EXPECT_TRUE(text.starts_with("\r1,234,567 states | 617 k/s | 4,321 open | ")) << text;
    EXPECT_TRUE(text.ends_with(" MB | 2.0 s") || text.ends_with(" GB | 2.0 s")) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST_F(StatusLineTest, WhatIsLeftIsGuessedFromHowTheFrontierGrows) {
    StatusLine status = line(true, false, 120);
    // Half a new state for every expanded one, and 1,000 open ones: 2,000 to go, at 1,000 per second.
    statistics_ = {.states = 5000, .expanded = 4000, .waiting = 1000};
    time_ += 1s;
    status.update(statistics_);
    EXPECT_EQ(written().find("perhaps"), std::string::npos) << "one look is no trend";
    statistics_ = {.states = 7000, .expanded = 6000, .waiting = 1000};
    time_ += 2s;
    status.update(statistics_);
    EXPECT_EQ(written().find("perhaps"), std::string::npos) << "as many new ones as expanded ones";
    statistics_ = {.states = 8000, .expanded = 8000, .waiting = 1000};
    time_ += 2s;
    status.update(statistics_);
    EXPECT_NE(written().find(" | perhaps 66 %, 4.0 s left"), std::string::npos);
    statistics_ = {.states = 10, .expanded = 5, .waiting = 5};
    time_ += 2s;
    status.update(statistics_);
    EXPECT_EQ(written().find("perhaps"), std::string::npos) << "another search";
}

TEST_F(StatusLineTest, ASweepThatNeverGoesBackSaysHowFarItIs) {
    StatusLine status = line(true, false, 120);
    statistics_ = {.states = 5000, .expanded = 4000, .waiting = 1000, .measure_share = 0.1};
    time_ += 1s;
    status.update(statistics_);
    statistics_ = {.states = 9000, .expanded = 8000, .waiting = 1000, .measure_share = 0.3};
    time_ += 2s;
    status.update(statistics_);
    EXPECT_NE(written().find(" | 30 % of the measure, perhaps 7.0 s left"), std::string::npos);
}

TEST_F(StatusLineTest, TheTimeIsThatOfTheRun) {
    const StatusLine::Clock::time_point begun = time_;
    time_ += 3s;
    StatusLine status(
        file(), {.terminal = true, .colour = false, .utf8 = false, .width = 80}, [this] { return time_; }, begun);
    statistics_.seconds = 2;
    status.update(statistics_);
    const std::string text = written();
    EXPECT_TRUE(text.starts_with("\r1,234,567 states | 617 k/s | 4,321 open | ")) << text;
    EXPECT_TRUE(text.ends_with(" | 3.0 s")) << text;
}

TEST_F(StatusLineTest, TheRateOfAResumedRunIsItsOwn) {
    StatusLine status = line(true);
    time_ += 100ms;
    statistics_ = {.states = 1000000, .seconds = 50};
    status.update(statistics_);
    time_ += 1s;
    statistics_ = {.states = 1005000, .seconds = 51};
    status.update(statistics_);
    const std::string text = written();
    EXPECT_TRUE(text.starts_with("\r1,005,000 states | 5.0 k/s | ")) << text;
}

TEST_F(StatusLineTest, BeforeThereAreFiguresItSaysWhatIsGoingOn) {
    StatusLine status = line(true);
    time_ += 700ms;
    status.show("preparing");
    EXPECT_EQ(written(), "\rpreparing | 700 ms");
    StatusLine quiet = line(false);
    quiet.show("preparing");
    EXPECT_EQ(written(), "");
}

TEST_F(StatusLineTest, TheLineIsRewrittenAtMostFiveTimesASecond) {
    StatusLine status = line(true, true);
    int shown = 0;
    for (int i = 0; i < 2000; ++i) {
        time_ += 1ms;
        status.update(statistics_);
        if (!written().empty()) ++shown;
    }
    EXPECT_EQ(shown, 9);
}

TEST_F(StatusLineTest, TheLineFitsTheTerminal) {
    StatusLine status = line(true, true, 30);
    time_ += 2s;
    status.update(statistics_);
    const std::string text = written();
    EXPECT_EQ(text, "\r1,234,567 states \u00b7 617 k/s\u2026");
    EXPECT_EQ(support::text_width(text) - 1, 27U);
}

TEST_F(StatusLineTest, AShorterLineLeavesNothingOfALongerOne) {
    StatusLine status = line(true, false, 21);
    time_ += 2s;
    status.update(statistics_);
    EXPECT_EQ(written(), "\r1,234,567 state...");
    status.clear();
    EXPECT_EQ(written(), "\r" + std::string(20, ' ') + "\r");
    status.clear();
    EXPECT_EQ(written(), "");
}

TEST_F(StatusLineTest, TheLineIsTakenAwayAtTheEnd) {
    {
        StatusLine status = line(true, false, 21);
        time_ += 2s;
        status.update(statistics_);
        written();
    }
    EXPECT_EQ(written(), "\r" + std::string(20, ' ') + "\r");
}

}  // namespace
}  // namespace tideline::report
