// The figures of an exact sweep: passes, peaks, states read again and spilled. A resumed search counts on from those of
// the checkpoint.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/ledger_run.hpp"
#include "explore/statistics.hpp"

namespace tideline::explore {

class SweepFigures {
public:
    SweepFigures() = default;
    // Those of a checkpoint.
    explicit SweepFigures(const SavedSearch& saved)
        : passes_(saved.passes),
          peak_(saved.statistics.peak_states),
          widest_(saved.statistics.widest_layer),
          reread_(saved.statistics.reread),
          spilled_(saved.statistics.spilled),
          depth_(saved.statistics.depth),
          key_records_(saved.key_records),
          regress_edges_before_(saved.statistics.regress_edges) {}

    // States in memory: of the current layer, and open ones of others.
    void note_states(std::uint64_t current, std::uint64_t queued) {
        widest_ = std::max(widest_, current);
        peak_ = std::max(peak_, current + queued);
        passes_.back().peak_states = std::max(passes_.back().peak_states, current + queued);
    }
    void begin_pass() { passes_.emplace_back(); }
    // `expanded`: states that all passes have expanded. May be called again when more have been.
    void end_pass(std::uint64_t expanded) {
        for (std::size_t i = 0; i + 1 < passes_.size(); ++i) expanded -= passes_[i].expanded;
        passes_.back().expanded = expanded;
    }
    // A level of a breadth-first search has states to expand. It may be entered several times.
    void count_level(std::uint32_t pass) {
        if (counted_level_ == pass) return;
        counted_level_ = pass;
        ++depth_;
    }
    // A checkpoint has counted it.
    void set_counted_level(std::uint32_t pass) { counted_level_ = pass; }
    void add_reread(std::uint64_t states) { reread_ += states; }
    void add_spilled(std::uint64_t states) { spilled_ += states; }
    // Mixed batches in the ledger have records of keys beside their states. A ledger of before does not say how many:
    // fewer are known then than are read.
    void add_key_records(std::uint64_t count) { key_records_ += count; }
    void remove_key_records(std::uint64_t count) { key_records_ -= std::min(count, key_records_); }
    [[nodiscard]] std::uint64_t key_records() const { return key_records_; }

    [[nodiscard]] const std::vector<SweepCount>& passes() const { return passes_; }
    [[nodiscard]] std::uint64_t spilled() const { return spilled_; }
    // Of the search that was resumed.
    [[nodiscard]] std::uint64_t regress_edges_before() const { return regress_edges_before_; }

    void write_to(Statistics& statistics) const {
        statistics.peak_states = peak_;
        statistics.widest_layer = widest_;
        statistics.reread = reread_;
        statistics.spilled = spilled_;
        statistics.depth = depth_;
    }

private:
    std::vector<SweepCount> passes_ = std::vector<SweepCount>(1);
    std::uint64_t peak_ = 0;
    std::uint64_t widest_ = 0;
    std::uint64_t reread_ = 0;
    std::uint64_t spilled_ = 0;
    std::uint64_t depth_ = 0;
    std::uint64_t key_records_ = 0;                    // of the mixed batches that are in the ledger
    std::uint64_t counted_level_ = ~std::uint64_t{0};  // the last pass that counts in depth_
    std::uint64_t regress_edges_before_ = 0;
};

}  // namespace tideline::explore
