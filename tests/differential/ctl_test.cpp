// CTL and CTL* on random Kripke structures: the engines against the fixpoints of reference/, in the three readings of
// deadlocks. All evidence is replayed, and its atoms are evaluated, by reference/.
#include <gtest/gtest.h>

#include <algorithm>

#include "check/ctl/labelling.hpp"
#include "check/layer_branching.hpp"
#include "tests/differential/random_branching.hpp"

namespace tideline::differential {
namespace {

class RandomEngines : public RandomBranching {
protected:
    // The verdict and the number of states of every engine.
    void expect(const check::BranchingRequest& request, const std::vector<bool>& truth) {
        bool holds = true;
        for (std::size_t s = 0; s < initial_; ++s) holds = holds && truth[s];
        const auto count = static_cast<std::uint64_t>(std::count(truth.begin(), truth.end(), true));
        const check::Outcome outcome = check::with_evidence(check::decide_branching(request), unlimited_);
        const check::Verdict& verdict = outcome.verdicts.at(0);
        ASSERT_EQ(verdict.answer, holds ? check::Answer::holds : check::Answer::violated) << outcome.engine;
        ASSERT_TRUE(verdict.tree) << outcome.engine << ": " << verdict.trace_reason;
        claims_ += verdict.tree->claims;
        paths_ += verdict.trace ? 1 : 0;
        if (request.engine == BranchingEngine::local) return;
        ASSERT_EQ(verdict.satisfying.back().states, count) << outcome.engine;
        const check::BranchingFigures& figures = *verdict.branching;
        if (figures.product_nodes > 0 || request.fairness.kind() != check::Fairness::none) return;
        ASSERT_LE(figures.most_edge_visits,
                  figures.edges * (request.engine == BranchingEngine::prod ? check::ctl::kProdVisits
                                                                           : check::ctl::kLabellingVisits));
    }

