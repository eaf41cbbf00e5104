// What one thread of a breadth-first walk knows: the states that are its own, and which of them wait to be expanded, oldest first.
// Two kinds with the same interface: as they are, for speed, and compressed, for memory.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "store/compressed_states.hpp"
#include "store/look_up.hpp"
#include "store/pending.hpp"
#include "successor/system.hpp"
#include "support/prefetch.hpp"

namespace tideline {

// Stores entries of a batch in a table.
class BatchInsertion {
public:
    // The entries pick(0) ... pick(count - 1); those that are new are appended to `fresh`, in the order of the picks.
    template <class Pick>
    void insert(StateTable& table, const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        start(table, batch, count, pick);
        finish(table, batch, count, pick, fresh);
    }

    // The same in two parts: the first ones are asked for, and come while something else is done.
    template <class Pick>
    void start(const StateTable& table, const SuccessorBatch& batch, std::size_t count, Pick pick) {
        if (table.ordered())
            for (std::size_t j = 0; j < std::min(count, Block::kSize); ++j) table.prefetch(batch.hash(pick(j)));
        else
            with_rest_bytes(table.shape().rest_bytes, [&](auto rest_bytes) { prepare<rest_bytes()>(table, blocks_[0], batch, 0, count, pick); });
    }
    template <class Pick>
    void finish(StateTable& table, const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        if (table.ordered())
            finish_wide(table, batch, count, pick, fresh);
        else
            with_rest_bytes(table.shape().rest_bytes, [&](auto rest_bytes) { finish_narrow<rest_bytes()>(table, batch, count, pick, fresh); });
    }

private:
    struct Block : LookUpBlock {
        std::uint32_t entries[kSize];  // of the batch
    };

    template <std::size_t kRestBytes, class Pick>
    void finish_narrow(StateTable& table, const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        // The lines of a block are on their way while the block before is being looked up.
        for (std::size_t begin = 0, now = 0; begin < count; begin += Block::kSize, now = 1 - now) {
            prepare<kRestBytes>(table, blocks_[1 - now], batch, begin + Block::kSize, count, pick);
            const std::uint64_t growths = table.growths();
            insert_block<kRestBytes>(table, blocks_[now], batch, fresh);
            if (table.growths() != growths) aim(table, blocks_[1 - now]);
        }
    }

    // The entries pick(begin), ... of a batch, as many as there are before `end` and in a block.
    template <std::size_t kRestBytes, class Pick>
    static void prepare(const StateTable& table, Block& block, const SuccessorBatch& batch, std::size_t begin, std::size_t end,
                        Pick pick) {
        const std::size_t count = begin < end ? std::min(Block::kSize, end - begin) : 0;
        const std::uint64_t* const hashes = batch.hashes();
        const Word* const states = batch.state(0);
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t i = pick(begin + j);
            const std::uint64_t hash = hashes[i];
            const std::byte* const line = table.line(hash);
            prefetch_line(line);
            block.entries[j] = static_cast<std::uint32_t>(i);
            block.hashes[j] = hash;
            if constexpr (kRestBytes > 0) block.rests[j] = states[2 * i + 1];
            block.lines[j] = line;
        }
        block.count = count;
    }

    // Once more, when lines have moved.
    static void aim(const StateTable& table, Block& block) {
        for (std::size_t j = 0; j < block.count; ++j) {
            block.lines[j] = table.line(block.hashes[j]);
            prefetch_line(block.lines[j]);
        }
    }

    // Inserts what is new of a block.
    template <std::size_t kRestBytes>
    void insert_block(StateTable& table, const Block& block, const SuccessorBatch& batch, std::vector<std::uint32_t>& fresh) {
        const std::uint64_t growths = table.growths();
        const std::size_t missing = find_missing(block, table.shape(), missing_);
        const auto insert = [&](std::size_t m, const std::byte* line, std::size_t free) __attribute__((always_inline)) {
            const std::size_t j = missing_[m].place;
            is_new_[m] = table.insert_missing<kRestBytes>(batch.state(block.entries[j]), block.hashes[j], line, free, growths);
        };
        // Where a line is full the search goes on in the next one, for all of them together.
        const auto go_on = [&](std::size_t m, const LookUpBlock& from, std::size_t place) {
            const std::size_t to = overflow_.count++;
            overflow_.lines[to] = table.line_after(from.lines[place], from.hashes[place]);
            overflow_.hashes[to] = from.hashes[place];
            overflow_.rests[to] = from.rests[place];
            prefetch_line(overflow_.lines[to]);
            overflowing_[to] = static_cast<std::uint32_t>(m);
        };
        constexpr std::size_t entries = kEntriesOfLine<kRestBytes>;
        overflow_.count = 0;
        for (std::size_t m = 0; m < missing; ++m) {
            is_new_[m] = false;
            if (missing_[m].free < entries)
                insert(m, block.lines[missing_[m].place], missing_[m].free);
            else
                go_on(m, block, missing_[m].place);
        }
        while (overflow_.count > 0 && table.growths() == growths) {
            Missing still[LookUpBlock::kSize];
            const std::size_t count = find_missing(overflow_, table.shape(), still);
            overflow_.count = 0;
            for (std::size_t n = 0; n < count; ++n) {
                const std::size_t m = overflowing_[still[n].place];
                if (still[n].free < entries)
                    insert(m, overflow_.lines[still[n].place], still[n].free);
                else
                    go_on(m, overflow_, still[n].place);
            }
        }
        // Lines that have moved meanwhile are not looked at.
        for (std::size_t o = 0; o < overflow_.count; ++o) insert(overflowing_[o], nullptr, 0);
        const std::size_t before = fresh.size();
        fresh.resize(before + missing);
        std::size_t count = before;
        for (std::size_t m = 0; m < missing; ++m) {
            fresh[count] = block.entries[missing_[m].place];
            count += is_new_[m] ? 1 : 0;
        }
        fresh.resize(count);
    }

    template <class Pick>
    static void finish_wide(StateTable& table, const SuccessorBatch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        for (std::size_t begin = 0; begin < count; begin += Block::kSize) {
            const std::size_t end = std::min(begin + Block::kSize, count);
            for (std::size_t j = begin; j < end; ++j) table.prefetch_state(batch.hash(pick(j)));
            for (std::size_t j = end; j < std::min(end + Block::kSize, count); ++j) table.prefetch(batch.hash(pick(j)));
            for (std::size_t j = begin; j < end; ++j) {
                const std::size_t i = pick(j);
                if (table.insert(batch.state(i), batch.hash(i))) fresh.push_back(static_cast<std::uint32_t>(i));
            }
        }
    }

    Block blocks_[2];
    LookUpBlock overflow_;
    Missing missing_[LookUpBlock::kSize];
    std::uint32_t overflowing_[LookUpBlock::kSize];  // places in missing_
    bool is_new_[LookUpBlock::kSize];
};

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
