#include "store/state_numbers.hpp"

#include <cassert>
#include <utility>

namespace tideline::store {
namespace {

// 31 to 41 bytes per state. A state that is not in its bucket costs another miss, whether it is looked for or inserted:
// where shards were 86 % full before they grew, that happened to every fifth one, and took a quarter of the time.
constexpr Growth kGrowth{2, 0.75};

}  // namespace

StateNumbers::StateNumbers(std::size_t state_words, std::size_t state_bytes, const MemoryBudget& try_reserve,
                           unsigned split_bits)
    : try_reserve_(&try_reserve), split_bits_(split_bits), state_words_(state_words), state_bytes_(state_bytes) {
    assert(state_bytes > 0 && state_bytes <= state_words * sizeof(Word));
    if (state_words > 2)
        wide_ = std::make_unique<NumberedTable>(
            state_words, state_bytes, try_reserve,
            NumberedTable::Settings{.payload_bytes = kNumberBits / 8, .split_bits = split_bits});
    else
        with_tail_bytes(tail_bytes(), [&](auto tail_bytes) {
            shards_ = Shards(split_bits, kGrowth, NumberedInlineBucket<tail_bytes()>::kEntries);
        });
}

void StateNumbers::reserve(std::uint64_t states) {
    assert(size() == 0 && "an empty map");
    if (wide_) wide_->reserve(states);
    else shards_.reserve(states, *try_reserve_);
}

// May move the shards: the caller finds its own again.
template <std::size_t kTailBytes>
void StateNumbers::grow(Shard& shard) {
    grow_or_split<NumberedInlineBucket<kTailBytes>>(shards_, shard, *try_reserve_);
}
template void StateNumbers::grow<0>(Shard&);
template void StateNumbers::grow<1>(Shard&);
template void StateNumbers::grow<2>(Shard&);
template void StateNumbers::grow<3>(Shard&);
template void StateNumbers::grow<4>(Shard&);
template void StateNumbers::grow<5>(Shard&);
template void StateNumbers::grow<6>(Shard&);
template void StateNumbers::grow<7>(Shard&);
template void StateNumbers::grow<8>(Shard&);

template <std::size_t kTailBytes>
void StateNumbers::visit_buckets(const Shard& shard, std::uint64_t begin, std::uint64_t end, Word* state,
                                 const Visit& visit) const {
    using Bucket = NumberedInlineBucket<kTailBytes>;
    for_each_entry<Bucket>(shard, begin, end, [&](std::uint64_t hash, const typename Bucket::Tail& tail) {
        if (state_words_ == 2) state[1] = tail.state;
        state[0] = successor::first_word(hash, state, state_words_);
        visit(tail.number, state);
    });
}

void StateNumbers::for_each(const Visit& visit) const {
    if (wide_) {
        wide_->for_each([&](NumberedTable::Number index, const Word* state) { visit(wide_->payload(index), state); });
        return;
    }
    Word state[2] = {};
    for (const ZeroHash& each : zero_hash_) {
        state[1] = each.tail;
        state[0] = successor::first_word(0, state, state_words_);
        visit(each.number, state);
    }
    with_tail_bytes(tail_bytes(), [&](auto tail_bytes) {
        for (const Shard& shard : shards_.all()) visit_buckets<tail_bytes()>(shard, 0, shard.count, state, visit);
    });
}

void StateNumbers::repack(std::size_t state_words, std::size_t state_bytes, const successor::Repacking& translate) {
    if (wide_ && state_words > 2) {
        wide_->repack(state_words, state_bytes, translate);
        state_words_ = state_words;
        state_bytes_ = state_bytes;
        return;
    }
    StateNumbers other(state_words, state_bytes, *try_reserve_, split_bits_);
    carry_over_to(other, translate);
    *this = std::move(other);
}

void StateNumbers::carry_over_to(StateNumbers& other, const successor::Repacking& translate) {
    std::vector<Word> to(other.state_words_);
    const Visit carry = [&](Number number, const Word* from) {
        translate(from, to.data());
        other.insert(to.data(), successor::hash_state(to.data(), to.size()),
                     [&](std::uint64_t /*before*/) { return number; });
    };
    if (wide_) {
        for_each(carry);
        return;
    }
    Word state[2] = {};
    for (const ZeroHash& each : zero_hash_) {
        state[1] = each.tail;
        state[0] = successor::first_word(0, state, state_words_);
        carry(each.number, state);
    }
    with_tail_bytes(tail_bytes(), [&](auto tail_bytes) {
        give_back_in_strides(shards_, [&](const Shard& shard, std::uint64_t begin, std::uint64_t end) {
            visit_buckets<tail_bytes()>(shard, begin, end, state, carry);
        });
    });
    shards_ = Shards();
}

}  // namespace tideline::store
