// The strongly connected components of a directed graph, without recursion: the one component search of the program.
//
// The algorithm is Tarjan's (Depth-first search and linear graph algorithms, SIAM J. Comput. 1972) in the form of D.
// Pearce (A space-efficient algorithm for finding strongly connected components, Inf. Process. Lett. 2016, after E.
// Nuutila and E. Soisalon-Soininen 1994). One number per node says everything: 0, not visited; small, the node is live
// and this is its index in the order of entering; large, its component is complete. Component numbers are counted down
// from the largest value. The index is reset when a component is complete, so the two never meet. Taking the minimum
// over all successors that were visited is then right without asking whether they are live: a complete one never lowers
// it. A node goes onto the stack of members when it has been left and is not the root of a component; so a component of
// one node, which most are, never touches that stack.
//
// Departures from the paper: the numbers are complemented at the end (so that components count 0, 1, 2, ... and nodes
// that no root reaches have ~0); the lowest index found is kept in the frame, not in the node's number; the numbers of
// all successors of a node are prefetched when it is entered.
//
// Components come in reverse topological order: every edge leads to the same or an earlier component.
//
// Time O(nodes + edges that are visited); the filter is asked once per edge. Memory: one Node per node (the result),
// one Node per live node that has been left, and per node on the current path one frame: 3 Nodes and a cursor (32 bytes
// with arrays of 32-bit nodes). At worst, a path through all nodes, that is 36 bytes per node with 32-bit numbers and
// arrays; the stack of frames grows in blocks, nothing is copied.
//
// Tried: the path-based search (H. Gabow 2000) is as fast (within 8 % either way on graphs of state spaces) and needs
// one stack more. The time is that of the memory: two misses after each other per node that is entered, offset and row.
// Figures in docs/algorithms/components.md.
#pragma once

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/large_pages.hpp"
#include "support/prefetch.hpp"

namespace tideline::support {

// What the search needs to know of a graph. Nodes are 0 ... node_count() - 1. successors() begins an enumeration,
// next() delivers the next edge or returns false. A cursor is small and cheap to copy; several are in use at a time,
// and they may be used alternately.
template <class Graph>
concept SuccessorGraph =
    requires(const Graph& graph, typename Graph::Node node, typename Graph::Cursor cursor, typename Graph::Edge edge) {
        requires std::unsigned_integral<typename Graph::Node>;
        requires std::is_trivially_copyable_v<typename Graph::Cursor>;
        { graph.node_count() } -> std::convertible_to<std::uint64_t>;
        { graph.successors(node) } -> std::same_as<typename Graph::Cursor>;
        { graph.next(cursor, edge) } -> std::same_as<bool>;
        { edge.target } -> std::convertible_to<typename Graph::Node>;
    };

// A graph may say that its cursors cost next to nothing: then the search looks ahead with a second one.
template <class Graph>
concept HasCheapCursors = requires { requires Graph::kCheapCursors; };
// A graph may have room for the search's number of each node, beside its successors (row_array.hpp).
template <class Graph>
concept HasNumbers = requires(const Graph& graph, typename Graph::Node node) {
    { graph.number(node) } -> std::same_as<typename Graph::Node&>;
    graph.forget_numbers();
};
// A graph may prefetch the successors that are asked for next.
template <class Graph>
concept HasPrefetch = requires(const Graph& graph, typename Graph::Node node) { graph.prefetch(node); };

// The edges of node v are targets[offsets[v]] ... targets[offsets[v + 1] - 1].
template <class NodeType, class Offset = std::uint64_t>
class ArrayGraph {
public:
    using Node = NodeType;
    static constexpr bool kCheapCursors = true;
    struct Edge {
        Node target;
        Offset number;  // index in the array of targets: where a filter finds what else is known of the edge
    };
    struct Cursor {
        Offset next;
        Offset end;
    };

    ArrayGraph(std::span<const Offset> offsets, std::span<const Node> targets) : offsets_(offsets), targets_(targets) {
        assert(!offsets.empty() && offsets.back() == targets.size());
    }
    [[nodiscard]] std::uint64_t node_count() const { return offsets_.size() - 1; }
    [[nodiscard]] Cursor successors(Node node) const { return {offsets_[node], offsets_[std::size_t{node} + 1]}; }
    [[nodiscard]] bool next(Cursor& cursor, Edge& edge) const {
        if (cursor.next == cursor.end) return false;
        edge = {targets_[cursor.next], cursor.next};
        ++cursor.next;
        return true;
    }
    [[gnu::always_inline]] void prefetch(Node node) const { prefetch_line(&offsets_[node]); }

private:
    std::span<const Offset> offsets_;
    std::span<const Node> targets_;
};

// A graph whose rows are containers of entries: rows[v] has an entry per edge of v, and target_of(entry) is where it
// leads to. For graphs that are small, or that have another life.
template <class Rows, class TargetOf>
class RowGraph {
public:
    using Node = std::uint32_t;
    using Entry = typename Rows::value_type::value_type;
    static constexpr bool kCheapCursors = true;
    struct Edge {
        Node target;
        const Entry* entry;
    };
    struct Cursor {
        const Entry* next;
        const Entry* end;
    };

