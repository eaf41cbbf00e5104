// A model from a file, whatever its language: the file's ending decides.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "input/dve/syntax.hpp"
#include "input/lts/graph.hpp"
#include "model/model.hpp"
#include "support/diagnostic.hpp"

namespace tideline {

struct LoadOptions {
    bool wrap = false;           // DVE: values out of range wrap around
    bool with_property = true;   // DVE: the property process takes part
};

struct LoadedModel {
    std::shared_ptr<const Model> model;
    // What was read, for those who execute it themselves.
    std::variant<std::shared_ptr<const dve::Program>, std::shared_ptr<const lts::Graph>> syntax;
};

Result<LoadedModel> load_model(const std::string& path, const LoadOptions& options);
// The same from a text; `path` gives the language and stands in messages.
Result<LoadedModel> load_model_text(const std::string& path, std::string text, const LoadOptions& options);

}  // namespace tideline
