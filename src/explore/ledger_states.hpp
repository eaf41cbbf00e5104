// Reads states of a ledger as the search packs them now, with their hashes: visited states of a layer, and batches of
// open ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/ledger_run.hpp"
#include "explore/open_columns.hpp"
#include "explore/sweep_layer.hpp"

namespace tideline::explore {

class LedgerStates {
public:
    // Both must outlive it. `words`: of a state as it is packed now.
    LedgerStates(ledger::LedgerWriter& writer, const LedgerPackings& packings, std::size_t words)
        : writer_(&writer), packings_(&packings), words_(words) {}

    // States are packed with wider fields from here on.
    void repack(std::size_t words) { words_ = words; }

    // Calls visit(state, hash, number) for states that were expanded, and before that prefetch(hash), a block ahead.
    template <class Prefetch, class Visit>
    void for_each_visited(const ledger::Extent& extent, Prefetch prefetch, Visit visit) {
        writer_->read_extent(extent, [&](const ledger::Records& records) {
            constexpr std::uint64_t kBlock = 64;
            buffer_.resize(kBlock * words_);
            std::uint64_t hashes[kBlock];
            for (std::uint64_t begin = 0; begin < records.count; begin += kBlock) {
                const std::uint64_t count = std::min(kBlock, records.count - begin);
                for (std::uint64_t i = 0; i < count; ++i) {
                    hashes[i] = unpack(records, begin + i, buffer_.data() + i * words_);
                    prefetch(hashes[i]);
                }
                for (std::uint64_t i = 0; i < count; ++i)
                    visit(buffer_.data() + i * words_, hashes[i], records.first + begin + i);
            }
        });
    }

    // Calls visit(OpenState) for the states of a batch.
    template <class Visit>
    void for_each_open(std::uint64_t batch, Visit visit) {
        buffer_.resize(words_);
        writer_->read_waiting(writer_->waiting().at(batch), [&](const ledger::Records& records) {
            for (std::uint64_t i = 0; i < records.count; ++i) visit(open_state(records, i));
        });
    }
    // Calls visit(key, OpenState) for the states of a mixed batch; the number of its other records, those of keys.
    template <class Visit>
    std::uint64_t for_each_mixed(std::uint64_t batch, Visit visit) {
        buffer_.resize(words_);
        MixedReader reader;
        writer_->read_waiting(writer_->waiting().at(batch), [&](const ledger::Records& records) {
            reader.read(records, [&](successor::Key key, std::uint64_t i) { visit(key, open_state(records, i)); });
        });
        return reader.key_records();
    }

private:
    std::uint64_t unpack(const ledger::Records& records, std::uint64_t i, successor::Word* state) const {
        packings_->unpack(records.packing, records.bytes.data() + i * records.record_bytes, state);
        return successor::hash_state(state, words_);
    }
    OpenState open_state(const ledger::Records& records, std::uint64_t i) {
        const std::uint64_t hash = unpack(records, i, buffer_.data());
        return {buffer_.data(), hash, records.numbers[i], records.tags[i],
                records.others.empty() ? 0 : records.others[i]};
    }

    ledger::LedgerWriter* writer_;
    const LedgerPackings* packings_;
    std::size_t words_;
    std::vector<successor::Word> buffer_;
};

}  // namespace tideline::explore
