#include "support/processors.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#include <sched.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace tideline::support {
namespace {

namespace fs = std::filesystem;

class ProcessorsTest : public ::testing::Test {
protected:
    ProcessorsTest() {
        std::string name = (fs::temp_directory_path() / "tideline-processors-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) root_ = name;
    }
    ~ProcessorsTest() override {
        std::error_code ignored;
        if (!root_.empty()) fs::remove_all(root_, ignored);
    }
    void write(const std::string& path, const std::string& text) {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    // Of a machine made of files.
    [[nodiscard]] unsigned here() const { return available_processors(root_); }

    fs::path root_;
    unsigned all_ = available_processors("/nowhere");  // by affinity
};

TEST_F(ProcessorsTest, WithoutGroupsTheAffinityDecides) {
    EXPECT_GE(all_, 1U);
    EXPECT_EQ(here(), all_);
    cpu_set_t before;
    ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(here(), 1U);
    ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST_F(ProcessorsTest, AQuotaOfVersion2CountsRoundedUp) {
    write("proc/self/cgroup", "0::/a/job\n");
    write("sys/fs/cgroup/a/job/cpu.max", "max 100000\n");
    EXPECT_EQ(here(), all_);
    write("sys/fs/cgroup/a/job/cpu.max", "50000 100000\n");
    EXPECT_EQ(here(), 1U);
    write("sys/fs/cgroup/a/job/cpu.max", "150000 100000\n");
    EXPECT_EQ(here(), std::min(all_, 2U));
    write("sys/fs/cgroup/a/cpu.max", "100000 100000\n");
    EXPECT_EQ(here(), 1U) << "of the group above";
}

TEST_F(ProcessorsTest, AQuotaOfVersion1Counts) {
    write("proc/self/cgroup", "4:cpu,cpuacct:/job\n");
    write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
    write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(here(), all_);
    write("sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "100000\n");
    EXPECT_EQ(here(), 1U);
}

TEST_F(ProcessorsTest, NonsenseIsNoLimit) {
    write("proc/self/cgroup", "0::/job\nnonsense\n");
    for (const char* text : {"", "x y\n", "0 0\n", "100000\n", "100000 -5\n"}) {
        write("sys/fs/cgroup/job/cpu.max", text);
        EXPECT_EQ(here(), all_) << text;
    }
}

}  // namespace
}  // namespace tideline::support
