#include "input/dve/parser.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tideline::input::dve {
namespace {

// A text that shows the shape of a tree: a chain is [a + b], what was in parentheses stands in ( ).
std::string shape(const Expr& e);

std::string sign(BinaryOp op) {
    switch (op) {
        case BinaryOp::imply: return "imply";
        case BinaryOp::logical_and: return "and";
        case BinaryOp::logical_or: return "or";
        case BinaryOp::bit_and: return "&";
        case BinaryOp::bit_or: return "|";
        case BinaryOp::bit_xor: return "^";
        case BinaryOp::equal: return "==";
        case BinaryOp::not_equal: return "!=";
        case BinaryOp::less: return "<";
        case BinaryOp::less_equal: return "<=";
        case BinaryOp::greater: return ">";
        case BinaryOp::greater_equal: return ">=";
        case BinaryOp::shift_left: return "<<";
        case BinaryOp::shift_right: return ">>";
        case BinaryOp::add: return "+";
        case BinaryOp::subtract: return "-";
        case BinaryOp::multiply: return "*";
        case BinaryOp::divide: return "/";
        case BinaryOp::modulo: return "%";
    }
    return "?";
}

std::string bare_shape(const Expr& e) {
    const std::string prefix = e.process.text.empty() ? "" : e.process.text + "->";
    switch (e.kind) {
        case Expr::Kind::number: return std::to_string(e.number);
        case Expr::Kind::variable: return prefix + e.name.text;
        case Expr::Kind::element: return prefix + e.name.text + "[" + shape(*e.operands[0]) + "]";
        case Expr::Kind::location: return e.process.text + "." + e.name.text;
        case Expr::Kind::unary: {
            const std::string op = e.unary == UnaryOp::negate ? "-" : e.unary == UnaryOp::complement ? "~" : "not ";
            return "<" + op + shape(*e.operands[0]) + ">";
        }
        case Expr::Kind::chain: break;
    }
    std::string text = "[" + shape(*e.operands[0]);
    for (std::size_t i = 0; i < e.operators.size(); ++i)
        text += " " + sign(e.operators[i]) + " " + shape(*e.operands[i + 1]);
    return text + "]";
}

std::string shape(const Expr& e) { return e.parenthesised ? "(" + bare_shape(e) + ")" : bare_shape(e); }

// The shape of an expression, or its error.
std::string read(const std::string& text) {
    const support::Result<ExprPtr> result = parse_expression(support::SourceText("e", text));
    return result ? shape(**result) : result.diagnostics().at(0).message;
}

support::Diagnostic expression_error(const std::string& text) {
    const support::Result<ExprPtr> result = parse_expression(support::SourceText("e", text));
    return result ? support::Diagnostic{} : result.diagnostics().at(0);
}

support::Diagnostic error_of(const std::string& text) {
    const support::Result<Program> result = parse(support::SourceText("m.dve", text));
    return result ? support::Diagnostic{} : result.diagnostics().at(0);
}

// The error of a text that stands in the braces of a transition; its columns are those of the text.
support::Diagnostic error_in_transition(const std::string& text) {
    return error_of("process P {\nstate s;\ninit s;\ntrans s -> s {\n" + text + "\n};\n}\nsystem async;\n");
}

// The error of a text that stands after `state s, t;` in a process.
support::Diagnostic error_in_process(const std::string& text) {
    return error_of("process P {\nstate s, t;\n" + text + "\n}\nsystem async;\n");
}

Program program_of(const std::string& text) {
    support::Result<Program> result = parse(support::SourceText("m.dve", text));
    EXPECT_TRUE(result) << (result ? "" : support::to_text(result.diagnostics().at(0)));
    return result ? *std::move(result) : Program();
}

Process process_of(const std::string& text) {
    Program program = program_of("process P {\n" + text + "\n}\nsystem async;\n");
    return program.processes.empty() ? Process() : std::move(program.processes[0]);
}

std::string names(const std::vector<Name>& list) {
    std::string text;
    for (const Name& name : list) text += (text.empty() ? "" : " ") + name.text;
    return text;
}

void expect_error(const support::Diagnostic& found, std::uint32_t line, std::uint32_t column,
                  const std::string& message, int line_of_test = __builtin_LINE()) {
    const testing::ScopedTrace trace(__FILE__, line_of_test, "expect_error");
    EXPECT_EQ(found.message, message);
    EXPECT_EQ(found.position, (support::SourcePosition{line, column}));
}

constexpr const char* kModel = R"(// a small model with everything
const int N = 2;
byte x = 1, a[N + 1] = {1, 2, 3};
channel c, d;
channel {byte, int} buf[4], meet[0];
process P {
  int y = -1;
  state s, t, u;
  commit t;
  init s;
  accept s, u;
  assert s: y < 0, t: x == 1;
  trans
    s -> t { guard x > 0 && y <= 0; sync c!x + 1; effect y = 1, a[y] = x; },
      -> u { sync buf?{x, a[0]}; },
    u -> s {};
}
process Q { state q; init q; trans q -> q { sync c?x; }, q -> q { sync d!; effect P->y = 2; }; }
process R { state r; init r; }
system async property R;
)";

