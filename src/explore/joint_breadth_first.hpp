// Breadth-first walk of several threads, level by level, in tables that they have in common (A. Laarman, J. van de Pol, M. Weber: Boosting
// multi-core reachability performance with shared hash tables, FMCAD 2010).
//
// A thread looks the successors of a batch up itself, and what is new waits in the thread's own queue, in the order of its discovery:
// states that follow each other there are much alike, and the code that expands them is the faster for it (it branches as it did for the
// state before). Nothing is copied for another thread. The states are dealt out to several tables by their hashes. A thread sorts a batch
// by table and has one table for itself while it looks up there; a table that another thread has is left for later. Where another still has
// it when the rest of the batch is done - a table that grows is taken for several batches - what belongs there is put aside and looked up
// with what a later batch has for this table, at the latest when the round ends. So hardly ever one waits. A thread whose queue is empty takes
// from another's, and towards the end of a level all take less at a time, so that they end together.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "explore/batch_insertion.hpp"
#include "explore/entries_in_order.hpp"
#include "explore/search.hpp"
#include "explore/sleep_queue.hpp"
#include "store/pending.hpp"

namespace tideline {

class JointBreadthFirst {
public:
    static constexpr bool kForgets = false;
    static constexpr bool kInOrder = false;
    static constexpr bool kByLevels = true;
    static constexpr bool kJoint = true;
    static constexpr bool kDiscoversOnTake = false;
    static constexpr bool kSleeps = true;
    static constexpr bool kRecords = false;

    // What a thread has to itself. Two threads write to no line in common.
    class alignas(128) Share {
    public:
        Share(JointBreadthFirst& walk, std::size_t number, const Commuting* commuting)
            : walk_(&walk), number_(number), level_(walk.format(), commuting), next_(walk.format(), commuting), aside_(walk.tables_.size()) {}

        void insert_initial(const Word* state, std::uint64_t hash, Key /*key*/) {
            walk_->tables_[walk_->table_of(hash)].states.insert(state, hash);
            next_.states.push(walk_->format(), state);
            if (next_.asleep.in_use()) next_.asleep.push(0);
        }

        // Room for `most` states and, where steps sleep, as many sets; nothing is left for this level where it returns 0.
        std::size_t take(Word* states, SleepSet* asleep, std::size_t most) {
            std::deque<Share>& shares = walk_->shares_;
            for (std::size_t i = 0; i < shares.size(); ++i) {
                const std::size_t count = shares[(number_ + i) % shares.size()].take_own(states, asleep, most);
                if (count > 0) return count;
            }
            return 0;
        }

        template <class Pick>
        void absorb(const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
            sort_by_table(batch, count, pick);
            found_.clear();
            insert_all(batch);
            in_order_.start(batch.size());
            in_order_.add(found_);
            in_order_.append_to(fresh);
            discover(batch, fresh);
        }
        void expanded() {}

        // Whether new states may turn up later than absorb() is told of them, and in no batch; settle() then ends the round.
        void let_put_aside(bool may) { may_put_aside_ = may; }
        // Looks up what is aside.
        void settle() {
            if (aside_count_ == 0) return;
            for (std::size_t t = 0; t < aside_.size(); ++t) {
                if (aside_[t].size() == 0) continue;
                const std::lock_guard lock(walk_->tables_[t].in_use);
                insert_aside(t);
            }
        }

    private:
        friend class JointBreadthFirst;

        struct Queue {
            Queue(const StateTable& format, const Commuting* commuting) : states(format, true), asleep(commuting) {}
            Pending states;
            SleepQueue asleep;
        };

        std::size_t take_own(Word* states, SleepSet* asleep, std::size_t most) {
            const std::lock_guard lock(level_in_use_);
            const std::size_t half = (level_.states.size(walk_->format()) + 1) / 2;
            const std::size_t count = level_.states.take(walk_->format(), states, std::min(most, std::max(half, kFewest)));
            if (level_.asleep.in_use()) level_.asleep.take(asleep, count);
            return count;
        }

