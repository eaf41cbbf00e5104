// Reports to the observer between rounds, by one thread: new states, labels that are false in them, deadlocks, faulty
// steps; and the log of discoveries by which a breadth-first search in one thread finds paths afterwards.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "explore/path_log.hpp"
#include "explore/reported_events.hpp"
#include "explore/search_core.hpp"

namespace tideline::explore {

template <Walk W>
class EventReporter {
public:
    EventReporter(SearchCore<W>& core, bool keeps_paths) : core_(core), keeps_paths_(keeps_paths) {}

    // Of the round that has ended. False: the search is stopped.
    bool report_round() { return report_faults() && report_discovered() && report_deadlocks(); }

    // All initial states, which have the first numbers.
    bool report_initial(const std::vector<std::vector<successor::Word>>& states) {
        numbered_ = states.size();
        log_ = PathLog(states.size());
        for (std::uint64_t i = 0; i < states.size(); ++i)
            if (!report_new(*core_.workers[0], {states[i].data(), i})) return false;
        return true;
    }
    // What a depth-first search has just entered is new.
    bool report_entered(Worker<W>& worker) {
        return !worker.made->has_just_popped || report_new(worker, {worker.states.data(), 0});
    }
    // Again what was reported before the search was resumed; `state_of` gives the state of a number.
    template <class StateOf>
    bool report_again(const std::vector<ReportedEvent>& events, StateOf state_of) {
        events_ = ReportedEvents(events);
        for (const ReportedEvent& event : events) {
            const std::vector<successor::Word> state = state_of(event.number);
            for (std::uint64_t i = 0; i < event.times; ++i)
                if (!report(event, {state.data(), event.number})) return core_.stop(support::StopReason::violation);
        }
        return true;
    }

    [[nodiscard]] const ReportedEvents& events() const { return events_; }
    // Of the events of a search that changes over: their states, which are numbered from kFirstEarlyState on.
    [[nodiscard]] std::vector<std::vector<successor::Word>> early_states() const {
        std::vector<std::vector<successor::Word>> states;
        for (const EarlyState& early : early_) {
            states.push_back(early.words);
            if (core_.system->layout() == nullptr) continue;  // its packing never changes
            states.back().assign(core_.system->state_words(), 0);
            [[maybe_unused]] const auto misfit =
                core_.system->layout()->pack(early.values.data(), states.back().data());
            assert(!misfit && "what was packed once fits a wider packing");
        }
        return states;
    }
    [[nodiscard]] bool keeps_paths() const { return keeps_paths_; }
    [[nodiscard]] PathLog& log() { return log_; }

private:
    static constexpr bool kRecords = W::kTraits.records();

    bool report(const ReportedEvent& event, const StateRef& state) {
        switch (event.kind) {
            case ReportedEvent::Kind::label:
                return core_.observer.label_is_false(*core_.view, state, event.what, event.fault);
            case ReportedEvent::Kind::deadlock: return core_.observer.deadlock(*core_.view, state);
            case ReportedEvent::Kind::fault:
                return core_.observer.faulty(*core_.view, state, static_cast<model::TransitionId>(event.what),
                                             event.fault);
        }
        return true;
    }
    // Reports an event, and keeps it where a search can be resumed. False: the search is stopped.
    bool report_and_keep(ReportedEvent::Kind kind, const StateRef& state, std::uint64_t what, model::FaultKind fault) {
        if constexpr (kRecords) events_.add(kind, state.number, what, fault);
        else if (core_.may_change) keep_early(kind, state, what, fault);
        return report({kind, state.number, what, fault, 1}, state) || core_.stop(support::StopReason::violation);
    }

    // The search that continues has other numbers: the state itself is kept, once for each kind of event.
    void keep_early(ReportedEvent::Kind kind, const StateRef& state, std::uint64_t what, model::FaultKind fault) {
        events_.add(kind, kFirstEarlyState + early_.size(), what, fault);
        if (events_.all().size() == early_.size()) return;
        early_.push_back(
            {core_.system->layout() == nullptr ? std::vector<model::Value>() : core_.system->decode(state.state),
             std::vector<successor::Word>(state.state, state.state + core_.system->state_words())});
    }

    // New states have consecutive numbers, thread after thread.
    bool report_discovered() {
        if (keeps_paths_) append_to_log(*core_.workers[0]);
        for (const auto& worker : core_.workers) {
            const std::uint64_t first = std::exchange(numbered_, numbered_ + worker->discovered_count);
            if (core_.observer.wants_discoveries() &&
                !(kRecords ? report_popped(*worker) : report_entries(*worker, first)))
                return false;
            for (const LabelHit& hit : worker->hits) {
                core_.update_statistics();
                const StateRef state{hit.state, kRecords ? hit.number : first + hit.number};
                if (!report_and_keep(ReportedEvent::Kind::label, state, hit.label, hit.fault)) return false;
            }
        }
        return true;
    }

