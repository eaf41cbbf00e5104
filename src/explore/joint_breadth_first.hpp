// Breadth-first walk of several threads, level by level, in tables that they have in common (A. Laarman, J. van de Pol,
// M. Weber: Boosting multi-core reachability performance with shared hash tables, FMCAD 2010).
//
// A thread looks the successors of a batch up itself, and what is new waits in the thread's own queue, in the order of
// its discovery: states that follow each other there are much alike, and the code that expands them is the faster for
// it (it branches as it did for the state before). Nothing is copied for another thread. The states are partitioned
// among several tables by their hashes. A thread sorts a batch by table and has one table for itself while it looks up
// there; a table that another thread has is left for later. Where another still has it when the rest of the batch is
// done - a table that grows is taken for several batches - what belongs there is deferred and looked up with what a
// later batch has for this table, at the latest when the round ends. So hardly ever one waits. A thread whose queue is
// empty takes from another's, and towards the end of a level all take less at a time, so that they end together.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cmath>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <span>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "explore/batch_insertion.hpp"
#include "explore/edge_sink.hpp"
#include "explore/entries_in_order.hpp"
#include "explore/sleep_queue.hpp"
#include "explore/walk.hpp"
#include "store/pending.hpp"
#include "store/state_numbers.hpp"
#include "support/pause.hpp"

namespace tideline::explore {

// `kNumbered`: states have numbers, which stay when states are repacked.
template <bool kNumbered>
class BasicJointBreadthFirst {
public:
    static constexpr WalkTraits kTraits{.order = ExpansionOrder::levels, .shared_tables = true, .hands_over = true};
    using VisitedTable = std::conditional_t<kNumbered, store::StateNumbers, store::StateTable>;

    // What a thread has to itself. Two threads write to no line in common.
    class alignas(128) Partition {
    public:
        Partition(BasicJointBreadthFirst& walk, std::size_t number, const successor::Commuting* commuting)
            : walk_(&walk),
              number_(number),
              level_(walk.format(), commuting),
              next_(walk.format(), commuting),
              deferred_(walk.tables_.size()) {}

        void insert_initial(const successor::Word* state, std::uint64_t hash, successor::Key /*key*/) {
            VisitedTable& table = walk_->tables_[walk_->table_of(hash)].states;
            if constexpr (kNumbered) {
                next_.numbers.push_back(
                    table.insert(state, hash, [&](std::uint64_t /*before*/) { return give_number(); }).number);
                walk_->initial_numbers_.push_back(next_.numbers.back());
            } else {
                table.insert(state, hash);
            }
            next_.states.push(walk_->format(), state);
            if (next_.asleep.in_use()) next_.asleep.push(0);
        }

        // Room for `most` states and, where steps sleep, as many sets; nothing is left for this level where it returns
        // 0.
        std::size_t pop_batch(successor::Word* states, successor::SleepSet* asleep, std::size_t most) {
            std::deque<Partition>& partitions = walk_->partitions_;
            popped_numbers_.clear();
            if (alone_) most = std::min(most, kMostAlone);
            for (std::size_t i = 0; i < partitions.size(); ++i) {
                Partition& from = partitions[(number_ + i) % partitions.size()];
                const std::size_t count = from.pop_own(states, asleep, most, popped_numbers_);
                if (count > 0) return count;
            }
            return 0;
        }

        template <class Pick>
        void insert_successors(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                               std::vector<std::uint32_t>& discovered) {
            if constexpr (!kNumbered) {
                if (alone_ && !walk_->format().ordered()) {
                    insert_alone(batch, count, pick, discovered);
                    discover(batch, discovered);
                    return;
                }
            }
            sort_by_table(batch, count, pick);
            found_.clear();
            if constexpr (kNumbered) numbers_.resize(batch.size());
            insert_all(batch);
            in_order_.start(batch.size());
            in_order_.add(found_);
            in_order_.append_to(discovered);
            discover(batch, discovered);
        }
        void expanded() {}

        // Of the states that were popped last.
        [[nodiscard]] std::span<const StateNumber> popped_numbers() const
            requires kNumbered
        {
            return popped_numbers_;
        }
        // Of the entries that were inserted last, each to its index in the batch.
        template <class Pick>
        void give_numbers(Pick /*pick*/, std::vector<StateNumber>& to) const
            requires kNumbered
        {
            for (const std::uint32_t i : sorted_) to[i] = numbers_[i];
        }