        template <class Batch>
        void discover(const Batch& batch, std::span<const std::uint32_t> places) {
            next_.states.push(walk_->format(), batch.state(0), places);
            if (next_.asleep.in_use()) next_.asleep.push(places, [&](std::uint32_t place) { return batch.asleep(place); });
        }

        template <class Pick>
        void sort_by_table(const SuccessorBatch& batch, std::size_t count, Pick pick) {
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
            for (std::size_t j = 0; j < count; ++j) sorted_[ends_[table_of_[j]]++] = static_cast<std::uint32_t>(pick(j));
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
        class Aside {
        public:
            void push(const SuccessorBatch& batch, std::size_t place, std::size_t words, bool sleeps) {
                words_ = words;
                states_.insert(states_.end(), batch.state(place), batch.state(place) + words);
                hashes_.push_back(batch.hash(place));
                if (sleeps) asleep_.push_back(batch.asleep(place));
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
            [[nodiscard]] const Word* state(std::size_t i) const { return states_.data() + i * words_; }
            [[nodiscard]] std::uint64_t hash(std::size_t i) const { return hashes_[i]; }
            [[nodiscard]] const std::uint64_t* hashes() const { return hashes_.data(); }
            [[nodiscard]] SleepSet asleep(std::size_t i) const { return asleep_[i]; }

        private:
            static constexpr std::size_t kKept = 256;  // entries

            std::size_t words_ = 0;
            std::vector<Word> states_;
            std::vector<std::uint64_t> hashes_;
            std::vector<SleepSet> asleep_;
        };

        // Begins somewhere else than the other threads. While one table is looked into, the lines of the next are on their way.
        void insert_all(const SuccessorBatch& batch) {
            const std::size_t tables = walk_->tables_.size();
            left_.clear();
            for (std::size_t i = 0; i < tables; ++i) {
                const std::size_t t = (number_ * tables / walk_->shares_.size() + i) % tables;
                if (count_of(t) > 0) left_.push_back(t);
            }
            std::size_t now = 0;
            Held held = grab(batch, insertions_[now]);
            while (held.lock || !left_.empty()) {
                if (!held.lock && put_aside(batch, left_.back())) {
                    left_.pop_back();
                    held = grab(batch, insertions_[now]);
                    continue;
                }
                if (!held.lock) held = wait_for_last(batch, insertions_[now]);
                Held next = grab(batch, insertions_[1 - now]);
                insertions_[now].finish(walk_->tables_[held.table].states, batch, count_of(held.table), pick_of(held.table), found_);
                held = std::move(next);
                now = 1 - now;
            }
        }

        // The first of the tables that are left which no other thread has; none where there is none.
        Held grab(const SuccessorBatch& batch, BatchInsertion& insertion) {
            for (std::size_t i = 0; i < left_.size(); ++i) {
                Held held{left_[i], std::unique_lock(walk_->tables_[left_[i]].in_use, std::try_to_lock)};
                if (!held.lock) continue;
                left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i));
                start(batch, held, insertion);
                return held;
            }
            return {};
        }

        Held wait_for_last(const SuccessorBatch& batch, BatchInsertion& insertion) {
            Held held{left_.back(), std::unique_lock(walk_->tables_[left_.back()].in_use)};
            left_.pop_back();
            start(batch, held, insertion);
            return held;
        }

        void start(const SuccessorBatch& batch, const Held& held, BatchInsertion& insertion) {
            if (aside_[held.table].size() > 0) insert_aside(held.table);
            insertion.start(walk_->tables_[held.table].states, batch, count_of(held.table), pick_of(held.table));
        }

        // False: one has to wait for the table.
        bool put_aside(const SuccessorBatch& batch, std::size_t t) {
            if (!may_put_aside_ || aside_[t].size() >= kMostAside || aside_count_ >= kMostAsideTogether) return false;
            const std::size_t words = walk_->format().state_words();
            for (std::size_t j = begin_of(t); j < ends_[t]; ++j) aside_[t].push(batch, sorted_[j], words, next_.asleep.in_use());
            aside_count_ += count_of(t);
            return true;
        }

