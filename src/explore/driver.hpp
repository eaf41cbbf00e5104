// The one loop of all searches: take states from the walk, expand them, put the successors into its store, tell the observer, keep
// the limits. When a value does not fit the packing, the system is widened, the stored states are carried over, and the loop goes on where
// it stopped.
//
// The loop runs in rounds of three parts. *Produce*: every thread takes states of its share of the walk and expands them into a batch.
// *Consume*: every thread goes through the batches of all and stores the successors whose hashes make them its own. *Conclude*: one thread,
// alone, tells the observer, looks at the limits, widens the system, moves the walk on. Several threads meet once a round, before it is
// concluded: each consumes what was sent in the round before and then makes what it will send, so that one part that takes long is made up for by the other. Nothing
// is ever touched by two at a time, and no part needs a lock; what a search with several threads does depends on their number only.
//
// The threads of a joint walk (joint_breadth_first.hpp) look up in tables that they have in common. Each goes on like a thread that is
// alone, with small batches that stay in its cache, and meets the others only to conclude. There the order of states within a level is left
// to chance.
//
// A walk that records writes what it takes to a ledger before it is expanded. From time to time, when nothing that was taken is left to
// expand, everything is committed; so it is when a limit or an interrupt ends the search, which can then be resumed.
#pragma once

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstring>
#include <exception>
#include <filesystem>
#include <limits>
#include <map>
#include <new>
#include <tuple>
#include <utility>

#include "explore/ledger_paths.hpp"
#include "explore/ledger_run.hpp"
#include "explore/logged_paths.hpp"
#include "explore/meeting.hpp"
#include "explore/path_log.hpp"
#include "explore/search.hpp"
#include "explore/thread_team.hpp"
#include "support/budget.hpp"
#include "support/memory.hpp"

namespace tideline {

template <class Walk>
class Driver final : public SearchView {
public:
    // `monotonic_only`: a step to less progress ends the search. The rest is for the walk.
    template <class... ForWalk>
    Driver(std::shared_ptr<const System> system, const SearchSettings& settings, SearchObserver& observer, ThreadTeam& team,
           bool monotonic_only = false, ForWalk&&... for_walk)
        : system_(std::move(system)), settings_(settings), observer_(observer), team_(team), budget_(settings.limits()),
          memory_(budget_.limits().memory), overdraft_(overdraft_of(budget_.limits().memory)),
          may_allocate_([this](std::uint64_t bytes) { return memory_allows(bytes); }),
          walk_(*system_, may_allocate_, team.size(), std::forward<ForWalk>(for_walk)...), start_(Clock::now()),
          last_look_(start_), next_tick_(start_ + kTick), next_commit_(start_) {
        if (const std::optional<std::chrono::nanoseconds> left = budget_.time_left()) deadline_ = start_ + *left;
        bool sleeps = Walk::kSleeps;
        if constexpr (Walk::kRecords) {
            next_commit_ += settings.ledger->commit_every;
            label_bytes_ = settings.ledger->writer.header().label_bytes;
            records_edges_ = settings.ledger->writer.header().edges;
            sleeps = !records_edges_;
        }
        if constexpr (Walk::kRecords) walk_.set_overdraft(overdraft_);
        const unsigned threads = team.size();
        keeps_paths_ = Walk::kInOrder && threads == 1 && settings.paths;
        const std::uint64_t bytes = buffer_bytes(budget_.limits().memory, threads);
        for (unsigned i = 0; i < threads; ++i)
            workers_.push_back(std::make_unique<Worker>(*system_, walk_.share(i), i, threads, sleeps, bytes));
        if constexpr (Walk::kForgets)
            if (monotonic_only)
                for (const auto& worker : workers_) worker->share.demand_order();
    }

    SearchResult run() {
        try {
            const bool begins = discover_initial();
            if (begins) workers_.size() == 1 ? explore_alone() : explore_together();
            if constexpr (Walk::kRecords) {
                if (!begins && reason_ == StopReason::none && !settings_.ledger->saved.complete) commit(true);
                settings_.ledger->writer.wait();
            }
        } catch (const std::bad_alloc&) {
            stop(StopReason::memory);
        } catch (const LedgerError& error) {
            if (error.kind() != LedgerFault::disk_full && error.kind() != LedgerFault::limit) throw;
            stop(StopReason::disk);
        }
        update_statistics();
        if constexpr (Walk::kForgets || Walk::kRecords) statistics_.sweep_details = walk_.details();
        observer_.tick(statistics_);
        return {reason_ == StopReason::none, reason_, statistics_, std::move(offending_), system_, Walk::kForgets, paths(), is_resumable()};
    }

