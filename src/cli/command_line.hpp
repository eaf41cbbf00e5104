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
    Successors successors = Successors::automatic;
    bool wrap = false;
    std::optional<std::uint64_t> memory;
    std::optional<std::chrono::nanoseconds> time;
    std::optional<std::uint64_t> states;
    unsigned threads = 1;
    bool compress = false;
    std::string ledger = "auto";             // or none, or a directory
    std::optional<std::uint64_t> disk;       // bytes that the ledger may take
    bool resume = false;                     // the ledger is there, and the run goes on
    std::vector<std::string> arguments;      // as they were given, without the program's name
    OutputOptions output;
};

struct ExploreCommand {
    SearchOptions search;
};

struct CheckCommand {
    SearchOptions search;
    std::vector<std::string> invariants;
    bool deadlock = false;
};

struct ConvertCommand {
    std::string model;               // empty: a formula is converted
    std::optional<std::string> ltl;
    std::string to;
    bool wrap = false;
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

using CommandLine = std::variant<ExploreCommand, CheckCommand, ConvertCommand, ResumeCommand, AuditCommand, Refusal>;

// For a system written in C++ (`program` is not null) there is no MODEL, but the system's own options; its values are set.
CommandLine parse_command_line(int argc, const char* const* argv, const CppOptions* program);

}  // namespace tideline
