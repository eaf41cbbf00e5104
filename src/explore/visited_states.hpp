// One thread's partition of a breadth-first walk: its visited states, and which of them are open, oldest first. Two
// kinds with the same interface: as they are, for speed, and compressed, for memory.
#pragma once

#include <algorithm>
#include <cassert>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "explore/batch_insertion.hpp"
#include "store/compressed_states.hpp"
#include "store/pending.hpp"
#include "store/state_numbers.hpp"
#include "successor/system.hpp"

namespace tideline::explore {

class PlainVisitedStates {
public:
    // `one_of_several`: states may have to be redistributed, so the queue must not depend on the table's order.
    PlainVisitedStates(std::size_t words, std::size_t bytes, const store::MemoryBudget& try_reserve,
                       bool one_of_several)
        : table_(words, bytes, try_reserve), pending_(table_, one_of_several) {}

    [[nodiscard]] std::size_t words() const { return table_.state_words(); }
    [[nodiscard]] std::uint64_t size() const { return table_.size(); }
    [[nodiscard]] std::uint64_t waiting() const { return pending_.size(table_); }

    void insert(const successor::Word* state, std::uint64_t hash) { table_.insert(state, hash); }
    // For a state that is visited.
    void push(const successor::Word* state) { pending_.push(table_, state); }
    std::size_t take(successor::Word* states, std::size_t most) { return pending_.take(table_, states, most); }
    void for_each(const std::function<void(const successor::Word*)>& visit) const { table_.for_each(visit); }
    // Nothing is open any more.
    bool take_all(const std::function<bool(const successor::Word*)>& visit) {
        pending_.clear();
        return table_.take_all(visit);
    }

    // Stores the entries pick(0) ... pick(count - 1) of a batch; those that are new are open, and are appended to
    // `discovered`, in ascending order.
    template <class Pick>
    void insert_successors(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                           std::vector<std::uint32_t>& discovered) {
        const std::size_t before = discovered.size();
        insertion_.insert(table_, batch, count, pick, discovered);
        pending_.push(table_, batch.state(0), std::span(discovered).subspan(before));
    }

    void repack(std::size_t words, std::size_t bytes,
                const std::function<void(const successor::Word*, successor::Word*)>& translate) {
        pending_.repack(table_, words, bytes, translate);
        table_.repack(words, bytes, translate);
    }

private:
    store::StateTable table_;
    store::Pending pending_;
    BatchInsertion insertion_;
};

// As they are, each with a number: 0, 1, 2, ... in the order of insertion. For a walk with one partition.
class NumberedVisitedStates {
public:
    NumberedVisitedStates(std::size_t words, std::size_t bytes, const store::MemoryBudget& try_reserve,
                          bool one_of_several)
        : try_reserve_(&try_reserve),
          format_(words, bytes, try_reserve),
          states_(words, bytes, try_reserve),
          pending_(format_, true) {
        assert(!one_of_several && "several partitions would give a number twice");
    }

    [[nodiscard]] std::size_t words() const { return states_.state_words(); }
    [[nodiscard]] std::uint64_t size() const { return states_.size(); }
    [[nodiscard]] std::uint64_t waiting() const { return pending_.size(format_); }
    // The number of the state that was taken last: they are taken in the order of their numbers.
    [[nodiscard]] std::uint64_t last_taken() const { return size() - waiting() - 1; }

    void insert(const successor::Word* state, std::uint64_t hash) { states_.insert(state, hash, std::identity()); }
    void push(const successor::Word* state) { pending_.push(format_, state); }
    std::size_t take(successor::Word* states, std::size_t most) { return pending_.take(format_, states, most); }
    void for_each(const std::function<void(const successor::Word*)>& visit) const {
        states_.for_each([&](std::uint64_t /*number*/, const successor::Word* state) { visit(state); });
    }
    // With their numbers.
    template <class Visit>
    bool take_all(Visit visit) {
        bool continues = true;
        states_.for_each(
            [&](std::uint64_t number, const successor::Word* state) { continues = continues && visit(state, number); });
        states_ = store::StateNumbers(states_.state_words(), states_.state_bytes(), *try_reserve_);
        return continues;
    }

