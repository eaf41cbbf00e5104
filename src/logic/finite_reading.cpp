#include "logic/finite_reading.hpp"

#include <unordered_map>

namespace tideline::logic {

Formula finite_reading(Formulas& formulas, Formula f, Formula deadlock) {
    const Formula alive = formulas.negation(deadlock);
    std::unordered_map<std::uint32_t, Formula> done;
    for (const Formula g : subformulas(formulas, f)) {
        std::vector<Formula> operands;
        for (const Formula operand : formulas.operands(g)) operands.push_back(done.at(operand.number()));
        const Connective connective = formulas.connective(g);
        Formula read = operands.empty() ? g : formulas.make(connective, operands);
        if (connective == Connective::next) read = formulas.conjunction(alive, read);
        done[g.number()] = read;
    }
    return done.at(f.number());
}

}  // namespace tideline::logic