        // Whether all other threads sleep: nothing has to be sorted by table, and small batches stay in the cache.
        void set_alone(bool alone) { alone_ = alone; }
        // Whether successors may be looked up later than they are inserted, when the next batch comes to their table;
        // flush_deferred() then ends the round.
        void allow_deferral(bool may) { may_defer_ = may; }
        // Looks up what is deferred.
        void flush_deferred() {
            if (deferred_count_ == 0) return;
            for (std::size_t t = 0; t < deferred_.size(); ++t) {
                if (deferred_[t].size() == 0) continue;
                const std::lock_guard lock(walk_->tables_[t].in_use);
                insert_deferred(t);
            }
        }

    private:
        friend class BasicJointBreadthFirst;

        struct Queue {
            Queue(const store::StateTable& format, const successor::Commuting* commuting)
                : states(format, true), asleep(commuting) {}
            store::Pending states;
            SleepQueue asleep;
            std::deque<StateNumber> numbers;  // of the states, where they have any
        };

        std::size_t pop_own(successor::Word* states, successor::SleepSet* asleep, std::size_t most,
                            std::vector<StateNumber>& numbers) {
            const std::lock_guard lock(level_in_use_);
            const std::size_t half = (level_.states.size(walk_->format()) + 1) / 2;
            const std::size_t count =
                level_.states.take(walk_->format(), states, std::min(most, std::max(half, kFewest)));
            if (level_.asleep.in_use()) level_.asleep.take(asleep, count);
            if constexpr (kNumbered) {
                const auto end = level_.numbers.begin() + static_cast<std::ptrdiff_t>(count);
                numbers.assign(level_.numbers.begin(), end);
                level_.numbers.erase(level_.numbers.begin(), end);
            }
            return count;
        }

        template <class Batch>
        void discover(const Batch& batch, std::span<const std::uint32_t> indices) {
            next_.states.push(walk_->format(), batch.state(0), indices);
            if (next_.asleep.in_use())
                next_.asleep.push(indices, [&](std::uint32_t index) { return batch.asleep(index); });
            if constexpr (kNumbered)
                for (const std::uint32_t index : indices) next_.numbers.push_back(numbers_[index]);
        }

        // Numbers come in blocks, so that threads seldom ask for them; those of a thread follow each other.
        StateNumber give_number()
            requires kNumbered
        {
            if (next_number_ % kNumbersPerBlock == 0) next_number_ = walk_->next_numbers_.fetch_add(kNumbersPerBlock);
            if (next_number_ >> kStateNumberBits != 0) throw std::bad_alloc();
            return next_number_++;
        }
        // The entries of a batch for a table that this thread has, and has asked for.
        void insert_held(const successor::SuccessorBatch& batch, std::size_t t, BatchInsertion& insertion) {
            VisitedTable& table = walk_->tables_[t].states;
            if constexpr (kNumbered) {
                table.insert_batch(
                    batch, count_of(t), pick_of(t), [&](std::uint64_t /*before*/) { return give_number(); },
                    numbers_.data(), found_);
            } else {
                insertion.finish(table, batch, count_of(t), pick_of(t), found_);
            }
        }

        template <class Pick>
        void sort_by_table(const successor::SuccessorBatch& batch, std::size_t count, Pick pick) {
            const std::size_t tables = walk_->tables_.size();
            ends_.assign(tables + 1, 0);
            table_of_.resize(count);
            for (std::size_t j = 0; j < count; ++j) {
                const std::size_t t = walk_->table_of(batch.hash(pick(j)));
                table_of_[j] = static_cast<std::uint32_t>(t);
                ++ends_[t + 1];
            }
            for (std::size_t t = 0; t < tables; ++t) ends_[t + 1] += ends_[t];
            sorted_.resize(count);
            // ends_[t] is where the entries of table t begin, and then where they end.
            for (std::size_t j = 0; j < count; ++j)
                sorted_[ends_[table_of_[j]]++] = static_cast<std::uint32_t>(pick(j));
        }

        template <class Pick>
        void insert_alone(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                          std::vector<std::uint32_t>& discovered) {
            tables_.clear();
            for (Table& table : walk_->tables_) tables_.push_back(&table.states);
            const auto table_of = [tables = tables_.data(), size = tables_.size()](std::uint64_t hash) {
                return tables[((hash & 0xFFFFFFFFU) * size) >> 32U];
            };
            insertions_[0].insert_into_many(walk_->format().shape(), table_of, batch, count, pick, discovered);
        }

