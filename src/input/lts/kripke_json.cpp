// From the tree of a JSON text to a Graph. Every message gives the position in two ways: as a position in the text and
// as a path such as states[3].labels, because generated files tend to be one long line.
#include "input/lts/kripke_json.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "input/lts/action_names.hpp"
#include "input/lts/json_tree.hpp"

namespace tideline::input::lts {
namespace {

using Kind = JsonNode::Kind;

constexpr std::string_view kStateForm = R"(a state is "name" or {"name": "s0", "labels": ["p"], "progress": 0})";
constexpr std::string_view kEdgeForm =
    R"(an edge is ["s0", "s1"], ["s0", "s1", "label"] or {"from": "s0", "to": "s1", "label": "a"})";
// In an expression these words mean something else; a label of that name would silently mean something else.
constexpr std::array<std::string_view, 7> kReservedNames{"and", "false", "imply", "not", "or", "state", "true"};
constexpr std::size_t kMaxSuggestionNames = 10000;

class KripkeReader {
public:
    KripkeReader(support::SourceText source, const support::Budget& budget) : budget_(budget), poll_(budget) {
        graph_.source = std::move(source);
    }

    support::Result<Graph> read() {
        graph_.format = "kripke";
        support::Result<JsonNode> tree = parse_json(graph_.source, budget_);
        if (!tree) return std::move(tree).diagnostics();
        if (!read_file(*tree)) return std::move(*error_);
        graph_.actions = actions_.take();
        return std::move(graph_);
    }

private:
    bool fail(const JsonNode& node, std::string message, std::string_view hint = {}) {
        error_ = support::diagnostic_at(graph_.source, node.span, std::move(message), std::string(hint));
        return false;
    }

    bool stop(support::StopReason reason) {
        error_ = support::diagnostic_of_stop(graph_.source.path(), reason, "the file was parsed");
        return false;
    }

    bool expect(const JsonNode& node, Kind kind, std::string_view path, std::string_view hint = {}) {
        if (node.kind == kind) return true;
        return fail(node, fmt::format("{} must be {}, not {}", path, to_string(kind), to_string(node.kind)), hint);
    }

    // An object has only the keys it may have; `path` is empty for the whole file.
    bool check_keys(const JsonNode& object, const std::vector<std::string>& allowed, std::string_view path) {
        for (const JsonNode& key : object.keys) {
            if (std::find(allowed.begin(), allowed.end(), key.text) != allowed.end()) continue;
            std::string hint = support::suggestion(key.text, allowed);
            if (hint.empty()) hint = fmt::format("the keys are: {}", fmt::join(allowed, ", "));
            return fail(key,
                        fmt::format("{}{}unknown key {}", path, path.empty() ? "" : ": ", support::in_quotes(key.text)),
                        hint);
        }
        return true;
    }

    const JsonNode* require(const JsonNode& object, std::string_view key, std::string_view path,
                            std::string_view hint) {
        const JsonNode* const value = object.find(key);
        // Point at the opening brace only: the object may be the whole file.
        if (value == nullptr)
            error_ = support::diagnostic_at(
                graph_.source, {object.span.begin, object.span.begin + 1},
                fmt::format("{}{}the key '{}' is missing", path, path.empty() ? "" : ": ", key), std::string(hint));
        return value;
    }

    bool read_file(const JsonNode& file) {
        if (!expect(file, Kind::object, "the file", R"(a file is {"states": ..., "initial": ..., "edges": [...]})"))
            return false;
        if (!check_keys(file, {"states", "initial", "edges"}, "")) return false;
        const JsonNode* const states =
            require(file, "states", "", R"("states" lists the states, or says how many there are)");
        if (states == nullptr || !read_states(*states)) return false;
        const JsonNode* const initial =
            require(file, "initial", "", R"("initial" names the initial state, or lists several)");
        if (initial == nullptr || !read_initial(*initial)) return false;
        const JsonNode* const edges = require(file, "edges", "", R"("edges" lists the edges; it may be empty: [])");
        return edges != nullptr && read_edges(*edges);
    }

    bool read_states(const JsonNode& states) {
        std::uint64_t count = states.elements.size();
        if (states.kind == Kind::integer) {
            if (states.integer < 0) return fail(states, "states must not be negative");
            count = static_cast<std::uint64_t>(states.integer);
        } else if (states.kind != Kind::array) {
            return fail(states, fmt::format("states must be an array or a number, not {}", to_string(states.kind)),
                        kStateForm);
        }
        if (count == 0) return fail(states, "a system has at least one state");
        if (count > kMaxStates)
            return fail(states, fmt::format("{} states are more than the {} that can be read", count, kMaxStates));
        graph_.state_count = count;
        if (states.kind == Kind::integer) return true;
        for (std::size_t i = 0; i < count; ++i)
            if (!read_declaration(states, i)) return false;
        return true;
    }

