// Accepting cycles of a graph that is swept, while states are deleted: the residual graph of what was expanded so far.
//
// Its nodes are the components found so far and the open states that an edge leads to; every edge between two nodes
// belongs to it, also one between two components of one visit: a cycle may enter a visit in one component and leave it
// from another. A visit's components are looked for when it ends, those that span visits when a pass ends. A component
// becomes one node: the union of its inner marks stays on it, parallel edges are united with their marks, which can
// only become inner edges together. That is right for generalised Büchi acceptance, and for weak fairness as marks; not
// for strong fairness.
//
// Nodes are dropped
//   (a) when nothing open can be reached from them: no new cycle can go through them. A later edge to one is ignored;
//   (b) when nothing open can reach them, that is when the sweep has finished their block, the certified monotonic part
//       of the key.
// Dropped states are forgotten: a number that is not known, of a state that was expanded, was dropped.
//
// An open state has a temporary number until the sweep takes it or finds it on disk (explore/edge_sink.hpp). Its node
// is made at the first edge to it, and united with that of its final number when this is known.
//
// The executable specification of this is kept as a test (residual_graph_test.cpp). Departures: dropping ranks, which
// certificates need, are not kept; the map from states to nodes is in memory, for nodes that were not dropped.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/model.hpp"

namespace tideline::check::ltl {

class ResidualGraph {
public:
    using Number = std::uint64_t;
    static constexpr Number kTemporary = Number{1} << 63U;

    explicit ResidualGraph(model::Marks required) : required_(required) {}

    // The edges of a state that was expanded in this visit; targets have final numbers, or temporary ones with the bit
    // kTemporary. Several calls for one state add edges. No edge leads to a smaller block.
    void add_row(Number source, std::span<const Number> targets, std::span<const model::Marks> marks,
                 std::uint64_t block = 0);
    // A temporary number (with its bit) belongs to this state, which was expanded or is about to be.
    void resolve(Number temporary, Number final_number);
    // All states below `expanded` have been expanded, and their rows added.
    void end_visit(Number expanded);
    void end_pass();
    // No state of these blocks is open, and none will be: all of them are dropped.
    void finish_blocks_below(std::uint64_t block);

    // A state on an accepting cycle.
    [[nodiscard]] std::optional<Number> found() const { return found_; }

    // Live nodes, those of open states included, and their edges.
    [[nodiscard]] std::uint64_t node_count() const { return live_; }
    [[nodiscard]] std::uint64_t edge_count() const { return edges_; }
    [[nodiscard]] std::uint64_t peak_nodes() const { return peak_nodes_; }
    [[nodiscard]] std::uint64_t peak_edges() const { return peak_edges_; }
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] std::uint64_t peak_bytes() const { return peak_bytes_; }
    // Open states that an edge leads to. When a sweep is complete there is none.
    [[nodiscard]] std::uint64_t open_count() const { return temporary_.size(); }

private:
    using Node = std::uint32_t;
    static constexpr Node kNone = ~Node{0};

    struct Edge {
        Node target;
        model::Marks marks;
    };
    enum class Kind : std::uint8_t { open, expanded, dropped };
    struct Entry {
        std::vector<Edge> edges{};  // to other nodes
        model::Marks inner = 0;     // of edges inside
        Number number = 0;          // of one of its states
        std::uint64_t block = 0;    // of all its states
        Node into = kNone;          // the node that it was united with
        Kind kind = Kind::open;
        bool has_inner = false;
    };

    Node add_node();
    [[nodiscard]] Node find(Node node);
    Node node_of(Number target);  // kNone: dropped
    void unite(Node from, Node to);
    // Edges to dropped nodes go, parallel ones are united, inner ones become marks of the node.
    void tidy(Node node);
    // Components among these nodes, which are expanded: report, contract, drop by (a).
    void reduce(std::vector<Node> nodes);
    void drop(Node node);
    void compact();
    void note_peaks();
    void accept_if_complete(const Entry& entry);

    model::Marks required_;
    std::vector<Entry> entries_;
    std::unordered_map<Number, Node> nodes_;      // of expanded states, or states about to be, that were not dropped
    std::unordered_map<Number, Node> temporary_;  // of open states
    std::vector<Node> visit_;                     // nodes with rows of this visit
    std::vector<Node> local_;                     // by node: its position in what is being reduced; kNone
    Number expanded_ = 0;
    std::uint64_t live_ = 0;
    std::uint64_t edges_ = 0;
    std::uint64_t gone_ = 0;  // entries that are dropped or united
    std::uint64_t peak_nodes_ = 0;
    std::uint64_t peak_edges_ = 0;
    std::uint64_t peak_bytes_ = 0;
    std::optional<Number> found_;
};

}  // namespace tideline::check::ltl
