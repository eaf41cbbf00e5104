// The one loop of all searches: take states from the walk, expand them, put the successors into its store, tell the
// observer, keep the limits. When a value does not fit the packing, the system is widened, the stored states are carried over, and
// the loop goes on where it stopped.
#pragma once

#include <cassert>
#include <chrono>
#include <new>
#include <utility>

#include "explore/search.hpp"
#include "support/memory.hpp"

namespace tideline {

template <class Walk>
class Driver final : public SearchView {
public:
    // `monotonic_only`: a step to less progress ends the search.
    Driver(std::shared_ptr<const System> system, const SearchLimits& limits, SearchObserver& observer, bool monotonic_only = false)
        : system_(std::move(system)), limits_(limits), observer_(observer), monotonic_only_(monotonic_only), expander_(system_->search_expander()),
          walk_(*system_, [this](std::uint64_t bytes) { return memory_allows(bytes); }),
          batch_(system_->state_words(), kSuccessors), start_(Clock::now()), next_tick_(start_ + kTick) {}

    SearchResult run() {
        try {
            if (discover_initial()) explore();
        } catch (const std::bad_alloc&) {
            stop(StopReason::memory);
        }
        update_statistics();
        if constexpr (Walk::kForgets) statistics_.sweep_details = walk_.details();
        observer_.tick(statistics_);
        return {reason_ == StopReason::none, reason_, statistics_, std::move(offending_), system_, Walk::kForgets};
    }

    [[nodiscard]] const System& system() const override { return *system_; }
    [[nodiscard]] const Statistics& statistics() const override { return statistics_; }
    [[nodiscard]] std::vector<Word> state(StateId id) const override {
        std::vector<Word> words(system_->state_words());
        walk_.read(id, words.data());
        return words;
    }
    void labels(StateId id, std::uint64_t* bits, FaultKind* faults) override {
        label_state_.resize(system_->state_words());
        walk_.read(id, label_state_.data());
        expander_->labels(label_state_.data(), bits, faults);
    }
    [[nodiscard]] std::vector<StateId> path_to(StateId id) override { return walk_.path_to(*system_, id); }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t kSuccessors = 1024;
    static constexpr std::uint64_t kRoundsPerLook = 16;
    static constexpr std::chrono::milliseconds kTick{100};

    void explore() {
        while (reason_ == StopReason::none) {
            walk_.take(taken_);
            if (taken_.empty() || !expand_taken()) break;
            if (++rounds_ % kRoundsPerLook == 0) look_at_clock();
        }
    }

    bool memory_allows(std::uint64_t bytes) const {
        return !limits_.memory || resident_memory() + bytes <= *limits_.memory;
    }

    bool stop(StopReason reason) {
        if (reason_ == StopReason::none) reason_ = reason;
        return false;
    }

    bool discover_initial() {
        const std::vector<Word> initial = system_->initial_state();
        const std::optional<Key> key = expander_->key(initial.data());
        if (!key) {
            offending_ = OffendingStep{initial, {}, {}, {}};
            return stop(StopReason::no_key);
        }
        bool fresh = false;
        const std::optional<StateId> id =
            walk_.reserve(1) ? walk_.insert(initial.data(), hash_state(initial.data(), initial.size()), *key, fresh) : std::nullopt;
        if (!id) return stop(StopReason::memory);
        update_statistics();
        return observer_.discovered(*this, std::span(&*id, 1)) || stop(StopReason::violation);
    }

    void gather() {
        states_.resize(taken_.size() * system_->state_words());
        for (std::size_t i = 0; i < taken_.size(); ++i)
            walk_.read(taken_[i], states_.data() + i * system_->state_words());
    }

    bool expand_taken() {
        gather();
        degrees_.assign(taken_.size(), 0);
        Cursor cursor;
        for (;;) {
            batch_.restart(cursor.state);
            const Expansion result = expander_->expand(states_.data(), taken_.size(), cursor, batch_);
            if (!absorb()) return false;
            if (result == Expansion::done) break;
            if (result == Expansion::keyless) return stop_without_key(cursor);
            if (result == Expansion::narrow && !widen()) return stop(StopReason::memory);
        }
        walk_.expanded();
        statistics_.expanded += taken_.size();
        for (std::size_t i = 0; i < taken_.size(); ++i) {
            if (degrees_[i] > 0) continue;
            ++statistics_.deadlocks;
            if (!observer_.deadlock(*this, taken_[i])) return stop(StopReason::violation);
        }
        return true;
    }

