#include "input/promela/parser.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "input/promela/control.hpp"
#include "support/file.hpp"

namespace tideline::input::promela {
namespace {

support::Result<Program> parsed(const std::string& text, const PreprocessOptions& options = {}) {
    return parse(support::SourceText("m.pml", text), options, {});
}

TEST(PromelaParser, BrokenModelsHaveTheirMessages) {
    struct Case {
        const char* text;
        std::uint32_t line;
        const char* message;
        const char* hint;
    };
    const Case cases[] = {
        {"byte count;\ninit { coumt = 1 }", 2, "unknown name 'coumt'", "did you mean 'count'?"},
        {"init { if :: true -> skip }", 1, "expected '::' or 'fi', found '}'", "to close 'if' in line 1"},
        {"init { do :: true -> break fi }", 1, "expected '::' or 'od', found 'fi'", "to close 'do' in line 1"},
        {"init { skip", 1, "expected '}', found the end of the file", "to close '{' in line 1"},
        {"proctype Worker() { skip }\ninit { run Wroker() }", 2, "unknown proctype 'Wroker'", "did you mean 'Worker'?"},
        {"proctype P(byte a) { skip } init { run P(1, 2) }", 1, "P has 1 parameters, not 2", ""},
        {"chan c = [1] of { byte }; init { c!1,2 }", 1, "this message has 2 fields, the channel has 1", ""},
        {"chan c = [1] of { byte, byte }; init { c!1 }", 1, "this message has 1 field, the channel has 2", ""},
        {"byte b; init { b!1 }", 1, "this is not a channel", ""},
        {"byte x; byte x;", 1, "duplicate name 'x'", "already declared in line 1"},
        {"init { goto there; here: skip }", 1, "init has no label 'there'", "did you mean 'here'?"},
        {"init { break }", 1, "break outside of a loop", ""},
        {"init { a: skip; a: skip }", 1, "duplicate label 'a'", ""},
        {"byte a[0];", 1, "an array of length 0", "a length is 1 to 1000000"},
        {"init { c_code { x = 1; } }", 1, "embedded C (c_code) is not executed",
         "model what it computes in Promela, or write the system in C++ (docs/cpp-systems.md)"},
        {"typedef T { byte flag }; T t; init { t.flog = 1 }", 1, "T has no field 'flog'", "did you mean 'flag'?"},
        {"unsigned u : 40;", 1, "an unsigned variable of 40 bits", "1 to 31 are possible"},
        {"procytpe P() { skip }", 1, "expected a declaration or a proctype, found 'procytpe'",
         "did you mean 'proctype'?"},
        {"#define TWO (1 +\nbyte x;\ninit { x = TWO; }", 3, "expected an expression, found ';'", ""},
        {"inline f(x) { y = x }\ninit { byte z;\n f(1) }", 1, "unknown name 'y'", "in the inline f, called at m.pml:3"},
    };
    for (const Case& one : cases) {
        SCOPED_TRACE(one.text);
        const support::Result<Program> result = parsed(one.text);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.diagnostics()[0].position.line, one.line);
        EXPECT_EQ(result.diagnostics()[0].message, one.message);
        EXPECT_EQ(result.diagnostics()[0].hint, one.hint);
    }
}

TEST(PromelaParser, MacrosKeepTheirPlaces) {
    const support::Result<Program> wrong = parsed("#define BAD(a) (a + nothing)\nbyte x;\ninit {  x = BAD(1) }");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.diagnostics()[0].position.line, 3U);
    EXPECT_EQ(wrong.diagnostics()[0].position.column, 13U);
    EXPECT_NE(wrong.diagnostics()[0].hint.find("in the macro BAD, which is defined at m.pml:1"), std::string::npos);
}

TEST(PromelaParser, DefinitionsAreGiven) {
    const std::string text = "#ifdef N\nbyte a[N];\n#else\n#error no size\n#endif\n";
    const support::Result<Program> without = parsed(text);
    ASSERT_FALSE(without);
    EXPECT_EQ(without.diagnostics()[0].position.line, 4U);
    const support::Result<Program> with = parsed(text, {{"N=3"}, {}});
    ASSERT_TRUE(with);
    EXPECT_EQ(with->globals.at(0).length, 3U);
}

