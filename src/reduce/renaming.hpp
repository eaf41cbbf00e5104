// A permutation of what a model is made of: slots, processes, and the values of each domain of names. It acts on
// states: the value of slot s, renamed, becomes the value of slot slots[s].
#pragma once

#include <vector>

#include "reduce/value_domains.hpp"

namespace tideline::reduce {

struct Renaming {
    std::vector<model::SlotId> slots;
    std::vector<model::ProcessId> processes;
    // By domain: the domain that it becomes, and its members, in their order, there. Other values stay.
    std::vector<DomainId> domains;
    std::vector<std::vector<model::Value>> values;

    [[nodiscard]] model::Value value(const ValueDomains& all, DomainId domain, model::Value value) const {
        if (values[domain].empty()) return value;
        const std::optional<std::size_t> at = all.member(domain, value);
        return at ? values[domain][*at] : value;
    }
    friend bool operator==(const Renaming&, const Renaming&) = default;
    friend auto operator<=>(const Renaming&, const Renaming&) = default;
};

[[nodiscard]] Renaming identity(const model::Model& model, const ValueDomains& domains);
// First `first`, then `second`.
[[nodiscard]] Renaming composed(const ValueDomains& domains, const Renaming& first, const Renaming& second);
[[nodiscard]] Renaming inverse(const ValueDomains& domains, const Renaming& renaming);

// A state by slot; `from` and `to` are different.
void apply(const ValueDomains& domains, const Renaming& renaming, const model::Value* from, model::Value* to);

// "P_0 -> P_1 -> P_0" and the like, for people: by processes, by slots where no process moves.
[[nodiscard]] std::string to_text(const model::Model& model, const Renaming& renaming);

}  // namespace tideline::reduce
