#include "logic/parse.hpp"

#include <gtest/gtest.h>

#include "logic/normal_form.hpp"
#include "logic/print.hpp"
#include "logic/random_formula.hpp"
#include "logic/rewrite.hpp"

namespace tideline::logic {
namespace {

using Texts = std::vector<std::string>;

Formula parse(Formulas& formulas, const std::string& text, const FormulaContext& context = {}) {
    const support::Result<Formula> result = parse_formula(formulas, support::SourceText("f", text), context);
    if (!result) {
        ADD_FAILURE() << support::to_text(result.diagnostics().at(0));
        return formulas.falsity();
    }
    return *result;
}

TEST(ParseFormula, SpellingsMeanTheSame) {
    const std::vector<Texts> groups = {
        {"G p", "[]p", "[] p", "always p", "globally p", "ALWAYS p", "G(p)", "false R p", "0 V p"},
        {"F p", "<>p", "<> p", "eventually p", "finally p", "true U p", "1 until p"},
        {"X p", "()p", "() p", "next p"},
        {"p U q", "p until q", "(p)U(q)"},
        {"p R q", "p V q", "p release q", "p releases q"},
        {"p W q", "p unless q", "p weak_until q", "p weakuntil q", "p weak until q", "p weak  until q"},
        {"p M q", "p strong_release q", "p strongrelease q", "p strong release q"},
        {"!p", "~p", "not p", "NOT p"},
        {"p && q", "p & q", "p /\\ q", "p and q", "q && p", "p && q && p", "p AND q"},
        {"p || q", "p | q", "p \\/ q", "p or q", "q || p"},
        {"p -> q", "p => q", "p implies q", "p imply q"},
        {"p <-> q", "p <=> q", "p iff q", "p equivalent q", "q <-> p"},
        {"p ^ q", "p xor q", "q ^ p"},
        {"AG p", "A G p", "A[G p]", "A(G p)", "A[]p", "A [] p", "forall always p"},
        {"EF p", "E F p", "E<>p", "exists F p"},
        {"A[p U q]", "A(p U q)", "A [ p until q ]"},
        {"AG EF p", "AGEF p", "A[](E<>p)"},
        {"GF p", "G F p", "[]<>p", "G(F(p))"},
        {"{x == 3}", "\"x == 3\"", "{ x == 3 }"},
        {"{p}", "\"p\"", "p"},
        {"F {a[{1}]}", "F \"a[{1}]\""},
    };
    for (const Texts& group : groups) {
        Formulas formulas;
        const Formula first = parse(formulas, group.front());
        for (const std::string& text : group)
            EXPECT_EQ(parse(formulas, text), first) << text << " is not " << group.front();
    }
}

TEST(ParseFormula, OperatorsBindAsDocumented) {
    const std::vector<std::pair<std::string, std::string>> pairs = {
        {"p || q && r", "p || (q && r)"}, {"p && q U r", "p && (q U r)"},
        {"!p U q", "(!p) U q"},           {"G p U q", "(G p) U q"},
        {"p U q U r", "p U (q U r)"},     {"p -> q -> r", "p -> (q -> r)"},
        {"p -> q || r", "p -> (q || r)"}, {"p <-> q -> r", "p <-> (q -> r)"},
        {"p ^ q && r", "p ^ (q && r)"},   {"p || q ^ r", "p || (q ^ r)"},
        {"G p -> F q", "(G p) -> (F q)"}, {"A p U q", "(A p) U q"},
        {"p W q R r", "p W (q R r)"},     {"!X p && q", "(!(X p)) && q"},
        {"EX p && q", "(EX p) && q"},     {"p <-> q <-> r", "(p <-> q) <-> r"},
    };
    for (const auto& [text, meaning] : pairs) {
        Formulas formulas;
        EXPECT_EQ(parse(formulas, text), parse(formulas, meaning)) << text << " is not " << meaning;
    }
}

TEST(ParseFormula, NamesMayLookLikeOperators) {
    Formulas formulas;
    for (const std::string name : {"Gate", "Fp", "Until", "GFp", "EFFECT", "FACE", "weak", "strong", "P.critical",
                                   "a[2]", "m.b[3].c", "_x1", "Always"})
        EXPECT_EQ(formulas.text(parse(formulas, name)), name);
    EXPECT_EQ(parse(formulas, "F weak"), formulas.eventually(formulas.atom("weak")));
    EXPECT_EQ(parse(formulas, "weak U strong"), formulas.until(formulas.atom("weak"), formulas.atom("strong")));
}

TEST(ParseFormula, AtomsAreShownToTheirChecker) {
    Formulas formulas;
    Texts seen;
    FormulaContext context;
    context.check_atom = [&](const support::SourceText& source, support::SourceSpan span, const std::string& atom) {
        EXPECT_EQ(source.text(span), atom);
        seen.push_back(atom);
        support::Diagnostics result;
        if (atom == "bad") result.push_back(support::diagnostic_at(source, span, "no such thing"));
        if (atom == "odd")
            result.push_back(support::diagnostic_at(source, span, "odd", "", support::Severity::warning));
        return result;
    };
    const support::Result<Formula> good =
        parse_formula(formulas, support::SourceText("f", "G(p -> F {x > 1}) && \"odd\""), context);
    ASSERT_TRUE(good);
    EXPECT_EQ(seen, (Texts{"p", "x > 1", "odd"}));
    EXPECT_EQ(good.diagnostics().size(), 1U);
    const support::Result<Formula> bad = parse_formula(formulas, support::SourceText("f", "p U {bad}"), context);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.diagnostics().at(0).position.column, 6U);
}

TEST(ParseFormula, WhatToolsReadDifferentlyIsWarnedOf) {
    Formulas formulas;
    const auto warnings = [&](const std::string& text) {
        return parse_formula(formulas, support::SourceText("f", text)).diagnostics();
    };
    ASSERT_EQ(warnings("p U q U r").size(), 1U);
    EXPECT_EQ(warnings("p U q U r").at(0).severity, support::Severity::warning);
    EXPECT_EQ(warnings("p U q U r").at(0).position.column, 7U);
    EXPECT_EQ(warnings("p <-> q -> r").size(), 1U);
    EXPECT_TRUE(warnings("p U (q U r)").empty());
    EXPECT_TRUE(warnings("p U q && q U r").empty());
}

struct BadFormula {
    std::string text;
    std::uint32_t column;
    std::string message;
    std::string hint;  // its beginning
};

void expect_messages(const std::vector<BadFormula>& cases, const FormulaContext& context) {
    for (const BadFormula& c : cases) {
        Formulas formulas;
        const support::Result<Formula> result = parse_formula(formulas, support::SourceText("f", c.text), context);
        ASSERT_FALSE(result) << c.text;
        const support::Diagnostic& d = result.diagnostics().at(0);
        EXPECT_EQ(d.message, c.message) << support::to_text(d);
        EXPECT_EQ(d.position.column, c.column) << support::to_text(d);
        EXPECT_EQ(d.hint.substr(0, c.hint.size()), c.hint) << support::to_text(d);
        EXPECT_EQ(d.hint.empty(), c.hint.empty()) << support::to_text(d);
    }
}

TEST(ParseFormula, MistakesAreExplained) {
    expect_messages(
        {
            {"", 1, "the formula is empty", "expected a formula, such as"},
            {"  \n ", 1, "the formula is empty", "expected a formula, such as"},
            {"G", 2, "expected a formula after 'G', found the end", ""},
            {"p U", 4, "expected a formula after 'U', found the end", ""},
            {"U p", 1, "expected a formula, found 'U'", "'U' is an operator with an operand on both sides"},
            {"p && || q", 6, "expected a formula after '&&', found '||'", ""},
            {"p &&& q", 5, "expected a formula after '&&', found '&'", ""},
            {"p && U q", 6, "expected a formula after '&&', found 'U'", ""},
            {"(p", 1, "this '(' is never closed", ""},
            {"G (p -> (q U r)", 3, "this '(' is never closed", ""},
            {"p)", 2, "expected an operator or the end, found ')'", "there is no opening one"},
            {"A[p U q", 2, "this '[' is never closed", ""},
            {"A[p U q)", 8, "expected ']', found ')'", "'[' in column 2 is still open"},
            {"A(p U q]", 8, "expected ')', found ']'", "'(' in column 2 is still open"},
            {"G [p]", 3, "expected a formula, found '['", "brackets follow A or E only"},
            {"( )", 3, "expected a formula, found ')'", ""},
            {"p q", 3, "expected an operator or the end, found 'q'", ""},
            {"p true", 3, "expected an operator or the end, found 'true'", ""},
            {"(p)(q)", 4, "expected an operator or the end, found '('", ""},
            {"p G q", 3, "expected an operator or the end, found 'G'", ""},
            {"p ! q", 3, "expected an operator or the end, found '!'", ""},
            {"p untill q", 3, "expected an operator or the end, found 'untill'", "did you mean 'until'?"},
            {"p impies q", 3, "expected an operator or the end, found 'impies'", "did you mean 'implies'?"},
            {"alwyas p", 1, "expected an operator after the name 'alwyas'", "did you mean 'always'?"},
            {"eventualy (p U q)", 1, "expected an operator after the name 'eventualy'", "did you mean 'eventually'?"},
            {"nott p", 1, "expected an operator after the name 'nott'", "did you mean 'not'?"},
            {"p = q", 3, "unexpected '='", "equivalence is written '<->'"},
            {"x == (3)", 3, "unexpected '=='", "an expression of the model stands in braces"},
            {"G x < (3)", 5, "unexpected '<'", "an expression of the model stands in braces"},
            {"F x >= (3)", 5, "unexpected '>='", "an expression of the model stands in braces"},
            {"x != (y)", 3, "unexpected '!='", "an expression of the model stands in braces"},
            {"x + 1", 3, "unexpected '+'", "an expression of the model stands in braces"},
            {"G 3", 3, "expected a formula, found '3'", "0 and 1 are false and true"},
            {"F 1x", 3, "expected a formula, found '1x'", "0 and 1 are false and true"},
            {"a[i] && p", 2, "expected an operator or the end, found '['",
             "an element of an array with a computed index"},
            {"f(p)", 2, "expected an operator or the end, found '('", "an expression of the model stands in braces"},
            {"G \"p", 3, "this quotation mark is never closed", ""},
            {"G {p", 3, "this brace is never closed", ""},
            {"G \"\"", 3, "expected an expression between the quotation marks", ""},
            {"G { }", 3, "expected an expression between the braces", ""},
            {"p }", 3, "unexpected '}'", "there is no '{'"},
            {"G 'p'", 3, "unexpected '''", "an expression of the model stands in braces"},
            {"p ∧ q", 3, "unexpected '∧'", ""},
            {"p # q", 3, "unexpected '#'", ""},
            {"A U p", 3, "expected a formula after 'A', found 'U'", "'A' and 'E' are path quantifiers"},
            {"p && A", 7, "expected a formula after 'A', found the end", ""},
            {"A[]", 4, "expected a formula after '[]', found the end", ""},
        },
        {});
}

TEST(ParseFormula, TheFirstLineWithTheMistakeIsShown) {
    Formulas formulas;
    const support::Result<Formula> result = parse_formula(formulas, support::SourceText("f", "G (p\n  -> q r)"));
    ASSERT_FALSE(result);
    EXPECT_EQ(support::to_text(result.diagnostics().at(0)),
              "f:2:8: error: expected an operator or the end, found 'r'\n    -> q r)\n         ^\n");
}

TEST(ParseFormula, UnknownNamesGetSuggestions) {
    FormulaContext context;
    context.names = {"ready", "p", "P0.critical"};
    expect_messages(
        {
            {"G raedy", 3, "unknown name 'raedy'", "did you mean 'ready'?"},
            {"GFp", 1, "unknown name 'GFp'", "did you mean 'GF p'?"},
            {"F P0.critcal", 3, "unknown name 'P0.critcal'", "did you mean 'P0.critical'?"},
            {"G zzzzzz", 3, "unknown name 'zzzzzz'", ""},
            {"evntually p", 1, "unknown name 'evntually'", "did you mean 'eventually'?"},
        },
        context);
    Formulas formulas;
    EXPECT_TRUE(parse_formula(formulas, support::SourceText("f", "G(ready -> F \"p == 1\")"), context));
}

TEST(ParseFormula, LogicsAreKeptApart) {
    FormulaContext ltl;
    ltl.logic = Logic::ltl;
    expect_messages(
        {
            {"AG p", 1, "the path quantifier 'A' does not belong to LTL", "an LTL formula speaks of all paths"},
            {"G(p -> EF q)", 8, "the path quantifier 'E' does not belong to LTL", "an LTL formula speaks of all paths"},
        },
        ltl);
    FormulaContext ctl;
    ctl.logic = Logic::ctl;
    expect_messages(
        {
            {"G p", 1, "in CTL, 'A' or 'E' stands before every temporal operator, but not before this 'G'",
             "a formula of LTL or CTL*"},
            {"A[F p && G q]", 3, "in CTL, 'A' or 'E' stands before every temporal operator, but not before this 'F'",
             "a formula of LTL or CTL*"},
            {"A G F p", 5, "in CTL, 'A' or 'E' stands before every temporal operator, but not before this 'F'",
             "a formula of LTL or CTL*"},
            {"A p", 1, "in CTL, a temporal operator follows every path quantifier, but not this 'A'", "as in AG p"},
            {"E(!F p)", 4, "in CTL, 'A' or 'E' stands before every temporal operator, but not before this 'F'",
             "a formula of LTL or CTL*"},
        },
        ctl);
    Formulas formulas;
    EXPECT_TRUE(parse_formula(formulas, support::SourceText("f", "AG(p -> E[q U AX r])"), ctl));
    EXPECT_TRUE(parse_formula(formulas, support::SourceText("f", "G(p -> F q) && (p W q)"), ltl));
    EXPECT_TRUE(parse_formula(formulas, support::SourceText("f", "A(F G p -> E(G F q))")));
}

TEST(PrintFormula, ReadsWell) {
    const std::vector<std::pair<std::string, std::string>> pairs = {
        {"[](p -> <>q)", "G (p -> F q)"},
        {"AGEF p", "AG EF p"},
        {"A[p U q]", "A (p U q)"},
        {"GFp", "GFp"},
        {"[]<>p", "GF p"},
        {"!(p && q)", "!(p && q)"},
        {"{x == 1} U \"U\"", "\"x == 1\" U \"U\""},
        {"X!p", "X !p"},
        {"E(!F p)", "E !F p"},
        {"X(true)", "X true"},
    };
    for (const auto& [text, expected] : pairs) {
        Formulas formulas;
        EXPECT_EQ(to_text(formulas, parse(formulas, text)), expected);
    }
}

// Random formulas of CTL*: any connective over anything.
Formula random_formula(Formulas& formulas, RandomEngine& random, const std::vector<Formula>& atoms) {
    std::vector<Formula> pool = atoms;
    for (std::size_t i = 0; i < 14; ++i) {
        const auto c = static_cast<Connective>(below(random, 18));
        if (c == Connective::atom) continue;
        std::vector<Formula> operands;
        for (int k = 0; k < 3; ++k) operands.push_back(pool[below(random, pool.size())]);
        if (c != Connective::conjunction && c != Connective::disjunction) operands.resize(2);
        pool.push_back(formulas.make(c, operands));
    }
    return pool.back();
}

TEST(PrintFormula, ParsesBackToTheSameFormula) {
    RandomEngine random(4);
    Formulas formulas;
    const std::vector<Formula> atoms{formulas.atom("p"),    formulas.atom("U"),      formulas.atom("x == \"y\\z\""),
                                     formulas.atom("EF"),   formulas.atom("a[1].b"), formulas.atom("weak"),
                                     formulas.atom("{odd"), formulas.atom("1")};
    for (int round = 0; round < 5000; ++round) {
        const Formula f = random_formula(formulas, random, atoms);
        const std::string text = to_text(formulas, f);
        ASSERT_EQ(parse(formulas, text), f) << text;
    }
}

TEST(ParseFormula, DamagedTextsDoNoHarm) {
    RandomEngine random(5);
    for (int round = 0; round < 5000; ++round) {
        Formulas formulas;
        std::string text = "G(p -> A[q U {x == 1}]) && !(\"r\" W ()s) <-> EF [] t.u[3]";
        for (std::size_t i = below(random, 5); i < 5; ++i)
            text[below(random, text.size())] = "GFXAEUWpq()[]{}\"&|!<>-= 01.\\"[below(random, 29)];
        const support::Result<Formula> result = parse_formula(formulas, support::SourceText("f", text));
        if (!result) {
            EXPECT_FALSE(result.diagnostics().empty());
            continue;
        }
        ASSERT_EQ(parse(formulas, to_text(formulas, *result)), *result) << text;
    }
}

// No operation on formulas may recurse: the depth of a formula is not bounded.
void expect_workable(const std::string& text) {
    Formulas formulas;
    const Formula f = parse(formulas, text);
    const std::string printed = to_text(formulas, f);
    EXPECT_EQ(parse(formulas, printed), f) << text.substr(0, 60);
    const Formula normal = negated(formulas, f);
    EXPECT_TRUE(formulas.has(normal, Trait::negation_normal));
    (void)simplified(formulas, f);
    (void)simplified(formulas, formulas.negation(f));
    EXPECT_FALSE(atoms(formulas, f).empty());
}

std::string repeated(const std::string& piece, std::size_t times, const std::string& core,
                     const std::string& closing = {}) {
    std::string result;
    for (std::size_t i = 0; i < times; ++i) result += piece;
    result += core;
    for (std::size_t i = 0; i < times; ++i) result += closing;
    return result;
}

TEST(ParseFormula, DeepFormulas) {
    for (const std::size_t depth : {10'000U}) {
        expect_workable(repeated("(", depth, "p", ")"));
        expect_workable(repeated("!(p && ", depth, "q", ")"));
        expect_workable(repeated("X", depth, " p"));
        expect_workable(repeated("X !", depth, "p"));
        expect_workable(repeated("p U ", depth, "q"));
        expect_workable(repeated("(p U q) R (", depth, "q", ")"));
        expect_workable(repeated("p -> ", depth, "q"));
        expect_workable(repeated("G(p && F(q || ", depth / 2, "r", "))"));
        expect_workable(repeated("G(p && ", depth, "q", ")"));
        expect_workable(repeated("p <-> F(", depth / 4, "q", ")"));
        expect_workable(repeated("E(p U A(", depth / 2, "X q", "))"));
        expect_workable(repeated("AG EF ", depth / 2, "p"));
    }
}

TEST(ParseFormula, LongFormulas) {
    const std::size_t megabyte = 1'000'000;
    std::string different = "p0";
    for (int i = 1; different.size() < megabyte; ++i) different += " && p" + std::to_string(i);
    expect_workable(different);
    std::string untils = "p U q0";
    for (int i = 1; untils.size() < megabyte; ++i) untils += " || (p U q" + std::to_string(i) + ')';
    expect_workable(untils);
    expect_workable(repeated("(", megabyte / 2, "p", ")"));
    std::string nested;
    for (int i = 0; nested.size() < megabyte; ++i) nested += "p" + std::to_string(i % 1000) + " -> ";
    expect_workable(nested + "q");
}

}  // namespace
}  // namespace tideline::logic
