#include "input/language.hpp"

#include <algorithm>

namespace tideline::input {
namespace {

std::string_view suffix_of(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    const std::size_t slash = path.rfind('/');
    if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return {};
    return path.substr(dot + 1);
}

bool has_suffix(const Language& language, std::string_view suffix) {
    return !suffix.empty() &&
           std::find(language.suffixes.begin(), language.suffixes.end(), suffix) != language.suffixes.end();
}

}  // namespace

const Language* language_named(std::string_view name) {
    const std::span<const Language> all = languages();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Language& l) { return l.name == name; });
    return found == all.end() ? nullptr : &*found;
}

const Language* language_of(std::string_view path, std::string_view text) {
    const std::string_view suffix = suffix_of(path);
    const Language* by_suffix = nullptr;
    const Language* by_text = nullptr;
    for (const Language& language : languages()) {
        const bool recognised = language.recognises != nullptr && language.recognises(text);
        if (has_suffix(language, suffix)) {
            if (recognised) return &language;
            if (by_suffix == nullptr) by_suffix = &language;
        } else if (recognised && suffix.empty() && by_text == nullptr) {
            by_text = &language;
        }
    }
    return by_suffix != nullptr ? by_suffix : by_text;
}

}  // namespace tideline::input
