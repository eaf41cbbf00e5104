#include "audit/audit.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "audit/sample_run.hpp"

namespace tideline::audit {
namespace {

using ledger::sample::TemporaryDirectory;
using sample::SampleRun;

const std::string kPeterson = "tests/models/peterson.dve";

std::string together(const AuditReport& report) {
    std::string result;
    for (const std::string& finding : report.findings) result += finding + "\n";
    return result;
}

AuditReport audit_of(sample::SampleRun& run, const AuditSettings& settings = {}) {
    const ledger::sample::TemporaryDirectory directory;
    run.write(directory / "ledger");
    return audit(directory / "ledger", settings);
}

void expect_finding(sample::SampleRun& run, const std::string& part) {
    const AuditReport report = audit_of(run);
    EXPECT_FALSE(report.confirmed());
    EXPECT_NE(together(report).find(part), std::string::npos) << together(report);
}

// The only one.
void expect_just(sample::SampleRun& run, const std::string& finding) {
    EXPECT_EQ(audit_of(run).findings, std::vector<std::string>{finding});
}

AuditFault fault_of(const std::string& directory, const AuditSettings& settings = {}) {
    try {
        const AuditReport report = audit(directory, settings);
        ADD_FAILURE() << "no error, but: " << together(report);
    } catch (const AuditError& error) {
        return error.kind();
    }
    return AuditFault::io;
}

void write_text(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

// Two counters up to `most`: (most + 1)^2 states.
std::string counters(int most) {
    std::string text = "byte a, b;\n";
    for (const std::string name : {"a", "b"})
        text += fmt::format(
            "process {0}p {{ state s; init s; trans s -> s {{ guard {0} < {1}; effect {0} = {0} + 1; }}; }}\n", name,
            most);
    return text + "system async;\n";
}

TEST(Audit, ConfirmsTheModelsOfTheTests) {
    std::size_t models = 0;
    for (const auto& entry : std::filesystem::directory_iterator("tests/models")) {
        if (entry.path().extension() != ".dve") continue;
        sample::SampleRun run(entry.path().string());
        const AuditReport report = audit_of(run);
        EXPECT_TRUE(report.confirmed()) << entry.path() << ": " << together(report);
        EXPECT_EQ(report.states, run.states.size());
        EXPECT_EQ(report.transitions, run.engine["statistics"]["transitions"]);
        EXPECT_EQ(report.deadlocks, run.engine["statistics"]["deadlocks"]);
        EXPECT_EQ(report.faults, run.engine["statistics"]["faults"]);
        EXPECT_EQ(report.temporary_bytes, 32 * report.states + 24 * report.transitions);
        ++models;
    }
    EXPECT_GT(models, 10U);
}

TEST(Audit, FollowsTheOptionsOfTheRun) {
    const ledger::sample::TemporaryDirectory directory;
    write_text(directory / "round.dve",
               "byte b; process P { state s; init s; trans s -> s { effect b = b + 100; }; } system async;\n");
    sample::SampleRun wrapped(directory / "round.dve", {true, true});
    EXPECT_EQ(wrapped.states.size(), 64U);
    EXPECT_TRUE(audit_of(wrapped).confirmed());
    wrapped.description["plan"]["model"]["wrap"] = false;
    EXPECT_FALSE(audit_of(wrapped).confirmed());
    sample::SampleRun alone("tests/models/property_response.dve", {false, false});
    EXPECT_TRUE(audit_of(alone).confirmed());
    alone.description["plan"]["explores_process"] = true;
    expect_finding(alone, "does not have");
}

TEST(Audit, ConfirmsExplicitSystems) {
    const ledger::sample::TemporaryDirectory directory;
    write_text(directory / "ring.aut", "des (0, 4, 3)\n(0, a, 1)\n(1, b, 2)\n(2, c, 0)\n(1, d, 1)\n");
    sample::SampleRun run(directory / "ring.aut");
    run.add_property("invariant", "state < 3");
    EXPECT_TRUE(audit_of(run).confirmed());
    run.add_property("invariant", "state != 2");
    expect_just(run,
                "the invariant 'state != 2' does not hold: it is violated in 1 states, the first of them is state 2");
}

// Three initial states, of which one is a successor of another.
class SeveralInitialStates : public testing::Test {
protected:
    SeveralInitialStates() {
        write_text(directory_ / "several.json",
                   R"({"states": 6, "initial": [3, 0, 1], "edges": [[0, 1], [1, 2], [3, 4], [4, 4]]})");
    }
    [[nodiscard]] sample::SampleRun run() const { return sample::SampleRun(directory_ / "several.json"); }
    ledger::sample::TemporaryDirectory directory_;
};

TEST_F(SeveralInitialStates, AreConfirmed) {
    sample::SampleRun right = run();
    ASSERT_EQ(right.states, (std::vector<reference::State>{{3}, {0}, {1}, {4}, {2}}));
    ASSERT_EQ(right.parents, (std::vector<std::uint64_t>{0, 1, 2, 0, 2}));
    EXPECT_TRUE(audit_of(right).confirmed());
    right.add_edges();
    EXPECT_TRUE(audit_of(right).confirmed());
}

TEST_F(SeveralInitialStates, AreMissing) {
    sample::SampleRun missing = run();
    missing.states[0] = {5};
    expect_finding(missing, "1 states are their own parents, but no initial states, the first of them is state 0");
    expect_finding(missing, "1 of the 3 initial states are not in the ledger");
}

TEST_F(SeveralInitialStates, HaveAParent) {
    sample::SampleRun hidden = run();
    hidden.parents[2] = 1;  // which is one of its parents indeed
    expect_just(hidden, "1 initial states have a parent, the first of them is state 2 with parent 1");
}

TEST_F(SeveralInitialStates, AreTooMany) {
    sample::SampleRun more = run();
    more.parents[4] = 4;
    expect_just(more, "1 states are their own parents, but no initial states, the first of them is state 4");
}

TEST(Audit, ReachesWhatWasDiscoveredBeforeTheSearchChanged) {
    const ledger::sample::TemporaryDirectory directory;
    write_text(directory / "counters.dve", counters(60));
    sample::SampleRun run(directory / "counters.dve");
    run.engine["changed_over"] = {{"states", 1000}};
    for (std::size_t i = 1; i < run.states.size() / 2; ++i) run.parents[i] = ledger::kUnknownParent;
    EXPECT_TRUE(audit_of(run).confirmed()) << together(audit_of(run));
    AuditSettings settings;
    settings.memory = std::uint64_t{1} << 20U;
    EXPECT_TRUE(audit_of(run, settings).confirmed());
    run.add_edges();
    EXPECT_TRUE(audit_of(run).confirmed()) << together(audit_of(run));
    // Without the note in the checkpoint the parent is just wrong.
    run.engine.erase("changed_over");
    EXPECT_FALSE(audit_of(run).confirmed());

    // Two states that nothing leads to but they themselves.
    write_text(directory / "apart.aut", "des (0, 5, 5)\n(0, a, 1)\n(1, b, 2)\n(2, c, 0)\n(3, d, 4)\n(4, e, 3)\n");
    sample::SampleRun apart(directory / "apart.aut");
    apart.engine["changed_over"] = {{"states", 5}};
    apart.engine["statistics"]["states"] = 5;
    apart.engine["statistics"]["expanded"] = 5;
    apart.engine["statistics"]["transitions"] = 5;
    for (const std::int64_t state : {3, 4}) {
        apart.states.push_back({state});
        apart.parents.push_back(ledger::kUnknownParent);
    }
    apart.parents[1] = ledger::kUnknownParent;
    expect_just(
        apart,
        "2 of 3 states that were discovered before the search changed to the sweep cannot be reached, the first "
        "of them is state 3");
}

TEST(Audit, ManyStatesInLittleMemory) {
    const ledger::sample::TemporaryDirectory directory;
    write_text(directory / "counters.dve", counters(220));
    sample::SampleRun run(directory / "counters.dve");
    ASSERT_EQ(run.states.size(), 221U * 221U);
    AuditSettings settings;
    settings.memory = std::uint64_t{1} << 20U;
    std::uint64_t partitions = 0;
    settings.progress = [&](const AuditProgress& progress) {
        if (progress.phase == AuditProgress::Phase::partitions) partitions = progress.of;
    };
    EXPECT_TRUE(audit_of(run, settings).confirmed());
    EXPECT_EQ(partitions, 4U);

    run.parents[20'000] = run.parents[20'000] - 1;
    run.remove(run.states.size() - 1);
    run.engine["statistics"] = {
        {"states", run.states.size()}, {"transitions", 2 * 220 * 221}, {"deadlocks", 0}, {"faults", 0}};
    const AuditReport report = audit_of(run, settings);
    ASSERT_EQ(report.findings.size(), 2U) << together(report);
    EXPECT_EQ(report.findings[0],
              fmt::format("2 of 97240 steps lead to states that are not in the ledger, the first of them from state {}",
                          run.states.size() - 2));
    EXPECT_EQ(report.findings[1],
              "1 states are no successors of their parents, the first of them is state 20000 with parent " +
                  std::to_string(run.parents[20'000]));
}

TEST(Audit, StateIsMissing) {
    sample::SampleRun run(kPeterson);
    run.remove(19);
    expect_finding(run, "steps lead to states that are not in the ledger");
    // Even where the run has miscounted in the same way.
    const AuditReport counted = audit_of(run);
    run.engine["statistics"]["states"] = counted.states;
    run.engine["statistics"]["transitions"] = counted.transitions;
    run.engine["statistics"]["deadlocks"] = counted.deadlocks;
    const AuditReport report = audit_of(run);
    ASSERT_EQ(report.findings.size(), 1U) << together(report);
    EXPECT_NE(report.findings[0].find("steps lead to states that are not in the ledger"), std::string::npos);
}

TEST(Audit, InitialStateIsMissing) {
    sample::SampleRun run(kPeterson);
    run.states[0] = run.states[1];
    expect_finding(run, "state 0 is not the initial state: 'flag[0]' is 1 and not 0");
    sample::SampleRun swapped(kPeterson);
    std::swap(swapped.states[0], swapped.states[1]);
    expect_finding(swapped, "state 0 is not the initial state");
    sample::SampleRun rooted(kPeterson);
    rooted.parents[0] = 3;
    expect_just(rooted, "state 0 is an initial one, but has the parent 3");
}

TEST(Audit, ParentIsWrong) {
    sample::SampleRun run(kPeterson);
    run.parents[15] = 0;
    expect_just(run, "1 states are no successors of their parents, the first of them is state 15 with parent 0");
    run.parents[15] = ledger::kNumberEnd - 1;
    expect_just(
        run,
        "1 states have a parent that does not come before them, the first of them is state 15 with parent 1099511627775");
    run.parents[15] = 15;
    expect_just(run, "1 states are their own parents, but no initial states, the first of them is state 15");
}

TEST(Audit, StateCannotBeReached) {
    sample::SampleRun run(kPeterson);
    run.states.push_back(run.states[0]);
    run.states.back()[2] = 1;  // turn, which is 0 as long as nobody has asked
    run.parents.push_back(0);
    expect_finding(run, "1 states are no successors of their parents, the first of them is state 20 with parent 0");
    expect_finding(run, "the ledger has 21 states, the run claims 20");
}

// Two states that lead to each other, and to nobody else who is not there, are no less unreachable.
TEST(Audit, CycleThatCannotBeReached) {
    const ledger::sample::TemporaryDirectory directory;
    write_text(directory / "cycle.aut", "des (0, 4, 4)\n(0, a, 1)\n(1, a, 0)\n(2, a, 3)\n(3, a, 2)\n");
    sample::SampleRun run(directory / "cycle.aut");
    ASSERT_EQ(run.states.size(), 2U);
    run.states.push_back({2});
    run.states.push_back({3});
    run.parents.push_back(3);
    run.parents.push_back(2);
    run.engine["statistics"]["states"] = 4;
    run.engine["statistics"]["transitions"] = 4;
    expect_just(run,
                "1 states have a parent that does not come before them, the first of them is state 2 with parent 3");
    run.parents[2] = 2;
    expect_finding(run, "1 states are their own parents, but no initial states, the first of them is state 2");
}

TEST(Audit, StateIsThereTwice) {
    sample::SampleRun run(kPeterson);
    run.states.push_back(run.states[7]);
    run.parents.push_back(run.parents[7]);
    expect_finding(run,
                   "1 states are there more than once, the first of them is state 20, which is the same as state 7");
}

TEST(Audit, EveryChangeOfAValueIsNoticed) {
    const sample::SampleRun right(kPeterson);
    for (std::size_t state = 0; state < right.states.size(); ++state)
        for (std::size_t slot = 0; slot < right.names.size(); ++slot) {
            sample::SampleRun run = right;
            run.states[state][slot] = run.states[state][slot] == 0 ? 1 : 0;
            EXPECT_FALSE(audit_of(run).confirmed()) << state << ' ' << slot;
        }
}

TEST(Audit, CountsAreWrong) {
    const sample::SampleRun right("tests/models/fault_division.dve");
    const std::pair<std::string, std::string> kinds[] = {
        {"states", "states"}, {"transitions", "transitions"}, {"deadlocks", "deadlocks"}, {"faults", "faulty steps"}};
    for (const auto& [member, name] : kinds) {
        sample::SampleRun run = right;
        const std::uint64_t number = run.engine["statistics"][member];
        run.engine["statistics"][member] = number + 1;
        expect_just(run, fmt::format("the ledger has {} {}, the run claims {}", number, name, number + 1));
    }
}

TEST(Audit, AnotherModel) {
    const ledger::sample::TemporaryDirectory directory;
    const std::string path = directory / "counters.dve";
    write_text(path, counters(5));
    sample::SampleRun run(path);
    write_text(path, counters(5) + "\n");
    expect_finding(run, "is not the model that was explored: its hash is ");
    std::filesystem::rename(path, directory / "moved");
    run.write(directory / "ledger");
    EXPECT_EQ(fault_of(directory / "ledger"), AuditFault::model);
    write_text(directory / "moved", counters(5));
    AuditSettings settings;
    settings.model = directory / "moved";
    EXPECT_TRUE(audit(directory / "ledger", settings).confirmed());
}

TEST(Audit, Properties) {
    sample::SampleRun run(kPeterson);
    run.add_property("deadlock", "");
    run.add_property("invariant", "not (P0.critical and P1.critical)");
    EXPECT_TRUE(audit_of(run).confirmed());
    run.add_property("invariant", "turn == 0");
    const AuditReport report = audit_of(run);
    ASSERT_EQ(report.findings.size(), 1U) << together(report);
    EXPECT_EQ(report.findings[0],
              fmt::format(
                  "the invariant 'turn == 0' does not hold: it is violated in {} states, the first of them is state {}",
                  report.properties[2].violations, report.properties[2].first));
    EXPECT_EQ(run.states[report.properties[2].first][2], 1);

    run.engine["told"] = {{0, report.properties[2].first, 1, 0, 1}};
    EXPECT_TRUE(audit_of(run).confirmed());
    run.engine["told"].push_back({1, 3, 0, 0, 1});
    expect_just(run, "freedom from deadlocks is claimed to be violated, but holds in all 20 states");
    run.engine["told"] = {{0, 3, 0, 0, 1}, {0, 3, 1, 0, 1}, {2, 5, 0, 1, 1}};
    expect_just(
        run, "the invariant 'not (P0.critical and P1.critical)' is claimed to be violated, but holds in all 20 states");
    run.engine["told"] = nlohmann::json::array({"label"});
    expect_finding(run, "tells of something that cannot be understood");
}

TEST(Audit, PropertyThatCannotBeEvaluatedDoesNotHold) {
    sample::SampleRun run(kPeterson);
    run.add_property("invariant", "turn == 0 or 1 / (turn - 1) == 5");
    expect_finding(run, "does not hold");
    sample::SampleRun unknown(kPeterson);
    unknown.add_property("invariant", "turn == nobody");
    expect_finding(unknown, "the invariant cannot be understood");
    sample::SampleRun later(kPeterson);
    later.add_property("ltl", "G turn");
    expect_finding(later, "properties of the kind 'ltl' cannot be audited");
}

TEST(Audit, Assertions) {
    sample::SampleRun holds("tests/models/assert_holds.dve");
    const support::Result<input::LoadedModel> loaded = input::load_model("tests/models/assert_holds.dve", {});
    ASSERT_TRUE(loaded && !loaded->model->assertions.empty());
    for (const model::NamedExpression& assertion : loaded->model->assertions)
        holds.add_property("assertion", assertion.name.substr(assertion.name.find(": ") + 2));
    EXPECT_TRUE(audit_of(holds).confirmed());

    sample::SampleRun fails("tests/models/assert_fails.dve");
    fails.add_property("assertion", "inside == 1");
    expect_finding(fails, "the assertion 'inside == 1' does not hold: it is violated in 1 states");
    fails.engine["told"] = {{0, 12, 0, 0, 1}};
    EXPECT_TRUE(audit_of(fails).confirmed());
    fails.add_property("assertion", "inside == 2");
    expect_finding(fails, "the model has no assertion 'inside == 2'");
}

TEST(Audit, Deadlocks) {
    sample::SampleRun dining("tests/models/philosophers.dve");
    dining.add_property("deadlock", "");
    if (dining.engine["statistics"]["deadlocks"] == 0) GTEST_FAIL() << "the model was to have a deadlock";
    expect_finding(dining, "freedom from deadlocks does not hold");
}

TEST(Audit, ConfirmsRecordedEdges) {
    std::size_t edges = 0;
    for (const auto& entry : std::filesystem::directory_iterator("tests/models")) {
        if (entry.path().extension() != ".dve") continue;
        sample::SampleRun run(entry.path().string());
        run.add_edges();
        const AuditReport report = audit_of(run);
        EXPECT_TRUE(report.confirmed()) << entry.path() << ": " << together(report);
        EXPECT_GE(report.temporary_bytes, 32 * report.states + 32 * report.transitions);
        edges += report.transitions;
    }
    EXPECT_GT(edges, 1000U);
}

TEST(Audit, ManyEdgesInLittleMemory) {
    const ledger::sample::TemporaryDirectory directory;
    write_text(directory / "counters.dve", counters(220));
    sample::SampleRun run(directory / "counters.dve");
    run.add_edges();
    AuditSettings settings;
    settings.memory = std::uint64_t{1} << 20U;
    std::uint64_t partitions = 0;
    settings.progress = [&](const AuditProgress& progress) {
        if (progress.phase == AuditProgress::Phase::partitions) partitions = progress.of;
    };
    EXPECT_TRUE(audit_of(run, settings).confirmed());
    EXPECT_EQ(partitions, 4U + 1U);  // of states and of temporary ids
    run.edges[30'000][1].first = 17;
    EXPECT_EQ(audit_of(run, settings).findings,
              std::vector<std::string>{
                  "1 edges do not lead to where the steps lead, the first of them from state 30000 to state 17"});
}

// A copy of Peterson's algorithm with edges, in which the first edge of some state has a final number and of another a
// temporary id.
class ForgedEdges : public testing::Test {
protected:
    ForgedEdges() : run_(kPeterson) {
        run_.add_edges();
        while ((run_.edges[final_][0].first & ledger::kTemporaryId) != 0) ++final_;
        while ((run_.edges[temporary_][0].first & ledger::kTemporaryId) == 0) ++temporary_;
    }
    sample::SampleRun run_;
    std::size_t final_ = 0;
    std::size_t temporary_ = 0;
};

TEST_F(ForgedEdges, NoneIsConfirmed) {
    const sample::SampleRun right = run_;
    ASSERT_TRUE(audit_of(run_).confirmed());
    for (std::size_t state = 0; state < right.states.size(); ++state) {
        for (std::size_t edge = 0; edge < right.edges[state].size(); ++edge) {
            const std::uint64_t target = right.edges[state][edge].first;
            for (const std::uint64_t other : {std::uint64_t{0}, std::uint64_t{19}, std::uint64_t{20},
                                              ledger::kTemporaryId | 1, ledger::kTemporaryId | 99}) {
                // The number of the state, or a temporary id that stands for it.
                if (other == target || (target & ~ledger::kTemporaryId) == 2 * other + 1 ||
                    (other & ~ledger::kTemporaryId) == 2 * target + 1)
                    continue;
                run_ = right;
                run_.edges[state][edge].first = other;
                EXPECT_FALSE(audit_of(run_).confirmed()) << state << " to " << other << " in place of " << target;
            }
            run_ = right;
            run_.edges[state].erase(run_.edges[state].begin() + static_cast<std::ptrdiff_t>(edge));
            EXPECT_FALSE(audit_of(run_).confirmed());
        }
        run_ = right;
        run_.edges[state].push_back(right.edges[state].front());
        EXPECT_FALSE(audit_of(run_).confirmed());
    }
    for (std::size_t pair = 0; pair < right.pairs.size(); ++pair) {
        run_ = right;
        run_.pairs[pair].second = (run_.pairs[pair].second + 1) % run_.states.size();
        EXPECT_FALSE(audit_of(run_).confirmed());
    }
}

TEST_F(ForgedEdges, LeadElsewhere) {
    run_.edges[final_][0].first = 13;
    expect_just(run_,
                fmt::format("1 edges do not lead to where the steps lead, the first of them from state {} to state 13",
                            final_));
}

TEST_F(ForgedEdges, HaveATemporaryIdOfAnotherState) {
    const std::uint64_t number = run_.edges[temporary_][0].first & ~ledger::kTemporaryId;
    for (auto& [pair_number, state] : run_.pairs)
        if (pair_number == number) state = 13;
    expect_finding(
        run_,
        "edges have temporary ids that stand for other states than the steps lead to, the first of them from state ");
    run_.pairs.emplace_back(number, 14);
    expect_finding(run_, fmt::format("1 temporary ids stand for several states, the first of them is {}", number));
    std::erase_if(run_.pairs, [&](const auto& pair) { return pair.first == number; });
    expect_finding(
        run_, fmt::format("edges have temporary ids that stand for no state, the first of them is {}, from state {}",
                          number, temporary_));
}

TEST_F(ForgedEdges, AreMissingOrTooMany) {
    const std::size_t degree = run_.edges[final_].size();
    const auto finding = [&](std::size_t edges) {
        return fmt::format(
            "1 states have more or fewer steps than edges in the ledger, the first of them is state {} with {} edges",
            final_, edges);
    };
    run_.edges[final_].pop_back();
    expect_just(run_, finding(degree - 1));
    run_.edges[final_].resize(degree + 1);
    expect_just(run_, finding(degree + 1));
    run_.edges.pop_back();
    expect_finding(run_, "the ledger has the edges of 19 states, but 20 states");
}

TEST_F(ForgedEdges, HaveAnotherTransition) {
    run_.edges[19][0].second += 1;
    expect_finding(run_,
                   "edges have the transition of another step, the first of them is one of state 19 with transition ");
}

TEST(Audit, ForgedMarks) {
    const sample::SampleRun right = [] {
        sample::SampleRun run("tests/models/property_response.dve", {false, true});
        run.add_edges();
        return run;
    }();
    ASSERT_TRUE(right.has_marks);
    sample::SampleRun run = right;
    ASSERT_TRUE(audit_of(run).confirmed()) << together(audit_of(run));
    std::uint64_t marked = 0;
    for (std::size_t state = 0; state < right.states.size(); ++state)
        for (std::size_t edge = 0; edge < right.marks[state].size(); ++edge) {
            marked += right.marks[state][edge];
            for (const std::uint64_t other : {right.marks[state][edge] ^ 1U, right.marks[state][edge] | 2U}) {
                if (state > 20 && other != 2) continue;
                run = right;
                run.marks[state][edge] = other;
                expect_just(run, fmt::format("1 edges have the marks of another step, the first of them is one of "
                                             "state {} with the marks {:#x}",
                                             state, other));
            }
        }
    EXPECT_GT(marked, 0U);
    run = right;
    run.has_marks = false;
    expect_just(run, "the edges of the ledger have no marks, but there are 1 acceptance sets");
    sample::SampleRun plain(kPeterson);
    plain.add_edges();
    plain.has_marks = true;
    expect_just(plain, "the edges of the ledger have marks, but there are 0 acceptance sets");
}

TEST(Audit, ForgedLabels) {
    sample::SampleRun run(kPeterson);
    run.add_property("deadlock", "");
    run.add_property("invariant", "turn == 0");
    run.add_property("invariant", "not (P0.critical and P1.critical)");
    run.engine["told"] = {{0, 3, 0, 0, 1}};
    for (const reference::State& state : run.states)
        run.labels.push_back({static_cast<std::uint8_t>(state[2] == 0 ? 3 : 2)});
    EXPECT_TRUE(audit_of(run).confirmed());
    const std::vector<ledger::Bytes> right = run.labels;
    for (std::size_t state = 0; state < run.states.size(); ++state) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            run.labels = right;
            run.labels[state][0] = static_cast<std::uint8_t>(run.labels[state][0] ^ (1U << bit));
            expect_just(
                run,
                fmt::format("1 states have other labels than the ledger says, the first of them is state {}", state));
        }
    }
    run.labels.assign(run.states.size(), {3, 0});
    expect_just(run, "the ledger has 2 bytes of labels a state, but there are 2 labels");
}

TEST(Audit, RunIsNotComplete) {
    sample::SampleRun run(kPeterson);
    run.engine["complete"] = false;
    expect_finding(run, "the run is not complete");
    run.engine = "no JSON";
    expect_finding(run, "the last commit does not say 'complete'");
    run.engine = std::string(100'000, '[');
    expect_finding(run, "the last commit does not say 'complete'");
    run.engine = {{"complete", true}, {"statistics", {{"states", -20}}}};
    expect_finding(run, "the last commit has no possible number as 'states'");
    const ledger::sample::TemporaryDirectory directory;
    ledger::LedgerHeader header;
    header.description = run.description.dump();
    (void)ledger::LedgerWriter::create(directory / "empty", header, ledger::sample::small_settings());
    EXPECT_EQ(together(audit(directory / "empty")), "the run is not complete: it has committed nothing\n");
}

TEST(Audit, WithoutParents) {
    sample::SampleRun run(kPeterson);
    run.has_parents = false;
    expect_just(run, "the ledger has no parents: that its 20 states can be reached cannot be confirmed");
}

TEST(Audit, DescriptionDoesNotFit) {
    const sample::SampleRun right(kPeterson);
    const sample::SamplePacking packing(right.names, right.states, 0);
    const auto expect = [&](const std::function<void(nlohmann::json&)>& change, const std::string& finding) {
        sample::SampleRun run = right;
        run.description["packing"] = packing.description();
        change(run.description);
        expect_finding(run, finding);
    };
    expect([](auto& d) { d.erase("goals"); }, "the description in the header does not say 'goals'");
    expect([](auto& d) { d["packing"] = nullptr; }, "packing 0 is missing or not a JSON object");
    expect(
        [](auto& d) {
            for (auto& column : d["packing"]["slots"]) column.erase(0);
        },
        "packing 0 does not have 'flag[0]'");
    expect([](auto& d) { d["packing"]["slots"]["width"].erase(0); }, "packing 0 does not have a 'width' for each slot");
    expect([](auto& d) { d["packing"]["slots"].erase("low"); }, "packing 0 does not say 'low'");
    expect([](auto& d) { d["packing"]["slots"] = 7; }, "packing 0 does not say 'name'");
    expect([](auto& d) { d["packing"]["slots"]["name"][1] = 7; }, "has a slot whose name is no text");
    expect([](auto& d) { d["packing"]["slots"]["name"][1] = "flag[0]"; }, "has 'flag[0]' twice");
    expect([](auto& d) { d["packing"]["slots"]["word"][1] = 1; }, "slot 'flag[1]', lies behind the last word");
    expect([](auto& d) { d["packing"]["slots"]["shift"][1] = 64; }, "no possible number as 'shift'");
    expect([](auto& d) { d["packing"]["slots"]["width"][1] = 64; }, "no possible number as 'width'");
    expect([](auto& d) { d["packing"]["slots"]["low"][1] = 1e300; }, "no possible number as 'low'");
    expect([](auto& d) { d["packing"]["slots"]["low"][1] = -1; },
           "state 0 is not the initial state: 'flag[1]' is -1 and not 0");
    expect([](auto& d) { d["packing"]["words"] = 0; }, "has 0 words, but a state has");
}

TEST(Audit, Errors) {
    const ledger::sample::TemporaryDirectory directory;
    sample::SampleRun run(kPeterson);
    run.write(directory / "ledger");
    EXPECT_EQ(fault_of(directory / "nothing"), AuditFault::missing);
    std::filesystem::create_directory(directory / "empty");
    EXPECT_EQ(fault_of(directory / "empty"), AuditFault::not_a_ledger);
    EXPECT_EQ(fault_of(directory / "ledger/header.json"), AuditFault::not_a_ledger);
    write_text(directory / "empty/header.json", R"({"format": "something"})");
    write_text(directory / "empty/lock", "");
    EXPECT_EQ(fault_of(directory / "empty"), AuditFault::not_a_ledger);
    write_text(directory / "empty/header.json", R"({"format": "tideline-ledger", "version": 1})");
    EXPECT_EQ(fault_of(directory / "empty"), AuditFault::version);
    write_text(directory / "empty/header.json", "{");
    EXPECT_NE(together(audit(directory / "empty")).find("header.json: at byte 0: this is not a JSON object"),
              std::string::npos);

    AuditSettings settings;
    settings.temporary_directory = directory / "nowhere";
    EXPECT_EQ(fault_of(directory / "ledger", settings), AuditFault::io);

    const int lock = ::open((directory / "ledger/lock").c_str(), O_RDWR);
    ASSERT_EQ(::flock(lock, LOCK_SH), 0);
    EXPECT_TRUE(audit(directory / "ledger").confirmed());
    ASSERT_EQ(::flock(lock, LOCK_EX), 0);
    EXPECT_EQ(fault_of(directory / "ledger"), AuditFault::locked);
    ::close(lock);
    EXPECT_TRUE(audit(directory / "ledger").confirmed());

    std::filesystem::resize_file(directory / "ledger/states", 100);
    EXPECT_NE(together(audit(directory / "ledger")).find("states: at byte 100: the file ends here, but has had "),
              std::string::npos);
    std::filesystem::remove(directory / "ledger/states");
    EXPECT_EQ(fault_of(directory / "ledger"), AuditFault::io);
}

TEST(Audit, CanBeInterruptedAndLeavesNothing) {
    const ledger::sample::TemporaryDirectory directory;
    sample::SampleRun run("tests/models/fault_range.dve");
    run.write(directory / "ledger");
    std::filesystem::create_directory(directory / "temporary");
    AuditSettings settings;
    settings.temporary_directory = directory / "temporary";
    for (const auto phase :
         {AuditProgress::Phase::files, AuditProgress::Phase::states, AuditProgress::Phase::partitions}) {
        bool stop = false;
        settings.progress = [&](const AuditProgress& progress) {
            EXPECT_LE(progress.done, progress.of);
            EXPECT_TRUE(std::filesystem::is_empty(directory / "temporary"));
            stop = progress.phase == phase;
        };
        settings.interrupted = [&] { return stop; };
        const AuditReport report = audit(directory / "ledger", settings);
        EXPECT_TRUE(report.interrupted);
        EXPECT_FALSE(report.confirmed());
        EXPECT_TRUE(report.findings.empty()) << together(report);
        EXPECT_TRUE(std::filesystem::is_empty(directory / "temporary"));
    }
}

// A copy of a ledger that can be damaged and repaired, file by file.
class DamagedLedger : public testing::Test {
protected:
    DamagedLedger() : run_("tests/models/readers_writers.dve") {
        run_.add_property("invariant", "1 == 1");
        run_.labels.assign(run_.states.size(), {1});
        run_.add_edges();
        run_.write(directory_ / "ledger");
        good_ = audit(directory_ / "ledger");
        EXPECT_TRUE(good_.confirmed()) << together(good_);
    }

    [[nodiscard]] std::string path(const std::string& name) const { return directory_ / ("ledger/" + name); }
    [[nodiscard]] static std::string content(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    // Whether it is noticed; if it is not, it must not matter.
    bool is_noticed() {
        try {
            const AuditReport report = audit(directory_ / "ledger");
            if (!report.findings.empty()) return true;
            EXPECT_EQ(report.states, good_.states);
            EXPECT_EQ(report.transitions, good_.transitions);
            EXPECT_EQ(report.deadlocks, good_.deadlocks);
            EXPECT_EQ(report.faults, good_.faults);
            EXPECT_EQ(report.properties, good_.properties);
            return false;
        } catch (const AuditError&) {
            return true;
        }
    }

    ledger::sample::TemporaryDirectory directory_;
    sample::SampleRun run_;
    AuditReport good_;
};

TEST_F(DamagedLedger, FlippedBits) {
    std::mt19937_64 random(7);
    const std::string names[] = {"header.json", "journal", "latest",  "states", "parents",
                                 "labels",      "edges",   "numbers", "waiting"};
    for (std::size_t i = 0; i < 300; ++i) {
        const std::string& name = names[i % std::size(names)];
        const std::string whole = content(path(name));
        std::string damaged = whole;
        const std::size_t place = random() % damaged.size();
        damaged[place] = static_cast<char>(damaged[place] ^ (1 << (random() % 8)));
        write_text(path(name), damaged);
        const bool noticed = is_noticed();
        // One entry of `latest` is enough, and of the waiting states half have been dropped.
        EXPECT_TRUE(noticed || name == "latest" || name == "waiting") << name << " at byte " << place;
        write_text(path(name), whole);
    }
    EXPECT_FALSE(is_noticed());
}

TEST_F(DamagedLedger, CutsAndAdditions) {
    std::mt19937_64 random(8);
    for (const std::string name :
         {"header.json", "journal", "states", "parents", "labels", "edges", "numbers", "waiting"}) {
        const std::string whole = content(path(name));
        for (int i = 0; i < 5; ++i) {
            write_text(path(name), whole.substr(0, random() % whole.size()));
            EXPECT_TRUE(is_noticed()) << name;
        }
        // The rest of an interrupted write is no part of the ledger.
        write_text(path(name), whole + "TLJR and so on, longer than the header of a record or of a frame");
        EXPECT_EQ(is_noticed(), name == "header.json") << name;
        write_text(path(name), whole);
    }
    const std::string latest = content(path("latest"));
    write_text(path("latest"), std::string(128, '\0'));
    EXPECT_TRUE(is_noticed());
    write_text(path("latest"), latest);
}

// Frames of another ledger, or of another place of the same, are whole in themselves.
TEST_F(DamagedLedger, ForeignFiles) {
    run_.write(directory_ / "other");
    for (const std::string name :
         {"header.json", "journal", "latest", "states", "parents", "labels", "edges", "numbers"}) {
        const std::string own = content(path(name));
        write_text(path(name), content(directory_ / ("other/" + name)));
        EXPECT_TRUE(is_noticed()) << name;
        write_text(path(name), own);
    }
    EXPECT_FALSE(is_noticed());
}

}  // namespace
}  // namespace tideline::audit
