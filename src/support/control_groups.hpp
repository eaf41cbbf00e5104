// The control groups that the process belongs to, of version 1 and 2.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace tideline::support {

enum class GroupVersion : std::uint8_t { one, two };

// Calls visit(folder, version) for the process's group and for all groups above it, of version 2 and of a controller of
// version 1. In a container the path may be that of the host, of which only the top is mounted: folders that are not
// there are visited, too. `root` is where proc and sys are found.
void for_each_control_group(
    const std::filesystem::path& root, std::string_view controller,
    const std::function<void(const std::filesystem::path& folder, GroupVersion version)>& visit);

}  // namespace tideline::support
