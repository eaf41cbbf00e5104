// Certificates that linear-time properties hold, and forged ones: sweeps of random models leave them, one thing in each
// is changed, and the audit must object exactly where the changed one proves nothing any more, by the definition
// computed here once more.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "audit/audit.hpp"
#include "automata/hoa_print.hpp"
#include "ledger/edge_reader.hpp"
#include "run/automaton_again.hpp"
#include "run/execute.hpp"
#include "run/run_ledger.hpp"
#include "run/sample_input.hpp"
#include "tests/differential/random_dve.hpp"

namespace tideline::differential {
namespace {

using Numbers = std::vector<std::uint64_t>;
constexpr std::string_view kMagic = "tideline cycles 1\n";

struct State {
    std::uint64_t number = 0;
    std::uint64_t rank = 0;
};
struct Class {
    std::uint64_t reason = 0;  // 0: edges lead upwards, 1: downwards, 2: a mark is missing, 3: ranks
    std::uint64_t mark = 0;
    std::vector<State> states{};
    Numbers claims{};
};
struct Range {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    std::vector<Class> classes{};
};

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Range> decoded(const std::string& text) {
    std::size_t at = kMagic.size();
    const auto next = [&] {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<std::uint8_t>(text.at(at++));
            value |= std::uint64_t{byte & 127U} << shift;
            if (byte < 128) return value;
        }
    };
    std::vector<Range> ranges;
    while (next() == 1) {
        Range& range = ranges.emplace_back();
        range.first = next();
        range.count = next();
        while (next() == 2) {
            Class& its = range.classes.emplace_back();
            its.reason = next();
            if (its.reason == 2) its.mark = next();
            std::uint64_t number = 0;
            while (const std::uint64_t code = next()) {
                number += ((code - 1) >> 1U) ^ (~((code - 1) & 1U) + 1);
                its.states.push_back({number, its.reason == 3 ? next() : 0});
            }
            if (its.reason == 3)
                for (std::uint64_t left = next(); left > 0; --left) its.claims.push_back(next());
        }
    }
    return ranges;
}

std::string encoded(const std::vector<Range>& ranges) {
    std::string text(kMagic);
    const auto put = [&](std::uint64_t value) {
        for (; value >= 128; value >>= 7U) text += static_cast<char>(value | 128U);
        text += static_cast<char>(value);
    };
    for (const Range& range : ranges) {
        put(1);
        put(range.first);
        put(range.count);
        for (const Class& its : range.classes) {
            put(2);
            put(its.reason);
            if (its.reason == 2) put(its.mark);
            std::uint64_t last = 0;
            for (const State& state : its.states) {
                const auto difference = static_cast<std::int64_t>(state.number - last);
                put(((static_cast<std::uint64_t>(difference) << 1U) ^ static_cast<std::uint64_t>(difference >> 63)) +
                    1);
                if (its.reason == 3) put(state.rank);
                last = state.number;
            }
            put(0);
            if (its.reason != 3) continue;
            put(its.claims.size());
            for (const std::uint64_t claim : its.claims) put(claim);
        }
        put(0);
    }
    put(0);
    return text;
}

struct Edge {
    std::uint64_t from;
    std::uint64_t to;
    std::uint64_t marks;
};

// The definition: a rank for every state that never rises, and for each class of equal rank a required mark that no
// edge inside carries, or no edge inside.
bool proves(const std::vector<Range>& ranges, const std::vector<Edge>& edges, std::uint64_t states,
            std::uint64_t required) {
    // From the most to the least significant; classes of equal rank have a claim.
    using Rank = std::vector<std::int64_t>;
    std::map<std::uint64_t, Rank> rank;
    std::map<Rank, std::uint64_t> claims;  // a mark and one, or 0
    std::uint64_t covered = 0;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
        if (ranges[r].first != covered) return false;
        covered += ranges[r].count;
        for (std::size_t c = 0; c < ranges[r].classes.size(); ++c)
            for (const State& state : ranges[r].classes[c].states) {
                const Class& its = ranges[r].classes[c];
                const std::uint64_t number = ranges[r].first + state.number;
                if (state.number >= ranges[r].count) return false;
                Rank own{-static_cast<std::int64_t>(r), static_cast<std::int64_t>(c)};
                const auto signed_number = static_cast<std::int64_t>(number);
                if (its.reason == 0) own.push_back(-signed_number);
                else if (its.reason == 1) own.push_back(signed_number);
                else if (its.reason == 3) own.push_back(static_cast<std::int64_t>(state.rank));
                if (its.reason == 3 && state.rank >= its.claims.size()) return false;
                claims[own] = its.reason == 2 ? its.mark + 1 : its.reason == 3 ? its.claims[state.rank] : 0;
                if (!rank.emplace(number, std::move(own)).second) return false;
            }
    }
    if (rank.size() != states) return false;
    return std::ranges::all_of(edges, [&](const Edge& edge) {
        const Rank& from = rank.at(edge.from);
        const Rank& to = rank.at(edge.to);
        if (to > from) return false;
        if (to < from) return true;
        const std::uint64_t claim = claims.at(from);
        return claim > 0 && (required >> (claim - 1) & 1U) != 0 && (edge.marks >> (claim - 1) & 1U) == 0;
    });
}

