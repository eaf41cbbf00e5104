// Automata of labels (--language) on random pairs of labelled graphs, and of random models with graphs, against
// inclusion by its definition in reference/: the verdicts, and the length of the shortest run to an illegal label.
// Environment: TIDELINE_RANDOM_PAIRS (how many).
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "reference/words.hpp"
#include "run/execute.hpp"
#include "run/sample_input.hpp"
#include "tests/differential/random_numbers.hpp"

namespace tideline::differential {
namespace {

std::uint64_t pairs_wanted() {
    const char* given = std::getenv("TIDELINE_RANDOM_PAIRS");
    return given == nullptr ? 2000 : std::strtoull(given, nullptr, 10);
}

reference::WordSystem random_graph(RandomNumbers& random, std::size_t most, unsigned moves_per_state, bool is_total) {
    reference::WordSystem graph;
    graph.states = 1 + random.below(most);
    graph.initial = random.below(graph.states);
    static const std::vector<std::string> kLabels{"a", "b", "c", ""};
    for (std::size_t s = 0; s < graph.states; ++s)
        for (std::size_t i = 0; i < moves_per_state; ++i)
            if (random.chance(is_total ? 70 : 55))
                graph.moves.push_back({s, random.one_of(kLabels), random.below(graph.states)});
    // Specifications that allow much, so that not everything is illegal.
    const bool allows_all = random.chance(20);
    for (std::size_t s = 0; is_total && s < graph.states; ++s)
        for (const char* label : {"a", "b", "c"})
            if (allows_all || random.chance(35)) graph.moves.push_back({s, label, random.below(graph.states)});
    return graph;
}

std::string text_of(const reference::WordSystem& graph) {
    std::string text = "des (" + std::to_string(graph.initial) + ", " + std::to_string(graph.moves.size()) + ", " +
                       std::to_string(graph.states) + ")\n";
    for (const reference::WordSystem::Move& move : graph.moves)
        text += "(" + std::to_string(move.from) + ", \"" + (move.label.empty() ? "i" : move.label) + "\", " +
                std::to_string(move.to) + ")\n";
    return text;
}

TEST(Language, RandomPairsHaveTheVerdictsOfTheDefinition) {
    const run::SampleFolder folder;
    std::map<std::pair<bool, bool>, std::uint64_t> tally;
    for (std::uint64_t seed = 0; seed < pairs_wanted(); ++seed) {
        RandomNumbers random(seed);
        const reference::WordSystem system = random_graph(random, 9, 1 + random.below(4), false);
        reference::WordSystem specification = random_graph(random, 5, 1 + random.below(3), true);
        run::RunSpec spec;
        run::LanguageSpec language;
        if (random.chance(75)) {
            specification.final.assign(specification.states, false);
            // One or two, so that many runs end elsewhere.
            for (std::size_t i = 0; i < 1 + random.below(2); ++i) {
                const std::size_t final = random.below(specification.states);
                if (!specification.final[final]) language.final.push_back(final);
                specification.final[final] = true;
            }
        }
        language.file = folder.write("spec.aut", text_of(specification));
        spec = run::spec_for(folder.write("system.aut", text_of(system)), run::Task::check);
        // c stands for a in every other pair, and is hidden in some.
        reference::WordSystem seen = system;
        const std::size_t kind = random.below(4);
        if (kind == 1) language.rename.emplace_back("c", "a");
        if (kind == 2) language.hide = "c|d.*";
        for (reference::WordSystem::Move& move : seen.moves)
            if (move.label == "c") move.label = kind == 1 ? "a" : kind == 2 ? "" : "c";
        spec.language = language;
        spec.threads = 1;
        const run::Engine engines[] = {run::Engine::automatic, run::Engine::bfs, run::Engine::dfs};
        spec.engine = engines[random.below(3)];
        const bool is_shortest = spec.engine != run::Engine::dfs;
        SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text_of(system) + text_of(specification));
        run::Sink sink;
        const support::Budget budget;
        const run::OrRefusal<run::RunReport> result = run::run(std::move(spec), sink, budget);
        ASSERT_TRUE(std::holds_alternative<run::RunReport>(result))
            << support::to_text(std::get<run::Refusal>(result).diagnostics.front());
        const reference::IllegalRuns expected = reference::illegal_runs(seen, specification);
        for (const check::Verdict& verdict : std::get<run::RunReport>(result).outcome.verdicts) {
            if (verdict.name == "language") {
                ASSERT_EQ(verdict.answer == check::Answer::violated, expected.steps.has_value());
                if (!expected.steps) continue;
                ASSERT_TRUE(verdict.trace) << verdict.trace_reason;
                if (is_shortest) {
                    ASSERT_EQ(verdict.trace->size() - 1, *expected.steps);
                }
            } else {
                ASSERT_EQ(verdict.name, "language-end");
                ASSERT_EQ(verdict.answer == check::Answer::violated, expected.ends_badly);
            }
        }
        ++tally[{expected.steps.has_value(), expected.ends_badly}];
    }
    for (const bool illegal : {false, true})
        for (const bool badly : {false, true})
            EXPECT_GT((tally[{illegal, badly}]), pairs_wanted() / 100) << illegal << ' ' << badly;
}

}  // namespace
}  // namespace tideline::differential
