// Whole runs on random models with symmetric processes, with --symmetry and without: the same verdicts by every engine,
// deadlocks and faults kept, every run replayed by reference/ as a run of the model (a run that is refuted throws), and
// as many states as classes whatever the engine.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "logic/print.hpp"
#include "logic/random_formula.hpp"
#include "reduce/sample_symmetric_model.hpp"
#include "run/execute.hpp"
#include "run/sample_input.hpp"
#include "successor/run_lifter.hpp"

namespace tideline::differential {
namespace {

using run::Engine;

std::uint64_t models_wanted() {
    const char* given = std::getenv("TIDELINE_RANDOM_MODELS");
    return given == nullptr ? 250 : std::strtoull(given, nullptr, 10);
}

class RandomSymmetry : public ::testing::Test {
protected:
    struct Way {
        Engine engine = Engine::automatic;
        bool ledger = false;
        unsigned threads = 1;
        std::string progress{};  // empty: none is given
        bool compress = false;
    };

    run::OrRefusal<run::RunReport> execute(const run::RunSpec& spec) {
        run::Sink sink;
        const support::Budget budget;
        return run::run(spec, sink, budget);
    }
    run::RunReport report_of(const run::RunSpec& spec) {
        run::OrRefusal<run::RunReport> result = execute(spec);
        if (const auto* refusal = std::get_if<run::Refusal>(&result))
            throw std::runtime_error(support::to_text(refusal->diagnostics.front()));
        return std::get<run::RunReport>(std::move(result));
    }
    run::RunSpec spec_of(run::Task task, const Way& way, std::vector<run::PropertySpec> properties = {}) {
        run::RunSpec spec = run::spec_for(path_, task, std::move(properties));
        spec.engine = way.engine;
        spec.threads = way.threads;
        spec.compress = way.compress;
        spec.ledger.kind = way.ledger ? run::LedgerChoice::Kind::automatic : run::LedgerChoice::Kind::none;
        spec.temporary_folder = folder_ / "";
        if (!way.progress.empty()) spec.progress = {run::ProgressChoice::Kind::given, way.progress};
        spec.successors = interpret_ ? successor::Successors::interpret : successor::Successors::native;
        return spec;
    }

    void compare_explorations(const std::vector<Way>& ways) {
        const run::RunReport plain = report_of(spec_of(run::Task::explore, {Engine::bfs}));
        std::optional<std::uint64_t> classes;
        for (const Way& way : ways) {
            SCOPED_TRACE(std::string(to_string(way.engine)) + ' ' + way.progress + (way.ledger ? " with" : " without") +
                         " ledger, threads " + std::to_string(way.threads));
            run::RunSpec spec = spec_of(run::Task::explore, way);
            spec.symmetry = "auto";
            const run::RunReport reduced = report_of(spec);
            ASSERT_TRUE(reduced.symmetry);
            const explore::Statistics& statistics = reduced.outcome.statistics;
            ASSERT_EQ(statistics.deadlocks > 0, plain.outcome.statistics.deadlocks > 0);
            ASSERT_EQ(kinds_of(reduced), kinds_of(plain));
            if (!reduced.outcome.counts_known) continue;
            ASSERT_LE(statistics.states, plain.outcome.statistics.states);
            if (!reduced.symmetry->is_canonical) continue;
            if (classes) {
                ASSERT_EQ(statistics.states, *classes);
            }
            classes = statistics.states;
        }
        if (classes) {
            saved_ += plain.outcome.statistics.states - *classes;
            states_ += plain.outcome.statistics.states;
        }
    }
    static std::map<model::FaultKind, bool> kinds_of(const run::RunReport& report) {
        std::map<model::FaultKind, bool> kinds;
        for (const check::FaultReport& fault : report.outcome.faults) kinds[fault.kind] = true;
        return kinds;
    }

    void compare_checks(const std::vector<run::PropertySpec>& properties, const Way& plain_way,
                        const std::vector<Way>& ways) {
        const run::RunReport plain = report_of(spec_of(run::Task::check, plain_way, properties));
        for (const Way& way : ways) {
            SCOPED_TRACE(std::string(to_string(way.engine)) + (way.ledger ? " with" : " without") +
                         " ledger, threads " + std::to_string(way.threads));
            run::RunSpec spec = spec_of(run::Task::check, way, properties);
            spec.symmetry = "auto";
            const run::RunReport reduced = report_of(spec);
            for (std::size_t i = 0; i < properties.size(); ++i) {
                SCOPED_TRACE(properties[i].text);
                const check::Verdict& expected = plain.outcome.verdicts.at(i);
                const check::Verdict& verdict = reduced.outcome.verdicts.at(i);
                // Behind a fault nothing is decided, and how far a search comes before it depends on the engine.
                if (!plain.outcome.faults.empty() && verdict.answer != expected.answer) {
                    ASSERT_TRUE(verdict.answer == check::Answer::unknown || expected.answer == check::Answer::unknown);
                    continue;
                }
                ASSERT_EQ(verdict.answer, expected.answer);
                ++verdicts_[verdict.answer];
                if (verdict.answer == check::Answer::violated && !properties[i].is_branching()) {
                    ASSERT_TRUE(verdict.trace) << verdict.trace_reason;
                    ASSERT_EQ(successor::lifter_of(*verdict.trace->system), nullptr);
                    ++traces_;
                    if (verdict.trace->loop) ++loops_;
                }
            }
        }
    }

