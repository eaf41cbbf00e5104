// The step of a search that changes over: what it has in memory goes to the ledger of the sweep that continues
// (change_over.hpp). Between rounds, when everything that was popped is expanded.
#pragma once

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "explore/change_over.hpp"
#include "explore/event_reporter.hpp"
#include "explore/search_core.hpp"

namespace tideline::explore {

template <Walk W>
class WalkStates final : public StatesInMemory {
public:
    explicit WalkStates(SearchCore<W>& core) : core_(core) {}

    [[nodiscard]] const successor::System& system() const override { return *core_.system; }
    [[nodiscard]] std::uint64_t size() const override { return core_.walk.states(); }
    void for_each(const Visit& visit) const override { core_.walk.for_each_state(visit); }
    void take_open(const VisitNumbered& visit) override {
        core_.walk.take_open([&](const successor::Word* state, StateNumber number = 0) { visit(state, number); });
    }
    bool take_all(const std::function<bool(const successor::Word*, StateNumber)>& visit) override {
        return core_.walk.take_all(
            [&](const successor::Word* state, StateNumber number = 0) { return visit(state, number); });
    }
    [[nodiscard]] KeptRows* rows() override {
        return core_.settings.edges == nullptr ? nullptr : core_.settings.edges->kept_rows();
    }
    [[nodiscard]] StateNumber number_bound() const override {
        if constexpr (requires { core_.walk.number_bound(); }) return core_.walk.number_bound();
        else return core_.walk.states();
    }

private:
    SearchCore<W>& core_;
};

template <Walk W>
[[nodiscard]] SavedSearch saved_for_sweep(SearchCore<W>& core, const EventReporter<W>& reporter) {
    SavedSearch saved;
    saved.walk = to_string(WalkOrder::sweep);
    saved.statistics = core.statistics;
    saved.statistics.depth = 0;  // levels are those of a breadth-first search
    saved.statistics.changed_over =
        ChangedOver{core.statistics.states, core.statistics.seconds, core.settings.change_over->reason()};
    saved.passes = {{core.statistics.states, core.statistics.expanded}};
    saved.events = reporter.events().all();
    for (const std::vector<successor::Word>& state : reporter.early_states()) {
        std::vector<std::uint8_t>& bytes = saved.early_states.emplace_back(core.system->state_bytes());
        std::memcpy(bytes.data(), state.data(), bytes.size());
    }
    return saved;
}

// False: it cannot be done, and nothing has changed. Otherwise the search has ended, perhaps for a reason.
template <Walk W>
bool change_over(SearchCore<W>& core, const EventReporter<W>& reporter) {
    WalkStates<W> states(core);
    std::optional<ChangeTarget> target = core.settings.change_over->prepare(states);
    if (!target) return false;
    core.update_statistics();
    std::vector<successor::Word> undefined;
    const support::StopReason reason =
        write_checkpoint(states, *target, saved_for_sweep(core, reporter), core.limits.budget(), undefined);
    if (reason == support::StopReason::no_key) core.offending = OffendingStep{std::move(undefined), {}, {}, {}};
    if (reason != support::StopReason::none) {
        core.stop(reason);
        return true;
    }
    target->ledger->saved.statistics.seconds = core.limits.seconds();
    core.continues_with = std::move(target);
    core.control.finish();
    return true;
}

}  // namespace tideline::explore
