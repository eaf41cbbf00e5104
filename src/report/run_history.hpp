// How a run went: some of its figures at moments that are evenly spread, however long it takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "explore/statistics.hpp"

namespace tideline::report {

class RunHistory {
public:
    struct Sample {
        double seconds = 0;  // since the run began
        std::uint64_t states = 0;
        std::uint64_t waiting = 0;
        std::uint64_t peak_states = 0;
        std::uint64_t ledger_bytes = 0;
        std::uint64_t layers = 0;
    };
    static constexpr std::size_t kMost = 512;

    // In the order of time. When there are kMost, every second one goes, and they are kept half as often from then on.
    void add(double seconds, const explore::Statistics& statistics) {
        if (seconds < next_) return;
        samples_.push_back({seconds, statistics.states, statistics.waiting, statistics.peak_states,
                            statistics.ledger_bytes, statistics.layers});
        if (samples_.size() == kMost) {
            for (std::size_t i = 0; i < kMost / 2; ++i) samples_[i] = samples_[2 * i];
            samples_.resize(kMost / 2);
            pause_ = pause_ > 0 ? 2 * pause_ : 2 * seconds / kMost;
        }
        next_ = seconds + pause_;
    }
    [[nodiscard]] const std::vector<Sample>& samples() const { return samples_; }

private:
    std::vector<Sample> samples_;
    double pause_ = 0;  // between two that are kept
    double next_ = 0;
};

}  // namespace tideline::report
