#include "run/formula_atoms.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "model/parse_expression.hpp"
#include "successor/step_labels.hpp"

namespace tideline::run {
namespace {

// enabled(P), moved(P), and deadlock where the model has nothing of that name. Nothing: it is an expression.
std::optional<support::Result<AtomMeaning>> meaning_in_steps(const model::Model& model,
                                                             const support::SourceText& source,
                                                             support::SourceSpan span, std::string_view atom) {
    using Kind = AtomMeaning::Kind;
    if (atom == kDeadlockAtom) return AtomMeaning{Kind::deadlock, 0};
    if (atom == "deadlock") {
        const auto is_meant = [](const auto& named) { return named.name == "deadlock"; };
        if (std::ranges::any_of(model.variables, is_meant) || std::ranges::any_of(model.labels, is_meant) ||
            std::ranges::any_of(model.tables, is_meant))
            return std::nullopt;
        return AtomMeaning{Kind::deadlock, 0};
    }
    const bool is_enabled = atom.starts_with("enabled(");
    if ((!is_enabled && !atom.starts_with("moved(")) || !atom.ends_with(")")) return std::nullopt;
    atom.remove_prefix(atom.find('(') + 1);
    atom.remove_suffix(1);
    while (atom.starts_with(' ')) atom.remove_prefix(1);
    while (atom.ends_with(' ')) atom.remove_suffix(1);
    const successor::ProcessTable processes = successor::process_table(model);
    if (const std::optional<std::size_t> process = processes.find(atom))
        return AtomMeaning{is_enabled ? Kind::enabled : Kind::moved, *process};
    return support::Result<AtomMeaning>(support::Diagnostics{support::diagnostic_at(
        source, span, "there is no process " + support::in_quotes(atom), support::suggestion(atom, processes.names))});
}

}  // namespace

support::Diagnostics FormulaAtoms::operator()(const support::SourceText& source, support::SourceSpan span,
                                              const std::string& atom) {
    if (expressions_.contains(atom)) return {};
    if (const std::optional<support::Result<AtomMeaning>> meaning = meaning_in_steps(model_, source, span, atom)) {
        if (!*meaning) return meaning->diagnostics();
        add(atom, **meaning);
        return {};
    }
    // Inside quotes the text may be spelled with backslashes.
    const bool as_written = source.text(span) == atom;
    support::Result<model::Expression> parsed =
        as_written ? model::parse_expression(model_, source, span, model::LocationNumbers::refused)
                   : model::parse_expression(model_, support::SourceText(source.path(), atom));
    if (!parsed) return std::move(parsed).diagnostics();
    expressions_[atom] = *parsed;
    return std::move(parsed).diagnostics();
}

const model::Expression* FormulaAtoms::find(const std::string& atom) const {
    const auto found = expressions_.find(atom);
    return found == expressions_.end() ? nullptr : &found->second;
}

AtomMeaning FormulaAtoms::meaning(const std::string& atom) const {
    const auto found = meanings_.find(atom);
    return found == meanings_.end() ? AtomMeaning{} : found->second;
}

std::vector<std::string> names_in_formulas(const model::Model& model) {
    std::vector<std::string> names;
    for (const model::Variable& variable : model.variables) {
        names.push_back(variable.name);
        if (variable.kind != model::Variable::Kind::location) continue;
        for (const std::string& value : variable.value_names) names.push_back(variable.name + '.' + value);
    }
    for (const model::NamedExpression& label : model.labels) names.push_back(label.name);
    return names;
}

}  // namespace tideline::run
