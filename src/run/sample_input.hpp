// Inputs for the tests of this folder, made from a text.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "run/loaded_system.hpp"

namespace tideline::run {

// A temporary folder.
class SampleFolder {
public:
    SampleFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "tideline-run-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test");
        path_ = name;
    }
    SampleFolder(const SampleFolder&) = delete;
    SampleFolder& operator=(const SampleFolder&) = delete;
    ~SampleFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name) << text;
        return *this / name;
    }

private:
    std::filesystem::path path_;
};

// Counts x up to a limit, and y at each step of x modulo 7; (limit + 1) states and more, no deadlock before the end.
inline std::string counter_model(int limit) {
    return "int x = 0; byte y = 0;\nprocess P {\n  state s;\n  init s;\n  trans\n    s -> s { guard x < " +
           std::to_string(limit) +
           "; effect x = x + 1; },\n    s -> s { guard y < 6; effect y = y + 1; };\n}\nsystem async;\n";
}

inline RunSpec spec_for(const std::string& path, Task task, std::vector<PropertySpec> properties = {}) {
    RunSpec spec;
    spec.task = task;
    spec.model.path = path;
    spec.properties = std::move(properties);
    return spec;
}

inline LoadedInput loaded(RunSpec& spec) {
    const support::Budget budget;
    OrRefusal<LoadedInput> input = load(spec, budget);
    if (const auto* refusal = std::get_if<Refusal>(&input))
        throw std::runtime_error(support::to_text(refusal->diagnostics.front()));
    return std::get<LoadedInput>(std::move(input));
}

}  // namespace tideline::run
