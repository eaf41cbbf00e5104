#include "graph/graph_export.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include <fmt/format.h>

#include "graph/graph_states.hpp"
#include "support/json_text.hpp"
#include "support/terminal.hpp"
#include "trace/step_text.hpp"

namespace tideline::graph {
namespace {

// Gathers pieces, and writes them together.
class Pieces {
public:
    explicit Pieces(const support::TextSink& sink) : sink_(sink) {}
    ~Pieces() {
        if (!text_.empty()) sink_(text_);
    }
    Pieces(const Pieces&) = delete;
    Pieces& operator=(const Pieces&) = delete;

    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
        constexpr std::size_t kFlush = std::size_t{1} << 16U;
        if (text_.size() < kFlush) return;
        sink_(text_);
        text_.clear();
    }

private:
    const support::TextSink& sink_;
    std::string text_;
};

struct NamedEdge {
    StateNumber source;
    StateNumber target;
    model::Marks marks;
    std::string name;
};

// visit(NamedEdge) for all edges, row by row.
template <class Visit>
support::StopReason for_each_edge(const ExportedGraph& exported, const support::Budget& budget, const Visit& visit) {
    const trace::StepWords words{trace::StepTextOptions{}};
    return for_each_state(
        exported.graph, exported.system, budget, [&](StateNumber number, const successor::Word* state) {
            MemoryGraph::Cursor row = exported.graph.successors(number);
            MemoryGraph::Edge edge;
            for (successor::StepDetail& step : exported.system.steps(state)) {
                assert(step.fault == model::FaultKind::none);
                [[maybe_unused]] const bool found = exported.graph.next(row, edge);
                assert(found && edge.transition == step.transition && "steps come in the order of expand()");
                trace::TraceStep shown{std::move(step.parts), std::move(step.label)};
                visit(NamedEdge{number, edge.target, edge.marks,
                                exported.names_are_labels ? support::one_line(shown.label) : words.whole(shown)});
            }
            assert(!exported.graph.next(row, edge));
            return true;
        });
}

// A string of DOT.
std::string in_dot_quotes(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

std::vector<std::string> labels_of(const ExportedGraph& exported, StateNumber state) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < exported.labels.size(); ++i)
        if (exported.graph.label(state, i)) result.push_back(exported.labels[i]);
    return result;
}

std::string marks_text(model::Marks marks) {
    std::string result;
    for (unsigned i = 0; i < 8 * sizeof marks; ++i)
        if (((marks >> i) & 1U) != 0) result += (result.empty() ? " {" : ",") + std::to_string(i);
    return result.empty() ? result : result + '}';
}

std::string json_text(const std::string& text) { return support::to_json_text(nlohmann::json(text)); }

}  // namespace

ProgressRanks progress_ranks(const MemoryGraph& graph, const successor::System& system, const support::Budget& budget) {
    ProgressRanks ranks;
    constexpr std::uint64_t kBytesPerState = 2 * sizeof(successor::Key) + sizeof(std::uint64_t);
    ranks.stopped = budget.exhausted(graph.state_count() * kBytesPerState);
    if (ranks.stopped != support::StopReason::none) return ranks;
    std::vector<successor::Key> keys;
    keys.reserve(graph.state_count());
    const std::unique_ptr<successor::Expander> expander = system.expander();
    ranks.stopped = for_each_state(graph, system, budget, [&](StateNumber /*number*/, const successor::Word* state) {
        const std::optional<successor::Key> key = expander->key(state);
        if (key) keys.push_back(*key);
        return key.has_value();
    });
    ranks.is_undefined = ranks.stopped == support::StopReason::violation;
    if (ranks.stopped != support::StopReason::none) return ranks;
    std::vector<successor::Key> values = keys;
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    ranks.of.reserve(keys.size());
    for (const successor::Key key : keys)
        ranks.of.push_back(static_cast<std::uint64_t>(std::ranges::lower_bound(values, key) - values.begin()));
    return ranks;
}

support::StopReason write_aut(const ExportedGraph& exported, const support::TextSink& sink,
                              const support::Budget& budget) {
    assert(exported.graph.initial_states().size() == 1);
    Pieces out(sink);
    out.add("des ({}, {}, {})\n", exported.graph.initial_states().front(), exported.graph.edge_count(),
            exported.graph.state_count());
    return for_each_edge(exported, budget, [&](const NamedEdge& edge) {
        out.add("({}, \"{}\", {})\n", edge.source, edge.name, edge.target);
    });
}

support::StopReason write_dot(const ExportedGraph& exported, const support::TextSink& sink,
                              const support::Budget& budget) {
    const MemoryGraph& graph = exported.graph;
    Pieces out(sink);
    out.add("digraph {} {{\n  node [shape=circle]\n", in_dot_quotes(support::one_line(exported.name)));
    for (const StateNumber state : graph.initial_states())
        out.add("  start{0} [shape=point, label=\"\"]\n  start{0} -> {0}\n", state);
    for (StateNumber state = 0; state < graph.state_count(); ++state) {
        std::string text = std::to_string(state);
        for (const std::string& label : labels_of(exported, state)) text += ' ' + label;
        out.add("  {} [label={}{}]\n", state, in_dot_quotes(text), graph.is_deadlock(state) ? ", shape=box" : "");
    }
    const support::StopReason reason = for_each_edge(exported, budget, [&](const NamedEdge& edge) {
        out.add("  {} -> {} [label={}]\n", edge.source, edge.target, in_dot_quotes(edge.name + marks_text(edge.marks)));
    });
    if (reason == support::StopReason::none) out.add("}}\n");
    return reason;
}

support::StopReason write_kripke(const ExportedGraph& exported, const support::TextSink& sink,
                                 const support::Budget& budget) {
    const MemoryGraph& graph = exported.graph;
    Pieces out(sink);
    support::BudgetPoll poll(budget);
    if (exported.labels.empty() && !exported.progress) {
        out.add("{{\n\"states\": {},\n", graph.state_count());
    } else {
        out.add("{{\n\"states\": [");
        for (StateNumber state = 0; state < graph.state_count(); ++state) {
            if (poll.is_exhausted()) return poll.reason();
            out.add("{}{{", state == 0 ? "\n" : ",\n");
            if (!exported.labels.empty()) out.add("\"labels\": [");
            bool first = true;
            for (const std::string& label : labels_of(exported, state))
                out.add("{}{}", std::exchange(first, false) ? "" : ", ", json_text(label));
            if (!exported.labels.empty()) out.add("]");
            if (exported.progress)
                out.add("{}\"progress\": {}", exported.labels.empty() ? "" : ", ", (*exported.progress)[state]);
            out.add("}}");
        }
        out.add("\n],\n");
    }
    const char* before = "\"initial\": [";
    for (const StateNumber state : graph.initial_states()) out.add("{}{}", std::exchange(before, ", "), state);
    out.add("],\n\"edges\": [");
    const char* between = "\n";
    const support::StopReason reason = for_each_edge(exported, budget, [&](const NamedEdge& edge) {
        out.add("{}[{}, {}, {}]", std::exchange(between, ",\n"), edge.source, edge.target, json_text(edge.name));
    });
    // What is not complete must not look as if it were.
    if (reason == support::StopReason::none) out.add("\n]\n}}\n");
    return reason;
}

}  // namespace tideline::graph
