#include "check/ltl.hpp"

#include <gtest/gtest.h>

#include "automata/check_automaton.hpp"
#include "automata/lettered_graph.hpp"
#include "automata/system_product.hpp"
#include "logic/word.hpp"
#include "model/evaluate.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::check {
namespace {

using namespace automata::examples;
using namespace model::examples;

// The whole product, then its components: another algorithm on other data.
bool has_bad_run_by_components(const LetteredGraph& graph, const automata::Automaton& automaton) {
    automata::Automaton whole = automata::empty_like(automaton);
    whole.sets = automaton.sets;
    const std::size_t n = automaton.size();
    whole.states.resize(graph.edges.size() * n);
    for (std::size_t node = 0; node < graph.edges.size(); ++node)
        for (std::size_t s = 0; s < n; ++s)
            for (const automata::Edge& edge : automaton.states[s])
                for (const std::size_t to : graph.next(node))
                    if (automaton.labels->evaluate(edge.label, graph.letters[node]))
                        whole.states[node * n + s].push_back({static_cast<automata::StateNumber>(to * n + edge.target),
                                                              automaton.labels->truth(), edge.marks});
    return std::any_of(graph.initials.begin(), graph.initials.end(), [&](std::size_t node) {
        whole.initial = static_cast<automata::StateNumber>(node * n + automaton.initial);
        return !automata::is_empty(automata::renumbered(whole));
    });
}

// Tries the runs that close a cycle within a number of steps, without any automaton.
bool has_short_bad_run(const LetteredGraph& graph, const logic::Formulas& formulas, logic::Formula f,
                       const std::vector<logic::Formula>& atoms, std::size_t longest) {
    struct Choice {
        std::size_t node;
        std::size_t next;
    };
    for (const std::size_t initial : graph.initials) {
        std::vector<Choice> path{{initial, 0}};
        while (!path.empty()) {
            const std::vector<std::size_t> next = graph.next(path.back().node);
            if (path.back().next == next.size()) {
                path.pop_back();
                continue;
            }
            const std::size_t to = next[path.back().next++];
            logic::Lasso word;
            for (const Choice& choice : path) word.letters.push_back(graph.letters[choice.node]);
            for (word.loop = 0; word.loop < path.size(); ++word.loop)
                if (path[word.loop].node == to && !logic::holds_on(formulas, f, word, atoms)) return true;
            if (path.size() < longest) path.push_back({to, 0});
        }
    }
    return false;
}

Outcome decided(const LtlRequest& request) {
    const support::Budget unlimited;
    return with_evidence(decide_ltl(request), unlimited);
}

LtlRequest request_for(const LetteredGraph& graph, const automata::Automaton& automaton, bool needs_repacking) {
    const auto model = std::make_shared<const model::Model>(graph.walked_model());
    std::vector<model::Range> seen;
    for (const model::Value value : model->initial) seen.push_back({value, value});
    for (std::size_t i = 1; i < model->initial_count(); ++i)
        for (std::size_t slot = 0; slot < seen.size(); ++slot) {
            seen[slot].low = std::min(seen[slot].low, model->initial_state(i)[slot]);
            seen[slot].high = std::max(seen[slot].high, model->initial_state(i)[slot]);
        }
    LtlRequest request;
    request.system = automata::make_product(
        successor::make_interpreted_system(
            model, graph.atoms(*model),
            needs_repacking ? successor::Layout::observed(*model, seen) : successor::Layout::declared(*model)),
        automaton, {});
    request.marks = automaton.all_marks();
    request.name = "ltl";
    request.logic = "ltl";
    // Replays it on the graph itself.
    request.confirm = [&graph](const trace::Trace& trace, const support::Budget&) -> trace::Confirmation {
        const auto first = static_cast<std::size_t>(trace.values(0).at(0));
        if (std::count(graph.initials.begin(), graph.initials.end(), first) != 1 || trace.names().size() != 2)
            return {support::StopReason::none, "it begins elsewhere"};
        for (std::size_t i = 0; i < trace.step_count(); ++i) {
            const auto from = static_cast<std::size_t>(trace.values(i)[0]);
            const model::Value to = trace.values(trace.target(i))[0];
            const std::vector<std::size_t> next = graph.next(from);
            if (std::find(next.begin(), next.end(), static_cast<std::size_t>(to)) == next.end())
                return {support::StopReason::none, "no such step"};
            if (trace.step(i).parts.empty() != graph.edges[from].empty())
                return {support::StopReason::none, "a step without participants"};
        }
        return {};
    };
    return request;
}

logic::Lasso word_of(const LetteredGraph& graph, const trace::Trace& trace) {
    logic::Lasso word;
    for (std::size_t i = 0; i < trace.size(); ++i)
        word.letters.push_back(graph.letters[static_cast<std::size_t>(trace.values(i)[0])]);
    word.loop = trace.loop.value();
    return word;
}

// In a third of the graphs.
void add_initials(LetteredGraph& graph, logic::RandomEngine& random) {
    if (logic::below(random, 3) != 0) return;
    for (std::size_t more = 1 + logic::below(random, 4); more > 0; --more) {
        const std::size_t node = logic::below(random, graph.edges.size());
        if (std::count(graph.initials.begin(), graph.initials.end(), node) == 0) graph.initials.push_back(node);
    }
    std::reverse(graph.initials.begin(), graph.initials.end());
}

TEST(Ltl, AgreesWithComponentsOfTheWholeProductAndWithTriedRuns) {
    logic::RandomEngine random(3);
    std::size_t violated = 0;
    std::size_t held = 0;
    std::size_t shown = 0;
    std::size_t ends_in_deadlock = 0;
    for (int round = 0; round < 1500; ++round) {
        logic::Formulas formulas;
        automata::Labels labels;
        const std::vector<logic::Formula> atoms{formulas.atom("a"), formulas.atom("b")};
        LetteredGraph graph = random_lettered_graph(random, logic::below(random, 2) == 0 ? 4 : 25);
        add_initials(graph, random);
        const logic::Formula f = logic::random_ltl(formulas, random, atoms, 1 + logic::below(random, 8));
        const automata::Automaton automaton = *automata::translate(formulas, formulas.negation(f), labels,
                                                                   automata::AutomatonKind::generalised, {}, atoms);
        LtlRequest request = request_for(graph, automaton, logic::below(random, 2) == 0);
        request.formula = logic::to_text(formulas, f);
        request.is_bad = [&](const trace::Trace& trace) {
            return !logic::is_true_of(formulas, f, word_of(graph, trace), atoms);
        };
        const Outcome outcome = decided(request);
        const Verdict& verdict = outcome.verdicts.at(0);
        const bool expected = has_bad_run_by_components(graph, automaton);
        ASSERT_EQ(verdict.answer, expected ? Answer::violated : Answer::holds) << request.formula;
        ASSERT_EQ(outcome.complete, !expected);
        if (graph.edges.size() <= 4) {
            const bool found = has_short_bad_run(graph, formulas, f, atoms, 6);
            ASSERT_TRUE(expected || !found) << request.formula;
            shown += found ? 1 : 0;
        }
        (expected ? violated : held) += 1;
        if (expected) {
            ASSERT_TRUE(verdict.trace);
            ASSERT_FALSE(logic::holds_on(formulas, f, word_of(graph, *verdict.trace), atoms)) << request.formula;
            ends_in_deadlock += verdict.trace->stays ? 1 : 0;
        } else {
            // Every state of the product was expanded, once.
            class Nobody : public explore::SearchObserver {};
            Nobody nobody;
            const explore::SearchResult whole =
                explore::search(request.system, explore::WalkOrder::breadth_first, {}, nobody);
            ASSERT_EQ(outcome.statistics.states, whole.statistics.states);
            ASSERT_EQ(outcome.statistics.expanded, whole.statistics.states);
            ASSERT_EQ(outcome.statistics.transitions, whole.statistics.transitions);
            ASSERT_EQ(outcome.statistics.deadlocks, whole.statistics.deadlocks);
        }
    }
    EXPECT_GT(violated, 500U);
    EXPECT_GT(held, 300U);
    EXPECT_GT(shown, 200U);
    EXPECT_GT(ends_in_deadlock, 100U);
}

// Also automata that no formula has: several sets, dead ends, no sets.
TEST(Ltl, AgreesForAnyAutomaton) {
    logic::RandomEngine random(5);
    std::size_t violated = 0;
    std::size_t held = 0;
    for (int round = 0; round < 1500; ++round) {
        automata::Labels labels;
        LetteredGraph graph = random_lettered_graph(random, 30);
        add_initials(graph, random);
        const automata::Automaton automaton = automata::random_automaton(labels, random, 8, logic::below(random, 5));
        LtlRequest request = request_for(graph, automaton, false);
        request.is_bad = [&](const trace::Trace& trace) { return automata::accepts(automaton, word_of(graph, trace)); };
        const Outcome outcome = decided(request);
        const bool expected = has_bad_run_by_components(graph, automaton);
        ASSERT_EQ(outcome.verdicts.at(0).answer, expected ? Answer::violated : Answer::holds);
        (expected ? violated : held) += 1;
    }
    EXPECT_GT(violated, 200U);
    EXPECT_GT(held, 200U);
}

automata::Automaton of_formula(logic::Formulas& formulas, automata::Labels& labels, const std::string& text) {
    return *automata::translate(formulas, automata::parsed(formulas, text), labels,
                                automata::AutomatonKind::generalised, {}, {formulas.atom("a"), formulas.atom("b")});
}

TEST(Ltl, ALongCycleIsFoundWithoutRecursion) {
    logic::Formulas formulas;
    automata::Labels labels;
    LetteredGraph graph;
    constexpr std::size_t kNodes = 300;
    for (std::size_t i = 0; i < kNodes; ++i) {
        graph.edges.push_back({(i + 1) % kNodes});
        graph.letters.push_back(i == kNodes - 1 ? 1 : 0);
    }
    const automata::Automaton automaton = of_formula(formulas, labels, "G F a");
    const Outcome outcome = decided(request_for(graph, automaton, false));
    ASSERT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[0].trace->size(), kNodes);
    EXPECT_EQ(outcome.verdicts[0].trace->loop, 0U);
}

