#include "support/file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace tideline {

Result<std::string> read_text_file(const std::string& path) {
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
    char buffer[1U << 16U];
    while (file.read(buffer, sizeof buffer) || file.gcount() > 0) {
        text.append(buffer, static_cast<std::size_t>(file.gcount()));
        if (text.size() > kLargest) return diagnostic_about(path, "the file is larger than 2 GB");
    }
    if (file.bad()) return diagnostic_about(path, std::string("cannot be read: ") + std::strerror(errno));
    return text;
}

}  // namespace tideline
