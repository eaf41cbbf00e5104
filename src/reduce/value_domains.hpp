// Which values of a model may be names of things rather than numbers.
//
// A value that is only compared for equality, copied, and used as an index of arrays carries no order and no
// arithmetic: a consistent exchange of such values, everywhere, is not observed. Values that meet by comparison,
// assignment or as index of one array belong to one domain; whatever meets arithmetic, an order or a truth value is a
// number, and its domain is domain 0, where every value stands for itself. This is how scalarsets (C. N. Ip, D. L.
// Dill: Better verification through symmetry, 1996) are declared by their users; here they are inferred, since no input
// language declares them.
#pragma once

#include <optional>
#include <vector>

#include "model/model.hpp"
#include "reduce/term.hpp"

namespace tideline::reduce {

using DomainId = std::size_t;
inline constexpr DomainId kNumbers = 0;

struct TermAssign {
    struct To {
        model::VariableId variable = 0;
        std::optional<Term> index;
    };
    std::vector<To> targets;
    std::vector<Term> values;
    const model::Assign* source = nullptr;
};
struct TermShift {
    model::VariableId variable = 0;
    Term first;
    std::uint32_t count = 0;
};
struct TermRequire {
    Term condition;
    const model::Require* source = nullptr;
};
using TermEffect = std::variant<TermAssign, TermShift, TermRequire>;

// A transition with its expressions as trees.
struct TermTransition {
    std::vector<Term> guards;
    std::vector<TermEffect> effects;
};

struct ValueDomains {
    std::vector<TermTransition> transitions;         // of the model; the domains of their terms are set
    std::vector<DomainId> of_variable;               // of the values that a variable, or elements of an array, hold
    std::vector<DomainId> of_index;                  // of an array's indices
    std::vector<bool> is_indexed;                    // by variable: an element of it is computed somewhere
    std::vector<std::vector<model::Value>> members;  // by domain, ascending: the values that occur; of numbers none
    std::vector<model::VariableId> variable_of_slot;

    [[nodiscard]] DomainId of_slot(model::SlotId slot) const { return of_variable[variable_of_slot[slot]]; }
    // Position among the members; nothing where it is none.
    [[nodiscard]] std::optional<std::size_t> member(DomainId domain, model::Value value) const;
};

[[nodiscard]] ValueDomains infer_domains(const model::Model& model);
// The tree of a further expression over the model (an atom, a measure), with its domains. Its own value is a number.
struct FurtherTerm {
    Term term;
    std::vector<DomainId> merged;  // domains whose values it treats as numbers, or as those of another domain
};
// Nothing where it indexes arrays in another way than the model.
[[nodiscard]] std::optional<FurtherTerm> term_in(const model::Model& model, const ValueDomains& domains,
                                                 const model::Expression& expression);

}  // namespace tideline::reduce