TEST(Ltl, ADisagreementEndsWithoutAVerdict) {
    logic::Formulas formulas;
    automata::Labels labels;
    LetteredGraph graph;
    graph.edges = {{0}};
    graph.letters = {1};
    const automata::Automaton automaton = of_formula(formulas, labels, "G F a");
    LtlRequest request = request_for(graph, automaton, false);
    request.confirm = [](const trace::Trace&, const support::Budget&) {
        return trace::Confirmation{support::StopReason::none, "no"};
    };
    EXPECT_THROW((void)decided(request), UnconfirmedTrace);
    request.confirm = nullptr;
    request.is_bad = [](const trace::Trace&) { return false; };
    EXPECT_THROW((void)decided(request), UnconfirmedTrace);
}

TEST(Ltl, AViolationStandsWithoutItsRun) {
    logic::Formulas formulas;
    automata::Labels labels;
    LetteredGraph graph;
    constexpr std::size_t kNodes = 2000;
    for (std::size_t i = 0; i < kNodes; ++i) {
        graph.edges.push_back({(i + 1) % kNodes});
        graph.letters.push_back(1);
    }
    const automata::Automaton automaton = of_formula(formulas, labels, "G F a");
    LtlRequest request = request_for(graph, automaton, false);
    const Decision decision = decide_ltl(request);
    EXPECT_EQ(decision.outcome.verdicts[0].answer, Answer::violated);
    EXPECT_FALSE(decision.outcome.verdicts[0].trace);
    const support::Budget memory({.memory = 0, .disk = {}, .time = {}});
    const std::vector<std::byte> ballast(support::kProgramMemory, std::byte{1});
    Outcome outcome = with_evidence(decide_ltl(request), memory);
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_FALSE(outcome.verdicts[0].trace);
    EXPECT_EQ(outcome.verdicts[0].trace_reason, "memory");
    EXPECT_EQ(ballast.back(), std::byte{1});
    request.confirm = [](const trace::Trace&, const support::Budget&) {
        return trace::Confirmation{support::StopReason::interrupted, std::nullopt};
    };
    outcome = decided(request);
    EXPECT_EQ(outcome.verdicts[0].answer, Answer::violated);
    EXPECT_EQ(outcome.verdicts[0].trace_reason, "interrupted");
}