TEST(DveParser, ReadsTheDeclarationsOfASmallModel) {
    const Program p = program_of(kModel);
    ASSERT_EQ(p.variables.size(), 3U);
    EXPECT_TRUE(p.variables[0].constant);
    EXPECT_EQ(p.variables[0].type, Type::integer);
    EXPECT_EQ(p.variables[1].name.text, "x");
    EXPECT_FALSE(p.variables[1].constant);
    EXPECT_EQ(p.variables[1].length, nullptr);
    ASSERT_EQ(p.variables[1].initial.size(), 1U);
    EXPECT_FALSE(p.variables[1].braces);
    EXPECT_EQ(shape(*p.variables[2].length), "[N + 1]");
    EXPECT_EQ(p.variables[2].initial.size(), 3U);
    EXPECT_TRUE(p.variables[2].braces);
    ASSERT_EQ(p.channels.size(), 4U);
    EXPECT_FALSE(p.channels[1].typed);
    EXPECT_EQ(p.channels[1].capacity, nullptr);
    EXPECT_TRUE(p.channels[2].typed);
    EXPECT_EQ(p.channels[2].fields, (std::vector<Type>{Type::byte, Type::integer}));
    EXPECT_EQ(shape(*p.channels[2].capacity), "4");
    EXPECT_EQ(p.channels[3].fields.size(), 2U);
    EXPECT_EQ(shape(*p.channels[3].capacity), "0");
}

TEST(DveParser, ReadsTheProcessesOfASmallModel) {
    const Program program = program_of(kModel);
    ASSERT_EQ(program.processes.size(), 3U);
    const Process& p = program.processes[0];
    EXPECT_EQ(p.name.text, "P");
    EXPECT_EQ(shape(*p.variables.at(0).initial.at(0)), "<-1>");
    EXPECT_EQ(names(p.locations), "s t u");
    EXPECT_EQ(p.initial.text, "s");
    EXPECT_EQ(names(p.committed), "t");
    EXPECT_FALSE(p.acceptance.generalised);
    ASSERT_EQ(p.acceptance.sets.size(), 1U);
    EXPECT_EQ(names(p.acceptance.sets[0]), "s u");
    ASSERT_EQ(p.assertions.size(), 2U);
    EXPECT_EQ(p.assertions[1].location.text, "t");
    EXPECT_EQ(shape(*p.assertions[1].condition), "[x == 1]");
    ASSERT_EQ(p.transitions.size(), 3U);
    const Transition& first = p.transitions[0];
    EXPECT_EQ(shape(*first.guard), "[[x > 0] and [y <= 0]]");
    ASSERT_TRUE(first.sync.has_value());
    EXPECT_EQ(first.sync->direction, Synchronisation::Direction::send);
    EXPECT_EQ(shape(*first.sync->values.at(0)), "[x + 1]");
    ASSERT_EQ(first.effects.size(), 2U);
    EXPECT_EQ(shape(*first.effects[1].target), "a[y]");
    EXPECT_EQ(shape(*first.effects[1].value), "x");
    EXPECT_EQ(p.transitions[1].from.text, "s");
    EXPECT_EQ(p.transitions[1].sync->direction, Synchronisation::Direction::receive);
    EXPECT_TRUE(p.transitions[1].sync->braces);
    EXPECT_EQ(p.transitions[1].sync->values.size(), 2U);
    EXPECT_EQ(p.transitions[2].guard, nullptr);
    EXPECT_FALSE(p.transitions[2].sync.has_value());
    EXPECT_TRUE(program.processes[1].transitions.at(1).sync->values.empty());
    EXPECT_EQ(shape(*program.processes[1].transitions[1].effects.at(0).target), "P->y");
    EXPECT_TRUE(program.processes[2].transitions.empty());
    EXPECT_FALSE(program.synchronous);
    ASSERT_TRUE(program.property.has_value());
    EXPECT_EQ(program.property->text, "R");
    EXPECT_EQ(program.source.text(program.system_span), "system async property R;");
}