class CycleAudit : public testing::Test {
protected:
    // Which runs count.
    struct Reading {
        check::DeadlockReading deadlocks = check::DeadlockReading::stutter;
        check::Fairness fairness = check::Fairness::none;
        std::string ends{};
    };
    // Whether the formula holds; then there is a ledger with a certificate.
    bool sweeps(const std::string& path, const std::string& formula, const std::string& directory,
                std::string automaton = "") {
        return sweeps(path, formula, directory, {}, std::move(automaton));
    }
    bool sweeps(const std::string& path, const std::string& formula, const std::string& directory,
                const Reading& reading, std::string automaton = "") {
        run::PropertySpec property = run::ltl(formula, "f");
        property.automaton = std::move(automaton);
        run::RunSpec spec = run::spec_for(path, run::Task::check, {property});
        spec.engine = run::Engine::sweep;
        spec.deadlocks = reading.deadlocks;
        spec.fairness = reading.fairness;
        spec.end_states = reading.ends;
        spec.ledger = {run::LedgerChoice::Kind::directory, directory};
        spec.successors = successor::Successors::interpret;
        run::Sink sink;
        const support::Budget budget;
        run::OrRefusal<run::RunReport> result = run::run(std::move(spec), sink, budget);
        if (!std::holds_alternative<run::RunReport>(result)) return false;
        return std::get<run::RunReport>(result).outcome.verdicts.at(0).answer == check::Answer::holds;
    }

    static audit::AuditReport audited(const std::string& directory) {
        run::StoredRun stored = run::read_stored_run(directory);
        run::RunSpec spec = stored.plan.spec;
        const run::LoadedInput input = run::loaded(spec);
        const support::Budget budget;
        audit::AuditSettings settings;
        settings.automaton = run::automaton_again(stored.plan, input, budget);
        return audit::audit(directory, settings);
    }

    // The required marks: those of the automaton, and under weak fairness one per process behind them.
    static std::uint64_t required_marks(const std::string& directory, const Reading& reading) {
        run::StoredRun stored = run::read_stored_run(directory);
        run::RunSpec spec = stored.plan.spec;
        const run::LoadedInput input = run::loaded(spec);
        const support::Budget budget;
        const std::string hoa = *run::automaton_again(stored.plan, input, budget);
        std::size_t marks = std::stoul(hoa.substr(hoa.find("Acceptance: ") + 12));
        if (reading.fairness == check::Fairness::weak) marks += input.system.names->processes.size();
        return (std::uint64_t{1} << marks) - 1;
    }

