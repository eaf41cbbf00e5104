#include "support/file.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gtest/gtest.h>

namespace tideline::support {
namespace {

class ReadTextFile : public testing::Test {
protected:
    ReadTextFile() : path_(testing::TempDir() + "tideline_file_test_" + std::to_string(getpid())) {}
    ~ReadTextFile() override { std::filesystem::remove(path_); }
    void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
    std::string path_;
};

TEST_F(ReadTextFile, GivesAllBytes) {
    std::string text = "line\r\n";
    text += '\0';
    text += std::string(200000, 'x');
    write(text);
    const Result<std::string> result = read_text_file(path_);
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, text);
}

TEST_F(ReadTextFile, AnEmptyFileIsAnEmptyText) {
    write("");
    const Result<std::string> result = read_text_file(path_);
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, "");
}

TEST_F(ReadTextFile, AMissingFileIsExplained) {
    const Result<std::string> result = read_text_file(path_ + ".missing");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.diagnostics().at(0).message, "cannot be read: No such file or directory");
    EXPECT_EQ(result.diagnostics().at(0).hint, "is the name right?");
}

TEST_F(ReadTextFile, ADirectoryIsExplained) {
    const Result<std::string> result = read_text_file(testing::TempDir());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.diagnostics().at(0).message, "this is a directory");
}

TEST_F(ReadTextFile, ADeviceOfZeroBytesIsRefusedAtOnce) {
    const Result<std::string> result = read_text_file("/dev/zero");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.diagnostics().at(0).message, "this is not a text: it has zero bytes");
    EXPECT_EQ(result.stopped(), StopReason::none);
}

TEST_F(ReadTextFile, TheBudgetEndsReading) {
    write(std::string(200000, 'x'));
    const Budget interrupted({}, [] { return true; });
    const Result<std::string> result = read_text_file(path_, interrupted);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.stopped(), StopReason::interrupted);
    // The program itself takes more than the limit and what comes on top of it.
    const std::string ballast(kProgramMemory + (64U << 20U), 'x');
    const Budget small({.memory = 1U << 20U});
    EXPECT_EQ(read_text_file(path_, small).stopped(), StopReason::memory) << ballast.size();
}

}  // namespace
}  // namespace tideline::support
