// For tests: automata against the meaning of formulas, and random automata.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "automata/components.hpp"
#include "automata/hoa_parse.hpp"
#include "automata/hoa_print.hpp"
#include "automata/product.hpp"
#include "automata/translate.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/random_formula.hpp"

namespace tideline::automata {

// Number of repetitions of a random test: `usual`, or as the environment says for long runs.
inline std::size_t rounds(std::size_t usual) {
    const char* given = std::getenv("TIDELINE_RANDOM_FORMULAS");
    return given == nullptr ? usual : static_cast<std::size_t>(std::strtoull(given, nullptr, 10));
}

inline logic::Formula parsed(logic::Formulas& formulas, const std::string& text) {
    const support::Result<logic::Formula> result = logic::parse_formula(formulas, support::SourceText("formula", text));
    if (result) return *result;
    ADD_FAILURE() << support::to_text(result.diagnostics().at(0));
    return formulas.falsity();
}

inline void expect_round_trip(const Automaton& automaton) {
    const std::string text = to_hoa(automaton);
    const support::Result<Automaton> again = parse_hoa(support::SourceText("automaton", text), *automaton.labels);
    ASSERT_TRUE(again) << support::to_text(again.diagnostics().at(0)) << text;
    ASSERT_EQ(again->states, automaton.states) << text;
    ASSERT_EQ(again->initial, automaton.initial);
    ASSERT_EQ(again->sets, automaton.sets);
    ASSERT_EQ(again->atoms, automaton.atoms);
    ASSERT_TRUE(again->state_based || !automaton.state_based);
}

// The automata of f and !f, of both kinds, agree with the formula's meaning on random words, no word is accepted by
// both, and all can be written and read.
inline void expect_right(logic::Formulas& formulas, logic::Formula f, const std::vector<logic::Formula>& atoms,
                         logic::RandomEngine& random, int words = 30) {
    Labels labels;
    const TranslationLimits limits;
    const TranslationBudget budget(limits);
    for (const AutomatonKind kind : {AutomatonKind::generalised, AutomatonKind::state_based}) {
        const support::Result<Automaton> positive = translate(formulas, f, labels, kind, limits, atoms);
        const support::Result<Automaton> negative =
            translate(formulas, formulas.negation(f), labels, kind, limits, atoms);
        ASSERT_TRUE(positive) << logic::to_text(formulas, f) << support::to_text(positive.diagnostics().at(0));
        ASSERT_TRUE(negative) << logic::to_text(formulas, f) << support::to_text(negative.diagnostics().at(0));
        ASSERT_EQ(renumbered(*positive).size(), positive->size());
        if (kind == AutomatonKind::state_based) {
            ASSERT_TRUE(positive->state_based && positive->sets == 1) << logic::to_text(formulas, f);
            for (const std::vector<Edge>& edges : positive->states)
                for (const Edge& e : edges) ASSERT_EQ(e.marks, edges.front().marks) << logic::to_text(formulas, f);
        }
        ASSERT_TRUE(is_empty(product(*positive, *negative, budget))) << logic::to_text(formulas, f);
        for (int i = 0; i < words; ++i) {
            const logic::Lasso word = logic::random_lasso(random, atoms.size());
            const bool expected = logic::holds_on(formulas, f, word, atoms);
            ASSERT_EQ(accepts(*positive, word), expected) << logic::to_text(formulas, f) << '\n' << to_hoa(*positive);
            ASSERT_EQ(accepts(*negative, word), !expected) << "not " << logic::to_text(formulas, f) << '\n'
                                                           << to_hoa(*negative);
        }
        expect_round_trip(*positive);
        expect_round_trip(*negative);
        if (testing::Test::HasFatalFailure()) return;
    }
}

// The output of a shell command; nothing where there is no such program.
inline std::string output_of(const std::string& command) {
    std::string result;
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return result;
    char buffer[4096];
    for (std::size_t n = fread(buffer, 1, sizeof buffer, pipe); n > 0; n = fread(buffer, 1, sizeof buffer, pipe))
        result.append(buffer, n);
    pclose(pipe);
    return result;
}

// Any automaton with up to `states` states over atoms a and b.
inline Automaton random_automaton(Labels& labels, logic::RandomEngine& random, std::size_t states, std::size_t sets,
                                  bool state_based = false) {
    Automaton result;
    result.labels = &labels;
    result.atoms = {"a", "b"};
    result.sets = sets;
    result.state_based = state_based;
    result.states.resize(1 + logic::below(random, states));
    for (std::vector<Edge>& edges : result.states) {
        const Marks of_state = random() & random() & result.all_marks();
        const std::size_t count = logic::below(random, 4);
        for (std::size_t i = 0; i < count; ++i) {
            Label label = labels.cube({logic::below(random, 4), 0});
            if (logic::below(random, 2) == 0) label = labels.negation(label);
            if (label == labels.falsity()) label = labels.variable(1);
            edges.push_back({static_cast<StateNumber>(logic::below(random, result.size())), label,
                             state_based ? of_state : random() & result.all_marks()});
        }
    }
    merge_edges(result);
    return result;
}

// Both accept the same words, tested on all short words and some longer ones.
inline void expect_same_language(const Automaton& a, const Automaton& b, logic::RandomEngine& random) {
    for (int i = 0; i < 60; ++i) {
        const logic::Lasso word = logic::random_lasso(random, 2);
        ASSERT_EQ(accepts(a, word), accepts(b, word)) << to_hoa(a) << to_hoa(b);
    }
}

}  // namespace tideline::automata
