#include "support/memory.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <fmt/format.h>

#include "support/budget.hpp"

namespace tideline {
namespace {

namespace fs = std::filesystem;

// The number that a text begins with, after spaces.
std::optional<std::uint64_t> leading_number(std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) return std::nullopt;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + start, text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    return value;
}

// The value in a line "Key:   123 kB" of a file of proc, in bytes.
std::optional<std::uint64_t> kilobytes_field(const fs::path& file, std::string_view key) {
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        if (!line.starts_with(key)) continue;
        const std::optional<std::uint64_t> value = leading_number(std::string_view(line).substr(key.size()));
        if (!value || *value > UINT64_MAX / 1024) return std::nullopt;
        return *value * 1024;
    }
    return std::nullopt;
}

void lower_to(std::optional<std::uint64_t>& limit, std::optional<std::uint64_t> other) {
    if (other && *other > 0 && (!limit || *other < *limit)) limit = other;
}

// The limit in a control group's file; "max" and a file that is not there mean none.
std::optional<std::uint64_t> group_limit(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line)) return std::nullopt;
    return leading_number(line);
}

// The least limit of a group and of all above it. In a container the path may be that of the host, of which only the top is mounted.
std::optional<std::uint64_t> least_group_limit(const fs::path& top, const std::string& group, const char* file) {
    std::optional<std::uint64_t> limit;
    fs::path folder = top;
    lower_to(limit, group_limit(folder / file));
    for (const fs::path& part : fs::path(group).relative_path()) {
        if (part == "..") break;
        folder /= part;
        lower_to(limit, group_limit(folder / file));
    }
    return limit;
}

// Lines of proc/self/cgroup are number:controllers:path; version 2 has the number 0 and no controllers.
std::optional<std::uint64_t> control_group_limit(const fs::path& root) {
    std::optional<std::uint64_t> limit;
    const fs::path groups = root / "sys/fs/cgroup";
    std::ifstream in(root / "proc/self/cgroup");
    std::string line;
    while (std::getline(in, line)) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
        const std::string group = line.substr(second + 1);
        if (controllers == ",,") {
            lower_to(limit, least_group_limit(groups, group, "memory.max"));
            lower_to(limit, least_group_limit(groups / "unified", group, "memory.max"));
        } else if (controllers.find(",memory,") != std::string::npos) {
            lower_to(limit, least_group_limit(groups / "memory", group, "memory.limit_in_bytes"));
        }
    }
    return limit;
}

std::optional<std::uint64_t> address_space_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return limit.rlim_cur;
}

struct Residence {
    std::uint64_t resident = 0;
    std::uint64_t of_files = 0;
};

// Asked often: without a stream and its buffers.
Residence residence() {
    char text[128];
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    const ssize_t size = ::read(file, text, sizeof text);
    ::close(file);
    const long page = sysconf(_SC_PAGESIZE);
    if (size <= 0 || page <= 0) return {};
    std::uint64_t pages[3] = {};  // of the address space, resident, and of those the ones of files
    const char* at = text;
    for (std::uint64_t& number : pages) {
        while (at < text + size && *at == ' ') ++at;
        const auto [end, error] = std::from_chars(at, static_cast<const char*>(text + size), number);
        if (error != std::errc()) return {};
        at = end;
    }
    return {pages[1] * static_cast<std::uint64_t>(page), std::min(pages[1], pages[2]) * static_cast<std::uint64_t>(page)};
}

}  // namespace

MemoryLimit::MemoryLimit(std::optional<std::uint64_t> bytes) : bytes_(bytes) {
    if (!bytes_) return;
    release_free_memory();
    set_aside(anonymous_memory());
}

std::uint64_t MemoryLimit::taken() const {
    const std::uint64_t now = anonymous_memory();
    return now - std::min(now, own_);
}

void MemoryLimit::set_aside(std::uint64_t more) { own_ = std::min(own_ + more, kProgramMemory); }

std::uint64_t resident_memory() { return residence().resident; }

std::uint64_t anonymous_memory() {
    const Residence now = residence();
    return now.resident - now.of_files;
}

void release_free_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

std::uint64_t peak_resident_memory() {
    if (const std::optional<std::uint64_t> peak = kilobytes_field("/proc/self/status", "VmHWM:")) return *peak;
    rusage usage{};
    return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024 : 0;
}

std::optional<std::uint64_t> available_memory(const fs::path& root) {
    std::optional<std::uint64_t> limit = kilobytes_field(root / "proc/meminfo", "MemTotal:");
    lower_to(limit, control_group_limit(root));
    lower_to(limit, address_space_limit());
    return limit;
}

std::uint64_t default_memory_limit(const fs::path& root) {
    constexpr std::uint64_t fallback = std::uint64_t{1} << 30U;
    const std::optional<std::uint64_t> available = available_memory(root);
    return available ? *available / 4 * 3 : fallback;
}

}  // namespace tideline
