// The request for a run, typed: by a command line, by another program, or by the ledger of a run that is resumed.
// Nothing is decided here (plan.hpp does), and nothing is compared as text.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/ctl/prod_order.hpp"
#include "check/deadlock_reading.hpp"
#include "check/fairness.hpp"
#include "check/verdict.hpp"
#include "explore/ledger_run.hpp"
#include "input/load.hpp"
#include "successor/native/native_system.hpp"
#include "support/budget.hpp"
#include "support/source.hpp"

namespace tideline::run {

enum class Task : std::uint8_t {
    explore,  // visit every reachable state
    check,    // decide properties, and stop when all are decided
};

enum class Engine : std::uint8_t {
    automatic,
    bfs,
    dfs,
    sweep,
    sweep_basic,
    couvreur,
    graph,
    ndfs,
    map,
    ltl_sweep_offline,
    ltl_sweep_online,
    labelling,
    prod,
    local,
    ledger,
    scc_ctl
};

// How an engine does it, where there are several ways (check/ltl/emptiness.hpp).
enum class EngineVariant : std::uint8_t { plain, early, progress_graph, progress_order, mpp2 };

enum class PropertyKind : std::uint8_t { invariant, deadlock, ltl, automaton, ctl, ctlstar, assertion, process };

// How a temporal property reads a run that ends in a deadlock.
using check::DeadlockReading;
using check::ctl::ProdOrder;
// Which runs count.
using check::Fairness;

struct ProgressChoice {
    // projection: some slots, chosen on a pilot run.
    enum class Kind : std::uint8_t { automatic, none, given, projection };
    Kind kind = Kind::automatic;
    std::string measure;  // where it is given

    friend bool operator==(const ProgressChoice&, const ProgressChoice&) = default;
};

struct LedgerChoice {
    enum class Kind : std::uint8_t { automatic, none, directory };
    Kind kind = Kind::automatic;
    std::string directory;  // where it is given

    friend bool operator==(const LedgerChoice&, const LedgerChoice&) = default;
};

// A property as text, with its position.
struct PropertySpec {
    PropertyKind kind = PropertyKind::invariant;
    std::string name;
    std::string text;       // the expression or formula; the contents of an automaton's file
    std::string file;       // of an automaton, as it was given
    std::string automaton;  // of the counterexample runs, in HOA, where the formula was translated before; empty: not
                            // translated yet
    std::optional<check::Answer> expected;
    bool is_from_file = false;  // of properties, RunSpec::properties_file
    // For diagnostics: the text that it is a part of. Absent where the property comes from a ledger.
    std::shared_ptr<const support::SourceText> source;
    support::SourceSpan span;

    [[nodiscard]] bool is_linear() const {
        return kind == PropertyKind::ltl || kind == PropertyKind::automaton || kind == PropertyKind::process;
    }
    [[nodiscard]] bool is_branching() const { return kind == PropertyKind::ctl || kind == PropertyKind::ctlstar; }
    // What a report shows.
    [[nodiscard]] const std::string& shown() const { return kind == PropertyKind::automaton ? file : text; }
};

// Properties as another program requests them.
[[nodiscard]] PropertySpec invariant(std::string expression, std::string name = "invariant");
[[nodiscard]] PropertySpec no_deadlock(std::string name = "deadlock");
[[nodiscard]] PropertySpec ltl(std::string formula, std::string name = "ltl");
[[nodiscard]] PropertySpec ctl(std::string formula, std::string name = "ctl");
[[nodiscard]] PropertySpec ctlstar(std::string formula, std::string name = "ctlstar");

// What a system written in C++ has for the name of an input language.
inline constexpr const char* kCppLanguage = "c++";

struct ModelSpec {
    std::string path;
    std::string hash;                            // of what was loaded: 16 hexadecimal digits
    std::string language;                        // as input/ calls it; c++ for a program
    bool wrap = false;                           // DVE: values out of range wrap around
    std::map<std::string, std::string> options;  // of a system written in C++
    std::vector<std::string> definitions{};      // Promela: macros, NAME or NAME=VALUE; DVE: constants
    std::vector<std::string> include_dirs{};     // Promela: where included files are searched for
    // Promela: the processes that are created at run time, as far as they are known; nothing: they are looked for.
    std::optional<std::vector<input::ProcessInstance>> instances{};

    friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};

// Whether searches leave look-ups out that sleep sets show to be needless.
enum class SleepSets : std::uint8_t { automatic, none };
// Whether steps are left out that stubborn sets show to be needless.
enum class StubbornSets : std::uint8_t { none, automatic };

// Of checks of CTL and CTL*.
struct BranchingSpec {
    bool satisfying = false;  // how many states satisfy each subformula
    std::uint64_t list = 0;   // some of these states, per subformula
    ProdOrder order = ProdOrder::numbers;
    std::optional<std::uint64_t> evidence;  // claims in a tree of evidence at most, 0: any number; nothing: the default

