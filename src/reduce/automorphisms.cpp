#include "reduce/automorphisms.hpp"

#include <algorithm>

namespace tideline::reduce {

TransitionTexts::TransitionTexts(const model::Model& model, const ValueDomains& domains) {
    const NormalForm plain(model, domains);
    for (model::TransitionId t = 0; t < model.transitions.size(); ++t) by_id_.push_back(plain.text(t));
    sorted_ = by_id_;
    std::sort(sorted_.begin(), sorted_.end());
}

std::optional<model::TransitionId> TransitionTexts::with_text(const std::string& text) const {
    const auto found = std::find(by_id_.begin(), by_id_.end(), text);
    if (found == by_id_.end()) return std::nullopt;
    return static_cast<model::TransitionId>(found - by_id_.begin());
}

namespace {

class Check {
public:
    Check(const model::Model& model, const ValueDomains& domains, const TransitionTexts& texts,
          const Renaming& renaming)
        : model_(model), domains_(domains), texts_(texts), renaming_(renaming) {}

    std::string run() {
        for (const auto part : {&Check::are_permutations, &Check::fits_values, &Check::fits_variables,
                                &Check::fits_processes, &Check::keeps_initial_state, &Check::keeps_transitions})
            if (std::string problem = (this->*part)(); !problem.empty()) return problem;
        return "";
    }

private:
    template <class T>
    static bool is_permutation(std::vector<T> images, std::size_t count) {
        if (images.size() != count) return false;
        std::sort(images.begin(), images.end());
        for (std::size_t i = 0; i < count; ++i)
            if (images[i] != static_cast<T>(i)) return false;
        return true;
    }
    std::string are_permutations() {
        if (is_permutation(renaming_.slots, model_.slot_count()) &&
            is_permutation(renaming_.processes, model_.processes.size()) &&
            is_permutation(renaming_.domains, domains_.members.size()) && renaming_.domains[kNumbers] == kNumbers &&
            renaming_.values.size() == domains_.members.size())
            return "";
        return "it is not a permutation";
    }

    // Members become the members of another domain.
    std::string fits_values() {
        for (DomainId d = 0; d < domains_.members.size(); ++d) {
            std::vector<model::Value> images = renaming_.values[d];
            std::sort(images.begin(), images.end());
            if (images != domains_.members[renaming_.domains[d]]) return "values are not permuted";
        }
        return "";
    }

    std::string fits_variables() {
        for (model::SlotId s = 0; s < model_.slot_count(); ++s) {
            const model::VariableId from = domains_.variable_of_slot[s];
            const model::VariableId to = domains_.variable_of_slot[renaming_.slots[s]];
            const model::Variable& variable = model_.variables[from];
            const model::Variable& image = model_.variables[to];
            const auto differs = [&](const std::string& what) {
                return variable.name + " and " + image.name + " differ in " + what;
            };
            if (variable.kind != image.kind || variable.range != image.range) return differs("kind or range");
            if (renaming_.domains[domains_.of_variable[from]] != domains_.of_variable[to])
                return differs("the values that they hold");
            if (!keeps_range(domains_.of_variable[from], variable.range)) return differs("the values that fit");
            if (domains_.is_indexed[from] != domains_.is_indexed[to]) return differs("how they are indexed");
            if (!domains_.is_indexed[from]) continue;
            const auto index = static_cast<model::Value>(s - variable.first_slot);
            if (variable.slot_count() != image.slot_count() ||
                renaming_.domains[domains_.of_index[from]] != domains_.of_index[to] ||
                to != domains_.variable_of_slot[renaming_.slots[variable.first_slot]] ||
                renaming_.slots[s] != image.first_slot + static_cast<model::SlotId>(
                                                             renaming_.value(domains_, domains_.of_index[from], index)))
                return differs("the order of their elements");
        }
        return "";
    }
    // A value fits where its image does.
    [[nodiscard]] bool keeps_range(DomainId domain, model::Range range) const {
        for (std::size_t i = 0; i < renaming_.values[domain].size(); ++i)
            if (range.holds(domains_.members[domain][i]) != range.holds(renaming_.values[domain][i])) return false;
        return true;
    }

