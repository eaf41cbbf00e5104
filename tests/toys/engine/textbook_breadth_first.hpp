// A toy walk, for docs/adding-an-engine.md: breadth-first search as in a textbook, with one list of states per level.
// It keeps the contract of explore/walk.hpp for one partition and leaves sleep sets alone (WalkSetup::commuting is not
// used).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/walk.hpp"
#include "store/state_table.hpp"

namespace tideline::toys {

class TextbookBreadthFirst {
public:
    static constexpr explore::WalkTraits kTraits{};  // all states stay in memory, level by level

    class Partition {
    public:
        Partition(const successor::System& system, const store::MemoryBudget& try_reserve)
            : visited_(system.state_words(), system.state_bytes(), try_reserve) {}

        void insert_initial(const successor::Word* state, std::uint64_t hash, successor::Key /*key*/) {
            if (visited_.insert(state, hash)) push(state);
        }

        std::size_t pop_batch(successor::Word* states, successor::SleepSet* /*asleep*/, std::size_t most) {
            const std::size_t words = visited_.state_words();
            const std::size_t count = std::min(most, ready());
            std::copy_n(level_.begin() + static_cast<std::ptrdiff_t>(popped_), count * words, states);
            popped_ += count * words;
            return count;
        }

        template <class Pick>
        void insert_successors(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                               std::vector<std::uint32_t>& discovered) {
            for (std::size_t j = 0; j < count; ++j) {
                const std::size_t i = pick(j);
                if (!visited_.insert(batch.state(i), batch.hash(i))) continue;
                push(batch.state(i));
                discovered.push_back(static_cast<std::uint32_t>(i));
            }
        }
        void expanded() {}

        // Whether there is a next level.
        bool advance() {
            level_.swap(next_level_);
            next_level_.clear();
            popped_ = 0;
            depth_ += level_.empty() ? 0 : 1;
            return !level_.empty();
        }

        void repack(const successor::System& wider, const successor::Repacking& translate) {
            const auto repacked = [&](const std::vector<successor::Word>& states, std::size_t begin) {
                std::vector<successor::Word> result((states.size() - begin) / visited_.state_words() *
                                                    wider.state_words());
                successor::Word* to = result.data();
                for (std::size_t at = begin; at < states.size();
                     at += visited_.state_words(), to += wider.state_words())
                    translate(states.data() + at, to);
                return result;
            };
            level_ = repacked(level_, popped_);
            next_level_ = repacked(next_level_, 0);
            popped_ = 0;
            visited_.repack(wider.state_words(), wider.state_bytes(), translate);
        }

        [[nodiscard]] std::uint64_t states() const { return visited_.size(); }
        [[nodiscard]] std::size_t ready() const { return (level_.size() - popped_) / visited_.state_words(); }
        [[nodiscard]] std::uint64_t open() const { return ready() + next_level_.size() / visited_.state_words(); }
        [[nodiscard]] std::uint64_t depth() const { return depth_; }

    private:
        void push(const successor::Word* state) {
            next_level_.insert(next_level_.end(), state, state + visited_.state_words());
        }

        store::StateTable visited_;
        std::vector<successor::Word> level_;  // those before `popped_` are expanded, or being expanded
        std::vector<successor::Word> next_level_;
        std::size_t popped_ = 0;   // words of `level_`
        std::uint64_t depth_ = 0;  // levels so far
    };

    explicit TextbookBreadthFirst(const explore::WalkSetup& setup) : partition_(setup.system, setup.try_reserve) {}

    [[nodiscard]] Partition& partition(std::size_t /*i*/) { return partition_; }
    bool advance(explore::Owner /*owner*/) { return partition_.advance(); }
    void repack(const successor::System& wider, const successor::Repacking& translate, explore::Owner /*owner*/) {
        partition_.repack(wider, translate);
    }
    [[nodiscard]] std::uint64_t states() const { return partition_.states(); }
    [[nodiscard]] std::uint64_t ready() const { return partition_.ready(); }

    void count(explore::Statistics& statistics) {
        statistics.states = statistics.peak_states = states();
        statistics.waiting = partition_.open();
        statistics.depth = partition_.depth();
        statistics.layers = 1;
    }

private:
    Partition partition_;
};

static_assert(explore::Walk<TextbookBreadthFirst>);

}  // namespace tideline::toys
