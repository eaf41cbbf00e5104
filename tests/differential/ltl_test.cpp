// Linear-time properties on random DVE models: verdicts by every engine, with random measures, on products with
// automata of random formulas and on models with a property process, against strongly connected components of the graph
// that reference/ explores, whose letters reference/ evaluates. Every counterexample is replayed by reference/ and its
// word evaluated without any automaton.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "automata/components.hpp"
#include "automata/system_product.hpp"
#include "automata/translate.hpp"
#include "check/ltl.hpp"
#include "input/load.hpp"
#include "logic/print.hpp"
#include "logic/random_formula.hpp"
#include "logic/word.hpp"
#include "model/evaluate.hpp"
#include "model/parse_expression.hpp"
#include "progress/measure.hpp"
#include "reference/explorer.hpp"
#include "reference/machines.hpp"
#include "successor/native/native_system.hpp"
#include "tests/differential/random_dve.hpp"
#include "trace/confirm.hpp"

namespace tideline::differential {
namespace {

const support::Budget kUnlimited;

constexpr std::size_t kMostStates = 3000;

std::uint64_t models() {
    const char* given = std::getenv("TIDELINE_RANDOM_MODELS");
    return given == nullptr ? 200 : std::strtoull(given, nullptr, 10);
}

// Packed as if only the initial values had ever been seen; some as machine code.
std::shared_ptr<const successor::System> system_of(const std::shared_ptr<const model::Model>& model,
                                                   std::vector<model::Expression> labels, std::uint64_t seed,
                                                   successor::KeyProgram key = {}) {
    std::vector<model::Range> seen;
    for (const model::Value value : model->initial) seen.push_back({value, value});
    std::string notice;
    return successor::make_model_system(
        model, std::move(labels), successor::Layout::observed(*model, seen), std::move(key),
        seed % 20 == 0 ? successor::Successors::native : successor::Successors::interpret, kUnlimited, notice);
}

// One or two slots, up or down.
successor::KeyProgram random_measure(const model::Model& model, logic::RandomEngine& random) {
    successor::KeyProgram key;
    for (std::size_t i = 1 + logic::below(random, 2); i > 0; --i) {
        const model::Variable& variable = model.variables[logic::below(random, model.variables.size())];
        model::Expression slot = model::Expression::slot(variable.first_slot);
        if (logic::below(random, 2) == 0) slot = model::Expression::unary(model::Op::negate, slot);
        key.components.push_back(progress::key_component(model, slot));
    }
    return key;
}

struct Choice {
    check::ltl::Engine engine;
    check::ltl::Variant variant;
};
// All engines that take accepting states; of the sweeps a random variant.
std::vector<Choice> engines_for_accepting_states(logic::RandomEngine& random) {
    using check::ltl::Engine;
    std::vector<Choice> result{{Engine::ndfs, {}}, {Engine::ndfs, {.plain = true}}, {Engine::map, {}}};
    for (const Engine engine : {Engine::ltl_sweep_offline, Engine::ltl_sweep_online}) {
        const std::size_t bits = logic::below(random, 8);
        result.push_back(
            {engine,
             {.progress_graph = (bits & 1U) != 0, .progress_order = (bits & 2U) != 0, .mpp2 = (bits & 4U) != 0}});
    }
    return result;
}

// A graph of states and steps with marks, as an automaton whose labels do not matter.
struct MarkedGraph {
    explicit MarkedGraph(std::size_t sets) {
        graph.labels = &labels;
        graph.sets = sets;
    }
    void add(std::size_t from, std::size_t to, model::Marks marks) {
        graph.states[from].push_back({static_cast<automata::StateNumber>(to), labels.truth(), marks});
    }
    [[nodiscard]] bool has_accepting_run() const { return !automata::is_empty(automata::renumbered(graph)); }

