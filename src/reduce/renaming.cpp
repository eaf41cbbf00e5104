#include "reduce/renaming.hpp"

#include <numeric>

namespace tideline::reduce {

Renaming identity(const model::Model& model, const ValueDomains& domains) {
    Renaming result;
    result.slots.resize(model.slot_count());
    std::iota(result.slots.begin(), result.slots.end(), model::SlotId{0});
    result.processes.resize(model.processes.size());
    std::iota(result.processes.begin(), result.processes.end(), model::ProcessId{0});
    result.domains.resize(domains.members.size());
    std::iota(result.domains.begin(), result.domains.end(), DomainId{0});
    result.values = domains.members;
    return result;
}

Renaming composed(const ValueDomains& domains, const Renaming& first, const Renaming& second) {
    Renaming result = first;
    for (model::SlotId& slot : result.slots) slot = second.slots[slot];
    for (model::ProcessId& process : result.processes) process = second.processes[process];
    for (DomainId d = 0; d < result.domains.size(); ++d) {
        for (model::Value& value : result.values[d]) value = second.value(domains, first.domains[d], value);
        result.domains[d] = second.domains[first.domains[d]];
    }
    return result;
}

Renaming inverse(const ValueDomains& domains, const Renaming& renaming) {
    Renaming result = renaming;
    for (model::SlotId s = 0; s < renaming.slots.size(); ++s) result.slots[renaming.slots[s]] = s;
    for (model::ProcessId p = 0; p < renaming.processes.size(); ++p) result.processes[renaming.processes[p]] = p;
    for (DomainId d = 0; d < renaming.domains.size(); ++d) {
        const DomainId to = renaming.domains[d];
        result.domains[to] = d;
        for (std::size_t i = 0; i < renaming.values[d].size(); ++i)
            result.values[to][domains.member(to, renaming.values[d][i]).value()] = domains.members[d][i];
    }
    return result;
}

void apply(const ValueDomains& domains, const Renaming& renaming, const model::Value* from, model::Value* to) {
    for (model::SlotId s = 0; s < renaming.slots.size(); ++s)
        to[renaming.slots[s]] = renaming.value(domains, domains.of_slot(s), from[s]);
}

namespace {

template <class Name>
std::string cycles(std::size_t count, const auto& image, const Name& name) {
    constexpr std::size_t kShown = 6;
    std::string text;
    std::vector<bool> seen(count, false);
    std::size_t shown = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (seen[i] || image(i) == i) continue;
        if (shown++ == kShown) return text + ", ...";
        text += (text.empty() ? "" : ", ") + name(i);
        std::size_t at = i;
        do {
            seen[at] = true;
            at = image(at);
            text += " -> " + name(at);
        } while (at != i);
    }
    return text;
}

}  // namespace

std::string to_text(const model::Model& model, const Renaming& renaming) {
    const std::string moved = cycles(
        renaming.processes.size(), [&](std::size_t p) { return std::size_t{renaming.processes[p]}; },
        [&](std::size_t p) { return model.processes[p].name; });
    if (!moved.empty()) return moved;
    const std::vector<model::Model::SlotOwner> owners = model.slot_owners();
    return cycles(
        renaming.slots.size(), [&](std::size_t s) { return std::size_t{renaming.slots[s]}; },
        [&](std::size_t s) { return model.slot_name(owners[s]); });
}

}  // namespace tideline::reduce
