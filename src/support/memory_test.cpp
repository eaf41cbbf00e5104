#include "support/memory.hpp"

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>

namespace tideline::support {
namespace {

namespace fs = std::filesystem;

// A machine made of files.
class Machine {
public:
    Machine() {
        std::string name = (fs::temp_directory_path() / "tideline-memory-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) root_ = name;
    }
    ~Machine() {
        std::error_code ignored;
        if (!root_.empty()) fs::remove_all(root_, ignored);
    }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    Machine& with(const std::string& path, std::string_view text) {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
        return *this;
    }
    [[nodiscard]] const fs::path& root() const { return root_; }

private:
    fs::path root_;
};

constexpr std::string_view kMeminfo = "MemTotal:        8000000 kB\nMemFree:         1000 kB\n";
constexpr std::uint64_t kMemory = 8000000ULL * 1024;

TEST(Memory, TheProcessHoldsSomeAndItsPeakIsNotLess) {
    const std::uint64_t before = resident_memory();
    EXPECT_GT(before, 100'000U);
    const std::vector<char> block(32U << 20U, 'x');
    EXPECT_EQ(block[4096], 'x');
    EXPECT_GE(resident_memory(), before + (16U << 20U));
    EXPECT_GE(peak_resident_memory(), before + (16U << 20U));
}

TEST(Memory, ThisMachineHasSome) {
    ASSERT_TRUE(available_memory().has_value());
    EXPECT_GT(*available_memory(), 1U << 20U);
}

TEST(Memory, WithoutGroupsTheWholeMachineIsAvailable) {
    Machine machine;
    machine.with("proc/meminfo", kMeminfo);
    EXPECT_EQ(available_memory(machine.root()), kMemory);
    EXPECT_EQ(default_memory_limit(machine.root()), kMemory / 4 * 3);
}

TEST(Memory, WhatOthersUseIsNotAvailable) {
    Machine machine;
    machine.with("proc/meminfo",
                 "MemTotal:        8000000 kB\nMemFree:         1000 kB\nMemAvailable:    3000000 kB\n");
    EXPECT_EQ(available_memory(machine.root()), 3000000ULL * 1024);
    EXPECT_EQ(default_memory_limit(machine.root()), 3000000ULL * 1024 / 4 * 3);
    machine.with("proc/self/cgroup", "0::/job\n").with("sys/fs/cgroup/job/memory.max", "2000000000\n");
    EXPECT_EQ(available_memory(machine.root()), 2000000000U);
    // Pages of files are available.
    machine.with("sys/fs/cgroup/job/memory.current", "1900000000\n");
    EXPECT_EQ(available_memory(machine.root()), 100000000U);
    machine.with(
        "sys/fs/cgroup/job/memory.stat",
        "anon 900000000\nfile 950000000\nactive_file_x 5\ninactive_file 700000000\nactive_file 150000000\nslab_reclaimable 50000000\n");
    EXPECT_EQ(available_memory(machine.root()), 1000000000U);
    // The group above has less left.
    machine.with("sys/fs/cgroup/memory.max", "5000000000\n").with("sys/fs/cgroup/memory.current", "4500000000\n");
    EXPECT_EQ(available_memory(machine.root()), 500000000U);
    // More than all is in use: nothing is left, which is not the same as no limit.
    machine.with("sys/fs/cgroup/memory.current", "5100000000\n");
    EXPECT_EQ(available_memory(machine.root()), 1U);

    Machine version1;
    version1.with("proc/meminfo", kMeminfo).with("proc/self/cgroup", "5:memory:/a\n");
    version1.with("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "3000000000\n")
        .with("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "2000000000\n");
    version1.with("sys/fs/cgroup/memory/a/memory.stat",
                  "active_file 1\ntotal_active_file 300000000\ntotal_inactive_file 200000000\n");
    EXPECT_EQ(available_memory(version1.root()), 1500000000U);
}

TEST(Memory, AGroupOfVersion2LimitsIt) {
    Machine machine;
    machine.with("proc/meminfo", kMeminfo).with("proc/self/cgroup", "0::/user.slice/job\n");
    machine.with("sys/fs/cgroup/user.slice/job/memory.max", "2000000000\n");
    EXPECT_EQ(available_memory(machine.root()), 2000000000U);
    machine.with("sys/fs/cgroup/user.slice/memory.max", "1000000000\n");
    EXPECT_EQ(available_memory(machine.root()), 1000000000U);
}

TEST(Memory, AGroupWithoutALimitDoesNotLimitIt) {
    Machine machine;
    machine.with("proc/meminfo", kMeminfo).with("proc/self/cgroup", "0::/\n").with("sys/fs/cgroup/memory.max", "max\n");
    EXPECT_EQ(available_memory(machine.root()), kMemory);
}

TEST(Memory, AGroupOfVersion1LimitsIt) {
    Machine machine;
    machine.with("proc/meminfo", kMeminfo).with("proc/self/cgroup", "12:cpu,cpuacct:/a\n5:memory:/docker/abc\n");
    machine.with("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    EXPECT_EQ(available_memory(machine.root()), kMemory);
    machine.with("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "3000000000\n");
    EXPECT_EQ(available_memory(machine.root()), 3000000000U);
}

TEST(Memory, InAContainerOnlyTheTopOfTheGroupsIsThere) {
    Machine machine;
    machine.with("proc/meminfo", kMeminfo).with("proc/self/cgroup", "5:memory:/docker/abc\n");
    machine.with("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n");
    EXPECT_EQ(available_memory(machine.root()), 536870912U);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which have their own memory
TEST(Memory, ALimitLeavesWhatIsThereAside) {
    constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20U;
    std::vector<char> before(64 * kMegabyte, 1);
    MemoryLimit limit(8 * kMegabyte);
    EXPECT_TRUE(limit.allows(6 * kMegabyte));
    EXPECT_FALSE(limit.allows(9 * kMegabyte));
    std::vector<char> since(32 * kMegabyte, 1);
    EXPECT_GE(limit.taken(), 30 * kMegabyte);
    EXPECT_FALSE(limit.allows(0));
    limit.set_aside(32 * kMegabyte);
    EXPECT_TRUE(limit.allows(6 * kMegabyte));
    EXPECT_FALSE(limit.allows(9 * kMegabyte));
    // No more than 100 MB is the program's.
    std::vector<char> more(64 * kMegabyte, 1);
    limit.set_aside(64 * kMegabyte);
    EXPECT_GE(limit.taken(), 55 * kMegabyte);
    EXPECT_TRUE(MemoryLimit(std::nullopt).allows(~std::uint64_t{0}));
    EXPECT_EQ(before[0] + since[0] + more[0], 3);
}
#endif

TEST(Memory, FilesThatMakeNoSenseAreAsGoodAsAbsent) {
    Machine machine;
    EXPECT_EQ(available_memory(machine.root()), std::nullopt);
    EXPECT_EQ(default_memory_limit(machine.root()), std::uint64_t{1} << 30U);
    machine.with("proc/meminfo", "MemTotal: lots\n").with("proc/self/cgroup", "junk\n0:\n0::/../x\n");
    machine.with("sys/fs/cgroup/memory.max", "");
    EXPECT_EQ(available_memory(machine.root()), std::nullopt);
}

}  // namespace
}  // namespace tideline::support
