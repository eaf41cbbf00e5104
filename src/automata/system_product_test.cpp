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

namespace tideline::automata {
namespace {

using namespace examples;
using namespace model::examples;

using Pair = std::pair<std::size_t, StateNumber>;
struct Step {
    Pair to;
    model::Marks marks;
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
                if (automaton.labels->evaluate(edge.label, graph.letters[from.first]))
                    steps.push_back({{node, edge.target}, edge.marks});
        for (const Step& step : steps) open.push_back(step.to);
    }
    return result;
}

std::shared_ptr<const successor::System> system_of(const model::Model& model, std::vector<model::Expression> labels,
                                                   bool needs_repacking, successor::KeyProgram key = {}) {
    std::vector<model::Range> seen;
    for (const model::Value value : model.initial) seen.push_back({value, value});
    return successor::make_interpreted_system(
        std::make_shared<const model::Model>(model), std::move(labels),
        needs_repacking ? successor::Layout::observed(model, seen) : successor::Layout::declared(model),
        std::move(key));
}

class Counter : public explore::SearchObserver {
public:
    [[nodiscard]] bool wants_discoveries() const override { return true; }
    bool discovered(explore::SearchView& search, std::span<const explore::StateRef> new_states) override {
        for (const explore::StateRef& found : new_states) states.insert(search.system().decode(found.state));
        return true;
    }
    bool faulty(explore::SearchView& /*search*/, const explore::StateRef& /*source*/, model::TransitionId transition,
                model::FaultKind kind) override {
        faults.insert({transition, kind});
        return true;
    }
    std::set<std::vector<model::Value>> states;
    std::set<std::pair<model::TransitionId, model::FaultKind>> faults;
};

std::vector<Step> steps_of(const successor::System& system, successor::Expander& expander,
                           const std::vector<successor::Word>& state, std::size_t capacity) {
    std::vector<Step> result;
    successor::SuccessorBatch batch(system.state_words(), capacity);
    successor::Cursor cursor;
    for (successor::Expansion expansion = successor::Expansion::full; expansion != successor::Expansion::done;) {
        batch.restart(cursor.state);
        expansion = expander.expand(state.data(), 1, cursor, batch);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const std::vector<model::Value> values = system.decode(batch.state(i));
            result.push_back(
                {{static_cast<std::size_t>(values[0]), static_cast<StateNumber>(values[1])}, batch.marks(i)});
        }
    }
    return result;
}

void expect_naive_steps(const successor::System& product, const std::map<Pair, std::vector<Step>>& naive) {
    const std::unique_ptr<successor::Expander> expander = product.expander();
    std::vector<std::vector<successor::Word>> open{product.initial_states().front()};
    std::set<Pair> met;
    while (!open.empty()) {
        const std::vector<successor::Word> state = std::move(open.back());
        open.pop_back();
        const std::vector<model::Value> values = product.decode(state.data());
        const Pair pair{static_cast<std::size_t>(values[0]), static_cast<StateNumber>(values[1])};
        if (!met.insert(pair).second) continue;
        for (const std::size_t capacity : {1U, 2U, 3U, 5000U})
            ASSERT_EQ(steps_of(product, *expander, state, capacity), naive.at(pair));
        const std::vector<successor::StepDetail> steps = product.steps(state.data());
        ASSERT_EQ(steps.size(), naive.at(pair).size());
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const std::vector<model::Value> next = product.decode(steps[i].next.data());
            ASSERT_EQ(next[0], static_cast<model::Value>(naive.at(pair)[i].to.first));
            ASSERT_EQ(next[1], static_cast<model::Value>(naive.at(pair)[i].to.second));
            open.push_back(steps[i].next);
        }
    }
    ASSERT_EQ(met.size(), naive.size());
}