        [[nodiscard]] std::size_t begin_of(std::size_t t) const { return t == 0 ? 0 : ends_[t - 1]; }
        [[nodiscard]] std::size_t count_of(std::size_t t) const { return ends_[t] - begin_of(t); }
        [[nodiscard]] auto pick_of(std::size_t t) const {
            return [first = sorted_.data() + begin_of(t)](std::size_t j) { return first[j]; };
        }

        // A table that this thread has, whose first lines are on their way.
        struct Held {
            std::size_t table = 0;
            std::unique_lock<std::mutex> lock;
        };

        // What is to be looked up in a table, copied from batches.
        class Deferred {
        public:
            void push(const successor::SuccessorBatch& batch, std::size_t index, std::size_t words, bool sleeps) {
                words_ = words;
                states_.insert(states_.end(), batch.state(index), batch.state(index) + words);
                hashes_.push_back(batch.hash(index));
                if (sleeps) asleep_.push_back(batch.asleep(index));
            }
            // Most are small, and soon filled again; one that has become large need not be so again.
            void clear() {
                if (hashes_.capacity() > kKept) {
                    *this = {};
                    return;
                }
                states_.clear();
                hashes_.clear();
                asleep_.clear();
            }
            [[nodiscard]] std::size_t size() const { return hashes_.size(); }
            [[nodiscard]] const successor::Word* state(std::size_t i) const { return states_.data() + i * words_; }
            [[nodiscard]] std::uint64_t hash(std::size_t i) const { return hashes_[i]; }
            [[nodiscard]] const std::uint64_t* hashes() const { return hashes_.data(); }
            [[nodiscard]] successor::SleepSet asleep(std::size_t i) const { return asleep_[i]; }

        private:
            static constexpr std::size_t kKept = 256;  // entries

            std::size_t words_ = 0;
            std::vector<successor::Word> states_;
            std::vector<std::uint64_t> hashes_;
            std::vector<successor::SleepSet> asleep_;
        };

        // Begins somewhere else than the other threads. While one table is looked into, the lines of the next are on
        // their way.
        void insert_all(const successor::SuccessorBatch& batch) {
            const std::size_t tables = walk_->tables_.size();
            left_.clear();
            for (std::size_t i = 0; i < tables; ++i) {
                const std::size_t t = (number_ * tables / walk_->partitions_.size() + i) % tables;
                if (count_of(t) > 0) left_.push_back(t);
            }
            std::size_t now = 0;
            Held held = grab(batch, insertions_[now]);
            while (held.lock || !left_.empty()) {
                if (!held.lock && defer(batch, left_.back())) {
                    left_.pop_back();
                    held = grab(batch, insertions_[now]);
                    continue;
                }
                if (!held.lock) held = wait_for_one(batch, insertions_[now]);
                Held next = grab(batch, insertions_[1 - now]);
                insert_held(batch, held.table, insertions_[now]);
                held = std::move(next);
                now = 1 - now;
            }
        }

        // The first of the tables that are left which no other thread has; none where there is none.
        Held grab(const successor::SuccessorBatch& batch, BatchInsertion& insertion) {
            for (std::size_t i = 0; i < left_.size(); ++i) {
                Held held{left_[i], std::unique_lock(walk_->tables_[left_[i]].in_use, std::try_to_lock)};
                if (!held.lock) continue;
                left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
                start(batch, held, insertion);
                return held;
            }
            return {};
        }

        // Another thread has each of the tables that are left: mostly for a microsecond or two, which is less than
        // sleeping takes, sometimes for as long as a table takes to grow.
        Held wait_for_one(const successor::SuccessorBatch& batch, BatchInsertion& insertion) {
            for (unsigned i = 0; i < kLooksBeforeSleep; ++i) {
                if (Held held = grab(batch, insertion); held.lock) return held;
                for (unsigned j = 0; j < kPausesPerLook; ++j) support::pause_processor();
            }
            Held held{left_.back(), std::unique_lock(walk_->tables_[left_.back()].in_use)};
            left_.pop_back();
            start(batch, held, insertion);
            return held;
        }

        void start(const successor::SuccessorBatch& batch, const Held& held, BatchInsertion& insertion) {
            if (deferred_[held.table].size() > 0) insert_deferred(held.table);
            const VisitedTable& table = walk_->tables_[held.table].states;
            if constexpr (kNumbered) table.prefetch_batch(batch, count_of(held.table), pick_of(held.table));
            else insertion.start(table, batch, count_of(held.table), pick_of(held.table));
        }

