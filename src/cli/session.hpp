// What every command does around its work: load the model, show mistakes, watch the limits, tell the result.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/ltl.hpp"
#include "check/reachability.hpp"
#include "check/verdict.hpp"
#include "cli/command_line.hpp"
#include "cli/run_ledger.hpp"
#include "cli/run_property.hpp"
#include "cli/subject.hpp"
#include "progress/find_measure.hpp"
#include "input/load.hpp"
#include "report/status_line.hpp"
#include "report/summary.hpp"
#include "support/budget.hpp"
#include "support/memory.hpp"
#include "support/signals.hpp"
#include "support/terminal.hpp"

namespace tideline {

enum ExitStatus : int { kHolds = 0, kViolated = 1, kWrongInput = 2, kUndecided = 3, kProgramFault = 4 };

// Diagnostics to standard error.
void print(const Diagnostics& diagnostics);

// False, with a message, where the file could not be written completely.
bool write_file(const std::string& path, const std::string& text);

// The given exit status, or that of a fault where standard output could not be written (with a message).
int end_of_output(int status);

// The model, or nothing after its errors were printed. Warnings are printed unless quiet.
std::optional<LoadedModel> load_or_explain(const std::string& path, const LoadOptions& options, bool quiet);
// The same as something that can be searched.
std::optional<Subject> subject_or_explain(const std::string& path, const LoadOptions& options, bool quiet);

// A run of a search with its status line, interrupts and report.
class Session {
public:
    Session(const SearchOptions& options, Subject subject);

    [[nodiscard]] const Model& model() const { return *subject_.names; }
    // Whether the limits on time and memory or an interrupt end what is done before a search.
    [[nodiscard]] bool must_stop() const;
    // The product with the automaton of this property is searched instead of the system. It must outlive the session.
    void multiply_with(const RunProperty& property) { property_ = &property; }
    // False, with a message, where the measure that was given is wrong.
    [[nodiscard]] bool parse_given_measure();
    // Chooses the engine and the measure; false, with a message, where they do not fit or the measure is wrong.
    [[nodiscard]] bool choose_engine();
    // Rates the measure that was given, and looks for others. Nothing, with a message, where the one that was given is wrong.
    [[nodiscard]] std::optional<FoundMeasures> rate_measures();
    // False, with a message, where a file that shall be written cannot be.
    [[nodiscard]] bool outputs_are_writable() const;
    // Searches with the given labels on the states.
    Outcome run(std::vector<Goal> goals, std::vector<Expression> labels, bool exploration);
    // Looks for a run of the system that is bad for the property.
    Outcome decide(const RunProperty& property);
    // The same for the property process of a model, which `whole` is; the session's own system is the one without it.
    Outcome decide_property_process(const Subject& whole);
    // Writes the report where it belongs; the exit status. `expect`: it is 0 if and only if all verdicts are as expected.
    int report(Outcome outcome, bool expect = false);

    [[nodiscard]] const std::string& model_path() const { return subject_.path; }
    [[nodiscard]] SummaryOptions summary_options(int descriptor) const;
    // The states of every layer, as the ledger of the run has them, in the order of the line; empty without a ledger.
    [[nodiscard]] std::vector<std::uint64_t> layer_sizes() const { return ledger_ ? ledger_->layer_sizes() : std::vector<std::uint64_t>(); }

private:
    [[nodiscard]] std::shared_ptr<const System> make_system(std::vector<Expression> labels, Successors successors, std::optional<Layout> layout) const;
    [[nodiscard]] std::shared_ptr<const System> make_plain_system(const Subject& subject, std::vector<Expression> labels, const Measure* measure,
                                                                  Successors successors, std::optional<Layout> layout) const;
    Outcome decide(LtlRequest request);
    [[nodiscard]] unsigned key_bits() const;
    [[nodiscard]] bool has_rank() const;
    [[nodiscard]] std::vector<std::string> components() const;
    [[nodiscard]] std::string monotonic(const Outcome& outcome) const;
    [[nodiscard]] std::optional<unsigned> block_bits() const;
    [[nodiscard]] SweepKind sweep_kind() const;
    Outcome search(std::vector<Goal> goals, std::vector<Expression> labels, bool exploration, std::optional<std::uint64_t> states);
    void find_measure();

    const SearchOptions& options_;
    Subject subject_;
    WalkOrder order_ = WalkOrder::breadth_first;
    std::optional<Measure> measure_;  // given by the user, or found; for the system's own see Subject
    bool is_found_ = false;
    bool is_open_ = false;            // engine and measure are chosen when the search begins
    std::optional<double> predicted_share_;  // of the states, in memory at the peak
    std::string engine_reason_;              // why this engine, where it was not given
    Environment environment_;
    std::uint64_t memory_limit_;
    MemoryLimit pilot_memory_;
    Interrupt interrupt_;
    Budget budget_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    const RunProperty* property_ = nullptr;
    std::unique_ptr<RunLedger> ledger_;
};

}  // namespace tideline
