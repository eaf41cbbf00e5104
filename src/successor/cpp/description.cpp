#include "successor/cpp/description.hpp"

#include <limits>

namespace tideline::successor {

std::shared_ptr<const model::Model> Description::names_as_model(const Description& first) {
    auto model = std::make_shared<model::Model>();
    model->format = "c++";
    for (const Entry& entry : first.entries_) {
        if (entry.begin == entry.end) continue;
        model::Variable variable;
        variable.name = entry.name;
        variable.range = {std::numeric_limits<model::Value>::min(), std::numeric_limits<model::Value>::max()};
        if (entry.array) variable.length = static_cast<std::uint32_t>(entry.end - entry.begin);
        const auto at = [&](std::size_t i) { return first.slots_.begin() + static_cast<std::ptrdiff_t>(i); };
        model->add_variable(std::move(variable), std::vector<model::Value>(at(entry.begin), at(entry.end)));
    }
    return model;
}

}  // namespace tideline::successor
