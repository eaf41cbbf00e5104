// Random Kripke structures and formulas of branching time, with what engines are asked.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>

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

inline std::string random_structure(Random& random, std::size_t most) {
    const std::size_t n = 1 + below(random, most);
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
    static constexpr std::size_t kDegrees[] = {0, 1, 1, 2, 2, 3};
    for (std::size_t s = 0; s < n; ++s)
        for (std::size_t d = kDegrees[below(random, 6)]; d > 0; --d) {
            text += (first ? "[" : ", [") + std::to_string(s) + ", " + std::to_string(below(random, n)) + "]";
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
        graph_.successors.assign(explored.states.size(), {});
        for (const reference::Edge& edge : explored.edges) graph_.successors[edge.from].push_back(edge.to);
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
                                                  const successor::KeyProgram& key = {}) const {
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
        request.evaluate = [this](const std::string& atom, const trace::Trace& trace, std::size_t i) {
            return trace::evaluate(atom, trace, i, *machine_);
        };
        return request;
    }

    std::string text_;
    std::shared_ptr<const model::Model> model_;
    std::unique_ptr<reference::Machine> machine_;
    reference::ExplicitGraph graph_;
    std::size_t initial_ = 1;
    std::optional<successor::Layout> layout_;
    const support::Budget unlimited_;
};

}  // namespace tideline::differential
