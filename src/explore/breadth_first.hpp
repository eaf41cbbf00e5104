// Breadth-first walk: the states in the order of their numbers. The queue is the table itself, and paths need no predecessors
// in memory: the states of a level are consecutive, so the predecessor of a state is the first one of the level before that, when
// expanded again, has it as a successor. Rebuilding a path costs at most one more expansion of what was explored.
#pragma once

#include <algorithm>
#include <cassert>
#include <vector>

#include "explore/search.hpp"

namespace tideline {

class BreadthFirst {
public:
    BreadthFirst(const System& system, StateTable::Permission may_allocate)
        : table_(system.state_words(), system.state_bytes(), std::move(may_allocate)) {}

    static constexpr bool kForgets = false;

    bool reserve(std::size_t more) { return table_.reserve(more); }
    std::optional<StateId> insert(const Word* state, std::uint64_t hash, Key /*key*/, bool& fresh) {
        return table_.insert(state, hash, fresh);
    }
    void prefetch(std::uint64_t hash, Key /*key*/) const { table_.prefetch(hash); }
    void read(StateId id, Word* state) const { table_.read(id, state); }
    [[nodiscard]] bool repack(std::size_t words, std::size_t bytes, const std::function<void(const Word*, Word*)>& translate) {
        return table_.repack(words, bytes, translate);
    }

    void take(std::vector<StateId>& ids) {
        ids.clear();
        if (next_ == level_end_ && next_ < table_.size()) {
            level_starts_.push_back(next_);
            level_end_ = table_.size();
        }
        const StateId stop = std::min<StateId>(level_end_, next_ + kBatch);
        while (next_ < stop) ids.push_back(next_++);
    }

    void edge(StateId /*to*/, bool /*fresh*/) {}
    void expanded() {}

    void count(Statistics& statistics) const {
        statistics.states = table_.size();
        statistics.peak_states = statistics.states;
        statistics.waiting = table_.size() - next_;
        statistics.depth = level_starts_.size();
        statistics.layers = 1;
    }

    std::vector<StateId> path_to(const System& system, StateId target) const {
        std::vector<StateId> path{target};
        // The last level whose states may have predecessors of the target in the level before.
        std::size_t level = static_cast<std::size_t>(std::upper_bound(level_starts_.begin(), level_starts_.end(), target) -
                                                     level_starts_.begin());
        if (target >= level_end_) ++level;
        const std::unique_ptr<Expander> expander = system.expander();
        SuccessorBatch batch(system.state_words(), 1024);
        std::vector<Word> wanted(system.state_words());
        std::vector<Word> state(system.state_words());
        for (--level; level > 0; --level) {
            table_.read(path.back(), wanted.data());
            StateId id = level_starts_[level - 1];
            for (; !leads_to(*expander, batch, id, state, wanted); ++id) assert(id < table_.size());
            path.push_back(id);
        }
        std::reverse(path.begin(), path.end());
        return path;
    }

private:
    static constexpr std::size_t kBatch = 256;  // states that are expanded at a time

    bool leads_to(Expander& expander, SuccessorBatch& batch, StateId id, std::vector<Word>& state,
                  const std::vector<Word>& wanted) const {
        table_.read(id, state.data());
        Cursor cursor;
        for (;;) {
            batch.restart(cursor.state);
            const Expansion result = expander.expand(state.data(), 1, cursor, batch);
            for (std::size_t i = 0; i < batch.size(); ++i)
                if (batch.fault(i) == FaultKind::none && std::equal(wanted.begin(), wanted.end(), batch.state(i))) return true;
            if (result != Expansion::full) return false;
        }
    }

    StateTable table_;
    StateId next_ = 0;
    StateId level_end_ = 0;
    std::vector<StateId> level_starts_;
};

}  // namespace tideline
