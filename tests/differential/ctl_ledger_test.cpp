// CTL and CTL* on ledgers, with random measures, against the fixpoints of reference/: the states of a random Kripke
// structure are swept by a random key, so that clusters of all shapes occur, and decided cluster by cluster. Units of
// edges are as large as the graph, or so small that clusters are solved part by part.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "check/ledger_branching.hpp"
#include "explore/search.hpp"
#include "ledger/sample_ledger.hpp"
#include "tests/differential/random_branching.hpp"

namespace tideline::differential {
namespace {

using ledger::sample::TemporaryDirectory;

class RandomLedgers : public RandomBranching {
protected:
    // (a * state + b) % layers, of the number of a state.
    [[nodiscard]] successor::KeyProgram random_key(Random& random) const {
        using model::Expression;
        const auto layers = static_cast<model::Value>(1 + below(random, 6));
        const auto factor = static_cast<model::Value>(below(random, 8));
        const auto offset = static_cast<model::Value>(below(random, 8));
        successor::KeyProgram key;
        key.components.push_back(
            {Expression::binary(model::Op::modulo,
                                Expression::binary(model::Op::add,
                                                   Expression::binary(model::Op::multiply, Expression::slot(0),
                                                                      Expression::constant(factor)),
                                                   Expression::constant(offset)),
                                Expression::constant(layers)),
             0, 8});
        return key;
    }

    // Sweeps once, then decides in all readings.
    void expect_on_ledger(const BranchingTree& tree, const std::string& formula, Random& random, bool is_star,
                          check::Fairness fairness = check::Fairness::none) {
        const TemporaryDirectory directory;
        const std::string place = directory / "ledger";
        check::BranchingRequest asked = request(formula, DeadlockReading::stutter, random_key(random), fairness);
        const std::unique_ptr<ledger::LedgerWriter> writer = ledger::LedgerWriter::create(
            place,
            explore::ledger_header(*asked.system, explore::Recorded::edges,
                                   "{\"packing\": " + explore::packing_description(*asked.system) + "}"),
            ledger::sample::small_settings(files_));
        explore::LedgerRun run{*writer};
        explore::SearchSettings settings;
        settings.ledger = &run;
        explore::SearchObserver nobody;
        const explore::SearchResult result = explore::search(asked.system, explore::WalkOrder::sweep, settings, nobody);
        ASSERT_TRUE(result.complete);
        asked.system = result.system;
        check::Outcome explored;
        explored.complete = true;
        explored.statistics = result.statistics;
        for (const auto& [reading, meaning] : kReadings) {
            if (is_star && reading == DeadlockReading::finite) continue;
            SCOPED_TRACE(formula + "\n" + std::string(check::to_string(reading)) + "\n" + text_);
            const std::optional<std::vector<bool>> known =
                fairness == check::Fairness::none
                    ? reference::satisfying(graph_, *tree, meaning)
                    : reference::satisfying_on_fair_paths(graph_, *tree, meaning,
                                                          fairness == check::Fairness::weak
                                                              ? reference::FairRuns::weakly_fair
                                                              : reference::FairRuns::strongly_fair);
            if (!known) continue;
            const std::vector<bool>& truth = *known;
            ++compared_;
            asked.deadlocks = reading;
            check::LedgerBranchingRequest on_ledger;
            on_ledger.branching = asked;
            on_ledger.ledger = writer.get();
            on_ledger.directory = place;
            // The whole graph; a few states; a state at a time.
            static constexpr std::uint64_t kUnits[] = {1U << 20U, 200, 1};
            on_ledger.clusters.unit_bytes = kUnits[below(random, 3)];
            const check::Outcome outcome =
                check::with_evidence(check::decide_on_ledger(on_ledger, explored), unlimited_);
            const check::Verdict& verdict = outcome.verdicts.at(0);
            bool holds = true;
            for (std::size_t s = 0; s < initial_; ++s) holds = holds && truth[s];
            ASSERT_EQ(verdict.answer, holds ? check::Answer::holds : check::Answer::violated)
                << *on_ledger.clusters.unit_bytes;
            ASSERT_TRUE(verdict.tree) << verdict.trace_reason;
            ASSERT_EQ(verdict.satisfying.back().states,
                      static_cast<std::uint64_t>(std::count(truth.begin(), truth.end(), true)))
                << *on_ledger.clusters.unit_bytes;
            const check::BranchingFigures& figures = *verdict.branching;
            clusters_ += figures.clusters;
            if (figures.largest_cluster > 1) ++large_;
            if (fairness == check::Fairness::none && *on_ledger.clusters.unit_bytes > 200 &&
                figures.product_nodes == 0) {
                ASSERT_LE(figures.most_edge_visits, figures.edges * check::ctl::kClusterVisits);
            }
        }
    }

    std::shared_ptr<ledger::Files> files_ = std::make_shared<ledger::sample::UnsyncedFiles>();
    std::uint64_t clusters_ = 0;
    std::uint64_t compared_ = 0;
    std::uint64_t large_ = 0;
};

TEST_F(RandomLedgers, CtlHasTheVerdictThatTheReferenceHas) {
    Random random(11);
    for (std::uint64_t i = 0; i < pairs() * 3 / 4; ++i) {
        load(random, i % 8 == 0 ? 40 : 7);
        const BranchingTree tree = random_state_formula(random, 1 + below(random, 4), false);
        expect_on_ledger(tree, reference::to_text(*tree, kAtoms), random, false);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(clusters_, pairs());
    EXPECT_GT(large_, pairs() / 4);
}

// Between the actions, by the definition (ctl_test.cpp).
TEST_F(RandomLedgers, FairnessHasTheVerdictsOfItsDefinition) {
    Random random(13);
    for (std::uint64_t i = 0; i < pairs() / 8; ++i) {
        const bool is_star = i % 3 == 0;
        text_ = random_structure(random, 2 + below(random, is_star ? 3 : 5), 0, 2 + below(random, 2));
        load_text();
        const BranchingTree tree = i % 2 == 0
                                       ? random_stay(random)
                                       : random_state_formula(random, 1 + below(random, is_star ? 2 : 3), is_star);
        expect_on_ledger(tree, reference::to_text(*tree, kAtoms), random, is_star, kFairness[below(random, 2)].first);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(compared_, pairs() / 8);
}

TEST_F(RandomLedgers, CtlStarHasTheVerdictThatTheReferenceHas) {
    Random random(12);
    for (std::uint64_t i = 0; i < pairs() / 4; ++i) {
        load(random, 5);
        const BranchingTree tree = random_state_formula(random, 1 + below(random, 3), true);
        expect_on_ledger(tree, reference::to_text(*tree, kAtoms), random, true);
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace tideline::differential
