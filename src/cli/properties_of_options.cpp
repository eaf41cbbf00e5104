#include "cli/properties_of_options.hpp"

#include "run/properties_file.hpp"

namespace tideline::cli {
namespace {

std::string numbered(const std::string& name, std::size_t i, std::size_t count) {
    return count > 1 ? name + ' ' + std::to_string(i + 1) : name;
}

}  // namespace

void add_properties(std::vector<run::PropertySpec>& properties, const char* option, const std::string& name,
                    run::PropertyKind kind, const std::vector<std::string>& texts) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
        run::PropertySpec property;
        property.kind = kind;
        property.name = numbered(name, i, texts.size());
        property.text = texts[i];
        property.source = std::make_shared<const support::SourceText>(option, texts[i]);
        property.span = {0, static_cast<std::uint32_t>(texts[i].size())};
        properties.push_back(std::move(property));
    }
}

support::Result<std::vector<run::PropertySpec>> temporal_properties(const FormulaOptions& formulas) {
    std::vector<run::PropertySpec> properties;
    add_properties(properties, "--ltl", "ltl", run::PropertyKind::ltl, formulas.ltl);
    // Labels that a Promela model has.
    if (formulas.acceptance)
        add_properties(properties, "--acceptance", "acceptance", run::PropertyKind::ltl, {"F G !accept_"});
    if (formulas.non_progress)
        add_properties(properties, "--non-progress", "non-progress", run::PropertyKind::ltl, {"G F !np_"});
    for (std::size_t i = 0; i < formulas.automata.size(); ++i) {
        support::Result<run::PropertySpec> property =
            run::read_automaton_file(numbered("automaton", i, formulas.automata.size()), formulas.automata[i]);
        if (!property) return std::move(property).diagnostics();
        properties.push_back(*std::move(property));
    }
    add_properties(properties, "--ctl", "ctl", run::PropertyKind::ctl, formulas.ctl);
    add_properties(properties, "--ctlstar", "ctlstar", run::PropertyKind::ctlstar, formulas.ctlstar);
    return properties;
}

}  // namespace tideline::cli