    bool report_entries(const Worker<W>& worker, std::uint64_t number) {
        if (worker.discovered_count == 0) return true;
        states_.clear();
        for (const NewEntries& entries : worker.discovered)
            for (const std::uint32_t index : entries.indices)
                states_.push_back({entries.batch->state(index), number++});
        return report_states(states_);
    }

    bool report_popped(const Worker<W>& worker) {
        const Production& sent = *worker.sent;
        if (!sent.has_just_popped || sent.popped == 0) return true;
        states_.clear();
        for (std::size_t i = 0; i < sent.popped; ++i) states_.push_back({sent.source(i), sent.first_number + i});
        return report_states(states_);
    }

    bool report_states(std::span<const StateRef> states) {
        core_.update_statistics();
        return core_.observer.discovered(*core_.view, states) || core_.stop(support::StopReason::violation);
    }

    bool report_new(Worker<W>& worker, const StateRef& state) {
        if (core_.observer.wants_discoveries() && !report_states(std::span(&state, 1))) return false;
        const std::span<const std::size_t> watched = core_.observer.watched_labels();
        if (watched.empty()) return true;
        worker.label_bits.resize(core_.system->label_words());
        worker.label_faults.resize(core_.system->label_count());
        worker.expander->labels(state.state, worker.label_bits.data(), worker.label_faults.data());
        for (const std::size_t label : std::vector<std::size_t>(watched.begin(), watched.end())) {
            if (((worker.label_bits[label / 64] >> (label % 64)) & 1U) != 0) continue;
            core_.update_statistics();
            if (!report_and_keep(ReportedEvent::Kind::label, state, label, worker.label_faults[label])) return false;
        }
        return true;
    }

    void append_to_log(const Worker<W>& worker) {
        const successor::SuccessorBatch& batch = worker.sent->batch;
        const std::vector<std::uint32_t>& indices = worker.discovered[0].indices;
        std::size_t next = 0;
        std::uint32_t begin = 0;
        std::uint64_t before = worker.sent->delivered_before;
        for (std::size_t n = 0; n <= batch.complete_sources(); ++n) {
            const bool complete = n < batch.complete_sources();
            const std::size_t end = complete ? batch.end(n) : batch.size();
            for (; next < indices.size() && indices[next] < end; ++next)
                log_.discovered(indices[next] - begin + before);
            if (!complete) return;
            log_.expanded();
            begin = batch.end(n);
            before = 0;
        }
    }

    // A state that the thread has expanded, by its index among the popped ones.
    [[nodiscard]] StateRef source(const Worker<W>& worker, std::uint32_t index) const {
        const Production& sent = *worker.sent;
        return {sent.source(index), (kRecords ? sent.first_number : sent.expanded_before) + index};
    }

    bool report_faults() {
        for (const auto& worker : core_.workers) {
            const successor::SuccessorBatch& batch = worker->sent->batch;
            if (!batch.has_faults()) continue;
            for (std::size_t i = 0; i < batch.size(); ++i) {
                if (batch.fault(i) == model::FaultKind::none) continue;
                ++core_.statistics.faults;
                if (!report_and_keep(ReportedEvent::Kind::fault, source(*worker, batch.source(i)), batch.transition(i),
                                     batch.fault(i)))
                    return false;
            }
        }
        return true;
    }

    bool report_deadlocks() {
        for (const auto& worker : core_.workers) {
            if (worker->deadlocks.empty() || !core_.observer.wants_deadlocks()) continue;
            core_.update_statistics();
            for (const std::uint32_t index : worker->deadlocks) {
                const StateRef state = source(*worker, index);
                if (core_.observer.is_proper_end(*core_.system, state.state)) continue;
                if (!report_and_keep(ReportedEvent::Kind::deadlock, state, 0, model::FaultKind::none)) return false;
            }
        }
        return true;
    }

    SearchCore<W>& core_;
    bool keeps_paths_;
    PathLog log_;
    std::uint64_t numbered_ = 0;  // states that have a number
    struct EarlyState {
        std::vector<model::Value> values;
        std::vector<successor::Word> words;
    };
    std::vector<StateRef> states_;
    ReportedEvents events_;  // of a walk that records, or of a search that may change over
    std::vector<EarlyState> early_;
};

}  // namespace tideline::explore
