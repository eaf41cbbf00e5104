// Writes open states of an exact sweep to the ledger, as batches: for a checkpoint, after which they are still in
// memory, or to free memory.
//
// Layers are spilled from the largest key on: these are needed last. Small layers share a mixed batch
// (open_columns.hpp), which is read as a whole when the sweep line comes to the first of them. What the manifest has of
// a batch would otherwise take more memory than the states did.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "explore/checkpoint_estimate.hpp"
#include "explore/open_columns.hpp"
#include "explore/open_layers.hpp"
#include "explore/saved_batches.hpp"
#include "explore/sweep_decisions.hpp"
#include "explore/sweep_figures.hpp"

namespace tideline::explore {

// Which layers of a queue are spilled.
struct SpillSelection {
    std::size_t kept_layers = 0;              // the first ones stay
    std::uint64_t least = 0;                  // open states of a layer, at least
    std::uint64_t below = ~std::uint64_t{0};  // and fewer than this
    std::uint64_t bytes = ~std::uint64_t{0};  // no more layers when this much memory is free
};

class BatchWriter {
public:
    BatchWriter(ledger::LedgerWriter& writer, SweepFigures& figures, CheckpointEstimate& estimate)
        : writer_(&writer), figures_(&figures), estimate_(&estimate) {}

    // Writes those open states of a layer that are not in a batch yet.
    void save(SweepLayer& layer, successor::Key key, std::uint32_t pass, std::vector<SavedBatch>& batches) {
        std::uint64_t position = std::max(layer.saved_end, layer.open.begin());
        if (position == layer.open.end()) return;
        constexpr std::size_t kAtATime = 4096;  // memory may be short
        const std::size_t state_bytes = layer.table.state_bytes();
        OpenColumns columns;
        const auto write = [&] {
            if (!columns.empty()) batches.push_back({append(columns, key, pass, state_bytes), true});
        };
        layer.open.for_each_from(position, [&](const store::RecordLog::Record& record) {
            columns.push(record, state_bytes);
            if (layer.numbers) columns.numbers.push_back(layer.temporary_at(position++));
            if (columns.size() == kAtATime) write();
        });
        write();
        layer.saved_end = layer.open.end();
    }
    // The same for all layers of a queue.
    void save(OpenLayers& layers, std::uint32_t pass, SavedBatches& saved) {
        std::vector<SavedBatch> batches;
        layers.for_each([&](successor::Key key, SweepLayer& layer) {
            if (!layer.has_unsaved()) return;
            save(layer, key, pass, batches);
            if (!batches.empty()) saved.add(key, batches);
            batches.clear();
        });
    }

    // Moves layers of a queue to the ledger; about how much memory they took.
    std::uint64_t spill(OpenLayers& layers, std::uint32_t pass, SavedBatches& saved, const SpillSelection& selection) {
        std::uint64_t freed = 0;
        MixedBatch mixed;
        layers.remove_from_last(selection.kept_layers, [&](successor::Key key, SweepLayer& layer) {
            if (freed >= selection.bytes) return OpenLayers::Removal::stop;
            const std::uint64_t count = layer.open.size();
            if (count < selection.least || count >= selection.below) return OpenLayers::Removal::keep;
            if (goes_into_mixed_batch(count, layer.numbers != nullptr)) spill_together(layer, key, pass, mixed, saved);
            else spill_alone(layer, key, pass, saved);
            freed += bytes_of_open_states(count, layer.table.state_bytes()) + 1;
            return OpenLayers::Removal::remove;
        });
        write_mixed(mixed, pass, saved);
        return freed;
    }

private:
    // The mixed batch that is being filled.
    struct MixedBatch {
        OpenColumns columns;
        successor::Key least = 0;
        std::size_t state_bytes = 0;
    };

    std::uint64_t append(OpenColumns& columns, successor::Key key, std::uint32_t pass, std::size_t state_bytes) {
        estimate_->note_given(columns.size() * (state_bytes + CheckpointEstimate::kBytesOfStep));
        const std::uint64_t id = writer_->append_waiting(key, pass, columns.columns());
        columns.clear();
        return id;
    }

    void spill_alone(SweepLayer& layer, successor::Key key, std::uint32_t pass, SavedBatches& saved) {
        figures_->add_spilled(layer.open.end() - std::max(layer.saved_end, layer.open.begin()));
        std::vector<SavedBatch> batches;
        save(layer, key, pass, batches);
        if (!batches.empty()) saved.add(key, batches);
        saved.mark_spilled(key);
    }

    void spill_together(SweepLayer& layer, successor::Key key, std::uint32_t pass, MixedBatch& mixed,
                        SavedBatches& saved) {
        assert((mixed.columns.empty() || key < mixed.least) && "layers come from the largest key on");
        const std::uint64_t count = layer.open.size();
        figures_->add_spilled(count);
        mixed.least = key;
        mixed.state_bytes = layer.table.state_bytes();
        mixed.columns.push_key(key, count, mixed.state_bytes);
        layer.open.for_each_from(
            0, [&](const store::RecordLog::Record& record) { mixed.columns.push(record, mixed.state_bytes); });
        if (mixed.columns.size() >= kMixedBatchStates) write_mixed(mixed, pass, saved);
    }
    void write_mixed(MixedBatch& mixed, std::uint32_t pass, SavedBatches& saved) {
        if (mixed.columns.empty()) return;
        figures_->add_key_records(mixed.columns.key_records);
        saved.add_mixed(mixed.least, append(mixed.columns, mixed.least, pass | kMixedBatch, mixed.state_bytes));
    }

    ledger::LedgerWriter* writer_;
    SweepFigures* figures_;
    CheckpointEstimate* estimate_;
};

}  // namespace tideline::explore
