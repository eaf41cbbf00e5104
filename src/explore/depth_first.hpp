// Depth-first walk: a stack of the states to be entered, with those on the current path marked. A state is put on the stack when it is
// generated and entered when it comes to the top, so the order is that of a recursive search (first successor first); a state that
// was entered meanwhile is passed over.
#pragma once

#include <algorithm>
#include <vector>

#include "explore/search.hpp"

namespace tideline {

class DepthFirst {
public:
    DepthFirst(const System& system, StateTable::Permission may_allocate)
        : may_allocate_(may_allocate), table_(system.state_words(), system.state_bytes(), std::move(may_allocate)) {}

    static constexpr bool kForgets = false;

    bool reserve(std::size_t more) { return table_.reserve(more) && reserve_stack(stack_.size() + fan_.size() + more); }
    std::optional<StateId> insert(const Word* state, std::uint64_t hash, Key /*key*/, bool& fresh) {
        return table_.insert(state, hash, fresh);
    }
    void prefetch(std::uint64_t hash, Key /*key*/) const { table_.prefetch(hash); }
    void read(StateId id, Word* state) const { table_.read(id, state); }
    [[nodiscard]] bool repack(std::size_t words, std::size_t bytes, const std::function<void(const Word*, Word*)>& translate) {
        return table_.repack(words, bytes, translate);
    }

    void count(Statistics& statistics) const {
        statistics.states = table_.size();
        statistics.peak_states = statistics.states;
        statistics.waiting = table_.size() - entered_count_;
        statistics.depth = deepest_;
        statistics.layers = 1;
    }

    void take(std::vector<StateId>& ids) {
        ids.clear();
        if (first_) push(0);
        first_ = false;
        while (!stack_.empty()) {
            const StateId id = stack_.back() >> 1U;
            if ((stack_.back() & kOnPath) != 0) {
                --path_length_;
            } else if (!is_entered(id)) {
                stack_.back() |= kOnPath;
                enter(id);
                ids.push_back(id);
                return;
            }
            stack_.pop_back();
        }
    }

    void edge(StateId to, bool fresh) {
        if (fresh || !is_entered(to)) fan_.push_back(to);
    }

    // The successors of the state that was taken are known: the first one is to be entered first.
    void expanded() {
        for (auto it = fan_.rbegin(); it != fan_.rend(); ++it) push(*it);
        fan_.clear();
    }

    std::vector<StateId> path_to(const System& /*system*/, StateId target) const {
        std::vector<StateId> path;
        for (const std::uint64_t entry : stack_)
            if ((entry & kOnPath) != 0) path.push_back(entry >> 1U);
        if (path.empty() || path.back() != target) path.push_back(target);
        return path;
    }

private:
    static constexpr std::uint64_t kOnPath = 1;

    // The stack grows by a half, and both copies exist while it does.
    bool reserve_stack(std::size_t wanted) {
        if (wanted <= stack_.capacity()) return true;
        const std::size_t entries = std::max<std::size_t>(1024, wanted + wanted / 2);
        if (entries > kUnnoticed && !may_allocate_(entries * sizeof(std::uint64_t))) return false;
        stack_.reserve(entries);
        return true;
    }
    static constexpr std::size_t kUnnoticed = 8192;

    void push(StateId id) { stack_.push_back(id << 1U); }
    [[nodiscard]] bool is_entered(StateId id) const {
        return id / 64 < entered_.size() && ((entered_[id / 64] >> (id % 64)) & 1U) != 0;
    }
    void enter(StateId id) {
        if (id / 64 >= entered_.size()) entered_.resize(std::max<std::size_t>(id / 64 + 1, entered_.size() * 3 / 2));
        entered_[id / 64] |= std::uint64_t{1} << (id % 64);
        ++entered_count_;
        deepest_ = std::max(deepest_, ++path_length_);
    }

    StateTable::Permission may_allocate_;
    StateTable table_;
    std::vector<std::uint64_t> stack_;
    std::vector<StateId> fan_;
    std::vector<std::uint64_t> entered_;
    std::uint64_t entered_count_ = 0;
    std::uint64_t path_length_ = 0;
    std::uint64_t deepest_ = 0;
    bool first_ = true;
};

}  // namespace tideline
