// The rows that one thread has delivered of the level that is being expanded, as they came: targets by unique numbers.
// They wait here until the level ends and its states can be numbered (graph_builder.hpp).
//
// An edge is one word, 40 bits of which are the target and 24 the transition. What few systems have lies beside it, and
// only where it occurs: the upper bits of transitions from 2^24 on, and marks. Memory is kept from level to level,
// since the next one is about as large; giving it back and getting it again cost a sixth of the time that a graph
// takes.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "explore/edge_sink.hpp"
#include "graph/growing_array.hpp"
#include "graph/memory_graph.hpp"

namespace tideline::graph {

class LevelRows {
public:
    struct Edge {
        StateNumber target;
        model::TransitionId transition;
        model::Marks marks;
    };

    // Of each label set of the system, `label_words` words, the first `label_bytes` bytes are kept; faulty labels of
    // the first `labels` ones.
    void append(const explore::EdgeBatch& batch, std::size_t label_words, std::size_t label_bytes, std::size_t labels) {
        const std::uint64_t before = edges_.size();
        append_edges(batch);
        for (std::size_t i = batch.continued ? 1 : 0; i < batch.sources.size(); ++i) {
            sources_.push(batch.sources[i], nullptr);
            const auto* const bits = reinterpret_cast<const std::uint8_t*>(batch.labels.data() + i * label_words);
            if (label_bytes > 0) labels_.insert(labels_.end(), bits, bits + label_bytes);
        }
        for (const std::uint32_t end : batch.ends) ends_.push(before + end, nullptr);
        for (const explore::EdgeBatch::FaultyStep& step : batch.faulty)
            faulty.push_back({batch.sources[step.source], step.transition, step.fault});
        for (const explore::EdgeBatch::FaultyLabel& label : batch.faulty_labels)
            if (label.label < labels && !(batch.continued && label.source == 0))
                faulty_labels.push_back({batch.sources[label.source], label.label, label.fault});
    }

    // Rows that were begun. All of them are complete where is_whole().
    [[nodiscard]] std::size_t size() const { return sources_.size(); }
    [[nodiscard]] bool is_whole() const { return ends_.size() == sources_.size(); }
    [[nodiscard]] StateNumber source(std::size_t row) const { return sources_[row]; }
    [[nodiscard]] std::uint64_t begin(std::size_t row) const { return row == 0 ? 0 : ends_[row - 1]; }
    [[nodiscard]] std::uint64_t end(std::size_t row) const { return ends_[row]; }
    [[nodiscard]] std::uint64_t edge_count() const { return edges_.size(); }

    [[nodiscard]] StateNumber target(std::uint64_t edge) const { return edges_[edge] & kTargetMask; }
    void set_target(std::uint64_t edge, StateNumber target) { edges_[edge] = (edges_[edge] & ~kTargetMask) | target; }
    [[nodiscard]] Edge edge(std::uint64_t edge) const {
        const std::uint64_t word = edges_[edge];
        auto transition = static_cast<model::TransitionId>(word >> explore::kStateNumberBits);
        if (!upper_bits_.empty()) transition |= static_cast<model::TransitionId>(upper_bits_[edge]) << kTransitionBits;
        return {word & kTargetMask, transition, marks_.empty() ? 0 : marks_[edge]};
    }
    [[nodiscard]] std::span<const std::uint8_t> labels(std::size_t row, std::size_t label_bytes) const {
        return std::span(labels_).subspan(row * label_bytes, label_bytes);
    }
    [[gnu::always_inline]] void prefetch(std::uint64_t edge) const { support::prefetch_line(edges_.data() + edge); }

    void clear() {
        // A level much smaller than an earlier one: what that needed goes back.
        constexpr std::uint64_t kKept = std::uint64_t{1} << 16U;
        most_edges_ = std::max(most_edges_, edges_.size());
        if (most_edges_ > kKept && most_edges_ / 4 > edges_.size()) {
            *this = {};
            return;
        }
        sources_.truncate(0);
        ends_.truncate(0);
        edges_.truncate(0);
        upper_bits_.clear();
        marks_.clear();
        labels_.clear();
        faulty.clear();
        faulty_labels.clear();
    }

    // By unique numbers.
    std::vector<MemoryGraph::FaultyStep> faulty;
    std::vector<MemoryGraph::FaultyLabel> faulty_labels;

private:
    static constexpr unsigned kTransitionBits = 64 - explore::kStateNumberBits;
    static constexpr std::uint64_t kTargetMask = (std::uint64_t{1} << explore::kStateNumberBits) - 1;
    static_assert(sizeof(model::TransitionId) * 8 - kTransitionBits <= 8, "the upper bits are a byte");

    void append_edges(const explore::EdgeBatch& batch) {
        const std::uint64_t before = edges_.size();
        const std::size_t count = batch.targets.size();
        edges_.resize(before + count, nullptr);
        std::uint64_t* const to = edges_.data() + before;
        model::TransitionId all_transitions = 0;
        model::Marks all_marks = 0;
        for (std::size_t i = 0; i < count; ++i) {
            assert(batch.targets[i] <= kTargetMask);
            to[i] = batch.targets[i] | std::uint64_t{batch.transitions[i]} << explore::kStateNumberBits;
            all_transitions |= batch.transitions[i];
            all_marks |= batch.marks[i];
        }
        if (!upper_bits_.empty() || all_transitions >> kTransitionBits != 0) {
            upper_bits_.resize(before);
            for (const model::TransitionId transition : batch.transitions)
                upper_bits_.push_back(static_cast<std::uint8_t>(transition >> kTransitionBits));
        }
        if (!marks_.empty() || all_marks != 0) {
            marks_.resize(before);
            marks_.insert(marks_.end(), batch.marks.begin(), batch.marks.end());
        }
    }

    GrowingArray<StateNumber> sources_;
    GrowingArray<std::uint64_t> ends_;  // of the rows that are complete
    GrowingArray<std::uint64_t> edges_;
    std::vector<std::uint8_t> upper_bits_;  // of the transitions; empty: all 0
    std::vector<model::Marks> marks_;       // empty: none
    std::vector<std::uint8_t> labels_;
    std::uint64_t most_edges_ = 0;  // of a level, since memory was given back
};

}  // namespace tideline::graph
