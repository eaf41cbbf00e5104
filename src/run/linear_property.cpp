#include "run/linear_property.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "automata/hoa_parse.hpp"
#include "automata/never_claim_parse.hpp"
#include "automata/product.hpp"
#include "automata/translate.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/word.hpp"
#include "model/parse_expression.hpp"
#include "run/properties_file.hpp"
#include "run/translator.hpp"

namespace tideline::run {
namespace {

constexpr const char* kNoAutomaton = "its automaton could not be made within the limits";

// The value, or its errors as a refusal; warnings go to the sink.
template <class T>
T value_or_refuse(Result<T> result, Sink& sink) {
    if (!result) {
        const StopReason stopped = result.stopped();
        throw Refusal{std::move(result).diagnostics(), stopped};
    }
    if (!result.diagnostics().empty()) sink.report(result.diagnostics());
    return *std::move(result);
}

// HOA begins with its name; anything else is taken for a never claim.
Result<Automaton> parse_automaton(const SourceText& source, Labels& labels, const Budget& budget) {
    const std::size_t begin = source.text().find_first_not_of(" \t\r\n");
    const bool hoa = begin != std::string_view::npos && source.text().substr(begin).starts_with("HOA:");
    return hoa ? parse_hoa(source, labels, budget) : parse_never_claim(source, labels, budget);
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

std::variant<Automaton, Untranslated> translated_by(const std::string& command, Formulas& formulas, Formula f, Labels& labels, Sink& sink,
                                                   const Budget& budget) {
    const std::vector<Formula> formula_atoms = atoms(formulas, f);
    const Formula plain = with_plain_atoms(formulas, f, formula_atoms);
    std::string text;
    try {
        text = run_translator(command, to_text(formulas, plain), to_spin_text(formulas, plain), budget);
    } catch (const TranslatorFailure& failure) {
        if (!failure.stopped) throw Refusal{{failure.diagnostic}, StopReason::none};
        sink.report({failure.diagnostic});
        return Untranslated{kNoAutomaton};
    }
    Automaton automaton = value_or_refuse(parse_automaton(SourceText("(output of --ltl-translator)", std::move(text)), labels, budget), sink);
    for (std::string& atom : automaton.atoms) {
        std::size_t i = 0;
        while (i < formula_atoms.size() && atom != "p" + std::to_string(i)) ++i;
        if (i == formula_atoms.size())
            throw Refusal{{diagnostic_about("--ltl-translator", "the automaton has the atom " + in_quotes(atom) + ", which the formula has not")},
                          StopReason::none};
        atom = formulas.text(formula_atoms[i]);
    }
    return automaton;
}

std::variant<Automaton, Untranslated> translated(const std::string& translator, Formulas& formulas, Formula f, Labels& labels,
                                                 AutomatonKind kind, Sink& sink, const Budget& budget) {
    if (!translator.empty()) return translated_by(translator, formulas, f, labels, sink, budget);
    TranslationLimits limits;
    limits.stop = [&] { return budget.is_exhausted(); };
    Result<Automaton> automaton = translate(formulas, f, labels, kind, limits);
    if (!automaton.diagnostics().empty()) sink.report(automaton.diagnostics());
    if (!automaton) return Untranslated{kNoAutomaton};
    return *std::move(automaton);
}

// Looks at the atoms of a formula, in its text, and keeps what they mean.
class Atoms {
public:
    explicit Atoms(const Model& model) : model_(model) {}

    Diagnostics operator()(const SourceText& source, SourceSpan span, const std::string& atom) {
        if (expressions_.contains(atom)) return {};
        // Inside quotes the text may be spelled with backslashes.
        const bool as_written = source.text(span) == atom;
        Result<Expression> parsed = as_written ? parse_expression(model_, source, span, LocationNumbers::refused)
                                               : parse_expression(model_, SourceText(source.path(), atom));
        if (!parsed) return std::move(parsed).diagnostics();
        expressions_[atom] = *parsed;
        return std::move(parsed).diagnostics();
    }

    // Null where the formula has no such atom.
    [[nodiscard]] const Expression* find(const std::string& atom) const {
        const auto found = expressions_.find(atom);
        return found == expressions_.end() ? nullptr : &found->second;
    }

private:
    const Model& model_;
    std::map<std::string, Expression> expressions_;
};

// What a name in a formula may be, for suggestions.
std::vector<std::string> names_in(const Model& model) {
    std::vector<std::string> names;
    for (const Variable& variable : model.variables) {
        names.push_back(variable.name);
        for (const std::string& value : variable.value_names) names.push_back(variable.name + '.' + value);
    }
    for (const NamedExpression& label : model.labels) names.push_back(label.name);
    return names;
}

struct ParsedFormula {
    std::shared_ptr<Formulas> formulas = std::make_shared<Formulas>();
    Formula formula;
    std::shared_ptr<Atoms> atoms;
};

// A property that comes from a ledger has no place in a file.
SourceText source_of(const PropertySpec& property) { return SourceText(property.name, property.text); }

Result<ParsedFormula> parse_linear_formula(const PropertySpec& property, const Model& model) {
    ParsedFormula parsed;
    parsed.atoms = std::make_shared<Atoms>(model);
    const FormulaContext context{Logic::ltl, names_in(model), std::ref(*parsed.atoms)};
    Result<Formula> formula = property.source ? parse_formula(*parsed.formulas, *property.source, property.span, context)
                                              : parse_formula(*parsed.formulas, source_of(property), context);
    if (!formula) return std::move(formula).diagnostics();
    parsed.formula = *formula;
    return Result<ParsedFormula>(std::move(parsed), std::move(formula).diagnostics());
}

// The atoms of an automaton as expressions.
Result<std::vector<Expression>> parse_atoms(const std::string& file, const Automaton& automaton, const Model& model) {
    std::vector<Expression> atoms;
    Diagnostics warnings;
    for (std::size_t i = 0; i < automaton.atoms.size(); ++i) {
        Result<Expression> parsed = parse_expression(model, SourceText(file + " (atom " + std::to_string(i) + ')', automaton.atoms[i]));
        if (!parsed) return std::move(parsed).diagnostics();
        warnings.insert(warnings.end(), parsed.diagnostics().begin(), parsed.diagnostics().end());
        atoms.push_back(*std::move(parsed));
    }
    return Result<std::vector<Expression>>(std::move(atoms), std::move(warnings));
}

std::variant<LinearProperty, Untranslated> property_of_formula(const PropertySpec& spec, const Model& model, const std::string& translator,
                                                               Sink& sink, const Budget& budget) {
    LinearProperty property;
    property.name = spec.name;
    property.logic = "ltl";
    property.formula = spec.text;
    // Warnings were reported when the run was planned.
    Result<ParsedFormula> parsed = parse_linear_formula(spec, model);
    if (!parsed) throw Refusal{std::move(parsed).diagnostics(), StopReason::none};
    const std::shared_ptr<Formulas> formulas = parsed->formulas;
    const Formula formula = parsed->formula;
    const Atoms& expressions = *parsed->atoms;
    property.labels = std::make_shared<Labels>();
    if (!spec.automaton.empty()) {
        property.automaton = value_or_refuse(parse_hoa(SourceText("(automaton of " + spec.name + ")", spec.automaton), *property.labels, budget), sink);
    } else {
        std::variant<Automaton, Untranslated> made =
            translated(translator, *formulas, formulas->negation(formula), *property.labels, AutomatonKind::generalised, sink, budget);
        if (auto* untranslated = std::get_if<Untranslated>(&made)) return std::move(*untranslated);
        property.automaton = std::get<Automaton>(std::move(made));
    }
    std::vector<Formula> atoms;
    for (const std::string& atom : property.automaton.atoms) {
        const Expression* expression = expressions.find(atom);
        if (expression == nullptr)
            throw Refusal{{diagnostic_about(spec.name, "the automaton has the atom " + in_quotes(atom) + ", which the formula has not")},
                          StopReason::none};
        property.atoms.push_back(*expression);
        atoms.push_back(formulas->atom(atom));
    }
    // Another translator may have left out atoms; the formula has to be evaluated with all of them.
    for (const Formula atom : tideline::atoms(*formulas, formula)) {
        if (std::find(atoms.begin(), atoms.end(), atom) != atoms.end()) continue;
        property.atoms.push_back(*expressions.find(formulas->text(atom)));
        property.automaton.atoms.push_back(formulas->text(atom));
        atoms.push_back(atom);
    }
    if (atoms.size() > kMostAtoms)
        return Untranslated{"the formula has " + std::to_string(atoms.size()) + " atoms; at most " + std::to_string(kMostAtoms) +
                            " can be checked"};
    property.is_counterexample = [formulas, formula, atoms](const Lasso& word) { return !is_true_of(*formulas, formula, word, atoms); };
    return property;
}

LinearProperty property_of_automaton(const PropertySpec& spec, const Model& model, Sink& sink, const Budget& budget) {
    LinearProperty property;
    property.name = spec.name;
    property.logic = "automaton";
    property.formula = spec.file;
    property.labels = std::make_shared<Labels>();
    property.automaton = value_or_refuse(parse_automaton(SourceText(spec.file, spec.text), *property.labels, budget), sink);
    property.atoms = value_or_refuse(parse_atoms(spec.file, property.automaton, model), sink);
    property.is_counterexample = [labels = property.labels, copy = property.automaton, &budget](const Lasso& word) {
        return accepts(copy, word, budget).value_or(true);
    };
    return property;
}

}  // namespace

Diagnostics check_linear_property(const PropertySpec& property, const Model& model, const Budget& budget) {
    if (property.kind == PropertyKind::ltl) return parse_linear_formula(property, model).diagnostics();
    Labels labels;
    Result<Automaton> automaton = parse_automaton(SourceText(property.file, property.text), labels, budget);
    Diagnostics found = automaton.diagnostics();
    if (!automaton) return found;
    const Diagnostics of_atoms = parse_atoms(property.file, *automaton, model).diagnostics();
    found.insert(found.end(), of_atoms.begin(), of_atoms.end());
    return found;
}

std::variant<LinearProperty, Untranslated> make_linear_property(const PropertySpec& property, const Model& model,
                                                               const std::string& translator, Sink& sink, const Budget& budget) {
    if (property.kind == PropertyKind::ltl) return property_of_formula(property, model, translator, sink, budget);
    return property_of_automaton(property, model, sink, budget);
}

OrRefusal<NamedAutomaton> automaton_of_formula(const std::string& text, const std::string& translator, bool state_based, Sink& sink,
                                               const Budget& budget) try {
    Formulas formulas;
    const Formula formula = value_or_refuse(parse_formula(formulas, SourceText("--ltl", text), {Logic::ltl, {}, {}}), sink);
    NamedAutomaton result{text, std::make_shared<Labels>(), {}};
    std::variant<Automaton, Untranslated> made =
        translated(translator, formulas, formula, *result.labels, state_based ? AutomatonKind::state_based : AutomatonKind::generalised, sink, budget);
    // What stopped it has been reported.
    if (std::holds_alternative<Untranslated>(made)) return Refusal{{}, StopReason::time};
    result.automaton = std::get<Automaton>(std::move(made));
    return result;
} catch (Refusal& refusal) {
    return std::move(refusal);
}

OrRefusal<NamedAutomaton> automaton_of_file(const std::string& path, Sink& sink, const Budget& budget) try {
    const PropertySpec property = value_or_refuse(read_automaton_file("automaton", path, budget), sink);
    NamedAutomaton result{path, std::make_shared<Labels>(), {}};
    result.automaton = value_or_refuse(parse_automaton(*property.source, *result.labels, budget), sink);
    return result;
} catch (Refusal& refusal) {
    return std::move(refusal);
}

}  // namespace tideline::run
