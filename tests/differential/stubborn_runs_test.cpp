// Whole runs with stubborn sets against the same runs without, on random models: deadlocks, invariants, linear-time
// formulas without X and CTL without X, by every engine that takes them, with the given reading of deadlocks, sweeps by
// a random measure, threads, ledgers. Every run that is shown is replayed by reference/ before it is shown.
// Environment: TIDELINE_RANDOM_MODELS (how many), TIDELINE_RANDOM_SEED (the first).
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "logic/print.hpp"
#include "logic/random_formula.hpp"
#include "run/execute.hpp"
#include "run/sample_input.hpp"
#include "tests/differential/loose_dve.hpp"

namespace tideline::differential {
namespace {

std::uint64_t number(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Answers {
    std::map<std::string, check::Answer> by_name;
    std::uint64_t states = 0;
    bool has_faults = false;
    bool shows_all = true;  // what is violated has a trace
};

class StubbornRuns : public testing::Test {
protected:
    Answers answers(run::RunSpec spec, bool reduced) {
        spec.stubborn = reduced ? run::StubbornSets::automatic : run::StubbornSets::none;
        run::Sink sink;
        const support::Budget budget;
        const run::OrRefusal<run::RunReport> result = run::run(std::move(spec), sink, budget);
        Answers found;
        if (const auto* refusal = std::get_if<run::Refusal>(&result)) {
            ADD_FAILURE() << support::to_text(refusal->diagnostics.front());
            return found;
        }
        const run::RunReport& report = std::get<run::RunReport>(result);
        found.states = report.outcome.statistics.states;
        found.has_faults = !report.outcome.faults.empty();
        for (const check::Verdict& verdict : report.outcome.verdicts) {
            found.by_name[verdict.name] = verdict.answer;
            const bool is_run = verdict.logic != "ctl";
            if (is_run && verdict.answer == check::Answer::violated && !verdict.trace) found.shows_all = false;
        }
        return found;
    }

    // With stubborn sets by `engine`, as without by the first engine that decides all of it.
    void compare(run::RunSpec spec, run::Engine engine, unsigned threads) {
        spec.successors = successor::Successors::interpret;
        spec.threads = 1;
        const Answers whole = answers(spec, false);
        spec.engine = engine;
        spec.threads = threads;
        if (engine == run::Engine::sweep || engine == run::Engine::ltl_sweep_offline ||
            engine == run::Engine::ltl_sweep_online)
            spec.progress = {run::ProgressChoice::Kind::given, "g, h"};
        const Answers reduced = answers(std::move(spec), true);
        SCOPED_TRACE("engine " + std::string(to_string(engine)) + ", threads " + std::to_string(threads));
        for (const auto& [name, answer] : whole.by_name) {
            ASSERT_TRUE(reduced.by_name.contains(name)) << name;
            // A fault may come before or after a violation is met.
            if (whole.has_faults &&
                (answer == check::Answer::unknown || reduced.by_name.at(name) == check::Answer::unknown))
                continue;
            ASSERT_EQ(reduced.by_name.at(name), answer) << name;
            ++(answer == check::Answer::holds ? held_ : violated_);
        }
        ASSERT_TRUE(reduced.shows_all);
        ++compared_;
    }

    std::uint64_t compared_ = 0;
    std::uint64_t held_ = 0;
    std::uint64_t violated_ = 0;
};

TEST_F(StubbornRuns, EveryEngineHasTheSameVerdicts) {
    const run::SampleFolder folder;
    const std::uint64_t count = number("TIDELINE_RANDOM_MODELS", 600);
    using run::Engine;
    const std::vector<Engine> state_engines{Engine::bfs, Engine::dfs, Engine::sweep, Engine::automatic};
    const std::vector<Engine> linear_engines{
        Engine::automatic, Engine::couvreur,          Engine::graph,           Engine::ndfs, Engine::map,
        Engine::sweep,     Engine::ltl_sweep_offline, Engine::ltl_sweep_online};
    const std::vector<Engine> ctl_engines{Engine::automatic, Engine::labelling, Engine::prod, Engine::local,
                                          Engine::ledger};
    const std::uint64_t first = number("TIDELINE_RANDOM_SEED", 0);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        RandomModel text = loose_model(seed);
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text.text);
        const std::string path = folder.write("m.dve", text.text);
        logic::RandomEngine random(seed);
        // Ledgers take time.
        const auto engine_of = [&](const std::vector<Engine>& engines) {
            const Engine engine = engines[logic::below(random, engines.size())];
            return (engine == Engine::ledger || engine == Engine::sweep) && seed % 4 != 0 ? engines.front() : engine;
        };
        const unsigned threads = 1 + static_cast<unsigned>(logic::below(random, 4) / 3);
        std::vector<run::PropertySpec> states{run::no_deadlock()};
        for (std::size_t i = 0; i < text.invariants.size(); ++i)
            states.push_back(run::invariant(text.invariants[i], "i" + std::to_string(i)));
        compare(run::spec_for(path, run::Task::check, states), engine_of(state_engines), threads);
        if (HasFatalFailure()) return;

        std::vector<run::PropertySpec> linear;
        while (linear.size() < 2) {
            logic::Formulas formulas;
            std::vector<logic::Formula> names;
            for (const std::string& atom : text.invariants) names.push_back(formulas.atom(atom));
            const logic::Formula f = logic::random_ltl(formulas, random, names, 1 + logic::below(random, 6));
            if (formulas.has(f, logic::Trait::next_free))
                linear.push_back(run::ltl(logic::to_text(formulas, f), "f" + std::to_string(linear.size())));
        }
        run::RunSpec spec = run::spec_for(path, run::Task::check, linear);
        if (logic::below(random, 3) == 0) spec.deadlocks = run::DeadlockReading::ignore;
        compare(std::move(spec), engine_of(linear_engines), 1);
        if (HasFatalFailure()) return;

        const std::string p = '{' + text.invariants[logic::below(random, 3)] + '}';
        const std::string q = '{' + text.invariants[logic::below(random, 3)] + '}';
        compare(run::spec_for(path, run::Task::check,
                              {run::ctl("AG EF " + p, "c0"), run::ctl("E[" + p + " U EG " + q + "]", "c1"),
                               run::ctl("AG (" + p + " -> AF " + q + ")", "c2")}),
                engine_of(ctl_engines), 1);
        if (HasFatalFailure()) return;
    }
    EXPECT_EQ(compared_, 3 * count);
    EXPECT_GT(held_, count);
    EXPECT_GT(violated_, count);
}

}  // namespace
}  // namespace tideline::differential
