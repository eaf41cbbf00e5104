// Stubborn sets on random models. The reduced state space against the whole one, both as plain graphs that this test
// builds and evaluates itself: deadlocks, faults, the values that labels have together, linear-time formulas without X,
// formulas of CTL without X. The same with errors planted in the relations, each of which must be found. Environment:
// TIDELINE_RANDOM_MODELS (how many), TIDELINE_RANDOM_SEED (the first).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "automata/components.hpp"
#include "automata/translate.hpp"
#include "input/load.hpp"
#include "logic/random_formula.hpp"
#include "model/parse_expression.hpp"
#include "reduce/stubborn_system.hpp"
#include "successor/interpret/interpreted_system.hpp"
#include "successor/native/native_system.hpp"
#include "tests/differential/loose_dve.hpp"

namespace tideline::differential {
namespace {

using reduce::Preserved;

const support::Budget kUnlimited;
constexpr std::size_t kMostStates = 400;

std::uint64_t number(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// A state space with the letters of its states: bit i is label i.
struct Graph {
    std::vector<std::vector<std::size_t>> next;
    std::vector<std::uint64_t> letters;
    std::set<std::vector<model::Value>> deadlocks;
    std::set<std::pair<model::TransitionId, model::FaultKind>> faults;
    bool is_known = true;  // small, and every label can be evaluated everywhere
};

Graph graph_of(const successor::System& system, std::size_t capacity) {
    Graph graph;
    std::map<std::vector<successor::Word>, std::size_t> known;
    std::vector<std::vector<successor::Word>> states;
    const std::unique_ptr<successor::Expander> expander = system.expander();
    const auto add = [&](std::vector<successor::Word> state) {
        const auto [place, is_new] = known.emplace(state, states.size());
        if (is_new) {
            std::vector<std::uint64_t> bits(system.label_words(), 0);
            std::vector<model::FaultKind> faults(system.label_count(), model::FaultKind::none);
            expander->labels(state.data(), bits.data(), faults.data());
            for (const model::FaultKind fault : faults)
                graph.is_known = graph.is_known && fault == model::FaultKind::none;
            graph.letters.push_back(bits.empty() ? 0 : bits[0]);
            graph.next.emplace_back();
            states.push_back(std::move(state));
        }
        return place->second;
    };
    for (std::vector<successor::Word>& state : system.initial_states()) add(std::move(state));
    successor::SuccessorBatch batch(system.state_words(), capacity);
    for (std::size_t at = 0; at < states.size() && graph.is_known; ++at) {
        if (states.size() > kMostStates) graph.is_known = false;
        const std::vector<successor::Word> state = states[at];
        successor::Cursor cursor;
        std::size_t steps = 0;
        while (cursor.state < 1) {
            batch.restart(cursor.state);
            const successor::Expansion end = expander->expand(state.data(), 1, cursor, batch);
            EXPECT_TRUE(end == successor::Expansion::done || end == successor::Expansion::full);
            for (std::size_t i = 0; i < batch.size(); ++i) {
                ++steps;
                if (batch.fault(i) != model::FaultKind::none) {
                    graph.faults.insert({batch.transition(i), batch.fault(i)});
                    continue;
                }
                const std::size_t target = add({batch.state(i), batch.state(i) + system.state_words()});
                graph.next[at].push_back(target);
            }
        }
        EXPECT_EQ(steps, system.steps(state.data()).size());
        if (steps == 0) graph.deadlocks.insert(system.decode(state.data()));
    }
    return graph;
}

// Whether some run, with runs that end in a deadlock repeating it, is accepted.
bool has_run(const Graph& graph, const automata::Automaton& automaton, const automata::Labels& labels) {
    const std::size_t n = automaton.size();
    if (n == 0) return false;
    automata::Labels truth;
    automata::Automaton product;
    product.labels = &truth;
    product.sets = automaton.sets;
    product.states.resize(graph.next.size() * n);
    product.initial = automaton.initial;
    const auto add = [&](std::size_t from, std::size_t to) {
        for (std::size_t q = 0; q < n; ++q)
            for (const automata::Edge& edge : automaton.states[q])
                if (labels.evaluate(edge.label, graph.letters[from]))
                    product.states[from * n + q].push_back(
                        {static_cast<automata::StateNumber>(to * n + edge.target), truth.truth(), edge.marks});
    };
    for (std::size_t s = 0; s < graph.next.size(); ++s) {
        if (graph.next[s].empty()) add(s, s);
        for (const std::size_t t : graph.next[s]) add(s, t);
    }
    return !automata::is_empty(automata::renumbered(product));
}

// The states where a random formula of CTL without X holds.
std::vector<bool> random_ctl(const Graph& graph, logic::RandomEngine& random, std::size_t depth) {
    const std::size_t n = graph.next.size();
    std::vector<bool> result(n);
    const std::size_t kind = depth == 0 ? 0 : logic::below(random, 6);
    if (kind == 0) {
        const std::size_t atom = logic::below(random, 3);
        for (std::size_t s = 0; s < n; ++s) result[s] = (graph.letters[s] >> atom & 1U) != 0;
        return result;
    }
    const std::vector<bool> left = random_ctl(graph, random, depth - 1);
    if (kind == 1) {
        for (std::size_t s = 0; s < n; ++s) result[s] = !left[s];
        return result;
    }
    if (kind == 2) {  // EG
        result = left;
        for (bool changes = true; changes;) {
            changes = false;
            for (std::size_t s = 0; s < n; ++s) {
                const bool goes_on = graph.next[s].empty() || std::any_of(graph.next[s].begin(), graph.next[s].end(),
                                                                          [&](std::size_t t) { return result[t]; });
                if (!result[s] || goes_on) continue;
                result[s] = false;
                changes = true;
            }
        }
        return result;
    }
    const std::vector<bool> right = random_ctl(graph, random, depth - 1);
    if (kind == 3) {
        for (std::size_t s = 0; s < n; ++s) result[s] = left[s] || right[s];
        return result;
    }
    result = right;  // EU, AU
    for (bool changes = true; changes;) {
        changes = false;
        for (std::size_t s = 0; s < n; ++s) {
            const auto holds = [&](std::size_t t) { return static_cast<bool>(result[t]); };
            const std::vector<std::size_t>& next = graph.next[s];
            const bool some = std::any_of(next.begin(), next.end(), holds);
            const bool all = !next.empty() && std::all_of(next.begin(), next.end(), holds);
            if (result[s] || !left[s] || !(kind == 4 ? some : all)) continue;
            result[s] = true;
            changes = true;
        }
    }
    return result;
}

struct Subject {
    std::shared_ptr<const model::Model> model;
    std::vector<model::Expression> labels;
    std::shared_ptr<const successor::System> whole;
    Graph graph;
};

std::optional<Subject> subject_of(const RandomModel& text, bool native) {
    support::Result<input::LoadedModel> loaded = input::load_model_text("random.dve", text.text, {});
    if (!loaded || !reduce::irreducible(*loaded->model).empty()) return std::nullopt;
    Subject subject{loaded->model, {}, nullptr, {}};
    for (const std::string& invariant : text.invariants) {
        support::Result<model::Expression> label =
            model::parse_expression(*subject.model, support::SourceText("label", invariant));
        if (!label) return std::nullopt;
        subject.labels.push_back(*std::move(label));
    }
    std::string notice;
    subject.whole = successor::make_model_system(
        subject.model, subject.labels, successor::Layout::declared(*subject.model), {},
        native ? successor::Successors::native : successor::Successors::interpret, kUnlimited, notice);
    subject.graph = graph_of(*subject.whole, 64);
    if (!subject.graph.is_known) return std::nullopt;
    return subject;
}

// What the reduced state space has not of the whole one; empty: nothing.
std::string difference(const Subject& subject, const Graph& reduced, Preserved preserved, std::uint64_t seed) {
    if (reduced.next.size() > subject.graph.next.size()) return "states";
    if (reduced.deadlocks != subject.graph.deadlocks) return "deadlocks";
    if (reduced.faults != subject.graph.faults) return "faults";
    const auto letters = [](const Graph& g) { return std::set(g.letters.begin(), g.letters.end()); };
    if (letters(reduced) != letters(subject.graph)) return "values of labels";
    logic::RandomEngine random(seed);
    // A fault ends a run, and neither graph has it.
    if (preserved == Preserved::states || !subject.graph.faults.empty()) return "";
    for (int i = 0; i < 4; ++i) {
        logic::Formulas formulas;
        std::vector<logic::Formula> names;
        for (const char* name : {"p", "q", "r"}) names.push_back(formulas.atom(name));
        const logic::Formula f = logic::random_ltl(formulas, random, names, 1 + logic::below(random, 6));
        if (!formulas.has(f, logic::Trait::next_free)) continue;
        automata::Labels labels;
        const automata::Automaton automaton =
            *automata::translate(formulas, f, labels, automata::AutomatonKind::generalised, {}, names);
        if (has_run(subject.graph, automaton, labels) != has_run(reduced, automaton, labels)) return "linear time";
    }
    if (preserved == Preserved::linear) return "";
    for (std::uint64_t i = 0; i < 4; ++i) {
        logic::RandomEngine one(seed * 4 + i);
        logic::RandomEngine other(seed * 4 + i);
        if (random_ctl(subject.graph, one, 4)[0] != random_ctl(reduced, other, 4)[0]) return "branching time";
    }
    return "";
}

Graph reduced_graph(const Subject& subject, reduce::Relations relations, Preserved preserved, std::size_t capacity) {
    const auto shared = std::make_shared<const reduce::Relations>(reduce::with_conditions(std::move(relations)));
    return graph_of(*reduce::with_stubborn_sets(subject.whole, shared, preserved), capacity);
}

RandomModel model_of(std::uint64_t seed) {
    RandomOptions options;
    options.property_percent = 0;
    options.sync_percent = 0;
    return seed % 3 == 0 ? random_model(seed, options) : loose_model(seed);
}

constexpr Preserved kAll[] = {Preserved::states, Preserved::linear, Preserved::branching};

TEST(StubbornSets, RandomModelsKeepWhatIsAsked) {
    const std::uint64_t count = number("TIDELINE_RANDOM_MODELS", 5000);
    std::uint64_t compared = 0;
    std::uint64_t smaller[3] = {0, 0, 0};
    std::uint64_t with_deadlocks = 0;
    std::uint64_t with_faults = 0;
    for (std::uint64_t seed = number("TIDELINE_RANDOM_SEED", 0); compared < count; ++seed) {
        const RandomModel text = model_of(seed);
        const std::optional<Subject> subject = subject_of(text, seed % 100 == 0);
        if (!subject) continue;
        ++compared;
        with_deadlocks += subject->graph.deadlocks.empty() ? 0 : 1;
        with_faults += subject->graph.faults.empty() ? 0 : 1;
        for (const Preserved preserved : kAll) {
            const Graph reduced = reduced_graph(*subject, reduce::basic_relations(subject->model, subject->labels),
                                                preserved, seed % 2 == 0 ? 64 : 1);
            ASSERT_EQ(difference(*subject, reduced, preserved, seed), "")
                << "seed " << seed << " preserved " << static_cast<int>(preserved) << "\n"
                << text.text;
            smaller[static_cast<int>(preserved)] += reduced.next.size() < subject->graph.next.size() ? 1 : 0;
        }
    }
    EXPECT_GT(smaller[0], count / 5);
    EXPECT_GT(smaller[1], count / 10);
    EXPECT_GT(smaller[2], count / 20);
    EXPECT_GT(with_deadlocks, count / 5);
    EXPECT_GT(with_faults, count / 50);
    std::printf(
        "%llu models; fewer states in %llu, %llu (linear) and %llu (branching); deadlocks in %llu, faults in %llu\n",
        static_cast<unsigned long long>(compared), static_cast<unsigned long long>(smaller[0]),
        static_cast<unsigned long long>(smaller[1]), static_cast<unsigned long long>(smaller[2]),
        static_cast<unsigned long long>(with_deadlocks), static_cast<unsigned long long>(with_faults));
}

// How many of the first models show an error in the relations.
template <class Error>
std::uint64_t models_that_show(Error plant, std::uint64_t models) {
    std::uint64_t found = 0;
    for (std::uint64_t seed = 0; seed < models; ++seed) {
        const std::optional<Subject> subject = subject_of(model_of(seed), false);
        if (!subject) continue;
        for (const Preserved preserved : kAll) {
            reduce::Relations relations = reduce::basic_relations(subject->model, subject->labels);
            plant(relations);
            const Graph reduced = reduced_graph(*subject, std::move(relations), preserved, 64);
            if (difference(*subject, reduced, preserved, seed).empty()) continue;
            ++found;
            break;
        }
    }
    return found;
}

TEST(StubbornSets, AVisibleTransitionTakenForInvisibleIsFound) {
    EXPECT_GT(models_that_show([](reduce::Relations& r) { r.visible = reduce::BitRows(1, r.count); }, 1000), 5U);
}

TEST(StubbornSets, AMissingProvisoIsFound) {
    EXPECT_GT(models_that_show([](reduce::Relations& r) { r.sticky.assign(r.count, false); }, 1000), 5U);
}

TEST(StubbornSets, ADroppedDependencyIsFound) {
    EXPECT_GT(models_that_show(
                  [](reduce::Relations& r) {
                      for (std::size_t t = 0; t < r.count; ++t)
                          for (std::size_t u = t % 3; u < r.count; u += 3) r.dependent.reset(t, u);
                  },
                  1000),
              5U);
}

TEST(StubbornSets, AMissingEnablingTransitionIsFound) {
    EXPECT_GT(models_that_show(
                  [](reduce::Relations& r) { r.enabling = reduce::BitRows(r.conditions.size() + 1, r.count); }, 1000),
              5U);
}

}  // namespace
}  // namespace tideline::differential
