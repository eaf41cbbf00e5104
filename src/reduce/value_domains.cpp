#include "reduce/value_domains.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace tideline::reduce {
namespace {

using model::Op;
using model::Value;

// Domains while they are merged: sets of a union-find structure. The first is that of numbers.
class Merging {
public:
    DomainId add() {
        parent_.push_back(parent_.size());
        return parent_.back();
    }
    [[nodiscard]] DomainId find(DomainId d) const {
        while (parent_[d] != d) d = parent_[d];
        return d;
    }
    void unite(DomainId a, DomainId b) {
        a = find(a);
        b = find(b);
        if (a != b) parent_[std::max(a, b)] = std::min(a, b);
    }
    [[nodiscard]] std::size_t size() const { return parent_.size(); }

private:
    std::vector<DomainId> parent_;
};

class Inference {
public:
    explicit Inference(const model::Model& model) : model_(model) {
        sets_.add();
        const std::vector<model::Model::SlotOwner> owners = model.slot_owners();
        for (const model::Model::SlotOwner& owner : owners) domains_.variable_of_slot.push_back(owner.variable);
        for (const model::Variable& variable : model.variables) {
            domains_.of_variable.push_back(sets_.add());
            domains_.of_index.push_back(sets_.add());
            domains_.is_indexed.push_back(false);
            // Locations are numbered alike in processes that are copies of each other.
            if (variable.kind == model::Variable::Kind::location) number(domains_.of_variable.back());
        }
    }

    ValueDomains run() {
        for (const model::Transition& transition : model_.transitions)
            domains_.transitions.push_back(transition_terms(transition));
        number_what_is_local();
        resolve();
        return std::move(domains_);
    }

    // For an expression that is not the model's.
    Inference(const model::Model& model, const ValueDomains& known) : model_(model) {
        domains_.variable_of_slot = known.variable_of_slot;
        domains_.of_variable = known.of_variable;
        domains_.of_index = known.of_index;
        domains_.is_indexed = known.is_indexed;
        known_ = known.members.size();
        for (std::size_t i = 0; i < known_; ++i) sets_.add();
    }
    std::optional<FurtherTerm> further(const model::Expression& expression) {
        FurtherTerm made{term_of(model_, expression), {}};
        Term& term = made.term;
        const std::vector<bool> indexed = domains_.is_indexed;
        number(visit(term));
        if (indexed != domains_.is_indexed) return std::nullopt;
        for (DomainId d = 1; d < known_; ++d)
            if (sets_.find(d) != d) made.merged.push_back(d);
        for (const DomainId d : std::vector(made.merged))
            if (sets_.find(d) != kNumbers) made.merged.push_back(sets_.find(d));
        set_domains(term);
        return made;
    }

private:
    void number(DomainId domain) { sets_.unite(domain, kNumbers); }

    // The domain of its values.
    DomainId visit(Term& term) {
        term.domain = kNumbers;
        switch (term.op) {
            case Op::constant: return term.domain = sets_.add();
            case Op::load: return term.domain = domains_.of_variable[domains_.variable_of_slot[term.argument]];
            case Op::load_element: {
                const model::VariableId variable = domains_.variable_of_slot[term.argument];
                const DomainId index = visit(term.operands[0]);
                domains_.is_indexed[variable] = true;
                sets_.unite(index, domains_.of_index[variable]);
                const model::Variable& array = model_.variables[variable];
                if (array.first_slot != term.argument || array.slot_count() != term.value) number(index);
                return term.domain = domains_.of_variable[variable];
            }
            case Op::equal:
            case Op::not_equal: {
                const DomainId left = visit(term.operands[0]);
                sets_.unite(left, visit(term.operands[1]));
                return kNumbers;
            }
            case Op::jump: {
                number(visit(term.operands[0]));
                term.domain = visit(term.operands[1]);
                sets_.unite(term.domain, visit(term.operands[2]));
                return term.domain;
            }
            default:
                for (Term& operand : term.operands) number(visit(operand));
                return kNumbers;
        }
    }

    TermTransition transition_terms(const model::Transition& transition) {
        TermTransition result;
        for (const model::Expression& guard : transition.guards) {
            result.guards.push_back(term_of(model_, guard));
            number(visit(result.guards.back()));
        }
        for (const model::Effect& effect : transition.effects)
            result.effects.push_back(std::visit([this](const auto& e) { return TermEffect(effect_term(e)); }, effect));
        return result;
    }
    TermAssign effect_term(const model::Assign& assign) {
        TermAssign result;
        result.source = &assign;
        for (const model::Target& target : assign.targets) {
            TermAssign::To& to = result.targets.emplace_back();
            to.variable = target.variable;
            if (!target.index) continue;
            to.index = term_of(model_, *target.index);
            if (to.index->is_constant()) continue;  // a slot
            domains_.is_indexed[target.variable] = true;
            sets_.unite(visit(*to.index), domains_.of_index[target.variable]);
        }
        for (std::size_t i = 0; i < assign.values.size(); ++i) {
            Term& value = result.values.emplace_back(term_of(model_, assign.values[i]));
            const DomainId of_value = visit(value);
            if (i >= assign.targets.size()) continue;  // evaluated, and not stored
            const DomainId domain = domains_.of_variable[assign.targets[i].variable];
            sets_.unite(of_value, domain);
            if (assign.wrap) number(domain);
        }
        return result;
    }
    TermShift effect_term(const model::Shift& shift) {
        TermShift result{shift.variable, term_of(model_, shift.first), shift.count};
        number(visit(result.first));
        number(domains_.of_index[shift.variable]);
        domains_.is_indexed[shift.variable] = true;
        // The element at the end becomes 0, which is a number unless it stays 0.
        zeros_.push_back(domains_.of_variable[shift.variable]);
        return result;
    }
    TermRequire effect_term(const model::Require& require) {
        TermRequire result{term_of(model_, require.condition), &require};
        number(visit(result.condition));
        return result;
    }