        // Into a table that this thread has.
        void insert_aside(std::size_t t) {
            Aside& aside = aside_[t];
            found_aside_.clear();
            insertion_aside_.insert(walk_->tables_[t].states, aside, aside.size(), [](std::size_t j) { return j; }, found_aside_);
            discover(aside, found_aside_);
            aside_count_ -= aside.size();
            aside.clear();
        }

        JointBreadthFirst* walk_;
        std::size_t number_;
        std::mutex level_in_use_;
        Queue level_;  // what is to be expanded,
        Queue next_;   // and what was discovered meanwhile
        BatchInsertion insertions_[2];
        std::vector<std::size_t> ends_;
        std::vector<std::uint32_t> table_of_;   // an entry of a batch
        std::vector<std::uint32_t> sorted_;     // the entries of a batch, by table
        std::vector<std::size_t> left_;         // tables
        std::vector<std::uint32_t> found_;      // new entries
        EntriesInOrder in_order_;
        bool may_put_aside_ = false;
        std::vector<Aside> aside_;              // by table
        std::size_t aside_count_ = 0;           // of all tables
        BatchInsertion insertion_aside_;
        std::vector<std::uint32_t> found_aside_;
    };

    JointBreadthFirst(const System& system, const Permission& may_allocate, unsigned shares)
        : may_allocate_(&may_allocate), format_(system.state_words(), system.state_bytes(), may_allocate) {
        tables_ = make_tables(table_count(shares), system.state_words(), system.state_bytes());
        for (unsigned i = 0; i < shares; ++i) shares_.emplace_back(*this, i, system.commuting());
    }

    [[nodiscard]] Share& share(std::size_t i) { return shares_[i]; }

    // To the next level, when no share has anything left. False: there is none.
    bool advance() {
        for (Share& share : shares_) std::swap(share.level_, share.next_);
        const bool goes_on = waiting() > 0;
        depth_ += goes_on;
        return goes_on;
    }

    // Carries all states over to another packing. Hashes change, and with them the tables: every thread goes through some of the old ones
    // and puts their states into all of the new ones. An old table is dropped when it is done, so that there are never two whole sets.
    template <class Owner>
    void repack(std::size_t words, std::size_t bytes, const std::function<void(const Word*, Word*)>& translate, Owner /*owner*/) {
        const std::uint64_t count = states();
        std::deque<Table> tables = make_tables(tables_.size(), words, bytes);
        // It is faster to have room for all from the beginning, where that may be had beside the old tables.
        const std::uint64_t room = (*may_allocate_)(count * (bytes + 2 * sizeof(Word))) ? count / tables.size() : 0;
        std::vector<std::exception_ptr> failures(shares_.size());
        const auto carry_over = [&](std::size_t i) {
            try {
                for (Share::Queue* queue : {&shares_[i].level_, &shares_[i].next_}) queue->states.repack(format_, words, bytes, translate);
                for (std::size_t t = i; room > 0 && t < tables.size(); t += shares_.size()) {
                    const std::lock_guard lock(tables[t].in_use);
                    if (tables[t].states.size() == 0) tables[t].states.make_room(room);
                }
                for (std::size_t t = i; t < tables_.size(); t += shares_.size()) deal_out(tables_[t], tables, words, translate);
            } catch (...) {
                failures[i] = std::current_exception();
            }
        };
        {
            // What no thread can be started for is done here.
            std::vector<std::jthread> threads;
            std::size_t i = 1;
            try {
                for (; i < shares_.size(); ++i) threads.emplace_back([&carry_over, i] { carry_over(i); });
            } catch (const std::system_error&) {
                for (; i < shares_.size(); ++i) carry_over(i);
            }
            carry_over(0);
        }
        tables_ = std::move(tables);
        format_ = StateTable(words, bytes, *may_allocate_);
        lost_ = count - states();  // some, where it has failed
        for (const std::exception_ptr& failure : failures)
            if (failure) std::rethrow_exception(failure);
    }

