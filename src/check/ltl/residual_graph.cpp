#include "check/ltl/residual_graph.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <new>
#include <utility>

#include "support/components.hpp"

namespace tideline::check::ltl {

ResidualGraph::Node ResidualGraph::add_node() {
    if (entries_.size() == kNone) throw std::bad_alloc();
    entries_.emplace_back();
    local_.push_back(kNone);
    ++live_;
    return static_cast<Node>(entries_.size() - 1);
}

ResidualGraph::Node ResidualGraph::find(Node node) {
    Node root = node;
    while (entries_[root].into != kNone) root = entries_[root].into;
    while (entries_[node].into != kNone) node = std::exchange(entries_[node].into, root);
    return root;
}

ResidualGraph::Node ResidualGraph::node_of(Number target) {
    if ((target & kTemporary) != 0) {
        const auto [found, is_new] = temporary_.try_emplace(target, kNone);
        if (is_new) found->second = add_node();
        return find(found->second);
    }
    const auto found = nodes_.find(target);
    if (found != nodes_.end()) return find(found->second);
    if (target < expanded_) return kNone;
    const Node node = add_node();
    nodes_.emplace(target, node);
    return node;
}

void ResidualGraph::add_row(Number source, std::span<const Number> targets, std::span<const model::Marks> marks,
                            std::uint64_t block) {
    assert((source & kTemporary) == 0 && source >= expanded_);
    const Node node = node_of(source);
    Entry& first = entries_[node];
    if (first.kind == Kind::open) {
        first.kind = Kind::expanded;
        first.number = source;
        first.block = block;
        visit_.push_back(node);
    }
    std::vector<Edge> edges = std::move(first.edges);
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const Node target = node_of(targets[i]);  // may move the entries
        if (target == kNone) continue;
        edges.push_back({target, marks.empty() ? 0 : marks[i]});
        ++edges_;
    }
    entries_[node].edges = std::move(edges);
}

void ResidualGraph::resolve(Number temporary, Number final_number) {
    const auto open = temporary_.find(temporary);
    if (open == temporary_.end()) return;  // no edge leads to it
    const Node node = find(open->second);
    temporary_.erase(open);
    const auto known = nodes_.find(final_number);
    if (known != nodes_.end()) unite(node, find(known->second));
    else if (final_number < expanded_) drop(node);
    else nodes_.emplace(final_number, node);
}

void ResidualGraph::unite(Node from, Node to) {
    if (from == to) return;
    if (entries_[from].kind == Kind::expanded && entries_[to].kind == Kind::open) std::swap(from, to);
    Entry& source = entries_[from];
    Entry& target = entries_[to];
    target.edges.insert(target.edges.end(), source.edges.begin(), source.edges.end());
    source.edges = {};
    target.inner |= source.inner;
    target.has_inner = target.has_inner || source.has_inner;
    source.into = to;
    ++gone_;
    --live_;
}

void ResidualGraph::tidy(Node node) {
    Entry& entry = entries_[node];
    std::vector<Edge> edges = std::move(entry.edges);
    edges_ -= edges.size();
    for (Edge& edge : edges) edge.target = find(edge.target);
    std::ranges::sort(edges, {}, &Edge::target);
    std::size_t kept = 0;
    for (const Edge& edge : edges) {
        if (edge.target == node) {
            entry.inner |= edge.marks;
            entry.has_inner = true;
        } else if (entries_[edge.target].kind != Kind::dropped) {
            if (kept > 0 && edges[kept - 1].target == edge.target) edges[kept - 1].marks |= edge.marks;
            else edges[kept++] = edge;
        }
    }
    edges.resize(kept);
    edges.shrink_to_fit();
    edges_ += kept;
    entry.edges = std::move(edges);
}

void ResidualGraph::drop(Node node) {
    Entry& entry = entries_[node];
    edges_ -= entry.edges.size();
    entry.edges = {};
    entry.kind = Kind::dropped;
    --live_;
    ++gone_;
}