    template <class Pick>
    void insert_successors(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                           std::vector<std::uint32_t>& discovered) {
        const std::size_t before = discovered.size();
        numbers_.resize(batch.size());
        states_.insert_batch(batch, count, pick, std::identity(), numbers_.data(), discovered);
        pending_.push(format_, batch.state(0), std::span(discovered).subspan(before));
        count_ = count;
    }
    // Of the entries that were inserted last, each to its index in the batch.
    template <class Pick>
    void give_numbers(Pick pick, std::vector<std::uint64_t>& to) const {
        for (std::size_t j = 0; j < count_; ++j) to[pick(j)] = numbers_[pick(j)];
    }

    void repack(std::size_t words, std::size_t bytes, const successor::Repacking& translate) {
        pending_.repack(format_, words, bytes, translate);
        format_ = store::StateTable(words, bytes, *try_reserve_);
        states_.repack(words, bytes, translate);
    }

private:
    const store::MemoryBudget* try_reserve_;
    store::StateTable format_;  // empty: how states are packed
    store::StateNumbers states_;
    store::Pending pending_;
    std::vector<std::uint64_t> numbers_;  // of the entries of a batch
    std::size_t count_ = 0;               // of those that were inserted last
};

class CompressedVisitedStates {
public:
    CompressedVisitedStates(std::size_t words, std::size_t bytes, const store::MemoryBudget& try_reserve,
                            bool /*one_of_several*/)
        : words_(words), states_(words, bytes, try_reserve) {}

    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] std::uint64_t size() const { return states_.size(); }
    [[nodiscard]] std::uint64_t waiting() const { return pending_.size(); }

    void insert(const successor::Word* state, std::uint64_t /*hash*/) {
        reserve(1);
        store::CompressedStates::Root root = 0;
        bool discovered = false;
        states_.insert(state, 1, &root, &discovered);
    }
    void push(const successor::Word* state) { pending_.push_back(states_.find(state).value()); }
    std::size_t take(successor::Word* states, std::size_t most) {
        const std::size_t count = std::min(most, pending_.size());
        for (std::size_t i = 0; i < count; ++i, pending_.pop_front())
            states_.read(pending_.front(), states + i * words_);
        return count;
    }
    void for_each(const std::function<void(const successor::Word*)>& visit) const { states_.for_each(visit); }

    template <class Pick>
    void insert_successors(const successor::SuccessorBatch& batch, std::size_t count, Pick pick,
                           std::vector<std::uint32_t>& discovered) {
        if (count == 0) return;
        reserve(count);
        const successor::Word* states = batch.state(0);
        if (count < batch.size()) {
            picked_.resize(count * words_);
            for (std::size_t j = 0; j < count; ++j)
                std::copy_n(batch.state(pick(j)), words_, picked_.data() + j * words_);
            states = picked_.data();
        }
        if (capacity_ < count) {
            roots_.resize(count);
            is_new_ = std::make_unique<bool[]>(count);
            capacity_ = count;
        }
        states_.insert(states, count, roots_.data(), is_new_.get());
        for (std::size_t j = 0; j < count; ++j) {
            if (!is_new_[j]) continue;
            pending_.push_back(roots_[j]);
            discovered.push_back(static_cast<std::uint32_t>(pick(j)));
        }
    }

    void repack(std::size_t words, std::size_t bytes,
                const std::function<void(const successor::Word*, successor::Word*)>& translate) {
        const auto renew =
            [&](const std::function<store::CompressedStates::Root(store::CompressedStates::Root)>& renewed) {
                for (store::CompressedStates::Root& root : pending_) root = renewed(root);
            };
        if (!states_.repack(words, bytes, translate, renew)) throw std::bad_alloc();
        words_ = words;
    }

private:
    void reserve(std::size_t more) {
        if (!states_.reserve(more)) throw std::bad_alloc();
    }

    std::size_t words_;
    store::CompressedStates states_;
    std::deque<store::CompressedStates::Root> pending_;
    std::vector<successor::Word> picked_;
    std::vector<store::CompressedStates::Root> roots_;
    std::unique_ptr<bool[]> is_new_;
    std::size_t capacity_ = 0;  // of the two before
};

}  // namespace tideline::explore
