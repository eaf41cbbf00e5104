// The events that were reported to an observer, kept for a checkpoint: a resumed search reports it again, from the
// state's number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "explore/ledger_run.hpp"

namespace tideline::explore {

class ReportedEvents {
public:
    ReportedEvents() = default;
    explicit ReportedEvents(std::vector<ReportedEvent> events) : events_(std::move(events)) {
        for (std::size_t i = 0; i < events_.size(); ++i) index_.try_emplace(key_of(events_[i]), i);
    }

    // Events that differ in the state alone are one, of the first state, that came several times.
    void add(ReportedEvent::Kind kind, std::uint64_t number, std::uint64_t what, model::FaultKind fault) {
        const auto [entry, is_first] = index_.try_emplace(std::tuple(kind, what, fault), events_.size());
        if (is_first) events_.push_back({kind, number, what, fault, 1});
        else ++events_[entry->second].times;
    }
    [[nodiscard]] const std::vector<ReportedEvent>& all() const { return events_; }

private:
    using EventKey = std::tuple<ReportedEvent::Kind, std::uint64_t, model::FaultKind>;
    static EventKey key_of(const ReportedEvent& event) { return {event.kind, event.what, event.fault}; }

    std::vector<ReportedEvent> events_;  // in the order of their first reports
    std::map<EventKey, std::size_t> index_;
};

}  // namespace tideline::explore
