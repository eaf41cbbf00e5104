#include "automata/label_text.hpp"

namespace tideline::automata {

std::string label_text(Labels& labels, Label label, const LabelStyle& style) {
    if (label == labels.truth()) return style.truth;
    if (label == labels.falsity()) return style.falsity;
    std::string result;
    const std::vector<Cube> cubes = labels.cubes(label);
    for (const Cube& cube : cubes) {
        if (!result.empty()) result += style.disjunction;
        std::string product;
        std::size_t literals = 0;
        for (std::size_t i = 0; i < kMostAtoms; ++i) {
            const std::uint64_t bit = std::uint64_t{1} << i;
            if (((cube.positive | cube.negative) & bit) == 0) continue;
            if (literals++ > 0) product += style.conjunction;
            if ((cube.negative & bit) != 0) product += '!';
            product += style.atom(i);
        }
        result += style.parentheses && cubes.size() > 1 && literals > 1 ? '(' + product + ')' : product;
    }
    return result;
}

}  // namespace tideline::automata