    // The rows must outlive the graph.
    explicit RowGraph(const Rows& rows, TargetOf target_of = {}) : rows_(rows), target_of_(target_of) {}
    [[nodiscard]] std::uint64_t node_count() const { return rows_.size(); }
    [[nodiscard]] Cursor successors(Node node) const {
        const auto& row = rows_[node];
        return {row.data(), row.data() + row.size()};
    }
    [[nodiscard]] bool next(Cursor& cursor, Edge& edge) const {
        if (cursor.next == cursor.end) return false;
        edge = {static_cast<Node>(target_of_(*cursor.next)), cursor.next};
        ++cursor.next;
        return true;
    }

private:
    const Rows& rows_;
    TargetOf target_of_;
};

// For a filter that keeps everything.
struct KeepAllEdges {
    template <class Node, class Edge>
    [[nodiscard]] constexpr bool operator()(Node /*source*/, const Edge& /*edge*/) const {
        return true;
    }
};

namespace components_detail {

// A stack in blocks: growing copies nothing, and a block that is left is kept for the next time.
template <class Entry>
class BlockStack {
public:
    [[nodiscard]] bool empty() const { return size_ == 0; }
    void push(const Entry& entry) {
        if (at_ == end_) next_block();
        *at_++ = entry;
        ++size_;
    }
    [[nodiscard]] Entry& top() { return at_[-1]; }
    void clear() {
        block_ = size_ = 0;
        if (begin_ == nullptr) return;
        begin_ = at_ = blocks_[0].get();
        end_ = begin_ + entries_of(0);
    }
    void pop() {
        --size_;
        if (--at_ == begin_ && block_ > 0) {
            --block_;
            begin_ = blocks_[block_].get();
            at_ = end_ = begin_ + entries_of(block_);
        }
    }

private:
    // The first blocks are small, for the many graphs that are.
    static std::size_t entries_of(std::size_t block) {
        constexpr std::size_t kFirst = 32;
        constexpr std::size_t kDoublings = 6;
        return kFirst << std::min(block, kDoublings);
    }

    void next_block() {
        if (begin_ != nullptr) ++block_;
        if (block_ == blocks_.size()) blocks_.push_back(std::make_unique_for_overwrite<Entry[]>(entries_of(block_)));
        begin_ = at_ = blocks_[block_].get();
        end_ = begin_ + entries_of(block_);
    }

    std::vector<std::unique_ptr<Entry[]>> blocks_;
    std::size_t block_ = 0;  // the one in use
    std::size_t size_ = 0;
    Entry* begin_ = nullptr;  // of the block in use; at_ > begin_ unless the stack is empty
    Entry* at_ = nullptr;
    Entry* end_ = nullptr;
};

}  // namespace components_detail

// The search. Its memory is kept from one run to the next.
template <SuccessorGraph Graph>
class ComponentSearch {
public:
    using Node = typename Graph::Node;
    // The number of a node that was not reached from the roots.
    static constexpr Node kNone = std::numeric_limits<Node>::max();

    // The graph must outlive the search. It has fewer than kNone nodes.
    explicit ComponentSearch(const Graph& graph) : graph_(&graph) { restart(); }

    // Forgets what was found. Needed where the search was ended, or its numbers were taken.
    void restart() {
        assert(graph_->node_count() < kNone);
        if constexpr (HasNumbers<Graph>) graph_->forget_numbers();
        else assign_on_large_pages(numbers_, graph_->node_count(), Node{0});
        members_.clear();
        path_.clear();
        index_ = 1;
        complete_ = kNone;
    }

    // Searches from a node, if it was not reached yet. `keep(source, edge)`: whether an edge counts. `visit(members)`
    // receives each component as it is complete, as a span that is valid during the call; the root of the component
    // comes last. It may return false, which ends the search (true or void: it continues). Returns whether the search
    // was not ended so.
    template <class Keep, class Visit>
    bool search_from(Node root, const Keep& keep, Visit&& visit) {
        assert((HasNumbers<Graph> || numbers_.size() == graph_->node_count()) && path_.empty() && members_.empty());
        if (is_reached(root)) return true;
        const Graph& graph = *graph_;
        typename Graph::Edge edge{};
        Frame current{};
        const auto enter = [&](Node node) __attribute__((always_inline)) {
            number_of(node) = index_;
            current = {node, index_, index_, graph.successors(node)};
            ++index_;
            if constexpr (HasCheapCursors<Graph>) look_ahead(current.cursor);
        };
        enter(root);
        for (;;) {
            bool descends = false;
            while (graph.next(current.cursor, edge)) {
                if (!keep(current.node, std::as_const(edge))) continue;
                const Node number = number_of(edge.target);
                if (number == 0) {
                    descends = true;
                    break;
                }
                current.lowest = std::min(current.lowest, number);
            }
            if (descends) {
                path_.push(current);
                enter(edge.target);
                continue;
            }
            Node lowest = current.lowest;
            if (lowest == current.index) {
                if (!complete(current.node, current.index, visit)) return false;
                lowest = kNone;
            } else {
                members_.push_back(current.node);
            }
            if (path_.empty()) break;
            current = path_.top();
            path_.pop();
            current.lowest = std::min(current.lowest, lowest);
        }
        return true;
    }

