// A model from a file, in any language of the table in language.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "support/budget.hpp"
#include "support/diagnostic.hpp"

namespace tideline::input {

// A process that may be created at run time.
struct ProcessInstance {
    std::uint32_t pid = 0;
    std::string type;
    friend bool operator==(const ProcessInstance&, const ProcessInstance&) = default;
};

struct LoadOptions {
    bool wrap = false;                         // DVE: values out of range wrap around
    bool with_property = true;                 // the property process takes part
    std::vector<ProcessInstance> instances{};  // Promela: besides those that there are at the beginning
    std::vector<std::string> definitions{};    // Promela: macros, NAME or NAME=VALUE; DVE: constants
    std::vector<std::string> include_dirs{};   // Promela: where included files are searched for
};

// A formula that the file itself states, beside the assertions and the property process of its Model.
struct FileProperty {
    std::string name;
    std::string logic;         // "ltl", "ctl"
    std::string text;          // over names of the model, its labels among them
    support::SourceSpan span;  // in the source
};

struct LoadedModel {
    std::shared_ptr<const model::Model> model;
    std::string language;        // its row in input::languages() and reference::machines()
    support::SourceText source;  // what was read; reference/ reads it again, with other code
    std::string hash;            // of that text and of the files that it includes, 16 hexadecimal digits
    std::vector<FileProperty> properties;
};

// Where the budget does not suffice, Result::stopped() says why; other errors are errors in the file.
support::Result<LoadedModel> load_model(const std::string& path, const LoadOptions& options,
                                        const support::Budget& budget = {});
// The same from a text; `path` gives the language and stands in messages.
support::Result<LoadedModel> load_model_text(const std::string& path, std::string text, const LoadOptions& options,
                                             const support::Budget& budget = {});
// Loads again with other options. The file is not read again.
support::Result<LoadedModel> load_again(const LoadedModel& loaded, const LoadOptions& options,
                                        const support::Budget& budget = {});

// XXH3 of a text as 16 hexadecimal digits, as ledgers and reports have it.
std::string text_hash(std::string_view text);

}  // namespace tideline::input
