#include "support/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include <gtest/gtest.h>

namespace tideline::support {
namespace {

// In a child process, whose exit status says what was wrong.
template <class Body>
void expect_status_0(Body body) {
    EXPECT_EXIT(std::_Exit(body()), testing::ExitedWithCode(0), "");
}

TEST(StandardStreamsDeathTest, NoFileGetsTheDescriptorOfAClosedOne) {
    for (int closed = 0; closed < 8; ++closed) {
        expect_status_0([closed] {
            for (int stream = 0; stream < 3; ++stream)
                if ((closed >> stream & 1) != 0) ::close(stream);
            occupy_standard_streams();
            const int file = ::open("/dev/null", O_RDWR);
            if (file <= 2) return 1;
            char byte = 0;
            if ((closed & 1) != 0 && (::read(0, &byte, 1) != -1 || errno != EBADF)) return 2;
            if ((closed & 2) != 0 && (::write(1, &byte, 1) != -1 || errno != EBADF)) return 3;
            if ((closed & 4) != 0 && (::write(2, &byte, 1) != -1 || errno != EBADF)) return 4;
            return 0;
        });
    }
}

TEST(StandardStreamsDeathTest, OpenOnesStayWhatTheyAre) {
    expect_status_0([] {
        int ends[2];
        if (::pipe(ends) != 0 || ::dup2(ends[1], 1) != 1) return 1;
        occupy_standard_streams();
        char byte = 'x';
        if (::write(1, &byte, 1) != 1) return 2;
        byte = 0;
        return ::read(ends[0], &byte, 1) == 1 && byte == 'x' ? 0 : 3;
    });
}

}  // namespace
}  // namespace tideline::support