    automata::Labels labels;
    automata::Automaton graph;
};

struct Tally {
    std::size_t violated = 0;
    std::size_t held = 0;
    std::size_t faulty = 0;
    std::size_t stuck = 0;
};

// `violated` by the reference; where it is not and there was a fault, nothing can be said.
void expect_verdict(const check::Outcome& outcome, bool violated, bool faults, Tally& tally) {
    const check::Verdict& verdict = outcome.verdicts.at(0);
    if (violated) {
        ASSERT_EQ(verdict.answer, check::Answer::violated);
        ASSERT_TRUE(verdict.trace && verdict.trace->loop);
        ++tally.violated;
        tally.stuck += verdict.trace->stays ? 1 : 0;
    } else {
        ASSERT_EQ(verdict.answer, outcome.faults.empty() ? check::Answer::holds : check::Answer::unknown);
        ASSERT_TRUE(faults || outcome.faults.empty());
        ++(outcome.faults.empty() ? tally.held : tally.faulty);
    }
}

class RandomLtl : public testing::Test {
protected:
    // False: the model is too large, or one of its conditions cannot be evaluated everywhere.
    bool load(std::uint64_t seed, const RandomOptions& options) {
        const RandomModel random = random_model(seed, options);
        support::Result<input::LoadedModel> loaded = input::load_model_text("random.dve", random.text, {});
        if (!loaded) return false;
        text_ = random.text;
        model_ = loaded->model;
        machine_ = reference::make_machine(*loaded, {});
        graph_ = reference::explore(*machine_, {kMostStates, true});
        if (graph_.limit_hit) return false;
        atoms_.clear();
        letters_.assign(graph_.states.size(), 0);
        for (std::size_t i = 0; i < random.invariants.size(); ++i) {
            const support::Result<model::Expression> atom =
                model::parse_expression(*model_, support::SourceText("atom", random.invariants[i]));
            if (!atom) return false;
            atoms_.push_back(*atom);
            for (std::size_t s = 0; s < graph_.states.size(); ++s) {
                const support::Result<reference::Answer> answer =
                    machine_->evaluate(random.invariants[i], graph_.states[s]);
                if (!answer || answer->fault != model::FaultKind::none) return false;
                letters_[s] |= std::uint64_t{answer->value != 0} << i;
            }
        }
        return true;
    }

    [[nodiscard]] logic::Lasso word_of(const trace::Trace& trace) const {
        std::size_t depth = 1;
        for (const model::Expression& atom : atoms_) depth = std::max(depth, atom.stack_depth() + 1);
        std::vector<model::Value> stack(depth);
        logic::Lasso word;
        for (std::size_t at = 0; at < trace.size(); ++at) {
            const std::vector<model::Value> values = trace.values(at);
            std::uint64_t letter = 0;
            for (std::size_t i = 0; i < atoms_.size(); ++i)
                letter |=
                    std::uint64_t{model::evaluate(atoms_[i], model_->tables, values.data(), stack.data()).value != 0}
                    << i;
            word.letters.push_back(letter);
        }
        word.loop = *trace.loop;
        return word;
    }

    static check::Outcome decided(const check::LtlRequest& asked) {
        const support::Budget unlimited;
        return check::with_evidence(check::decide_ltl(asked), unlimited);
    }

    check::LtlRequest request(std::shared_ptr<const successor::System> system) const {
        check::LtlRequest result;
        result.system = std::move(system);
        result.confirm = [this](const trace::Trace& trace, const support::Budget& budget) {
            return trace::confirm(trace, *machine_, budget);
        };
        return result;
    }

