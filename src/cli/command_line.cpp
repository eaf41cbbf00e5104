#include "cli/command_line.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "cli/completion.hpp"
#include "cli/cpp_main.hpp"
#include "cli/help_formatter.hpp"
#include "cli/terminal_output.hpp"
#include "input/language.hpp"
#include "support/diagnostic.hpp"
#include "support/processors.hpp"
#include "support/quantity.hpp"

namespace tideline::cli {
namespace {

constexpr const char* kExitStatus =
    "Exit status:\n"
    "  0  every property holds, or the exploration finished\n"
    "  1  a property is violated, or the model has a run-time fault or a failed assertion\n"
    "  2  the command line, the model or an expression is wrong\n"
    "  3  not decided within the limits, or interrupted\n"
    "  4  an internal error, or output that could not be written\n";

constexpr const char* kMainExamples =
    "Examples:\n"
    "  tideline explore model.dve\n"
    "  tideline check model.dve --deadlock\n"
    "  tideline check model.dve --invariant 'not (P.cs and Q.cs)'\n"
    "  tideline resume DIR\n"
    "  tideline COMMAND --help\n\n";

constexpr const char* kExploreExamples =
    "Examples:\n"
    "  tideline explore model.dve                      states, transitions, deadlocks\n"
    "  tideline explore model.dve --engine dfs         depth-first instead of breadth-first\n"
    "  tideline explore model.dve --progress n,k       sweep by the progress (n, k): only a layer of states in memory\n"
    "  tideline explore model.aut --json -             figures as JSON on standard output\n"
    "  tideline explore model.dve --memory 2G --time 10m\n"
    "  tideline explore model.dve --ltl 'G F P.cs'     the product that a check of this formula would visit\n\n";

constexpr const char* kCheckExamples =
    "Examples:\n"
    "  tideline check model.dve --deadlock\n"
    "  tideline check model.dve --invariant 'not (P.cs and Q.cs)' --invariant 'x <= 3'\n"
    "  tideline check model.dve --ltl 'G (P.try -> F P.cs)'\n"
    "  tideline check model.dve --ctl 'AG EF P.idle'   branching time; --ctlstar for CTL*\n"
    "  tideline check model.dve --properties FILE      several properties, with names\n"
    "  tideline check model.dve                        the model's own assertions and property process\n"
    "  tideline check model.dve --deadlock --trace actions\n"
    "  tideline check model.dve --deadlock --itf trace.itf.json\n\n"
    "Expressions use the names that traces show: x, a[2], P.x (a variable of process P), P.s (1 if P is in location s),\n"
    "c.length, labels and constants; operators as in C, with and, or, not, imply.\n\n";

constexpr const char* kResumeExamples =
    "Examples:\n"
    "  tideline resume DIR                             continues the run as it was started\n"
    "  tideline resume DIR --memory 4G                 with another limit\n"
    "  tideline resume --status DIR                    how far it got\n\n";

constexpr const char* kAuditExamples =
    "Examples:\n"
    "  tideline explore model.dve --progress n --ledger DIR\n"
    "  tideline audit DIR                              confirms states, steps and verdicts by independent code\n\n";

constexpr const char* kProgressExamples =
    "Examples:\n"
    "  tideline progress model.dve                     the measure that a sweep would use, and what is known of it\n"
    "  tideline progress model.dve --measure --svg l.svg   the layers that there really are, also as a drawing\n"
    "  tideline progress model.dve --progress n,k      the rating of your own measure\n\n";

constexpr const char* kSimulateExamples =
    "Examples:\n"
    "  tideline simulate model.dve                     step by step: choose, go back, watch expressions\n"
    "  tideline simulate model.dve --runs 100 --seed 7 --invariant 'x < 3'   by chance\n"
    "  tideline simulate model.dve --along trace.itf.json   follows a trace, and says where the model has no such step\n\n";

constexpr const char* kTraceExamples =
    "Examples:\n"
    "  tideline check model.dve --deadlock --itf trace.itf.json\n"
    "  tideline trace trace.itf.json --to mermaid      a sequence diagram; also plantuml, dot, html and text\n"
    "  tideline trace trace.itf.json --replay model.dve   whether the model (still) has this run\n\n";

constexpr const char* kConvertExamples =
    "Examples:\n"
    "  tideline convert model.dve --to model           what was understood of the model, as text\n"
    "  tideline convert model.dve --to aut             its states and steps, numbered; also dot (for Graphviz)\n"
    "  tideline convert model.dve --to kripke --label 'cs=P.cs' --progress n   with labels and progress, as JSON\n"
    "  tideline convert --ltl 'G (p -> F q)' --to hoa  a formula as an automaton; also never (for SPIN) and dot\n"
    "  tideline convert --automaton f.hoa --to never   an automaton in another form\n\n";

// Raw values filled in by the library, before they are checked and turned into a command.
struct Raw {
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

const std::map<std::string, trace::TraceStyle> kTraceStyles = {{"full", trace::TraceStyle::full},
                                                               {"changes", trace::TraceStyle::changes},
                                                               {"actions", trace::TraceStyle::actions},
                                                               {"none", trace::TraceStyle::none}};

constexpr unsigned kMostThreads = 256;

CLI::Option* add_model(CLI::App& app, Raw& raw) {
    return app.add_option("MODEL", raw.model, "the model: .dve, .pml, .aut or .json");
}

void add_program_options(CLI::App& app, const CppOptions& program) {
    for (const CppOptions::Number& number : program.numbers())
        app.add_option(number.name, *number.value, number.help)
            ->check(CLI::Range(number.low, number.high).description(""))
            ->type_name(std::to_string(number.low) + ".." + std::to_string(number.high))
            ->capture_default_str();
    for (const CppOptions::Flag& flag : program.flags())
        app.add_flag(flag.name, *flag.value, flag.help)->disable_flag_override();
}

void add_wrap(CLI::App& app, Raw& raw) {
    app.add_flag("--wrap", raw.wrap, "values out of range wrap around instead of being a fault (DVE)")
        ->disable_flag_override();
}

CLI::Option* add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                          const std::string& help);

void add_preprocessing(CLI::App& app, Raw& raw) {
    add_repeated(app, "-D", raw.definitions, "define a macro (Promela), or set a constant (DVE); may be repeated")
        ->type_name("NAME[=VALUE]");
    add_repeated(app, "-I", raw.include_dirs, "search included files here too (Promela); may be repeated")
        ->type_name("DIR");
}

void add_limits(CLI::App& app, Raw& raw) {
    app.add_option("--memory", raw.memory,
                   "stop before the search uses more, such as 16M or 8G (default: three quarters of what is available)")
        ->type_name("SIZE");
    app.add_option("--disk", raw.disk, "stop before the ledger takes more, such as 20G")->type_name("SIZE");
    app.add_option("--time", raw.time, "stop after this time, such as 90s, 10m or 2h")->type_name("DURATION");
}

void add_threads(CLI::App& app, Raw& raw, const std::string& by_default = "the processors that the process may use") {
    app.add_option("--threads", raw.threads,
                   "work with this many threads (bfs and the sweeps; the results are the same); default: " + by_default)
        ->type_name("1.." + std::to_string(kMostThreads))
        ->check(CLI::Range(1U, kMostThreads).description(""));
}

void add_report(CLI::App& app, Raw& raw) {
    app.add_option("--report", raw.html, "write a report to a file: one HTML page that needs nothing else")
        ->type_name("FILE.html");
}

void add_output(CLI::App& app, Raw& raw) {
    app.add_option("--json", raw.json, "write all results as JSON to a file, or to standard output with -")
        ->type_name("FILE|-");
    app.add_flag("--quiet", raw.quiet, "print the verdicts alone, no summary and no status line")
        ->disable_flag_override();
}

// An option that may be repeated; each value is taken verbatim.
CLI::Option* add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                          const std::string& help) {
    return app.add_option(name, values, help)
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();  // else [a,b] would be taken for a list
}

void add_formulas(CLI::App& app, Raw& raw, const std::string& ltl, const std::string& automaton) {
    add_repeated(app, "--ltl", raw.formulas.ltl, ltl)->type_name("FORMULA");
    add_repeated(app, "--automaton", raw.formulas.automata, automaton)->type_name("FILE");
    app.add_option("--ltl-translator", raw.formulas.translator,
                   "a command that turns formulas into automata (HOA or a never claim); %s stands for the formula")
        ->type_name("COMMAND");
}

void add_deadlock_options(CLI::App& app, Raw& raw) {
    app.add_option(
           "--deadlocks", raw.deadlocks,
           "how temporal properties read a run that ends in a deadlock: stutter (the last state repeats), finite "
           "(the run ends there), ignore (it does not count)")
        ->type_name("stutter|finite|ignore");
    app.add_option("--end-states", raw.end_states,
                   "states without a step where this condition holds are proper ends, and no deadlocks")
        ->type_name("EXPR");
}

// Of commands that search, and show what they find.
void add_traces(CLI::App& app, Raw& raw) {
    app.add_option(
           "--variant", raw.variant,
           "how an engine does it: plain or early (ndfs); progress-graph, progress-order, mpp2 (the LTL sweeps)")
        ->type_name("NAME[,NAME...]");
    app.add_flag("--compress", raw.compress, "store states in less memory, at some cost in time (bfs)")
        ->disable_flag_override();
    app.add_option("--trace", raw.trace, "how runs are shown: full, changes, actions or none")
        ->type_name("full|changes|actions|none");
    add_report(app, raw);
    app.add_option("--stats", raw.statistics,
                   "write figures to a file while the search runs: a line of JSON per second")
        ->type_name("FILE");
    app.add_option("--itf", raw.itf, "write the first trace to a file, if there is one, in the Informal Trace Format")
        ->type_name("FILE");
    app.add_option("--msc", raw.msc, "write the messages of the first trace to a file, as a Mermaid sequence diagram")
        ->type_name("FILE");
}

// `is_searched`: what is asked is answered by a search, with traces; otherwise measures alone are looked at.
void add_search_options(CLI::App& app, Raw& raw, const CppOptions* program, bool is_searched = true) {
    if (program == nullptr) add_model(app, raw)->required();
    else add_program_options(app, *program);
    app.add_option(
           "--engine", raw.engine,
           "auto, bfs (breadth-first), dfs (depth-first), sweep (by progress), sweep-basic (the same, for a "
           "monotonic measure only); of linear-time properties: couvreur (by components), graph (the same, with all threads), "
           "ndfs (nested depth-first search), map (maximal accepting predecessors), ltl-sweep-offline, ltl-sweep-online (by "
           "progress); of branching time: labelling (CTL, CTL*), prod and local (CTL), "
           "ledger (CTL, CTL*, with the edges on disk), scc-ctl (AG EF and AG AF, monotonic measure)")
        ->type_name("NAME");
    if (is_searched) add_traces(app, raw);
    app.add_option("--progress", raw.progress,
                   "the progress measure: auto (the system's own, or one that is found), projection (components of "
                   "the state, chosen on a pilot run), none, or expressions, the most significant first; "
                   "product(EXPR,...) for parts that move side by side")
        ->type_name("auto|projection|none|EXPR[,EXPR...]");
    add_limits(app, raw);
    app.add_option(
           "--ledger", raw.ledger,
           "where a sweep leaves the states that it has passed, so that it expands none twice and can be resumed: auto (a "
           "temporary directory), none (states are forgotten), or a directory; with a directory also for bfs")
        ->type_name("auto|none|DIR");
    app.add_option(
           "--record", raw.record,
           "what goes to the ledger: tree (of each state the one that it was discovered from), labels (also which "
           "invariants and assertions hold in it), edges (also all of its steps)")
        ->type_name("tree|labels|edges");
    app.add_option("--states", raw.states, "stop after this many states")->type_name("NUMBER>0");
    add_threads(app, raw);
    // For tests: `auto` changes to the sweep at this number of states, whatever memory there is.
    app.add_option("--change-at", raw.change_at, "")->group("");
    app.add_option("--sleep", raw.sleep,
                   "whether bfs and sweeps leave out look-ups that sleep sets show to be needless: auto or none")
        ->type_name("auto|none");
    app.add_option("--cut-off", raw.cut_off,
                   "do not expand states where this condition holds, and say whether that makes a difference")
        ->type_name("EXPR");
    app.add_option("--symmetry", raw.symmetry,
                   "search representatives of states that symmetries of the model make of each other: none, auto, or "
                   "the processes that may be exchanged")
        ->type_name("none|auto|NAME,...");
    app.add_option("--stubborn", raw.stubborn,
                   "whether steps are left out that stubborn sets show to be needless for the question: none or auto")
        ->type_name("none|auto");
    add_output(app, raw);
    if (program != nullptr) return;
    app.add_option("--successors", raw.successors, "how steps are computed: auto, native (machine code) or interpret")
        ->type_name("NAME");
    add_wrap(app, raw);
    add_preprocessing(app, raw);
}

void add_language(CLI::App& app, Raw& raw) {
    app.add_option("--language", raw.language,
                   "an automaton (.aut) or a model: every sequence of visible labels of steps must be one of its own")
        ->type_name("FILE");
    app.add_option("--final", raw.final, "with --language: states of the automaton in which a run may end")
        ->type_name("N[,N...]");
    app.add_option("--hide", raw.hide, "with --language: labels that are not visible (the whole label)")
        ->type_name("REGEX");
    add_repeated(app, "--rename", raw.rename, "with --language: a label that stands for another; may be repeated")
        ->type_name("FROM=TO");
}

void add_branching(CLI::App& app, Raw& raw) {
    add_repeated(app, "--ctl", raw.formulas.ctl,
                 "a formula of CTL that must hold in every initial state; may be repeated")
        ->type_name("FORMULA");
    add_repeated(app, "--ctlstar", raw.formulas.ctlstar, "the same for CTL*; may be repeated")->type_name("FORMULA");
    app.add_flag("--satisfying", raw.satisfying,
                 "report how many reachable states satisfy each subformula (CTL and CTL*)")
        ->disable_flag_override();
    app.add_option("--list", raw.list, "with --satisfying: show this many of these states per subformula")
        ->type_name("NUMBER");
    app.add_option("--order", raw.order, "of states, for the engine prod: numbers or components")
        ->type_name("numbers|components");
    app.add_option("--evidence", raw.evidence,
                   "how many claims the evidence for a formula of CTL or CTL* may have (default: 200)")
        ->type_name("NUMBER|all");
    app.add_option("--evidence-dot", raw.dot, "write the evidence for formulas of CTL and CTL* to a file for Graphviz")
        ->type_name("FILE");
}

// A word of a command line, so that a shell reads it as it is.
std::string in_shell_quotes(std::string_view word) {
    constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=:,+@%-";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
    std::string result = "'";
    for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

UsageError usage_error(const std::string& message, const std::string& hint = {}) {
    return {support::to_text(support::diagnostic_about("", message, hint)), 2};
}

// The first error of a value given to an option.
UsageError bad_value(const std::string& option, const support::Diagnostics& diagnostics) {
    return usage_error(option + ": " + diagnostics.front().message, diagnostics.front().hint);
}

std::optional<UsageError> read_language(const Raw& raw, const CLI::App& app, run::RunSpec& spec) {
    if (raw.language.empty()) {
        if (app.get_option_no_throw("--language") != nullptr && app.count("--language") > 0)
            return usage_error("--language: the name of the file is empty");
        for (const char* option : {"--final", "--hide", "--rename"})
            if (app.get_option_no_throw(option) != nullptr && app.count(option) > 0)
                return usage_error(std::string(option) + " is for an automaton of labels",
                                   "give one with --language FILE");
        return std::nullopt;
    }
    run::LanguageSpec language;
    language.file = raw.language;
    language.hide = raw.hide;
    for (const std::string& pair : raw.rename) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos || equals == 0)
            return usage_error("--rename: " + support::in_quotes(pair) + " has no name on the left of '='",
                               "expected FROM=TO");
        language.rename.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
    }
    for (std::size_t at = 0; at < raw.final.size();) {
        std::size_t end = at;
        while (end < raw.final.size() && raw.final[end] >= '0' && raw.final[end] <= '9') ++end;
        if (end == at || end - at > 18 || (end < raw.final.size() && raw.final[end] != ',') ||
            end + 1 == raw.final.size())
            return usage_error("--final: " + support::in_quotes(raw.final) + " is no list of states",
                               "expected N or N,N,...");
        language.final.push_back(std::stoull(raw.final.substr(at, end - at)));
        at = end + 1;
    }
    if (!language.final.empty() && (raw.deadlock || !raw.end_states.empty()))
        return usage_error("--final says where runs may end", "check --deadlock and --end-states separately");
    spec.language = std::move(language);
    return std::nullopt;
}

