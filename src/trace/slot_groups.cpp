#include "trace/slot_groups.hpp"

#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace tideline::trace {
namespace {

// A name of the shape base[index]suffix.
struct Element {
    std::string array;  // base and suffix, with a separator that no name contains
    std::string name;   // of the array, for people
    std::string index;
};

std::optional<Element> element_of(const std::string& name) {
    const std::size_t open = name.rfind('[');
    if (open == std::string::npos || open == 0) return std::nullopt;
    const std::size_t close = name.find(']', open);
    if (close == std::string::npos) return std::nullopt;
    const std::string base = name.substr(0, open);
    const std::string suffix = name.substr(close + 1);
    return Element{base + "[]" + suffix, base + suffix, name.substr(open + 1, close - open - 1)};
}

// The slots by array, with whether they are complete: consecutive, numbered from 0.
struct Candidate {
    std::string name;
    std::size_t first = 0;
    std::size_t count = 0;
    bool complete = true;
};

}  // namespace

std::vector<std::vector<std::string>> messages(const successor::ChannelSlots& channel,
                                               const std::vector<model::Value>& values,
                                               const std::function<std::string(std::size_t slot)>& text) {
    std::vector<std::vector<std::string>> result(static_cast<std::size_t>(values.at(channel.length)));
    for (std::size_t i = 0; i < result.size(); ++i)
        for (const model::SlotId field : channel.contents) result[i].push_back(text(field + i));
    return result;
}

std::vector<SlotGroup> slot_groups(const std::vector<std::string>& names,
                                   const std::vector<successor::ChannelSlots>& channels) {
    std::map<std::string, Candidate> candidates;
    std::vector<std::string> array_of(names.size());
    for (std::size_t slot = 0; slot < names.size(); ++slot) {
        const std::optional<Element> element = element_of(names[slot]);
        if (!element) continue;
        array_of[slot] = element->array;
        Candidate& candidate =
            candidates.try_emplace(element->array, Candidate{element->name, slot, 0, true}).first->second;
        if (slot != candidate.first + candidate.count || element->index != std::to_string(candidate.count))
            candidate.complete = false;
        ++candidate.count;
    }
    std::unordered_map<std::string, std::size_t> uses;
    for (const std::string& name : names) ++uses[name];
    for (const auto& [array, candidate] : candidates) ++uses[candidate.name];

    std::vector<SlotGroup> groups;
    auto channel = channels.begin();
    for (std::size_t slot = 0; slot < names.size();) {
        if (channel != channels.end() && channel->length == slot) {
            groups.push_back({channel->name, slot, channel->slot_count(), false, *channel});
            slot += channel->slot_count();
            ++channel;
            continue;
        }
        if (!array_of[slot].empty()) {
            const Candidate& candidate = candidates.at(array_of[slot]);
            if (candidate.complete && uses.at(candidate.name) == 1) {
                groups.push_back({candidate.name, slot, candidate.count, true, {}});
                slot += candidate.count;
                continue;
            }
        }
        groups.push_back({names[slot], slot, 1, false, {}});
        ++slot;
    }
    return groups;
}

}  // namespace tideline::trace
