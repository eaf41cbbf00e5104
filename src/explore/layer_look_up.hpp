// Look-ups of the successors of a batch, each in the table of its own layer, in blocks (store/look_up.hpp).
#pragma once

#include <algorithm>

#include "store/look_up.hpp"
#include "store/state_table.hpp"
#include "successor/system.hpp"

namespace tideline {

class LayerLookUp {
public:
    // Where a look-up ended without finding its state.
    struct End {
        const std::byte* line;
        std::size_t free;
        std::uint64_t growths;
    };

    // Calls on_missing(j, end) for the entries pick(0) ... pick(count - 1) that are not in table_of(j), and perhaps for some that are; table_of
    // gives null for those that are to be told in any case. The lines should have been prefetched.
    template <class Pick, class TableOf, class OnMissing>
    void run(const SuccessorBatch& batch, std::size_t count, Pick pick, TableOf table_of, OnMissing on_missing) {
        for (std::size_t begin = 0; begin < count; begin += LookUpBlock::kSize) {
            const StateTable* any = nullptr;
            block_.count = std::min(LookUpBlock::kSize, count - begin);
            for (std::size_t j = 0; j < block_.count; ++j) {
                const std::size_t i = pick(begin + j);
                const StateTable* table = table_of(begin + j);
                if (table != nullptr) any = table;
                block_.hashes[j] = batch.hash(i);
                block_.lines[j] = table == nullptr || table->ordered() ? kEmptyLine : table->line(batch.hash(i));
                block_.rests[j] = table == nullptr ? 0 : batch.state(i)[table->state_words() - 1];
                growths_[j] = table == nullptr ? 0 : table->growths();
            }
            if (any == nullptr || any->ordered()) {
                for (std::size_t j = 0; j < block_.count; ++j) on_missing(begin + j, End{});
                continue;
            }
            const std::size_t missing = find_missing(block_, any->shape(), missing_);
            for (std::size_t m = 0; m < missing; ++m) {
                const std::size_t j = missing_[m].place;
                on_missing(begin + j, End{block_.lines[j], missing_[m].free, growths_[j]});
            }
        }
    }

    // Whether the state is new.
    static bool insert(StateTable& table, const Word* state, std::uint64_t hash, const End& end) {
        if (table.ordered()) return table.insert(state, hash);
        return with_rest_bytes(table.shape().rest_bytes, [&](auto rest_bytes) {
            return table.insert_missing<rest_bytes()>(state, hash, end.line, end.free, end.growths);
        });
    }

private:
    static constexpr std::byte kEmptyLine[128] = {};

    LookUpBlock block_;
    Missing missing_[LookUpBlock::kSize];
    std::uint64_t growths_[LookUpBlock::kSize];  // of the tables at the time of the look-up
};

}  // namespace tideline
