// What the parts of an execution (execute.cpp) share: the request, the plan as far as it is resolved, the system and
// the ledger in use, and figures that only the report needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/search.hpp"
#include "run/ledger_in_use.hpp"
#include "run/loaded_system.hpp"
#include "run/plan.hpp"
#include "run/run_report.hpp"
#include "run/sink.hpp"
#include "run/system_in_use.hpp"
#include "support/budget.hpp"

namespace tideline::run {

struct Execution {
    // `resumed`: the directory of the ledger; empty: the run begins. Input, sink and budget must outlive this.
    Execution(RunPlan plan_to_execute, const LoadedInput& loaded, Sink& messages, const support::Budget& limits,
              std::string resumed_from);
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;

    [[nodiscard]] const RunSpec& spec() const { return plan.spec; }
    [[nodiscard]] const model::Model& model() const { return *input.system.names; }
    [[nodiscard]] bool is_resumed() const { return !resumed.empty(); }

    // The budget ended before a search began.
    struct Stopped {
        support::StopReason reason;
    };
    void stop_if_exhausted() const;

    // With the limits of the request.
    [[nodiscard]] explore::SearchSettings settings() const;
    // Reports deviations from the request.
    void give_notices(Engine engine, bool records) const;
    // Why an engine was chosen, where that is not said of a search through states.
    void explain(std::string reason);

    RunPlan plan;
    const LoadedInput& input;
    Sink& sink;
    const support::Budget& budget;
    const std::string resumed;
    SystemInUse system;
    LedgerInUse ledger;
    double measure_seconds = 0;                  // in which a measure was looked for
    std::vector<std::string> linear_components;  // of the measure that the last linear-time property was swept by
    std::optional<CutOffReport> cut_off;
};

// With a ledger, where there is one.
[[nodiscard]] bool is_exact_sweep(Engine engine);
[[nodiscard]] bool is_sweep(Engine engine);

[[nodiscard]] check::Verdict undecided(std::string name, std::string logic, std::string formula,
                                       support::StopReason reason);

}  // namespace tideline::run