    // The ledger once more with its certificate, but for one edge, and with other marks and another plan.
    using EditMarks = std::function<std::uint64_t(std::uint64_t)>;
    static void copy(
        const std::string& from, const std::string& to, std::optional<std::size_t> removed,
        const EditMarks& edit = [](std::uint64_t marks) { return marks; },
        const std::pair<std::string, std::string>& plan = {}) {
        const std::unique_ptr<ledger::LedgerReader> whole = ledger::LedgerReader::open(from);
        ledger::LedgerHeader header = whole->header();
        if (const std::size_t place = header.description.find(plan.first); !plan.first.empty()) {
            ASSERT_NE(place, std::string::npos) << header.description;
            header.description.replace(place, plan.first.size(), plan.second);
        }
        std::unique_ptr<ledger::LedgerWriter> made = ledger::LedgerWriter::create(to, header);
        std::size_t seen = 0;
        for (std::uint64_t i = 0; i < whole->extent_count(); ++i) {
            const ledger::Extent extent = whole->extent(i);
            for (std::uint64_t n = extent.first; n < extent.first + extent.count; ++n) {
                const ledger::Records state = whole->state(n);
                const std::vector<std::uint8_t> bytes(state.bytes.begin(), state.bytes.end());
                const ledger::Parent parent = whole->parent(n);
                made->append_states(extent.key, extent.pass, {1, bytes, {&parent.number, 1}, {&parent.transition, 1}});
            }
        }
        whole->read(ledger::Stream::edges, 0, whole->records(ledger::Stream::edges),
                    [&](const ledger::Records& records) {
                        std::vector<std::uint32_t> degrees(records.tags.begin(), records.tags.end());
                        Numbers targets;
                        Numbers transitions;
                        Numbers marks;
                        std::size_t next = 0;
                        for (std::uint32_t& degree : degrees)
                            for (std::uint32_t left = std::exchange(degree, 0); left > 0; --left, ++next) {
                                if (seen++ == removed) continue;
                                ++degree;
                                targets.push_back(records.numbers[next]);
                                transitions.push_back(records.others[next]);
                                if (!records.marks.empty()) marks.push_back(edit(records.marks[next]));
                            }
                        made->append_edges(degrees, targets, transitions, marks);
                    });
        whole->read(ledger::Stream::numbers, 0, whole->records(ledger::Stream::numbers),
                    [&](const ledger::Records& records) { made->append_numbers(records.numbers, records.others); });
        made->commit(whole->engine());
        made->wait();
        std::filesystem::copy_file(from + "/cycles", to + "/cycles");
    }

    static std::vector<Edge> edges_of(const std::string& directory, std::uint64_t& states) {
        const std::unique_ptr<ledger::LedgerReader> ledger = ledger::LedgerReader::open(directory);
        ledger::EdgeReader reader(*ledger);
        states = ledger->states();
        std::vector<Edge> result;
        reader.read(0, states, [&](const ledger::Edges& edges) {
            std::size_t next = 0;
            for (std::size_t row = 0; row < edges.degrees.size(); ++row)
                for (const std::size_t end = next + edges.degrees[row]; next < end; ++next)
                    result.push_back(
                        {edges.first + row, edges.targets[next], edges.marks.empty() ? 0 : edges.marks[next]});
        });
        return result;
    }

    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
    std::mt19937_64 random_{5};
};

