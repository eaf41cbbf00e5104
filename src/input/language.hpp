// The input languages. Each is one row of a table; its reference implementation is a row of the same name in
// reference/machines.cpp; nothing else in the program lists languages. The rows are in languages.cpp.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/load.hpp"
#include "model/model.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input {

// What a loader makes. Names in traces are those of the model's variables, which reference/ must give to its own
// (Model::slot_name).
struct Translation {
    model::Model model;
    std::vector<FileProperty> properties;
    std::string included{};  // the contents of the files that the model's text includes
};

struct Language {
    std::string_view name;                     // in reports and ledgers; also Model::format
    std::array<std::string_view, 7> suffixes;  // of file names, without the dot; the rest is empty
    // Whether a text of unknown name, or of a suffix that several languages have, is in this language; null: the suffix
    // alone decides.
    bool (*recognises)(std::string_view text) = nullptr;
    support::Result<Translation> (*load)(const support::SourceText& source, const LoadOptions& options,
                                         const support::Budget& budget) = nullptr;
};

[[nodiscard]] std::span<const Language> languages();
// Null where there is none.
[[nodiscard]] const Language* language_named(std::string_view name);
[[nodiscard]] const Language* language_of(std::string_view path, std::string_view text);

}  // namespace tideline::input
