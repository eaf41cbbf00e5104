// Random Kripke structures and formulas of branching time, with what engines are asked.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>
#include <sstream>

#include "check/branching.hpp"
#include "input/load.hpp"
#include "logic/parse.hpp"
#include "model/parse_expression.hpp"
#include "reference/branching.hpp"
#include "reference/explorer.hpp"
#include "reference/machines.hpp"
#include "successor/native/native_system.hpp"
#include "trace/confirm.hpp"

namespace tideline::differential {

using check::BranchingEngine;
using check::DeadlockReading;
using reference::BranchingOp;
using reference::BranchingTree;

using Random = std::mt19937_64;
inline std::size_t below(Random& random, std::size_t bound) { return static_cast<std::size_t>(random() % bound); }

inline std::uint64_t pairs() {
    const char* given = std::getenv("TIDELINE_RANDOM_PAIRS");
    return given == nullptr ? 20000 : std::strtoull(given, nullptr, 10);
}

inline const std::vector<std::string> kAtoms{"p", "q"};

inline std::string random_structure(Random& random, std::size_t n, std::size_t width, std::size_t actions = 0);

inline std::string random_structure(Random& random, std::size_t most) {
    return random_structure(random, 1 + below(random, most), 0);
}

// Of this number of states. Where layers have a width, no step leads from a state to a layer before its own: that of
// state s is s / width. Where there are actions, each edge has a line of its own, which ends with its action.
inline std::string random_structure(Random& random, std::size_t n, std::size_t width, std::size_t actions) {
    std::string text = "{\"states\": [";
    for (std::size_t s = 0; s < n; ++s) {
        text += std::string(s == 0 ? "" : ", ") + "{\"name\": \"s" + std::to_string(s) + "\", \"labels\": [";
        const bool p = below(random, 2) == 0;
        const bool q = below(random, 2) == 0;
        text += std::string(p ? "\"p\"" : "") + (p && q ? ", " : "") + (q ? "\"q\"" : "") + "]}";
    }
    // Both labels exist.
    text += ", {\"name\": \"nowhere\", \"labels\": [\"p\", \"q\"]}], \"initial\": [0";
    if (n > 1 && below(random, 4) == 0) text += ", 1";
    text += "], \"edges\": [";
    bool first = true;
    // Which paths are fair matters where many steps lead back and forth.
    static constexpr std::size_t kDegrees[2][6] = {{0, 1, 1, 2, 2, 3}, {0, 2, 2, 3, 3, 3}};
    for (std::size_t s = 0; s < n; ++s)
        for (std::size_t d = kDegrees[actions == 0 ? 0 : 1][below(random, 6)]; d > 0; --d) {
            const std::size_t least = width == 0 ? 0 : s / width * width;
            const bool is_near = actions > 0 && below(random, 3) > 0;
            const std::size_t target = is_near ? std::min(std::max(s + below(random, 3), std::size_t{1}) - 1, n - 1)
                                               : least + below(random, n - least);
            text += (first ? "" : ", ") + std::string(actions == 0 ? "" : "\n") + '[' + std::to_string(s) + ", " +
                    std::to_string(target) +
                    (actions == 0 ? "" : ", \"a" + std::to_string(below(random, actions)) + '"') + ']';
            first = false;
        }
    return text + "]}";
}

inline BranchingTree random_state_formula(Random& random, std::size_t depth, bool is_star);

inline BranchingTree random_path_formula(Random& random, std::size_t depth) {
    using enum BranchingOp;
    if (depth == 0) return random_state_formula(random, 0, true);
    static constexpr BranchingOp kOps[] = {next,           eventually, always,      until,       release,    weak_until,
                                           strong_release, negation,   conjunction, disjunction, implication};
    const BranchingOp op = kOps[below(random, std::size(kOps))];
    const bool unary = op == next || op == eventually || op == always || op == negation;
    if (below(random, 6) == 0) return random_state_formula(random, depth - 1, true);
    std::vector<BranchingTree> operands{random_path_formula(random, depth - 1)};
    if (!unary) operands.push_back(random_path_formula(random, depth - 1));
    return reference::make_branching(op, std::move(operands));
}

inline BranchingTree random_state_formula(Random& random, std::size_t depth, bool is_star) {
    using enum BranchingOp;
    if (depth == 0) {
        if (below(random, 12) == 0) return reference::make_constant(below(random, 2) == 0);
        return reference::make_atom(below(random, kAtoms.size()));
    }
    if (below(random, 4) == 0) {
        static constexpr BranchingOp kOps[] = {negation, conjunction, disjunction, implication, equivalence, exclusion};
        const BranchingOp op = kOps[below(random, std::size(kOps))];
        std::vector<BranchingTree> operands{random_state_formula(random, depth - 1, is_star)};
        if (op != negation) operands.push_back(random_state_formula(random, below(random, depth), is_star));
        return reference::make_branching(op, std::move(operands));
    }
    const BranchingOp quantifier = below(random, 2) == 0 ? exists : forall;
    if (is_star) return reference::make_branching(quantifier, {random_path_formula(random, depth)});
    static constexpr BranchingOp kOps[] = {next, eventually, always, until, release, weak_until, strong_release};
    const BranchingOp op = kOps[below(random, std::size(kOps))];
    std::vector<BranchingTree> operands{random_state_formula(random, depth - 1, is_star)};
    if (op >= until) operands.push_back(random_state_formula(random, below(random, depth), is_star));
    return reference::make_branching(quantifier, {reference::make_branching(op, std::move(operands))});
}

inline constexpr std::pair<DeadlockReading, reference::DeadlockMeaning> kReadings[] = {
    {DeadlockReading::stutter, reference::DeadlockMeaning::stutter},
    {DeadlockReading::finite, reference::DeadlockMeaning::finite},
    {DeadlockReading::ignore, reference::DeadlockMeaning::ignore},
};

inline constexpr std::pair<check::Fairness, reference::FairRuns> kFairness[] = {
    {check::Fairness::weak, reference::FairRuns::weakly_fair},
    {check::Fairness::strong, reference::FairRuns::strongly_fair},
};

// Of a kind where it often matters which paths are fair: whether one stays in a set.
inline BranchingTree random_stay(Random& random) {
    using enum BranchingOp;
    BranchingTree inside = reference::make_atom(below(random, kAtoms.size()));
    if (below(random, 3) > 0)
        inside = reference::make_branching(disjunction, {inside, reference::make_atom(below(random, kAtoms.size()))});
    if (below(random, 3) == 0) inside = reference::make_branching(negation, {inside});
    const bool is_always = below(random, 2) == 0;
    return reference::make_branching(
        below(random, 4) > 0 ? (is_always ? exists : forall) : (is_always ? forall : exists),
        {reference::make_branching(is_always ? always : eventually, {inside})});
}

class RandomBranching : public testing::Test {
protected:
    void load(Random& random, std::size_t most) {
        text_ = random_structure(random, most);
        load_text();
    }
    void load_text() {
        support::Result<input::LoadedModel> loaded = input::load_model_text("random.json", text_, {});
        ASSERT_TRUE(loaded) << text_;
        model_ = loaded->model;
        machine_ = reference::make_machine(*loaded, {});
        const reference::Graph explored = reference::explore(*machine_, {});
        initial_ = explored.initial;
        states_ = explored.states;
        graph_.successors.assign(explored.states.size(), {});
        graph_.moved.assign(explored.states.size(), {});
        std::vector<std::string> lines;
        std::istringstream stream(text_);
        for (std::string line; std::getline(stream, line);) lines.push_back(line);
        for (const reference::Edge& edge : explored.edges) {
            graph_.successors[edge.from].push_back(edge.to);
            const std::string& line = lines.at(edge.participants.at(0).line - 1);
            const std::size_t action = line.find("\"a");
            const int number = action == std::string::npos ? 0 : std::stoi(line.substr(action + 2));
            graph_.moved[edge.from].push_back(std::uint64_t{1} << number);
        }
        graph_.atoms.assign(kAtoms.size(), std::vector<bool>(explored.states.size()));
        for (std::size_t a = 0; a < kAtoms.size(); ++a)
            for (std::size_t s = 0; s < explored.states.size(); ++s)
                graph_.atoms[a][s] = machine_->evaluate(kAtoms[a], explored.states[s])->value != 0;
        // Packed as if only the initial values had ever been seen.
        std::vector<model::Range> seen;
        for (const model::Value value : model_->initial) seen.push_back({value, value});
        layout_ = successor::Layout::observed(*model_, seen);
    }