TEST(DveParser, GivesSpansToNamesTransitionsSynchronisationsAndAssignments) {
    const Program program = program_of(kModel);
    const auto text = [&program](support::SourceSpan span) { return program.source.text(span); };
    const Process& p = program.processes.at(0);
    const Transition& first = p.transitions.at(0);
    EXPECT_EQ(text(p.name.span), "P");
    EXPECT_EQ(text(first.span), "s -> t { guard x > 0 && y <= 0; sync c!x + 1; effect y = 1, a[y] = x; }");
    EXPECT_EQ(text(first.to.span), "t");
    EXPECT_EQ(text(first.guard->span), "x > 0 && y <= 0");
    EXPECT_EQ(text(first.sync->span), "c!x + 1");
    EXPECT_EQ(text(first.effects[1].span), "a[y] = x");
    EXPECT_EQ(text(first.effects[1].target->span), "a[y]");
    EXPECT_EQ(text(p.transitions[1].span), "-> u { sync buf?{x, a[0]}; }");
    EXPECT_EQ(text(p.transitions[1].from.span), "->");
    EXPECT_EQ(text(p.transitions[1].sync->span), "buf?{x, a[0]}");
    EXPECT_EQ(text(p.transitions[2].span), "u -> s {}");
    EXPECT_EQ(text(program.processes[1].transitions[1].sync->span), "d!");
}

TEST(DveParser, GivesSpansToExpressionsIncludingTheirParentheses) {
    const support::SourceText source("e", "( a + b ) * P->c[ 1 ] - not P.s");
    const support::Result<ExprPtr> result = parse_expression(source);
    ASSERT_TRUE(result);
    const Expr& e = **result;
    EXPECT_EQ(source.text(e.span), source.text());
    const Expr& product = *e.operands.at(0);
    EXPECT_EQ(source.text(product.span), "( a + b ) * P->c[ 1 ]");
    EXPECT_EQ(source.text(product.operands.at(0)->span), "( a + b )");
    EXPECT_EQ(source.text(product.operands.at(1)->span), "P->c[ 1 ]");
    EXPECT_EQ(source.text(product.operands.at(1)->process.span), "P");
    EXPECT_EQ(source.text(e.operands.at(1)->span), "not P.s");
}

TEST(DveParser, KeepsBracesThatDoNotFitTheVariable) {
    const Program p = program_of("byte x = {1}, a[2] = 1;\nsystem async;");
    EXPECT_TRUE(p.variables.at(0).braces);
    EXPECT_FALSE(p.variables.at(1).braces);
    EXPECT_EQ(p.variables[1].initial.size(), 1U);
}

TEST(DveParser, ReadsSynchronousSystems) {
    const Program program = program_of("process P { state s; init s; trans ; }\nsystem sync;");
    EXPECT_TRUE(program.synchronous);
    EXPECT_FALSE(program.property.has_value());
}

TEST(DveParser, ReadsTheKindsOfAcceptance) {
    const Process buchi = process_of("state s, t; init s; accept buchi s, t;");
    EXPECT_FALSE(buchi.acceptance.generalised);
    EXPECT_EQ(names(buchi.acceptance.sets.at(0)), "s t");
    const Process general = process_of("state s, t, u; init s; accept genbuchi (s, t), (u);");
    EXPECT_TRUE(general.acceptance.generalised);
    ASSERT_EQ(general.acceptance.sets.size(), 2U);
    EXPECT_EQ(names(general.acceptance.sets[0]), "s t");
    EXPECT_EQ(names(general.acceptance.sets[1]), "u");
    EXPECT_TRUE(process_of("state s; init s;").acceptance.sets.empty());
}

TEST(DveParser, TreatsKindsOfAcceptanceAsNamesElsewhere) {
    const Process p = process_of("byte muller; state buchi, rabin; init rabin; accept buchi, rabin;");
    EXPECT_EQ(names(p.acceptance.sets.at(0)), "buchi rabin");
}