unsigned threads_of(const Raw& raw) {
    return raw.threads > 0 ? raw.threads : std::min(support::available_processors(), kMostThreads);
}

// Checks the limits of a command; returns the first usage error.
std::optional<UsageError> read_limits(const Raw& raw, const CLI::App& app, support::BudgetLimits& limits) {
    for (const auto& [name, text, size] :
         {std::tuple("--memory", &raw.memory, &limits.memory), std::tuple("--disk", &raw.disk, &limits.disk)}) {
        if (app.get_option_no_throw(name) == nullptr || app.count(name) == 0) continue;
        const support::Result<std::uint64_t> value = support::parse_size(*text);
        if (!value) return bad_value(name, value.diagnostics());
        *size = *value;
    }
    if (app.count("--time") == 0) return std::nullopt;
    const support::Result<std::chrono::nanoseconds> duration = support::parse_duration(raw.time);
    if (!duration) return bad_value("--time", duration.diagnostics());
    limits.time = *duration;
    return std::nullopt;
}

// Checks the limit on states; returns the usage error.
std::optional<UsageError> read_states(const Raw& raw, const CLI::App& app, std::optional<std::uint64_t>& limit) {
    if (app.count("--states") == 0) return std::nullopt;
    std::uint64_t states = 0;
    const char* const end = raw.states.data() + raw.states.size();
    const auto [stop, problem] = std::from_chars(raw.states.data(), end, states);
    if (stop != end || problem == std::errc::invalid_argument || (problem == std::errc() && states == 0))
        return usage_error("--states: unexpected value " + support::in_quotes(raw.states),
                           "expected --states NUMBER>0");
    if (problem != std::errc())
        return usage_error("--states: " + support::in_quotes(raw.states) + " is too large",
                           "expected --states NUMBER>0, at most 2^64 - 1");
    limit = states;
    return std::nullopt;
}

