// Labels as text: a sum of products with the connectives of some language.
#pragma once

#include <functional>
#include <string>

#include "automata/label.hpp"

namespace tideline::automata {

struct LabelStyle {
    std::string truth;
    std::string falsity;
    std::string conjunction;
    std::string disjunction;
    bool parentheses = false;  // around products of several literals in a sum of several
    std::function<std::string(std::size_t)> atom;
};

std::string label_text(Labels& labels, Label label, const LabelStyle& style);

}  // namespace tideline::automata