void ResidualGraph::accept_if_complete(const Entry& entry) {
    if (!found_ && entry.has_inner && (entry.inner & required_) == required_) found_ = entry.number;
}

void ResidualGraph::reduce(std::vector<Node> nodes) {
    note_peaks();
    for (Node& node : nodes) node = find(node);
    std::ranges::sort(nodes);
    nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
    std::erase_if(nodes, [&](Node node) { return entries_[node].kind != Kind::expanded; });
    for (std::size_t i = 0; i < nodes.size(); ++i) local_[nodes[i]] = static_cast<Node>(i);
    std::vector<std::uint64_t> offsets{0};
    std::vector<Node> targets;
    for (const Node node : nodes) {
        tidy(node);
        for (const Edge& edge : entries_[node].edges)
            if (local_[edge.target] != kNone) targets.push_back(local_[edge.target]);
        offsets.push_back(targets.size());
    }
    const support::ArrayGraph<Node> graph(offsets, targets);
    support::for_each_component(graph, support::KeepAllEdges{}, [&](std::span<const Node> members) {
        const Node root = nodes[members.back()];
        for (const Node member : members) unite(nodes[member], root);
        tidy(root);
        accept_if_complete(entries_[root]);
        // What is left leads to other components: those that come later in the order are behind, all others are live.
        if (entries_[root].edges.empty()) drop(root);
    });
    for (const Node node : nodes) local_[node] = kNone;
    if (gone_ > 1024 && gone_ > live_) compact();
}

void ResidualGraph::end_visit(Number expanded) {
    expanded_ = std::max(expanded_, expanded);
    reduce(std::exchange(visit_, {}));
}

void ResidualGraph::end_pass() {
    std::vector<Node> all;
    for (Node node = 0; node < entries_.size(); ++node)
        if (entries_[node].into == kNone && entries_[node].kind == Kind::expanded) all.push_back(node);
    reduce(std::move(all));
}

void ResidualGraph::finish_blocks_below(std::uint64_t block) {
    end_pass();
    for (Node node = 0; node < entries_.size(); ++node)
        if (entries_[node].into == kNone && entries_[node].kind == Kind::expanded && entries_[node].block < block)
            drop(node);
    compact();
}

// Forgets what is gone, and gives the others new numbers.
void ResidualGraph::compact() {
    std::vector<Node> renamed(entries_.size(), kNone);
    std::vector<Entry> kept;
    for (Node node = 0; node < entries_.size(); ++node) {
        if (entries_[node].into != kNone || entries_[node].kind == Kind::dropped) continue;
        tidy(node);
        renamed[node] = static_cast<Node>(kept.size());
        kept.push_back({});
    }
    for (auto* const map : {&nodes_, &temporary_})
        for (auto entry = map->begin(); entry != map->end();) {
            entry->second = renamed[find(entry->second)];
            entry = entry->second == kNone ? map->erase(entry) : std::next(entry);
        }
    for (Node& node : visit_) node = renamed[find(node)];
    std::erase(visit_, kNone);
    for (Node node = 0; node < entries_.size(); ++node) {
        if (renamed[node] == kNone) continue;
        Entry& entry = kept[renamed[node]] = std::move(entries_[node]);
        for (Edge& edge : entry.edges) edge.target = renamed[edge.target];
    }
    entries_ = std::move(kept);
    entries_.shrink_to_fit();
    local_.assign(entries_.size(), kNone);
    gone_ = 0;
}

std::uint64_t ResidualGraph::bytes() const {
    constexpr std::uint64_t kMapEntry = 40;  // with its share of the buckets
    return entries_.size() * (sizeof(Entry) + sizeof(Node)) + edges_ * sizeof(Edge) +
           (nodes_.size() + temporary_.size()) * kMapEntry;
}

void ResidualGraph::note_peaks() {
    peak_nodes_ = std::max(peak_nodes_, live_);
    peak_edges_ = std::max(peak_edges_, edges_);
    peak_bytes_ = std::max(peak_bytes_, bytes());
}

}  // namespace tideline::check::ltl
