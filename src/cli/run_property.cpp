#include "cli/run_property.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "automata/hoa_parse.hpp"
#include "automata/never_claim_parse.hpp"
#include "automata/product.hpp"
#include "automata/translate.hpp"
#include "cli/external_translator.hpp"
#include "cli/session.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/word.hpp"
#include "model/parse_expression.hpp"
#include "support/file.hpp"

namespace tideline {
namespace {

// A mistake that was printed, on its way to the exit status.
struct Failed {
    int status = kWrongInput;
};

// HOA begins with its name; anything else is taken for a never claim.
Automaton read_automaton(const SourceText& source, Labels& labels, const Budget& budget) {
    const std::size_t begin = source.text().find_first_not_of(" \t\r\n");
    const bool hoa = begin != std::string_view::npos && source.text().substr(begin).starts_with("HOA:");
    const Result<Automaton> automaton = hoa ? parse_hoa(source, labels, budget) : parse_never_claim(source, labels, budget);
    print(automaton.diagnostics());
    if (!automaton) throw Failed{automaton.stopped() == StopReason::none ? kWrongInput : kUndecided};
    return *automaton;
}

// The formula with the atoms p0, p1, ..., which every translator can read.
Formula with_plain_atoms(Formulas& formulas, Formula f, const std::vector<Formula>& atoms) {
    std::unordered_map<std::uint32_t, Formula> done;
    for (std::size_t i = 0; i < atoms.size(); ++i) done[atoms[i].number()] = formulas.atom("p" + std::to_string(i));
    for (const Formula g : subformulas(formulas, f)) {
        if (done.contains(g.number())) continue;
        std::vector<Formula> operands;
        for (const Formula operand : formulas.operands(g)) operands.push_back(done.at(operand.number()));
        done[g.number()] = operands.empty() ? g : formulas.make(formulas.connective(g), operands);
    }
    return done.at(f.number());
}

Automaton translated_by(const std::string& command, Formulas& formulas, Formula f, Labels& labels, const Budget& budget) {
    const std::vector<Formula> its_atoms = atoms(formulas, f);
    const Formula plain = with_plain_atoms(formulas, f, its_atoms);
    std::string text;
    try {
        text = run_translator(command, to_text(formulas, plain), to_spin_text(formulas, plain), budget);
    } catch (const TranslatorFailure& failure) {
        print({failure.diagnostic});
        throw Failed{failure.stopped ? kUndecided : kWrongInput};
    }
    Automaton automaton = read_automaton(SourceText("(output of --ltl-translator)", std::move(text)), labels, budget);
    for (std::string& atom : automaton.atoms) {
        std::size_t i = 0;
        while (i < its_atoms.size() && atom != "p" + std::to_string(i)) ++i;
        if (i == its_atoms.size()) {
            print({diagnostic_about("--ltl-translator", "the automaton has the atom " + in_quotes(atom) + ", which the formula has not")});
            throw Failed{};
        }
        atom = formulas.text(its_atoms[i]);
    }
    return automaton;
}

Automaton translated(const std::string& translator, Formulas& formulas, Formula f, Labels& labels, AutomatonKind kind,
                     const Budget& budget) {
    if (!translator.empty()) return translated_by(translator, formulas, f, labels, budget);
    TranslationLimits limits;
    limits.stop = [&budget] { return budget.is_exhausted(); };
    const Result<Automaton> automaton = translate(formulas, f, labels, kind, limits);
    print(automaton.diagnostics());
    if (!automaton) throw Failed{kUndecided};
    return *automaton;
}

// Looks at the atoms of a formula, in its text, and keeps what they mean.
class Atoms {
public:
    explicit Atoms(const Model& model) : model_(model) {}

    Diagnostics operator()(const SourceText& source, SourceSpan span, const std::string& atom) {
        if (expressions_.contains(atom)) return {};
        // Inside quotes the text may be spelt with backslashes.
        const bool as_written = source.text(span) == atom;
        Result<Expression> parsed = as_written ? parse_expression(model_, source, span, LocationNumbers::refused)
                                               : parse_expression(model_, SourceText(source.path(), atom));
        if (!parsed) return std::move(parsed).diagnostics();
        expressions_[atom] = *parsed;
        return std::move(parsed).diagnostics();
    }

