// A model from a file, whatever its language: the table of languages (language.hpp) decides.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline {

struct LoadOptions {
    bool wrap = false;           // DVE: values out of range wrap around
    bool with_property = true;   // DVE: the property process takes part
};

// A formula that the file itself states, beside the assertions and the property process of its Model.
struct FileProperty {
    std::string name;
    std::string logic;  // "ltl", "ctl"
    SourceSpan text;    // in the source
};

struct LoadedModel {
    std::shared_ptr<const Model> model;
    std::string language;  // its row in input::languages() and reference::machines()
    SourceText source;     // what was read; reference/ reads it again, with other code
    std::string hash;      // of that text, 16 hexadecimal digits
    std::vector<FileProperty> properties;
};

// Where the budget does not suffice, Result::stopped() tells why; other errors are mistakes in the file.
Result<LoadedModel> load_model(const std::string& path, const LoadOptions& options, const Budget& budget = {});
// The same from a text; `path` gives the language and stands in messages.
Result<LoadedModel> load_model_text(const std::string& path, std::string text, const LoadOptions& options, const Budget& budget = {});
// What was loaded once more, with other options. The file is not read again.
Result<LoadedModel> load_again(const LoadedModel& loaded, const LoadOptions& options, const Budget& budget = {});

// XXH3 of a text as 16 hexadecimal digits, as ledgers and reports have it.
std::string text_hash(std::string_view text);

}  // namespace tideline
