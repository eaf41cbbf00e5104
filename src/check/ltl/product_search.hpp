// What the searches for accepting runs share: the system as it is packed, the expansion of single states, faults,
// limits and figures. An engine derives from it, keeps states in tables of its own, and searches until it stops.
//
// A state is accepting if its steps carry all wanted marks. Engines that derive from this take at most one, which all
// steps of a state carry or none does; it is known once the state has been expanded, and a state without steps lies on
// no cycle.
//
// Where a value does not fit the packing, the system is replaced by a wider one in the middle of an expansion; numbers
// of states stay what they are (repack()).
#pragma once

#include <algorithm>
#include <cassert>
#include <map>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "check/ltl/emptiness.hpp"
#include "explore/logged_paths.hpp"
#include "explore/search_limits.hpp"
#include "explore/searched_system.hpp"

namespace tideline::check::ltl {

class ProductSearch {
public:
    ProductSearch(const ProductSearch&) = delete;
    ProductSearch& operator=(const ProductSearch&) = delete;

protected:
    using Word = successor::Word;
    using Key = successor::Key;

    explicit ProductSearch(const EmptinessTask& task)
        : system_(task.system),
          wanted_(task.marks),
          settings_(task.settings),
          tick_(task.tick),
          limits_(settings_.limits(), false) {
        renew();
    }
    virtual ~ProductSearch() = default;

    // ---- what an engine does
    virtual void search() = 0;
    // Carries the tables over to another packing; numbers of states remain.
    virtual void repack(const successor::System& wider, const successor::Repacking& translate) = 0;
    // Its own figures.
    virtual void count(explore::Statistics& statistics) const = 0;

    // ---- what it does it with
    [[nodiscard]] const std::shared_ptr<const successor::System>& system() const { return system_; }
    [[nodiscard]] const store::MemoryBudget& memory_budget() const { return limits_.memory_budget(); }
    [[nodiscard]] successor::Expander& expander() { return *expander_; }
    [[nodiscard]] bool is_accepting(model::Marks marks) const { return (marks & wanted_) == wanted_; }
    [[nodiscard]] bool is_running() const { return reason_ == support::StopReason::none; }
    [[nodiscard]] support::StopReason reason() const { return reason_; }
    void stop(support::StopReason reason) {
        if (is_running()) reason_ = reason;
    }

    // Calls prefetch(hash) for the successors of a state, then visit(batch, i) for every step that is not faulty.
    // `is_first`: faults, transitions and deadlocks are counted. An expansion that a limit ends is incomplete; the
    // search does not run any more then.
    template <class Prefetch, class Visit>
    void expand(const Word* state, bool is_first, Prefetch prefetch, Visit visit) {
        std::copy_n(state, system_->state_words(), source_.data());
        successor::Cursor cursor;
        bool any = false;
        for (;;) {
            batch_->restart(0);
            const successor::Expansion expansion = expander_->expand(source_.data(), 1, cursor, *batch_);
            batch_->compute_hashes();
            for (std::size_t i = 0; i < batch_->size(); ++i) prefetch(batch_->hash(i));
            for (std::size_t i = 0; i < batch_->size(); ++i) {
                any = true;
                if (batch_->fault(i) != model::FaultKind::none) {
                    if (is_first) meet_fault(batch_->transition(i), batch_->fault(i));
                    continue;
                }
                statistics_.transitions += is_first ? 1 : 0;
                visit(std::as_const(*batch_), i);
            }
            if (expansion == successor::Expansion::done) break;
            if (expansion == successor::Expansion::needs_repacking) widen();
            if (expansion == successor::Expansion::full) look_at_limits();
            if (expansion == successor::Expansion::key_undefined) stop_without_key(cursor);
            // A state on the cycle that was found is expanded to its end: evidence expands it again as it is packed.
            if (!is_running() && reason_ != support::StopReason::violation) break;
        }
        if (is_first && !any) ++statistics_.deadlocks;
        if (++statistics_.expanded % kStatesPerLook == 0) look_at_limits();
    }

    // An initial state in which the measure cannot be evaluated.
    void stop_without_key(const std::vector<Word>& state) {
        offending_ = explore::OffendingStep{state, {}, {}, {}};
        stop(support::StopReason::no_key);
    }

    // For loops without expansions.
    void look_at_limits() {
        if (!is_running()) return;
        const auto now = explore::SearchLimits::Clock::now();
        count(statistics_);
        if (settings_.states && statistics_.states >= *settings_.states) stop(support::StopReason::states);
        if (const support::StopReason reason = limits_.exhausted(now); reason != support::StopReason::none)
            stop(reason);
        if (!limits_.is_tick_due(now)) return;
        limits_.start_next_tick(now);
        report();
    }

    // The search from its beginning to its end; evidence is added by the engine.
    EmptinessResult run() {
        try {
            search();
        } catch (const std::bad_alloc&) {
            reason_ = support::StopReason::memory;
        }
        report();
        EmptinessResult result;
        for (auto& [key, fault] : faults_)
            result.faults.push_back({key.first, key.second, fault.occurrences, fault.state});
        result.complete = is_running();
        result.reason = reason_;
        result.statistics = statistics_;
        result.system = system_;
        result.offending = std::move(offending_);
        tick_ = {};
        return result;
    }

    model::Marks wanted() const { return wanted_; }

private:
    static constexpr std::uint64_t kStatesPerLook = 256;
    static constexpr std::size_t kBatch = 1024;

    struct FirstFault {
        std::vector<Word> state;
        std::uint64_t occurrences;
    };

    void meet_fault(model::TransitionId transition, model::FaultKind kind) {
        ++statistics_.faults;
        ++faults_.try_emplace({transition, kind}, FirstFault{source_, 0}).first->second.occurrences;
    }

    void stop_without_key(const successor::Cursor& cursor) {
        offending_ = explore::OffendingStep{
            source_, explore::step_at(*system_, source_.data(), 0, cursor.delivered).next, {}, {}};
        stop(support::StopReason::no_key);
    }

    void widen() {
        std::shared_ptr<const successor::System> wider = explore::repacked(*system_, *expander_, limits_);
        const successor::Repacking translate = wider->repacking(*system_);
        repack(*wider, translate);
        const auto in_wider = [&](const std::vector<Word>& state) {
            std::vector<Word> result(wider->state_words());
            translate(state.data(), result.data());
            return result;
        };
        for (auto& [key, fault] : faults_) fault.state = in_wider(fault.state);
        source_ = in_wider(source_);
        system_ = std::move(wider);
        renew();
    }

    // What depends on the packing.
    void renew() {
        expander_ = system_->search_expander();
        batch_.emplace(system_->state_words(), kBatch);
        source_.resize(system_->state_words());
    }

    void report() {
        count(statistics_);
        explore::count_system(statistics_, *system_, limits_);
        tick_(statistics_);
    }

    std::shared_ptr<const successor::System> system_;
    model::Marks wanted_;
    explore::SearchSettings settings_;
    std::function<void(const explore::Statistics&)> tick_;
    explore::SearchLimits limits_;
    support::StopReason reason_ = support::StopReason::none;
    explore::Statistics statistics_;
    std::map<std::pair<model::TransitionId, model::FaultKind>, FirstFault> faults_;
    std::optional<explore::OffendingStep> offending_;
    std::unique_ptr<successor::Expander> expander_;
    std::optional<successor::SuccessorBatch> batch_;
    std::vector<Word> source_;
};

}  // namespace tideline::check::ltl