    std::string text_;
    std::shared_ptr<const model::Model> model_;
    std::unique_ptr<reference::Machine> machine_;
    reference::Graph graph_;
    std::vector<model::Expression> atoms_;
    std::vector<std::uint64_t> letters_;  // of the graph's states
};

TEST_F(RandomLtl, FormulasHaveTheVerdictThatTheReferenceGraphShows) {
    RandomOptions options;
    options.property_percent = 0;
    Tally tally;
    Tally others;
    for (std::uint64_t seed = 0; seed < models(); ++seed) {
        if (!load(seed, options)) continue;
        logic::RandomEngine random(seed);
        logic::Formulas formulas;
        std::vector<logic::Formula> names;
        for (std::size_t i = 0; i < atoms_.size(); ++i) names.push_back(formulas.atom("a" + std::to_string(i)));
        for (int round = 0; round < 3; ++round) {
            const logic::Formula f = logic::random_ltl(formulas, random, names, 1 + logic::below(random, 9));
            SCOPED_TRACE(logic::to_text(formulas, f) + '\n' + text_);
            automata::Labels labels;
            const automata::Automaton bad = *automata::translate(formulas, formulas.negation(f), labels,
                                                                 automata::AutomatonKind::generalised, {}, names);
            const std::size_t n = bad.size();
            MarkedGraph whole(bad.sets);
            whole.graph.states.resize(graph_.states.size() * n);
            whole.graph.initial = bad.initial;
            const auto add = [&](std::size_t from, std::size_t to) {
                for (std::size_t q = 0; q < n; ++q)
                    for (const automata::Edge& edge : bad.states[q])
                        if (labels.evaluate(edge.label, letters_[from]))
                            whole.add(from * n + q, to * n + edge.target, edge.marks);
            };
            for (const reference::Edge& edge : graph_.edges) add(edge.from, edge.to);
            for (const std::size_t stuck : graph_.deadlocks) add(stuck, stuck);
            check::LtlRequest asked = request(automata::make_product(system_of(model_, atoms_, seed), bad, {}));
            asked.marks = bad.all_marks();
            asked.is_bad = [&](const trace::Trace& trace) {
                return !logic::is_true_of(formulas, f, word_of(trace), names);
            };
            const bool is_violated = whole.has_accepting_run();
            expect_verdict(decided(asked), is_violated, !graph_.faults.empty(), tally);
            if (HasFatalFailure()) return;
            const automata::Automaton with_states = *automata::translate(
                formulas, formulas.negation(f), labels, automata::AutomatonKind::state_based, {}, names);
            asked.system = automata::make_product(system_of(model_, atoms_, seed, random_measure(*model_, random)),
                                                  with_states, {});
            asked.marks = with_states.all_marks();
            for (const Choice& choice : engines_for_accepting_states(random)) {
                asked.engine = choice.engine;
                asked.variant = choice.variant;
                SCOPED_TRACE(check::ltl::to_string(choice.engine));
                expect_verdict(decided(asked), is_violated, !graph_.faults.empty(), others);
                if (HasFatalFailure()) return;
            }
        }
    }
    EXPECT_GT(others.violated, 2 * models());
    EXPECT_GT(others.held, models());
    EXPECT_GT(tally.violated, models() / 2);
    EXPECT_GT(tally.held, models() / 4);
    EXPECT_GT(tally.faulty, models() / 40);
    EXPECT_GT(tally.stuck, models() / 20);
}

TEST_F(RandomLtl, PropertyProcessesHaveTheVerdictThatTheReferenceGraphShows) {
    RandomOptions options;
    options.property_percent = 100;
    Tally tally;
    Tally others;
    for (std::uint64_t seed = 0; seed < models(); ++seed) {
        if (!load(seed, options) || !model_->observer || model_->acceptance_sets == 0) continue;
        SCOPED_TRACE(text_);
        // Marks belong to the location that the property process leaves.
        std::vector<model::Marks> marks(model_->processes[*model_->observer].outgoing.size(), 0);
        for (const model::Transition& transition : model_->transitions)
            for (const model::Participant& participant : transition.participants)
                if (participant.process == *model_->observer)
                    marks[static_cast<std::size_t>(participant.from)] = transition.marks;
        const std::vector<std::string>& names = machine_->names();
        const auto location = static_cast<std::size_t>(
            std::find(names.begin(), names.end(), model_->processes[*model_->observer].name) - names.begin());
        MarkedGraph whole(model_->acceptance_sets);
        whole.graph.states.resize(graph_.states.size());
        for (const reference::Edge& edge : graph_.edges)
            whole.add(edge.from, edge.to, marks[static_cast<std::size_t>(graph_.states[edge.from].at(location))]);
        check::LtlRequest asked = request(system_of(model_, {}, seed));
        asked.marks = whole.graph.all_marks();
        asked.is_product = false;
        const bool is_violated = whole.has_accepting_run();
        expect_verdict(decided(asked), is_violated, !graph_.faults.empty(), tally);
        if (HasFatalFailure()) return;
        if (model_->acceptance_sets > 1) continue;
        logic::RandomEngine random(seed);
        asked.system = system_of(model_, {}, seed, random_measure(*model_, random));
        for (const Choice& choice : engines_for_accepting_states(random)) {
            asked.engine = choice.engine;
            asked.variant = choice.variant;
            SCOPED_TRACE(check::ltl::to_string(choice.engine));
            expect_verdict(decided(asked), is_violated, !graph_.faults.empty(), others);
            if (HasFatalFailure()) return;
        }
    }
    EXPECT_GT(tally.violated, models() / 8);
    EXPECT_GT(tally.held, models() / 40);
    EXPECT_GT(others.violated, models() / 8);
}

}  // namespace
}  // namespace tideline::differential
