// The command line as values. Options are declared in declare_options.cpp, read by the command-line library, and
// checked and turned into commands by read_commands.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "report/saved_trace.hpp"
#include "run/spec.hpp"
#include "run/state_space_export.hpp"
#include "support/budget.hpp"
#include "trace/render.hpp"

namespace tideline::cli {
class CppOptions;
}

namespace tideline::cli {

struct OutputOptions {
    bool quiet = false;
    std::optional<std::string> json;        // a file, or - for standard output
    std::optional<std::string> itf;         // a file for the first trace
    std::optional<std::string> msc;         // a file for its message sequence chart
    std::optional<std::string> junit;       // a file with the verdicts as test cases
    std::optional<std::string> sarif;       // a file with what is violated
    std::optional<std::string> statistics;  // a file for figures, line by line during the run
    std::optional<std::string> dot;         // a file for the evidence of branching time
    std::optional<std::string> html;        // a file for the report as a page
    std::string command = {};               // the command line, for that page
    trace::TraceStyle trace = trace::TraceStyle::changes;
    bool expect = false;  // the exit status says whether the verdicts are as expected by the file of properties
};

// Options of a search, except its properties.
struct SearchOptions {
    run::RunSpec spec;
    OutputOptions output;
};

// Temporal properties.
struct FormulaOptions {
    std::vector<std::string> ltl;  // formulas
    std::vector<std::string> ctl;
    std::vector<std::string> ctlstar;
    std::vector<std::string> automata;  // files with automata of counterexample runs
    std::string translator;             // a command that translates formulas; empty: Tideline does
    bool acceptance = false;            // Promela: no acceptance cycle
    bool non_progress = false;          // Promela: no cycle without progress
};

struct ExploreCommand {
    SearchOptions search;
    FormulaOptions formulas;  // one at most: the product is explored
};

struct CheckCommand {
    SearchOptions search;
    std::vector<std::string> invariants;
    bool deadlock = false;
    FormulaOptions formulas;
    std::optional<std::string> properties;  // a file
};

struct ProgressCommand {
    SearchOptions search;
    bool measure = false;            // explore, and show the actual layers
    std::optional<std::string> svg;  // a file for a drawing of the layers
};

struct ConvertCommand {
    std::string model;        // empty: a formula or an automaton is converted
    FormulaOptions formulas;  // one at most
    std::string to;
    bool wrap = false;
    std::vector<std::string> definitions{};
    std::vector<std::string> include_dirs{};
    support::BudgetLimits limits{};
    // Of a model whose states are written: labels, measure, limit on states, threads.
    std::optional<run::StateSpaceSpec> states{};
    std::string compact{};  // the file of the compact form; empty: it is not asked for
};

struct ResumeCommand {
    std::string directory;
    bool status = false;  // only report how far it got
    support::BudgetLimits limits;
    std::optional<unsigned> threads;
    OutputOptions output;
};

struct AuditCommand {
    std::string directory;
    std::optional<std::uint64_t> memory;
    std::optional<std::string> model;  // where its file is now
    bool quiet = false;
};

struct SimulateCommand {
    run::ModelSpec model;
    std::vector<std::string> invariants;
    std::vector<std::string> watched;
    std::optional<std::uint64_t> runs;  // by chance; nothing: a person chooses
    std::uint64_t steps = 10'000;       // of a run by chance, at most
    std::uint64_t seed = 1;
    std::optional<std::string> along;  // a trace that the run follows
    bool only_result = false;          // whether the model has that run
    trace::TraceStyle trace = trace::TraceStyle::changes;
    support::BudgetLimits limits;
};

struct TraceCommand {
    std::string file;
    std::optional<report::TraceForm> to;   // nothing: it is only replayed
    std::optional<run::ModelSpec> replay;  // in this model
};

// Text to print and a status to end with, instead of a command: help, version, or a usage error.
struct UsageError {
    std::string text;
    int status = 2;
};

using CommandLine = std::variant<ExploreCommand, CheckCommand, ProgressCommand, ConvertCommand, ResumeCommand,
                                 AuditCommand, SimulateCommand, TraceCommand, UsageError>;

// For a system written in C++ (`program` is not null) there is no MODEL, but the system's own options; its values are
// set.
CommandLine parse_command_line(int argc, const char* const* argv, const CppOptions* program);

}  // namespace tideline::cli
