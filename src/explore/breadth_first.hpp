// Breadth-first walk, level by level. Each thread has the states whose hashes fall to it. (Several threads whose states
// are not compressed have joint_breadth_first.hpp.)
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "explore/sleep_queue.hpp"
#include "explore/visited_states.hpp"
#include "explore/walk.hpp"

namespace tideline::explore {

template <class States>
class BreadthFirst {
public:
    static constexpr WalkTraits kTraits{.order = ExpansionOrder::levels,
                                        .hands_over = !std::is_same_v<States, CompressedVisitedStates>};

    class Partition {
    public:
        Partition(std::size_t words, std::size_t bytes, const store::MemoryBudget& try_reserve,
                  const successor::Commuting* commuting, bool one_of_several)
            : states_(words, bytes, try_reserve, one_of_several), asleep_(commuting) {}

        void insert_initial(const successor::Word* state, std::uint64_t hash, successor::Key /*key*/) {
            states_.insert(state, hash);
            states_.push(state);
            if (asleep_.in_use()) asleep_.push(0);
        }

        // Room for `most` states and, where steps sleep, as many sets; nothing is left for this level where it returns
        // 0.
        std::size_t pop_batch(successor::Word* states, successor::SleepSet* asleep, std::size_t most) {
            const std::size_t count = states_.take(states, std::min<std::uint64_t>(most, level_left_));
            if (asleep_.in_use()) asleep_.take(asleep, count);
            level_left_ -= count;
            return count;
        }

        template <class Pick>
        void insert_successors(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                               std::vector<std::uint32_t>& discovered) {
            states_.insert_successors(batch, count, pick, discovered);
            if (asleep_.in_use()) asleep_.push(discovered, [&](std::uint32_t index) { return batch.asleep(index); });
        }
        void expanded() {}
        // Of the entries that were inserted last, each to its index in the batch, where states have numbers.
        template <class Pick>
        void give_numbers(Pick pick, std::vector<std::uint64_t>& to) const
            requires requires(const States& states) { states.give_numbers(pick, to); }
        {
            states_.give_numbers(pick, to);
        }

    private:
        friend class BreadthFirst;

        States states_;
        SleepQueue asleep_;
        std::uint64_t level_left_ = 0;
    };

    explicit BreadthFirst(const WalkSetup& setup) : try_reserve_(&setup.try_reserve) {
        for (unsigned i = 0; i < setup.partitions; ++i)
            partitions_.emplace_back(setup.system.state_words(), setup.system.state_bytes(), setup.try_reserve,
                                     setup.commuting, setup.partitions > 1);
    }

    [[nodiscard]] Partition& partition(std::size_t i) { return partitions_[i]; }

    // To the next level, when no share has anything left. False: there is none.
    bool advance(Owner /*owner*/) {
        std::uint64_t waiting = 0;
        for (Partition& partition : partitions_) waiting += partition.level_left_ = partition.states_.waiting();
        depth_ += waiting > 0;
        return waiting > 0;
    }

