// Measures rated on states that a search has visited: a better sample than a pilot, which sees the first states only,
// but one without edges. What it shows is how the states lie in layers. A layer and its visited states are in memory
// together, so the share of the largest one is a lower bound of what a sweep keeps there.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.hpp"
#include "progress/find_measure.hpp"

namespace tideline::progress {

// States by the values of their slots.
class VisitedSample {
public:
    // Of a model with this number of slots; states may have more, which are left out.
    explicit VisitedSample(model::SlotId slots) : columns_(slots) {}

    void add(const std::vector<model::Value>& values) {
        for (std::size_t slot = 0; slot < columns_.size(); ++slot) columns_[slot].push_back(values[slot]);
        ++states_;
    }
    [[nodiscard]] std::uint32_t states() const { return states_; }
    // As a pilot without edges.
    [[nodiscard]] Pilot pilot() const;

private:
    std::vector<std::vector<model::Value>> columns_;
    std::uint32_t states_ = 0;
};

// Of the states of a sample, the share that the largest layer of a measure has; nothing where the measure cannot be
// evaluated in one of them.
[[nodiscard]] std::optional<double> largest_layer(const Pilot& sample, const model::Model& model,
                                                  const RatedMeasure& measure);

// Puts those measures first whose states, visited and predicted, take least memory. Measures that cannot be evaluated
// are removed. Predicted shares become at least that of the largest layer.
void rate_again(std::vector<RatedMeasure>& measures, const VisitedSample& sample, const model::Model& model);

}  // namespace tideline::progress