    [[nodiscard]] const System& system() const override { return *system_; }
    [[nodiscard]] const Statistics& statistics() const override { return statistics_; }
    [[nodiscard]] std::vector<std::vector<Word>> path_to(const Found& found) override {
        const Budget no_limits;
        std::optional<PackedPath> path;
        if constexpr (Walk::kDiscoversOnTake)
            path = current_path(no_limits);
        else if constexpr (Walk::kRecords)
            path = ledger_path(system_, settings_.ledger->writer, walk_.packings(), found.number, no_limits);
        else if (keeps_paths_)
            path = logged_path(system_, log_, found.number, no_limits);
        std::vector<std::vector<Word>> states;
        for (std::size_t i = 0; path && i < path->size(); ++i) states.emplace_back(path->state(i), path->state(i) + path->words());
        return states;
    }
    [[nodiscard]] std::optional<PackedPath> current_path(const Budget& budget) override {
        if constexpr (Walk::kDiscoversOnTake)
            if (budget.allows(walk_.share(0).path_length() * system_->state_words() * sizeof(Word)))
                return PackedPath{system_, walk_.share(0).path(), {}};
        return std::nullopt;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint64_t kRoundsPerLook = 16;
    static constexpr std::chrono::milliseconds kLongLook{50};  // from one look at the limits to the next
    static constexpr std::chrono::milliseconds kRound{20};  // of a joint walk
    static constexpr std::chrono::milliseconds kTick{100};
    static constexpr std::chrono::milliseconds kMemoryLook{5};

    // A label that is false in a new state.
    struct Hit {
        const Word* state;
        std::uint64_t number;   // among the new states of the round; where states are recorded, its number there
        std::size_t label;
        FaultKind fault;
    };
    struct Fresh {
        const SuccessorBatch* batch;
        std::vector<std::uint32_t> places;
    };

    // The entries of a batch that have no fault, by the thread that is to store them.
    struct Owned {
        std::vector<std::uint32_t> places;
        std::vector<std::size_t> ends;       // of those of each thread
        [[nodiscard]] std::span<const std::uint32_t> of(std::size_t thread) const {
            const std::size_t begin = thread == 0 ? 0 : ends[thread - 1];
            return std::span(places).subspan(begin, ends[thread] - begin);
        }
    };

    // What a thread makes in a round: successors, and of which states.
    struct Production {
        explicit Production(SuccessorBatch its_batch) : batch(std::move(its_batch)) {}

        SuccessorBatch batch;
        Owned owned;                         // where several threads store them
        const Word* sources = nullptr;       // all that were taken together, of which some may be expanded in other rounds
        std::vector<std::uint64_t> targets;  // numbers of the batch's states, where edges are recorded
        std::size_t taken = 0;
        bool has_just_taken = false;
        std::uint64_t first_number = 0;      // of the sources, where they are recorded
        std::uint64_t expanded_before = 0;   // the sources
        std::uint64_t delivered_before = 0;  // successors of the batch's first source that came before this batch
    };

    // One thread's part in the search.
    struct Worker {
        Worker(const System& system, typename Walk::Share& its_share, std::size_t its_number, std::size_t workers, bool lets_sleep,
               std::uint64_t bytes)
            : share(its_share), number(its_number), buffer_bytes(bytes), expander(system.search_expander()),
              sleeps(lets_sleep && system.commuting() != nullptr) {
            make_room(system.state_words(), workers);
        }

        // Buffers of so many states as are fast where these are small, or as fit into the bytes that the thread has for them.
        void make_room(std::size_t words, std::size_t workers) {
            const bool sends = workers > 1 && !Walk::kJoint;
            const std::uint64_t buffers = sends ? 2 : 1;
            const std::uint64_t state_bytes = words * sizeof(Word);
            const auto count = [&](std::uint64_t most, std::uint64_t room, std::uint64_t each) {
                return static_cast<std::size_t>(std::max(std::min(most, room / buffers / each), std::min<std::uint64_t>(most, kFewestBuffered)));
            };
            const std::size_t fitting = count(workers == 1 ? 256 : Walk::kJoint ? 1024 : 2048, buffer_bytes / 4, state_bytes);
            chunk = std::max(fitting, taken);  // what was taken stays where the packing becomes wider
            successors = count(workers == 1 ? 1024 : Walk::kJoint ? 4096 : 8192, buffer_bytes / 4 * 3, state_bytes + kBytesPerSuccessor);
            slice = std::min(slice, chunk);
            states.resize(chunk * words);
            states_before.resize(sends ? chunk * words : 0);
            if (sleeps) asleep.resize(chunk);
            productions.clear();
            productions.reserve(buffers);  // `made` and `sent` point here
            for (std::size_t i = 0; i < buffers; ++i) {
                Production& production = productions.emplace_back(SuccessorBatch(words, successors));
                if (sends) production.owned.ends.resize(workers);
            }
            made = &productions.front();
            sent = &productions.back();
        }

        typename Walk::Share& share;
        std::size_t number;
        std::uint64_t buffer_bytes;
        std::size_t chunk = 0;        // states taken at a time
        std::size_t slice = 8;        // states expanded between two looks at the clock; as many as are taken, unless they take long
        std::size_t successors = 0;   // of a batch
        std::unique_ptr<Expander> expander;
        bool sleeps;
        std::vector<Word> states;   // taken, being expanded
        std::vector<Word> states_before;  // where successors are sent: those before them, of which some may just have been
        std::vector<SleepSet> asleep;  // in each of the states; empty where nothing ever sleeps
        std::size_t taken = 0;
        Cursor cursor;
        Expansion expansion = Expansion::done;
        std::vector<Production> productions;
        Production* made = nullptr; // in this round,
        Production* sent = nullptr; // and what is consumed in it: the same with one thread, and in a joint walk
        std::vector<std::uint32_t> owners;   // of the entries of a batch,
        std::vector<std::size_t> counts;     // and how many each has
        std::vector<std::uint32_t> without_fault;
        std::uint64_t first_number = 0;      // of the states, where they are recorded
        std::uint64_t expanded_before = 0;   // the states
        std::vector<Fresh> fresh;            // of what each thread has sent; of its own batch in a joint walk
        std::uint64_t fresh_count = 0;       // in this round
        std::vector<Hit> hits;
        std::vector<std::uint32_t> deadlocks;  // places among the sources of what was sent
        std::vector<std::uint64_t> label_bits;
        std::vector<FaultKind> label_faults;
        std::vector<std::uint8_t> recorded_labels;  // of the states taken last, where they are recorded
        std::exception_ptr failure;
        std::uint64_t expanded = 0;
        std::uint64_t transitions = 0;
        std::uint64_t deadlock_count = 0;
    };

    static constexpr std::uint64_t kFewestBuffered = 4;     // states of a buffer, however large
    static constexpr std::uint64_t kBytesPerSuccessor = 48; // beside the state
    static constexpr std::uint64_t kMostBuffered = std::uint64_t{4} << 20U;

    // What each thread may have for states and successors: at most a sixteenth of the limit for all of them.
    static std::uint64_t buffer_bytes(const std::optional<std::uint64_t>& memory, unsigned threads) {
        return std::min(kMostBuffered, memory ? *memory / 16 / threads : kMostBuffered);
    }

    [[nodiscard]] std::size_t owner(std::uint64_t hash) const { return ((hash & 0xFFFFFFFFU) * workers_.size()) >> 32U; }

    // Whether resuming goes on from something that this search, or the one that it has resumed, has made durable.
    [[nodiscard]] bool is_resumable() const {
        if constexpr (Walk::kRecords)
            return reason_ != StopReason::none && (settings_.ledger->resumed || settings_.ledger->writer.durable_commits() > 0);
        return false;
    }

    // What the search leaves behind for who asks for paths.
    [[nodiscard]] std::shared_ptr<PathSource> paths() {
        if constexpr (Walk::kRecords) return std::make_shared<LedgerPaths>(system_, settings_.ledger->writer, walk_.packings());
        if (!keeps_paths_) return nullptr;
        return std::make_shared<LoggedPaths>(system_, std::move(log_));
    }

    // ---- rounds ----------------------------------------------------------------------------------------------------------------

    void explore_alone() {
        Worker& worker = *workers_[0];
        while (!finished_) {
            produce(worker);
            if constexpr (Walk::kDiscoversOnTake)
                if (!report_entered(worker)) return;
            record_taken();
            consume(worker);
            record_edges();
            conclude();
        }
    }

    void explore_together() {
        std::exception_ptr failure;
        const auto safely = [&](const auto& part) noexcept {
            if (finished_) return;
            try {
                part();
            } catch (const std::bad_alloc&) {
                stop(StopReason::memory);
            } catch (...) {
                failure = std::current_exception();
                finished_ = true;
            }
        };
        Meeting meeting(workers_.size());
        const auto work_round = [&](Worker& worker, bool alone) {
            guard(worker, [&] {
                if constexpr (Walk::kJoint) {
                    search(worker, meeting, alone);
                } else {
                    consume(worker);
                    produce(worker);
                }
            });
        };
        const auto finish_round = [&] {
            safely([&] {
                for (const auto& each : workers_)
                    if (each->failure) std::rethrow_exception(each->failure);
                record_edges();  // of states that were taken before
                record_taken();
                conclude();
                if (!Walk::kJoint)
                    for (const auto& each : workers_) std::swap(each->made, each->sent);
            });
        };
        team_.run([&](unsigned i) {
            while (!finished_) {
                work_round(*workers_[i], false);
                meeting.arrive([&] {
                    finish_round();
                    // The others wait while one thread does all parts of rounds in which there is little to do.
                    while (!finished_ && has_little_to_do()) {
                        for (const auto& each : workers_) work_round(*each, true);
                        finish_round();
                    }
                });
            }
        });
        if (failure) std::rethrow_exception(failure);
    }

    // Whether a round takes less time than to wait for other threads. The same at every run: it depends on counts only.
    [[nodiscard]] bool has_little_to_do() const {
        std::uint64_t states = walk_.ready();
        std::uint64_t successors = 0;
        for (const auto& worker : workers_) {
            states += worker->taken - worker->cursor.state;
            if (!Walk::kJoint) successors += worker->sent->batch.size();
        }
        return states < settings_.alone_below && successors < 2 * settings_.alone_below;
    }

    // One thread's round of a joint walk: batches, until there is something to tell of one, or another thread waits, or it is time to look
    // at the limits.
    void search(Worker& worker, const Meeting& meeting, bool alone) {
        const bool tells_all = observer_.wants_discoveries();
        const bool tells_deadlocks = observer_.wants_deadlocks();
        const auto goes_on = [&] {
            if (worker.taken == 0 || (worker.expansion != Expansion::done && worker.expansion != Expansion::full)) return false;
            if (tells_all || worker.sent->batch.has_faults() || (tells_deadlocks && !worker.deadlocks.empty()) || !worker.hits.empty()) return false;
            return !settings_.states && (alone || !meeting.is_awaited());  // a limit on states is looked at after every batch
        };
        worker.share.let_put_aside(!tells_all && observer_.watched_labels().empty());
        start_round(worker);
        const Clock::time_point end = Clock::now() + kRound;
        do {
            produce(worker);
            count_sources(worker);
            consume_from(worker, *worker.sent, worker.fresh[0]);
        } while (goes_on() && Clock::now() < end);
        worker.share.settle();
    }

    template <class Part>
    static void guard(Worker& worker, Part part) {
        if (worker.failure) return;
        try {
            part();
        } catch (...) {
            worker.failure = std::current_exception();
        }
    }

    // ---- produce ---------------------------------------------------------------------------------------------------------------

    void produce(Worker& worker) {
        Production& made = *worker.made;
        made.has_just_taken = false;
        if (!is_draining_ && worker.cursor.state == worker.taken) {
            worker.cursor = {};
            worker.taken = 0;
            if (!is_held_) take(worker);
        }
        made.sources = worker.states.data();
        made.taken = worker.taken;
        made.expanded_before = worker.expanded_before;
        made.batch.restart(worker.cursor.state, worker.asleep.empty() ? nullptr : worker.asleep.data());
        made.delivered_before = worker.cursor.delivered;
        std::fill(made.owned.ends.begin(), made.owned.ends.end(), 0);
        if (is_draining_) return;
        worker.expansion = Expansion::done;
        if (worker.taken > 0 && !Walk::kDiscoversOnTake) expand(worker);
    }

    void take(Worker& worker) {
        Production& made = *worker.made;
        if (!worker.states_before.empty()) worker.states.swap(worker.states_before);
        worker.taken = worker.share.take(worker.states.data(), worker.asleep.data(), worker.chunk);
        made.has_just_taken = true;
        worker.expanded_before = worker.expanded;
        if (label_bytes_ > 0) evaluate_recorded_labels(worker);
    }

    void expand(Worker& worker) {
        Production& made = *worker.made;
        expand_in_slices(worker);
        made.batch.compute_hashes();
        if (records_edges_) made.targets.resize(made.batch.size());
        if (workers_.size() == 1) return;
        // A step that slept in the source leads to a state that is known only if states are expanded in the order of their discovery, which
        // several threads do not keep: with what they inherit, sleeping steps could wait for each other in a circle. By levels, the order of
        // transitions excludes that; without levels, what sleeps must have been looked up from the same source before.
        if constexpr (Walk::kByLevels) {
            if (const Commuting* commuting = system_->commuting()) made.batch.sleep_by_order(*commuting);
        } else {
            made.batch.wake_inherited();
        }
        if (!Walk::kJoint) deal_out(worker);
    }

    // Some systems take long for a state: between slices the clock is looked at. What is in a batch does not depend on the slices, but where
    // time is up.
    void expand_in_slices(Worker& worker) {
        Clock::time_point before;
        for (bool is_first = true;; is_first = false) {
            const std::size_t end = std::min(worker.taken, worker.cursor.state + worker.slice);
            const std::uint32_t begin = worker.cursor.state;
            if (end < worker.taken && is_first) before = Clock::now();
            worker.expansion = worker.expander->expand(worker.states.data(), end, worker.cursor, worker.made->batch);
            if (worker.expansion != Expansion::done || worker.cursor.state == worker.taken) return;
            const Clock::time_point now = Clock::now();
            if (now - before < kLongLook / 25)
                worker.slice = std::min(worker.slice * 2, worker.chunk);
            else if (now - before > kLongLook / 2)
                worker.slice = std::max<std::size_t>((worker.cursor.state - begin) / 2, 1);
            before = now;
            if (now < next_tick_ && now < deadline_) continue;
            is_look_due_ = true;
            if (now < deadline_ && !budget_.is_interrupted()) continue;
            worker.expansion = Expansion::full;
            return;
        }
    }

    void deal_out(Worker& worker) const {
        Production& made = *worker.made;
        const SuccessorBatch& batch = made.batch;
        std::vector<std::size_t>& ends = made.owned.ends;
        const std::size_t threads = ends.size();
        // Entries with a fault come behind those of the last thread.
        worker.counts.assign(threads + 1, 0);
        worker.owners.resize(batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const std::size_t to = batch.fault(i) == FaultKind::none ? owner(batch.hash(i)) : threads;
            worker.owners[i] = static_cast<std::uint32_t>(to);
            ++worker.counts[to];
        }
        std::size_t begin = 0;
        for (std::size_t& count : worker.counts) begin += std::exchange(count, begin);
        made.owned.places.resize(batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) made.owned.places[worker.counts[worker.owners[i]]++] = static_cast<std::uint32_t>(i);
        std::copy_n(worker.counts.begin(), threads, ends.begin());
    }

    // Before anything can refer to them. In the order of the threads, so that numbers are the same every time.
    void record_taken() {
        if constexpr (Walk::kRecords) {
            for (const auto& worker : workers_) {
                Production& made = *worker->made;
                if (made.has_just_taken && worker->taken > 0) worker->first_number = walk_.record(worker->number, worker->recorded_labels);
                made.first_number = worker->first_number;
                made.batch.set_first_number(made.first_number + made.batch.first_source());
            }
        }
    }

    // ---- consume ---------------------------------------------------------------------------------------------------------------

    void consume(Worker& worker) {
        count_sources(worker);
        start_round(worker);
        for (std::size_t from = 0; from < workers_.size(); ++from) consume_from(worker, *workers_[from]->sent, worker.fresh[from]);
        if (Walk::kRecords && worker.sent->has_just_taken) watch_taken(worker);
        if (worker.expansion == Expansion::done && worker.taken > 0) worker.share.expanded();
    }

    void start_round(Worker& worker) const {
        worker.hits.clear();
        worker.fresh.resize(workers_.size());
        worker.fresh_count = 0;
    }

    void consume_from(Worker& worker, Production& sent, Fresh& fresh) {
        fresh.batch = &sent.batch;
        fresh.places.clear();
        const bool is_shared = !sent.owned.ends.empty();
        if (!is_shared && !sent.batch.has_faults()) {
            absorb(worker, sent, sent.batch.size(), [](std::size_t j) { return j; }, fresh.places);
        } else {
            const std::span<const std::uint32_t> mine = is_shared ? sent.owned.of(worker.number) : without_fault(worker, sent.batch);
            absorb(worker, sent, mine.size(), [&](std::size_t j) { return mine[j]; }, fresh.places);
        }
        if (!Walk::kRecords) watch(worker, fresh);
        worker.fresh_count += fresh.places.size();
    }

    template <class Pick>
    void absorb(Worker& worker, Production& sent, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        worker.share.absorb(sent.batch, count, pick, fresh);
        if constexpr (Walk::kRecords)
            if (records_edges_) worker.share.give_numbers(pick, sent.targets);
    }

    static std::span<const std::uint32_t> without_fault(Worker& worker, const SuccessorBatch& batch) {
        worker.without_fault.clear();
        for (std::size_t i = 0; i < batch.size(); ++i)
            if (batch.fault(i) == FaultKind::none) worker.without_fault.push_back(static_cast<std::uint32_t>(i));
        return worker.without_fault;
    }

    void count_sources(Worker& worker) {
        const SuccessorBatch& batch = worker.sent->batch;
        worker.deadlocks.clear();
        worker.expanded += batch.complete_sources();
        worker.transitions += batch.size();
        if (batch.has_faults())
            for (std::size_t i = 0; i < batch.size(); ++i) worker.transitions -= batch.fault(i) != FaultKind::none;
        std::uint32_t begin = 0;
        for (std::size_t n = 0; n < batch.complete_sources(); ++n) {
            worker.transitions += batch.skipped(n);
            if (batch.end(n) == begin && batch.skipped(n) == 0 && (n > 0 || worker.sent->delivered_before == 0))
                worker.deadlocks.push_back(batch.first_source() + static_cast<std::uint32_t>(n));
            begin = batch.end(n);
        }
        worker.deadlock_count += worker.deadlocks.size();
    }

    void watch(Worker& worker, const Fresh& fresh) {
        const std::span<const std::size_t> watched = observer_.watched_labels();
        if (watched.empty()) return;
        worker.label_bits.resize(system_->label_words());
        worker.label_faults.resize(system_->label_count());
        std::uint64_t number = worker.fresh_count;
        for (const std::uint32_t place : fresh.places) watch_state(worker, watched, fresh.batch->state(place), number++);
    }

    void watch_taken(Worker& worker) {
        const std::span<const std::size_t> watched = observer_.watched_labels();
        if (watched.empty()) return;
        worker.label_bits.resize(system_->label_words());
        worker.label_faults.resize(system_->label_count());
        const Production& sent = *worker.sent;
        for (std::size_t i = 0; i < sent.taken; ++i)
            watch_state(worker, watched, sent.sources + i * system_->state_words(), sent.first_number + i);
    }

    void watch_state(Worker& worker, std::span<const std::size_t> watched, const Word* state, std::uint64_t number) {
        worker.expander->labels(state, worker.label_bits.data(), worker.label_faults.data());
        for (const std::size_t label : watched)
            if (((worker.label_bits[label / 64] >> (label % 64)) & 1U) == 0)
                worker.hits.push_back({state, number, label, worker.label_faults[label]});
    }

    // ---- conclude --------------------------------------------------------------------------------------------------------------

    void conclude() {
        if (!check_order() || !report_faults() || !report_fresh() || !report_deadlocks()) return;
        bool idle = true;
        for (const auto& worker : workers_) {
            idle = idle && worker->taken == 0;
            if (worker->expansion == Expansion::done || worker->expansion == Expansion::full) continue;
            // What several threads have made is first consumed.
            if (workers_.size() == 1 || Walk::kJoint || std::exchange(is_draining_, !is_draining_)) {
                if (worker->expansion == Expansion::keyless) {
                    stop_without_key(*worker);
                    return;
                }
                widen(*worker->expander);
            }
            idle = false;
            break;
        }
        if (++rounds_ % kRoundsPerLook == 0 || workers_.size() > 1 || is_look_due_ || (Walk::kRecords && is_short_)) look_at_limits();
        if (finished_) return;
        if constexpr (Walk::kRecords) {
            if (is_held_ || Clock::now() >= next_commit_) {
                const bool was_held = std::exchange(is_held_, !is_quiet());
                if (is_held_) return;
                commit(false);
                finished_ = reason_ != StopReason::none;
                if (finished_) return;
                // What the line has so far is durable; it begins the layer again in smaller parts.
                if (std::exchange(is_to_cut_, false)) {
                    if (!walk_.cut()) return limit(StopReason::memory);
                    release_free_memory();
                    idle = true;
                } else if (was_held) {
                    return;  // threads without work may only have been kept from it
                }
            }
        }
        if (idle) finished_ = !advance();
        if constexpr (Walk::kRecords)
            if (finished_) commit(true);
    }

    bool advance() {
        if constexpr (Walk::kRecords) {
            const bool goes_on = walk_.advance([this](std::uint64_t hash) { return owner(hash); });
            is_short_ = false;  // the walk has asked what it could have, and made way where it was too little
            return goes_on;
        } else {
            return walk_.advance();
        }
    }

    // ---- recording -------------------------------------------------------------------------------------------------------------

    // Bit i % 8 of byte i / 8 of a state is what label i is in it.
    void evaluate_recorded_labels(Worker& worker) {
        worker.label_bits.resize(system_->label_words());
        worker.label_faults.resize(system_->label_count());
        worker.recorded_labels.resize(worker.taken * label_bytes_);
        for (std::size_t i = 0; i < worker.taken; ++i) {
            worker.expander->labels(worker.states.data() + i * system_->state_words(), worker.label_bits.data(), worker.label_faults.data());
            std::memcpy(worker.recorded_labels.data() + i * label_bytes_, worker.label_bits.data(), label_bytes_);
        }
    }

    void record_edges() {
        if constexpr (Walk::kRecords) {
            if (!records_edges_) return;
            for (const auto& worker : workers_) walk_.record_edges(worker->number, worker->sent->batch, worker->sent->targets);
            walk_.write_edges();
        }
    }

    // Whether everything that was taken has been expanded and consumed.
    [[nodiscard]] bool is_quiet() const {
        return std::all_of(workers_.begin(), workers_.end(), [this](const auto& worker) {
            return worker->expansion == Expansion::done && worker->cursor.state == worker->taken && (workers_.size() == 1 || worker->taken == 0);
        });
    }

    void commit(bool complete) {
        update_statistics();
        SavedSearch saved;
        saved.complete = complete;
        saved.statistics = statistics_;
        saved.told = told_;
        walk_.commit(std::move(saved));
        next_commit_ = Clock::now() + settings_.ledger->commit_every;
    }

    void tell_later(Told::Kind kind, std::uint64_t number, std::uint64_t what, FaultKind fault) {
        if constexpr (Walk::kRecords) {
            const auto [place, is_first] = told_places_.try_emplace(std::tuple(kind, what, fault), told_.size());
            if (is_first)
                told_.push_back({kind, number, what, fault, 1});
            else
                ++told_[place->second].times;
        }
    }

    // What the search knew when it was interrupted. False: that is enough for the observer.
    bool restore() {
        const SavedSearch& saved = settings_.ledger->saved;
        Worker& first = *workers_[0];
        first.expanded = saved.statistics.expanded;
        first.transitions = saved.statistics.transitions;
        first.deadlock_count = saved.statistics.deadlocks;
        statistics_.faults = saved.statistics.faults;
        seconds_before_ = saved.statistics.seconds;
        told_ = saved.told;
        for (std::size_t i = 0; i < told_.size(); ++i) told_places_.try_emplace(std::tuple(told_[i].kind, told_[i].what, told_[i].fault), i);
        update_statistics();
        for (const Told& told : saved.told) {
            const std::vector<Word> state = walk_.state_of(told.number);
            const Found found{state.data(), told.number};
            bool goes_on = true;
            for (std::uint64_t i = 0; i < told.times && goes_on; ++i) {
                switch (told.kind) {
                    case Told::Kind::label: goes_on = observer_.label_is_false(*this, found, told.what, told.fault); break;
                    case Told::Kind::deadlock: goes_on = observer_.deadlock(*this, found); break;
                    case Told::Kind::fault: goes_on = observer_.faulty(*this, found, static_cast<TransitionId>(told.what), told.fault); break;
                }
            }
            if (!goes_on) return stop(StopReason::violation);
        }
        const auto owner_of = [this](std::uint64_t hash) { return owner(hash); };
        walk_.load_waiting(owner_of);
        is_short_ = false;
        return !saved.complete && walk_.advance(owner_of);
    }

    // An observer that has seen enough needs no more, whatever limit was about to end the search.
    bool stop(StopReason reason) {
        if (reason_ == StopReason::none || reason == StopReason::violation) reason_ = reason;
        finished_ = true;
        return false;
    }

    // New states have consecutive numbers, thread after thread.
    bool report_fresh() {
        if (keeps_paths_) log(*workers_[0]);
        for (const auto& worker : workers_) {
            const std::uint64_t count = worker->fresh_count;
            const std::uint64_t first = std::exchange(numbered_, numbered_ + count);
            if (observer_.wants_discoveries() && !(Walk::kRecords ? report_taken(*worker) : count == 0 || report(*worker, first))) return false;
            for (const Hit& hit : worker->hits) {
                update_statistics();
                const Found found{hit.state, Walk::kRecords ? hit.number : first + hit.number};
                tell_later(Told::Kind::label, found.number, hit.label, hit.fault);
                if (!observer_.label_is_false(*this, found, hit.label, hit.fault)) return stop(StopReason::violation);
            }
        }
        return true;
    }

    bool report(const Worker& worker, std::uint64_t number) {
        found_.clear();
        for (const Fresh& fresh : worker.fresh)
            for (const std::uint32_t place : fresh.places) found_.push_back({fresh.batch->state(place), number++});
        update_statistics();
        return observer_.discovered(*this, found_) || stop(StopReason::violation);
    }

    bool report_taken(const Worker& worker) {
        const Production& sent = *worker.sent;
        if (!sent.has_just_taken || sent.taken == 0) return true;
        found_.clear();
        for (std::size_t i = 0; i < sent.taken; ++i)
            found_.push_back({sent.sources + i * system_->state_words(), sent.first_number + i});
        update_statistics();
        return observer_.discovered(*this, found_) || stop(StopReason::violation);
    }

    // What a depth-first search has just entered is new.
    bool report_entered(Worker& worker) {
        if (worker.taken == 0) return true;
        if (worker.made->has_just_taken && !report_new(worker, {worker.states.data(), 0})) return false;
        expand(worker);
        return true;
    }

    bool report_new(Worker& worker, const Found& found) {
        if (observer_.wants_discoveries()) {
            update_statistics();
            if (!observer_.discovered(*this, std::span(&found, 1))) return stop(StopReason::violation);
        }
        const std::span<const std::size_t> watched = observer_.watched_labels();
        if (watched.empty()) return true;
        worker.label_bits.resize(system_->label_words());
        worker.label_faults.resize(system_->label_count());
        worker.expander->labels(found.state, worker.label_bits.data(), worker.label_faults.data());
        for (const std::size_t label : std::vector<std::size_t>(watched.begin(), watched.end())) {
            if (((worker.label_bits[label / 64] >> (label % 64)) & 1U) != 0) continue;
            update_statistics();
            if (!observer_.label_is_false(*this, found, label, worker.label_faults[label])) return stop(StopReason::violation);
        }
        return true;
    }

    void log(const Worker& worker) {
        const SuccessorBatch& batch = worker.sent->batch;
        const std::vector<std::uint32_t>& places = worker.fresh[0].places;
        std::size_t next = 0;
        std::uint32_t begin = 0;
        std::uint64_t before = worker.sent->delivered_before;
        for (std::size_t n = 0; n <= batch.complete_sources(); ++n) {
            const bool complete = n < batch.complete_sources();
            const std::size_t end = complete ? batch.end(n) : batch.size();
            for (; next < places.size() && places[next] < end; ++next) log_.discovered(places[next] - begin + before);
            if (!complete) return;
            log_.expanded();
            begin = batch.end(n);
            before = 0;
        }
    }

    [[nodiscard]] Found source(const Worker& worker, std::uint32_t place) const {
        const Production& sent = *worker.sent;
        return {sent.sources + place * system_->state_words(), (Walk::kRecords ? sent.first_number : sent.expanded_before) + place};
    }

    bool report_faults() {
        for (const auto& worker : workers_) {
            const SuccessorBatch& batch = worker->sent->batch;
            if (!batch.has_faults()) continue;
            for (std::size_t i = 0; i < batch.size(); ++i) {
                if (batch.fault(i) == FaultKind::none) continue;
                ++statistics_.faults;
                const Found found = source(*worker, batch.source(i));
                tell_later(Told::Kind::fault, found.number, batch.transition(i), batch.fault(i));
                if (!observer_.faulty(*this, found, batch.transition(i), batch.fault(i)))
                    return stop(StopReason::violation);
            }
        }
        return true;
    }

    bool report_deadlocks() {
        for (const auto& worker : workers_) {
            if (worker->deadlocks.empty() || !observer_.wants_deadlocks()) continue;
            update_statistics();
            for (const std::uint32_t place : worker->deadlocks) {
                const Found found = source(*worker, place);
                tell_later(Told::Kind::deadlock, found.number, 0, FaultKind::none);
                if (!observer_.deadlock(*this, found)) return stop(StopReason::violation);
            }
        }
        return true;
    }

    // ---- measures --------------------------------------------------------------------------------------------------------------

    bool check_order() {
        if constexpr (Walk::kForgets) {
            for (const auto& worker : workers_) {
                if (!worker->share.against_order()) continue;
                const auto [batch, place] = *worker->share.against_order();
                for (const auto& producer : workers_)
                    if (&producer->sent->batch == batch) return stop_against_order(*producer, place);
            }
        }
        return true;
    }

    bool stop_against_order(Worker& producer, std::size_t i) {
        const Production& sent = *producer.sent;
        const Word* from = sent.sources + sent.batch.source(i) * system_->state_words();
        const Word* to = sent.batch.state(i);
        const auto words = static_cast<std::ptrdiff_t>(system_->state_words());
        offending_ = OffendingStep{{from, from + words}, {to, to + words}, system_->key_values(*producer.expander->key(from)),
                                   system_->key_values(sent.batch.key(i))};
        return stop(StopReason::against_order);
    }

    // The successor without a key is the next one that the cursor would deliver.
    void stop_without_key(const Worker& worker) {
        const Word* from = worker.states.data() + worker.cursor.state * system_->state_words();
        const auto words = static_cast<std::ptrdiff_t>(system_->state_words());
        const SleepSet asleep = worker.asleep.empty() ? 0 : worker.asleep[worker.cursor.state];
        offending_ = OffendingStep{{from, from + words}, step_at(*system_, from, asleep, worker.cursor.delivered).next, {}, {}};
        stop(StopReason::no_key);
    }

    // ---- the rest --------------------------------------------------------------------------------------------------------------

    // Asked by all threads. A walk that records can make way: the sooner it is told to, the better.
    bool memory_allows(std::uint64_t bytes) {
        if (!memory_.bytes()) return true;
        const std::uint64_t wanted = memory_.taken() + bytes;
        if (wanted + reserve() > *memory_.bytes()) is_short_ = true;
        return wanted <= *memory_.bytes() || (wanted <= *memory_.bytes() + overdraft_ && budget_.allows(bytes));
    }
    // A walk that records gives memory back between rounds, and can then checkpoint what it has: within a round it may take more, as far as the
    // program's own memory is not needed. Other walks have nothing to give.
    static std::uint64_t overdraft_of(const std::optional<std::uint64_t>& memory) {
        return Walk::kRecords && memory ? std::min(*memory / 10, std::uint64_t{16} << 20U) : 0;
    }
    // For what comes before the next look, and for a table to grow.
    [[nodiscard]] std::uint64_t reserve() const {
        constexpr std::uint64_t kEnough = std::uint64_t{32} << 20U;
        return std::max(*memory_.bytes() / 16, std::min(*memory_.bytes() / 7, kEnough));
    }

    bool discover_initial() {
        if constexpr (Walk::kRecords)
            if (settings_.ledger->resumed) return restore();
        const std::vector<Word> initial = system_->initial_state();
        const std::optional<Key> key = workers_[0]->expander->key(initial.data());
        if (!key) {
            offending_ = OffendingStep{initial, {}, {}, {}};
            return stop(StopReason::no_key);
        }
        const std::uint64_t hash = hash_state(initial.data(), initial.size());
        workers_[owner(hash)]->share.insert_initial(initial.data(), hash, *key);
        if (Walk::kDiscoversOnTake || Walk::kRecords) return advance();
        numbered_ = 1;
        return report_new(*workers_[0], {initial.data(), 0}) && advance();
    }

    void widen(const Expander& stopped) {
        const std::uint64_t before = memory_.taken();
        std::shared_ptr<const System> wider = system_->widened(stopped);
        // Machine code, which is part of the program, may have come with it.
        if (const std::uint64_t now = memory_.taken(); now > before) memory_.set_aside(now - before);
        assert(wider && "a system that says narrow can be widened");
        const Repacking translate = wider->repacking(*system_);
        const std::size_t words = wider->state_words();
        const auto owner_of = [this](std::uint64_t hash) { return owner(hash); };
        if constexpr (Walk::kRecords)
            walk_.repack(*wider, translate, owner_of);
        else
            walk_.repack(words, wider->state_bytes(), translate, owner_of);
        for (const auto& worker : workers_) {
            const std::vector<Word> states = std::exchange(worker->states, {});
            worker->make_room(words, workers_.size());
            for (std::size_t i = 0; i < worker->taken; ++i)
                translate(states.data() + i * system_->state_words(), worker->states.data() + i * words);
            worker->expander = wider->search_expander();
        }
        system_ = std::move(wider);
    }

    void look_at_limits() {
        is_look_due_ = false;
        // The same at every run: not where the clock has asked for a look.
        const bool is_regular = rounds_ % kRoundsPerLook == 0 || workers_.size() > 1;
        if (settings_.states && is_regular && walk_.states() >= *settings_.states) limit(StopReason::states);
        const Clock::time_point now = Clock::now();
        if (now - std::exchange(last_look_, now) > (Walk::kJoint ? 2 * kLongLook : kLongLook))
            for (const auto& worker : workers_) worker->slice = std::max<std::size_t>(worker->slice / 4, 1);
        if (now >= deadline_) limit(StopReason::time);
        // Queues and small tables grow unasked.
        if (!Walk::kRecords && now >= next_memory_look_) {
            next_memory_look_ = now + kMemoryLook;
            if (!memory_.allows(0)) limit(StopReason::memory);
        }
        if constexpr (Walk::kRecords) {
            give_way();
            if (is_disk_short(now >= next_tick_)) limit(StopReason::disk);
        }
        is_short_ = false;
        if (now < next_tick_) return;
        next_tick_ = now + kTick;
        if (budget_.is_interrupted()) limit(StopReason::interrupted);
        // A walk that records can make way once more.
        if (Walk::kRecords && !memory_.allows(0)) is_held_ = is_to_cut_ = true;
        update_statistics();
        observer_.tick(statistics_);
    }

    // Ends the search; where it records, not before what was taken is expanded and everything is committed.
    void limit(StopReason reason) {
        if constexpr (Walk::kRecords) {
            if (reason_ == StopReason::none) reason_ = reason;
            is_held_ = true;
        } else {
            stop(reason);
        }
    }

    // Whether what is left of the disk is needed for the last checkpoint: of the user's limit, and where the file system is looked at, of that.
    // The ledger counts what it has written; what it was given since then, and a checkpoint would give it, counts by how much it has been
    // compressed so far, twice to be safe.
    bool is_disk_short(bool looks_at_file_system) {
        if constexpr (Walk::kRecords) {
            const std::optional<std::uint64_t>& disk = budget_.limits().disk;
            if (!disk && !looks_at_file_system) return false;
            LedgerWriter& writer = settings_.ledger->writer;
            const auto is_short = [&](const auto& free) {
                if (walk_.checkpoint_bytes() < free()) return false;
                writer.wait();
                walk_.note_written();
                return walk_.checkpoint_bytes() >= free();
            };
            if (disk && is_short([&] { return *disk - std::min(*disk, writer.bytes()); })) return true;
            return looks_at_file_system && is_short([&] {
                std::error_code error;
                const std::filesystem::space_info space = std::filesystem::space(writer.directory(), error);
                return error ? std::numeric_limits<std::uint64_t>::max() : std::uint64_t{space.available};
            });
        }
        return false;
    }

    // Leaves waiting states to the ledger before memory runs out.
    void give_way() {
        if (!memory_.bytes()) return;
        if (!is_short_ && memory_.taken() + reserve() < *memory_.bytes()) return;
        const bool has_spilled = walk_.spill(*memory_.bytes() / 10);
        release_free_memory();
        // The line itself is too large where that was all there was to spill, and too little.
        if (!has_spilled || memory_.taken() + reserve() / 2 >= *memory_.bytes()) is_held_ = is_to_cut_ = true;
    }

    void update_statistics() {
        walk_.count(statistics_);
        statistics_.expanded = statistics_.transitions = statistics_.deadlocks = 0;
        for (const auto& worker : workers_) {
            statistics_.expanded += worker->expanded;
            statistics_.transitions += worker->transitions;
            statistics_.deadlocks += worker->deadlock_count;
        }
        statistics_.state_bytes = system_->state_bytes();
        statistics_.threads = workers_.size();
        statistics_.threads_refused = team_.refused();
        statistics_.compile_seconds = system_->compile_seconds();
        statistics_.seconds = seconds_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
    }

    std::shared_ptr<const System> system_;
    const SearchSettings& settings_;
    SearchObserver& observer_;
    ThreadTeam& team_;
    const Budget& budget_;
    MemoryLimit memory_;
    std::uint64_t overdraft_;
    std::atomic<bool> is_short_ = false;  // memory was, since the last look
    Permission may_allocate_;
    Walk walk_;
    std::vector<std::unique_ptr<Worker>> workers_;
    bool keeps_paths_ = false;
    PathLog log_;
    std::uint64_t numbered_ = 0;   // states that have a number
    std::vector<Found> found_;
    Statistics statistics_;
    StopReason reason_ = StopReason::none;
    std::atomic<bool> finished_ = false;
    bool is_draining_ = false;      // several threads consume what they have made before something else is done
    std::optional<OffendingStep> offending_;
    std::uint64_t rounds_ = 0;
    Clock::time_point start_;
    Clock::time_point deadline_ = Clock::time_point::max();
    Clock::time_point last_look_;
    Clock::time_point next_tick_;
    Clock::time_point next_memory_look_{};
    std::atomic<bool> is_look_due_ = false;  // a thread has seen that it is time
    // Of a walk that records.
    Clock::time_point next_commit_;
    bool is_held_ = false;          // nothing is taken until everything is expanded and committed
    bool is_to_cut_ = false;        // layers are too large
    std::vector<Told> told_;
    std::map<std::tuple<Told::Kind, std::uint64_t, FaultKind>, std::size_t> told_places_;
    std::size_t label_bytes_ = 0;   // of a state, that are recorded
    bool records_edges_ = false;
    double seconds_before_ = 0;     // of the search that is resumed
};

}  // namespace tideline