TEST_F(CycleAudit, ConfirmsWhatIsProvedAndNothingElse) {
    const run::SampleFolder folder;
    std::size_t confirmed = 0;
    std::size_t caught = 0;
    std::map<std::string, std::size_t> tally;
    std::map<std::string, std::size_t> readings;
    const std::string formulas[] = {"G ({INV0} -> F !{INV0}) || F G {INV0}",
                                    "G F {INV0} || F G !{INV0}",
                                    "F G {INV1} || G F !{INV1}",
                                    "G F {INV0}",
                                    "F G {INV2}",
                                    "G ({INV0} -> F {INV1})",
                                    "G {INV2}",
                                    "F {INV1} || G F !{INV1}",
                                    "G F {INV1} || G F {INV2} || F G !{INV1}",
                                    "F (deadlock || {INV1})",
                                    "G (enabled(PROCESS) -> F !enabled(PROCESS)) || G F {INV0}",
                                    "F G !enabled(PROCESS) || G F {INV0}",
                                    "X {INV0} || F deadlock"};
    for (std::uint64_t seed = 0; caught < 700 && seed < 2000; ++seed) {
        RandomOptions options;
        options.property_percent = 0;
        options.fault_percent = 0;
        const RandomModel model = random_model(seed, options);
        const std::string path = folder.write("m.dve", model.text);
        std::string formula = formulas[below(std::size(formulas))];
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t at; (at = formula.find("INV" + std::to_string(i))) != std::string::npos;)
                formula.replace(at, 4, model.invariants[i]);
        for (std::size_t at; (at = formula.find("PROCESS")) != std::string::npos;) formula.replace(at, 7, "P0");
        if (formula.find("P0") != std::string::npos && model.text.find("process P0 ") == std::string::npos) continue;
        Reading reading;
        reading.deadlocks = std::vector{check::DeadlockReading::stutter, check::DeadlockReading::finite,
                                        check::DeadlockReading::ignore}[below(3)];
        if (below(2) == 0) reading.fairness = check::Fairness::weak;
        if (below(3) == 0) reading.ends = model.invariants[below(3)];
        const std::string directory = folder / ("ledger" + std::to_string(seed));
        const bool holds = sweeps(path, formula, directory, reading);
        const std::string file = directory + "/cycles";
        ASSERT_EQ(std::filesystem::exists(file), holds && std::filesystem::exists(directory)) << formula;
        if (!holds) continue;
        std::uint64_t states = 0;
        const std::vector<Edge> edges = edges_of(directory, states);
        if (states < 3 || states > 400) continue;
        SCOPED_TRACE(model.text + formula + " seed " + std::to_string(seed));
        const audit::AuditReport report = audited(directory);
        ASSERT_TRUE(report.confirmed()) << report.findings.front();
        ASSERT_EQ(report.of_runs, std::vector<std::string>{"f"});
        ++confirmed;
        ++readings[std::string(check::to_string(reading.deadlocks)) + ' ' +
                   std::string(check::to_string(reading.fairness)) + (reading.ends.empty() ? "" : " ends")];
        const std::string text = text_of(file);
        const std::vector<Range> ranges = decoded(text);
        ASSERT_EQ(encoded(ranges), text);
        const std::uint64_t required = required_marks(directory, reading);
        ASSERT_TRUE(proves(ranges, edges, states, required));
        for (int forgery = 0; forgery < 12; ++forgery) {
            std::vector<Range> forged = ranges;
            Range& range = forged[below(forged.size())];
            std::string what;
            const auto any_class = [&]() -> Class& { return range.classes[below(range.classes.size())]; };
            switch (below(6)) {
                case 0: {
                    what = "swapped order";
                    Class& its = any_class();
                    if (its.reason != 3 || its.claims.size() < 2) {
                        std::swap(its, any_class());
                        break;
                    }
                    // Of two components.
                    const std::uint64_t one = below(its.claims.size());
                    const std::uint64_t other = below(its.claims.size());
                    std::swap(its.claims[one], its.claims[other]);
                    for (State& state : its.states)
                        if (state.rank == one) state.rank = other;
                        else if (state.rank == other) state.rank = one;
                    break;
                }
                case 1: {
                    what = "other reason";
                    Class& its = any_class();
                    if (its.reason == 3) its.claims[below(its.claims.size())] = below(3);
                    else its.reason = (its.reason + 1) % 3;
                    break;
                }
                case 2: {
                    what = "moved state";
                    Class& from = any_class();
                    if (from.states.empty()) break;
                    const std::size_t place = below(from.states.size());
                    const State moved = from.states[place];
                    from.states.erase(from.states.begin() + static_cast<std::ptrdiff_t>(place));
                    any_class().states.push_back({moved.number, 0});
                    break;
                }
                case 3: {
                    what = "left-out state";
                    Class& its = any_class();
                    if (!its.states.empty()) its.states.pop_back();
                    break;
                }
                case 4: {
                    what = "other mark or rank";
                    Class& its = any_class();
                    if (its.reason == 2) its.mark = below(64);
                    if (its.reason == 3 && !its.states.empty())
                        its.states[below(its.states.size())].rank = below(its.claims.size() + 1);
                    break;
                }
                default: {
                    what = "one mark for all";
                    Class& its = any_class();
                    its.reason = 2;
                    its.mark = below(2);
                    break;
                }
            }
            if (encoded(forged) == text) continue;
            std::ofstream(file, std::ios::binary | std::ios::trunc) << encoded(forged);
            const bool is_proof = proves(forged, edges, states, required);
            const audit::AuditReport found = audited(directory);
            ASSERT_EQ(found.confirmed(), is_proof) << what << (found.findings.empty() ? "" : ": " + found.findings[0]);
            if (is_proof) continue;
            ++caught;
            ++tally[what];
        }
        std::ofstream(file, std::ios::binary | std::ios::trunc) << text.substr(0, text.size() - 1);
        EXPECT_FALSE(audited(directory).confirmed());
    }
    EXPECT_GT(confirmed, 20U);
    EXPECT_GE(caught, 200U);
    for (const auto& [what, count] : tally) EXPECT_GT(count, 3U) << what;
    EXPECT_EQ(tally.size(), 6U);
    for (const auto& [reading, count] : readings) EXPECT_GT(count, 1U) << reading;
    EXPECT_EQ(readings.size(), 12U);
}