    // Values that a single process uses, and no array is indexed by, name nothing that others know.
    void number_what_is_local() {
        constexpr std::size_t kNobody = ~std::size_t{0};
        constexpr std::size_t kSeveral = kNobody - 1;
        std::vector<std::size_t> user(sets_.size(), kNobody);
        std::vector<bool> is_index(sets_.size(), false);
        for (std::size_t v = 0; v < domains_.of_index.size(); ++v)
            if (domains_.is_indexed[v]) is_index[sets_.find(domains_.of_index[v])] = true;
        for (std::size_t t = 0; t < model_.transitions.size(); ++t) {
            const std::vector<model::Participant>& participants = model_.transitions[t].participants;
            const std::size_t process = participants.size() == 1 ? participants[0].process : kSeveral;
            visit_terms(domains_.transitions[t], [&](const Term& term) {
                std::size_t& known = user[sets_.find(term.domain)];
                known = known == kNobody || known == process ? process : kSeveral;
            });
        }
        for (DomainId d = 1; d < user.size(); ++d)
            if (sets_.find(d) == d && user[d] != kSeveral && !is_index[d]) numbered_.push_back(d);
        for (const DomainId d : numbered_) number(d);
    }

    template <class Visit>
    static void visit_term(Term& term, const Visit& visit) {
        visit(term);
        for (Term& operand : term.operands) visit_term(operand, visit);
    }
    template <class Visit>
    static void visit_terms(TermTransition& transition, const Visit& visit) {
        for (Term& guard : transition.guards) visit_term(guard, visit);
        for (TermEffect& effect : transition.effects) {
            if (auto* assign = std::get_if<TermAssign>(&effect)) {
                for (TermAssign::To& to : assign->targets)
                    if (to.index) visit_term(*to.index, visit);
                for (Term& value : assign->values) visit_term(value, visit);
            } else if (auto* shift = std::get_if<TermShift>(&effect)) {
                visit_term(shift->first, visit);
            } else {
                visit_term(std::get<TermRequire>(effect).condition, visit);
            }
        }
    }

    // Numbers the sets, and collects their members.
    void resolve() {
        std::vector<DomainId> number_of(sets_.size(), kNumbers);
        std::size_t count = 1;
        for (DomainId d = 1; d < sets_.size(); ++d)
            if (sets_.find(d) == d) number_of[d] = count++;
        const auto resolved = [&](DomainId d) { return number_of[sets_.find(d)]; };
        for (DomainId& d : domains_.of_variable) d = resolved(d);
        for (DomainId& d : domains_.of_index) d = resolved(d);
        domains_.members.resize(count);
        for (model::SlotId s = 0; s < model_.slot_count(); ++s)
            domains_.members[domains_.of_slot(s)].push_back(model_.initial[s]);
        for (std::size_t v = 0; v < model_.variables.size(); ++v)
            for (std::uint32_t i = 0; domains_.is_indexed[v] && i < model_.variables[v].slot_count(); ++i)
                domains_.members[domains_.of_index[v]].push_back(i);
        for (const DomainId d : zeros_) domains_.members[resolved(d)].push_back(0);
        if (model_.atomic)
            for (std::size_t p = 0; p <= model_.processes.size(); ++p)
                domains_.members[domains_.of_variable[*model_.atomic]].push_back(static_cast<Value>(p));
        for (TermTransition& transition : domains_.transitions)
            visit_terms(transition, [&](Term& term) {
                term.domain = resolved(term.domain);
                if (term.is_constant()) domains_.members[term.domain].push_back(term.value);
            });
        domains_.members[kNumbers].clear();
        for (std::vector<Value>& members : domains_.members) {
            std::sort(members.begin(), members.end());
            members.erase(std::unique(members.begin(), members.end()), members.end());
        }
    }
    void set_domains(Term& term) const {
        const DomainId root = sets_.find(term.domain);
        term.domain = root < known_ ? root : kNumbers;
        for (Term& operand : term.operands) set_domains(operand);
    }

    const model::Model& model_;
    ValueDomains domains_;
    Merging sets_;
    std::size_t known_ = 0;
    std::vector<DomainId> zeros_;
    std::vector<DomainId> numbered_;
};

}  // namespace

std::optional<std::size_t> ValueDomains::member(DomainId domain, Value value) const {
    const std::vector<Value>& all = members[domain];
    const auto found = std::lower_bound(all.begin(), all.end(), value);
    if (found == all.end() || *found != value) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
}

ValueDomains infer_domains(const model::Model& model) { return Inference(model).run(); }

std::optional<FurtherTerm> term_in(const model::Model& model, const ValueDomains& domains,
                                   const model::Expression& expression) {
    return Inference(model, domains).further(expression);
}

}  // namespace tideline::reduce
