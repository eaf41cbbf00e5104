// Whole checks of random formulas on random DVE models, by every engine for linear-time properties, with the three
// readings of deadlocks, proper ends, weak and strong fairness, and atoms that speak of steps, against checks by the
// definitions: infinite runs as sets of states that are visited infinitely often (reference/fair_cycles.hpp), finite
// runs by the truth of all subformulas, computed backwards from where runs end. Who has a step, and who moves, is what
// reference/ says. Every run that is shown is replayed, and its word and its fairness are evaluated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "automata/translate.hpp"
#include "input/load.hpp"
#include "logic/print.hpp"
#include "logic/random_formula.hpp"
#include "reference/explorer.hpp"
#include "reference/fair_cycles.hpp"
#include "reference/machines.hpp"
#include "run/execute.hpp"
#include "run/sample_input.hpp"
#include "tests/differential/random_dve.hpp"

namespace tideline::differential {
namespace {

using check::DeadlockReading;
using check::Fairness;

constexpr std::size_t kMostStates = 60;
constexpr std::size_t kFormulas = 4;  // per run

std::uint64_t pairs_wanted() {
    const char* given = std::getenv("TIDELINE_RANDOM_PAIRS");
    return given == nullptr ? 20'000 : std::strtoull(given, nullptr, 10);
}

// A formula with the values of its atoms.
class Oracle {
public:
    Oracle(const reference::Machine& machine, const std::vector<std::string>& processes,
           const std::vector<std::string>& atoms, const std::string& ends)
        : machine_(machine), processes_(processes), atoms_(atoms) {
        graph_ = reference::explore(machine, {kMostStates, true});
        if (graph_.limit_hit) return;
        enabled_.assign(graph_.states.size(), 0);
        is_end_.assign(graph_.states.size(), false);
        letters_.assign(graph_.states.size(), 0);
        for (const reference::Edge& edge : graph_.edges) enabled_[edge.from] |= set_of(edge.participants);
        for (const reference::FaultyStep& fault : graph_.faults) enabled_[fault.state] |= set_of(fault.participants);
        std::set<std::size_t> deadlocks;
        for (const std::size_t state : graph_.deadlocks) {
            const std::optional<bool> is_end = ends.empty() ? std::optional(false) : holds(ends, state);
            if (!is_end) return;
            is_end_[state] = *is_end;
            deadlocks.insert(state);
        }
        for (std::size_t i = 0; i < atoms.size(); ++i)
            for (std::size_t s = 0; s < graph_.states.size(); ++s) {
                bool value = false;
                if (atoms[i] == "deadlock") value = deadlocks.contains(s) && !is_end_[s];
                else if (atoms[i].starts_with("enabled(")) value = ((enabled_[s] >> process_of(atoms[i])) & 1U) != 0;
                else if (atoms[i].starts_with("moved(")) value = false;
                else {
                    const std::optional<bool> known = holds(atoms[i], s);
                    if (!known) return;
                    value = *known;
                }
                letters_[s] |= std::uint64_t{value} << i;
            }
        is_known_ = true;
    }

    // Whether the model is small, and all atoms can be evaluated everywhere.
    [[nodiscard]] bool is_known() const { return is_known_; }
    [[nodiscard]] const reference::Graph& graph() const { return graph_; }