// P0 can always move, and so can P1: without fairness one of them may never do so.
TEST_F(CycleAudit, AForgedFairnessIsCaught) {
    const run::SampleFolder folder;
    const std::string path =
        folder.write("m.dve",
                     "process P0 { state a, b; init a; trans a -> b {}, b -> a {}; }\n"
                     "process P1 { state a, b, end; init a; trans a -> b {}, b -> a {}, b -> end {}; }\n"
                     "system async;\n");
    const std::string formula = "G F P0.b";
    ASSERT_FALSE(sweeps(path, formula, folder / "all"));
    ASSERT_TRUE(sweeps(path, formula, folder / "fair", {.fairness = check::Fairness::weak}));
    ASSERT_TRUE(audited(folder / "fair").confirmed());
    copy(folder / "fair", folder / "copy", std::nullopt);
    ASSERT_TRUE(audited(folder / "copy").confirmed());
    // The same ledger and certificate, said to be about all runs, or about strongly fair ones.
    copy(folder / "fair", folder / "unfair", std::nullopt, [](std::uint64_t marks) { return marks; },
         {R"("fair":"weak",)", ""});
    EXPECT_FALSE(audited(folder / "unfair").confirmed());
    copy(folder / "fair", folder / "strong", std::nullopt, [](std::uint64_t marks) { return marks; },
         {R"("fair":"weak")", R"("fair":"strong")"});
    EXPECT_FALSE(audited(folder / "strong").confirmed());
    // Marks of fairness that edges lack.
    for (unsigned mark = 0; mark < 3; ++mark) {
        const std::string directory = folder / ("mark" + std::to_string(mark));
        copy(folder / "fair", directory, std::nullopt,
             [&](std::uint64_t marks) { return marks & ~(std::uint64_t{1} << mark); });
        EXPECT_FALSE(audited(directory).confirmed()) << mark;
    }
}