    // Carries all states over to another packing. With several partitions they are redistributed: hashes have changed,
    // and with them the owners.
    void repack(const successor::System& wider, const successor::Repacking& translate, Owner owner) {
        const std::size_t words = wider.state_words();
        const std::size_t bytes = wider.state_bytes();
        if (partitions_.size() == 1) {
            partitions_[0].states_.repack(words, bytes, translate);
            return;
        }
        const std::uint64_t count = states();
        std::deque<Partition> redistributed;
        for (std::size_t i = 0; i < partitions_.size(); ++i)
            redistributed.emplace_back(words, bytes, *try_reserve_, nullptr, true);
        std::vector<successor::Word> to(words);
        std::uint64_t hash = 0;
        const auto receiver = [&](const successor::Word* from) -> Partition& {
            translate(from, to.data());
            hash = successor::hash_state(to.data(), words);
            return redistributed[owner(hash)];
        };
        // The open states, in their order: what is left of this level comes before all of the next. They are copied,
        // because they are read from the states of their partition, and these are dropped when they are done, so that
        // there are never two whole sets.
        std::vector<std::byte> level;
        std::vector<std::byte> next;
        std::vector<successor::Word> from(partitions_[0].states_.words());
        try {
            for (Partition& partition : partitions_) {
                if (!(*try_reserve_)(partition.states_.waiting() * bytes)) throw std::bad_alloc();
                for (std::uint64_t left = partition.states_.waiting(); left > 0; --left) {
                    partition.states_.take(from.data(), 1);
                    translate(from.data(), to.data());
                    std::vector<std::byte>& queue = partition.level_left_ > 0 ? level : next;
                    if (partition.level_left_ > 0) --partition.level_left_;
                    const auto* first = reinterpret_cast<const std::byte*>(to.data());
                    queue.insert(queue.end(), first, first + bytes);
                }
                partition.states_.for_each(
                    [&](const successor::Word* state) { receiver(state).states_.insert(to.data(), hash); });
                partition.states_ = States(words, bytes, *try_reserve_, true);
            }
            for (const bool this_level : {true, false}) {
                const std::vector<std::byte>& queue = this_level ? level : next;
                for (std::size_t at = 0; at < queue.size(); at += bytes) {
                    to.back() = 0;
                    std::memcpy(to.data(), queue.data() + at, bytes);
                    Partition& partition = redistributed[owner(successor::hash_state(to.data(), words))];
                    partition.states_.push(to.data());
                    partition.level_left_ += this_level;
                }
            }
        } catch (const std::bad_alloc&) {
            lost_ = count - states();
            throw;
        }
        for (std::size_t i = 0; i < partitions_.size(); ++i) {
            std::swap(partitions_[i], redistributed[i]);
            partitions_[i].asleep_ = std::move(redistributed[i].asleep_);
            if (partitions_[i].asleep_.in_use()) partitions_[i].asleep_.wake_all(partitions_[i].states_.waiting());
        }
    }

    template <class Visit>
    void for_each_state(Visit visit) const {
        for (const Partition& partition : partitions_) partition.states_.for_each(visit);
    }
    template <class Visit>
    void take_open(Visit visit) {
        std::vector<successor::Word> state(partitions_[0].states_.words());
        for (Partition& partition : partitions_) {
            while (partition.states_.take(state.data(), 1) > 0) {
                if constexpr (requires { partition.states_.last_taken(); })
                    visit(state.data(), partition.states_.last_taken());
                else visit(state.data());
            }
            partition.level_left_ = 0;
            partition.asleep_ = SleepQueue(nullptr);
        }
    }
    template <class Visit>
    bool take_all(Visit visit) {
        for (Partition& partition : partitions_) {
            lost_ += partition.states_.size();
            if (!partition.states_.take_all(visit)) return false;
        }
        return true;
    }

    [[nodiscard]] std::uint64_t states() const {
        std::uint64_t result = lost_;
        for (const Partition& partition : partitions_) result += partition.states_.size();
        return result;
    }

    // That can be taken before the next advance().
    [[nodiscard]] std::uint64_t ready() const {
        std::uint64_t result = 0;
        for (const Partition& partition : partitions_) result += partition.level_left_;
        return result;
    }

    void count(Statistics& statistics) {
        statistics.states = states();
        statistics.peak_states = statistics.states;
        statistics.waiting = 0;
        for (const Partition& partition : partitions_) statistics.waiting += partition.states_.waiting();
        statistics.depth = depth_;
        statistics.layers = 1;
    }

private:
    const store::MemoryBudget* try_reserve_;
    std::deque<Partition> partitions_;
    std::uint64_t depth_ = 0;
    std::uint64_t lost_ = 0;  // states, in a repacking that memory did not suffice for, or handed over
};

}  // namespace tideline::explore
