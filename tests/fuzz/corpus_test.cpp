// Every file of the corpora, through its target: what fuzzing has found once stays found.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/targets.hpp"

namespace tideline::fuzz {
namespace {

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, PassesItsTarget) {
    const Target target = GetParam();
    const std::filesystem::path folder = std::filesystem::path(TIDELINE_FUZZ_CORPUS) / target.name;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    ASSERT_GE(files.size(), 3U) << folder;
    for (const std::filesystem::path& file : files) {
        SCOPED_TRACE(file);
        std::ifstream stream(file, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        target.run({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace tideline::fuzz
