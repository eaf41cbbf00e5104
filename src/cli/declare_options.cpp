#include "cli/declare_options.hpp"

#include <string>

#include "cli/command_line_library.hpp"
#include "cli/cpp_main.hpp"
#include "cli/read_values.hpp"

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

// An option that may be repeated; each value is taken verbatim.
CLI::Option* add_repeated(CLI::App& app, const std::string& name, std::vector<std::string>& texts,
                          const std::string& help) {
    return app.add_option(name, texts, help)
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();  // else [a,b] would be taken for a list
}

CLI::Option* add_model(CLI::App& app, OptionValues& values) {
    return app.add_option("MODEL", values.model, "the model: .dve, .pml, .aut or .json");
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

void add_wrap(CLI::App& app, OptionValues& values) {
    app.add_flag("--wrap", values.wrap, "values out of range wrap around instead of being a fault (DVE)")
        ->disable_flag_override();
}

void add_preprocessing(CLI::App& app, OptionValues& values) {
    add_repeated(app, "-D", values.definitions, "define a macro (Promela), or set a constant (DVE); may be repeated")
        ->type_name("NAME[=VALUE]");
    add_repeated(app, "-I", values.include_dirs, "search included files here too (Promela); may be repeated")
        ->type_name("DIR");
}

void add_limits(CLI::App& app, OptionValues& values) {
    app.add_option("--memory", values.memory,
                   "stop before the search uses more, such as 16M or 8G (default: three quarters of what is available)")
        ->type_name("SIZE");
    app.add_option("--disk", values.disk, "stop before the ledger takes more, such as 20G")->type_name("SIZE");
    app.add_option("--time", values.time, "stop after this time, such as 90s, 10m or 2h")->type_name("DURATION");
}

void add_threads(CLI::App& app, OptionValues& values,
                 const std::string& by_default = "the processors that the process may use") {
    app.add_option("--threads", values.threads,
                   "work with this many threads (bfs and the sweeps; the results are the same); default: " + by_default)
        ->type_name("1.." + std::to_string(kMostThreads))
        ->check(CLI::Range(1U, kMostThreads).description(""));
}

void add_report(CLI::App& app, OptionValues& values) {
    app.add_option("--report", values.html, "write a report to a file: one HTML page that needs nothing else")
        ->type_name("FILE.html");
}

void add_output(CLI::App& app, OptionValues& values) {
    app.add_option("--json", values.json, "write all results as JSON to a file, or to standard output with -")
        ->type_name("FILE|-");
    app.add_flag("--quiet", values.quiet, "print the verdicts alone, no summary and no status line")
        ->disable_flag_override();
}

void add_formulas(CLI::App& app, OptionValues& values, const std::string& ltl, const std::string& automaton) {
    add_repeated(app, "--ltl", values.formulas.ltl, ltl)->type_name("FORMULA");
    add_repeated(app, "--automaton", values.formulas.automata, automaton)->type_name("FILE");
    app.add_option("--ltl-translator", values.formulas.translator,
                   "a command that turns formulas into automata (HOA or a never claim); %s stands for the formula")
        ->type_name("COMMAND");
}

void add_deadlock_options(CLI::App& app, OptionValues& values) {
    app.add_option(
           "--deadlocks", values.deadlocks,
           "how temporal properties read a run that ends in a deadlock: stutter (the last state repeats), finite "
           "(the run ends there), ignore (it does not count)")
        ->type_name("stutter|finite|ignore");
    app.add_option("--end-states", values.end_states,
                   "states without a step where this condition holds are proper ends, and no deadlocks")
        ->type_name("EXPR");
}

// Of commands that search, and show what they find.
void add_traces(CLI::App& app, OptionValues& values) {
    app.add_option(
           "--variant", values.variant,
           "how an engine does it: plain or early (ndfs); progress-graph, progress-order, mpp2 (the LTL sweeps)")
        ->type_name("NAME[,NAME...]");
    app.add_flag("--compress", values.compress, "store states in less memory, at some cost in time (bfs)")
        ->disable_flag_override();
    app.add_option("--trace", values.trace, "how runs are shown: full, changes, actions or none")
        ->type_name("full|changes|actions|none");
    add_report(app, values);
    app.add_option("--stats", values.statistics,
                   "write figures to a file while the search runs: a line of JSON per second")
        ->type_name("FILE");
    app.add_option(
           "--itf", values.itf,
           "write one run to a file, if there is one, in the Informal Trace Format: of the first violated property, or "
           "else of the first fault or property that has one")
        ->type_name("FILE");
    app.add_option("--msc", values.msc, "write the messages of the same run to a file, as a Mermaid sequence diagram")
        ->type_name("FILE");
}

// `is_searched`: what is asked is answered by a search, with traces; otherwise measures alone are looked at.
void add_search_options(CLI::App& app, OptionValues& values, const CppOptions* program, bool is_searched = true) {
    if (program == nullptr) add_model(app, values)->required();
    else add_program_options(app, *program);
    app.add_option(
           "--engine", values.engine,
           "auto, bfs (breadth-first), dfs (depth-first), sweep (by progress), sweep-basic (the same, for a "
           "monotonic measure only); of linear-time properties: couvreur (by components), graph (the same, with all threads), "
           "ndfs (nested depth-first search), map (maximal accepting predecessors), ltl-sweep-offline, ltl-sweep-online (by "
           "progress); of branching time: labelling (CTL, CTL*), prod and local (CTL), "
           "ledger (CTL, CTL*, with the edges on disk), scc-ctl (AG EF and AG AF, monotonic measure)")
        ->type_name("NAME");
    if (is_searched) add_traces(app, values);
    app.add_option("--progress", values.progress,
                   "the progress measure: auto (the system's own, or one that is found), projection (components of "
                   "the state, chosen on a pilot run), none, or expressions, the most significant first; "
                   "product(EXPR,...) for parts that move side by side")
        ->type_name("auto|projection|none|EXPR[,EXPR...]");
    add_limits(app, values);
    app.add_option(
           "--ledger", values.ledger,
           "where a sweep leaves the states that it has passed, so that it expands none twice and can be resumed: auto (a "
           "temporary directory), none (states are forgotten), or a directory; with a directory also for bfs")
        ->type_name("auto|none|DIR");
    app.add_option(
           "--record", values.record,
           "what goes to the ledger: tree (of each state the one that it was discovered from), labels (also which "
           "invariants and assertions hold in it), edges (also all of its steps)")
        ->type_name("tree|labels|edges");
    app.add_option("--states", values.states, "stop after this many states")->type_name("NUMBER>0");
    add_threads(app, values);
    // For tests: `auto` changes to the sweep at this number of states, whatever memory there is.
    app.add_option("--change-at", values.change_at, "")->group("");
    app.add_option("--sleep", values.sleep,
                   "whether bfs and sweeps leave out look-ups that sleep sets show to be needless: auto or none")
        ->type_name("auto|none");
    app.add_option("--cut-off", values.cut_off,
                   "do not expand states where this condition holds, and say whether that makes a difference")
        ->type_name("EXPR");
    app.add_option("--symmetry", values.symmetry,
                   "search representatives of states that symmetries of the model make of each other: none, auto, or "
                   "the processes that may be exchanged")
        ->type_name("none|auto|NAME,...");
    app.add_option("--stubborn", values.stubborn,
                   "whether steps are left out that stubborn sets show to be needless for the question: none or auto")
        ->type_name("none|auto");
    add_output(app, values);
    if (program != nullptr) return;
    app.add_option("--successors", values.successors,
                   "how steps are computed: auto, native (machine code) or interpret")
        ->type_name("NAME");
    add_wrap(app, values);
    add_preprocessing(app, values);
}

void add_language(CLI::App& app, OptionValues& values) {
    app.add_option("--language", values.language,
                   "an automaton (.aut) or a model: every sequence of visible labels of steps must be one of its own")
        ->type_name("FILE");
    app.add_option("--final", values.final, "with --language: states of the automaton in which a run may end")
        ->type_name("N[,N...]");
    app.add_option("--hide", values.hide, "with --language: labels that are not visible (the whole label)")
        ->type_name("REGEX");
    add_repeated(app, "--rename", values.rename, "with --language: a label that stands for another; may be repeated")
        ->type_name("FROM=TO");
}

void add_branching(CLI::App& app, OptionValues& values) {
    add_repeated(app, "--ctl", values.formulas.ctl,
                 "a formula of CTL that must hold in every initial state; may be repeated")
        ->type_name("FORMULA");
    add_repeated(app, "--ctlstar", values.formulas.ctlstar, "the same for CTL*; may be repeated")->type_name("FORMULA");
    app.add_flag("--satisfying", values.satisfying,
                 "report how many reachable states satisfy each subformula (CTL and CTL*)")
        ->disable_flag_override();
    app.add_option("--list", values.list, "with --satisfying: show this many of these states per subformula")
        ->type_name("NUMBER");
    app.add_option("--order", values.order, "of states, for the engine prod: numbers or components")
        ->type_name("numbers|components");
    app.add_option("--evidence", values.evidence,
                   "how many claims the evidence for a formula of CTL or CTL* may have (default: 200)")
        ->type_name("NUMBER|all");
    app.add_option("--evidence-dot", values.dot,
                   "write the evidence for formulas of CTL and CTL* to a file for Graphviz")
        ->type_name("FILE");
}

// A program of its own has no models to choose from.
std::string examples(const char* of_tideline, const CppOptions* program, const std::string& name) {
    if (program == nullptr) return of_tideline;
    return "Examples:\n  " + name + " explore --progress EXPR\n  " + name + " check --deadlock\n  " + name +
           " check --invariant EXPR\n  " + name + " check --ltl FORMULA\n\n";
}

void declare_explore(CLI::App& app, OptionValues& values, const CppOptions* program, const std::string& name) {
    add_search_options(app, values, program);
    add_formulas(app, values,
                 "explore the product with the automaton of this formula's negation, as a check of it does",
                 "explore the product with the automaton in this file (HOA or a never claim)");
    add_deadlock_options(app, values);
    app.footer(examples(kExploreExamples, program, name) + kExitStatus);
}

void declare_check(CLI::App& app, OptionValues& values, const CppOptions* program, const std::string& name) {
    add_search_options(app, values, program);
    add_repeated(app, "--invariant", values.invariants,
                 "an expression that must hold in every reachable state; may be repeated")
        ->type_name("EXPR");
    app.add_flag("--deadlock", values.deadlock, "no reachable state is without a successor")->disable_flag_override();
    add_repeated(app, "--property", values.chosen, "a property that the model's file states; may be repeated")
        ->type_name("NAME");
    add_formulas(app, values, "a formula of linear temporal logic that must hold on every run; may be repeated",
                 "an automaton (HOA or a never claim) of runs that must not exist; may be repeated");
    add_branching(app, values);
    if (program == nullptr) add_language(app, values);
    if (program == nullptr) {
        app.add_flag("--acceptance", values.formulas.acceptance,
                     "no run passes labels that begin with accept infinitely often (Promela)")
            ->disable_flag_override();
        app.add_flag("--non-progress", values.formulas.non_progress,
                     "every run that does not end passes labels that begin with progress again and again (Promela)")
            ->disable_flag_override();
    }
    app.add_option("--properties", values.properties,
                   "properties with names, and expected verdicts if wanted, one per line")
        ->type_name("FILE");
    app.add_flag("--expect", values.expect,
                 "the exit status is 0 if the verdicts are as expected in the file of properties")
        ->disable_flag_override();
    add_deadlock_options(app, values);
    app.add_option("--fair", values.fair,
                   "only fair runs count, for properties of runs: weak (no process can always move from some time "
                   "on and never does) or strong (nor can one infinitely often, and moves only finitely often)")
        ->type_name("none|weak|strong");
    app.add_option("--junit", values.junit, "write the verdicts to a file, as test cases (JUnit XML)")
        ->type_name("FILE");
    app.add_option("--sarif", values.sarif, "write what is violated to a file, with runs (SARIF 2.1.0)")
        ->type_name("FILE");
    app.footer(examples(kCheckExamples, program, name) + kExitStatus);
}

void declare_resume(CLI::App& app, OptionValues& values) {
    app.add_option("DIR", values.directory, "the directory of the ledger")->required();
    app.add_flag("--status", values.status, "only say how far the run got")->disable_flag_override();
    add_limits(app, values);
    add_threads(app, values, "as many as the run began with");
    add_output(app, values);
    add_report(app, values);
    app.footer(kResumeExamples + std::string(kExitStatus));
}

void declare_audit(CLI::App& app, OptionValues& values, const CppOptions* program) {
    app.add_option("DIR", values.directory, "the directory of the ledger")->required();
    app.add_option("--memory", values.memory, "memory for the audit's tables, about (default: 256M)")
        ->type_name("SIZE");
    if (program == nullptr)
        app.add_option("--model", values.model, "where the model's file is now (default: where it was)")
            ->type_name("FILE");
    app.add_flag("--quiet", values.quiet, "print only whether the run is confirmed")->disable_flag_override();
    app.footer((program == nullptr ? std::string(kAuditExamples) : std::string()) + kExitStatus);
}

void declare_progress(CLI::App& app, OptionValues& values, const CppOptions* program, const std::string& name) {
    add_search_options(app, values, program, false);
    app.add_flag("--measure", values.measure, "explore by the measure, and show the layers that there are")
        ->disable_flag_override();
    app.add_option("--svg", values.svg, "write a drawing of the layers to a file")->type_name("FILE");
    app.footer(examples(kProgressExamples, program, name) + kExitStatus);
}

void declare_simulate(CLI::App& app, OptionValues& values, const CppOptions* program) {
    if (program == nullptr) add_model(app, values)->required();
    else add_program_options(app, *program);
    add_repeated(app, "--invariant", values.invariants,
                 "an expression; a state where it does not hold is reported; may be repeated")
        ->type_name("EXPR");
    add_repeated(app, "--watch", values.watched, "an expression whose value is shown in every state; may be repeated")
        ->type_name("EXPR");
    app.add_option("--runs", values.runs, "make this many runs by chance")
        ->type_name("NUMBER>0")
        ->check(CLI::PositiveNumber.description(""));
    app.add_option("--steps", values.steps, "of a run by chance, at most (default: 10000)")
        ->type_name("NUMBER>0")
        ->check(CLI::PositiveNumber.description(""));
    app.add_option("--seed", values.seed, "of the chance: the same number gives the same runs (default: 1)")
        ->type_name("NUMBER");
    app.add_option("--along", values.along, "follow this trace (Informal Trace Format), as --itf FILE writes it")
        ->type_name("FILE");
    app.add_option("--time", values.time, "stop after this time, such as 90s, 10m or 2h")->type_name("DURATION");
    app.add_option("--trace", values.trace, "how runs are shown: full, changes, actions or none")
        ->type_name("full|changes|actions|none");
    if (program == nullptr) {
        add_wrap(app, values);
        add_preprocessing(app, values);
    }
    app.footer((program == nullptr ? std::string(kSimulateExamples) : std::string()) + kExitStatus);
}

void declare_trace(CLI::App& app, OptionValues& values) {
    app.add_option("FILE", values.directory, "a trace in the Informal Trace Format, as --itf writes it")->required();
    app.add_option("--to", values.to, "how it is shown: text (the default), mermaid, plantuml, dot or html")
        ->type_name("FORM");
    app.add_option("--replay", values.model, "say whether this model has the run; with --to show it, too")
        ->type_name("MODEL");
    add_wrap(app, values);
    add_preprocessing(app, values);
    app.footer(kTraceExamples + std::string(kExitStatus));
}

void declare_convert(CLI::App& app, OptionValues& values) {
    add_model(app, values);
    add_wrap(app, values);
    add_preprocessing(app, values);
    add_formulas(app, values, "a formula of linear temporal logic, instead of a model",
                 "an automaton (HOA or a never claim), instead of a model");
    app.add_option(
           "--to", values.to,
           "what to write: model (a dump of the model as text), or its states as aut, dot or kripke (JSON); of a "
           "formula or an automaton: hoa, never or dot")
        ->type_name("FORMAT");
    add_repeated(app, "--label", values.labels,
                 "dot, kripke: a label of the states where the expression is true; may be repeated")
        ->type_name("NAME=EXPR");
    app.add_option("--progress", values.progress,
                   "kripke: the progress of each state: auto (the model's own, if any), none, or expressions, the "
                   "most significant first")
        ->type_name("auto|none|EXPR[,EXPR...]");
    app.add_option("--compact", values.compact,
                   "kripke: write numbers, label bits and edges only, in as few bits as tell them apart, to this file")
        ->type_name("FILE");
    app.add_option("--states", values.states, "give up if there are more states (default for dot: 10000)")
        ->type_name("NUMBER>0");
    add_threads(app, values);
    app.add_option("--memory", values.memory, "give up before more is used, such as 16M or 8G")->type_name("SIZE");
    app.add_option("--time", values.time, "give up after this time, such as 90s, 10m or 2h")->type_name("DURATION");
    app.footer(kConvertExamples + std::string(kExitStatus));
}

}  // namespace

void declare_commands(CLI::App& app, OptionValues& values, const CppOptions* program) {
    const std::string name = app.get_name();
    const auto add = [&](const char* command, const char* description) -> CLI::App& {
        return *app.add_subcommand(command, description);
    };
    app.footer(examples(kMainExamples, program, name) + kExitStatus);
    declare_explore(add("explore", "count the reachable states, transitions and deadlocks of a model"), values, program,
                    name);
    declare_check(add("check", "decide properties of a model, with a trace where one is violated"), values, program,
                  name);
    declare_resume(add("resume", "continue a run that was interrupted"), values);
    declare_audit(add("audit", "confirm what a finished run says, from its ledger"), values, program);
    declare_progress(add("progress", "the measure that a sweep would use, why, and its rating"), values, program, name);
    declare_simulate(add("simulate", "make a run step by step, by hand or by chance"), values, program);
    if (program != nullptr) return;
    declare_trace(add("trace", "show a saved trace in another form, or replay it"), values);
    declare_convert(add("convert", "write a model in another form"), values);
}

}  // namespace tideline::cli
