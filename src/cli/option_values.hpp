// What stands in a command line, option by option, before it is checked and turned into a command: what reads it
// (read_*.hpp) knows nothing of the command-line library.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"

namespace tideline::cli {

// Those of all commands; an option that was not given has its default value.
struct OptionValues {
    std::string model;
    std::string engine = "auto";
    std::string variant;
    std::string progress = "auto";
    std::string successors = "auto";
    std::string memory;
    std::string disk;
    std::string ledger = "auto";
    std::string record = "tree";
    std::string directory;
    bool status = false;
    std::string time;
    std::string states;
    unsigned threads = 0;  // as many as there are processors
    std::string json;
    std::string itf;
    std::string html;
    std::string command;  // the whole command line
    std::string msc;
    std::string trace = "changes";
    std::string to;
    std::string compact;
    FormulaOptions formulas;
    std::vector<std::string> invariants;
    std::vector<std::string> chosen;
    std::vector<std::string> labels;
    bool wrap = false;
    std::vector<std::string> definitions;
    std::vector<std::string> include_dirs;
    bool quiet = false;
    bool deadlock = false;
    std::string deadlocks = "stutter";
    std::string end_states;
    std::string fair = "none";
    std::string sleep = "auto";
    std::string symmetry = "none";
    std::string cut_off;
    std::string stubborn = "none";
    std::string language;
    std::string final;
    std::string hide;
    std::vector<std::string> rename;
    bool satisfying = false;
    std::uint64_t list = 0;
    std::string order = "numbers";
    std::string evidence;
    std::string dot;
    bool compress = false;
    std::uint64_t change_at = 0;
    bool measure = false;
    std::string svg;
    std::string properties;
    bool expect = false;
    std::string junit;
    std::string sarif;
    std::string statistics;
    std::vector<std::string> watched;
    std::uint64_t runs = 0;
    std::uint64_t steps = 10'000;
    std::uint64_t seed = 1;
    std::string along;
};

// One command with its options.
struct GivenOptions {
    OptionValues values;
    std::set<std::string, std::less<>> names{};  // of the options that were given, as they are written
    bool is_program = false;                     // a system written in C++: there is no MODEL
    std::string help_hint{};                     // where to read about the command

    [[nodiscard]] bool has(std::string_view name) const { return names.contains(name); }
};

}  // namespace tideline::cli