run::ProgressChoice progress_choice(const Raw& raw) {
    using Progress = run::ProgressChoice;
    return raw.progress == "auto"         ? Progress{}
           : raw.progress == "none"       ? Progress{Progress::Kind::none, ""}
           : raw.progress == "projection" ? Progress{Progress::Kind::projection, ""}
                                          : Progress{Progress::Kind::given, raw.progress};
}

// Options of checks of temporal formulas.
std::optional<UsageError> read_branching(const Raw& raw, SearchOptions& options) {
    run::RunSpec& spec = options.spec;
    const std::optional<run::ProdOrder> order = run::named<run::ProdOrder>(raw.order);
    if (!order)
        return usage_error("--order: unknown order " + support::in_quotes(raw.order),
                           "expected " + run::names_of<run::ProdOrder>());
    spec.branching.order = *order;
    const bool is_branching =
        !raw.formulas.ctl.empty() || !raw.formulas.ctlstar.empty() || !raw.properties.empty() || !raw.chosen.empty();
    for (const auto& [name, is_given] :
         {std::pair("--satisfying", raw.satisfying), std::pair("--evidence", !raw.evidence.empty()),
          std::pair("--evidence-dot", !raw.dot.empty())})
        if (is_given && !is_branching)
            return usage_error(std::string(name) + " without a formula of branching time",
                               "give one with --ctl FORMULA or --ctlstar FORMULA");
    if (raw.order != "numbers" && raw.engine != "prod")
        return usage_error("--order is for the engine prod", "add --engine prod");
    spec.branching.satisfying = raw.satisfying;
    spec.branching.list = raw.list;
    if (raw.list > 0 && !raw.satisfying)
        return usage_error("--list without --satisfying", "it shows some of the states that --satisfying counts");
    if (!raw.evidence.empty()) {
        std::uint64_t claims = 0;
        const char* const end = raw.evidence.data() + raw.evidence.size();
        const auto [stop, problem] = std::from_chars(raw.evidence.data(), end, claims);
        if (raw.evidence != "all" && (stop != end || problem != std::errc() || claims == 0))
            return usage_error("--evidence: unexpected value " + support::in_quotes(raw.evidence),
                               "expected --evidence NUMBER>0 or --evidence all");
        spec.branching.evidence = claims;
    }
    if (!raw.dot.empty()) options.output.dot = raw.dot;
    return std::nullopt;
}