    [[nodiscard]] check::BranchingRequest request(const std::string& formula, DeadlockReading reading,
                                                  const successor::KeyProgram& key = {},
                                                  check::Fairness fairness = check::Fairness::none) const {
        auto formulas = std::make_shared<logic::Formulas>(true);
        const support::Result<logic::Formula> parsed =
            logic::parse_formula(*formulas, support::SourceText("formula", formula));
        EXPECT_TRUE(parsed) << formula;
        check::BranchingRequest request;
        support::Result<check::ctl::Program> program = check::ctl::make_program(formulas, {*parsed}, {});
        EXPECT_TRUE(program) << formula;
        std::vector<model::Expression> labels;
        for (const std::string& atom : program->atoms)
            labels.push_back(*model::parse_expression(*model_, support::SourceText("atom", atom)));
        request.program = std::make_shared<const check::ctl::Program>(*std::move(program));
        std::string notice;
        request.system = successor::make_model_system(model_, std::move(labels), *layout_, key,
                                                      successor::Successors::interpret, unlimited_, notice);
        request.properties = {{"property", "ctl", formula}};
        request.deadlocks = reading;
        request.counts_satisfying = true;
        request.confirm = [this](const trace::Trace& trace, const support::Budget& budget) {
            return trace::confirm(trace, *machine_, budget);
        };
        if (fairness != check::Fairness::none) {
            request.fairness = {fairness,
                                std::make_shared<const successor::ProcessTable>(successor::process_table(*model_))};
            request.is_fair = [this, fairness](const trace::Trace& trace) { return is_fair(trace, fairness); };
        }
        request.evaluate = [this](const std::string& atom, const trace::Trace& trace, std::size_t i) {
            return trace::evaluate(atom, trace, i, *machine_);
        };
        return request;
    }