TEST(DveParser, TakesSectionsInAnyOrderAndSeveralAsserts) {
    const Process p = process_of("state s, t; assert s: 1; accept t; commit s, t; assert t: 0, s: 2; init t;");
    EXPECT_EQ(p.initial.text, "t");
    EXPECT_EQ(names(p.committed), "s t");
    EXPECT_EQ(p.assertions.size(), 3U);
}

TEST(DveParser, ReadsEveryFormOfSynchronisation) {
    const Process p = process_of(
        "state s; init s; trans s -> s { sync c!; }, s -> s { sync c?; }, s -> s { sync c!-1; }, s -> s { sync c?a[1]; },"
        "s -> s { sync c!{1, x}; }, s -> s { sync c?{x}; }, s -> s { sync c!(1); };");
    ASSERT_EQ(p.transitions.size(), 7U);
    EXPECT_TRUE(p.transitions[1].sync->values.empty());
    EXPECT_EQ(shape(*p.transitions[2].sync->values.at(0)), "<-1>");
    EXPECT_EQ(shape(*p.transitions[3].sync->values.at(0)), "a[1]");
    EXPECT_EQ(p.transitions[4].sync->values.size(), 2U);
    EXPECT_TRUE(p.transitions[5].sync->braces);
    EXPECT_FALSE(p.transitions[6].sync->braces);
}

TEST(DveParser, RepeatsTheSourceOverSeveralTransitions) {
    const Process p = process_of("state s, t; init s; trans t -> s {}, -> t {}, -> s {}, s -> t {}, -> s {};");
    ASSERT_EQ(p.transitions.size(), 5U);
    EXPECT_EQ(p.transitions[2].from.text, "t");
    EXPECT_EQ(p.transitions[4].from.text, "s");
}

TEST(DveExpression, BindsFromImplyToUnary) {
    EXPECT_EQ(read("a imply b or c | d == e < f << g + h * -i"),
              "[a imply [b or [c | [d == [e < [f << [g + [h * <-i>]]]]]]]]");
    EXPECT_EQ(read("-a * b + c << d < e == f | g or h imply i"),
              "[[[[[[[[<-a> * b] + c] << d] < e] == f] | g] or h] imply i]");
}

TEST(DveExpression, MakesOneChainOfALevel) {
    EXPECT_EQ(read("a and b or c && d || e"), "[a and b or c and d or e]");
    EXPECT_EQ(read("a & b | c ^ d"), "[a & b | c ^ d]");
    EXPECT_EQ(read("a - b + c * d % e / f - g"), "[a - b + [c * d % e / f] - g]");
    EXPECT_EQ(read("a == b != c"), "[a == b != c]");
    EXPECT_EQ(read("a < b >= c <= d > e"), "[a < b >= c <= d > e]");
    EXPECT_EQ(read("a << b >> c"), "[a << b >> c]");
    EXPECT_EQ(read("a imply b imply c"), "[a imply b imply c]");
}

TEST(DveExpression, NeverMergesParentheses) {
    EXPECT_EQ(read("(a + b) + c + (d + e)"), "[([a + b]) + c + ([d + e])]");
    EXPECT_EQ(read("((a))"), "(a)");
    EXPECT_EQ(read("(a and b) or c"), "[([a and b]) or c]");
}

TEST(DveExpression, AppliesUnaryOperatorsToTheirAtomOnly) {
    EXPECT_EQ(read("not a == b"), "[<not a> == b]");
    EXPECT_EQ(read("- - ~a + not not b"), "[<-<-<~a>>> + <not <not b>>]");
    EXPECT_EQ(read("a - -b"), "[a - <-b>]");
    EXPECT_EQ(read("not (a == b)"), "<not ([a == b])>");
}

TEST(DveExpression, ReadsEveryAtom) {
    EXPECT_EQ(read("true"), "1");
    EXPECT_EQ(read("false"), "0");
    EXPECT_EQ(read("9223372036854775807"), "9223372036854775807");
    EXPECT_EQ(read("a[b[i + 1]]"), "a[b[[i + 1]]]");
    EXPECT_EQ(read("P.s and P->x == P->a[2]"), "[P.s and [P->x == P->a[2]]]");
}

