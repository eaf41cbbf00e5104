#include "automata/system_product.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "automata/check_automaton.hpp"
#include "automata/lettered_graph.hpp"
#include "explore/search.hpp"
#include "model/example_models.hpp"
#include "successor/cpp/cpp_system.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline {
namespace {

using namespace examples;

using Pair = std::pair<std::size_t, StateNumber>;
struct Step {
    Pair to;
    Marks marks;
    friend bool operator==(const Step&, const Step&) = default;
};

// The definition, literally.
std::map<Pair, std::vector<Step>> naive_product(const LetteredGraph& graph, const Automaton& automaton) {
    std::map<Pair, std::vector<Step>> result;
    std::vector<Pair> open{{0, automaton.initial}};
    while (!open.empty()) {
        const Pair from = open.back();
        open.pop_back();
        if (result.contains(from)) continue;
        std::vector<Step>& steps = result[from];
        std::vector<std::size_t> next = graph.edges[from.first];
        if (next.empty()) next.push_back(from.first);
        for (const std::size_t node : next)
            for (const Edge& edge : automaton.states[from.second])
                if (automaton.labels->evaluate(edge.label, graph.letters[from.first])) steps.push_back({{node, edge.target}, edge.marks});
        for (const Step& step : steps) open.push_back(step.to);
    }
    return result;
}

std::shared_ptr<const System> system_of(const Model& model, std::vector<Expression> labels, bool narrow, KeyProgram key = {}) {
    std::vector<Range> seen;
    for (const Value value : model.initial) seen.push_back({value, value});
    return make_interpreted_system(std::make_shared<const Model>(model), std::move(labels),
                                   narrow ? Layout::observed(model, seen) : Layout::declared(model), std::move(key));
}

class Counter : public SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(SearchView& search, std::span<const Found> fresh) override {
        for (const Found& found : fresh) states.insert(search.system().decode(found.state));
        return true;
    }
    bool faulty(SearchView& /*search*/, const Found& /*source*/, TransitionId transition, FaultKind kind) override {
        faults.insert({transition, kind});
        return true;
    }
    std::set<std::vector<Value>> states;
    std::set<std::pair<TransitionId, FaultKind>> faults;
};

std::vector<Step> steps_of(const System& system, Expander& expander, const std::vector<Word>& state, std::size_t capacity) {
    std::vector<Step> result;
    SuccessorBatch batch(system.state_words(), capacity);
    Cursor cursor;
    for (Expansion expansion = Expansion::full; expansion != Expansion::done;) {
        batch.restart(cursor.state);
        expansion = expander.expand(state.data(), 1, cursor, batch);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const std::vector<Value> values = system.decode(batch.state(i));
            result.push_back({{static_cast<std::size_t>(values[0]), static_cast<StateNumber>(values[1])}, batch.marks(i)});
        }
    }
    return result;
}

void expect_naive_steps(const System& product, const std::map<Pair, std::vector<Step>>& naive) {
    const std::unique_ptr<Expander> expander = product.expander();
    std::vector<std::vector<Word>> open{product.initial_state()};
    std::set<Pair> met;
    while (!open.empty()) {
        const std::vector<Word> state = std::move(open.back());
        open.pop_back();
        const std::vector<Value> values = product.decode(state.data());
        const Pair pair{static_cast<std::size_t>(values[0]), static_cast<StateNumber>(values[1])};
        if (!met.insert(pair).second) continue;
        for (const std::size_t capacity : {1U, 2U, 3U, 5000U})
            ASSERT_EQ(steps_of(product, *expander, state, capacity), naive.at(pair));
        const std::vector<StepDetail> told = product.steps(state.data());
        ASSERT_EQ(told.size(), naive.at(pair).size());
        for (std::size_t i = 0; i < told.size(); ++i) {
            const std::vector<Value> next = product.decode(told[i].next.data());
            ASSERT_EQ(next[0], static_cast<Value>(naive.at(pair)[i].to.first));
            ASSERT_EQ(next[1], static_cast<Value>(naive.at(pair)[i].to.second));
            open.push_back(told[i].next);
        }
    }
    ASSERT_EQ(met.size(), naive.size());
}

