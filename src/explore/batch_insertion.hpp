// Stores successors of a batch in a table, in blocks: while one block is probed, the buckets of the next are being
// prefetched (store/probe.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "store/probe.hpp"
#include "store/state_table.hpp"
#include "successor/system.hpp"
#include "support/prefetch.hpp"

namespace tideline::explore {

class BatchInsertion {
public:
    // The entries pick(0) ... pick(count - 1); those that are new are appended to `discovered`, in the order of the
    // picks.
    template <class Batch, class Pick>
    void insert(store::StateTable& table, const Batch& batch, std::size_t count, Pick pick,
                std::vector<std::uint32_t>& discovered) {
        start(table, batch, count, pick);
        finish(table, batch, count, pick, discovered);
    }

    // The same in two parts: the first ones are asked for, and come while something else is done.
    template <class Batch, class Pick>
    void start(const store::StateTable& table, const Batch& batch, std::size_t count, Pick pick) {
        if (table.ordered()) table.numbered().prefetch_batch(batch, count, pick);
        else
            store::with_tail_bytes(table.shape().tail_bytes, [&](auto tail_bytes) {
                prepare<tail_bytes()>(Target{table}, blocks_[0], batch, 0, count, pick);
            });
    }
    template <class Batch, class Pick>
    void finish(store::StateTable& table, const Batch& batch, std::size_t count, Pick pick,
                std::vector<std::uint32_t>& discovered) {
        if (table.ordered()) finish_wide(table, batch, count, pick, discovered);
        else
            store::with_tail_bytes(table.shape().tail_bytes, [&](auto tail_bytes) {
                finish_narrow<tail_bytes()>(table, batch, count, pick, discovered);
            });
    }

    // All entries of a batch into many tables that are not ordered and that no other thread uses; `table_of` has the
    // table of a hash.
    template <class Batch, class Pick, class TableOf>
    void insert_into_many(const store::BucketShape& shape, TableOf table_of, const Batch& batch, std::size_t count,
                          Pick pick, std::vector<std::uint32_t>& discovered) {
        store::with_tail_bytes(shape.tail_bytes, [&](auto tail_bytes) {
            ManyTables<TableOf> tables{table_of};
            prepare<tail_bytes()>(tables, blocks_[0], batch, 0, count, pick);
            for (std::size_t begin = 0, now = 0; begin < count; begin += Block::kSize, now = 1 - now) {
                prepare<tail_bytes()>(tables, blocks_[1 - now], batch, begin + Block::kSize, count, pick);
                tables.moved = false;
                insert_block<tail_bytes()>(tables, shape, blocks_[now], batch, discovered);
                if (tables.moved) aim(tables, blocks_[1 - now]);
            }
        });
    }

private:
    struct Block : store::ProbeBlock {
        std::uint32_t entries[kSize];      // of the batch
        store::StateTable* tables[kSize];  // where there are many
    };

    // Where the entries of a block go: one table, or many.
    struct Target {
        const store::StateTable& table;
        [[gnu::always_inline]] const store::StateTable& aim(Block& /*block*/, std::size_t /*entry*/,
                                                            std::uint64_t /*hash*/) const {
            return table;
        }
    };
    struct OneTable {
        store::StateTable& table;
        std::uint64_t generation = table.generation();

        [[gnu::always_inline]] const store::StateTable& aim(Block& /*block*/, std::size_t /*entry*/,
                                                            std::uint64_t /*hash*/) const {
            return table;
        }
        [[nodiscard, gnu::always_inline]] const store::StateTable& of(const Block& /*block*/,
                                                                      std::size_t /*entry*/) const {
            return table;
        }
        template <std::size_t kTailBytes>
        [[gnu::always_inline]] bool insert(const Block& block, std::size_t entry, const successor::Word* state,
                                           const std::byte* bucket, std::size_t free) {
            return table.insert_missing<kTailBytes>(state, block.hashes[entry], bucket, free, generation);
        }
        // Since the block was begun.
        [[nodiscard]] bool have_buckets_moved() const { return table.generation() != generation; }
    };
    template <class TableOf>
    struct ManyTables {
        TableOf table_of;
        bool moved = false;

        [[gnu::always_inline]] const store::StateTable& aim(Block& block, std::size_t entry, std::uint64_t hash) const {
            store::StateTable* const table = table_of(hash);
            block.tables[entry] = table;
            return *table;
        }
        [[nodiscard, gnu::always_inline]] const store::StateTable& of(const Block& block, std::size_t entry) const {
            return *block.tables[entry];
        }
        template <std::size_t kTailBytes>
        [[gnu::always_inline]] bool insert(const Block& block, std::size_t entry, const successor::Word* state,
                                           const std::byte* bucket, std::size_t free) {
            store::StateTable& table = *block.tables[entry];
            const std::uint64_t generation = table.generation();
            // Of another generation: the bucket is not looked at.
            const bool is_new = table.template insert_missing<kTailBytes>(state, block.hashes[entry], bucket, free,
                                                                          moved ? ~generation : generation);
            moved = moved || table.generation() != generation;
            return is_new;
        }
        [[nodiscard]] bool have_buckets_moved() const { return moved; }
    };