// Runs end where P has nothing to do any more.
TEST_F(CycleAudit, AForgedReadingOfDeadlocksIsCaught) {
    const run::SampleFolder folder;
    const std::string path = folder.write(
        "m.dve", "process P { state a, b, end; init a; trans a -> b {}, b -> a {}, b -> end {}; }\nsystem async;\n");
    using enum check::DeadlockReading;
    ASSERT_FALSE(sweeps(path, "G F P.a", folder / "stutter", {.deadlocks = stutter}));
    ASSERT_TRUE(sweeps(path, "G F P.a", folder / "ignore", {.deadlocks = ignore}));
    ASSERT_TRUE(audited(folder / "ignore").confirmed());
    copy(folder / "ignore", folder / "forged", std::nullopt, [](std::uint64_t marks) { return marks; },
         {R"("deadlocks":"ignore")", R"("deadlocks":"stutter")"});
    EXPECT_FALSE(audited(folder / "forged").confirmed());
    // A proper end repeats in any case.
    ASSERT_FALSE(sweeps(path, "G F P.a", folder / "ends", {.deadlocks = ignore, .ends = "P.end"}));
    ASSERT_TRUE(sweeps(path, "G F P.a || F G P.end", folder / "proper", {.deadlocks = ignore, .ends = "P.end"}));
    ASSERT_TRUE(audited(folder / "proper").confirmed());
    copy(folder / "proper", folder / "improper", std::nullopt, [](std::uint64_t marks) { return marks; },
         {R"("end_states":"P.end",)", ""});
    EXPECT_FALSE(audited(folder / "improper").confirmed());
    ASSERT_TRUE(sweeps(path, "F deadlock || G F P.a", folder / "atom"));
    EXPECT_TRUE(audited(folder / "atom").confirmed());
}

// The automaton of another formula, which no run of the product satisfies.
TEST_F(CycleAudit, AForgedAutomatonIsCaught) {
    const run::SampleFolder folder;
    const std::string path = folder.write("m.dve", run::counter_model(5));
    ASSERT_FALSE(sweeps(path, "G F {x == 0}", folder / "honest"));
    const std::string empty =
        "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"x == 0\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0\n--END--\n";
    const support::Budget budget;
    ASSERT_TRUE(sweeps(path, "G F {x == 0}", folder / "forged", empty));
    const audit::AuditReport report = audited(folder / "forged");
    EXPECT_FALSE(report.confirmed());
    EXPECT_TRUE(report.of_runs.empty());
    // The same where the automaton is another than the one that is made again.
    ASSERT_TRUE(sweeps(path, "G {x <= 5}", folder / "other"));
    audit::AuditSettings settings;
    settings.automaton = empty;
    EXPECT_FALSE(audit::audit(folder / "other", settings).confirmed());
    EXPECT_TRUE(audited(folder / "other").confirmed());
}

// The ledger once more, but for one edge; with its certificate, which proves even more easily what is left.
TEST_F(CycleAudit, ARemovedEdgeIsCaught) {
    const run::SampleFolder folder;
    const std::string path = folder.write("m.dve", run::counter_model(6));
    ASSERT_TRUE(sweeps(path, "F G {x == 6} || G F {y < 7}", folder / "whole"));
    ASSERT_TRUE(audited(folder / "whole").confirmed());
    std::uint64_t states = 0;
    const std::size_t edges = edges_of(folder / "whole", states).size();
    for (std::size_t removed = 0; removed < edges; removed += 1 + edges / 10) {
        const std::string directory = folder / ("removed" + std::to_string(removed));
        copy(folder / "whole", directory, removed);
        const audit::AuditReport report = audited(directory);
        EXPECT_FALSE(report.confirmed()) << removed;
        EXPECT_TRUE(report.of_runs.empty());
    }
}

}  // namespace
}  // namespace tideline::differential
