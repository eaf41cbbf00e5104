// Progress measures as users give them: expressions over a model's names, compared lexicographically.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "successor/key.hpp"
#include "support/diagnostic.hpp"

namespace tideline {

struct Measure {
    KeyProgram program;
    std::vector<std::string> components;  // as text, most significant first
};

// "n, k+1" and the like: expressions separated by commas, the most significant first.
Result<Measure> parse_measure(const Model& model, const std::string& text);

// The measure that comes with the model; one without components where there is none.
Result<Measure> own_measure(const Model& model);

}  // namespace tideline
