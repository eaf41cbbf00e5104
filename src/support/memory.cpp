#include "support/memory.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "support/budget.hpp"
#include "support/control_groups.hpp"

namespace tideline::support {
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

// The number in a control group's file; "max" and a missing file mean none.
std::optional<std::uint64_t> group_number(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    if (!std::getline(in, line)) return std::nullopt;
    return leading_number(line);
}

// The value in a line "key 123".
std::uint64_t group_field(const fs::path& file, std::string_view key) {
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line))
        if (line.starts_with(key) && line.size() > key.size() && line[key.size()] == ' ')
            return leading_number(std::string_view(line).substr(key.size())).value_or(0);
    return 0;
}

// The file names of a version of control groups.
struct GroupFiles {
    const char* limit;
    const char* usage;
    std::vector<const char*>
        reclaimable;  // lines of memory.stat: what the system reclaims under memory pressure, mostly pages of files
};
const GroupFiles kVersion1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_active_file", "total_inactive_file"}};
const GroupFiles kVersion2{"memory.max", "memory.current", {"active_file", "inactive_file", "slab_reclaimable"}};

// What remains of a limit; one byte where nothing remains, since 0 means no limit.
std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) {
    return std::max<std::uint64_t>(1, limit - std::min(limit, used));
}

std::optional<std::uint64_t> left_in_group(const fs::path& folder, const GroupFiles& files) {
    const std::optional<std::uint64_t> limit = group_number(folder / files.limit);
    if (!limit || *limit == 0) return std::nullopt;
    const std::uint64_t usage = group_number(folder / files.usage).value_or(0);
    std::uint64_t reclaimable = 0;
    for (const char* key : files.reclaimable) reclaimable += group_field(folder / "memory.stat", key);
    return left_of(*limit, usage - std::min(usage, reclaimable));
}

std::optional<std::uint64_t> left_in_control_groups(const fs::path& root) {
    std::optional<std::uint64_t> limit;
    for_each_control_group(root, "memory", [&](const fs::path& folder, GroupVersion version) {
        lower_to(limit, left_in_group(folder, version == GroupVersion::one ? kVersion1 : kVersion2));
    });
    return limit;
}

struct Residence {
    std::uint64_t addresses = 0;
    std::uint64_t resident = 0;
    std::uint64_t of_files = 0;
};

// Called often: no stream and no buffers.
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
    const auto bytes = static_cast<std::uint64_t>(page);
    return {pages[0] * bytes, pages[1] * bytes, std::min(pages[1], pages[2]) * bytes};
}

std::optional<std::uint64_t> left_in_address_space() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return left_of(limit.rlim_cur, residence().addresses);
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
    // Kernels before 3.14 do not report what is available.
    std::optional<std::uint64_t> left = kilobytes_field(root / "proc/meminfo", "MemAvailable:");
    if (!left) left = kilobytes_field(root / "proc/meminfo", "MemTotal:");
    lower_to(left, left_in_control_groups(root));
    lower_to(left, left_in_address_space());
    return left;
}

std::uint64_t default_memory_limit(const fs::path& root) {
    constexpr std::uint64_t fallback = std::uint64_t{1} << 30U;
    const std::optional<std::uint64_t> available = available_memory(root);
    return available ? *available / 4 * 3 : fallback;
}

}  // namespace tideline::support
