#include "input/load.hpp"

#include <algorithm>

#include <xxhash.h>

#include <fmt/format.h>

#include "input/language.hpp"
#include "support/file.hpp"

namespace tideline::input {
namespace {

support::Diagnostic unknown_language(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    const std::size_t slash = path.rfind('/');
    const bool has_suffix =
        dot != std::string::npos && (slash == std::string::npos || dot > slash) && dot + 1 < path.size();
    std::vector<std::string> known;
    for (const input::Language& language : input::languages())
        for (const std::string_view suffix : language.suffixes)
            if (!suffix.empty()) known.push_back("." + std::string(suffix));
    if (path == "-")
        return support::diagnostic_about(path, "a model cannot be read from standard input",
                                         "its language is known by the name of the file: give one, as in model.dve");
    if (has_suffix) {
        std::string lower = path.substr(dot);
        for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        if (std::find(known.begin(), known.end(), lower) != known.end())
            return support::diagnostic_about(path, "the kind of model is not known: " + path.substr(dot),
                                             "the ending is written in small letters: " + lower);
    }
    const std::string last = known.back();
    known.pop_back();
    return support::diagnostic_about(
        path,
        has_suffix ? "the kind of model is not known: " + path.substr(dot)
                   : "the kind of model is not known: the name has no ending",
        fmt::format("expected a name that ends in {}{}{}", fmt::join(known, ", "), known.empty() ? "" : " or ", last));
}

support::Result<LoadedModel> load(const input::Language& language, const support::SourceText& source,
                                  const LoadOptions& options, const support::Budget& budget) {
    support::Result<input::Translation> made = language.load(source, options, budget);
    if (!made) return std::move(made).diagnostics();
    support::Diagnostics warnings = made.diagnostics();
    LoadedModel loaded;
    loaded.model = std::make_shared<const model::Model>(std::move(made->model));
    loaded.language = language.name;
    loaded.source = source;
    loaded.hash = text_hash(made->included.empty() ? source.text() : std::string(source.text()) + made->included);
    loaded.properties = std::move(made->properties);
    return support::Result<LoadedModel>(std::move(loaded), std::move(warnings));
}

}  // namespace

std::string text_hash(std::string_view text) { return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())); }

support::Result<LoadedModel> load_model_text(const std::string& path, std::string text, const LoadOptions& options,
                                             const support::Budget& budget) {
    const input::Language* language = input::language_of(path, text);
    if (language == nullptr) return unknown_language(path);
    return load(*language, support::SourceText(path, std::move(text)), options, budget);
}

support::Result<LoadedModel> load_model(const std::string& path, const LoadOptions& options,
                                        const support::Budget& budget) {
    if (path == "-") return unknown_language(path);
    support::Result<std::string> text = support::read_text_file(path, budget);
    if (!text) return std::move(text).diagnostics();
    return load_model_text(path, *std::move(text), options, budget);
}

support::Result<LoadedModel> load_again(const LoadedModel& loaded, const LoadOptions& options,
                                        const support::Budget& budget) {
    return load(*input::language_named(loaded.language), loaded.source, options, budget);
}

}  // namespace tideline::input
