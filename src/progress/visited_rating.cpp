#include "progress/visited_rating.hpp"

#include <algorithm>

#include "progress/explanation.hpp"

namespace tideline::progress {

Pilot VisitedSample::pilot() const {
    Pilot pilot;
    pilot.states = states_;
    pilot.slots.resize(columns_.size());
    for (std::size_t slot = 0; slot < columns_.size(); ++slot) {
        if (states_ == 0) continue;
        pilot.slots[slot].assign(states_, columns_[slot].front());
        for (std::uint32_t state = 1; state < states_; ++state) pilot.slots[slot].set(state, columns_[slot][state]);
    }
    pilot.edge_ends.assign(states_, 0);
    return pilot;
}

std::optional<double> largest_layer(const Pilot& sample, const model::Model& model, const RatedMeasure& measure) {
    const std::optional<Ranks> ranks = ranks_of(sample, model, measure.measure, measure.monotonic);
    if (!ranks) return std::nullopt;
    const std::vector<std::uint64_t> sizes = layer_sizes(*ranks);
    const std::uint64_t largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    return static_cast<double>(largest) / std::max(1.0, static_cast<double>(sample.states));
}

void rate_again(std::vector<RatedMeasure>& measures, const VisitedSample& sample, const model::Model& model) {
    const Pilot states = sample.pilot();
    std::erase_if(measures, [&](RatedMeasure& measure) {
        const std::optional<double> share = largest_layer(states, model, measure);
        if (share) measure.predicted_share = std::max(measure.predicted_share, *share);
        return !share;
    });
    if (measures.empty()) return;
    // What the pilot preferred stays first unless another one is clearly better: the pilot has seen steps back, too.
    constexpr double kClearly = 0.8;
    const auto best = std::min_element(
        measures.begin(), measures.end(),
        [](const RatedMeasure& a, const RatedMeasure& b) { return a.predicted_share < b.predicted_share; });
    if (best->predicted_share < kClearly * measures.front().predicted_share)
        std::rotate(measures.begin(), best, best + 1);
}

}  // namespace tideline::progress
