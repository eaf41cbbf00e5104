// The numbered graph of a system: a breadth-first search, with any number of threads, whose edges a GraphBuilder
// receives. The graph is the same for every number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "explore/search.hpp"
#include "graph/memory_graph.hpp"
#include "successor/system.hpp"

namespace tideline::graph {

struct GraphSettings {
    // The labels of the system whose bits are kept are 0 to `labels` - 1.
    std::size_t labels = 0;
    // Called when a level is part of the graph, which is readable then: whether the search shall continue. False ends
    // it with reason `violation`; std::bad_alloc with reason `memory`. Null: nobody looks.
    std::function<bool(const MemoryGraph&)> level_added{};
    // Receives ticks, and what else it asks for. Null: nobody does. A state's number (StateRef) is that of the graph
    // with one thread only.
    explore::SearchObserver* observer = nullptr;
};

struct BuiltGraph {
    MemoryGraph graph;
    bool complete = false;
    support::StopReason reason = support::StopReason::none;  // why it is not complete
    explore::Statistics statistics;
    std::shared_ptr<const successor::System> system;  // as it was packed in the end: what paths are replayed on
    // The search has changed over: a sweep continues with all of it, and the graph is of no use any more.
    std::optional<explore::ChangeTarget> continues_with{};
};

// Within the limits of `settings`, whose `edges`, `ledger`, `compress` and `paths` do not count. Where the limits do
// not suffice, the graph has the rows of the states that were expanded, and whole levels of them with several threads.
[[nodiscard]] BuiltGraph build_graph(std::shared_ptr<const successor::System> system,
                                     const explore::SearchSettings& settings, const GraphSettings& wanted = {});

// Made into `level_added`, it looks whenever the graph has doubled: the work of all looks is at most twice that of the
// last one. Who needs the whole graph looks once more when it is complete.
class WhenDoubled {
public:
    explicit WhenDoubled(std::function<bool(const MemoryGraph&)> look, std::uint64_t first = 4096)
        : look_(std::move(look)), next_(first) {}

    bool operator()(const MemoryGraph& graph) {
        const std::uint64_t size = graph.expanded_count() + graph.edge_count();
        if (size < next_) return true;
        next_ = 2 * size;
        return look_(graph);
    }

private:
    std::function<bool(const MemoryGraph&)> look_;
    std::uint64_t next_;  // states and edges
};

}  // namespace tideline::graph