TEST(PromelaParser, NumbersOfMessageTypesAreThoseOfSpin) {
    const support::Result<Program> program = parsed("mtype = { a, b, c }; mtype = { d, e }; mtype:other = { f, g };");
    ASSERT_TRUE(program);
    std::string text;
    for (const MessageType& type : program->message_types) text += type.name + std::to_string(type.number) + " ";
    EXPECT_EQ(text, "a3 b2 c1 d5 e4 f2 g1 ");
}

TEST(PromelaParser, PrecedenceOfTemporalOperators) {
    const support::Result<Program> program = parsed("bool p, q; ltl one { [] p U q && <> q -> p } ltl { <> (p -> q) }");
    ASSERT_TRUE(program);
    ASSERT_EQ(program->formulas.size(), 2U);
    const Expr& one = *program->formulas[0].formula;
    EXPECT_EQ(one.op, Op::implies);
    EXPECT_EQ(one.operands[0]->op, Op::logical_and);
    const Expr& until = *one.operands[0]->operands[0];
    EXPECT_EQ(until.op, Op::until);
    EXPECT_EQ(until.operands[0]->kind, Expr::Kind::unary);
    EXPECT_EQ(until.operands[0]->unary, Unary::always);
    EXPECT_EQ(program->formulas[1].name, "ltl_1");
}

TEST(PromelaParser, RecursiveInlinesAndDeepNestingEnd) {
    EXPECT_FALSE(parsed("inline f(x) { f(x) } init { f(1) }"));
    EXPECT_FALSE(parsed("byte x; init { x = " + std::string(100'000, '(') + "1" + std::string(100'000, ')') + " }"));
}

// Locations as SPIN counts them (pan -d).
TEST(PromelaControl, JumpsTakeNoStepUnlessTheyStandFirst) {
    const support::Result<Program> program =
        parsed("byte x; init { x = 1; goto L; x = 2; L: if :: goto M :: x == 1; goto M fi; M: x = 3 }");
    ASSERT_TRUE(program);
    const Control control = control_flow(program->processes[0]);
    // x = 1, the if, x = 3, the end
    EXPECT_EQ(control.locations.size(), 4U);
    EXPECT_EQ(control.locations[control.labels.at("L")].edges.size(), 2U);
}

TEST(PromelaControl, AtomicSequencesContinue) {
    const support::Result<Program> program =
        parsed("byte x; init { do :: atomic { x < 3 -> x++; x++ } :: else -> break od; atomic { x = 1; x = 2 } }");
    ASSERT_TRUE(program);
    const Control control = control_flow(program->processes[0]);
    std::size_t continuing = 0;
    for (const Edge& edge : control.edges) continuing += edge.continues ? 1U : 0U;
    EXPECT_EQ(continuing, 3U);
}

TEST(PromelaControl, EscapesPreventTheStepsInside) {
    const support::Result<Program> program = parsed("byte x; init { { x = 1; x = 2 } unless { x == 1 -> x = 5 } }");
    ASSERT_TRUE(program);
    const Control control = control_flow(program->processes[0]);
    const Location& start = control.locations[control.start];
    ASSERT_EQ(start.edges.size(), 2U);
    EXPECT_TRUE(control.edges[start.edges[0]].prevented_by.empty());
    EXPECT_EQ(control.edges[start.edges[1]].prevented_by, std::vector<std::uint32_t>{start.edges[0]});
}

TEST(PromelaParser, ReadsTheCollectedModels) {
    const char* shared = std::getenv("TIDELINE_SHARED");
    const std::filesystem::path folder = std::filesystem::path(shared != nullptr ? shared : "../shared") / "promela";
    const std::filesystem::path facts = folder.parent_path() / "reference" / "promela.csv";
    if (!std::filesystem::exists(facts)) GTEST_SKIP() << "no " << facts;
    const support::Result<std::string> text = support::read_text_file(facts.string(), {});
    ASSERT_TRUE(text);
    std::size_t read = 0;
    for (std::size_t at = text->find('\n') + 1; at < text->size(); at = text->find('\n', at) + 1) {
        const std::string path = (folder / text->substr(at, text->find(',', at) - at)).string();
        const support::Result<std::string> model = support::read_text_file(path, {});
        ASSERT_TRUE(model) << path;
        const support::Result<Program> program = parse(support::SourceText(path, *model), {}, {});
        EXPECT_TRUE(program) << (program ? "" : support::to_text(program.diagnostics()[0]));
        if (!program) continue;
        for (const Process& process : program->processes) EXPECT_FALSE(control_flow(process).locations.empty());
        ++read;
    }
    EXPECT_GE(read, 200U);
}

}  // namespace
}  // namespace tideline::input::promela