TEST(DveExpression, HandlesAHundredThousandOperands) {
    std::string text = "x";
    for (int i = 1; i < 100'000; ++i) text += i % 2 == 0 ? " and x" : " or y == 1";
    const support::Result<ExprPtr> result = parse_expression(support::SourceText("e", text));
    ASSERT_TRUE(result);
    EXPECT_EQ((*result)->operands.size(), 100'000U);
    EXPECT_EQ((*result)->operators.size(), 99'999U);
}

std::string repeated(const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
}

TEST(DveExpression, AllowsFiveHundredLevelsAndNoMore) {
    const std::string message = "this expression is nested too deeply (more than 500 levels)";
    EXPECT_TRUE(parse_expression(support::SourceText("e", repeated("(", 500) + "x" + repeated(")", 500))));
    EXPECT_TRUE(parse_expression(support::SourceText("e", repeated("a[", 500) + "x" + repeated("]", 500))));
    EXPECT_TRUE(parse_expression(support::SourceText("e", repeated("not ", 500) + "x")));
    expect_error(expression_error(repeated("(", 501) + "x" + repeated(")", 501)), 1, 501, message);
    expect_error(expression_error(repeated("a[", 501)), 1, 1002, message);
    expect_error(expression_error(repeated("-", 501) + "x"), 1, 501, message);
    EXPECT_EQ(expression_error(repeated("(", 1'000'000)).message, message);
}

TEST(DveExpression, LimitsLevelsWithinLevelsToo) {
    const std::string step = "a imply a or a | a == a < a << a + a * (";
    EXPECT_TRUE(parse_expression(support::SourceText("e", repeated(step, 200) + "x" + repeated(")", 200))));
    EXPECT_EQ(read(repeated(step, 499) + "x" + repeated(")", 499)),
              "this expression is nested too deeply (more than 500 levels)");
}

TEST(DveExpression, ForgetsTheNestingOfWhatIsClosed) {
    EXPECT_TRUE(parse_expression(support::SourceText("e", "1" + repeated(" + (-a[(2)])", 2000))));
}

TEST(DveExpression, ReportsWhatIsMissing) {
    expect_error(expression_error(""), 1, 1, "expected an expression, found the end of the expression");
    expect_error(expression_error("a +"), 1, 4, "expected an expression, found the end of the expression");
    expect_error(expression_error("(a"), 1, 3, "expected ')', found the end of the expression");
    expect_error(expression_error("a[1"), 1, 4, "expected ']', found the end of the expression");
    expect_error(expression_error("P."), 1, 3, "expected the name of a location, found the end of the expression");
    expect_error(expression_error("P->3"), 1, 4, "expected the name of a variable, found '3'");
    expect_error(expression_error("a b"), 1, 3, "expected an operator or the end of the expression, found 'b'");
    expect_error(expression_error("a * / b"), 1, 5, "expected an expression, found '/'");
    expect_error(expression_error("a and state"), 1, 7, "expected an expression, found the keyword 'state'");
}

TEST(DveExpression, SuggestsAMisspelledOperator) { EXPECT_EQ(expression_error("a adn b").hint, "did you mean 'and'?"); }

TEST(DveExpression, HintsAtTheDoubleEqualsSign) {
    const support::Diagnostic error = error_in_transition("guard x = 1;");
    expect_error(error, 5, 9, "expected an operator or the end of the expression, found '='");
    EXPECT_EQ(error.hint, "to compare two values, write '=='");
    EXPECT_EQ(expression_error("(a = b)").hint, "to compare two values, write '=='");
    EXPECT_EQ(expression_error("a => b").hint, "'greater or equal' is written '>=', implication 'imply'");
}

TEST(DveExpression, HintsAtNotForTheExclamationMark) {
    const support::Diagnostic error = expression_error("a && !b");
    expect_error(error, 1, 6, "expected an expression, found '!'");
    EXPECT_EQ(error.hint, "negation is written 'not'");
}

TEST(DveErrors, AnEmptyFileIsToldWhatItNeeds) {
    expect_error(error_of(""), 1, 1, "the file is empty");
    expect_error(error_of(" \n\n"), 1, 1, "the file is empty");
    const support::Diagnostic error = error_of("// nothing\n/* here */\n");
    expect_error(error, 1, 1, "the file holds nothing but comments");
    EXPECT_EQ(error.hint,
              "a DVE file holds declarations, processes and, at its end, 'system async;' or 'system sync;'");
}

TEST(DveErrors, ABinaryFileIsNoTextFile) {
    EXPECT_EQ(error_of(std::string("byte x;\0", 8)).message, "this is not a text file (byte 0x00 at offset 7)");
}

TEST(DveErrors, AnErrorNamesFileLineAndColumn) {
    const support::Diagnostic error = error_of("byte x;\n\tbyte y\nprocess");
    EXPECT_EQ(error.file, "m.dve");
    expect_error(error, 3, 1, "expected ',' or ';' after the declaration of a variable, found the keyword 'process'");
    EXPECT_EQ(error.excerpt, "process");
    EXPECT_EQ(error.caret, "^^^^^^^");
}

TEST(DveErrors, MisspelledKeywordsGetASuggestion) {
    const support::Diagnostic process = error_of("byte x;\nproces P {");
    expect_error(process, 2, 1, "expected a declaration, 'process' or 'system', found 'proces'");
    EXPECT_EQ(process.hint, "did you mean 'process'?");
    const support::Diagnostic guard = error_in_transition("guad x;");
    expect_error(guard, 5, 1, "expected 'guard', 'sync', 'effect' or '}', found 'guad'");
    EXPECT_EQ(guard.hint, "did you mean 'guard'?");
    EXPECT_EQ(error_in_transition("guard x; guad y;").hint, "");
    EXPECT_EQ(error_in_process("init s; tran s -> s {};").hint, "did you mean 'trans'?");
    EXPECT_EQ(error_in_process("inti s;").hint, "did you mean 'init'?");
    EXPECT_EQ(error_of("process P { stat s;").hint, "did you mean 'state'?");
    EXPECT_EQ(error_of("sytem async;").hint, "did you mean 'system'?");
    EXPECT_EQ(error_of("system asinc;").hint, "did you mean 'async'?");
    EXPECT_EQ(error_of("system async propery P;").hint, "did you mean 'property'?");
    EXPECT_EQ(error_of("const bite x = 1;").hint, "did you mean 'byte'?");
}

TEST(DveErrors, AMissingSystemLineIsReportedAtTheEnd) {
    const support::Diagnostic error = error_of("process P { state s; init s; }\n");
    expect_error(error, 2, 1, "expected 'process' or 'system', found the end of the file");
    EXPECT_EQ(error.hint, "a DVE file ends with 'system async;' or 'system sync;'");
}

TEST(DveErrors, NothingMayFollowTheSystemLine) {
    expect_error(error_of("system async;\nbyte x;"), 2, 1, "expected the end of the file, found the keyword 'byte'");
    expect_error(error_of("system async; }"), 1, 15, "expected the end of the file, found '}'");
}

TEST(DveErrors, TheSystemLineIsChecked) {
    expect_error(error_of("system;"), 1, 7, "expected 'async' or 'sync' after 'system', found ';'");
    expect_error(error_of("system async property;"), 1, 22, "expected the name of the property process, found ';'");
    expect_error(error_of("system async"), 1, 13, "expected 'property' or ';', found the end of the file");
    expect_error(error_of("system async property P"), 1, 24,
                 "expected ';' at the end of the system line, found the end of the file");
}

TEST(DveErrors, DeclarationsComeBeforeProcesses) {
    const support::Diagnostic error = error_of("process P { state s; init s; }\nchannel c;\nsystem async;");
    expect_error(error, 2, 1, "expected 'process' or 'system', found the keyword 'channel'");
    EXPECT_EQ(error.hint, "global variables and channels are declared before the first process");
}

TEST(DveErrors, DeclarationsOfVariablesAreChecked) {
    expect_error(error_of("byte 3;"), 1, 6, "expected the name of a variable, found '3'");
    expect_error(error_of("byte state;"), 1, 6, "expected the name of a variable, found the keyword 'state'");
    expect_error(error_of("const x = 1;"), 1, 7, "expected 'byte' or 'int', found 'x'");
    expect_error(error_of("byte x = ;"), 1, 10, "expected an expression, found ';'");
    expect_error(error_of("byte a[2] = {1, };"), 1, 17, "expected an expression, found '}'");
    expect_error(error_of("byte a[2] = {1; 2};"), 1, 15, "expected ',' or '}' after an initial value, found ';'");
    expect_error(error_of("byte a[];"), 1, 8, "expected an expression, found ']'");
    expect_error(error_of("byte x[99999999999999999999];"), 1, 8, "the number '99999999999999999999' is too large");
}

TEST(DveErrors, DeclarationsOfChannelsAreChecked) {
    const support::Diagnostic untyped = error_of("channel c, d[4];");
    expect_error(untyped, 1, 13, "expected ',' or ';' after the name of a channel without types, found '['");
    EXPECT_EQ(untyped.hint, "a channel with a buffer needs the types of its fields: channel {byte} d[...];");
    expect_error(error_of("channel {} c;"), 1, 10, "expected 'byte' or 'int', found '}'");
    expect_error(error_of("channel {byte;} c;"), 1, 14, "expected ',' or '}' after the type of a field, found ';'");
    expect_error(error_of("channel ;"), 1, 9, "expected the name of a channel or '{', found ';'");
    expect_error(error_of("channel c d;"), 1, 11, "expected ',' or ';' after the declaration of a channel, found 'd'");
}

TEST(DveErrors, TheHeadOfAProcessIsChecked) {
    expect_error(error_of("process { }"), 1, 9, "expected the name of a process, found '{'");
    expect_error(error_of("process P state"), 1, 11,
                 "expected '{' after the name of the process, found the keyword 'state'");
    expect_error(error_of("process P { }"), 1, 13, "expected a variable declaration or 'state', found '}'");
    const support::Diagnostic channel = error_of("process P { channel c;");
    expect_error(channel, 1, 13, "expected a variable declaration or 'state', found the keyword 'channel'");
    EXPECT_EQ(channel.hint, "channels are declared outside of processes");
    expect_error(error_of("process P { state ;"), 1, 19, "expected the name of a location, found ';'");
}

TEST(DveErrors, SectionsOfAProcessAreChecked) {
    expect_error(error_in_process("trans s -> t {};"), 3, 1, "expected 'init', found the keyword 'trans'");
    expect_error(error_in_process(""), 4, 1, "expected 'init', found '}'");
    expect_error(error_in_process("init s; init t;"), 3, 9,
                 "expected another section of the process, found a second 'init'");
    expect_error(error_in_process("init s; commit s; commit t;"), 3, 19,
                 "expected another section of the process, found a second 'commit'");
    expect_error(error_in_process("accept s; accept t;"), 3, 11,
                 "expected another section of the process, found a second 'accept'");
    expect_error(error_in_process("state u;"), 3, 1, "expected another section of the process, found a second 'state'");
    expect_error(error_in_process("init s, t;"), 3, 7, "expected ';' after the initial location, found ','");
    expect_error(error_in_process("assert s 1;"), 3, 10, "expected ':' after the location of an assertion, found '1'");
    expect_error(error_in_process("assert s: 1 t: 2;"), 3, 13, "expected ',' or ';' after an assertion, found 't'");
    EXPECT_EQ(error_in_process("init s; byte x;").hint, "the variables of a process are declared before 'state'");
    EXPECT_EQ(error_in_process("init s; trans s -> t {}; accept t;").hint, "'trans' is the last section of a process");
}

TEST(DveErrors, UnsupportedAcceptanceIsNamed) {
    expect_error(error_in_process("accept rabin (s; t);"), 3, 8, "'rabin' acceptance is not supported");
    expect_error(error_in_process("accept streett (s; t);"), 3, 8, "'streett' acceptance is not supported");
    expect_error(error_in_process("accept muller (s, t);"), 3, 8, "'muller' acceptance is not supported");
    expect_error(error_in_process("accept genbuchi s;"), 3, 17,
                 "expected '(' before a set of accepting locations, found 's'");
    expect_error(error_in_process("accept genbuchi (s;"), 3, 19,
                 "expected ',' or ')' after the name of a location, found ';'");
}

TEST(DveErrors, ProbabilisticTransitionsAreNotSupported) {
    expect_error(error_in_process("init s; trans s => { s:3, t:5 };"), 3, 17,
                 "probabilistic transitions are not supported");
}

TEST(DveErrors, TheFirstTransitionNeedsASource) {
    const support::Diagnostic error = error_in_process("init s; trans -> t {};");
    expect_error(error, 3, 15, "expected the source location of the first transition, found '->'");
    EXPECT_EQ(error.hint, "'-> target' repeats the source of the transition before");
}

TEST(DveErrors, TheListOfTransitionsIsChecked) {
    expect_error(error_in_process("init s; trans s -> t {} t -> s {};"), 3, 25,
                 "expected ',' or ';' after the transition, found 't'");
    expect_error(error_in_process("init s; trans s -> t {},;"), 3, 25, "expected a transition, found ';'");
    expect_error(error_in_process("init s; trans s - t {};"), 3, 17,
                 "expected '->' after the source location, found '-'");
    expect_error(error_in_process("init s; trans s -> t;"), 3, 21, "expected '{' after the target location, found ';'");
    const support::Diagnostic ended = error_in_process("init s; trans s -> t {}; t -> s {};");
    expect_error(ended, 3, 26, "expected '}' at the end of the process, found 't'");
    EXPECT_EQ(ended.hint, "transitions are separated by ',', a ';' ends the list of them");
}

TEST(DveErrors, PartsOfATransitionOutOfOrderOrTwiceAreReported) {
    expect_error(error_in_transition("effect x = 1; guard x;"), 5, 15, "expected '}', found 'guard' out of order");
    expect_error(error_in_transition("sync c!; guard x;"), 5, 10,
                 "expected 'effect' or '}', found 'guard' out of order");
    expect_error(error_in_transition("guard x; guard y;"), 5, 10,
                 "expected 'sync', 'effect' or '}', found a second 'guard'");
    expect_error(error_in_transition("effect x = 1; effect y = 1;"), 5, 15, "expected '}', found a second 'effect'");
    EXPECT_EQ(error_in_transition("effect x = 1; sync c?;").hint,
              "the parts of a transition come in the order guard, sync, effect");
}

TEST(DveErrors, PartsOfATransitionAreChecked) {
    expect_error(error_in_transition("guard;"), 5, 6, "expected an expression, found ';'");
    expect_error(error_in_transition("guard x effect y = 1;"), 5, 9,
                 "expected ';' after the guard, found the keyword 'effect'");
    expect_error(error_in_transition("sync c;"), 5, 7, "expected '!' or '?' after the name of the channel, found ';'");
    expect_error(error_in_transition("sync c?3;"), 5, 8, "expected a variable, found '3'");
    expect_error(error_in_transition("sync c?{x;};"), 5, 10, "expected ',' or '}' after a variable, found ';'");
    expect_error(error_in_transition("sync c!{};"), 5, 9, "expected an expression, found '}'");
    expect_error(error_in_transition("sync c!1, d!2;"), 5, 9, "expected ';' after the synchronisation, found ','");
    expect_error(error_in_transition("effect ;"), 5, 8, "expected a variable, found ';'");
    expect_error(error_in_transition("effect x;"), 5, 9, "expected '=' after the variable, found ';'");
    expect_error(error_in_transition("effect x == 1;"), 5, 10, "expected '=' after the variable, found '=='");
    expect_error(error_in_transition("effect P.s = 1;"), 5, 8, "expected a variable, found a location of a process");
    expect_error(error_in_transition("effect x = 1, ;"), 5, 15, "expected a variable, found ';'");
    expect_error(error_in_transition("effect x = y = 1;"), 5, 14,
                 "expected an operator or the end of the expression, found '='");
    expect_error(error_in_transition("effect x = 1 y = 2;"), 5, 14,
                 "expected ',' or ';' after the assignment, found 'y'");
}

TEST(DveErrors, AFileThatEndsEarlySaysSo) {
    expect_error(error_of("process P { state s; init s; trans s -> s { guard x;"), 1, 53,
                 "expected 'sync', 'effect' or '}', found the end of the file");
    expect_error(error_of("process P { state s; init s;"), 1, 29,
                 "expected 'trans', 'commit', 'accept', 'assert' or '}', found the end of the file");
}

TEST(DveErrors, EveryPrefixOfAModelIsRefusedOrParsed) {
    const std::string model = kModel;
    const std::size_t complete = model.rfind(';') + 1;
    for (std::size_t length = 0; length <= model.size(); ++length) {
        const support::Result<Program> result = parse(support::SourceText("m.dve", model.substr(0, length)));
        EXPECT_EQ(static_cast<bool>(result), length >= complete) << length;
    }
}

}  // namespace
}  // namespace tideline::input::dve
