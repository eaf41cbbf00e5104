#include "tests/conformance/census.hpp"

#include <algorithm>
#include <numeric>
#include <ostream>

#include "reference/explorer.hpp"
#include "reference/machines.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "successor/interpret/pilot.hpp"

namespace tideline::conformance {
namespace {

const support::Budget kUnlimited;

// Counts what the search's own statistics do not distinguish.
class Counter final : public explore::SearchObserver {
public:
    Counter(const successor::System& system, Census& census) : census_(census), labels_(system.label_count()) {
        std::iota(labels_.begin(), labels_.end(), 0);
        census_.failed.assign(labels_.size(), 0);
    }

    [[nodiscard]] std::span<const std::size_t> watched_labels() const override { return labels_; }
    bool label_is_false(explore::SearchView& /*search*/, const explore::StateRef& /*found*/, std::size_t label,
                        model::FaultKind /*fault*/) override {
        ++census_.failed[label];
        return true;
    }

    bool faulty(explore::SearchView& /*search*/, const explore::StateRef& /*source*/,
                model::TransitionId /*transition*/, model::FaultKind kind) override {
        ++census_.faults[std::string(model::to_string(kind))];
        return true;
    }

private:
    Census& census_;
    std::vector<std::size_t> labels_;
};

class Collector final : public explore::SearchObserver {
public:
    explicit Collector(std::vector<std::vector<model::Value>>& states) : states_(states) {}

    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(explore::SearchView& search, std::span<const explore::StateRef> fresh) override {
        for (const explore::StateRef& found : fresh) states_.push_back(search.system().decode(found.state));
        return true;
    }

private:
    std::vector<std::vector<model::Value>>& states_;
};

successor::Layout layout_of(const model::Model& model, Packing packing) {
    if (packing == Packing::declared) return successor::Layout::declared(model);
    if (packing == Packing::observed)
        return successor::Layout::observed(model, successor::observe_ranges(model, kUnlimited));
    std::vector<model::Range> ranges;
    for (const model::Value value : model.initial) ranges.push_back({value, value});
    return successor::Layout::observed(model, ranges);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Census& census) {
    out << "states=" << census.states << " transitions=" << census.transitions << " deadlocks=" << census.deadlocks;
    for (const auto& [kind, count] : census.faults) out << ' ' << kind << '=' << count;
    if (!census.failed.empty()) out << " failed assertions:";
    for (const std::uint64_t count : census.failed) out << ' ' << count;
    return out << (census.complete ? "" : " (incomplete)");
}

const char* to_text(explore::WalkOrder order) { return order == explore::WalkOrder::depth_first ? "dfs" : "bfs"; }

const char* to_text(Packing packing) {
    switch (packing) {
        case Packing::observed: return "observed layout";
        case Packing::declared: return "declared layout";
        case Packing::initial: return "layout of the initial values";
    }
    return "?";
}

std::shared_ptr<const successor::System> system_of(const input::LoadedModel& loaded, Packing packing) {
    std::vector<model::Expression> labels;
    for (const model::NamedExpression& assertion : loaded.model->assertions) labels.push_back(assertion.expression);
    return successor::make_interpreted_system(loaded.model, std::move(labels), layout_of(*loaded.model, packing));
}

Census census(const input::LoadedModel& loaded, explore::WalkOrder order, Packing packing) {
    Census result;
    const std::shared_ptr<const successor::System> system = system_of(loaded, packing);
    Counter counter(*system, result);
    const explore::SearchResult found = explore::search(system, order, {}, counter);
    result.complete = found.complete;
    result.states = found.statistics.states;
    result.transitions = found.statistics.transitions;
    result.deadlocks = found.statistics.deadlocks;
    return result;
}

Census reference_census(const input::LoadedModel& loaded, const input::LoadOptions& options) {
    const reference::Graph graph = reference::explore(*reference::make_machine(loaded, options), {.keep_edges = false});
    Census result;
    result.complete = !graph.limit_hit;
    result.states = graph.states.size();
    result.transitions = graph.transitions;
    result.deadlocks = graph.deadlocks.size();
    for (const reference::FaultyStep& fault : graph.faults) ++result.faults[std::string(model::to_string(fault.kind))];
    result.failed.assign(loaded.model->assertions.size(), 0);
    for (const reference::BrokenAssertion& broken : graph.assertions) ++result.failed.at(broken.assertion);
    return result;
}

std::vector<std::vector<model::Value>> visited_states(const input::LoadedModel& loaded, explore::WalkOrder order,
                                                      Packing packing) {
    std::vector<std::vector<model::Value>> states;
    Collector collector(states);
    if (!explore::search(system_of(loaded, packing), order, {}, collector).complete) return {};
    std::sort(states.begin(), states.end());
    return states;
}

std::filesystem::path source_root() { return TIDELINE_SOURCE_DIR; }

std::vector<std::filesystem::path> test_models() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(source_root() / "tests/models"))
        if (entry.path().extension() == ".dve") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace tideline::conformance
