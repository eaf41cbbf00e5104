#include "reference/lts_machine.hpp"

#include <cctype>
#include <utility>

#include "input/dve/parser.hpp"
#include "reference/dve_expression.hpp"

namespace tideline::reference {

namespace {

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The word "state" is reserved in DVE; while an expression is parsed, another word of the same length stands for it, so
// that positions stay right. This is a word that neither the graph nor the expression uses.
std::string stand_in(const ExplicitGraph& graph, const std::string& expression) {
    std::string word = "stat0";
    while (word.back() < '9' && (graph.labels.count(word) != 0 || expression.find(word) != std::string::npos))
        ++word.back();
    return word;
}

std::string with_stand_in(std::string expression, const std::string& word) {
    for (std::size_t at = expression.find("state"); at != std::string::npos; at = expression.find("state", at + 1)) {
        const bool begins = at == 0 || !in_word(expression[at - 1]);
        const bool ends = at + word.size() >= expression.size() || !in_word(expression[at + word.size()]);
        if (begins && ends) expression.replace(at, word.size(), word);
    }
    return expression;
}

class LabelValues final : public NameValues {
public:
    LabelValues(const ExplicitGraph& graph, const std::string& state_word, std::int64_t state)
        : graph_(graph), state_word_(state_word), state_(state) {}

    [[nodiscard]] Answer value_of(const input::dve::Expr& leaf) const override {
        if (leaf.name.text == state_word_) return {model::FaultKind::none, state_};
        const auto label = graph_.labels.find(leaf.name.text);
        const bool carried =
            label != graph_.labels.end() && label->second.count(static_cast<std::uint64_t>(state_)) != 0;
        return {model::FaultKind::none, carried ? 1 : 0};
    }

private:
    const ExplicitGraph& graph_;
    const std::string& state_word_;
    std::int64_t state_;
};

class LtsMachine final : public Machine {
public:
    explicit LtsMachine(ExplicitGraph graph) : graph_(std::move(graph)), outgoing_(graph_.states) {
        for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
            const ExplicitEdge& edge = graph_.edges[i];
            if (edge.from < graph_.states && edge.to < graph_.states) outgoing_[edge.from].push_back(i);
        }
    }

    [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }

    [[nodiscard]] std::vector<State> initial_states() const override {
        std::vector<State> result;
        for (const std::uint64_t state : graph_.initial) result.push_back({static_cast<std::int64_t>(state)});
        return result;
    }

    [[nodiscard]] OutsideNames outside_names() const override {
        OutsideNames result;
        for (std::size_t state = 0; state < graph_.names.size(); ++state)
            result.locations["lts." + graph_.names[state]] = {0, static_cast<std::int64_t>(state)};
        for (const auto& [label, carriers] : graph_.labels) {
            std::vector<std::int64_t>& values = result.labels[label];
            values.assign(graph_.states, 0);
            for (const std::uint64_t state : carriers) values[state] = 1;
        }
        if (!graph_.progress.empty()) result.constant_arrays["progress"] = graph_.progress;
        return result;
    }

    [[nodiscard]] std::vector<Step> steps(const State& state) const override {
        std::vector<Step> result;
        const auto at = static_cast<std::uint64_t>(state[0]);
        if (at >= graph_.states) return result;
        for (const std::size_t i : outgoing_[at]) {
            const ExplicitEdge& edge = graph_.edges[i];
            result.push_back(Step{{{"lts", edge.line}}, model::FaultKind::none, {static_cast<std::int64_t>(edge.to)}});
        }
        return result;
    }

    [[nodiscard]] support::Result<Answer> evaluate(const std::string& expression, const State& state) const override {
        const support::SourceText source("", expression);
        const std::string state_word = stand_in(graph_, expression);
        support::Result<input::dve::ExprPtr> tree =
            input::dve::parse_expression(support::SourceText("", with_stand_in(expression, state_word)));
        if (!tree) return tree.diagnostics();
        if (const input::dve::Expr* unknown = unknown_leaf(**tree, state_word)) {
            return support::diagnostic_at(source, unknown->span,
                                          "no such label: " + support::in_quotes(source.text(unknown->span)));
        }
        return reference::evaluate(**tree, LabelValues(graph_, state_word, state[0]));
    }

    [[nodiscard]] std::vector<FailedAssertion> failed_assertions(const State&) const override { return {}; }

private:
    [[nodiscard]] const input::dve::Expr* unknown_leaf(const input::dve::Expr& expression,
                                                       const std::string& state_word) const {
        using Kind = input::dve::Expr::Kind;
        if (expression.kind == Kind::element || expression.kind == Kind::location) return &expression;
        if (expression.kind == Kind::variable) {
            const bool plain = expression.process.text.empty();
            const bool known = expression.name.text == state_word || graph_.labels.count(expression.name.text) != 0;
            return plain && known ? nullptr : &expression;
        }
        for (const input::dve::ExprPtr& operand : expression.operands) {
            if (const input::dve::Expr* unknown = unknown_leaf(*operand, state_word)) return unknown;
        }
        return nullptr;
    }

    ExplicitGraph graph_;
    std::vector<std::vector<std::size_t>> outgoing_;  // by state, the indices of its edges
    std::vector<std::string> names_{"state"};
};

}  // namespace

std::unique_ptr<Machine> make_lts_machine(ExplicitGraph graph) {
    return std::make_unique<LtsMachine>(std::move(graph));
}

}  // namespace tideline::reference