    run::SampleFolder folder_;
    std::string path_;
    bool interpret_ = true;
    std::uint64_t states_ = 0;
    std::uint64_t saved_ = 0;
    std::uint64_t traces_ = 0;
    std::uint64_t loops_ = 0;
    std::map<check::Answer, std::uint64_t> verdicts_;
};

TEST_F(RandomSymmetry, EveryEngineAgreesWithTheSearchWithoutIt) {
    for (std::uint64_t seed = 0; seed < models_wanted(); ++seed) {
        const reduce::samples::SymmetricModel sample = reduce::samples::random_symmetric_model(seed + 100'000);
        SCOPED_TRACE("seed " + std::to_string(seed + 100'000) + "\n" + sample.text);
        path_ = folder_.write("m.dve", sample.text);
        // Machine code takes a while to be made.
        interpret_ = seed % 25 != 0;
        run::RunSpec bounded = spec_of(run::Task::explore, {Engine::bfs});
        bounded.states = 3'000;
        if (!report_of(bounded).outcome.complete) continue;
        logic::RandomEngine random(seed);
        std::vector<Way> ways{{Engine::bfs}, {Engine::dfs}, {Engine::bfs, false, 2}, {Engine::bfs, false, 1, "", true}};
        // Of these measures the first two are the same for all states of a class.
        for (const char* measure : {"shared", "a[0] + a[1]", "a[0], shared", "P_0"}) {
            ways.push_back({Engine::sweep, false, 1, measure});
            if (seed % 4 == 0) ways.push_back({Engine::sweep, true, 1 + static_cast<unsigned>(seed % 8 / 4), measure});
        }
        compare_explorations(ways);
        if (HasFatalFailure()) return;
        const auto some_atom = [&] { return sample.atoms[logic::below(random, sample.atoms.size())]; };
        compare_checks(
            {run::invariant(some_atom(), "i"), run::invariant("not (" + some_atom() + ")", "j"), run::no_deadlock()},
            {Engine::bfs}, {{Engine::bfs}, {Engine::dfs}, {Engine::sweep, false, 1, "a[0]"}, {Engine::bfs, false, 2}});
        if (HasFatalFailure()) return;
        std::vector<run::PropertySpec> linear;
        for (int i = 0; i < 3; ++i) {
            logic::Formulas formulas;
            std::vector<logic::Formula> names;
            for (const std::string& atom : sample.atoms) names.push_back(formulas.atom("(" + atom + ")"));
            const logic::Formula f = logic::random_ltl(formulas, random, names, 2 + logic::below(random, 6));
            linear.push_back(run::ltl(logic::to_text(formulas, f), "f" + std::to_string(i)));
        }
        compare_checks(linear, {Engine::couvreur},
                       {{Engine::couvreur}, {Engine::graph}, {Engine::ndfs}, {Engine::map}, {Engine::automatic, true}});
        if (HasFatalFailure()) return;
        if (seed % 8 == 0)
            compare_checks(linear, {Engine::couvreur},
                           {{Engine::sweep, true, 1, "shared"}, {Engine::sweep, true, 1, "a[0]"}});
        if (HasFatalFailure()) return;
        const std::string p = "{" + some_atom() + "}";
        const std::string q = "{" + some_atom() + "}";
        compare_checks({run::ctl("AG (" + p + " -> EF " + q + ")", "c0"), run::ctl("E [" + p + " U " + q + "]", "c1"),
                        run::ctl("AF " + q, "c2"), run::ctl("EX (" + p + " & EG " + q + ")", "c3")},
                       {Engine::labelling}, {{Engine::labelling}, {Engine::prod}, {Engine::local}});
        if (HasFatalFailure()) return;
        if (seed % 16 == 0)
            compare_checks({run::ctl("AG EF " + q, "c0"), run::ctlstar("A (G F " + p + " -> F " + q + ")", "s")},
                           {Engine::labelling}, {{Engine::labelling}, {Engine::ledger, true, 1, "shared"}});
        if (HasFatalFailure()) return;
        // What tells copies apart is refused.
        run::RunSpec broken = spec_of(run::Task::check, {Engine::bfs}, {run::invariant(sample.broken_atom, "i")});
        broken.symmetry = "auto";
        const run::OrRefusal<run::RunReport> refused = execute(broken);
        ASSERT_TRUE(std::holds_alternative<run::Refusal>(refused));
        ASSERT_NE(std::get<run::Refusal>(refused).diagnostics.front().message.find(sample.broken_atom),
                  std::string::npos);
    }
    EXPECT_GT(saved_, states_ / 2);
    EXPECT_GT(traces_, models_wanted() * 2);
    EXPECT_GT(loops_, models_wanted() / 4);
    EXPECT_GT(verdicts_[check::Answer::holds], models_wanted() * 4);
    EXPECT_GT(verdicts_[check::Answer::violated], models_wanted() * 4);
}

}  // namespace
}  // namespace tideline::differential