    // Whether there is a counterexample. Nothing where that is too hard.
    std::optional<bool> is_violated(logic::Formulas& formulas, logic::Formula f,
                                    const std::vector<logic::Formula>& names, DeadlockReading reading,
                                    Fairness fairness) const {
        if (reading == DeadlockReading::finite) {
            const std::optional<bool> finite = ends_badly(formulas, f, names);
            if (!finite || *finite) return finite;
        }
        automata::Labels labels;
        const automata::Automaton bad = *automata::translate(formulas, formulas.negation(f), labels,
                                                             automata::AutomatonKind::generalised, {}, names);
        const std::size_t n = std::max<std::size_t>(1, bad.size());
        reference::FairGraph product;
        product.marks = bad.all_marks();
        product.processes = (std::uint64_t{1} << processes_.size()) - 1;
        for (const std::uint64_t enabled : enabled_) product.enabled.insert(product.enabled.end(), n, enabled);
        if (bad.size() == 0) return false;
        for (std::size_t i = 0; i < graph_.initial; ++i) product.initial.push_back(i * n + bad.initial);
        const auto add = [&](std::size_t from, std::size_t to, std::uint64_t moved) {
            const std::uint64_t letter = letters_[from] | moved_letter(moved);
            for (std::size_t q = 0; q < n; ++q)
                for (const automata::Edge& edge : bad.states[q])
                    if (labels.evaluate(edge.label, letter))
                        product.edges.push_back({from * n + q, to * n + edge.target, edge.marks, moved});
        };
        for (const reference::Edge& edge : graph_.edges) add(edge.from, edge.to, set_of(edge.participants));
        for (const std::size_t state : graph_.deadlocks)
            if (is_end_[state] || reading == DeadlockReading::stutter) add(state, state, 0);
        const auto runs = fairness == Fairness::none   ? reference::FairRuns::all
                          : fairness == Fairness::weak ? reference::FairRuns::weakly_fair
                                                       : reference::FairRuns::strongly_fair;
        return reference::has_fair_run(product, runs);
    }

private:
    std::optional<bool> holds(const std::string& expression, std::size_t state) const {
        const support::Result<reference::Answer> answer = machine_.evaluate(expression, graph_.states[state]);
        if (!answer || answer->fault != model::FaultKind::none) return std::nullopt;
        return answer->value != 0;
    }
    [[nodiscard]] std::uint64_t set_of(const std::vector<reference::Participant>& participants) const {
        std::uint64_t set = 0;
        for (std::size_t p = 0; p < processes_.size(); ++p)
            for (const reference::Participant& participant : participants)
                if (participant.process == processes_[p]) set |= std::uint64_t{1} << p;
        return set;
    }
    [[nodiscard]] std::size_t process_of(const std::string& atom) const {
        const std::size_t open = atom.find('(');
        const std::string name = atom.substr(open + 1, atom.size() - open - 2);
        return static_cast<std::size_t>(std::find(processes_.begin(), processes_.end(), name) - processes_.begin());
    }
    [[nodiscard]] std::uint64_t moved_letter(std::uint64_t moved) const {
        std::uint64_t letter = 0;
        for (std::size_t i = 0; i < atoms_.size(); ++i)
            if (atoms_[i].starts_with("moved(") && ((moved >> process_of(atoms_[i])) & 1U) != 0)
                letter |= std::uint64_t{1} << i;
        return letter;
    }

    // Whether the formula is false on a run that ends in a deadlock. Bit i of a valuation: subformula i is true.
    std::optional<bool> ends_badly(const logic::Formulas& formulas, logic::Formula f,
                                   const std::vector<logic::Formula>& names) const {
        const std::vector<logic::Formula> parts = logic::subformulas(formulas, f);
        if (parts.size() > 64) return std::nullopt;
        std::map<std::uint32_t, std::size_t> place;
        for (std::size_t i = 0; i < parts.size(); ++i) place[parts[i].number()] = i;
        const auto values = [&](std::uint64_t letter, std::optional<std::uint64_t> next) {
            std::uint64_t here = 0;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                const std::span<const logic::Formula> operands = formulas.operands(parts[i]);
                const auto now = [&](std::size_t k) { return ((here >> place.at(operands[k].number())) & 1U) != 0; };
                const auto then = [&](std::size_t what) { return next && ((*next >> what) & 1U) != 0; };
                const bool last = !next;
                bool value = false;
                using enum logic::Connective;
                switch (formulas.connective(parts[i])) {
                    case falsity: break;
                    case truth: value = true; break;
                    case atom: {
                        const auto found = std::find(names.begin(), names.end(), parts[i]);
                        value = ((letter >> (found - names.begin())) & 1U) != 0;
                        break;
                    }
                    case negation: value = !now(0); break;
                    case conjunction:
                        value = true;
                        for (std::size_t k = 0; k < operands.size(); ++k) value = value && now(k);
                        break;
                    case disjunction:
                        for (std::size_t k = 0; k < operands.size(); ++k) value = value || now(k);
                        break;
                    case implication: value = !now(0) || now(1); break;
                    case equivalence: value = now(0) == now(1); break;
                    case exclusion: value = now(0) != now(1); break;
                    case logic::Connective::next: value = then(place.at(operands[0].number())); break;
                    case eventually: value = now(0) || then(i); break;
                    case always: value = now(0) && (last || then(i)); break;
                    case until: value = now(1) || (now(0) && then(i)); break;
                    case weak_until: value = now(1) || (now(0) && (last || then(i))); break;
                    case release: value = now(1) && (now(0) || last || then(i)); break;
                    case strong_release: value = now(1) && (now(0) || then(i)); break;
                    case exists:
                    case forall: break;
                }
                here |= std::uint64_t{value} << i;
            }
            return here;
        };
        std::set<std::pair<std::size_t, std::uint64_t>> known;
        std::vector<std::pair<std::size_t, std::uint64_t>> open;
        const auto add = [&](std::size_t state, std::uint64_t valuation) {
            if (known.emplace(state, valuation).second) open.emplace_back(state, valuation);
        };
        for (const std::size_t state : graph_.deadlocks)
            if (!is_end_[state]) add(state, values(letters_[state], std::nullopt));
        while (!open.empty()) {
            const auto [state, valuation] = open.back();
            open.pop_back();
            if (state < graph_.initial && ((valuation >> (parts.size() - 1)) & 1U) == 0) return true;
            for (const reference::Edge& edge : graph_.edges)
                if (edge.to == state)
                    add(edge.from, values(letters_[edge.from] | moved_letter(set_of(edge.participants)), valuation));
        }
        return false;
    }

