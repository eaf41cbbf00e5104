// Between a search and its edge sinks (edge_sink.hpp): makes an EdgeBatch of what a thread has expanded, without
// copying where no step is faulty. Without a sink that needs anything, listens() is false, and the search does nothing
// here but ask that, once per batch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "explore/edge_sink.hpp"
#include "explore/production.hpp"
#include "successor/system.hpp"

namespace tideline::explore {

class EdgeStream {
public:
    explicit EdgeStream(unsigned threads) : threads_(threads) {}

    // Before begin(). Null is nobody.
    void add(EdgeSink* sink) {
        if (sink == nullptr) return;
        sinks_.push_back(sink);
        need_ = std::max(need_, sink->need());
    }

    [[nodiscard]] bool listens() const { return need_ != EdgeNeed::nothing; }
    [[nodiscard]] EdgeNeed need() const { return need_; }
    [[nodiscard]] bool wants_edges() const { return need_ == EdgeNeed::edges; }

    void begin(const EdgeStreamInfo& info);
    // What a thread has expanded; every successor has its number where edges are wanted. `layer_key`: of the sources,
    // where steps to smaller keys are regress edges. Any thread, for itself.
    void deliver(unsigned thread, const Production& production, successor::Expander& expander,
                 std::optional<successor::Key> layer_key);
    // The rest comes from one thread, between rounds.
    void end_round() {
        if (!listens()) return;
        for (EdgeSink* sink : sinks_) sink->end_round();
    }
    // False: one of them has seen enough.
    [[nodiscard]] bool end_layer(const LayerEnd& layer) {
        bool continues = true;
        for (EdgeSink* sink : sinks_) continues = sink->end_layer(layer) && continues;
        return continues;
    }
    // Where it has begun.
    void finish(support::StopReason reason) {
        if (!std::exchange(has_begun_, false)) return;
        for (EdgeSink* sink : sinks_) sink->finish(reason);
    }

private:
    // What has to be made for a batch.
    struct Scratch {
        std::vector<StateNumber> sources;
        std::vector<std::uint64_t> labels;
        std::vector<model::FaultKind> label_faults;
        std::vector<EdgeBatch::FaultyLabel> faulty_labels;
        std::vector<std::uint64_t> regress;
        // Where steps are faulty, what is left of the batch without them.
        std::vector<std::uint32_t> ends;
        std::vector<StateNumber> targets;
        std::vector<model::TransitionId> transitions;
        std::vector<model::Marks> marks;
        std::vector<EdgeBatch::FaultyStep> faulty;
    };

    void evaluate_labels(Scratch& scratch, const Production& production, std::size_t rows,
                         successor::Expander& expander) const;
    static void leave_out_faults(Scratch& scratch, const Production& production);
    static void find_regress_edges(Scratch& scratch, const successor::SuccessorBatch& batch, successor::Key layer_key);

    std::vector<EdgeSink*> sinks_;
    EdgeNeed need_ = EdgeNeed::nothing;
    std::size_t label_words_ = 0;
    bool has_begun_ = false;
    std::vector<Scratch> threads_;
};

}  // namespace tideline::explore