    friend bool operator==(const BranchingSpec&, const BranchingSpec&) = default;
};

// An automaton of the sequences of labels that a system may show (language.hpp).
struct LanguageSpec {
    std::string file;
    std::string text;                                           // its contents; empty: not read yet
    std::vector<std::uint64_t> final{};                         // states where a run may end; empty: everywhere
    std::string hide{};                                         // labels that are not visible: a regular expression
    std::vector<std::pair<std::string, std::string>> rename{};  // labels that stand for others

    friend bool operator==(const LanguageSpec&, const LanguageSpec&) = default;
};

struct RunSpec {
    std::chrono::steady_clock::time_point started =
        std::chrono::steady_clock::now();  // the run begins with its request
    Task task = Task::explore;
    ModelSpec model;
    std::vector<PropertySpec> properties;  // of an exploration at most one, linear: its product is explored
    std::string properties_file;           // where some of them are written; empty: nowhere
    Engine engine = Engine::automatic;
    std::vector<EngineVariant> variants{};
    ProgressChoice progress;
    LedgerChoice ledger;
    explore::Recorded record = explore::Recorded::tree;
    DeadlockReading deadlocks = DeadlockReading::stutter;
    std::vector<std::string>
        chosen;              // names of the model's own properties; empty: all of them, where no other is given
    std::string end_states;  // a condition: states without a step where it holds are proper ends, and no deadlocks;
                             // empty: there are none
    BranchingSpec branching;
    Fairness fairness = Fairness::none;
    successor::Successors successors = successor::Successors::automatic;
    SleepSets sleep = SleepSets::automatic;
    std::string cut_off{};   // a condition: states where it holds are not expanded; empty: there are none
    std::string symmetry{};  // auto, or names of processes with commas between; empty: none
    StubbornSets stubborn = StubbornSets::none;
    std::optional<LanguageSpec> language;
    bool compress = false;
    unsigned threads = 1;
    bool are_threads_requested = true;       // an engine that has one thread needs no notice otherwise
    std::optional<std::uint64_t> states;     // stop after this number of states
    std::optional<std::uint64_t> change_at;  // for tests: `auto` changes to the sweep at this number of states
    support::BudgetLimits limits;            // as given; the caller's defaults are in the Budget only
    std::string translator;        // a command that turns formulas into automata; empty: Tideline does. Never stored
    std::string temporary_folder;  // for a temporary ledger; empty: the system's
    std::string presentation;      // the caller's own, kept in the ledger for it
};

[[nodiscard]] std::string_view to_string(Task task);
[[nodiscard]] std::string_view to_string(Engine engine);
[[nodiscard]] std::string_view to_string(EngineVariant variant);
[[nodiscard]] std::string_view to_string(PropertyKind kind);
[[nodiscard]] std::string_view to_string(ProdOrder order);
[[nodiscard]] std::string_view to_string(explore::Recorded recorded);
[[nodiscard]] std::string_view to_string(successor::Successors successors);
[[nodiscard]] std::string_view to_string(SleepSets sleep);
[[nodiscard]] std::string_view to_string(StubbornSets stubborn);

// The value with this name, of any of the types above.
template <class Enumeration>
[[nodiscard]] std::optional<Enumeration> named(std::string_view name);
// All names, for messages: "a, b or c".
template <class Enumeration>
[[nodiscard]] std::string names_of();

extern template std::optional<Task> named(std::string_view);
extern template std::optional<Engine> named(std::string_view);
extern template std::optional<EngineVariant> named(std::string_view);
extern template std::optional<PropertyKind> named(std::string_view);
extern template std::optional<DeadlockReading> named(std::string_view);
extern template std::optional<ProdOrder> named(std::string_view);
extern template std::optional<Fairness> named(std::string_view);
extern template std::optional<explore::Recorded> named(std::string_view);
extern template std::optional<successor::Successors> named(std::string_view);
extern template std::optional<SleepSets> named(std::string_view);
extern template std::optional<StubbornSets> named(std::string_view);
extern template std::string names_of<Engine>();
extern template std::string names_of<EngineVariant>();
extern template std::string names_of<DeadlockReading>();
extern template std::string names_of<ProdOrder>();
extern template std::string names_of<Fairness>();
extern template std::string names_of<explore::Recorded>();
extern template std::string names_of<successor::Successors>();
extern template std::string names_of<SleepSets>();
extern template std::string names_of<StubbornSets>();

}  // namespace tideline::run