std::variant<SearchOptions, UsageError> search_options(const Raw& raw, const CLI::App& app) {
    SearchOptions options;
    run::RunSpec& spec = options.spec;
    spec.model.path = raw.model;
    spec.model.wrap = raw.wrap;
    spec.model.definitions = raw.definitions;
    spec.model.include_dirs = raw.include_dirs;
    const std::optional<run::Engine> engine = run::named<run::Engine>(raw.engine);
    if (!engine)
        return usage_error("--engine: unknown engine " + support::in_quotes(raw.engine),
                           "expected " + run::names_of<run::Engine>());
    spec.engine = *engine;
    for (std::size_t begin = 0; begin < raw.variant.size();) {
        const std::size_t end = std::min(raw.variant.find(',', begin), raw.variant.size());
        const std::string name = raw.variant.substr(begin, end - begin);
        const std::optional<run::EngineVariant> variant = run::named<run::EngineVariant>(name);
        if (!variant)
            return usage_error("--variant: unknown variant " + support::in_quotes(name),
                               "expected " + run::names_of<run::EngineVariant>());
        spec.variants.push_back(*variant);
        begin = end + 1;
    }
    const auto has_variant = [&](run::EngineVariant variant) {
        return std::find(spec.variants.begin(), spec.variants.end(), variant) != spec.variants.end();
    };
    if (has_variant(run::EngineVariant::plain) && has_variant(run::EngineVariant::early))
        return usage_error("--variant: plain and early exclude each other", "expected one of them");
    spec.progress = progress_choice(raw);
    const std::optional<successor::Successors> successors = run::named<successor::Successors>(raw.successors);
    if (!successors)
        return usage_error("--successors: unknown way " + support::in_quotes(raw.successors),
                           "expected " + run::names_of<successor::Successors>());
    spec.successors = *successors;
    const auto style = kTraceStyles.find(raw.trace);
    if (style == kTraceStyles.end())
        return usage_error("--trace: unknown style " + support::in_quotes(raw.trace),
                           "expected full, changes, actions or none");
    options.output.trace = style->second;
    if (std::optional<UsageError> error = read_limits(raw, app, spec.limits)) return std::move(*error);
    if (raw.ledger.empty())
        return usage_error("--ledger: the name of the directory is empty", "expected auto, none or a directory");
    using Ledger = run::LedgerChoice;
    spec.ledger = raw.ledger == "auto"   ? Ledger{}
                  : raw.ledger == "none" ? Ledger{Ledger::Kind::none, ""}
                                         : Ledger{Ledger::Kind::directory, raw.ledger};
    const std::optional<explore::Recorded> recorded = run::named<explore::Recorded>(raw.record);
    if (!recorded)
        return usage_error("--record: unknown contents " + support::in_quotes(raw.record),
                           "expected " + run::names_of<explore::Recorded>());
    spec.record = *recorded;
    if (app.count("--record") > 0 && spec.ledger.kind == Ledger::Kind::none)
        return usage_error("--record: with --ledger none nothing is recorded", "expected --ledger DIR");
    if (std::optional<UsageError> error = read_states(raw, app, spec.states)) return std::move(*error);
    if (app.count("--change-at") > 0) spec.change_at = raw.change_at;
    spec.are_threads_requested = raw.threads > 0;
    spec.threads = threads_of(raw);
    const std::optional<run::SleepSets> sleep = run::named<run::SleepSets>(raw.sleep);
    if (!sleep)
        return usage_error("--sleep: unknown choice " + support::in_quotes(raw.sleep),
                           "expected " + run::names_of<run::SleepSets>());
    spec.sleep = *sleep;
    spec.cut_off = raw.cut_off;
    if (raw.symmetry != "none") spec.symmetry = raw.symmetry;
    if (raw.symmetry.empty())
        return usage_error("--symmetry: there is no process without a name", "expected none, auto or NAME,...");
    const std::optional<run::StubbornSets> stubborn = run::named<run::StubbornSets>(raw.stubborn);
    if (!stubborn)
        return usage_error("--stubborn: unknown choice " + support::in_quotes(raw.stubborn),
                           "expected " + run::names_of<run::StubbornSets>());
    spec.stubborn = *stubborn;
    spec.compress = raw.compress;
    if (std::optional<UsageError> error = read_language(raw, app, spec)) return std::move(*error);
    const std::optional<run::DeadlockReading> deadlocks = run::named<run::DeadlockReading>(raw.deadlocks);
    if (!deadlocks)
        return usage_error("--deadlocks: unknown reading " + support::in_quotes(raw.deadlocks),
                           "expected " + run::names_of<run::DeadlockReading>());
    spec.deadlocks = *deadlocks;
    spec.end_states = raw.end_states;
    if (raw.formulas.non_progress) {
        // Runs that end make no cycle, and other properties read them otherwise.
        if (raw.formulas.acceptance || !raw.formulas.ltl.empty() || !raw.chosen.empty() || !raw.properties.empty() ||
            app.count("--deadlocks") > 0)
            return usage_error("--non-progress is asked alone", "run the other checks separately");
        spec.deadlocks = run::DeadlockReading::ignore;
        if (spec.end_states.empty()) spec.end_states = "0 == 1";  // proper ends do not count either
    }
    if (std::optional<UsageError> error = read_branching(raw, options)) return std::move(*error);
    const std::optional<run::Fairness> fair = run::named<run::Fairness>(raw.fair);
    if (!fair)
        return usage_error("--fair: unknown kind of fairness " + support::in_quotes(raw.fair),
                           "expected " + run::names_of<run::Fairness>());
    spec.fairness = *fair;
    spec.chosen = raw.chosen;
    options.output.quiet = raw.quiet;
    options.output.expect = raw.expect;
    if (app.count("--json") > 0) options.output.json = raw.json;
    for (const auto& [name, text, path] : {std::tuple("--stats", &raw.statistics, &options.output.statistics),
                                           std::tuple("--junit", &raw.junit, &options.output.junit),
                                           std::tuple("--sarif", &raw.sarif, &options.output.sarif)})
        if (app.get_option_no_throw(name) != nullptr && app.count(name) > 0) *path = *text;
    if (app.get_option_no_throw("--itf") != nullptr && app.count("--itf") > 0) options.output.itf = raw.itf;
    if (app.get_option_no_throw("--report") != nullptr && app.count("--report") > 0) options.output.html = raw.html;
    options.output.command = raw.command;
    if (app.get_option_no_throw("--msc") != nullptr && app.count("--msc") > 0) options.output.msc = raw.msc;
    return options;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

class CommandLineParser {
public:
    CommandLineParser(const CppOptions* program, const std::string& name) : program_(program), name_(name) {
        app_.name(name_);
        app_.formatter(std::make_shared<HelpFormatter>(traits_of(STDOUT_FILENO).width));
        for (CLI::App* command : app_.get_subcommands({})) command->formatter(app_.get_formatter());
        app_.set_version_flag("--version", "tideline " TIDELINE_VERSION);
        app_.require_subcommand(1);
        app_.footer(examples(kMainExamples) + kExitStatus);
        add_search_options(explore_, raw_, program);
        add_formulas(explore_, raw_,
                     "explore the product with the automaton of this formula's negation, as a check of it does",
                     "explore the product with the automaton in this file (HOA or a never claim)");
        add_deadlock_options(explore_, raw_);
        explore_.footer(examples(kExploreExamples) + kExitStatus);
        add_search_options(check_, raw_, program);
        add_repeated(check_, "--invariant", raw_.invariants,
                     "an expression that must hold in every reachable state; may be repeated")
            ->type_name("EXPR");
        check_.add_flag("--deadlock", raw_.deadlock, "no reachable state is without a successor")
            ->disable_flag_override();
        add_repeated(check_, "--property", raw_.chosen, "a property that the model's file states; may be repeated")
            ->type_name("NAME");
        add_formulas(check_, raw_, "a formula of linear temporal logic that must hold on every run; may be repeated",
                     "an automaton (HOA or a never claim) of runs that must not exist; may be repeated");
        add_branching(check_, raw_);
        if (program == nullptr) add_language(check_, raw_);
        if (program == nullptr) {
            check_
                .add_flag("--acceptance", raw_.formulas.acceptance,
                          "no run passes labels that begin with accept infinitely often (Promela)")
                ->disable_flag_override();
            check_
                .add_flag(
                    "--non-progress", raw_.formulas.non_progress,
                    "every run that does not end passes labels that begin with progress again and again (Promela)")
                ->disable_flag_override();
        }
        check_
            .add_option("--properties", raw_.properties,
                        "properties with names, and expected verdicts if wanted, one per line")
            ->type_name("FILE");
        check_
            .add_flag("--expect", raw_.expect,
                      "the exit status is 0 if the verdicts are as expected in the file of properties")
            ->disable_flag_override();
        add_deadlock_options(check_, raw_);
        check_
            .add_option("--fair", raw_.fair,
                        "only fair runs count, for properties of runs: weak (no process can always move from some time "
                        "on and never does) or strong (nor can one infinitely often, and moves only finitely often)")
            ->type_name("none|weak|strong");
        check_.add_option("--junit", raw_.junit, "write the verdicts to a file, as test cases (JUnit XML)")
            ->type_name("FILE");
        check_.add_option("--sarif", raw_.sarif, "write what is violated to a file, with runs (SARIF 2.1.0)")
            ->type_name("FILE");
        check_.footer(examples(kCheckExamples) + kExitStatus);
        add_search_options(progress_, raw_, program, false);
        progress_.add_flag("--measure", raw_.measure, "explore by the measure, and show the layers that there are")
            ->disable_flag_override();
        progress_.add_option("--svg", raw_.svg, "write a drawing of the layers to a file")->type_name("FILE");
        progress_.footer(examples(kProgressExamples) + kExitStatus);
        add_simulation(program);
        resume_.add_option("DIR", raw_.directory, "the directory of the ledger")->required();
        resume_.add_flag("--status", raw_.status, "only say how far the run got")->disable_flag_override();
        add_limits(resume_, raw_);
        add_threads(resume_, raw_, "as many as the run began with");
        add_output(resume_, raw_);
        add_report(resume_, raw_);
        resume_.footer(std::string(kResumeExamples) + kExitStatus);
        audit_.add_option("DIR", raw_.directory, "the directory of the ledger")->required();
        audit_.add_option("--memory", raw_.memory, "memory for the audit's tables, about (default: 256M)")
            ->type_name("SIZE");
        if (program == nullptr)
            audit_.add_option("--model", raw_.model, "where the model's file is now (default: where it was)")
                ->type_name("FILE");
        audit_.add_flag("--quiet", raw_.quiet, "print only whether the run is confirmed")->disable_flag_override();
        audit_.footer((program == nullptr ? std::string(kAuditExamples) : std::string()) + kExitStatus);
        if (program != nullptr) {
            app_.remove_subcommand(&convert_);
            app_.remove_subcommand(&trace_);
            return;
        }
        add_trace();
        add_model(convert_, raw_);
        add_wrap(convert_, raw_);
        add_preprocessing(convert_, raw_);
        add_formulas(convert_, raw_, "a formula of linear temporal logic, instead of a model",
                     "an automaton (HOA or a never claim), instead of a model");
        convert_
            .add_option(
                "--to", raw_.to,
                "what to write: model (a dump of the model as text), or its states as aut, dot or kripke (JSON); of a "
                "formula or an automaton: hoa, never or dot")
            ->type_name("FORMAT");
        add_repeated(convert_, "--label", raw_.labels,
                     "dot, kripke: a label of the states where the expression is true; may be repeated")
            ->type_name("NAME=EXPR");
        convert_
            .add_option("--progress", raw_.progress,
                        "kripke: the progress of each state: auto (the model's own, if any), none, or expressions, the "
                        "most significant first")
            ->type_name("auto|none|EXPR[,EXPR...]");
        convert_
            .add_option(
                "--compact", raw_.compact,
                "kripke: write numbers, label bits and edges only, in as few bits as tell them apart, to this file")
            ->type_name("FILE");
        convert_.add_option("--states", raw_.states, "give up if there are more states (default for dot: 10000)")
            ->type_name("NUMBER>0");
        add_threads(convert_, raw_);
        convert_.add_option("--memory", raw_.memory, "give up before more is used, such as 16M or 8G")
            ->type_name("SIZE");
        convert_.add_option("--time", raw_.time, "give up after this time, such as 90s, 10m or 2h")
            ->type_name("DURATION");
        convert_.footer(std::string(kConvertExamples) + kExitStatus);
    }

    void add_simulation(const CppOptions* program) {
        if (program == nullptr) add_model(simulate_, raw_)->required();
        else add_program_options(simulate_, *program);
        add_repeated(simulate_, "--invariant", raw_.invariants,
                     "an expression; a state where it does not hold is reported; may be repeated")
            ->type_name("EXPR");
        add_repeated(simulate_, "--watch", raw_.watched,
                     "an expression whose value is shown in every state; may be repeated")
            ->type_name("EXPR");
        simulate_.add_option("--runs", raw_.runs, "make this many runs by chance")
            ->type_name("NUMBER>0")
            ->check(CLI::PositiveNumber.description(""));
        simulate_.add_option("--steps", raw_.steps, "of a run by chance, at most (default: 10000)")
            ->type_name("NUMBER>0")
            ->check(CLI::PositiveNumber.description(""));
        simulate_.add_option("--seed", raw_.seed, "of the chance: the same number gives the same runs (default: 1)")
            ->type_name("NUMBER");
        simulate_
            .add_option("--along", raw_.along, "follow this trace (Informal Trace Format), as --itf FILE writes it")
            ->type_name("FILE");
        simulate_.add_option("--time", raw_.time, "stop after this time, such as 90s, 10m or 2h")
            ->type_name("DURATION");
        simulate_.add_option("--trace", raw_.trace, "how runs are shown: full, changes, actions or none")
            ->type_name("full|changes|actions|none");
        if (program == nullptr) {
            add_wrap(simulate_, raw_);
            add_preprocessing(simulate_, raw_);
        }
        simulate_.footer((program == nullptr ? std::string(kSimulateExamples) : std::string()) + kExitStatus);
    }

    void add_trace() {
        trace_.add_option("FILE", raw_.directory, "a trace in the Informal Trace Format, as --itf writes it")
            ->required();
        trace_.add_option("--to", raw_.to, "how it is shown: text (the default), mermaid, plantuml, dot or html")
            ->type_name("FORM");
        trace_.add_option("--replay", raw_.model, "say whether this model has the run; with --to show it, too")
            ->type_name("MODEL");
        add_wrap(trace_, raw_);
        add_preprocessing(trace_, raw_);
        trace_.footer(std::string(kTraceExamples) + kExitStatus);
    }

    [[nodiscard]] CommandLine trace_command() const {
        TraceCommand command;
        command.file = raw_.directory;
        const bool is_replayed = trace_.count("--replay") > 0;
        if (trace_.count("--to") > 0 || !is_replayed) {
            command.to = report::trace_form(trace_.count("--to") > 0 ? raw_.to : "text");
            if (!command.to)
                return usage_error("--to: unknown form " + support::in_quotes(raw_.to),
                                   "expected text, mermaid, plantuml, dot or html");
        }
        for (const char* option : {"--wrap", "-D", "-I"})
            if (trace_.count(option) > 0 && !is_replayed)
                return usage_error(std::string(option) + " without --replay", "it says how the model is read");
        if (!is_replayed) return command;
        command.replay.emplace();
        command.replay->path = raw_.model;
        command.replay->wrap = raw_.wrap;
        command.replay->definitions = raw_.definitions;
        command.replay->include_dirs = raw_.include_dirs;
        return command;
    }

    CommandLine parse(int argc, const char* const* argv) {
        if (argc > 0) raw_.command = std::string_view(argv[0]).substr(std::string_view(argv[0]).rfind('/') + 1);
        for (int i = 1; i < argc; ++i) raw_.command += ' ' + in_shell_quotes(argv[i]);
        if (argc > 1 && std::string(argv[1]) == "help") return help_command(argc, argv);
        if (argc > 1 && std::string(argv[1]) == "completion") return completion_command(argc, argv);
        if (std::optional<UsageError> error = swallowed_option(argc, argv)) return std::move(*error);
        try {
            app_.parse(argc, argv);
        } catch (const CLI::CallForHelp&) {
            return UsageError{chosen().help(), 0};
        } catch (const CLI::CallForVersion&) {
            return UsageError{"tideline " TIDELINE_VERSION "\n", 0};
        } catch (const CLI::ExtrasError&) {
            return unexpected();
        } catch (const CLI::RequiredError& error) {
            return app_.remaining(true).empty() ? missing(error.what()) : unexpected();
        } catch (const CLI::ParseError& error) {
            return app_.remaining(true).empty() ? explained(error.what()) : unexpected();
        }
        if (resume_.parsed()) return resume_command();
        if (simulate_.parsed()) return simulate_command();
        if (program_ == nullptr && trace_.parsed()) return trace_command();
        if (audit_.parsed()) return audit_command();
        const std::size_t automata = raw_.formulas.ltl.size() + raw_.formulas.automata.size();
        if (automata > 1 && !check_.parsed())
            return usage_error("more than one --ltl or --automaton is given",
                               "only 'check' takes several; " + help_hint());
        if (!raw_.formulas.translator.empty() && raw_.formulas.ltl.empty() && raw_.properties.empty())
            return usage_error("--ltl-translator without a formula", "give one with --ltl FORMULA");
        if (program_ == nullptr && convert_.parsed() && automata > 0) return formula_command();
        if (program_ == nullptr && convert_.parsed() && convert_.count("MODEL") == 0)
            return usage_error("the model is missing",
                               "expected tideline convert MODEL, --ltl FORMULA or --automaton FILE; " + help_hint());
        if (program_ == nullptr && raw_.model.empty())
            return usage_error("the name of the model is empty", help_hint());
        if (program_ == nullptr && convert_.parsed()) return model_command();
        std::variant<SearchOptions, UsageError> options = search_options(raw_, chosen());
        if (auto* error = std::get_if<UsageError>(&options)) return std::move(*error);
        if (raw_.expect && check_.count("--properties") == 0)
            return usage_error("--expect without --properties", "the expected verdicts stand in a file of properties");
        if (explore_.parsed()) return ExploreCommand{std::get<SearchOptions>(std::move(options)), raw_.formulas};
        if (progress_.parsed()) {
            ProgressCommand command{std::get<SearchOptions>(std::move(options)), raw_.measure, std::nullopt};
            if (progress_.count("--svg") > 0) command.svg = raw_.svg;
            return command;
        }
        return CheckCommand{std::get<SearchOptions>(std::move(options)), raw_.invariants, raw_.deadlock, raw_.formulas,
                            check_.count("--properties") > 0 ? std::optional(raw_.properties) : std::nullopt};
    }

private:
    // completion bash|zsh|man
    [[nodiscard]] UsageError completion_command(int argc, const char* const* argv) const {
        const std::optional<std::string> text = argc == 3 ? generated(app_, argv[2]) : std::nullopt;
        if (text) return {*text, 0};
        return usage_error("completion: for which shell?", "expected " + name_ + " completion bash, zsh or man");
    }

    // help, help COMMAND
    [[nodiscard]] UsageError help_command(int argc, const char* const* argv) const {
        if (argc == 2) return {app_.help(), 0};
        std::vector<std::string> names;
        for (const CLI::App* command : app_.get_subcommands({})) {
            if (command->get_name() == argv[2]) return {command->help(), 0};
            names.push_back(command->get_name());
        }
        const std::string hint = support::suggestion(argv[2], names);
        return usage_error("unknown command " + support::in_quotes(argv[2]),
                           hint.empty() ? "see '" + name_ + " --help'" : hint);
    }

    // An option whose value is missing must not take the next option for it. A value that begins with -- is given with
    // '='.
    [[nodiscard]] std::optional<UsageError> swallowed_option(int argc, const char* const* argv) const {
        const CLI::App* command = nullptr;
        for (int i = 1; i < argc; ++i) {
            const std::string word = argv[i];
            if (command == nullptr) {
                for (const CLI::App* candidate : app_.get_subcommands({}))
                    if (candidate->get_name() == word) command = candidate;
                continue;
            }
            const CLI::Option* option = word.starts_with('-') ? command->get_option_no_throw(word) : nullptr;
            if (option == nullptr || option->get_items_expected_max() == 0) continue;
            const std::string next = ++i < argc ? argv[i] : "";
            if (!next.starts_with("--")) continue;
            return usage_error(word + " needs a value, found " + support::in_quotes(next),
                               "expected " + word + ' ' + option->get_type_name() +
                                   "; a value that begins with -- is given as " + word + "=VALUE");
        }
        return std::nullopt;
    }

    [[nodiscard]] CommandLine resume_command() const {
        if (raw_.directory.empty()) return usage_error("the name of the ledger's directory is empty", help_hint());
        ResumeCommand command;
        command.directory = raw_.directory;
        command.status = raw_.status;
        if (std::optional<UsageError> error = read_limits(raw_, resume_, command.limits)) return std::move(*error);
        if (resume_.count("--threads") > 0) command.threads = raw_.threads;
        command.output.quiet = raw_.quiet;
        command.output.command = raw_.command;
        if (resume_.count("--report") > 0) command.output.html = raw_.html;
        if (resume_.count("--json") > 0) command.output.json = raw_.json;
        return command;
    }

    [[nodiscard]] CommandLine simulate_command() const {
        if (program_ == nullptr && raw_.model.empty())
            return usage_error("the name of the model is empty", help_hint());
        SimulateCommand command;
        command.model.path = raw_.model;
        command.model.wrap = raw_.wrap;
        command.model.definitions = raw_.definitions;
        command.model.include_dirs = raw_.include_dirs;
        command.invariants = raw_.invariants;
        command.watched = raw_.watched;
        const bool by_chance = simulate_.count("--runs") > 0;
        if (by_chance) command.runs = raw_.runs;
        if (simulate_.count("--steps") > 0 && !by_chance)
            return usage_error("--steps without --runs", "it bounds runs by chance");
        if (simulate_.count("--along") > 0 && by_chance)
            return usage_error("either --along or --runs", "a run follows a trace, or chance");
        command.steps = raw_.steps;
        command.seed = raw_.seed;
        if (simulate_.count("--along") > 0) command.along = raw_.along;
        const auto style = kTraceStyles.find(raw_.trace);
        if (style == kTraceStyles.end())
            return usage_error("--trace: unknown style " + support::in_quotes(raw_.trace),
                               "expected full, changes, actions or none");
        command.trace = style->second;
        if (std::optional<UsageError> error = read_limits(raw_, simulate_, command.limits)) return std::move(*error);
        return command;
    }

    [[nodiscard]] CommandLine formula_command() const {
        const bool is_formula = !raw_.formulas.ltl.empty();
        if (convert_.count("MODEL") > 0)
            return usage_error(is_formula ? "either a model or --ltl is converted, not both"
                                          : "either a model or --automaton is converted, not both",
                               help_hint());
        const std::string to = convert_.count("--to") == 0 ? "hoa" : raw_.to;
        if (to != "hoa" && to != "never" && to != "dot")
            return usage_error("--to: unknown format " + support::in_quotes(raw_.to) +
                                   (is_formula ? " of a formula" : " of an automaton"),
                               "expected hoa, never or dot");
        if (std::optional<UsageError> error = option_of_states()) return std::move(*error);
        ConvertCommand command{"", raw_.formulas, to, false};
        if (std::optional<UsageError> error = read_limits(raw_, convert_, command.limits)) return std::move(*error);
        return command;
    }

    [[nodiscard]] CommandLine model_command() const {
        if (convert_.count("--to") == 0)
            return usage_error("--to is missing", "expected --to model, aut, dot or kripke");
        ConvertCommand command{raw_.model, {}, raw_.to, raw_.wrap, raw_.definitions, raw_.include_dirs};
        if (std::optional<UsageError> error = read_limits(raw_, convert_, command.limits)) return std::move(*error);
        using Format = run::StateSpaceFormat;
        const std::map<std::string, Format> formats = {
            {"aut", Format::aut}, {"dot", Format::dot}, {"kripke", Format::kripke}};
        const auto format = formats.find(raw_.to);
        if (format == formats.end() && raw_.to != "model")
            return usage_error("--to: unknown format " + support::in_quotes(raw_.to),
                               "expected model, aut, dot or kripke");
        if (format == formats.end()) {
            if (std::optional<UsageError> error = option_of_states()) return std::move(*error);
            return command;
        }
        if (format->second == Format::aut && !raw_.labels.empty())
            return usage_error("--label: the states of an Aldebaran file have no labels",
                               "expected --to dot or --to kripke");
        if (format->second != Format::kripke && convert_.count("--compact") > 0)
            return usage_error("--compact: only Kripke structures have a compact form", "expected --to kripke");
        if (convert_.count("--compact") > 0 && raw_.compact.empty())
            return usage_error("--compact: the name of the file is empty", help_hint());
        command.compact = raw_.compact;
        if (format->second != Format::kripke && convert_.count("--progress") > 0)
            return usage_error("--progress: only Kripke structures have progress", "expected --to kripke");
        command.states.emplace();
        command.states->format = format->second;
        command.states->labels = raw_.labels;
        command.states->progress = progress_choice(raw_);
        command.states->threads = threads_of(raw_);
        command.states->is_compact = !raw_.compact.empty();
        if (std::optional<UsageError> error = read_states(raw_, convert_, command.states->states))
            return std::move(*error);
        return command;
    }

    // An option that means something only where states are written.
    [[nodiscard]] std::optional<UsageError> option_of_states() const {
        for (const char* option : {"--label", "--progress", "--states", "--threads", "--compact"})
            if (convert_.count(option) > 0)
                return usage_error(std::string(option) + " is for conversions that write the states of a model",
                                   "expected --to aut, dot or kripke");
        return std::nullopt;
    }

    [[nodiscard]] CommandLine audit_command() const {
        if (raw_.directory.empty()) return usage_error("the name of the ledger's directory is empty", help_hint());
        AuditCommand command;
        command.directory = raw_.directory;
        command.quiet = raw_.quiet;
        if (program_ == nullptr && audit_.count("--model") > 0) command.model = raw_.model;
        if (audit_.count("--memory") == 0) return command;
        const support::Result<std::uint64_t> size = support::parse_size(raw_.memory);
        if (!size) return bad_value("--memory", size.diagnostics());
        command.memory = *size;
        return command;
    }

    // A program of its own has no models to choose from.
    [[nodiscard]] std::string examples(const char* of_tideline) const {
        if (program_ == nullptr) return of_tideline;
        return "Examples:\n  " + name_ + " explore --progress EXPR\n  " + name_ + " check --deadlock\n  " + name_ +
               " check --invariant EXPR\n  " + name_ + " check --ltl FORMULA\n\n";
    }

    [[nodiscard]] const CLI::App& chosen() const {
        const std::vector<CLI::App*> chosen = app_.get_subcommands();
        return chosen.empty() ? app_ : *chosen.front();
    }

    [[nodiscard]] std::string command_name() const { return &chosen() == &app_ ? "" : ' ' + chosen().get_name(); }

    [[nodiscard]] std::string help_hint() const { return "see '" + name_ + command_name() + " --help'"; }

    // The library's message about a missing argument, in our wording.
    [[nodiscard]] UsageError missing(const std::string& message) const {
        if (&chosen() == &app_)
            return usage_error(
                "the command is missing",
                (program_ == nullptr ? "expected explore, check, simulate, progress, resume, audit, trace or convert; "
                                     : "expected explore, check, simulate, progress, resume or audit; ") +
                    help_hint());
        if (chosen().get_option_no_throw("FILE") != nullptr)
            return usage_error("the file of the trace is missing",
                               "expected " + name_ + command_name() + " FILE; " + help_hint());
        if (chosen().get_option_no_throw("DIR") != nullptr)
            return usage_error("the directory of the ledger is missing",
                               "expected " + name_ + command_name() + " DIR; " + help_hint());
        if (program_ == nullptr && chosen().count("MODEL") == 0)
            return usage_error("the model is missing", "expected tideline" + command_name() + " MODEL; " + help_hint());
        return usage_error(message, help_hint());
    }

    // What the library found wrong with an option, whose name its message begins with.
    [[nodiscard]] UsageError explained(const std::string& message) const {
        const std::string word = message.substr(0, message.find_first_of(": "));
        const std::string name = word.starts_with('-') ? word : "--" + word;
        const CLI::Option* option = chosen().get_option_no_throw(name);
        if (option == nullptr) return usage_error(message, help_hint());
        if (option->get_items_expected_max() == 0) return usage_error(name + " takes no value", help_hint());
        if (option->count() > 1) return usage_error(name + " is given more than once", help_hint());
        const std::string expected = "expected " + name + ' ' + option->get_type_name();
        if (option->count() == 1)
            return usage_error(name + ": unexpected value " + support::in_quotes(option->results().front()), expected);
        return usage_error(name + " needs a value", expected);
    }

    [[nodiscard]] UsageError unexpected() const {
        const std::vector<std::string> rest = app_.remaining(true);
        const std::string word = rest.empty() ? "" : rest.front();
        const std::string name = word.substr(0, word.find('='));
        std::string hint = support::suggestion(name, option_names(chosen()));
        if (&chosen() == &app_ && program_ == nullptr && input::language_of(word, "") != nullptr)
            hint = "a command comes first: " + name_ + " check " + word + ", or " + name_ + " explore " + word;
        if (!word.starts_with('-'))
            return usage_error(
                (&chosen() == &app_ ? "unknown command " : "unexpected argument ") + support::in_quotes(word),
                hint.empty() || &chosen() != &app_ ? help_hint() : hint);
        for (const CLI::App* command : app_.get_subcommands({}))
            if (command->get_option_no_throw(name) != nullptr)
                hint = "it is an option of '" + name_ + ' ' + command->get_name() + "'";
        return usage_error("unknown option " + support::in_quotes(word), hint.empty() ? help_hint() : hint);
    }

    const CppOptions* program_;
    std::string name_;
    Raw raw_;
    CLI::App app_{"Tideline checks concurrent systems by visiting every state they can reach."};
    CLI::App& explore_{
        *app_.add_subcommand("explore", "count the reachable states, transitions and deadlocks of a model")};
    CLI::App& check_{*app_.add_subcommand("check", "decide properties of a model, with a trace where one is violated")};
    CLI::App& resume_{*app_.add_subcommand("resume", "continue a run that was interrupted")};
    CLI::App& audit_{*app_.add_subcommand("audit", "confirm what a finished run says, from its ledger")};
    CLI::App& progress_{*app_.add_subcommand("progress", "the measure that a sweep would use, why, and its rating")};
    CLI::App& simulate_{*app_.add_subcommand("simulate", "make a run step by step, by hand or by chance")};
    CLI::App& trace_{*app_.add_subcommand("trace", "show a saved trace in another form, or replay it")};
    CLI::App& convert_{*app_.add_subcommand("convert", "write a model in another form")};
};

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv, const CppOptions* program) {
    const std::string path = argc > 0 ? argv[0] : "tideline";
    return CommandLineParser(program, program == nullptr ? "tideline" : path.substr(path.rfind('/') + 1))
        .parse(argc, argv);
}

}  // namespace tideline::cli
