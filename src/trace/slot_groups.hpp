// Groups of slots that are shown together: the elements of an array.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tideline::trace {

struct SlotGroup {
    std::string name;  // of the scalar or the array
    std::size_t first = 0;
    std::size_t count = 1;
    bool array = false;
};

// Neighbours a[0], a[1], ... a[n - 1] become one array a, and c[0].1, c[1].1, ... an array c.1, where these are all the
// slots of that shape and no other slot or array has that name; every other slot is a scalar under its own name. In the
// order of the slots.
std::vector<SlotGroup> slot_groups(const std::vector<std::string>& names);

}  // namespace tideline::trace
