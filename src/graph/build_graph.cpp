#include "graph/build_graph.hpp"

#include <utility>

#include "graph/graph_builder.hpp"

namespace tideline::graph {
namespace {

class WatchedBuilder final : public GraphBuilder {
public:
    explicit WatchedBuilder(const GraphSettings& wanted) : GraphBuilder(wanted.labels), wanted_(wanted) {}

protected:
    bool level_added() override { return !wanted_.level_added || wanted_.level_added(graph()); }

private:
    const GraphSettings& wanted_;
};

}  // namespace

BuiltGraph build_graph(std::shared_ptr<const successor::System> system, const explore::SearchSettings& settings,
                       const GraphSettings& wanted) {
    WatchedBuilder builder(wanted);
    explore::SearchObserver nobody;
    explore::SearchSettings in_memory = settings;
    in_memory.edges = &builder;
    in_memory.ledger = nullptr;
    in_memory.compress = false;
    in_memory.paths = false;  // the graph knows them
    explore::SearchResult result = explore::search(std::move(system), explore::WalkOrder::breadth_first, in_memory,
                                                   wanted.observer == nullptr ? nobody : *wanted.observer);
    return {builder.take(),
            result.complete,
            result.reason,
            std::move(result.statistics),
            std::move(result.system),
            std::move(result.continues_with)};
}

}  // namespace tideline::graph
