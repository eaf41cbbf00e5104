// The automata of lbt (Debian), an implementation of the algorithm of Gerth, Peled, Vardi and Wolper: a further oracle
// where it is installed.
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "automata/check_automaton.hpp"
#include "automata/translate.hpp"
#include "logic/normal_form.hpp"
#include "logic/print.hpp"
#include "logic/random_formula.hpp"

namespace tideline::automata {
namespace {

// Operators stand before their operands; atoms are p0, p1, ...
std::string for_lbt(const logic::Formulas& formulas, logic::Formula f) {
    const std::span<const logic::Formula> operands = formulas.operands(f);
    const auto at = [&](std::size_t i) { return for_lbt(formulas, operands[i]); };
    switch (formulas.connective(f)) {
        case logic::Connective::truth: return "t ";
        case logic::Connective::falsity: return "f ";
        case logic::Connective::atom: return formulas.text(f) + ' ';
        case logic::Connective::negation: return "! " + at(0);
        case logic::Connective::next: return "X " + at(0);
        case logic::Connective::eventually: return "F " + at(0);
        case logic::Connective::always: return "G " + at(0);
        case logic::Connective::until: return "U " + at(0) + at(1);
        case logic::Connective::release: return "V " + at(0) + at(1);
        case logic::Connective::weak_until: return "V " + at(1) + "| " + at(0) + at(1);
        case logic::Connective::strong_release: return "U " + at(1) + "& " + at(0) + at(1);
        default: break;
    }
    const char* symbol = formulas.is(f, logic::Connective::conjunction) ? "& " : "| ";
    std::string result = at(0);
    for (std::size_t i = 1; i < operands.size(); ++i) result = symbol + result + at(i);
    return result;
}

Label read_gate(std::istream& in, Labels& labels) {
    std::string word;
    in >> word;
    if (word == "t") return labels.truth();
    if (word == "f") return labels.falsity();
    if (word == "!") return labels.negation(read_gate(in, labels));
    if (word == "&" || word == "|") {
        const Label left = read_gate(in, labels);
        const Label right = read_gate(in, labels);
        return word == "&" ? labels.both(left, right) : labels.either(left, right);
    }
    return labels.variable(static_cast<std::uint32_t>(std::stoul(word.substr(1))));
}

// States with sets of acceptance, each with its edges up to -1. Any number of states is initial: one more has the edges
// of them all.
Automaton read_lbt(const std::string& text, Labels& labels) {
    std::istringstream in(text);
    Automaton result;
    result.labels = &labels;
    result.atoms = {"p0", "p1"};
    std::size_t count = 0;
    in >> count >> result.sets;
    result.states.resize(count + 1);
    result.initial = static_cast<StateNumber>(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t state = 0;
        bool is_initial = false;
        in >> state >> is_initial;
        Marks marks = 0;
        for (int set = 0; in >> set && set >= 0;) marks |= Marks{1} << static_cast<unsigned>(set);
        for (long target = 0; in >> target && target >= 0;) {
            const Edge edge{static_cast<StateNumber>(target), read_gate(in, labels), marks};
            result.states[state].push_back(edge);
            if (is_initial) result.states[count].push_back(edge);
        }
    }
    EXPECT_FALSE(in.fail()) << text;
    return result;
}

TEST(Lbt, ItsAutomataAcceptTheSame) {
    if (output_of("echo p0 | lbt 2>/dev/null").empty()) GTEST_SKIP() << "lbt is not installed";
    logic::RandomEngine random(21);
    int accepted = 0;
    int refused = 0;
    for (std::size_t round = 0; round < 150; ++round) {
        logic::Formulas formulas;
        Labels labels;
        const std::vector<logic::Formula> atoms{formulas.atom("p0"), formulas.atom("p1")};
        const logic::Formula f = logic::negation_normal_form(
            formulas, logic::random_ltl(formulas, random, atoms, 3 + logic::below(random, 7)));
        const std::string text = output_of("echo '" + for_lbt(formulas, f) + "' | timeout 5 lbt 2>/dev/null");
        if (text.empty()) continue;
        const Automaton theirs = read_lbt(text, labels);
        const support::Result<Automaton> ours = translate(formulas, f, labels, AutomatonKind::generalised, {}, atoms);
        ASSERT_TRUE(ours);
        ASSERT_EQ(ours->atoms, theirs.atoms);
        for (int i = 0; i < 30; ++i) {
            const logic::Lasso word = logic::random_lasso(random, 2);
            const bool answer = accepts(*ours, word);
            ASSERT_EQ(answer, accepts(theirs, word)) << logic::to_text(formulas, f) << '\n' << text;
            ++(answer ? accepted : refused);
        }
    }
    EXPECT_GT(accepted, 300);
    EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace tideline::automata