    [[nodiscard]] const Expression& operator[](const std::string& atom) const { return expressions_.at(atom); }

private:
    const Model& model_;
    std::map<std::string, Expression> expressions_;
};

// What a name in a formula may be, for suggestions.
std::vector<std::string> names_of(const Model& model) {
    std::vector<std::string> names;
    for (const Variable& variable : model.variables) {
        names.push_back(variable.name);
        for (const std::string& value : variable.value_names) names.push_back(variable.name + '.' + value);
    }
    for (const NamedExpression& label : model.labels) names.push_back(label.name);
    return names;
}

RunProperty make_property_of_formula(const PropertyContext& context, std::string name, const SourceText& source, SourceSpan part) {
    RunProperty property;
    property.name = std::move(name);
    property.logic = "ltl";
    property.formula = source.text(part);
    const auto formulas = std::make_shared<Formulas>();
    Atoms expressions(context.model);
    const Result<Formula> parsed = parse_formula(*formulas, source, part, {Logic::ltl, names_of(context.model), std::ref(expressions)});
    if (!parsed || !context.quiet) print(parsed.diagnostics());
    if (!parsed) throw Failed{};
    const Formula formula = *parsed;
    property.labels = std::make_shared<Labels>();
    property.automaton =
        translated(context.translator, *formulas, formulas->negation(formula), *property.labels, AutomatonKind::generalised, context.budget);
    std::vector<Formula> atoms;
    for (const std::string& atom : property.automaton.atoms) {
        property.atoms.push_back(expressions[atom]);
        atoms.push_back(formulas->atom(atom));
    }
    // Another translator may have left out atoms; the formula has to be evaluated with all of them.
    for (const Formula atom : tideline::atoms(*formulas, formula)) {
        if (std::find(atoms.begin(), atoms.end(), atom) != atoms.end()) continue;
        property.atoms.push_back(expressions[formulas->text(atom)]);
        property.automaton.atoms.push_back(formulas->text(atom));
        atoms.push_back(atom);
    }
    if (atoms.size() > kMostAtoms) {
        print({diagnostic_about(
            "", "the formula has " + std::to_string(atoms.size()) + " atoms; at most " + std::to_string(kMostAtoms) + " can be checked")});
        throw Failed{kUndecided};
    }
    property.is_bad = [formulas, formula, atoms](const Lasso& word) { return !is_true_of(*formulas, formula, word, atoms); };
    return property;
}

RunProperty make_property_of_automaton(const PropertyContext& context, std::string name, const std::string& path) {
    AutomatonOrStatus read = automaton_of_file(path, context.budget);
    if (const int* status = std::get_if<int>(&read)) throw Failed{*status};
    auto& [file, labels, automaton] = std::get<NamedAutomaton>(read);
    RunProperty property;
    property.name = std::move(name);
    property.logic = "automaton";
    property.formula = path;
    for (std::size_t i = 0; i < automaton.atoms.size(); ++i) {
        const SourceText text(path + " (atom " + std::to_string(i) + ')', automaton.atoms[i]);
        const Result<Expression> parsed = parse_expression(context.model, text);
        if (!parsed || !context.quiet) print(parsed.diagnostics());
        if (!parsed) throw Failed{};
        property.atoms.push_back(*parsed);
    }
    property.labels = labels;
    property.automaton = std::move(automaton);
    property.is_bad = [labels, copy = property.automaton, &budget = context.budget](const Lasso& word) { return accepts(copy, word, budget).value_or(true); };
    return property;
}

}  // namespace

PropertyOrStatus property_of_formula(const PropertyContext& context, std::string name, const SourceText& source, SourceSpan part) {
    try {
        return make_property_of_formula(context, std::move(name), source, part);
    } catch (const Failed& failed) {
        return failed.status;
    }
}

PropertyOrStatus property_of_automaton(const PropertyContext& context, std::string name, const std::string& path) {
    try {
        return make_property_of_automaton(context, std::move(name), path);
    } catch (const Failed& failed) {
        return failed.status;
    }
}

AutomatonOrStatus automaton_of_formula(const std::string& text, const std::string& translator, bool state_based,
                                       const Budget& budget) {
    Formulas formulas;
    const Result<Formula> formula = parse_formula(formulas, SourceText("--ltl", text), {Logic::ltl, {}, {}});
    print(formula.diagnostics());
    if (!formula) return kWrongInput;
    NamedAutomaton result{text, std::make_shared<Labels>(), {}};
    try {
        result.automaton = translated(translator, formulas, *formula, *result.labels,
                                      state_based ? AutomatonKind::state_based : AutomatonKind::generalised, budget);
    } catch (const Failed& failed) {
        return failed.status;
    }
    return result;
}

AutomatonOrStatus automaton_of_file(const std::string& path, const Budget& budget) {
    Result<std::string> text = read_text_file(path, budget);
    print(text.diagnostics());
    if (!text) return text.stopped() == StopReason::none ? kWrongInput : kUndecided;
    NamedAutomaton result{path, std::make_shared<Labels>(), {}};
    try {
        result.automaton = read_automaton(SourceText(path, *std::move(text)), *result.labels, budget);
    } catch (const Failed& failed) {
        return failed.status;
    }
    return result;
}

}  // namespace tideline