        // False: one has to wait for the table.
        bool defer(const successor::SuccessorBatch& batch, std::size_t t) {
            if (!may_defer_ || deferred_[t].size() >= kMostDeferred || deferred_count_ >= kMostDeferredTogether)
                return false;
            const std::size_t words = walk_->format().state_words();
            for (std::size_t j = begin_of(t); j < ends_[t]; ++j)
                deferred_[t].push(batch, sorted_[j], words, next_.asleep.in_use());
            deferred_count_ += count_of(t);
            return true;
        }

        // Into a table that this thread has.
        void insert_deferred(std::size_t t) {
            Deferred& deferred = deferred_[t];
            found_deferred_.clear();
            assert(!kNumbered && "what has a number is not deferred");
            if constexpr (!kNumbered)
                insertion_deferred_.insert(
                    walk_->tables_[t].states, deferred, deferred.size(), [](std::size_t j) { return j; },
                    found_deferred_);
            discover(deferred, found_deferred_);
            deferred_count_ -= deferred.size();
            deferred.clear();
        }

        BasicJointBreadthFirst* walk_;
        std::size_t number_;
        std::mutex level_in_use_;
        Queue level_;  // what is to be expanded,
        Queue next_;   // and what was discovered meanwhile
        BatchInsertion insertions_[2];
        std::vector<std::size_t> ends_;
        std::vector<std::uint32_t> table_of_;  // an entry of a batch
        std::vector<std::uint32_t> sorted_;    // the entries of a batch, by table
        std::vector<std::size_t> left_;        // tables
        std::vector<std::uint32_t> found_;     // new entries
        EntriesInOrder in_order_;
        bool alone_ = false;
        std::vector<VisitedTable*> tables_;  // of the walk, for a thread that is alone
        bool may_defer_ = false;
        std::vector<Deferred> deferred_;  // by table
        std::size_t deferred_count_ = 0;  // of all tables
        BatchInsertion insertion_deferred_;
        std::vector<std::uint32_t> found_deferred_;
        // Where states have numbers.
        std::vector<StateNumber> popped_numbers_;
        std::vector<StateNumber> numbers_;  // of the entries of a batch
        StateNumber next_number_ = 0;       // of the block that the thread has; at the end of one it has none
    };

    explicit BasicJointBreadthFirst(const WalkSetup& setup)
        : try_reserve_(&setup.try_reserve),
          format_(setup.system.state_words(), setup.system.state_bytes(), setup.try_reserve) {
        tables_ = make_tables(table_count(setup.partitions), setup.system.state_words(), setup.system.state_bytes());
        for (unsigned i = 0; i < setup.partitions; ++i) partitions_.emplace_back(*this, i, setup.commuting);
    }

    [[nodiscard]] Partition& partition(std::size_t i) { return partitions_[i]; }

    // To the next level, when no share has anything left. False: there is none.
    bool advance(Owner /*owner*/) {
        for (Partition& partition : partitions_) std::swap(partition.level_, partition.next_);
        const bool continues = waiting() > 0;
        depth_ += continues;
        return continues;
    }

