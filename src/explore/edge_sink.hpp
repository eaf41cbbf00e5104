// The edge stream: a search hands what it expands to one sink, batch by batch. One virtual call per batch, none per
// edge; what the sink declares to need decides what the search does for it: numbers, sleep sets, labels. A search
// without a sink does nothing of this.
//
// Producers are breadth-first search in memory (not compressed) and walks with a ledger that records edges. Others
// refuse a sink that needs anything (std::invalid_argument).
//
// Contract (P: the producer guarantees, S: the sink guarantees)
//  P1  begin() comes first, once; finish() comes last, once, whatever happened between (also after an exception of the
//      sink or of the search). Where the search ends before its first state, neither comes.
//  P2  Every expanded state is the source of exactly one row. A row may be split over several batches of one thread:
//      `continued` and `open` say so. All rows of a layer have been delivered, and are complete, when end_layer() is
//      called. Rows of the next layer come after it. A layer of a breadth-first search is a level; of a sweep, one
//      visit of a key.
//  P3  Steps with a fault have no target and are not edges. They are listed apart (`faulty`), since a state with a
//      faulty step is no deadlock, and fairness counts a faulty step as enabled.
//  P4  Edges of a row come in the order of Expander::expand(), parallel edges included, none left out: sleep sets are
//      off where the need is `edges`. With need `labels` rows have no edges, and sleep sets may be on.
//  P5  A number names one state during the whole search: repacking with wider fields does not change it. Every target
//      of a row has its number when the row is delivered (with Numbering::recorded: a number or a temporary one).
//  P6  batch() may be called by several threads at a time, each with its own `thread`; all other calls come from one
//      thread while no batch() is under way. What a thread wrote in batch() happens before them (the barrier does
//      that).
//  P7  Spans are valid during the call only.
//  S1  A sink that has no memory throws std::bad_alloc: the search ends with reason `memory`. It asks `try_reserve`
//      before it grows noticeably, as tables do.
//  S2  end_layer() returns whether the search shall continue; false ends it with reason `violation`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/fault.hpp"
#include "model/model.hpp"
#include "store/state_table.hpp"
#include "support/stop_reason.hpp"
#include "support/wide.hpp"

namespace tideline::explore {

using StateNumber = std::uint64_t;  // below 2^40
inline constexpr unsigned kStateNumberBits = 40;
// With this bit a target is a temporary number, which a later record of the ledger's stream `numbers` resolves
// (Numbering::recorded only).
inline constexpr StateNumber kTemporary = StateNumber{1} << 63U;

enum class EdgeNeed : std::uint8_t {
    nothing,  // layers only: no numbering, batch() is never called
    labels,   // sources with their numbers and label bits
    edges,    // and all edges
};

// What numbers are. With several threads a state needs its number when it is inserted, before anyone can know its index
// in an order that does not depend on timing: a sink that wants such an order renumbers when a layer has ended.
enum class Numbering : std::uint8_t {
    discovery,  // 0, 1, 2, ... in the order of a breadth-first search: initial states in the system's order, then by
                // source and position in its row. Rows come in ascending order of their sources. One thread.
    unique,     // any numbers, each below LayerEnd::number_bound once its level was discovered. Nearly dense: the bound
                // exceeds the number of states by at most 2^20. Several threads.
    recorded,   // the numbers of the ledger: sources have final ones, targets final or temporary ones
};

struct EdgeStreamInfo {
    unsigned threads = 1;  // batch() is called with 0 ... threads - 1
    Numbering numbering = Numbering::discovery;
    std::size_t label_words = 0;                       // words of label bits per source; 0: the system has no labels
    std::span<const StateNumber> initial{};            // initial states, in the system's order; empty with `recorded`
    const store::MemoryBudget* try_reserve = nullptr;  // outlives the sink's last call
};

// What one thread has expanded in one batch, as parallel arrays.
struct EdgeBatch {
    struct FaultyStep {
        std::uint32_t source;  // index in `sources`
        model::TransitionId transition;
        model::FaultKind fault;
    };
    // A label that cannot be evaluated in its state: its bit is 0.
    struct FaultyLabel {
        std::uint32_t source;  // place in `sources`
        std::uint32_t label;
        model::FaultKind fault;
    };
    std::span<const StateNumber> sources{};  // of the rows that end here, and of the one that is open behind them
    std::span<const std::uint32_t> ends{};   // of the rows that end here: row i is [ends[i - 1], ends[i]); the rest
                                             // belongs to the open one
    std::span<const StateNumber> targets{};  // of all edges; empty with need `labels`
    std::span<const model::TransitionId> transitions{};  // of all edges
    std::span<const model::Marks> marks{};               // of all edges
    std::span<const std::uint64_t> regress{};      // bit i: edge i leads to a smaller key; empty where no edge does
    std::span<const std::uint64_t> labels{};       // label_words words per source, in the order of `sources`; for a row
                                                   // that is continued the same again
    std::span<const FaultyStep> faulty{};          // rare
    std::span<const FaultyLabel> faulty_labels{};  // rare; like `labels` repeated for a row that is continued
    bool continued = false;                        // the first row began in an earlier batch of this thread
    // The last row continues in its next one.
    [[nodiscard]] bool open() const { return sources.size() > ends.size(); }
};

struct LayerEnd {
    support::UInt128 key = 0;      // of the layer; of a breadth-first search the distance from the initial states
    std::uint64_t states = 0;      // discovered so far
    StateNumber number_bound = 0;  // all numbers given so far are below it
};

// The rows that a sink has kept, for a search that changes over (change_over.hpp): as a ledger takes them. In place of
// its number a state has an id: 0, 1, 2, ... without gaps.
class KeptRows {
public:
    struct Columns {
        std::vector<StateNumber> targets;  // ids
        std::vector<std::uint64_t> transitions;
        std::vector<model::Marks> marks;
    };

    virtual ~KeptRows() = default;
    // Comes first, between rounds: every row that was begun is complete, and none follows. All numbers are below
    // `number_bound`. Throws std::bad_alloc.
    virtual void close(StateNumber number_bound) = 0;
    // Of any state that was discovered.
    [[nodiscard]] virtual StateNumber id(StateNumber number) const = 0;
    // Appends the edges of a state that was expanded.
    virtual void append_row(StateNumber id, Columns& to) const = 0;
};

class EdgeSink {
public:
    virtual ~EdgeSink() = default;
    // Null: it keeps no rows, or not as they came, and the search cannot change over.
    [[nodiscard]] virtual KeptRows* kept_rows() { return nullptr; }
    // Asked before the search is set up, once.
    [[nodiscard]] virtual EdgeNeed need() const = 0;

    virtual void begin(const EdgeStreamInfo& info) = 0;
    virtual void batch(unsigned thread, const EdgeBatch& batch) = 0;
    // After batches of threads, when some time has passed: what is buffered may be written.
    virtual void end_round() {}
    // Whether the search shall continue.
    virtual bool end_layer(const LayerEnd& layer) = 0;
    // `none`: complete. Where the search ended within a layer, rows of that layer may be incomplete or missing.
    virtual void finish(support::StopReason reason) = 0;
};

}  // namespace tideline::explore
