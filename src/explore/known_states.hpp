// What one thread of a breadth-first walk knows: the states that are its own, and which of them wait to be expanded, oldest first.
// Two kinds with the same interface: as they are, for speed, and compressed, for memory.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "explore/batch_insertion.hpp"
#include "store/compressed_states.hpp"
#include "store/pending.hpp"
#include "successor/system.hpp"

namespace tideline {

class PlainStates {
public:
    // `one_of_several`: states may have to be dealt out anew, so what waits must not depend on the table's order.
    PlainStates(std::size_t words, std::size_t bytes, const Permission& may_allocate, bool one_of_several)
        : table_(words, bytes, may_allocate), pending_(table_, one_of_several) {}

    [[nodiscard]] std::size_t words() const { return table_.state_words(); }
    [[nodiscard]] std::uint64_t size() const { return table_.size(); }
    [[nodiscard]] std::uint64_t waiting() const { return pending_.size(table_); }

    void insert(const Word* state, std::uint64_t hash) { table_.insert(state, hash); }
    // For a state that is known.
    void push(const Word* state) { pending_.push(table_, state); }
    std::size_t take(Word* states, std::size_t most) { return pending_.take(table_, states, most); }
    void for_each(const std::function<void(const Word*)>& visit) const { table_.for_each(visit); }

    // Stores the entries pick(0) ... pick(count - 1) of a batch; those that are new wait, and are appended to `fresh`, in ascending order.
    template <class Pick>
    void absorb(const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        const std::size_t before = fresh.size();
        insertion_.insert(table_, batch, count, pick, fresh);
        pending_.push(table_, batch.state(0), std::span(fresh).subspan(before));
    }

    void repack(std::size_t words, std::size_t bytes, const std::function<void(const Word*, Word*)>& translate) {
        pending_.repack(table_, words, bytes, translate);
        table_.repack(words, bytes, translate);
    }

private:
    StateTable table_;
    Pending pending_;
    BatchInsertion insertion_;
};

class CompressedKnownStates {
public:
    CompressedKnownStates(std::size_t words, std::size_t bytes, const Permission& may_allocate, bool /*one_of_several*/)
        : words_(words), states_(words, bytes, may_allocate) {}

    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] std::uint64_t size() const { return states_.size(); }
    [[nodiscard]] std::uint64_t waiting() const { return pending_.size(); }

    void insert(const Word* state, std::uint64_t /*hash*/) {
        reserve(1);
        CompressedStates::Root root = 0;
        bool fresh = false;
        states_.insert(state, 1, &root, &fresh);
    }
    void push(const Word* state) { pending_.push_back(states_.find(state).value()); }
    std::size_t take(Word* states, std::size_t most) {
        const std::size_t count = std::min(most, pending_.size());
        for (std::size_t i = 0; i < count; ++i, pending_.pop_front()) states_.read(pending_.front(), states + i * words_);
        return count;
    }
    void for_each(const std::function<void(const Word*)>& visit) const { states_.for_each(visit); }

    template <class Pick>
    void absorb(const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        if (count == 0) return;
        reserve(count);
        const Word* states = batch.state(0);
        if (count < batch.size()) {
            picked_.resize(count * words_);
            for (std::size_t j = 0; j < count; ++j) std::copy_n(batch.state(pick(j)), words_, picked_.data() + j * words_);
            states = picked_.data();
        }
        if (capacity_ < count) {
            roots_.resize(count);
            is_fresh_ = std::make_unique<bool[]>(count);
            capacity_ = count;
        }
        states_.insert(states, count, roots_.data(), is_fresh_.get());
        for (std::size_t j = 0; j < count; ++j) {
            if (!is_fresh_[j]) continue;
            pending_.push_back(roots_[j]);
            fresh.push_back(static_cast<std::uint32_t>(pick(j)));
        }
    }

    void repack(std::size_t words, std::size_t bytes, const std::function<void(const Word*, Word*)>& translate) {
        const auto renew = [&](const std::function<CompressedStates::Root(CompressedStates::Root)>& renewed) {
            for (CompressedStates::Root& root : pending_) root = renewed(root);
        };
        if (!states_.repack(words, bytes, translate, renew)) throw std::bad_alloc();
        words_ = words;
    }

private:
    void reserve(std::size_t more) {
        if (!states_.reserve(more)) throw std::bad_alloc();
    }

    std::size_t words_;
    CompressedStates states_;
    std::deque<CompressedStates::Root> pending_;
    std::vector<Word> picked_;
    std::vector<CompressedStates::Root> roots_;
    std::unique_ptr<bool[]> is_fresh_;
    std::size_t capacity_ = 0;  // of the two before
};

}  // namespace tideline