    // How many components are complete.
    [[nodiscard]] Node count() const { return kNone - complete_; }
    // The number of a node's component, once that is complete; kNone where the node was not reached.
    [[nodiscard]] Node number(Node node) const { return static_cast<Node>(~number_of(node)); }
    [[nodiscard]] bool is_reached(Node node) const { return number_of(node) != 0; }

    // The numbers of all nodes. The search must be started again afterwards.
    [[nodiscard]] std::vector<Node> take_numbers()
        requires(!HasNumbers<Graph>)
    {
        for (Node& number : numbers_) number = static_cast<Node>(~number);
        return std::move(numbers_);
    }

private:
    static constexpr unsigned kLookAhead = 16;  // edges

    [[nodiscard]] Node& number_of(Node node) {
        if constexpr (HasNumbers<Graph>) return graph_->number(node);
        else return numbers_.data()[node];
    }
    [[nodiscard]] Node number_of(Node node) const { return const_cast<ComponentSearch*>(this)->number_of(node); }

    struct Frame {
        Node node;
        Node index;
        Node lowest;  // index that was found
        typename Graph::Cursor cursor;
    };

    [[gnu::always_inline]] void look_ahead(typename Graph::Cursor cursor) {
        typename Graph::Edge edge{};
        for (unsigned i = 0; i < kLookAhead && graph_->next(cursor, edge); ++i) {
            prefetch_line(&number_of(edge.target));
            if constexpr (HasPrefetch<Graph>) graph_->prefetch(edge.target);
        }
    }

    // A node whose component is complete: it and the members above it on their stack, which are all live nodes that
    // were entered after it.
    template <class Visit>
    bool complete(Node root, Node index, Visit& visit) {
        const std::size_t first = members_.size() - (index_ - index - 1);
        members_.push_back(root);
        for (std::size_t i = first; i < members_.size(); ++i) number_of(members_[i]) = complete_;
        --complete_;
        index_ = index;
        bool continues = true;
        const std::span<const Node> members(members_.data() + first, members_.size() - first);
        if constexpr (std::is_void_v<decltype(visit(members))>) visit(members);
        else continues = visit(members);
        members_.resize(first);
        return continues;
    }

    const Graph* graph_;
    components_detail::BlockStack<Frame> path_;
    std::vector<Node> numbers_;  // by node: 0, index or complemented component; empty where the graph has them
    std::vector<Node> members_;  // live nodes that have been left, in the order of leaving; indices of components nest
    Node index_ = 1;             // of the next node that is entered
    Node complete_ = kNone;      // the next component's
};

// The component of every node: `of` counts them in reverse topological order.
template <std::unsigned_integral Node>
struct ComponentNumbers {
    std::vector<Node> of;  // by node; ComponentSearch::kNone: not reached
    Node count = 0;
};

// From the given roots.
template <SuccessorGraph Graph, class Roots, class Keep>
[[nodiscard]] ComponentNumbers<typename Graph::Node> component_numbers_from(const Graph& graph, const Roots& roots,
                                                                            const Keep& keep) {
    using Node = typename Graph::Node;
    ComponentSearch<Graph> search(graph);
    for (const Node root : roots) search.search_from(root, keep, [](std::span<const Node>) {});
    const Node count = search.count();
    return {search.take_numbers(), count};
}

// Each component of the whole graph as it is complete: visit(std::span<const Node> members). Returns false where
// `visit` has ended the search.
template <SuccessorGraph Graph, class Keep, class Visit>
bool for_each_component(const Graph& graph, const Keep& keep, Visit&& visit) {
    using Node = typename Graph::Node;
    ComponentSearch<Graph> search(graph);
    for (std::uint64_t root = 0; root < graph.node_count(); ++root)
        if (!search.search_from(static_cast<Node>(root), keep, visit)) return false;
    return true;
}

// Of the whole graph; roots are tried in ascending order.
template <SuccessorGraph Graph, class Keep = KeepAllEdges>
[[nodiscard]] ComponentNumbers<typename Graph::Node> component_numbers(const Graph& graph, const Keep& keep = {}) {
    using Node = typename Graph::Node;
    ComponentSearch<Graph> search(graph);
    for (std::uint64_t root = 0; root < graph.node_count(); ++root)
        search.search_from(static_cast<Node>(root), keep, [](std::span<const Node>) {});
    const Node count = search.count();
    return {search.take_numbers(), count};
}

}  // namespace tideline::support