    template <std::size_t kTailBytes, class Batch, class Pick>
    void finish_narrow(store::StateTable& table, const Batch& batch, std::size_t count, Pick pick,
                       std::vector<std::uint32_t>& discovered) {
        // The buckets of a block are being prefetched while the block before is probed.
        for (std::size_t begin = 0, now = 0; begin < count; begin += Block::kSize, now = 1 - now) {
            OneTable one{table};
            prepare<kTailBytes>(one, blocks_[1 - now], batch, begin + Block::kSize, count, pick);
            insert_block<kTailBytes>(one, table.shape(), blocks_[now], batch, discovered);
            if (one.have_buckets_moved()) aim(one, blocks_[1 - now]);
        }
    }

    // The entries pick(begin), ... of a batch, as many as there are before `end` and in a block.
    template <std::size_t kTailBytes, class Tables, class Batch, class Pick>
    static void prepare(const Tables& tables, Block& block, const Batch& batch, std::size_t begin, std::size_t end,
                        Pick pick) {
        const std::size_t count = begin < end ? std::min(Block::kSize, end - begin) : 0;
        const std::uint64_t* const hashes = batch.hashes();
        const successor::Word* const states = batch.state(0);
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t i = pick(begin + j);
            const std::uint64_t hash = hashes[i];
            const std::byte* const bucket = tables.aim(block, j, hash).bucket(hash);
            support::prefetch_line(bucket);
            block.entries[j] = static_cast<std::uint32_t>(i);
            block.hashes[j] = hash;
            if constexpr (kTailBytes > 0) block.tails[j] = states[2 * i + 1];
            block.buckets[j] = bucket;
        }
        block.count = count;
    }

    // Once more, when lines have moved.
    template <class Tables>
    static void aim(const Tables& tables, Block& block) {
        for (std::size_t j = 0; j < block.count; ++j) {
            block.buckets[j] = tables.of(block, j).bucket(block.hashes[j]);
            support::prefetch_line(block.buckets[j]);
        }
    }

    // Inserts what is new of a block.
    template <std::size_t kTailBytes, class Tables, class Batch>
    void insert_block(Tables& tables, const store::BucketShape& shape, const Block& block, const Batch& batch,
                      std::vector<std::uint32_t>& discovered) {
        const std::size_t missing = store::find_missing(block, shape, missing_);
        const auto insert = [&](std::size_t m, const std::byte* bucket,
                                std::size_t free) __attribute__((always_inline)) {
            const std::size_t j = missing_[m].index;
            is_new_[m] = tables.template insert<kTailBytes>(block, j, batch.state(block.entries[j]), bucket, free);
        };
        // Where a bucket is full the probe continues in the next one, for all of them together.
        const auto go_on = [&](std::size_t m, const store::ProbeBlock& from, std::size_t index) {
            const std::size_t to = overflow_.count++;
            overflow_.buckets[to] =
                tables.of(block, missing_[m].index).bucket_after(from.buckets[index], from.hashes[index]);
            overflow_.hashes[to] = from.hashes[index];
            overflow_.tails[to] = from.tails[index];
            support::prefetch_line(overflow_.buckets[to]);
            overflowing_[to] = static_cast<std::uint32_t>(m);
        };
        constexpr std::size_t entries = store::kEntriesPerBucket<kTailBytes>;
        overflow_.count = 0;
        for (std::size_t m = 0; m < missing; ++m) {
            is_new_[m] = false;
            if (missing_[m].free < entries) insert(m, block.buckets[missing_[m].index], missing_[m].free);
            else go_on(m, block, missing_[m].index);
        }
        while (overflow_.count > 0 && !tables.have_buckets_moved()) {
            store::Missing still[store::ProbeBlock::kSize];
            const std::size_t count = store::find_missing(overflow_, shape, still);
            overflow_.count = 0;
            for (std::size_t n = 0; n < count; ++n) {
                const std::size_t m = overflowing_[still[n].index];
                if (still[n].free < entries) insert(m, overflow_.buckets[still[n].index], still[n].free);
                else go_on(m, overflow_, still[n].index);
            }
        }
        // Lines that have moved meanwhile are not looked at.
        for (std::size_t o = 0; o < overflow_.count; ++o) insert(overflowing_[o], nullptr, 0);
        const std::size_t before = discovered.size();
        discovered.resize(before + missing);
        std::size_t count = before;
        for (std::size_t m = 0; m < missing; ++m) {
            discovered[count] = block.entries[missing_[m].index];
            count += is_new_[m] ? 1 : 0;
        }
        discovered.resize(count);
    }

    template <class Batch, class Pick>
    static void finish_wide(store::StateTable& table, const Batch& batch, std::size_t count, Pick pick,
                            std::vector<std::uint32_t>& discovered) {
        table.numbered().insert_batch(batch, count, pick, [&](std::size_t i, store::NumberedTable::Insertion inserted) {
            if (inserted.is_new) discovered.push_back(static_cast<std::uint32_t>(i));
        });
    }

    Block blocks_[2];
    store::ProbeBlock overflow_;
    store::Missing missing_[store::ProbeBlock::kSize];
    std::uint32_t overflowing_[store::ProbeBlock::kSize];  // indices in missing_
    bool is_new_[store::ProbeBlock::kSize];
};

}  // namespace tideline::explore