// Two faults in a chain: the search for paths continues where it found the first.
TEST(Ltl, EveryFaultHasAShortestPath) {
    model::Model model;
    const model::VariableId x = add_scalar(model, "x", {0, 60}, 0);
    const model::ProcessId p = add_process(model, "P", {"s"});
    for (const model::Value by : {1, 7}) {
        model::Transition step = move(p, 0, 0);
        step.guards.push_back(model::Expression::binary(model::Op::less, model.read(x), number(50)));
        step.effects.emplace_back(assign(x, model::Expression::binary(model::Op::add, model.read(x), number(by))));
        model.add_transition(step);
    }
    for (const model::Value at : {49, 3, 21, 0}) {
        model::Transition faulty = move(p, 0, 0);
        faulty.guards.push_back(model::Expression::binary(model::Op::equal, model.read(x), number(at)));
        faulty.effects.emplace_back(assign(x, number(100)));
        model.add_transition(faulty);
    }
    logic::Formulas formulas;
    automata::Labels labels;
    const automata::Automaton automaton = of_formula(formulas, labels, "F b");  // which is never true
    LtlRequest request;
    request.system = automata::make_product(
        successor::make_interpreted_system(std::make_shared<const model::Model>(model), {number(0), number(0)},
                                           successor::Layout::declared(model)),
        automaton, {});
    request.marks = automaton.all_marks();
    const Outcome outcome = decided(request);
    ASSERT_EQ(outcome.faults.size(), 4U);
    EXPECT_EQ(outcome.faults[0].trace.value().size(), 8U);
    EXPECT_EQ(outcome.faults[1].trace.value().size(), 4U);
    EXPECT_EQ(outcome.faults[2].trace.value().size(), 4U);
    EXPECT_EQ(outcome.faults[3].trace.value().size(), 1U);
}

