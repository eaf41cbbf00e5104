// Formulas and automata: what is parsed is printed and parsed again, and an automaton of a formula accepts the words
// that fulfil it.
#include <algorithm>

#include "audit/automaton.hpp"
#include "audit/error.hpp"
#include "automata/components.hpp"
#include "automata/hoa_parse.hpp"
#include "automata/hoa_print.hpp"
#include "automata/label.hpp"
#include "automata/never_claim_parse.hpp"
#include "automata/never_claim_print.hpp"
#include "automata/product.hpp"
#include "automata/translate.hpp"
#include "logic/lasso.hpp"
#include "logic/parse.hpp"
#include "logic/print.hpp"
#include "logic/random_formula.hpp"
#include "tests/fuzz/expect.hpp"

namespace tideline::fuzz {
namespace {

// What Tideline writes into ledgers is read by audits with a parser of their own.
void expect_audit_reads(const automata::Automaton& automaton, const std::string& text) {
    if (automaton.size() == 0) return;
    try {
        const audit::Automaton audited(text);
        expect(audited.atoms() == automaton.atoms, "an audit reads the same atoms", text);
        expect(audited.states() == automaton.size(), "an audit reads the same states", text);
        expect(audited.initial() == automaton.initial, "an audit reads the same initial state", text);
    } catch (const audit::Objection& objection) {
        expect(false, "an audit reads what is printed", text + objection.what());
    }
}

void expect_round_trip(const automata::Automaton& automaton) {
    const std::string text = automata::to_hoa(automaton, "an automaton");
    const support::Result<automata::Automaton> again =
        automata::parse_hoa(support::SourceText("printed.hoa", text), *automaton.labels);
    expect(static_cast<bool>(again), "a printed automaton is parsed", text);
    expect(again->states == automaton.states && again->initial == automaton.initial && again->sets == automaton.sets &&
               again->atoms == automaton.atoms,
           "a printed automaton is parsed to the same", text);
    expect_audit_reads(automaton, text);
}

}  // namespace

void hoa(Input input) {
    const support::Budget budget(limits());
    automata::Labels labels;
    labels.allow(100'000);
    const support::Result<automata::Automaton> automaton =
        automata::parse_hoa(support::SourceText("fuzz.hoa", text_of(input)), labels, budget);
    expect_sound(automaton);
    if (!automaton || automaton->edge_count() > 1000) return;
    try {
        expect_round_trip(*automaton);
    } catch (const automata::LimitReached&) {
    }
}

void never_claim(Input input) {
    const support::Budget budget(limits());
    automata::Labels labels;
    labels.allow(100'000);
    const support::Result<automata::Automaton> automaton =
        automata::parse_never_claim(support::SourceText("fuzz.never", text_of(input)), labels, budget);
    expect_sound(automaton);
    if (!automaton || automaton->edge_count() > 1000) return;
    try {
        expect_round_trip(*automaton);
        const std::string text = automata::to_never_claim(*automaton);
        const support::Result<automata::Automaton> again =
            automata::parse_never_claim(support::SourceText("printed.never", text), labels);
        expect(static_cast<bool>(again), "a printed never claim is parsed", text);
        logic::RandomEngine random(input.size());
        if (again->atoms != automaton->atoms) return;  // those that occur in no label are not printed
        for (int i = 0; i < 10; ++i) {
            const logic::Lasso word = logic::random_lasso(random, automaton->atoms.size());
            expect(automata::accepts(*again, word) == automata::accepts(*automaton, word),
                   "a printed never claim accepts the same words", text);
        }
    } catch (const automata::LimitReached&) {
    }
}

void formula(Input input) {
    const support::SourceText source("fuzz.ltl", text_of(input));
    logic::Formulas formulas;
    for (const logic::Logic logic : {logic::Logic::ltl, logic::Logic::ctl, logic::Logic::ctl_star}) {
        const support::Result<logic::Formula> parsed =
            logic::parse_formula(formulas, source, {.logic = logic, .names = {}, .check_atom = {}});
        expect_sound(parsed);
        if (!parsed) continue;
        const std::string text = logic::to_text(formulas, *parsed);
        const support::Result<logic::Formula> again = logic::parse_formula(
            formulas, support::SourceText("printed.ltl", text), {.logic = logic, .names = {}, .check_atom = {}});
        expect(again && *again == *parsed, "a printed formula is parsed to the same", text);
        const std::vector<logic::Formula> names = logic::atoms(formulas, *parsed);
        if (logic != logic::Logic::ltl || logic::subformulas(formulas, *parsed).size() > 40 || names.size() > 8)
            continue;

        automata::Labels labels;
        automata::TranslationLimits limits;
        limits.states = 300;
        limits.edges = 3000;
        limits.diagram_nodes = 30'000;
        const support::Result<automata::Automaton> automaton =
            automata::translate(formulas, *parsed, labels, automata::AutomatonKind::generalised, limits, names);
        expect_sound(automaton);
        if (!automaton) continue;
        logic::RandomEngine random(input.size());
        for (int i = 0; i < 10; ++i) {
            const logic::Lasso word = logic::random_lasso(random, names.size());
            expect(automata::accepts(*automaton, word) == logic::holds_on(formulas, *parsed, word, names),
                   "the automaton accepts what fulfils the formula", text + '\n' + automata::to_hoa(*automaton));
        }
    }
}

}  // namespace tideline::fuzz
