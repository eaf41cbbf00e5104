// Stores successors of a batch in a table, in blocks: while one block is looked up, the lines of the next are on their way (store/look_up.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "store/look_up.hpp"
#include "store/state_table.hpp"
#include "successor/system.hpp"
#include "support/prefetch.hpp"

namespace tideline {

class BatchInsertion {
public:
    // The entries pick(0) ... pick(count - 1); those that are new are appended to `fresh`, in the order of the picks.
    template <class Batch, class Pick>
    void insert(StateTable& table, const Batch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        start(table, batch, count, pick);
        finish(table, batch, count, pick, fresh);
    }

    // The same in two parts: the first ones are asked for, and come while something else is done.
    template <class Batch, class Pick>
    void start(const StateTable& table, const Batch& batch, std::size_t count, Pick pick) {
        if (table.ordered())
            for (std::size_t j = 0; j < std::min(count, Block::kSize); ++j) table.prefetch(batch.hash(pick(j)));
        else
            with_rest_bytes(table.shape().rest_bytes, [&](auto rest_bytes) { prepare<rest_bytes()>(table, blocks_[0], batch, 0, count, pick); });
    }
    template <class Batch, class Pick>
    void finish(StateTable& table, const Batch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        if (table.ordered())
            finish_wide(table, batch, count, pick, fresh);
        else
            with_rest_bytes(table.shape().rest_bytes, [&](auto rest_bytes) { finish_narrow<rest_bytes()>(table, batch, count, pick, fresh); });
    }

private:
    struct Block : LookUpBlock {
        std::uint32_t entries[kSize];  // of the batch
    };

    template <std::size_t kRestBytes, class Batch, class Pick>
    void finish_narrow(StateTable& table, const Batch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
        // The lines of a block are on their way while the block before is being looked up.
        for (std::size_t begin = 0, now = 0; begin < count; begin += Block::kSize, now = 1 - now) {
            prepare<kRestBytes>(table, blocks_[1 - now], batch, begin + Block::kSize, count, pick);
            const std::uint64_t growths = table.growths();
            insert_block<kRestBytes>(table, blocks_[now], batch, fresh);
            if (table.growths() != growths) aim(table, blocks_[1 - now]);
        }
    }

    // The entries pick(begin), ... of a batch, as many as there are before `end` and in a block.
    template <std::size_t kRestBytes, class Batch, class Pick>
    static void prepare(const StateTable& table, Block& block, const Batch& batch, std::size_t begin, std::size_t end,
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
    template <std::size_t kRestBytes, class Batch>
    void insert_block(StateTable& table, const Block& block, const Batch& batch, std::vector<std::uint32_t>& fresh) {
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

    template <class Batch, class Pick>
    static void finish_wide(StateTable& table, const Batch& batch, std::size_t count, Pick pick, std::vector<std::uint32_t>& fresh) {
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

}  // namespace tideline
