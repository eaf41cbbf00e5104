#include "support/processors.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include <sched.h>

#include "support/control_groups.hpp"

namespace tideline::support {
namespace {

namespace fs = std::filesystem;

unsigned processors_of_affinity() {
    cpu_set_t set;
    CPU_ZERO(&set);
    // Machines with more processors than the set has bits are refused; then all are counted.
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        if (const int count = CPU_COUNT(&set); count > 0) return static_cast<unsigned>(count);
    return std::max(1U, std::thread::hardware_concurrency());
}

// What a group may use, rounded up; nothing where it is not limited.
std::optional<std::uint64_t> quota_of(const fs::path& folder, GroupVersion version) {
    std::int64_t quota = 0;
    std::int64_t period = 0;
    if (version == GroupVersion::two) {
        std::ifstream in(folder / "cpu.max");  // "max 100000" or "150000 100000"
        if (!(in >> quota >> period)) return std::nullopt;
    } else {
        std::ifstream quota_file(folder / "cpu.cfs_quota_us");  // -1: no limit
        std::ifstream period_file(folder / "cpu.cfs_period_us");
        if (!(quota_file >> quota) || !(period_file >> period)) return std::nullopt;
    }
    if (quota <= 0 || period <= 0) return std::nullopt;
    return static_cast<std::uint64_t>((quota + period - 1) / period);
}

}  // namespace

unsigned available_processors(const fs::path& root) {
    std::uint64_t least = processors_of_affinity();
    for_each_control_group(root, "cpu", [&](const fs::path& folder, GroupVersion version) {
        if (const std::optional<std::uint64_t> quota = quota_of(folder, version)) least = std::min(least, *quota);
    });
    return static_cast<unsigned>(std::max<std::uint64_t>(1, least));
}

}  // namespace tideline::support
