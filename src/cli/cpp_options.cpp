#include <charconv>

#include "cli/cpp_main.hpp"

namespace tideline::cli {

std::map<std::string, std::string> CppOptions::values() const {
    std::map<std::string, std::string> result;
    for (const Number& number : numbers_) result[number.name] = std::to_string(*number.value);
    for (const Flag& flag : flags_) result[flag.name] = *flag.value ? "true" : "false";
    return result;
}

bool CppOptions::set(const std::map<std::string, std::string>& values) const {
    if (values.size() != numbers_.size() + flags_.size()) return false;
    for (const Number& number : numbers_) {
        const auto found = values.find(number.name);
        if (found == values.end()) return false;
        int value = 0;
        const auto [end, error] =
            std::from_chars(found->second.data(), found->second.data() + found->second.size(), value);
        if (error != std::errc() || *end != '\0' || value < number.low || value > number.high) return false;
        *number.value = value;
    }
    for (const Flag& flag : flags_) {
        const auto found = values.find(flag.name);
        if (found == values.end() || (found->second != "true" && found->second != "false")) return false;
        *flag.value = found->second == "true";
    }
    return true;
}

}  // namespace tideline::cli
