#include "run/stubborn_run.hpp"

#include <algorithm>

#include "logic/parse.hpp"
#include "model/parse_expression.hpp"
#include "reduce/relations.hpp"
#include "reduce/stubborn_system.hpp"
#include "run/formula_atoms.hpp"

namespace tideline::run {
namespace {

using reduce::Preserved;

Preserved preserved_by(const RunSpec& spec) {
    const auto any = [&](bool (PropertySpec::*is)() const) {
        return std::any_of(spec.properties.begin(), spec.properties.end(),
                           [&](const PropertySpec& p) { return (p.*is)(); });
    };
    if (any(&PropertySpec::is_branching)) return Preserved::branching;
    return any(&PropertySpec::is_linear) ? Preserved::linear : Preserved::states;
}

// Why a formula's truth may depend on steps that are left out; empty: it does not.
std::string unpreserved(const PropertySpec& property, const model::Model& model) {
    FormulaAtoms atoms(model);
    logic::Formulas formulas(property.is_branching());
    const logic::FormulaContext context{property.is_branching() ? logic::Logic::ctl : logic::Logic::ltl,
                                        names_in_formulas(model), std::ref(atoms)};
    const support::Result<logic::Formula> formula =
        property.source ? logic::parse_formula(formulas, *property.source, property.span, context)
                        : logic::parse_formula(formulas, support::SourceText(property.name, property.text), context);
    if (!formula) return "";  // the planner has reported it
    if (!formulas.has(*formula, logic::Trait::next_free)) return "the operator X counts steps, and some are left out";
    for (const logic::Formula atom : logic::atoms(formulas, *formula))
        if (atoms.meaning(formulas.text(atom)).kind != AtomMeaning::Kind::expression)
            return support::in_quotes(formulas.text(atom)) + " speaks of steps, and some are left out";
    return "";
}

std::string unpreserved(const PropertySpec& property, const RunSpec& spec, const model::Model& model) {
    switch (property.kind) {
        case PropertyKind::invariant:
        case PropertyKind::deadlock:
        case PropertyKind::assertion: return "";
        case PropertyKind::ltl:
            if (spec.deadlocks == DeadlockReading::finite)
                return "--deadlocks finite tells the last state of a run from those before it that are alike";
            return unpreserved(property, model);
        case PropertyKind::ctl: return unpreserved(property, model);
        case PropertyKind::ctlstar: return "formulas of CTL* are not decided with them";
        case PropertyKind::automaton: return "an automaton may count steps, and some are left out";
        case PropertyKind::process: return "a property process moves with every step, and some are left out";
    }
    return "";
}

// The condition that is evaluated in deadlocks alone, which are kept, where nothing else asks for it.
std::optional<model::Expression> end_condition(const RunSpec& spec, const model::Model& model) {
    const bool is_alone = std::all_of(spec.properties.begin(), spec.properties.end(), [](const PropertySpec& p) {
        return p.kind == PropertyKind::deadlock || p.kind == PropertyKind::ltl;
    });
    if (spec.end_states.empty() || spec.properties.empty() || !is_alone) return std::nullopt;
    support::Result<model::Expression> ends =
        model::parse_expression(model, support::SourceText("--end-states", spec.end_states));
    if (!ends) return std::nullopt;
    return *std::move(ends);
}

}  // namespace

Capability stubborn_capability(const RunSpec& spec, const LoadedSystem& system) {
    const auto refused = [](const std::string& reason, const std::string& hint) {
        return Capability{false, "--stubborn auto: " + reason, hint};
    };
    const char* const without = "leave --stubborn out";
    // That no cycle leaves a step out for ever is proved of the steps of the model, not of those of representatives.
    if (!spec.symmetry.empty())
        return refused("cycles of representatives are not those of the model", "leave --stubborn or --symmetry out");
    if (!spec.cut_off.empty())
        return refused("what lies behind a cut-off is looked for with all steps", "leave --stubborn or --cut-off out");
    if (system.kind == InputKind::program)
        return refused("what the steps of a system written in C++ read and write is not known", without);
    if (const std::string_view reason = reduce::irreducible(*system.names); !reason.empty())
        return refused(std::string(reason), without);
    for (const PropertySpec& property : spec.properties)
        if (const std::string reason = unpreserved(property, spec, *system.names); !reason.empty())
            return refused(reason, "leave --stubborn out, or check " + property.name + " by itself");
    if (spec.fairness != Fairness::none)
        return refused("which runs are fair depends on all steps of their states", without);
    if (spec.branching.satisfying || spec.branching.list > 0)
        return refused("states that are left out cannot be counted or listed", without);
    // The engine ledger records the edges that CTL without X needs.
    if (spec.record == explore::Recorded::edges && preserved_by(spec) != Preserved::branching)
        return refused("--record edges is for the graph of all steps, and some are left out", without);
    return {true, "", ""};
}

LoadedSystem with_stubborn_sets(LoadedSystem system, const RunSpec& spec) {
    const Preserved preserved = preserved_by(spec);
    // Every search of a run asks for the same few sets of labels.
    struct Known {
        std::vector<model::Expression> labels;
        std::shared_ptr<const reduce::Relations> relations;
    };
    auto known = std::make_shared<std::vector<Known>>();
    system.make_system =
        [make = system.make_system, model = system.names, preserved, known, ends = end_condition(spec, *system.names)](
            std::vector<model::Expression> labels, const progress::Measure* measure, successor::Successors successors,
            std::optional<successor::Layout> layout, const support::Budget& budget, std::string& notice) {
            std::vector<model::Expression> observed = labels;
            if (ends)
                if (const auto end = std::find(observed.rbegin(), observed.rend(), *ends); end != observed.rend())
                    observed.erase(std::next(end).base());
            auto found =
                std::find_if(known->begin(), known->end(), [&](const Known& each) { return each.labels == observed; });
            if (found == known->end()) {
                auto relations = std::make_shared<const reduce::Relations>(reduce::relations(model, observed));
                found = known->insert(found, {std::move(observed), std::move(relations)});
            }
            return reduce::with_stubborn_sets(
                make(std::move(labels), measure, successors, std::move(layout), budget, notice), found->relations,
                preserved);
        };
    return system;
}

}  // namespace tideline::run
