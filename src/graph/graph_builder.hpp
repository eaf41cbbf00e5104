// Makes a MemoryGraph from the edge stream of a breadth-first search (explore/edge_sink.hpp).
//
// With one thread, states have the numbers of their discovery and rows come in order: they are encoded as they come.
// With several threads, numbers are only unique. The rows of a level are kept until it ends; then they are walked in
// the order of their sources' final numbers, and targets that have none yet get the next ones. That is the order of
// discovery of one thread, by induction over the levels: a state of the next level is numbered when its first source in
// that order is reached, at the first edge to it. So the graph is the same for every number of threads, and so is
// everything that is computed on it. It costs one array of 5 bytes per state while the search runs, 8 bytes per edge
// of the largest level, and one lookup per edge.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "explore/edge_sink.hpp"
#include "graph/level_rows.hpp"
#include "graph/memory_graph.hpp"

namespace tideline::graph {

class GraphBuilder : public explore::EdgeSink, private explore::KeptRows {
public:
    // The labels of the system whose bits are kept, 0 to `labels` - 1.
    explicit GraphBuilder(std::size_t labels = 0) {
        graph_.labels_kept_ = labels;
        graph_.label_bytes_ = (labels + 7) / 8;
    }

    // The graph so far: between layers, and after finish().
    [[nodiscard]] const MemoryGraph& graph() const { return graph_; }
    [[nodiscard]] MemoryGraph take() { return std::move(graph_); }

    [[nodiscard]] explore::EdgeNeed need() const override { return explore::EdgeNeed::edges; }
    // Ids are final numbers. Labels are not handed over.
    [[nodiscard]] explore::KeptRows* kept_rows() override { return graph_.labels_kept_ == 0 ? this : nullptr; }
    void begin(const explore::EdgeStreamInfo& info) override;
    void batch(unsigned thread, const explore::EdgeBatch& batch) override;
    bool end_layer(const explore::LayerEnd& layer) override;
    void finish(support::StopReason reason) override;

protected:
    // Called when a level is part of the graph: whether the search continues.
    virtual bool level_added() { return true; }

private:
    // Of one thread and discovery numbering: the beginning of a row whose end has not come yet.
    struct OpenRow {
        std::vector<StateNumber> targets;
        std::vector<model::TransitionId> transitions;
        std::vector<model::Marks> marks;
        void clear();
    };

    // The array from unique to final numbers: 5 bytes per entry, the number + 1.
    class FinalNumbers {
    public:
        void resize(std::uint64_t size, const store::MemoryBudget* try_reserve) {
            const std::uint64_t before = bytes_.size();
            bytes_.resize(size * kBytes, try_reserve);
            // Memory that is read before it is written costs another page fault, and an interrupt of all processors.
            if (size * kBytes > before) std::memset(bytes_.data() + before, 0, size * kBytes - before);
        }
        [[nodiscard]] StateNumber get(StateNumber unique) const {
            std::uint64_t value = 0;
            std::memcpy(&value, bytes_.data() + unique * kBytes, sizeof value);
            return value & ((std::uint64_t{1} << (8 * kBytes)) - 1);
        }
        void set(StateNumber unique, StateNumber value) {
            std::memcpy(bytes_.data() + unique * kBytes, &value, kBytes);
        }
        [[gnu::always_inline]] void prefetch(StateNumber unique) const {
            support::prefetch_line(bytes_.data() + unique * kBytes);
        }

    private:
        static constexpr std::size_t kBytes = 5;
        GrowingArray<std::uint8_t> bytes_;
    };

    void close(StateNumber number_bound) override;
    [[nodiscard]] StateNumber id(StateNumber number) const override;
    void append_row(StateNumber id, explore::KeptRows::Columns& to) const override;

    // Where a row of a level is, by the final number of its source.
    struct RowPosition {
        std::uint64_t begin = 0;  // its first edge
        std::uint32_t degree = 0;
        std::uint32_t thread = 0;
        std::uint64_t row = 0;  // of the thread
    };

    static constexpr std::uint64_t kWorthAThread = std::uint64_t{1} << 15U;  // edges of a level
    static constexpr std::uint64_t kRowsAtATime = 1024;                      // that one thread hands to the other

    void append_in_order(const explore::EdgeBatch& batch);
    void append_labels(std::span<const std::uint64_t> words);
    void add_level();
    // Of the sources from `first` on; how many there are.
    std::uint64_t place_rows(StateNumber first, std::uint64_t count);
    void add_faulty();
    // Rows [0, positions_.size()) in steps; `numbered` says how many have final numbers.
    void number_targets(std::atomic<std::uint32_t>& numbered);
    void encode_rows(std::atomic<std::uint32_t>& numbered);
    void encode_row(const RowPosition& position);
    void reserve_final_numbers(StateNumber number_bound);

    MemoryGraph graph_;
    const store::MemoryBudget* try_reserve_ = nullptr;
    explore::Numbering numbering_ = explore::Numbering::discovery;
    std::size_t label_words_ = 0;
    OpenRow open_;
    std::vector<LevelRows> threads_;
    FinalNumbers final_numbers_;
    std::uint64_t final_size_ = 0;  // its entries
    StateNumber level_begin_ = 0;   // the first state of the level that is being expanded

    std::vector<RowPosition> positions_;  // of the rows of a level, by final number
    OpenRow row_;                         // one row, with final numbers
};

}  // namespace tideline::graph
