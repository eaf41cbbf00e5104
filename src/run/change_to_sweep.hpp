// The change of a search in memory to the exact sweep, when memory becomes short, as far as a run prepares it
// (explore/change_over.hpp makes it): what the plan leaves open for this case is resolved, and the ledger is made.
// Where that fails, the plan is as before, and the search in memory continues.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "explore/change_over.hpp"
#include "run/execution.hpp"

namespace tideline::run {

class ChangeToSweep final : public explore::ChangeOver {
public:
    // Resolves the plan, makes the system and its ledger. May throw LedgerError and Execution::Stopped: there is no
    // change then.
    using Prepare = std::function<explore::ChangeTarget(const explore::StatesInMemory&)>;
    ChangeToSweep(Execution& run, Prepare prepare) : run_(run), prepare_(std::move(prepare)) {}

    [[nodiscard]] std::optional<explore::ChangeTarget> prepare(const explore::StatesInMemory& states) override;
    [[nodiscard]] std::string reason() const override;

private:
    Execution& run_;
    Prepare prepare_;
};

// Why the engine is the sweep, for the report.
[[nodiscard]] std::string reason_of_change(const Execution& run, const explore::StatesInMemory& states);
// How the states are packed; nothing where that is not known.
[[nodiscard]] std::optional<successor::Layout> layout_of(const explore::StatesInMemory& states);
// How a system computes successors that packs states in the same way: machine code packs arrays in its own way, so it
// comes at once only where the search had it already.
[[nodiscard]] successor::Successors successors_as(const explore::StatesInMemory& states);
// Throws LedgerError where it packs them in another way.
void require_packing(const successor::System& system, const explore::StatesInMemory& states);

}  // namespace tideline::run