    std::string fits_processes() {
        if (model_.composition != model::Composition::interleaving) return "all processes move at once";
        for (model::ProcessId p = 0; p < model_.processes.size(); ++p) {
            const model::Process& process = model_.processes[p];
            const model::Process& image = model_.processes[renaming_.processes[p]];
            if (renaming_.slots[model_.variables[process.location].first_slot] !=
                model_.variables[image.location].first_slot)
                return "locations of " + process.name + " do not move with it";
            if (committed_locations(process) != committed_locations(image))
                return process.name + " and " + image.name + " differ in committed locations";
        }
        if (model_.observer && renaming_.processes[*model_.observer] != *model_.observer)
            return "the property process does not stay";
        if (!model_.atomic) return "";
        const model::SlotId slot = model_.variables[*model_.atomic].first_slot;
        const DomainId domain = domains_.of_variable[*model_.atomic];
        if (renaming_.slots[slot] != slot || renaming_.value(domains_, domain, 0) != 0)
            return "the variable of atomic sequences does not stay";
        for (model::ProcessId p = 0; p < model_.processes.size(); ++p)
            if (renaming_.value(domains_, domain, model::Value{p} + 1) != model::Value{renaming_.processes[p]} + 1)
                return "who is in an atomic sequence does not move with " + model_.processes[p].name;
        return "";
    }
    static std::vector<bool> committed_locations(const model::Process& process) {
        std::vector<bool> committed = process.committed;
        while (!committed.empty() && !committed.back()) committed.pop_back();
        return committed;
    }

    std::string keeps_initial_state() {
        if (!model_.more_initial.empty()) return "there are several initial states";
        std::vector<model::Value> image(model_.slot_count());
        apply(domains_, renaming_, model_.initial.data(), image.data());
        if (image != model_.initial) return "the initial state does not stay";
        return "";
    }

    std::string keeps_transitions() {
        const NormalForm renamed(model_, domains_, &renaming_);
        std::vector<std::string> images;
        for (model::TransitionId t = 0; t < model_.transitions.size(); ++t) {
            for (const TermEffect& effect : domains_.transitions[t].effects)
                if (!keeps(effect)) return "a value that is passed or moved does not fit everywhere";
            images.push_back(renamed.text(t));
        }
        std::sort(images.begin(), images.end());
        if (images != texts_.sorted()) return "a transition has no counterpart";
        return "";
    }
    [[nodiscard]] bool keeps(const TermEffect& effect) const {
        if (const auto* shift = std::get_if<TermShift>(&effect))
            return renaming_.value(domains_, domains_.of_variable[shift->variable], 0) == 0;
        const auto* assign = std::get_if<TermAssign>(&effect);
        if (assign == nullptr) return true;
        for (std::size_t i = 0; i < assign->source->passing.size(); ++i)
            if (!keeps_range(domains_.of_variable[assign->targets[i].variable], assign->source->passing[i]))
                return false;
        return true;
    }

    const model::Model& model_;
    const ValueDomains& domains_;
    const TransitionTexts& texts_;
    const Renaming& renaming_;
};

}  // namespace

std::string refuted(const model::Model& model, const ValueDomains& domains, const TransitionTexts& texts,
                    const Renaming& renaming) {
    return Check(model, domains, texts, renaming).run();
}

bool is_invariant(const model::Model& model, const ValueDomains& domains, const Renaming& renaming,
                  const model::Expression& expression) {
    const std::optional<FurtherTerm> further = term_in(model, domains, expression);
    // Where names are read as numbers, they must stay what they are.
    return further &&
           std::all_of(further->merged.begin(), further->merged.end(),
                       [&](DomainId d) { return renaming.values[d] == domains.members[d]; }) &&
           NormalForm(model, domains).text(further->term) == NormalForm(model, domains, &renaming).text(further->term);
}

}  // namespace tideline::reduce