    // That can be taken before the next advance().
    [[nodiscard]] std::uint64_t ready() const {
        std::uint64_t result = 0;
        for (const Share& share : shares_) result += share.level_.states.size(format());
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
    // The fewer, the longer a thread waits for another that has a table grow; the more, the fewer look-ups there are at a time.
    static constexpr std::size_t kTablesPerShare = 16;

    static constexpr std::size_t kFewest = 64;         // states that are taken at a time, where there are as many
    static constexpr std::size_t kMostAside = 2048;    // entries for a table before one waits for it,
    static constexpr std::size_t kMostAsideTogether = 8192;  // and for all tables

    struct alignas(128) Table {
        Table(std::size_t words, std::size_t bytes, const Permission& may_allocate, unsigned cut_bits)
            : states(words, bytes, may_allocate, cut_bits) {}
        std::mutex in_use;
        StateTable states;
    };

    // A table grows unasked while it is small: all of them together must stay far below the limit.
    [[nodiscard]] std::size_t table_count(unsigned shares) const {
        constexpr std::uint64_t kRoomPerTable = std::uint64_t{1} << 20U;
        std::size_t per_share = kTablesPerShare;
        while (per_share > 1 && !(*may_allocate_)(shares * per_share * kRoomPerTable)) per_share /= 2;
        return shares * per_share;
    }

    [[nodiscard]] std::deque<Table> make_tables(std::size_t count, std::size_t words, std::size_t bytes) const {
        // Together about as many shards as one table has: what is known of a shard has to come from the thread that was there before.
        const unsigned cut_bits = StateTable::kMostCutBits - std::min<unsigned>(StateTable::kMostCutBits - 1, std::bit_width(count) - 1);
        std::deque<Table> result;
        for (std::size_t i = 0; i < count; ++i) {
            // They have different sizes from the beginning, so that they do not grow all at a time: on average they are as full as one table.
            constexpr double kFirst = 64;
            Table& table = result.emplace_back(words, bytes, *may_allocate_, cut_bits);
            table.states.make_room(static_cast<std::uint64_t>(kFirst * std::exp2(static_cast<double>(i) / static_cast<double>(count))));
        }
        return result;
    }

    // How states are packed: the same in all tables.
    [[nodiscard]] const StateTable& format() const { return format_; }

    // By the lower bits: a table takes the place from the upper ones.
    [[nodiscard]] std::size_t table_of(std::uint64_t hash) const { return ((hash & 0xFFFFFFFFU) * tables_.size()) >> 32U; }

    // The states of an old table, which is then dropped.
    void deal_out(Table& old, std::deque<Table>& tables, std::size_t words, const std::function<void(const Word*, Word*)>& translate) const {
        constexpr std::size_t kBlock = 256;
        std::vector<std::vector<Word>> blocks(tables.size());
        std::vector<Word> to(words);
        const auto put = [&](std::size_t t) {
            const std::lock_guard lock(tables[t].in_use);
            tables[t].states.insert_distinct(blocks[t].data(), blocks[t].size() / words);
            blocks[t].clear();
        };
        old.states.for_each([&](const Word* from) {
            translate(from, to.data());
            const std::size_t t = table_of(hash_state(to.data(), words));
            blocks[t].insert(blocks[t].end(), to.begin(), to.end());
            if (blocks[t].size() == kBlock * words) put(t);
        });
        for (std::size_t t = 0; t < tables.size(); ++t) put(t);
        old.states = StateTable(old.states.state_words(), old.states.state_bytes(), *may_allocate_);
    }

    [[nodiscard]] std::uint64_t waiting() const {
        std::uint64_t result = 0;
        for (const Share& share : shares_) result += share.level_.states.size(format()) + share.next_.states.size(format());
        return result;
    }

    const Permission* may_allocate_;
    StateTable format_;        // empty
    std::deque<Table> tables_;
    std::uint64_t lost_ = 0;   // states, in a repacking that memory did not suffice for
    std::deque<Share> shares_;
    std::uint64_t depth_ = 0;
};

}  // namespace tideline