    std::uint64_t claims_ = 0;
    std::uint64_t paths_ = 0;
};

TEST_F(RandomEngines, CtlHasTheVerdictThatTheReferenceHas) {
    Random random(1);
    std::size_t held = 0;
    std::size_t violated = 0;
    for (std::uint64_t i = 0; i < pairs() * 3 / 4; ++i) {
        load(random, i % 8 == 0 ? 40 : 7);
        const BranchingTree tree = random_state_formula(random, 1 + below(random, 4), false);
        const std::string formula = reference::to_text(*tree, kAtoms);
        for (const auto& [reading, meaning] : kReadings) {
            SCOPED_TRACE(formula + "\n" + std::string(check::to_string(reading)) + "\n" + text_);
            const std::vector<bool> truth = reference::satisfying(graph_, *tree, meaning);
            (truth[0] ? held : violated) += 1;
            check::BranchingRequest asked = request(formula, reading);
            for (const BranchingEngine engine :
                 {BranchingEngine::labelling, BranchingEngine::prod, BranchingEngine::local}) {
                asked.engine = engine;
                asked.order = i % 2 == 0 ? check::ctl::ProdOrder::numbers : check::ctl::ProdOrder::components;
                expect(asked, truth);
                if (HasFatalFailure()) return;
            }
        }
    }
    EXPECT_GT(held, pairs() / 4);
    EXPECT_GT(violated, pairs() / 4);
    EXPECT_GT(paths_, pairs() / 4);
    EXPECT_GT(claims_, pairs());
}

TEST_F(RandomEngines, CtlStarHasTheVerdictThatTheReferenceHas) {
    Random random(2);
    for (std::uint64_t i = 0; i < pairs() / 4; ++i) {
        load(random, 5);
        const BranchingTree tree = random_state_formula(random, 1 + below(random, 3), true);
        const std::string formula = reference::to_text(*tree, kAtoms);
        for (const auto& [reading, meaning] : kReadings) {
            if (reading == DeadlockReading::finite) continue;
            SCOPED_TRACE(formula + "\n" + std::string(check::to_string(reading)) + "\n" + text_);
            expect(request(formula, reading), reference::satisfying(graph_, *tree, meaning));
            if (HasFatalFailure()) return;
        }
    }
}

// Only fair paths, between the actions, by the definition: all sets of nodes that a path could visit infinitely often.
TEST_F(RandomEngines, FairnessHasTheVerdictsOfItsDefinition) {
    Random random(6);
    std::size_t compared = 0;
    std::size_t matters = 0;
    std::size_t strong_matters = 0;
    for (std::uint64_t i = 0; i < pairs() / 2; ++i) {
        const bool is_star = i % 3 == 0;
        text_ = random_structure(random, 2 + below(random, is_star ? 3 : 5), 0, 2 + below(random, 2));
        load_text();
        const BranchingTree tree = i % 2 == 0
                                       ? random_stay(random)
                                       : random_state_formula(random, 1 + below(random, is_star ? 2 : 3), is_star);
        const std::string formula = reference::to_text(*tree, kAtoms);
        for (const auto& [reading, meaning] : kReadings) {
            if (is_star && reading == DeadlockReading::finite) continue;
            const std::vector<bool> plain = reference::satisfying(graph_, *tree, meaning);
            std::vector<bool> weak;
            for (const auto& [fairness, runs] : kFairness) {
                SCOPED_TRACE(formula + "\n" + std::string(check::to_string(reading)) + ' ' +
                             std::string(check::to_string(fairness)) + "\n" + text_);
                const std::optional<std::vector<bool>> truth =
                    reference::satisfying_on_fair_paths(graph_, *tree, meaning, runs);
                if (!truth) continue;
                ++compared;
                if (*truth != plain) ++matters;
                if (fairness == check::Fairness::weak) weak = *truth;
                else if (!weak.empty() && *truth != weak) ++strong_matters;
                expect(request(formula, reading, {}, fairness), *truth);
                if (HasFatalFailure()) return;
            }
        }
    }
    EXPECT_GT(compared, pairs());
    EXPECT_GT(matters, pairs() / 10);
    EXPECT_GT(strong_matters, pairs() / 500);
}

// AG EF and AG AF layer by layer, with a measure that is monotonic.
TEST_F(RandomEngines, LayersHaveTheVerdictThatTheReferenceHas) {
    using enum BranchingOp;
    Random random(5);
    std::size_t held = 0;
    std::size_t violated = 0;
    for (std::uint64_t i = 0; i < pairs() / 2; ++i) {
        const std::size_t width = 1 + below(random, 6);
        text_ = random_structure(random, 1 + below(random, i % 8 == 0 ? 40 : 10), width);
        load_text();
        BranchingTree predicate = reference::make_atom(below(random, kAtoms.size()));
        if (below(random, 2) == 0) predicate = reference::make_branching(negation, {predicate});
        if (below(random, 2) == 0)
            predicate = reference::make_branching(below(random, 2) == 0 ? disjunction : conjunction,
                                                  {predicate, reference::make_atom(below(random, kAtoms.size()))});
        const BranchingTree inner = reference::make_branching(below(random, 2) == 0 ? exists : forall,
                                                              {reference::make_branching(eventually, {predicate})});
        const BranchingTree tree = reference::make_branching(forall, {reference::make_branching(always, {inner})});
        const std::string formula = reference::to_text(*tree, kAtoms);
        successor::KeyProgram key;
        key.components.push_back(
            {model::Expression::binary(model::Op::divide, model::Expression::slot(0),
                                       model::Expression::constant(static_cast<model::Value>(width))),
             0, 8});
        for (const auto& [reading, meaning] : kReadings) {
            if (reading == DeadlockReading::ignore) continue;
            SCOPED_TRACE(formula + "\n" + std::string(check::to_string(reading)) + "\n" + text_);
            const std::vector<bool> truth = reference::satisfying(graph_, *tree, meaning);
            const bool holds = std::all_of(truth.begin(), truth.begin() + static_cast<std::ptrdiff_t>(initial_),
                                           [](bool is) { return is; });
            check::BranchingRequest asked = request(formula, reading, key);
            // Constants may make another formula of it.
            if (!check::ctl::recurrence_of(*asked.program, asked.program->roots[0])) continue;
            const check::Outcome outcome = check::decide_by_layers(asked);
            ASSERT_FALSE(outcome.measure_error);
            ASSERT_EQ(outcome.verdicts.at(0).answer, holds ? check::Answer::holds : check::Answer::violated);
            (holds ? held : violated) += 1;
            if (holds) {
                ASSERT_EQ(outcome.statistics.states, graph_.successors.size());
            }
        }
    }
    EXPECT_GT(held, pairs() / 20);
    EXPECT_GT(violated, pairs() / 20);
}

// The definition by products agrees with the fixpoints.
TEST_F(RandomEngines, TheReferenceAgreesWithItself) {
    Random random(3);
    for (std::uint64_t i = 0; i < pairs() / 40; ++i) {
        load(random, 6);
        const BranchingTree tree = random_state_formula(random, 1 + below(random, 2), false);
        for (const auto& [reading, meaning] : kReadings) {
            if (reading == DeadlockReading::finite) continue;
            ASSERT_EQ(reference::satisfying(graph_, *tree, meaning),
                      reference::satisfying_by_products(graph_, *tree, meaning))
                << reference::to_text(*tree, kAtoms) << "\n"
                << text_;
        }
    }
}

// In one state a formula and its negation never hold both where every state has a path.
TEST_F(RandomEngines, AFormulaAndItsNegationNeverHoldBoth) {
    Random random(4);
    for (std::uint64_t i = 0; i < pairs() / 40; ++i) {
        load(random, 7);
        if (initial_ != 1) continue;
        const std::string formula =
            reference::to_text(*random_state_formula(random, 1 + below(random, 3), false), kAtoms);
        for (const DeadlockReading reading : {DeadlockReading::stutter, DeadlockReading::finite}) {
            const auto answer = [&](const std::string& text) {
                return check::decide_branching(request(text, reading)).outcome.verdicts.at(0).answer;
            };
            ASSERT_NE(answer(formula), answer("!(" + formula + ")")) << formula << "\n" << text_;
        }
    }
}

}  // namespace
}  // namespace tideline::differential