    bool read_declaration(const JsonNode& states, std::size_t number) {
        if (poll_.is_exhausted()) return stop(poll_.reason());
        const JsonNode& state = states.elements[number];
        const std::string path = fmt::format("states[{}]", number);
        if (state.kind == Kind::string) {
            if (!add_name(state, path, state.text)) return false;
            return read_progress(states, number, nullptr);
        }
        if (!expect(state, Kind::object, path, kStateForm)) return false;
        if (!check_keys(state, {"name", "labels", "progress"}, path)) return false;
        const JsonNode* const name = state.find("name");
        if (name != nullptr && !expect(*name, Kind::string, path + ".name")) return false;
        if (!add_name(name == nullptr ? state : *name, path, name == nullptr ? std::to_string(number) : name->text))
            return false;
        const JsonNode* const labels = state.find("labels");
        if (labels != nullptr && !read_labels(*labels, path + ".labels", number)) return false;
        return read_progress(states, number, state.find("progress"));
    }

    bool add_name(const JsonNode& place, std::string_view path, const std::string& name) {
        if (name.empty()) return fail(place, fmt::format("{}: the name of a state must not be empty", path));
        const auto number = static_cast<StateNumber>(graph_.names.size());
        const auto [earlier, added] = numbers_.emplace(name, number);
        if (!added)
            return fail(place,
                        fmt::format("{}: the name {} is already that of states[{}]", path, support::in_quotes(name),
                                    earlier->second),
                        place.kind == Kind::object ? "a state without a name is called by its number" : "");
        graph_.names.push_back(name);
        return true;
    }

    bool read_labels(const JsonNode& labels, const std::string& path, std::size_t state) {
        if (!expect(labels, Kind::array, path, R"(labels are written ["p", "q"])")) return false;
        for (std::size_t i = 0; i < labels.elements.size(); ++i) {
            const JsonNode& label = labels.elements[i];
            const std::string label_path = fmt::format("{}[{}]", path, i);
            if (!expect(label, Kind::string, label_path)) return false;
            if (label.text.empty()) return fail(label, fmt::format("{}: a label must not be empty", label_path));
            if (std::find(kReservedNames.begin(), kReservedNames.end(), label.text) != kReservedNames.end())
                return fail(label, fmt::format("{}: {} cannot be a label", label_path, support::in_quotes(label.text)),
                            "the word has a meaning of its own in expressions");
            const auto [found, added] = labels_.emplace(label.text, graph_.labels.size());
            if (added) graph_.labels.push_back({label.text, label.span, {}});
            std::vector<StateNumber>& carriers = graph_.labels[found->second].states;
            if (!carriers.empty() && carriers.back() == state)
                return fail(label,
                            fmt::format("{}: the label {} is given twice", label_path, support::in_quotes(label.text)));
            carriers.push_back(static_cast<StateNumber>(state));
        }
        return true;
    }

    // A measure needs a value for every state: either all states have one or none.
    bool read_progress(const JsonNode& states, std::size_t number, const JsonNode* progress) {
        const bool given_before = !graph_.progress.empty();
        if (number > 0 && given_before != (progress != nullptr)) {
            const std::size_t without = given_before ? number : 0;
            return fail(
                states.elements[without],
                fmt::format("states[{}] has no progress, but states[{}] has", without, given_before ? 0 : number),
                "give a progress value to every state or to none");
        }
        if (progress == nullptr) return true;
        const std::string path = fmt::format("states[{}].progress", number);
        if (!expect(*progress, Kind::integer, path)) return false;
        if (progress->integer < 0) return fail(*progress, path + " must not be negative");
        graph_.progress.push_back(progress->integer);
        return true;
    }

    // A state, or a list of states.
    bool read_initial(const JsonNode& initial) {
        if (initial.kind != Kind::array) return read_state(initial, "initial", graph_.initial.emplace_back());
        if (initial.elements.empty()) return fail(initial, "a system has at least one initial state");
        std::vector<bool> is_initial(graph_.state_count);
        graph_.initial.reserve(initial.elements.size());
        for (std::size_t i = 0; i < initial.elements.size(); ++i) {
            if (poll_.is_exhausted()) return stop(poll_.reason());
            const JsonNode& node = initial.elements[i];
            const std::string path = fmt::format("initial[{}]", i);
            StateNumber& state = graph_.initial.emplace_back();
            if (!read_state(node, path, state)) return false;
            if (is_initial[state]) return fail(node, path + ": this initial state is given twice");
            is_initial[state] = true;
        }
        return true;
    }

