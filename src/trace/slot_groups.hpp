// Groups of slots that are shown together: the elements of an array, a channel.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "successor/system.hpp"

namespace tideline::trace {

struct SlotGroup {
    std::string name;  // of the scalar or the array
    std::size_t first = 0;
    std::size_t count = 1;
    bool array = false;
    std::optional<successor::ChannelSlots> channel{};
};

// The texts of the messages in a channel, by field.
std::vector<std::vector<std::string>> messages(const successor::ChannelSlots& channel,
                                               const std::vector<model::Value>& values,
                                               const std::function<std::string(std::size_t slot)>& text);

// Neighbours a[0], a[1], ... a[n - 1] become one array a, and c[0].1, c[1].1, ... an array c.1, where these are all the
// slots of that shape and no other slot or array has that name; the slots of a channel become one group; every other
// slot is a scalar under its own name. In the order of the slots.
std::vector<SlotGroup> slot_groups(const std::vector<std::string>& names,
                                   const std::vector<successor::ChannelSlots>& channels = {});

}  // namespace tideline::trace