Automaton random_product_automaton(logic::Formulas& formulas, Labels& labels, logic::RandomEngine& random) {
    if (logic::below(random, 2) == 0) return random_automaton(labels, random, 6, logic::below(random, 3));
    const std::vector<logic::Formula> atoms{formulas.atom("a"), formulas.atom("b")};
    const logic::Formula f = logic::random_ltl(formulas, random, atoms, 1 + logic::below(random, 7));
    const support::Result<Automaton> automaton = translate(formulas, f, labels, AutomatonKind::generalised, {}, atoms);
    EXPECT_TRUE(automaton);
    return *automaton;
}

TEST(SystemProduct, IsWhatTheDefinitionSaysForEveryWalk) {
    logic::RandomEngine random(7);
    logic::Formulas formulas;
    std::size_t with_deadlocks = 0;
    std::size_t with_choices = 0;
    for (int round = 0; round < 60; ++round) {
        Labels labels;
        const LetteredGraph graph = random_lettered_graph(random, 40);
        const Automaton automaton = random_product_automaton(formulas, labels, random);
        const std::map<Pair, std::vector<Step>> naive = naive_product(graph, automaton);
        std::size_t transitions = 0;
        std::size_t deadlocks = 0;
        std::set<std::vector<model::Value>> states;
        for (const auto& [pair, steps] : naive) {
            transitions += steps.size();
            deadlocks += steps.empty() ? 1 : 0;
            states.insert({static_cast<model::Value>(pair.first), static_cast<model::Value>(pair.second)});
            with_deadlocks += graph.edges[pair.first].empty() ? 1 : 0;
            with_choices += steps.size() > graph.edges[pair.first].size() ? 1 : 0;
        }
        const model::Model model = graph.model();
        std::vector<model::Expression> atoms = graph.atoms(model);
        const successor::KeyProgram measure{
            {{model::Expression::binary(model::Op::modulo, model.read(0), number(7)), 0, 3}}};
        for (const bool needs_repacking : {false, true}) {
            const auto plain = make_product(system_of(model, atoms, needs_repacking), automaton, {});
            const auto by_rank =
                make_product(system_of(model, atoms, needs_repacking), automaton, {0, RankPlace::first, 0});
            const auto rank_first =
                make_product(system_of(model, atoms, needs_repacking, measure), automaton, {0, RankPlace::first, 3});
            const auto rank_last =
                make_product(system_of(model, atoms, needs_repacking, measure), automaton, {0, RankPlace::last, 3});
            if (!needs_repacking) expect_naive_steps(*plain, naive);
            const auto expect_same = [&](const std::shared_ptr<const successor::System>& product,
                                         explore::WalkOrder order, unsigned threads) {
                explore::SearchSettings settings;
                settings.threads = threads;
                Counter counter;
                const explore::SearchResult result = explore::search(product, order, settings, counter);
                ASSERT_TRUE(result.complete) << explore::to_string(order);
                ASSERT_EQ(counter.states, states) << explore::to_string(order);
                if (result.statistics.persistent > 0) return;
                ASSERT_EQ(result.statistics.states, states.size()) << explore::to_string(order);
                ASSERT_EQ(result.statistics.transitions, transitions) << explore::to_string(order);
                ASSERT_EQ(result.statistics.deadlocks, deadlocks) << explore::to_string(order);
            };
            for (const unsigned threads : {1U, 2U}) {
                expect_same(plain, explore::WalkOrder::breadth_first, threads);
                expect_same(by_rank, explore::WalkOrder::sweep_basic, threads);
                expect_same(rank_first, explore::WalkOrder::sweep, threads);
                expect_same(rank_last, explore::WalkOrder::sweep, threads);
            }
            expect_same(plain, explore::WalkOrder::depth_first, 1);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    EXPECT_GT(with_deadlocks, 40U);
    EXPECT_GT(with_choices, 40U);
}

TEST(SystemProduct, KeysHoldTheRankAndTheSystemsOwnValues) {
    logic::Formulas formulas;
    Labels labels;
    const Automaton automaton =
        *translate(formulas, parsed(formulas, "F (a && X F b)"), labels, AutomatonKind::generalised);
    ASSERT_GT(rank_bits(automaton), 0U);
    const Components found = components(automaton);
    LetteredGraph graph;
    graph.edges = {{1}, {2}, {0, 3}, {3}};
    graph.letters = {0, 1, 2, 3};
    const model::Model model = graph.model();
    const successor::KeyProgram measure{{{model.read(0), 0, 20}}};
    for (const RankPlace place : {RankPlace::first, RankPlace::last}) {
        const auto product =
            make_product(system_of(model, graph.atoms(model), false, measure), automaton, {0, place, 20});
        const std::unique_ptr<successor::Expander> expander = product->expander();
        std::vector<std::vector<successor::Word>> open{product->initial_states().front()};
        std::set<std::vector<successor::Word>> met;
        while (!open.empty()) {
            const std::vector<successor::Word> state = std::move(open.back());
            open.pop_back();
            if (!met.insert(state).second) continue;
            const std::vector<model::Value> values = product->decode(state.data());
            const model::Value rank = found.rank(static_cast<StateNumber>(values[1]));
            const std::vector<model::Value> expected = place == RankPlace::first
                                                           ? std::vector<model::Value>{rank, values[0]}
                                                           : std::vector<model::Value>{values[0], rank};
            ASSERT_EQ(product->key_values(*expander->key(state.data())), expected);
            for (const successor::StepDetail& step : product->steps(state.data())) open.push_back(step.next);
        }
        EXPECT_GT(met.size(), 6U);
    }
}

TEST(SystemProduct, LabelsBeforeTheAtomsRemainLabels) {
    logic::Formulas formulas;
    Labels labels;
    const Automaton automaton =
        *translate(formulas, parsed(formulas, "G F a && G F b"), labels, AutomatonKind::generalised);
    LetteredGraph graph;
    graph.edges = {{1}, {2}, {0}};
    graph.letters = {1, 2, 3};
    const model::Model model = graph.model();
    // So many that the atoms lie across two words.
    for (const std::size_t others : {0U, 1U, 63U, 64U, 65U}) {
        std::vector<model::Expression> all;
        for (std::size_t i = 0; i < others; ++i) all.push_back(LetteredGraph::at(model, i % 3));
        for (const model::Expression& atom : graph.atoms(model)) all.push_back(atom);
        const auto product = make_product(system_of(model, all, false), automaton, {others});
        ASSERT_EQ(product->label_count(), others);
        expect_naive_steps(*product, naive_product(graph, automaton));
        const std::unique_ptr<successor::Expander> expander = product->expander();
        std::vector<std::uint64_t> bits(product->label_words() + 1);
        std::vector<model::FaultKind> faults(others + 1);
        expander->labels(product->initial_states().front().data(), bits.data(), faults.data());
        for (std::size_t i = 0; i < others; ++i) ASSERT_EQ((bits[i / 64] >> (i % 64)) & 1U, i % 3 == 0 ? 1U : 0U);
        if (others > 0) {
            ASSERT_EQ(others % 64 == 0 ? 0 : bits[others / 64] >> (others % 64), 0U);
        }
    }
}

// Counts to 3 and back to 0; at 3 it may also divide by 0.
TEST(SystemProduct, FaultyStepsPassOnceAndAnAtomsFaultOnlyWhereItMatters) {
    model::Model model;
    const model::VariableId x = add_scalar(model, "x", {0, 3}, 0);
    const model::VariableId y = add_scalar(model, "y", {0, 3}, 0);
    model::Transition up;
    up.guards.push_back(model::Expression::binary(model::Op::less, model.read(x), number(3)));
    up.effects.emplace_back(assign(x, model::Expression::binary(model::Op::add, model.read(x), number(1))));
    model.add_transition(up);
    model::Transition down;
    down.guards.push_back(model::Expression::binary(model::Op::equal, model.read(x), number(3)));
    down.effects.emplace_back(assign(x, number(0)));
    model.add_transition(down);
    model::Transition bad = down;
    bad.effects.clear();
    bad.effects.emplace_back(assign(y, model::Expression::binary(model::Op::divide, number(1), number(0))));
    const model::TransitionId faulty = model.add_transition(bad);
    const model::Expression positive = model::Expression::binary(model::Op::greater, model.read(x), number(0));
    const model::Expression inverse = model::Expression::binary(
        model::Op::equal, model::Expression::binary(model::Op::divide, number(3), model.read(x)),
        number(3));                                                        // not at 0
    constexpr model::TransitionId kInverse = ~model::TransitionId{0} - 1;  // names the second atom
    logic::Formulas formulas;
    Labels labels;
    const auto faults_of = [&](const std::string& formula) {
        const std::vector<logic::Formula> atoms{formulas.atom("positive"), formulas.atom("inverse")};
        const Automaton automaton =
            *translate(formulas, parsed(formulas, formula), labels, AutomatonKind::generalised, {}, atoms);
        Counter counter;
        const auto product = make_product(system_of(model, {positive, inverse}, false), automaton, {});
        const explore::SearchResult result = explore::search(product, explore::WalkOrder::breadth_first, {}, counter);
        EXPECT_TRUE(result.complete);
        // Users see the same.
        const std::vector<successor::StepDetail> steps = product->steps(product->initial_states().front().data());
        EXPECT_EQ(steps.front().fault != model::FaultKind::none,
                  counter.faults.contains({kInverse, model::FaultKind::division}))
            << formula;
        if (steps.front().fault != model::FaultKind::none) {
            EXPECT_EQ(steps.front().fault_text, "'inverse' cannot be evaluated");
        }
        return counter.faults;
    };
    using Faults = std::set<std::pair<model::TransitionId, model::FaultKind>>;
    const Faults own{{faulty, model::FaultKind::division}};
    EXPECT_EQ(faults_of("G F positive"), own);
    EXPECT_EQ(faults_of("G F inverse"),
              (Faults{{kInverse, model::FaultKind::division}}));  // every edge depends on it: the run ends
    EXPECT_EQ(faults_of("F G inverse"),
              (Faults{{faulty, model::FaultKind::division}, {kInverse, model::FaultKind::division}}));
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
    void describe(const State& s, successor::Description& d) const { d.value("number", s.number); }
};

TEST(SystemProduct, OfASystemWithoutALayoutAndWithManyStepsOfAState) {
    logic::Formulas formulas;
    Labels labels;
    const Automaton automaton =
        *translate(formulas, parsed(formulas, "F G odd || G F !odd"), labels, AutomatonKind::generalised);
    successor::Description first;
    first.restart(true);
    Fan{}.describe(Fan{}.initial(), first);
    const std::shared_ptr<const model::Model> names = successor::Description::names_as_model(first);
    const model::Expression odd = model::Expression::binary(model::Op::modulo, names->read(0), number(2));
    const auto system = std::make_shared<const successor::CppSystem<Fan>>(
        std::make_shared<successor::CppShared<Fan>>(successor::CppShared<Fan>{{}, names, {odd}, {}, false}));
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
    for (const explore::WalkOrder order : {explore::WalkOrder::breadth_first, explore::WalkOrder::depth_first}) {
        Counter counter;
        const explore::SearchResult result = explore::search(product, order, {}, counter);
        EXPECT_TRUE(result.complete);
        EXPECT_EQ(result.statistics.states, naive.size());
        EXPECT_EQ(result.statistics.transitions, transitions);
    }
}

TEST(SystemProduct, AnAutomatonThatAcceptsNothingHasADeadProduct) {
    logic::Formulas formulas;
    Labels labels;
    const Automaton automaton = *translate(formulas, formulas.falsity(), labels, AutomatonKind::generalised);
    LetteredGraph graph;
    graph.edges = {{0}};
    graph.letters = {0};
    const model::Model model = graph.model();
    Counter counter;
    const explore::SearchResult result = explore::search(make_product(system_of(model, {}, false), automaton, {}),
                                                         explore::WalkOrder::breadth_first, {}, counter);
    EXPECT_EQ(result.statistics.states, 1U);
    EXPECT_EQ(result.statistics.transitions, 0U);
    EXPECT_EQ(result.statistics.deadlocks, 1U);
}

}  // namespace
}  // namespace tideline::automata
