#include "logic/print.hpp"

#include <string_view>
#include <unordered_map>

#include "logic/lexer.hpp"

namespace tideline::logic {
namespace {

enum class Spelling : std::uint8_t { letters, spin };

std::string_view symbol(Connective connective, Spelling spelling) {
    if (spelling == Spelling::spin) {
        if (connective == Connective::eventually) return "<>";
        if (connective == Connective::always) return "[]";
        if (connective == Connective::release) return " V ";
    }
    switch (connective) {
        case Connective::negation: return "!";
        case Connective::conjunction: return " && ";
        case Connective::disjunction: return " || ";
        case Connective::implication: return " -> ";
        case Connective::equivalence: return " <-> ";
        case Connective::exclusion: return " ^ ";
        case Connective::next: return "X";
        case Connective::eventually: return "F";
        case Connective::always: return "G";
        case Connective::until: return " U ";
        case Connective::release: return " R ";
        case Connective::weak_until: return " W ";
        case Connective::strong_release: return " M ";
        case Connective::exists: return "E";
        case Connective::forall: return "A";
        default: return "";
    }
}

bool is_quantifier(Connective c) { return c == Connective::exists || c == Connective::forall; }
bool is_letter(Connective c, Spelling spelling) {
    return c == Connective::next || is_quantifier(c) ||
           (spelling == Spelling::letters && (c == Connective::eventually || c == Connective::always));
}

std::string written(const Formulas& formulas, Formula f, Spelling spelling);

// W, M and exclusive or, expressed by other operators.
Formula without_newer_operators(Formulas& formulas, Formula f) {
    std::unordered_map<std::uint32_t, Formula> done;
    for (const Formula g : subformulas(formulas, f)) {
        std::vector<Formula> operands;
        for (const Formula operand : formulas.operands(g)) operands.push_back(done.at(operand.number()));
        Formula result = g;
        switch (formulas.connective(g)) {
            case Connective::weak_until:
                result = formulas.release(operands[1], formulas.disjunction(operands[0], operands[1]));
                break;
            case Connective::strong_release:
                result = formulas.until(operands[1], formulas.conjunction(operands[0], operands[1]));
                break;
            case Connective::exclusion:
                result = formulas.negation(formulas.equivalence(operands[0], operands[1]));
                break;
            default:
                if (!operands.empty()) result = formulas.make(formulas.connective(g), operands);
        }
        done[g.number()] = result;
    }
    return done.at(f.number());
}

}  // namespace

std::string atom_text(const std::string& atom) {
    if (is_bare_atom(atom)) return atom;
    std::string result = "\"";
    for (const char c : atom) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

std::string to_text(const Formulas& formulas, Formula f) { return written(formulas, f, Spelling::letters); }

std::string to_spin_text(Formulas& formulas, Formula f) {
    return written(formulas, without_newer_operators(formulas, f), Spelling::spin);
}

namespace {

std::string written(const Formulas& formulas, Formula f, Spelling spelling) {
    struct Step {
        Formula formula;
        std::string_view text;  // if not empty, write this
    };
    std::string result;
    std::vector<Step> stack{{f, {}}};
    bool after_letter = false;  // an operator's letter was written last: a space or a parenthesis has to follow
    bool outermost = true;
    while (!stack.empty()) {
        const Step step = stack.back();
        stack.pop_back();
        if (!step.text.empty()) {
            result += step.text;
            after_letter = false;
            continue;
        }
        const Connective c = formulas.connective(step.formula);
        const std::span<const Formula> operands = formulas.operands(step.formula);
        if (operands.empty()) {
            if (after_letter) result += ' ';
            result += c == Connective::truth     ? "true"
                      : c == Connective::falsity ? "false"
                                                 : atom_text(formulas.text(step.formula));
            after_letter = false;
        } else if (operands.size() == 1) {
            // AG p and GF p are written without a space between the letters; a sequence of letters must not end with a
            // quantifier.
            if (after_letter && (!is_letter(c, spelling) || is_quantifier(c))) result += ' ';
            result += symbol(c, spelling);
            after_letter = is_letter(c, spelling);
            stack.push_back({operands[0], {}});
        } else {
            if (after_letter) result += ' ';
            if (!outermost) {
                result += '(';
                stack.push_back({f, ")"});
            }
            after_letter = false;
            for (std::size_t i = operands.size(); i-- > 0;) {
                stack.push_back({operands[i], {}});
                if (i > 0) stack.push_back({f, symbol(c, spelling)});
            }
        }
        outermost = false;
    }
    return result;
}

}  // namespace

}  // namespace tideline::logic