TEST(Ltl, LimitsLeaveItUnknown) {
    logic::Formulas formulas;
    automata::Labels labels;
    LetteredGraph graph;
    constexpr std::size_t kNodes = 2000;
    for (std::size_t i = 0; i < kNodes; ++i) {
        graph.edges.push_back({(i + 1) % kNodes});
        graph.letters.push_back(1);
    }
    const automata::Automaton automaton = of_formula(formulas, labels, "F !a");
    LtlRequest request = request_for(graph, automaton, false);
    ASSERT_EQ(decided(request).verdicts[0].answer, Answer::holds);
    const auto reason_with = [&](const std::function<void(explore::SearchSettings&)>& change) {
        request.settings = {};
        change(request.settings);
        const Outcome outcome = decided(request);
        EXPECT_FALSE(outcome.complete);
        EXPECT_EQ(outcome.verdicts[0].answer, Answer::unknown);
        return outcome.reason;
    };
    EXPECT_EQ(reason_with([](explore::SearchSettings& s) { s.states = 500; }), support::StopReason::states);
    const support::Budget no_time({.time = std::chrono::nanoseconds(1)});
    EXPECT_EQ(reason_with([&](explore::SearchSettings& s) { s.budget = &no_time; }), support::StopReason::time);
    const support::Budget no_memory({.memory = 1});
    EXPECT_EQ(reason_with([&](explore::SearchSettings& s) { s.budget = &no_memory; }), support::StopReason::memory);
}

// At 2 the system divides by 0.
TEST(Ltl, AFaultOnTheWayLeavesItUnknownUnlessItIsViolatedAllTheSame) {
    model::Model model;
    const model::VariableId x = add_scalar(model, "x", {0, 3}, 0);
    const model::ProcessId p = add_process(model, "P", {"s"});
    model::Transition step = move(p, 0, 0);
    step.effects.emplace_back(assign(
        x, model::Expression::binary(
               model::Op::add, number(1),
               model::Expression::binary(model::Op::divide, number(2),
                                         model::Expression::binary(model::Op::subtract, number(2), model.read(x))))));
    model.add_transition(step);
    model::Transition back = move(p, 0, 0);
    back.guards.push_back(model::Expression::binary(model::Op::equal, model.read(x), number(2)));
    back.effects.emplace_back(assign(x, number(0)));
    model.add_transition(back);
    const std::vector<model::Expression> atoms{model::Expression::binary(model::Op::equal, model.read(x), number(2)),
                                               model::Expression::binary(model::Op::equal, model.read(x), number(3))};
    logic::Formulas formulas;
    automata::Labels labels;
    const auto outcome_of = [&](const std::string& bad) {
        LtlRequest request;
        const automata::Automaton automaton = of_formula(formulas, labels, bad);
        request.system =
            automata::make_product(successor::make_interpreted_system(std::make_shared<const model::Model>(model),
                                                                      atoms, successor::Layout::declared(model)),
                                   automaton, {});
        request.marks = automaton.all_marks();
        return decided(request);
    };
    const Outcome open = outcome_of("F G b");
    EXPECT_EQ(open.verdicts[0].answer, Answer::unknown);
    EXPECT_EQ(open.verdicts[0].reason, "fault");
    ASSERT_EQ(open.faults.size(), 1U);
    EXPECT_EQ(open.faults[0].kind, model::FaultKind::division);
    EXPECT_EQ(open.faults[0].trace->size(), 2U);
    EXPECT_EQ(open.faults[0].trace->names().size(), 2U);
    EXPECT_EQ(outcome_of("G F a").verdicts[0].answer, Answer::violated);
}

}  // namespace
}  // namespace tideline::check
