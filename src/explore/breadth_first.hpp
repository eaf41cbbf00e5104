// Breadth-first walk, level by level. Each thread has the states whose hashes fall to it. (Several threads whose states are not compressed have
// joint_breadth_first.hpp.)
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <new>
#include <utility>
#include <vector>

#include "explore/known_states.hpp"
#include "explore/search.hpp"
#include "explore/sleep_queue.hpp"

namespace tideline {

template <class States>
class BreadthFirst {
public:
    static constexpr bool kForgets = false;
    static constexpr bool kInOrder = true;           // with one thread, states are expanded in the order of their discovery
    static constexpr bool kByLevels = true;         // every state is discovered at its distance from the initial one
    static constexpr bool kJoint = false;            // several threads have tables in common
    static constexpr bool kDiscoversOnTake = false;
    static constexpr bool kSleeps = true;            // every state is expanded with the sleep set of its discovery
    static constexpr bool kRecords = false;

    class Share {
    public:
        Share(std::size_t words, std::size_t bytes, const Permission& may_allocate, const Commuting* commuting, bool one_of_several)
            : states_(words, bytes, may_allocate, one_of_several), asleep_(commuting) {}

        void insert_initial(const Word* state, std::uint64_t hash, Key /*key*/) {
            states_.insert(state, hash);
            states_.push(state);
            if (asleep_.in_use()) asleep_.push(0);
        }

        // Room for `most` states and, where steps sleep, as many sets; nothing is left for this level where it returns 0.
        std::size_t take(Word* states, SleepSet* asleep, std::size_t most) {
            const std::size_t count = states_.take(states, std::min<std::uint64_t>(most, level_left_));
            if (asleep_.in_use()) asleep_.take(asleep, count);
            level_left_ -= count;
            return count;
        }

        template <class Pick>
        void absorb(const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
            states_.absorb(batch, count, pick, fresh);
            if (asleep_.in_use()) asleep_.push(fresh, [&](std::uint32_t place) { return batch.asleep(place); });
        }
        void expanded() {}

    private:
        friend class BreadthFirst;

        States states_;
        SleepQueue asleep_;
        std::uint64_t level_left_ = 0;
    };

    BreadthFirst(const System& system, const Permission& may_allocate, unsigned shares) : may_allocate_(&may_allocate) {
        for (unsigned i = 0; i < shares; ++i)
            shares_.emplace_back(system.state_words(), system.state_bytes(), may_allocate, system.commuting(), shares > 1);
    }

    [[nodiscard]] Share& share(std::size_t i) { return shares_[i]; }

    // To the next level, when no share has anything left. False: there is none.
    bool advance() {
        std::uint64_t waiting = 0;
        for (Share& share : shares_) waiting += share.level_left_ = share.states_.waiting();
        depth_ += waiting > 0;
        return waiting > 0;
    }

    // Carries all states over to another packing. With several shares they are dealt out anew: hashes have changed, and with them the owners.
    template <class Owner>
    void repack(std::size_t words, std::size_t bytes, const std::function<void(const Word*, Word*)>& translate, Owner owner) {
        if (shares_.size() == 1) {
            shares_[0].states_.repack(words, bytes, translate);
            return;
        }
        const std::uint64_t count = states();
        std::deque<Share> dealt;
        for (std::size_t i = 0; i < shares_.size(); ++i) dealt.emplace_back(words, bytes, *may_allocate_, nullptr, true);
        std::vector<Word> to(words);
        std::uint64_t hash = 0;
        const auto receiver = [&](const Word* from) -> Share& {
            translate(from, to.data());
            hash = hash_state(to.data(), words);
            return dealt[owner(hash)];
        };
        // What waits, in its order: what is left of this level comes before all of the next. It is put aside, because it is read from the states of
        // its share, and these are dropped when they are done, so that there are never two whole sets.
        std::vector<std::byte> level;
        std::vector<std::byte> next;
        std::vector<Word> from(shares_[0].states_.words());
        try {
            for (Share& share : shares_) {
                if (!(*may_allocate_)(share.states_.waiting() * bytes)) throw std::bad_alloc();
                for (std::uint64_t left = share.states_.waiting(); left > 0; --left) {
                    share.states_.take(from.data(), 1);
                    translate(from.data(), to.data());
                    std::vector<std::byte>& queue = share.level_left_ > 0 ? level : next;
                    if (share.level_left_ > 0) --share.level_left_;
                    const auto* first = reinterpret_cast<const std::byte*>(to.data());
                    queue.insert(queue.end(), first, first + bytes);
                }
                share.states_.for_each([&](const Word* state) { receiver(state).states_.insert(to.data(), hash); });
                share.states_ = States(words, bytes, *may_allocate_, true);
            }
            for (const bool this_level : {true, false}) {
                const std::vector<std::byte>& queue = this_level ? level : next;
                for (std::size_t at = 0; at < queue.size(); at += bytes) {
                    to.back() = 0;
                    std::memcpy(to.data(), queue.data() + at, bytes);
                    Share& share = dealt[owner(hash_state(to.data(), words))];
                    share.states_.push(to.data());
                    share.level_left_ += this_level;
                }
            }
        } catch (const std::bad_alloc&) {
            lost_ = count - states();
            throw;
        }
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            std::swap(shares_[i], dealt[i]);
            shares_[i].asleep_ = std::move(dealt[i].asleep_);
            if (shares_[i].asleep_.in_use()) shares_[i].asleep_.wake_all(shares_[i].states_.waiting());
        }
    }

    [[nodiscard]] std::uint64_t states() const {
        std::uint64_t result = lost_;
        for (const Share& share : shares_) result += share.states_.size();
        return result;
    }

    // That can be taken before the next advance().
    [[nodiscard]] std::uint64_t ready() const {
        std::uint64_t result = 0;
        for (const Share& share : shares_) result += share.level_left_;
        return result;
    }

    void count(Statistics& statistics) {
        statistics.states = states();
        statistics.peak_states = statistics.states;
        statistics.waiting = 0;
        for (const Share& share : shares_) statistics.waiting += share.states_.waiting();
        statistics.depth = depth_;
        statistics.layers = 1;
    }

private:
    const Permission* may_allocate_;
    std::deque<Share> shares_;
    std::uint64_t depth_ = 0;
    std::uint64_t lost_ = 0;  // states, in a repacking that memory did not suffice for
};

}  // namespace tideline