Automaton random_product_automaton(Formulas& formulas, Labels& labels, RandomEngine& random) {
    if (below(random, 2) == 0) return random_automaton(labels, random, 6, below(random, 3));
    const std::vector<Formula> atoms{formulas.atom("a"), formulas.atom("b")};
    const Formula f = random_ltl(formulas, random, atoms, 1 + below(random, 7));
    const Result<Automaton> automaton = translate(formulas, f, labels, AutomatonKind::generalised, {}, atoms);
    EXPECT_TRUE(automaton);
    return *automaton;
}

TEST(SystemProduct, IsWhatTheDefinitionSaysForEveryWalk) {
    RandomEngine random(7);
    Formulas formulas;
    std::size_t with_deadlocks = 0;
    std::size_t with_choices = 0;
    for (int round = 0; round < 60; ++round) {
        Labels labels;
        const LetteredGraph graph = random_lettered_graph(random, 40);
        const Automaton automaton = random_product_automaton(formulas, labels, random);
        const std::map<Pair, std::vector<Step>> naive = naive_product(graph, automaton);
        std::size_t transitions = 0;
        std::size_t deadlocks = 0;
        std::set<std::vector<Value>> states;
        for (const auto& [pair, steps] : naive) {
            transitions += steps.size();
            deadlocks += steps.empty() ? 1 : 0;
            states.insert({static_cast<Value>(pair.first), static_cast<Value>(pair.second)});
            with_deadlocks += graph.edges[pair.first].empty() ? 1 : 0;
            with_choices += steps.size() > graph.edges[pair.first].size() ? 1 : 0;
        }
        const Model model = graph.model();
        std::vector<Expression> atoms = graph.atoms(model);
        const KeyProgram measure{{{Expression::binary(Op::modulo, model.read(0), number(7)), 0, 3}}};
        for (const bool narrow : {false, true}) {
            const auto plain = make_product(system_of(model, atoms, narrow), automaton, {});
            const auto by_rank = make_product(system_of(model, atoms, narrow), automaton, {0, RankPlace::first, 0});
            const auto rank_first = make_product(system_of(model, atoms, narrow, measure), automaton, {0, RankPlace::first, 3});
            const auto rank_last = make_product(system_of(model, atoms, narrow, measure), automaton, {0, RankPlace::last, 3});
            if (!narrow) expect_naive_steps(*plain, naive);
            const auto expect_same = [&](const std::shared_ptr<const System>& product, WalkOrder order, unsigned threads) {
                SearchSettings settings;
                settings.threads = threads;
                Counter counter;
                const SearchResult result = search(product, order, settings, counter);
                ASSERT_TRUE(result.complete) << to_string(order);
                ASSERT_EQ(counter.states, states) << to_string(order);
                if (result.statistics.persistent > 0) return;
                ASSERT_EQ(result.statistics.states, states.size()) << to_string(order);
                ASSERT_EQ(result.statistics.transitions, transitions) << to_string(order);
                ASSERT_EQ(result.statistics.deadlocks, deadlocks) << to_string(order);
            };
            for (const unsigned threads : {1U, 2U}) {
                expect_same(plain, WalkOrder::breadth_first, threads);
                expect_same(by_rank, WalkOrder::sweep_basic, threads);
                expect_same(rank_first, WalkOrder::sweep, threads);
                expect_same(rank_last, WalkOrder::sweep, threads);
            }
            expect_same(plain, WalkOrder::depth_first, 1);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    EXPECT_GT(with_deadlocks, 40U);
    EXPECT_GT(with_choices, 40U);
}

TEST(SystemProduct, KeysHoldTheRankAndTheSystemsOwnValues) {
    Formulas formulas;
    Labels labels;
    const Automaton automaton = *translate(formulas, parsed(formulas, "F (a && X F b)"), labels, AutomatonKind::generalised);
    ASSERT_GT(rank_bits(automaton), 0U);
    const Components found = components(automaton);
    LetteredGraph graph;
    graph.edges = {{1}, {2}, {0, 3}, {3}};
    graph.letters = {0, 1, 2, 3};
    const Model model = graph.model();
    const KeyProgram measure{{{model.read(0), 0, 20}}};
    for (const RankPlace place : {RankPlace::first, RankPlace::last}) {
        const auto product = make_product(system_of(model, graph.atoms(model), false, measure), automaton, {0, place, 20});
        const std::unique_ptr<Expander> expander = product->expander();
        std::vector<std::vector<Word>> open{product->initial_state()};
        std::set<std::vector<Word>> met;
        while (!open.empty()) {
            const std::vector<Word> state = std::move(open.back());
            open.pop_back();
            if (!met.insert(state).second) continue;
            const std::vector<Value> values = product->decode(state.data());
            const Value rank = found.rank(static_cast<StateNumber>(values[1]));
            const std::vector<Value> expected =
                place == RankPlace::first ? std::vector<Value>{rank, values[0]} : std::vector<Value>{values[0], rank};
            ASSERT_EQ(product->key_values(*expander->key(state.data())), expected);
            for (const StepDetail& step : product->steps(state.data())) open.push_back(step.next);
        }
        EXPECT_GT(met.size(), 6U);
    }
}

TEST(SystemProduct, LabelsBeforeTheAtomsRemainLabels) {
    Formulas formulas;
    Labels labels;
    const Automaton automaton = *translate(formulas, parsed(formulas, "G F a && G F b"), labels, AutomatonKind::generalised);
    LetteredGraph graph;
    graph.edges = {{1}, {2}, {0}};
    graph.letters = {1, 2, 3};
    const Model model = graph.model();
    // So many that the atoms lie across two words.
    for (const std::size_t others : {0U, 1U, 63U, 64U, 65U}) {
        std::vector<Expression> all;
        for (std::size_t i = 0; i < others; ++i) all.push_back(LetteredGraph::at(model, i % 3));
        for (const Expression& atom : graph.atoms(model)) all.push_back(atom);
        const auto product = make_product(system_of(model, all, false), automaton, {others});
        ASSERT_EQ(product->label_count(), others);
        expect_naive_steps(*product, naive_product(graph, automaton));
        const std::unique_ptr<Expander> expander = product->expander();
        std::vector<std::uint64_t> bits(product->label_words() + 1);
        std::vector<FaultKind> faults(others + 1);
        expander->labels(product->initial_state().data(), bits.data(), faults.data());
        for (std::size_t i = 0; i < others; ++i) ASSERT_EQ((bits[i / 64] >> (i % 64)) & 1U, i % 3 == 0 ? 1U : 0U);
        if (others > 0) {
            ASSERT_EQ(others % 64 == 0 ? 0 : bits[others / 64] >> (others % 64), 0U);
        }
    }
}

// Counts to 3 and back to 0; at 3 it may also divide by 0.
TEST(SystemProduct, FaultyStepsPassOnceAndAnAtomsFaultOnlyWhereItMatters) {
    Model model;
    const VariableId x = add_scalar(model, "x", {0, 3}, 0);
    const VariableId y = add_scalar(model, "y", {0, 3}, 0);
    Transition up;
    up.guards.push_back(Expression::binary(Op::less, model.read(x), number(3)));
    up.effects.emplace_back(assign(x, Expression::binary(Op::add, model.read(x), number(1))));
    model.add_transition(up);
    Transition down;
    down.guards.push_back(Expression::binary(Op::equal, model.read(x), number(3)));
    down.effects.emplace_back(assign(x, number(0)));
    model.add_transition(down);
    Transition bad = down;
    bad.effects.clear();
    bad.effects.emplace_back(assign(y, Expression::binary(Op::divide, number(1), number(0))));
    const TransitionId faulty = model.add_transition(bad);
    const Expression positive = Expression::binary(Op::greater, model.read(x), number(0));
    const Expression inverse =
        Expression::binary(Op::equal, Expression::binary(Op::divide, number(3), model.read(x)), number(3));  // not at 0
    constexpr TransitionId kInverse = ~TransitionId{0} - 1;  // tells of the second atom
    Formulas formulas;
    Labels labels;
    const auto faults_of = [&](const std::string& formula) {
        const std::vector<Formula> atoms{formulas.atom("positive"), formulas.atom("inverse")};
        const Automaton automaton = *translate(formulas, parsed(formulas, formula), labels, AutomatonKind::generalised, {}, atoms);
        Counter counter;
        const auto product = make_product(system_of(model, {positive, inverse}, false), automaton, {});
        const SearchResult result = search(product, WalkOrder::breadth_first, {}, counter);
        EXPECT_TRUE(result.complete);
        // People are told the same.
        const std::vector<StepDetail> steps = product->steps(product->initial_state().data());
        EXPECT_EQ(steps.front().fault != FaultKind::none, counter.faults.contains({kInverse, FaultKind::division})) << formula;
        if (steps.front().fault != FaultKind::none) {
            EXPECT_EQ(steps.front().fault_text, "'inverse' cannot be evaluated");
        }
        return counter.faults;
    };
    using Faults = std::set<std::pair<TransitionId, FaultKind>>;
    const Faults own{{faulty, FaultKind::division}};
    EXPECT_EQ(faults_of("G F positive"), own);
    EXPECT_EQ(faults_of("G F inverse"), (Faults{{kInverse, FaultKind::division}}));  // every edge depends on it: the run ends
    EXPECT_EQ(faults_of("F G inverse"), (Faults{{faulty, FaultKind::division}, {kInverse, FaultKind::division}}));
    EXPECT_EQ(faults_of("G F (positive && inverse)"), own);
    EXPECT_EQ(faults_of("F (positive && X inverse) || G F (inverse || !inverse)"), own);
}

// More successors than any batch holds.
struct Fan {
    struct State {
        std::uint16_t number;
    };
    State initial() const { return {0}; }
    template <class Emit>
    void successors(const State& s, Emit&& emit) const {
        if (s.number != 0) return;
        for (std::uint16_t i = 1; i <= 3000; ++i) emit(State{i}, "go");
    }
    void describe(const State& s, Description& d) const { d.value("number", s.number); }
};

TEST(SystemProduct, OfASystemWithoutALayoutAndWithManyStepsOfAState) {
    Formulas formulas;
    Labels labels;
    const Automaton automaton = *translate(formulas, parsed(formulas, "F G odd || G F !odd"), labels, AutomatonKind::generalised);
    Description first;
    first.restart(true);
    Fan{}.describe(Fan{}.initial(), first);
    const std::shared_ptr<const Model> names = Description::names_as_model(first);
    const Expression odd = Expression::binary(Op::modulo, names->read(0), number(2));
    const auto system =
        std::make_shared<const CppSystem<Fan>>(std::make_shared<CppShared<Fan>>(CppShared<Fan>{{}, names, {odd}, {}, false}));
    const auto product = make_product(system, automaton, {});
    EXPECT_EQ(product->state_bytes(), 3U);
    LetteredGraph graph;
    graph.edges.resize(3001);
    for (std::size_t i = 0; i <= 3000; ++i) {
        graph.letters.push_back(i % 2);
        if (i > 0) graph.edges[0].push_back(i);
    }
    const std::map<Pair, std::vector<Step>> naive = naive_product(graph, automaton);
    std::size_t transitions = 0;
    for (const auto& [pair, steps] : naive) transitions += steps.size();
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::depth_first}) {
        Counter counter;
        const SearchResult result = search(product, order, {}, counter);
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.statistics.states, naive.size());
        EXPECT_EQ(result.statistics.transitions, transitions);
    }
}

TEST(SystemProduct, AnAutomatonThatAcceptsNothingHasADeadProduct) {
    Formulas formulas;
    Labels labels;
    const Automaton automaton = *translate(formulas, formulas.falsity(), labels, AutomatonKind::generalised);
    LetteredGraph graph;
    graph.edges = {{0}};
    graph.letters = {0};
    const Model model = graph.model();
    Counter counter;
    const SearchResult result = search(make_product(system_of(model, {}, false), automaton, {}), WalkOrder::breadth_first, {}, counter);
    EXPECT_EQ(result.statistics.states, 1U);
    EXPECT_EQ(result.statistics.transitions, 0U);
    EXPECT_EQ(result.statistics.deadlocks, 1U);
}

}  // namespace
}  // namespace tideline
