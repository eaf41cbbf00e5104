#include "run/branching_properties.hpp"

#include <algorithm>

#include "check/ctl/program.hpp"
#include "logic/parse.hpp"
#include "run/formula_atoms.hpp"
#include "run/linear_product.hpp"
#include "successor/step_labels.hpp"

namespace tideline::run {
namespace {

support::Result<logic::Formula> parse(const PropertySpec& property, const model::Model& model, FormulaAtoms& atoms,
                                      logic::Formulas& formulas) {
    const logic::FormulaContext context{property.kind == PropertyKind::ctl ? logic::Logic::ctl : logic::Logic::ctl_star,
                                        names_in_formulas(model), std::ref(atoms)};
    support::Result<logic::Formula> formula =
        property.source ? logic::parse_formula(formulas, *property.source, property.span, context)
                        : logic::parse_formula(formulas, support::SourceText(property.name, property.text), context);
    if (formula)
        for (const logic::Formula atom : logic::atoms(formulas, *formula))
            if (atoms.meaning(formulas.text(atom)).kind == AtomMeaning::Kind::moved)
                return support::diagnostic_about(
                    property.name, support::in_quotes(formulas.text(atom)) + " speaks of a step, not of a state",
                    "it is for linear-time formulas; CTL has enabled(P)");
    if (formula && !formulas.has(*formula, logic::Trait::state)) {
        const std::string message = "this is a formula of paths: it has a temporal operator without a path quantifier";
        const std::string hint = "begin it with A (on all paths) or E (on some path)";
        return property.source ? support::diagnostic_at(*property.source, property.span, message, hint)
                               : support::diagnostic_about(property.name, message, hint);
    }
    return formula;
}

}  // namespace

support::Diagnostics check_branching_property(const PropertySpec& property, const model::Model& model,
                                              DeadlockReading deadlocks) {
    FormulaAtoms atoms(model);
    logic::Formulas formulas(true);
    const support::Result<logic::Formula> formula = parse(property, model, atoms, formulas);
    if (formula && deadlocks == DeadlockReading::finite && check::ctl::needs_automata(formulas, *formula))
        return {support::diagnostic_about(property.name,
                                          "a formula of CTL* outside CTL has no meaning on paths that end",
                                          "expected --deadlocks stutter or ignore")};
    return formula.diagnostics();
}

bool speaks_of_deadlocks(const PropertySpec& property, const model::Model& model) {
    FormulaAtoms atoms(model);
    logic::Formulas formulas(true);
    const support::Result<logic::Formula> formula = parse(property, model, atoms, formulas);
    return formula && std::ranges::any_of(logic::atoms(formulas, *formula), [&](logic::Formula atom) {
               return atoms.meaning(formulas.text(atom)).kind == AtomMeaning::Kind::deadlock;
           });
}

std::optional<Refusal> refused_by_sweeps(const PropertySpec& property, const model::Model& model, Engine engine) {
    FormulaAtoms atoms(model);
    const auto formulas = std::make_shared<logic::Formulas>(true);
    const support::Result<logic::Formula> formula = parse(property, model, atoms, *formulas);
    if (!formula) return Refusal{formula.diagnostics(), support::StopReason::none};
    const std::string name = "the engine " + std::string(to_string(engine)) + ' ';
    const auto refuse = [&](const std::string& reason, const std::string& hint) {
        return Refusal{{support::diagnostic_about(property.name, name + reason, hint)}, support::StopReason::none};
    };
    if (engine != Engine::scc_ctl) return std::nullopt;
    const char* const reason = "decides AG EF p and AG AF p alone, where p is without path quantifiers";
    const char* const hint = "expected --engine auto or ledger";
    if (check::ctl::needs_automata(*formulas, *formula)) return refuse(reason, hint);
    const support::Result<check::ctl::Program> program = check::ctl::make_program(formulas, {*formula}, {});
    if (!program || !check::ctl::recurrence_of(*program, program->roots.front())) return refuse(reason, hint);
    return std::nullopt;
}

std::shared_ptr<const successor::System> with_step_atoms(std::shared_ptr<const successor::System> system,
                                                         const BranchingProperties& properties,
                                                         const model::Model& model) {
    using Kind = successor::StepLabel::Kind;
    successor::StepLabelSettings settings;
    bool has_any = false;
    for (std::size_t i = 0; i < system->label_count(); ++i) {
        successor::StepLabel label{Kind::own, i};
        if (i < properties.meanings.size()) {
            const AtomMeaning& meaning = properties.meanings[i];
            if (meaning.kind == AtomMeaning::Kind::deadlock) label = {Kind::deadlock, 0};
            if (meaning.kind == AtomMeaning::Kind::enabled) label = {Kind::enabled, meaning.process};
        }
        has_any = has_any || label.kind != Kind::own;
        settings.labels.push_back(label);
    }
    if (!has_any) return system;
    return successor::with_step_labels(std::move(system),
                                       std::make_shared<const successor::ProcessTable>(successor::process_table(model)),
                                       std::move(settings));
}

BranchingProperties make_branching_properties(const std::vector<PropertySpec>& properties, const model::Model& model,
                                              const support::Budget& budget) {
    BranchingProperties result;
    FormulaAtoms atoms(model);
    const auto formulas = std::make_shared<logic::Formulas>(true);
    automata::TranslationLimits limits;
    limits.stop = [&] { return budget.is_exhausted(); };
    std::vector<logic::Formula> roots;
    for (const PropertySpec& property : properties) {
        if (!property.is_branching()) continue;
        // Warnings were reported when the run was planned.
        const support::Result<logic::Formula> formula = parse(property, model, atoms, *formulas);
        if (!formula) throw Refusal{formula.diagnostics(), support::StopReason::none};
        const std::string logic(to_string(property.kind));
        if (check::ctl::needs_automata(*formulas, *formula)) {
            const support::Result<check::ctl::Program> alone = check::ctl::make_program(formulas, {*formula}, limits);
            if (!alone) {
                check::Verdict verdict;
                verdict.name = property.name;
                verdict.logic = logic;
                verdict.formula = property.text;
                verdict.reason = alone.diagnostics().front().message;
                result.untranslated.push_back(std::move(verdict));
                continue;
            }
        }
        roots.push_back(*formula);
        result.properties.push_back({property.name, logic, property.text});
    }
    if (roots.empty()) return result;
    support::Result<check::ctl::Program> program = check::ctl::make_program(formulas, roots, limits);
    if (!program) {
        // Each was made before by itself; the budget ended meanwhile.
        for (const check::BranchingProperty& property : result.properties) {
            check::Verdict& verdict = result.untranslated.emplace_back();
            verdict.name = property.name;
            verdict.logic = property.logic;
            verdict.formula = property.formula;
            verdict.reason = program.diagnostics().front().message;
        }
        result.properties.clear();
        return result;
    }
    for (const std::string& atom : program->atoms) {
        result.atoms.push_back(*atoms.find(atom));
        result.meanings.push_back(atoms.meaning(atom));
        if (result.meanings.back().kind == AtomMeaning::Kind::enabled) refuse_unknown_movers(model);
    }
    result.program = std::make_shared<const check::ctl::Program>(*std::move(program));
    return result;
}

}  // namespace tideline::run
