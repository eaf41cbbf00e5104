#include "support/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tideline::support {
namespace {

struct Descriptor {
    explicit Descriptor(int opened) : number(opened) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number >= 0) ::close(number);
    }
    int number;
};

}  // namespace

Result<std::string> read_text_file(const std::string& path, const Budget& budget) {
    // Positions in a text are 32 bits wide.
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 31U;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return diagnostic_about(path, "this is a directory", "expected a file");
    // Without blocking: a pipe may have no writer, and the budget must hold in the meantime.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.number < 0) {
        const int cause = errno;
        return diagnostic_about(path, std::string("cannot be read: ") + std::strerror(cause),
                                cause == ENOENT ? "is the name right?" : "");
    }
    std::string text;
    // Reserve once where the size is known.
    const bool has_end = std::filesystem::is_regular_file(path, ignored);
    const std::uintmax_t size = has_end ? std::filesystem::file_size(path, ignored) : 0;
    if (!ignored && size > kLargest) return diagnostic_about(path, "the file is larger than 2 GB");
    if (!ignored && budget.allows(size)) text.reserve(size);
    char buffer[1U << 16U];
    for (;;) {
        constexpr int kMilliseconds = 50;
        pollfd ready{file.number, POLLIN, 0};
        const bool is_ready = has_end || ::poll(&ready, 1, kMilliseconds) > 0;
        const ssize_t got = is_ready ? ::read(file.number, buffer, sizeof buffer) : -1;
        if (got == 0) break;
        if (got < 0 && is_ready && errno != EAGAIN && errno != EINTR)
            return diagnostic_about(path, std::string("cannot be read: ") + std::strerror(errno));
        const auto count = static_cast<std::size_t>(std::max<ssize_t>(got, 0));
        if (!has_end && std::memchr(buffer, 0, count) != nullptr)
            return diagnostic_about(path, "this is not a text: it has zero bytes");
        const std::size_t more = text.size() + count > text.capacity() ? 2 * text.capacity() : 0;
        if (const StopReason reason = budget.exhausted(more); reason != StopReason::none)
            return diagnostic_of_stop(path, reason, "the file was read");
        text.append(buffer, count);
        if (text.size() > kLargest) return diagnostic_about(path, "the file is larger than 2 GB");
    }
    return text;
}

}  // namespace tideline::support
