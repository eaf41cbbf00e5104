// A progress component that is linear: factors of slots, and weights of the values of slots, locations above all.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace tideline::progress {

// A component as a measure takes it.
struct Component {
    model::Expression expression;
    std::string text;                  // as --progress takes it; there it is slower to compute, and the same
    std::vector<model::Table> tables;  // that the expression reads besides those of the model
};

// Slots with more values than this have no weights.
inline constexpr std::uint64_t kLargestWeightTable = 1 << 20;

struct LinearComponent {
    std::map<model::SlotId, std::vector<model::Value>>
        weights;  // of the values of a slot, from the least it may have to the largest
    std::map<model::SlotId, model::Value> factors;

    [[nodiscard]] bool empty() const { return weights.empty() && factors.empty(); }
    friend bool operator==(const LinearComponent&, const LinearComponent&) = default;
};

// The component's own tables are numbered from `first_table` on.
Component to_component(const model::Model& model, const LinearComponent& linear, model::TableId first_table);

}  // namespace tideline::progress
