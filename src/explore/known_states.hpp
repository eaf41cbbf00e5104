// What one thread of a breadth-first walk knows: the states that are its own, and which of them wait to be expanded, oldest first.
// Two kinds with the same interface: as they are, for speed, and compressed, for memory.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "store/compressed_states.hpp"
#include "store/look_up.hpp"
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

    // Stores the entries pick(0) ... pick(count - 1) of a batch; those that are new wait, and are appended to `fresh`.
    template <class Pick>
    void absorb(const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        constexpr std::size_t kBlock = LookUpBlock::kSize;
        if (table_.ordered()) bring_states(batch, count, pick);
        for (std::size_t j = 0; j < std::min(kBlock, count); ++j) table_.prefetch(batch.hash(pick(j)));
        for (std::size_t begin = 0; begin < count; begin += kBlock) {
            for (std::size_t j = begin + kBlock; j < std::min(begin + 2 * kBlock, count); ++j) table_.prefetch(batch.hash(pick(j)));
            const std::size_t missing = look_up(batch, begin, std::min(kBlock, count - begin), pick);
            const std::uint64_t growths = table_.growths();
            for (std::size_t m = 0; m < missing; ++m) {
                const std::size_t i = pick(begin + missing_[m].place);
                if (!insert(batch.state(i), batch.hash(i), missing_[m], growths)) continue;
                pending_.push(table_, batch.state(i));
                fresh.push_back(static_cast<std::uint32_t>(i));
            }
        }
    }

    void repack(std::size_t words, std::size_t bytes, const std::function<void(const Word*, Word*)>& translate) {
        pending_.repack(table_, words, bytes, translate);
        table_.repack(words, bytes, translate);
    }

private:
    bool insert(const Word* state, std::uint64_t hash, const Missing& missing, std::uint64_t growths) {
        if (table_.ordered()) return table_.insert(state, hash);
        return table_.insert_missing(state, hash, block_.lines[missing.place], missing.free, growths);
    }

    // Which of a block are perhaps new.
    template <class Pick>
    std::size_t look_up(const SuccessorBatch& batch, std::size_t begin, std::size_t count, Pick pick) {
        if (table_.ordered()) {
            for (std::size_t j = 0; j < count; ++j) missing_[j] = {static_cast<std::uint32_t>(j), 0};
            return count;
        }
        block_.count = count;
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t i = pick(begin + j);
            block_.hashes[j] = batch.hash(i);
            block_.lines[j] = table_.line(batch.hash(i));
            block_.rests[j] = batch.state(i)[table_.state_words() - 1];
        }
        const std::size_t missing = find_missing(block_, table_.shape(), missing_);
        for (std::size_t m = 0; m < missing; ++m)
            if (missing_[m].free == table_.shape().entries) table_.prefetch_next(block_.lines[missing_[m].place]);
        return missing;
    }

    template <class Pick>
    void bring_states(const SuccessorBatch& batch, std::size_t count, Pick pick) {
        for (std::size_t j = 0; j < count; ++j) table_.prefetch(batch.hash(pick(j)));
        for (std::size_t j = 0; j < count; ++j) table_.prefetch_state(batch.hash(pick(j)));
    }

    StateTable table_;
    Pending pending_;
    LookUpBlock block_;
    Missing missing_[LookUpBlock::kSize];
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