    // Stores the batch's successors and reports what is new.
    bool absorb() {
        if (!walk_.reserve(batch_.size())) return stop(StopReason::memory);
        batch_.compute_hashes();
        for (std::size_t i = 0; i < batch_.size(); ++i) walk_.prefetch(batch_.hash(i), batch_.key(i));
        fresh_.clear();
        bool faulty = false;
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            ++degrees_[batch_.source(i)];
            if (batch_.fault(i) != FaultKind::none) {
                faulty = true;
                continue;
            }
            if constexpr (Walk::kForgets)
                if (monotonic_only_ && walk_.is_regress(batch_.key(i))) return stop_against_order(i);
            bool fresh = false;
            const std::optional<StateId> id = walk_.insert(batch_.state(i), batch_.hash(i), batch_.key(i), fresh);
            if (!id) return stop(StopReason::memory);
            ++statistics_.transitions;
            walk_.edge(*id, fresh);
            if (fresh) fresh_.push_back(*id);
        }
        if (faulty && !report_faults()) return false;
        if (fresh_.empty()) return true;
        walk_.count(statistics_);
        return observer_.discovered(*this, fresh_) || stop(StopReason::violation);
    }

    bool stop_against_order(std::size_t i) {
        const Word* from = states_.data() + batch_.source(i) * system_->state_words();
        const auto words = static_cast<std::ptrdiff_t>(system_->state_words());
        offending_ = OffendingStep{{from, from + words}, {batch_.state(i), batch_.state(i) + words},
                                   system_->key_values(*expander_->key(from)), system_->key_values(batch_.key(i))};
        return stop(StopReason::against_order);
    }

    // The successor without a key is the next one that the cursor would deliver.
    bool stop_without_key(const Cursor& cursor) {
        const Word* from = states_.data() + cursor.state * system_->state_words();
        const auto words = static_cast<std::ptrdiff_t>(system_->state_words());
        offending_ = OffendingStep{{from, from + words}, system_->steps(from)[cursor.delivered].next, {}, {}};
        return stop(StopReason::no_key);
    }

    bool report_faults() {
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            if (batch_.fault(i) == FaultKind::none) continue;
            ++statistics_.faults;
            if (!observer_.faulty(*this, taken_[batch_.source(i)], batch_.transition(i), batch_.fault(i)))
                return stop(StopReason::violation);
        }
        return true;
    }

    bool widen() {
        std::shared_ptr<const System> wider = system_->widened(*expander_);
        assert(wider && "a system that says narrow can be widened");
        if (!walk_.repack(wider->state_words(), wider->state_bytes(),
                                  [&](const Word* from, Word* to) { wider->repack(*system_, from, to); }))
            return false;
        system_ = std::move(wider);
        expander_ = system_->search_expander();
        batch_ = SuccessorBatch(system_->state_words(), kSuccessors);
        gather();
        return true;
    }

    void look_at_clock() {
        const Clock::time_point now = Clock::now();
        if (limits_.time && now - start_ >= *limits_.time) stop(StopReason::time);
        if (now < next_tick_) return;
        next_tick_ = now + kTick;
        if (limits_.interrupted()) stop(StopReason::interrupted);
        if (!memory_allows(0)) stop(StopReason::memory);
        update_statistics();
        observer_.tick(statistics_);
    }

    void update_statistics() {
        walk_.count(statistics_);
        statistics_.state_bytes = system_->state_bytes();
        statistics_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    }

    std::shared_ptr<const System> system_;
    const SearchLimits& limits_;
    SearchObserver& observer_;
    bool monotonic_only_;
    std::unique_ptr<Expander> expander_;
    Walk walk_;
    SuccessorBatch batch_;
    std::vector<StateId> taken_;
    std::vector<Word> states_;
    std::vector<Word> label_state_;
    std::vector<std::uint32_t> degrees_;
    std::vector<StateId> fresh_;
    Statistics statistics_;
    StopReason reason_ = StopReason::none;
    std::optional<OffendingStep> offending_;
    std::uint64_t rounds_ = 0;
    Clock::time_point start_;
    Clock::time_point next_tick_;
};

}  // namespace tideline
