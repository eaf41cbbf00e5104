// The command line as values. Parsing stands in one file, the only one that includes the command-line library.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "explore/search.hpp"
#include "successor/native/native_system.hpp"
#include "trace/render.hpp"

namespace tideline {

class CppOptions;

struct OutputOptions {
    bool quiet = false;
    std::optional<std::string> json;  // a file, or - for standard output
    std::optional<std::string> itf;   // a file for the first trace
    TraceStyle trace = TraceStyle::changes;
};

struct SearchOptions {
    std::string model;
    std::string engine = "auto";
    std::string progress = "auto";  // or none, or expressions
    bool progress_was_found = false;  // by the run that is resumed, not given by anyone
    Successors successors = Successors::automatic;
    bool wrap = false;
    std::optional<std::uint64_t> memory;
    std::optional<std::chrono::nanoseconds> time;
    std::optional<std::uint64_t> states;
    unsigned threads = 1;
    bool compress = false;
    std::string ledger = "auto";             // or none, or a directory
    Recorded record = Recorded::tree;        // what goes there
    std::optional<std::uint64_t> disk;       // bytes that the ledger may take
    bool resume = false;                     // the ledger is there, and the run goes on
    std::vector<std::string> arguments;      // as they were given, without the program's name
    OutputOptions output;
};

// Properties over infinite runs.
struct FormulaOptions {
    std::vector<std::string> ltl;        // formulas
    std::vector<std::string> automata;   // files with automata of the runs that are bad
    std::string translator;              // a command that translates formulas; empty: Tideline does
};

struct ExploreCommand {
    SearchOptions search;
    FormulaOptions formulas;             // one at most: the product is explored
};

struct CheckCommand {
    SearchOptions search;
    std::vector<std::string> invariants;
    bool deadlock = false;
    FormulaOptions formulas;
    std::optional<std::string> properties;  // a file
    bool expect = false;                    // the exit status tells whether the verdicts are as expected there
};

struct ProgressCommand {
    SearchOptions search;
    bool measure = false;               // explore, and show the layers that there are
    std::optional<std::string> svg;     // a file for a drawing of the layers
};

struct ConvertCommand {
    std::string model;               // empty: a formula or an automaton is converted
    FormulaOptions formulas;         // one at most
    std::string to;
    bool wrap = false;
    std::optional<std::chrono::nanoseconds> time;
};

struct ResumeCommand {
    std::string directory;
    bool status = false;                     // only tell how far it got
    std::optional<std::uint64_t> memory;
    std::optional<std::uint64_t> disk;
    std::optional<std::chrono::nanoseconds> time;
    std::optional<unsigned> threads;
    OutputOptions output;
};

struct AuditCommand {
    std::string directory;
    std::optional<std::uint64_t> memory;
    std::optional<std::string> model;        // where its file is now
    bool quiet = false;
};

// Text to print and a status to end with, instead of a command: help, version, or a mistake.
struct Refusal {
    std::string text;
    int status = 2;
};

using CommandLine = std::variant<ExploreCommand, CheckCommand, ProgressCommand, ConvertCommand, ResumeCommand, AuditCommand, Refusal>;

// For a system written in C++ (`program` is not null) there is no MODEL, but the system's own options; its values are set.
CommandLine parse_command_line(int argc, const char* const* argv, const CppOptions* program);

}  // namespace tideline
