// Numbers for the names of actions: files of a million edges have few different ones.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "input/lts/graph.hpp"

namespace tideline::input::lts {

class ActionNames {
public:
    ActionNumber number_of(std::string_view name) {
        const auto found = numbers_.find(name);
        if (found != numbers_.end()) return found->second;
        const auto number = static_cast<ActionNumber>(names_.size());
        numbers_.emplace(std::string(name), number);
        names_.emplace_back(name);
        return number;
    }

    std::vector<std::string> take() { return std::exchange(names_, {}); }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, ActionNumber, Hash, std::equal_to<>> numbers_;
    std::vector<std::string> names_;
};

}  // namespace tideline::input::lts
