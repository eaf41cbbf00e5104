#include "support/signals.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>

#include <sys/resource.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace tideline::support {
namespace {

TEST(Signals, NothingIsRequestedAtFirst) {
    const Interrupt interrupt;
    EXPECT_FALSE(interrupt.requested());
}

TEST(Signals, TheFirstInterruptSetsTheFlagOnly) {
    for (const int number : {SIGINT, SIGTERM}) {
        const Interrupt interrupt;
        std::raise(number);
        EXPECT_TRUE(interrupt.requested());
    }
}

TEST(Signals, ANewInterruptForgetsTheRequestsOfAnEarlierOne) {
    {
        const Interrupt interrupt;
        std::raise(SIGINT);
    }
    const Interrupt interrupt;
    EXPECT_FALSE(interrupt.requested());
}

TEST(Signals, SeveralAreToldOfTheSameRequests) {
    const Interrupt first;
    {
        const Interrupt second;
        std::raise(SIGINT);
        EXPECT_TRUE(second.requested());
    }
    const Interrupt third;
    EXPECT_TRUE(first.requested());
    EXPECT_TRUE(third.requested());
}

TEST(SignalsDeathTest, TheSecondInterruptEndsTheProcess) {
    const auto twice = [](int first, int second) {
        const Interrupt interrupt;
        std::raise(first);
        std::raise(second);
        _exit(0);
    };
    EXPECT_EXIT(twice(SIGINT, SIGINT), testing::KilledBySignal(SIGINT), "");
    EXPECT_EXIT(twice(SIGTERM, SIGTERM), testing::KilledBySignal(SIGTERM), "");
    EXPECT_EXIT(twice(SIGINT, SIGTERM), testing::KilledBySignal(SIGTERM), "");
}

TEST(SignalsDeathTest, TheOldActionsComeBack) {
    const auto after = [] {
        std::signal(SIGINT, SIG_DFL);
        {
            const Interrupt interrupt;
        }
        std::raise(SIGINT);
        _exit(0);
    };
    EXPECT_EXIT(after(), testing::KilledBySignal(SIGINT), "");
}

TEST(SignalsDeathTest, AWriteBeyondTheLimitOfFilesFails) {
    const auto write_too_much = [] {
        std::signal(SIGXFSZ, SIG_DFL);
        let_too_large_writes_fail();
        const rlimit limit{100, 100};
        std::FILE* const file = std::tmpfile();
        if (file == nullptr || setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
        const ssize_t written = pwrite(fileno(file), "x", 1, 100);
        _exit(written == -1 && errno == EFBIG ? 0 : 2);
    };
    EXPECT_EXIT(write_too_much(), testing::ExitedWithCode(0), "");
}

TEST(SignalsDeathTest, AClosedPipeEndsTheProcessWithoutAMessage) {
    const auto write_to_nobody = [] {
        std::signal(SIGPIPE, SIG_IGN);
        end_quietly_on_closed_pipe();
        int ends[2];
        if (pipe(ends) != 0) _exit(1);
        close(ends[0]);
        const ssize_t written = write(ends[1], "x", 1);
        _exit(written == 1 ? 2 : 3);
    };
    EXPECT_EXIT(write_to_nobody(), testing::KilledBySignal(SIGPIPE), "^$");
}

}  // namespace
}  // namespace tideline::support