    const reference::Machine& machine_;
    const std::vector<std::string>& processes_;
    const std::vector<std::string>& atoms_;
    reference::Graph graph_;
    std::vector<std::uint64_t> enabled_;
    std::vector<bool> is_end_;
    std::vector<std::uint64_t> letters_;
    bool is_known_ = false;
};

struct Asked {
    DeadlockReading reading = DeadlockReading::stutter;
    Fairness fairness = Fairness::none;
    std::string ends;
};

class RandomReadings : public testing::Test {
protected:
    // Verdicts of one run, checked against what is expected.
    void check_run(const std::string& path, const std::vector<std::string>& formulas,
                   const std::vector<std::optional<bool>>& expected, const Asked& asked, run::Engine engine,
                   unsigned threads, std::optional<std::uint64_t> change_at = std::nullopt) {
        std::vector<run::PropertySpec> properties;
        for (std::size_t i = 0; i < formulas.size(); ++i)
            properties.push_back(run::ltl(formulas[i], "f" + std::to_string(i)));
        run::RunSpec spec = run::spec_for(path, run::Task::check, std::move(properties));
        spec.engine = engine;
        spec.threads = threads;
        spec.change_at = change_at;
        spec.deadlocks = asked.reading;
        spec.fairness = asked.fairness;
        spec.end_states = asked.ends;
        spec.successors = successor::Successors::interpret;
        run::Sink sink;
        const support::Budget budget;
        run::OrRefusal<run::RunReport> result = run::run(std::move(spec), sink, budget);
        ASSERT_TRUE(std::holds_alternative<run::RunReport>(result))
            << support::to_text(std::get<run::Refusal>(result).diagnostics.front());
        const run::RunReport& report = std::get<run::RunReport>(result);
        for (std::size_t i = 0; i < formulas.size(); ++i) {
            if (!expected[i]) continue;
            const check::Verdict& verdict = report.outcome.verdicts.at(i);
            SCOPED_TRACE(formulas[i] + " by " + std::string(to_string(engine)));
            if (*expected[i]) {
                ASSERT_EQ(verdict.answer, check::Answer::violated);
                ASSERT_TRUE(verdict.trace && (verdict.trace->loop || ends_at_its_step(verdict)))
                    << verdict.trace_reason;
                prefixes_ += verdict.trace->loop ? 0 : 1;
            } else if (report.outcome.faults.empty()) {
                ASSERT_EQ(verdict.answer, check::Answer::holds);
            } else if (verdict.answer == check::Answer::violated) {
                // A bad prefix may be complete before a faulty step; where no run goes on, no cycle shows it.
                ASSERT_TRUE(verdict.trace && ends_at_its_step(verdict));
            }
        }
    }
    // Replayed, and its word violates the formula however it goes on, before it is shown (run/linear_product.hpp).
    static bool ends_at_its_step(const check::Verdict& verdict) {
        return verdict.trace->violation && verdict.trace->violation->kind == trace::ShownViolation::Kind::formula;
    }
    std::uint64_t prefixes_ = 0;  // runs shown that end where a safety formula is violated
};

TEST_F(RandomReadings, EveryEngineHasTheVerdictOfTheDefinitions) {
    const run::SampleFolder folder;
    std::map<std::tuple<DeadlockReading, Fairness, bool>, std::uint64_t> tally;
    std::uint64_t pairs = 0;
    std::uint64_t runs_that_end = 0;
    for (std::uint64_t seed = 0; pairs < pairs_wanted(); ++seed) {
        RandomOptions options;
        options.property_percent = 0;
        options.sync_percent = 5;
        options.fault_percent = 10;
        const RandomModel random_text = random_model(seed, options);
        support::Result<input::LoadedModel> loaded = input::load_model_text("random.dve", random_text.text, {});
        if (!loaded) continue;
        logic::RandomEngine random(seed);
        const std::unique_ptr<reference::Machine> machine = reference::make_machine(*loaded, {});
        std::vector<std::string> processes;
        for (const model::Process& process : loaded->model->processes) processes.push_back(process.name);
        std::vector<std::string> atoms = random_text.invariants;
        atoms.emplace_back("deadlock");
        for (const char* kind : {"enabled(", "moved("})
            atoms.push_back(kind + processes[logic::below(random, processes.size())] + ')');
        Asked asked;
        if (logic::below(random, 3) == 0) asked.ends = random_text.invariants[logic::below(random, 3)];
        const Oracle oracle(*machine, processes, atoms, asked.ends);
        if (!oracle.is_known()) continue;
        // In lockstep a faulty step is named by the process that fails.
        if (loaded->model->composition == model::Composition::lockstep && !oracle.graph().faults.empty()) continue;
        SCOPED_TRACE(random_text.text);
        const std::string path = folder.write("m.dve", random_text.text);
        for (const DeadlockReading reading :
             {DeadlockReading::stutter, DeadlockReading::finite, DeadlockReading::ignore}) {
            for (const Fairness fairness : {Fairness::none, Fairness::weak, Fairness::strong}) {
                asked.reading = reading;
                asked.fairness = fairness;
                // The readings differ only where runs end.
                if (oracle.graph().deadlocks.empty() && reading != DeadlockReading::stutter) continue;
                std::vector<std::string> texts;
                std::vector<std::optional<bool>> expected;
                for (std::size_t i = 0; i < kFormulas; ++i) {
                    logic::Formulas formulas;
                    std::vector<logic::Formula> names;
                    for (const std::string& atom : atoms) names.push_back(formulas.atom(atom));
                    const logic::Formula f = logic::random_ltl(formulas, random, names, 1 + logic::below(random, 8));
                    texts.push_back(logic::to_text(formulas, f));
                    expected.push_back(oracle.is_violated(formulas, f, names, reading, fairness));
                    if (!expected.back()) continue;
                    ++pairs;
                    ++tally[{reading, fairness, *expected.back()}];
                }
                SCOPED_TRACE("seed " + std::to_string(seed) + ", deadlocks " + std::string(check::to_string(reading)) +
                             ", fair " + std::string(check::to_string(fairness)) + ", ends " + asked.ends);
                check_run(path, texts, expected, asked, run::Engine::graph, 1 + logic::below(random, 8) / 7);
                if (HasFatalFailure()) return;
                if (fairness != Fairness::strong) check_run(path, texts, expected, asked, run::Engine::couvreur, 1);
                if (HasFatalFailure()) return;
                check_run(path, texts, expected, asked, run::Engine::automatic, 1);
                if (HasFatalFailure()) return;
                // A sweep makes a ledger, which takes time.
                if (seed % 8 == 2)
                    check_run(path, texts, expected, asked, run::Engine::automatic, 1 + seed / 8 % 2,
                              1 + seed / 8 % 13);
                if (HasFatalFailure()) return;
                if (seed % 8 == 0)
                    check_run(path, texts, expected, asked, run::Engine::sweep, 1 + logic::below(random, 2));
                if (fairness == Fairness::none && seed % 4 == 1) {
                    check_run(path, texts, expected, asked, run::Engine::ndfs, 1);
                    if (HasFatalFailure()) return;
                    check_run(path, texts, expected, asked, run::Engine::map, 1);
                }
                if (HasFatalFailure()) return;
            }
        }
        runs_that_end += oracle.graph().deadlocks.empty() ? 0 : 1;
    }
    // Every combination of reading, fairness and verdict occurs often.
    for (const DeadlockReading reading : {DeadlockReading::stutter, DeadlockReading::finite, DeadlockReading::ignore})
        for (const Fairness fairness : {Fairness::none, Fairness::weak, Fairness::strong})
            for (const bool violated : {false, true}) {
                const std::uint64_t count = tally[{reading, fairness, violated}];
                EXPECT_GT(count, pairs_wanted() / 200)
                    << check::to_string(reading) << ' ' << check::to_string(fairness) << ' ' << violated;
            }
    EXPECT_GT(runs_that_end, pairs_wanted() / 500);
    EXPECT_GT(prefixes_, pairs_wanted() / 50);
}

}  // namespace
}  // namespace tideline::differential
