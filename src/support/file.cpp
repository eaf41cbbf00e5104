#include "support/file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace tideline {

Result<std::string> read_text_file(const std::string& path, const Budget& budget) {
    // Positions in a text are 32 bits wide.
    constexpr std::uint64_t kLargest = std::uint64_t{1} << 31U;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return diagnostic_about(path, "this is a directory", "expected a file");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        const int cause = errno != 0 ? errno : ENOENT;
        return diagnostic_about(path, std::string("cannot be read: ") + std::strerror(cause),
                                cause == ENOENT ? "is the name right?" : "");
    }
    std::string text;
    // Room is asked for once where the size is known.
    const bool has_end = std::filesystem::is_regular_file(path, ignored);
    const std::uintmax_t size = has_end ? std::filesystem::file_size(path, ignored) : 0;
    if (!ignored && size > kLargest) return diagnostic_about(path, "the file is larger than 2 GB");
    if (!ignored && budget.allows(size)) text.reserve(size);
    char buffer[1U << 16U];
    while (file.read(buffer, sizeof buffer) || file.gcount() > 0) {
        const auto count = static_cast<std::size_t>(file.gcount());
        if (!has_end && std::memchr(buffer, 0, count) != nullptr) return diagnostic_about(path, "this is not a text: it has zero bytes");
        const std::size_t more = text.size() + count > text.capacity() ? 2 * text.capacity() : 0;
        if (const StopReason reason = budget.exhausted(more); reason != StopReason::none)
            return diagnostic_of_stop(path, reason, "the file was read");
        text.append(buffer, count);
        if (text.size() > kLargest) return diagnostic_about(path, "the file is larger than 2 GB");
    }
    if (file.bad()) return diagnostic_about(path, std::string("cannot be read: ") + std::strerror(errno));
    return text;
}

}  // namespace tideline