    // Carries all states over to another packing. Hashes change, and with them the tables: every thread goes through
    // some of the old ones and puts their states into all of the new ones. An old table is dropped when it is done, so
    // that there are never two whole sets.
    void repack(const successor::System& wider, const successor::Repacking& translate, Owner /*owner*/) {
        const std::size_t words = wider.state_words();
        const std::size_t bytes = wider.state_bytes();
        const std::uint64_t count = states();
        std::deque<Table> tables = make_tables(tables_.size(), words, bytes);
        // It is faster to have room for all from the beginning, where that may be had beside the old tables.
        const std::uint64_t room =
            (*try_reserve_)(count * (bytes + 2 * sizeof(successor::Word))) ? count / tables.size() : 0;
        std::vector<std::exception_ptr> failures(partitions_.size());
        const auto carry_over = [&](std::size_t i) {
            try {
                for (typename Partition::Queue* queue : {&partitions_[i].level_, &partitions_[i].next_})
                    queue->states.repack(format_, words, bytes, translate);
                for (std::size_t t = i; room > 0 && t < tables.size(); t += partitions_.size()) {
                    const std::lock_guard lock(tables[t].in_use);
                    if (tables[t].states.size() == 0) tables[t].states.reserve(room);
                }
                for (std::size_t t = i; t < tables_.size(); t += partitions_.size())
                    redistribute(tables_[t], tables, words, translate);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        };
        {
            // What no thread can be started for is done here.
            std::vector<std::jthread> threads;
            std::size_t i = 1;
            try {
                for (; i < partitions_.size(); ++i) threads.emplace_back([&carry_over, i] { carry_over(i); });
            } catch (const std::system_error&) {
                for (; i < partitions_.size(); ++i) carry_over(i);
            }
            carry_over(0);
        }
        tables_ = std::move(tables);
        format_ = store::StateTable(words, bytes, *try_reserve_);
        lost_ = count - states();  // some, where it has failed
        for (const std::exception_ptr& failure : failures)
            if (failure) std::rethrow_exception(failure);
    }

    template <class Visit>
    void for_each_state(Visit visit) const {
        for (const Table& table : tables_) {
            if constexpr (kNumbered)
                table.states.for_each([&](StateNumber /*number*/, const successor::Word* state) { visit(state); });
            else table.states.for_each(visit);
        }
    }
    // Where states have numbers, with these.
    template <class Visit>
    void take_open(Visit visit) {
        constexpr std::size_t kAtATime = 256;
        const std::size_t words = format_.state_words();
        std::vector<successor::Word> states(kAtATime * words);
        for (Partition& partition : partitions_)
            for (typename Partition::Queue* queue : {&partition.level_, &partition.next_}) {
                while (const std::size_t count = queue->states.take(format_, states.data(), kAtATime))
                    for (std::size_t i = 0; i < count; ++i) {
                        if constexpr (kNumbered) {
                            visit(states.data() + i * words, queue->numbers.front());
                            queue->numbers.pop_front();
                        } else {
                            visit(states.data() + i * words);
                        }
                    }
                *queue = typename Partition::Queue(format_, nullptr);
            }
    }
    template <class Visit>
    bool take_all(Visit visit) {
        for (Table& table : tables_) {
            lost_ += table.states.size();
            if constexpr (kNumbered) {
                bool continues = true;
                table.states.for_each([&](StateNumber number, const successor::Word* state) {
                    continues = continues && visit(state, number);
                });
                table.states = make_table(format_.state_words(), format_.state_bytes(), *try_reserve_, 1);
                if (!continues) return false;
            } else {
                if (!table.states.take_all(visit)) return false;
            }
        }
        return true;
    }

    // Of the initial states, in the order of insert_initial().
    [[nodiscard]] const std::vector<StateNumber>& initial_numbers() const
        requires kNumbered
    {
        return initial_numbers_;
    }
    // All numbers are below it.
    [[nodiscard]] StateNumber number_bound() const
        requires kNumbered
    {
        return next_numbers_;
    }

    // That can be popped before the next advance().
    [[nodiscard]] std::uint64_t ready() const {
        std::uint64_t result = 0;
        for (const Partition& partition : partitions_) result += partition.level_.states.size(format());
        return result;
    }

    [[nodiscard]] std::uint64_t states() const {
        std::uint64_t result = lost_;
        for (const Table& table : tables_) result += table.states.size();
        return result;
    }

    void count(Statistics& statistics) {
        statistics.states = states();
        statistics.peak_states = statistics.states;
        statistics.waiting = waiting();
        statistics.depth = depth_;
        statistics.layers = 1;
    }

private:
    static constexpr StateNumber kNumbersPerBlock = 4096;

    // The fewer, the longer a thread waits for another that has a table grow; the more, the fewer look-ups there are at
    // a time.
    static constexpr std::size_t kTablesPerPartition = 16;

    static constexpr unsigned kLooksBeforeSleep = 200;
    static constexpr unsigned kPausesPerLook = 16;
    static constexpr std::size_t kMostAlone = 256;      // states that are taken at a time by a thread that is alone
    static constexpr std::size_t kFewest = 64;          // states that are taken at a time, where there are as many
    static constexpr std::size_t kMostDeferred = 2048;  // entries for a table before one waits for it,
    static constexpr std::size_t kMostDeferredTogether = 8192;  // and for all tables

    static VisitedTable make_table(std::size_t words, std::size_t bytes, const store::MemoryBudget& try_reserve,
                                   unsigned split_bits) {
        return VisitedTable(words, bytes, try_reserve, split_bits);
    }
    struct alignas(128) Table {
        Table(std::size_t words, std::size_t bytes, const store::MemoryBudget& try_reserve, unsigned split_bits)
            : states(make_table(words, bytes, try_reserve, split_bits)) {}
        std::mutex in_use;
        VisitedTable states;
    };

    // A table grows unasked while it is small: all of them together must stay far below the limit.
    [[nodiscard]] std::size_t table_count(unsigned partitions) const {
        constexpr std::uint64_t kRoomPerTable = std::uint64_t{1} << 20U;
        std::size_t per_partition = kTablesPerPartition;
        while (per_partition > 1 && !(*try_reserve_)(partitions * per_partition * kRoomPerTable)) per_partition /= 2;
        return partitions * per_partition;
    }

    [[nodiscard]] std::deque<Table> make_tables(std::size_t count, std::size_t words, std::size_t bytes) const {
        // Together about as many shards as one table has: what is known of a shard has to come from the thread that was
        // there before.
        const unsigned split_bits =
            store::StateTable::kMostSplitBits -
            std::min<unsigned>(store::StateTable::kMostSplitBits - 1, std::bit_width(count) - 1);
        std::deque<Table> result;
        for (std::size_t i = 0; i < count; ++i) {
            // They have different sizes from the beginning, so that they do not grow all at a time: on average they are
            // as full as one table.
            constexpr double kFirst = 64;
            Table& table = result.emplace_back(words, bytes, *try_reserve_, split_bits);
            table.states.reserve(
                static_cast<std::uint64_t>(kFirst * std::exp2(static_cast<double>(i) / static_cast<double>(count))));
        }
        return result;
    }

    // How states are packed: the same in all tables.
    [[nodiscard]] const store::StateTable& format() const { return format_; }

    // By the lower bits: a table takes the position from the upper ones.
    [[nodiscard]] std::size_t table_of(std::uint64_t hash) const {
        return ((hash & 0xFFFFFFFFU) * tables_.size()) >> 32U;
    }

    // The states of an old table, which is then dropped.
    void redistribute(Table& old, std::deque<Table>& tables, std::size_t words,
                      const successor::Repacking& translate) const {
        if constexpr (kNumbered) {
            std::vector<successor::Word> to(words);
            old.states.for_each([&](StateNumber number, const successor::Word* from) {
                translate(from, to.data());
                const std::uint64_t hash = successor::hash_state(to.data(), words);
                Table& table = tables[table_of(hash)];
                const std::lock_guard lock(table.in_use);
                table.states.insert(to.data(), hash, [&](std::uint64_t /*before*/) { return number; });
            });
            old.states = make_table(old.states.state_words(), old.states.state_bytes(), *try_reserve_, 1);
        } else {
            redistribute_blocks(old, tables, words, translate);
        }
    }

    void redistribute_blocks(Table& old, std::deque<Table>& tables, std::size_t words,
                             const successor::Repacking& translate) const {
        constexpr std::size_t kBlock = 256;
        std::vector<std::vector<successor::Word>> blocks(tables.size());
        std::vector<successor::Word> to(words);
        const auto put = [&](std::size_t t) {
            const std::lock_guard lock(tables[t].in_use);
            tables[t].states.insert_distinct(blocks[t].data(), blocks[t].size() / words);
            blocks[t].clear();
        };
        old.states.for_each([&](const successor::Word* from) {
            translate(from, to.data());
            const std::size_t t = table_of(successor::hash_state(to.data(), words));
            blocks[t].insert(blocks[t].end(), to.begin(), to.end());
            if (blocks[t].size() == kBlock * words) put(t);
        });
        for (std::size_t t = 0; t < tables.size(); ++t) put(t);
        old.states = store::StateTable(old.states.state_words(), old.states.state_bytes(), *try_reserve_);
    }

    [[nodiscard]] std::uint64_t waiting() const {
        std::uint64_t result = 0;
        for (const Partition& partition : partitions_)
            result += partition.level_.states.size(format()) + partition.next_.states.size(format());
        return result;
    }

    const store::MemoryBudget* try_reserve_;
    store::StateTable format_;  // empty
    std::deque<Table> tables_;
    std::uint64_t lost_ = 0;  // states, in a repacking that memory did not suffice for, or handed over
    std::deque<Partition> partitions_;
    std::uint64_t depth_ = 0;
    std::atomic<StateNumber> next_numbers_ = 0;  // the first block that no thread has
    std::vector<StateNumber> initial_numbers_;
};

using JointBreadthFirst = BasicJointBreadthFirst<false>;
using NumberedJointBreadthFirst = BasicJointBreadthFirst<true>;

}  // namespace tideline::explore