    // The cycle of a run, whose steps may be taken in turn where two states have several between them.
    [[nodiscard]] bool is_fair(const trace::Trace& trace, check::Fairness fairness) const {
        if (trace.stays) return true;
        std::uint64_t always = ~std::uint64_t{0};
        std::uint64_t somewhere = 0;
        std::uint64_t moved = 0;
        for (std::size_t i = *trace.loop; i < trace.size(); ++i) {
            const std::size_t from = number_of(trace.values(i));
            const std::size_t to = number_of(trace.values(i + 1 == trace.size() ? *trace.loop : i + 1));
            std::uint64_t enabled = 0;
            for (std::size_t e = 0; e < graph_.successors[from].size(); ++e) {
                enabled |= graph_.moved[from][e];
                if (graph_.successors[from][e] == to) moved |= graph_.moved[from][e];
            }
            always &= enabled;
            somewhere |= enabled;
        }
        return ((fairness == check::Fairness::weak ? always : somewhere) & ~moved) == 0;
    }
    [[nodiscard]] std::size_t number_of(const std::vector<model::Value>& values) const {
        const auto found = std::ranges::find(states_, reference::State(values.begin(), values.end()));
        EXPECT_NE(found, states_.end());
        return static_cast<std::size_t>(found - states_.begin());
    }

    std::string text_;
    std::shared_ptr<const model::Model> model_;
    std::vector<reference::State> states_;
    std::unique_ptr<reference::Machine> machine_;
    reference::ExplicitGraph graph_;
    std::size_t initial_ = 1;
    std::optional<successor::Layout> layout_;
    const support::Budget unlimited_;
};

}  // namespace tideline::differential
