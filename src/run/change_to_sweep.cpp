#include "run/change_to_sweep.hpp"

#include <fmt/format.h>

#include "support/quantity.hpp"

namespace tideline::run {
namespace {

std::string trigger(const Execution& run) {
    if (run.spec().change_at) return "as requested";
    return "memory limit " + support::bytes_text(run.budget.limits().memory.value_or(0));
}

}  // namespace

std::optional<explore::ChangeTarget> ChangeToSweep::prepare(const explore::StatesInMemory& states) {
    const RunPlan before = run_.plan;
    try {
        return prepare_(states);
    } catch (const ledger::LedgerError& error) {
        run_.sink.notice(std::string("the search cannot change to the sweep: ") + error.what());
    } catch (const Execution::Stopped&) {  // by the search, too
    }
    run_.plan = before;
    run_.ledger.close();
    return std::nullopt;
}

std::string ChangeToSweep::reason() const { return trigger(run_); }

std::string reason_of_change(const Execution& run, const explore::StatesInMemory& states) {
    return fmt::format("changed to the sweep after {} states: {}", support::count_text(states.size()), trigger(run));
}

std::optional<successor::Layout> layout_of(const explore::StatesInMemory& states) {
    const successor::Layout* layout = states.system().layout();
    return layout == nullptr ? std::nullopt : std::optional(*layout);
}

successor::Successors successors_as(const explore::StatesInMemory& states) {
    return states.system().compile_seconds() > 0 ? successor::Successors::native : successor::Successors::automatic;
}

void require_packing(const successor::System& system, const explore::StatesInMemory& states) {
    if (explore::packing_description(system) != explore::packing_description(states.system()))
        throw ledger::LedgerError(ledger::LedgerFault::other_run, "", "states are packed in another way");
}

}  // namespace tideline::run