    // A state that is mentioned: by its name, or by its number.
    bool read_state(const JsonNode& node, std::string_view path, StateNumber& state) {
        if (node.kind == Kind::integer) {
            if (node.integer >= 0 && static_cast<std::uint64_t>(node.integer) < graph_.state_count) {
                state = static_cast<StateNumber>(node.integer);
                return true;
            }
            return fail(
                node, fmt::format("{}: there is no state {}", path, node.integer),
                fmt::format("there are {} states, numbered from 0 to {}", graph_.state_count, graph_.state_count - 1));
        }
        if (node.kind != Kind::string)
            return fail(
                node, fmt::format("{} must be the name or the number of a state, not {}", path, to_string(node.kind)));
        const auto found = numbers_.find(node.text);
        if (found != numbers_.end()) {
            state = found->second;
            return true;
        }
        return fail(node, fmt::format("{}: there is no state {}", path, support::in_quotes(node.text)),
                    hint_for(node.text));
    }

    [[nodiscard]] std::string hint_for(const std::string& name) const {
        if (graph_.names.empty()) return "these states have no names: write their numbers, from 0 on";
        if (graph_.names.size() > kMaxSuggestionNames) return {};
        return support::suggestion(name, graph_.names);
    }

    bool read_edges(const JsonNode& edges) {
        if (!expect(edges, Kind::array, "edges", kEdgeForm)) return false;
        if (edges.elements.size() > std::numeric_limits<std::uint32_t>::max())
            return fail(edges, "there are too many edges");
        graph_.edges.reserve(edges.elements.size());
        for (std::size_t i = 0; i < edges.elements.size(); ++i)
            if (!read_edge(edges.elements[i], fmt::format("edges[{}]", i))) return false;
        return true;
    }

    bool read_edge(const JsonNode& edge, const std::string& path) {
        if (poll_.is_exhausted()) return stop(poll_.reason());
        if (edge.kind == Kind::array) {
            const std::size_t size = edge.elements.size();
            if (size != 2 && size != 3)
                return fail(edge, fmt::format("{} must have 2 or 3 elements, not {}", path, size), kEdgeForm);
            return add_edge(edge, edge.elements[0], path + "[0]", edge.elements[1], path + "[1]",
                            size == 3 ? &edge.elements[2] : nullptr, path + "[2]");
        }
        if (edge.kind != Kind::object)
            return fail(edge, fmt::format("{} must be an array or an object, not {}", path, to_string(edge.kind)),
                        kEdgeForm);
        if (!check_keys(edge, {"from", "to", "label"}, path)) return false;
        const JsonNode* const from = require(edge, "from", path, kEdgeForm);
        if (from == nullptr) return false;
        const JsonNode* const to = require(edge, "to", path, kEdgeForm);
        if (to == nullptr) return false;
        return add_edge(edge, *from, path + ".from", *to, path + ".to", edge.find("label"), path + ".label");
    }

    bool add_edge(const JsonNode& edge, const JsonNode& from, const std::string& from_path, const JsonNode& to,
                  const std::string& to_path, const JsonNode* label, const std::string& label_path) {
        Edge result;
        result.span = edge.span;
        if (!read_state(from, from_path, result.from) || !read_state(to, to_path, result.to)) return false;
        if (label != nullptr && !expect(*label, Kind::string, label_path)) return false;
        result.action = actions_.number_of(label == nullptr ? std::string_view() : std::string_view(label->text));
        graph_.edges.push_back(result);
        return true;
    }

    Graph graph_;
    ActionNames actions_;
    std::unordered_map<std::string, StateNumber> numbers_;
    std::unordered_map<std::string, std::size_t> labels_;
    std::optional<support::Diagnostic> error_;
    const support::Budget& budget_;
    support::BudgetPoll poll_;
};

}  // namespace

support::Result<Graph> parse_kripke(support::SourceText source, const support::Budget& budget) {
    if (source.text().size() > std::numeric_limits<std::uint32_t>::max())
        return support::diagnostic_about(source.path(), "files of more than 4 GiB cannot be read");
    return KripkeReader(std::move(source), budget).read();
}

}  // namespace tideline::input::lts
