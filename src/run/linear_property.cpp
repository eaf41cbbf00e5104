#include "run/linear_property.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "automata/hoa_parse.hpp"
#include "automata/monitor.hpp"
#include "automata/never_claim_parse.hpp"
#include "automata/product.hpp"
#include "automata/translate.hpp"
#include "logic/finite_reading.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/word.hpp"
#include "model/parse_expression.hpp"
#include "run/formula_atoms.hpp"
#include "run/properties_file.hpp"
#include "run/translator.hpp"

namespace tideline::run {
namespace {

constexpr const char* kNoAutomaton = "its automaton could not be made within the limits";

// The value, or its errors as a refusal; warnings go to the sink.
template <class T>
T value_or_refuse(support::Result<T> result, Sink& sink) {
    if (!result) {
        const support::StopReason stopped = result.stopped();
        throw Refusal{std::move(result).diagnostics(), stopped};
    }
    if (!result.diagnostics().empty()) sink.report(result.diagnostics());
    return *std::move(result);
}

// HOA begins with its name; anything else is read as a never claim.
support::Result<automata::Automaton> parse_automaton(const support::SourceText& source, automata::Labels& labels,
                                                     const support::Budget& budget) {
    const std::size_t begin = source.text().find_first_not_of(" \t\r\n");
    const bool hoa = begin != std::string_view::npos && source.text().substr(begin).starts_with("HOA:");
    return hoa ? automata::parse_hoa(source, labels, budget) : automata::parse_never_claim(source, labels, budget);
}

// The formula with the atoms p0, p1, ..., which every translator can read.
logic::Formula with_plain_atoms(logic::Formulas& formulas, logic::Formula f, const std::vector<logic::Formula>& atoms) {
    std::unordered_map<std::uint32_t, logic::Formula> done;
    for (std::size_t i = 0; i < atoms.size(); ++i) done[atoms[i].number()] = formulas.atom("p" + std::to_string(i));
    for (const logic::Formula g : logic::subformulas(formulas, f)) {
        if (done.contains(g.number())) continue;
        std::vector<logic::Formula> operands;
        for (const logic::Formula operand : formulas.operands(g)) operands.push_back(done.at(operand.number()));
        done[g.number()] = operands.empty() ? g : formulas.make(formulas.connective(g), operands);
    }
    return done.at(f.number());
}

std::variant<automata::Automaton, Untranslated> translated_by(const std::string& command, logic::Formulas& formulas,
                                                              logic::Formula f, automata::Labels& labels, Sink& sink,
                                                              const support::Budget& budget) {
    const std::vector<logic::Formula> formula_atoms = logic::atoms(formulas, f);
    const logic::Formula plain = with_plain_atoms(formulas, f, formula_atoms);
    std::string text;
    try {
        text = run_translator(command, logic::to_text(formulas, plain), logic::to_spin_text(formulas, plain), budget);
    } catch (const TranslatorFailure& failure) {
        if (!failure.stopped) throw Refusal{{failure.diagnostic}, support::StopReason::none};
        sink.report({failure.diagnostic});
        return Untranslated{kNoAutomaton};
    }
    automata::Automaton automaton = value_or_refuse(
        parse_automaton(support::SourceText("(output of --ltl-translator)", std::move(text)), labels, budget), sink);
    for (std::string& atom : automaton.atoms) {
        std::size_t i = 0;
        while (i < formula_atoms.size() && atom != "p" + std::to_string(i)) ++i;
        if (i == formula_atoms.size())
            throw Refusal{{support::diagnostic_about("--ltl-translator", "the automaton has the atom " +
                                                                             support::in_quotes(atom) +
                                                                             ", which the formula has not")},
                          support::StopReason::none};
        atom = formulas.text(formula_atoms[i]);
    }
    return automaton;
}

std::variant<automata::Automaton, Untranslated> translated(const std::string& translator, logic::Formulas& formulas,
                                                           logic::Formula f, automata::Labels& labels,
                                                           automata::AutomatonKind kind, Sink& sink,
                                                           const support::Budget& budget) {
    if (!translator.empty()) return translated_by(translator, formulas, f, labels, sink, budget);
    automata::TranslationLimits limits;
    limits.stop = [&] { return budget.is_exhausted(); };
    support::Result<automata::Automaton> automaton = automata::translate(formulas, f, labels, kind, limits);
    if (!automaton.diagnostics().empty()) sink.report(automaton.diagnostics());
    if (!automaton) return Untranslated{kNoAutomaton};
    return *std::move(automaton);
}

struct ParsedFormula {
    std::shared_ptr<logic::Formulas> formulas = std::make_shared<logic::Formulas>();
    logic::Formula formula;
    std::shared_ptr<FormulaAtoms> atoms;
};

// A property from a ledger has no position in a file.
support::SourceText source_of(const PropertySpec& property) {
    return support::SourceText(property.name, property.text);
}

support::Result<ParsedFormula> parse_linear_formula(const PropertySpec& property, const model::Model& model) {
    ParsedFormula parsed;
    parsed.atoms = std::make_shared<FormulaAtoms>(model);
    const logic::FormulaContext context{logic::Logic::ltl, names_in_formulas(model), std::ref(*parsed.atoms)};
    support::Result<logic::Formula> formula =
        property.source ? logic::parse_formula(*parsed.formulas, *property.source, property.span, context)
                        : logic::parse_formula(*parsed.formulas, source_of(property), context);
    if (!formula) return std::move(formula).diagnostics();
    parsed.formula = *formula;
    return support::Result<ParsedFormula>(std::move(parsed), std::move(formula).diagnostics());
}

// The atoms of an automaton as expressions.
support::Result<std::vector<model::Expression>> parse_atoms(const std::string& file,
                                                            const automata::Automaton& automaton,
                                                            const model::Model& model) {
    std::vector<model::Expression> atoms;
    support::Diagnostics warnings;
    for (std::size_t i = 0; i < automaton.atoms.size(); ++i) {
        support::Result<model::Expression> parsed = model::parse_expression(
            model, support::SourceText(file + " (atom " + std::to_string(i) + ')', automaton.atoms[i]));
        if (!parsed) return std::move(parsed).diagnostics();
        warnings.insert(warnings.end(), parsed.diagnostics().begin(), parsed.diagnostics().end());
        atoms.push_back(*std::move(parsed));
    }
    return support::Result<std::vector<model::Expression>>(std::move(atoms), std::move(warnings));
}

// A formula of states as a label; variables are the indices of the atoms.
automata::Label label_of(const logic::Formulas& formulas, logic::Formula f, const std::vector<logic::Formula>& atoms,
                         automata::Labels& labels) {
    std::unordered_map<std::uint32_t, automata::Label> done;
    for (const logic::Formula g : logic::subformulas(formulas, f)) {
        std::vector<automata::Label> operands;
        for (const logic::Formula operand : formulas.operands(g)) operands.push_back(done.at(operand.number()));
        automata::Label label = labels.falsity();
        switch (formulas.connective(g)) {
            case logic::Connective::truth: label = labels.truth(); break;
            case logic::Connective::atom:
                label = labels.variable(
                    static_cast<std::uint32_t>(std::find(atoms.begin(), atoms.end(), g) - atoms.begin()));
                break;
            case logic::Connective::negation: label = labels.negation(operands[0]); break;
            case logic::Connective::conjunction:
                label = labels.truth();
                for (const automata::Label operand : operands) label = labels.both(label, operand);
                break;
            case logic::Connective::disjunction:
                for (const automata::Label operand : operands) label = labels.either(label, operand);
                break;
            case logic::Connective::implication:
                label = labels.either(labels.negation(operands[0]), operands[1]);
                break;
            case logic::Connective::equivalence:
                label = labels.if_then_else(operands[0], operands[1], labels.negation(operands[1]));
                break;
            case logic::Connective::exclusion:
                label = labels.if_then_else(operands[0], labels.negation(operands[1]), operands[1]);
                break;
            default: break;  // no formula of states
        }
        done[g.number()] = label;
    }
    return done.at(f.number());
}

// The left side of G (p -> f), where p speaks of a state.
void find_antecedent(const logic::Formulas& formulas, logic::Formula f, const std::vector<logic::Formula>& atoms,
                     LinearProperty& property) {
    if (!formulas.is(f, logic::Connective::always) || property.reads_moves() || atoms.size() > automata::kMostAtoms)
        return;
    const logic::Formula body = formulas.operand(f, 0);
    if (!formulas.is(body, logic::Connective::implication)) return;
    const logic::Formula left = formulas.operand(body, 0);
    if (!formulas.has(left, logic::Trait::boolean)) return;
    const automata::Label label = label_of(formulas, left, atoms, *property.labels);
    // A condition that is false by its form says so itself.
    if (property.labels->is_constant(label)) return;
    property.antecedent = label;
    property.antecedent_text = logic::to_text(formulas, left);
}

std::variant<LinearProperty, Untranslated> property_of_formula(const PropertySpec& spec, const model::Model& model,
                                                               DeadlockReading deadlocks, const std::string& translator,
                                                               Sink& sink, const support::Budget& budget) {
    LinearProperty property;
    property.name = spec.name;
    property.logic = "ltl";
    property.formula = spec.text;
    // Warnings were reported when the run was planned.
    support::Result<ParsedFormula> parsed = parse_linear_formula(spec, model);
    if (!parsed) throw Refusal{std::move(parsed).diagnostics(), support::StopReason::none};
    const std::shared_ptr<logic::Formulas> formulas = parsed->formulas;
    const logic::Formula formula = parsed->formula;
    if (deadlocks == DeadlockReading::finite) parsed->atoms->add_deadlock();
    const logic::Formula read = deadlocks == DeadlockReading::finite
                                    ? logic::finite_reading(*formulas, formula, formulas->atom(kDeadlockAtom))
                                    : formula;
    const FormulaAtoms& expressions = *parsed->atoms;
    property.labels = std::make_shared<automata::Labels>();
    if (!spec.automaton.empty()) {
        property.automaton =
            value_or_refuse(automata::parse_hoa(support::SourceText("(automaton of " + spec.name + ")", spec.automaton),
                                                *property.labels, budget),
                            sink);
    } else {
        std::variant<automata::Automaton, Untranslated> made =
            translated(translator, *formulas, formulas->negation(read), *property.labels,
                       automata::AutomatonKind::generalised, sink, budget);
        if (auto* untranslated = std::get_if<Untranslated>(&made)) return std::move(*untranslated);
        property.automaton = std::get<automata::Automaton>(std::move(made));
    }
    std::vector<logic::Formula> atoms;
    for (const std::string& atom : property.automaton.atoms) {
        const model::Expression* expression = expressions.find(atom);
        if (expression == nullptr)
            throw Refusal{
                {support::diagnostic_about(spec.name, "the automaton has the atom " + support::in_quotes(atom) +
                                                          ", which the formula has not")},
                support::StopReason::none};
        property.atoms.push_back(*expression);
        property.meanings.push_back(expressions.meaning(atom));
        atoms.push_back(formulas->atom(atom));
    }
    // Another translator may have left out atoms; the formula has to be evaluated with all of them.
    for (const logic::Formula atom : logic::atoms(*formulas, formula)) {
        if (std::find(atoms.begin(), atoms.end(), atom) != atoms.end()) continue;
        property.atoms.push_back(*expressions.find(formulas->text(atom)));
        property.meanings.push_back(expressions.meaning(formulas->text(atom)));
        property.automaton.atoms.push_back(formulas->text(atom));
        atoms.push_back(atom);
    }
    find_antecedent(*formulas, formula, atoms, property);
    if (atoms.size() > automata::kMostAtoms)
        return Untranslated{"the formula has " + std::to_string(atoms.size()) + " atoms; at most " +
                            std::to_string(automata::kMostAtoms) + " can be checked"};
    property.is_counterexample = [formulas, formula, atoms](const logic::Lasso& word, bool ends) {
        return !logic::is_true_of(*formulas, formula, word, atoms, ends);
    };
    property.is_translated_elsewhere = !translator.empty() || !spec.automaton.empty();
    if (!property.is_translated_elsewhere && !property.reads_moves())
        property.make_monitor = [formulas, read, atoms, labels = property.labels, &budget] {
            automata::TranslationLimits limits;
            limits.stop = [&] { return budget.is_exhausted(); };
            return automata::safety_monitor(*formulas, read, *labels, atoms, limits);
        };
    return property;
}

LinearProperty property_of_automaton(const PropertySpec& spec, const model::Model& model, Sink& sink,
                                     const support::Budget& budget) {
    LinearProperty property;
    property.name = spec.name;
    property.logic = "automaton";
    property.formula = spec.file;
    property.labels = std::make_shared<automata::Labels>();
    property.automaton =
        value_or_refuse(parse_automaton(support::SourceText(spec.file, spec.text), *property.labels, budget), sink);
    property.atoms = value_or_refuse(parse_atoms(spec.file, property.automaton, model), sink);
    property.meanings.resize(property.atoms.size());
    property.is_counterexample = [labels = property.labels, copy = property.automaton, &budget](
                                     const logic::Lasso& word, bool /*ends*/) {
        return automata::accepts(copy, word, budget).value_or(true);
    };
    return property;
}

}  // namespace

support::Diagnostics check_linear_property(const PropertySpec& property, const model::Model& model,
                                           const support::Budget& budget) {
    if (property.kind == PropertyKind::ltl) return parse_linear_formula(property, model).diagnostics();
    automata::Labels labels;
    support::Result<automata::Automaton> automaton =
        parse_automaton(support::SourceText(property.file, property.text), labels, budget);
    support::Diagnostics found = automaton.diagnostics();
    if (!automaton) return found;
    const support::Diagnostics of_atoms = parse_atoms(property.file, *automaton, model).diagnostics();
    found.insert(found.end(), of_atoms.begin(), of_atoms.end());
    return found;
}

std::variant<LinearProperty, Untranslated> make_linear_property(const PropertySpec& property, const model::Model& model,
                                                                DeadlockReading deadlocks,
                                                                const std::string& translator, Sink& sink,
                                                                const support::Budget& budget) {
    if (property.kind == PropertyKind::ltl)
        return property_of_formula(property, model, deadlocks, translator, sink, budget);
    return property_of_automaton(property, model, sink, budget);
}

OrRefusal<NamedAutomaton> automaton_of_formula(const std::string& text, const std::string& translator, bool state_based,
                                               Sink& sink, const support::Budget& budget) try {
    logic::Formulas formulas;
    const logic::Formula formula = value_or_refuse(
        logic::parse_formula(formulas, support::SourceText("--ltl", text), {logic::Logic::ltl, {}, {}}), sink);
    NamedAutomaton result{text, std::make_shared<automata::Labels>(), {}};
    std::variant<automata::Automaton, Untranslated> made = translated(
        translator, formulas, formula, *result.labels,
        state_based ? automata::AutomatonKind::state_based : automata::AutomatonKind::generalised, sink, budget);
    // The cause has been reported.
    if (std::holds_alternative<Untranslated>(made)) return Refusal{{}, support::StopReason::time};
    result.automaton = std::get<automata::Automaton>(std::move(made));
    return result;
} catch (Refusal& refusal) {
    return std::move(refusal);
}

OrRefusal<NamedAutomaton> automaton_of_file(const std::string& path, Sink& sink, const support::Budget& budget) try {
    const PropertySpec property = value_or_refuse(read_automaton_file("automaton", path, budget), sink);
    NamedAutomaton result{path, std::make_shared<automata::Labels>(), {}};
    result.automaton = value_or_refuse(parse_automaton(*property.source, *result.labels, budget), sink);
    return result;
} catch (Refusal& refusal) {
    return std::move(refusal);
}

}  // namespace tideline::run
