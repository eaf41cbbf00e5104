#include "support/control_groups.hpp"

#include <fstream>
#include <string>

#include <fmt/format.h>

namespace tideline::support {
namespace {

namespace fs = std::filesystem;

void for_each_above(const fs::path& top, const std::string& group, GroupVersion version,
                    const std::function<void(const fs::path&, GroupVersion)>& visit) {
    fs::path folder = top;
    visit(folder, version);
    for (const fs::path& part : fs::path(group).relative_path()) {
        if (part == "..") break;
        folder /= part;
        visit(folder, version);
    }
}

}  // namespace

// Lines of proc/self/cgroup are number:controllers:path; version 2 has the number 0 and no controllers.
void for_each_control_group(const fs::path& root, std::string_view controller,
                            const std::function<void(const fs::path&, GroupVersion)>& visit) {
    const fs::path groups = root / "sys/fs/cgroup";
    std::ifstream in(root / "proc/self/cgroup");
    std::string line;
    while (std::getline(in, line)) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
        const std::string group = line.substr(second + 1);
        if (controllers == ",,") {
            for_each_above(groups, group, GroupVersion::two, visit);
            for_each_above(groups / "unified", group, GroupVersion::two, visit);
        } else if (controllers.find(fmt::format(",{},", controller)) != std::string::npos) {
            // Controllers that are mounted together have one folder, of all their names.
            for_each_above(groups / controller, group, GroupVersion::one, visit);
            for_each_above(groups / controllers.substr(1, controllers.size() - 2), group, GroupVersion::one, visit);
        }
    }
}

}  // namespace tideline::support
