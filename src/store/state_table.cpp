#include "store/state_table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace tideline::store {
namespace {

constexpr Growth kGrowths[] = {{2, 0.84}, {1.5, 0.86}, {1.3, 0.9}, {1.2, 0.9}};
constexpr double kBytesOnTop = 7.6;  // of a packed state that a table may take, where it can be had

// The first growth that needs no higher load than its own for that, or the last one.
Growth growth_for(std::size_t state_bytes, std::size_t entries) {
    const double entries_per_state = (kBytesOnTop + static_cast<double>(state_bytes)) /
                                     static_cast<double>(kBucketBytes) * static_cast<double>(entries);
    for (const Growth& growth : kGrowths) {
        const double load = (growth.factor - 1) / std::log(growth.factor) / entries_per_state;
        if (load <= growth.load) return {growth.factor, load};
    }
    return std::end(kGrowths)[-1];
}

std::size_t tail_bytes_of(std::size_t state_words, std::size_t state_bytes) {
    return state_words == 2 ? std::max<std::size_t>(sizeof(Word) + 1, state_bytes) - sizeof(Word) : 0;
}

std::size_t entries_of(std::size_t tail_bytes) { return kBucketBytes / (sizeof(Word) + tail_bytes); }

}  // namespace

StateTable::StateTable(std::size_t state_words, std::size_t state_bytes, const MemoryBudget& try_reserve,
                       unsigned split_bits, std::uint64_t most_ordered)
    : try_reserve_(&try_reserve),
      split_bits_(split_bits),
      most_ordered_(most_ordered),
      state_words_(state_words),
      state_bytes_(state_bytes),
      shape_{entries_of(tail_bytes_of(state_words, state_bytes)), tail_bytes_of(state_words, state_bytes)} {
    assert(state_bytes > 0 && state_bytes <= state_words * sizeof(Word));
    if (state_words > 2)
        numbered_ = std::make_unique<NumberedTable>(
            state_words, state_bytes, try_reserve,
            NumberedTable::Settings{.split_bits = split_bits, .most_states = most_ordered});
    else shards_ = Shards(split_bits, growth_for(state_bytes, shape_.entries), shape_.entries);
}

// ---- inserting -----------------------------------------------------------------------------------------------------

bool StateTable::contains_zero_hash(const Word* state) const {
    for (std::size_t at = 0; at < zero_hash_.size(); at += state_words_)
        if (std::equal(state + 1, state + state_words_, zero_hash_.data() + at + 1)) return true;
    return false;
}

bool StateTable::insert_zero_hash(const Word* state) {
    if (contains_zero_hash(state)) return false;
    zero_hash_.insert(zero_hash_.end(), state, state + state_words_);
    ++size_;
    return true;
}

bool StateTable::insert(const Word* state, std::uint64_t hash) {
    if (numbered_) return numbered_->insert(state, hash).is_new;
    if (hash == 0) [[unlikely]]
        return insert_zero_hash(state);
    return with_tail_bytes(shape_.tail_bytes,
                           [&](auto tail_bytes) { return insert_inline<tail_bytes()>(state, hash); });
}

template <std::size_t kTailBytes>
bool StateTable::insert_inline(const Word* state, std::uint64_t hash) {
    using Bucket = InlineBucket<kTailBytes>;
    Shard& shard = shards_.of(hash);
    for (std::uint64_t at = placement().home(hash, shard.count);; at = shard.next(at)) {
        std::byte* const bucket = shard.bucket(at);
        std::size_t filled = 0;
        for (; filled < Bucket::kEntries && Bucket::entry(bucket, filled) != 0; ++filled)
            if (Bucket::entry(bucket, filled) == hash && (kTailBytes == 0 || Bucket::tail(bucket, filled) == state[1]))
                return false;
        if (filled == Bucket::kEntries) continue;
        if (shard.size == shard.limit) [[unlikely]] {
            grow<kTailBytes>(shard);
            return insert_inline<kTailBytes>(state, hash);
        }
        Bucket::write(bucket, filled, hash, tail_of(state));
        ++shard.size;
        ++size_;
        return true;
    }
}

void StateTable::insert_distinct(const Word* states, std::size_t count) {
    if (numbered_) {
        numbered_->insert_distinct(states, count);
        return;
    }
    std::vector<std::uint64_t> hashes(count);
    for (std::size_t i = 0; i < count; ++i) {
        hashes[i] = successor::hash_state(states + i * state_words_, state_words_);
        prefetch(hashes[i]);
    }
    with_tail_bytes(shape_.tail_bytes, [&](auto tail_bytes) {
        for (std::size_t i = 0; i < count; ++i) {
            const Word* state = states + i * state_words_;
            Shard& shard = shards_.of(hashes[i]);
            if (hashes[i] == 0 || shard.size == shard.limit) [[unlikely]] {
                insert(state, hashes[i]);
                continue;
            }
            place_entry<InlineBucket<tail_bytes()>>(shard, placement(), hashes[i], tail_of(state));
            ++shard.size;
            ++size_;
        }
    });
}

bool StateTable::contains(const Word* state, std::uint64_t hash) const {
    if (numbered_) return numbered_->find(state, hash).has_value();
    if (hash == 0) return contains_zero_hash(state);
    return with_tail_bytes(shape_.tail_bytes, [&](auto tail_bytes) {
        using Bucket = InlineBucket<tail_bytes()>;
        const Shard& shard = shards_.of(hash);
        for (std::uint64_t at = placement().home(hash, shard.count);; at = shard.next(at)) {
            const std::byte* bucket = shard.bucket(at);
            for (std::size_t i = 0; i < Bucket::kEntries; ++i)
                if (Bucket::entry(bucket, i) == hash && (tail_bytes() == 0 || Bucket::tail(bucket, i) == state[1]))
                    return true;
            if (Bucket::entry(bucket, Bucket::kEntries - 1) == 0) return false;
        }
    });
}

// ---- growing -------------------------------------------------------------------------------------------------------

// May move the shards: the caller finds its own again.
template <std::size_t kTailBytes>
void StateTable::grow(Shard& shard) {
    grow_or_split<InlineBucket<kTailBytes>>(shards_, shard, *try_reserve_);
}

void StateTable::reserve(std::uint64_t states) {
    assert(size() == 0 && "an empty table");
    if (numbered_) numbered_->reserve(states);
    else shards_.reserve(states, *try_reserve_);
}

// ---- all states ----------------------------------------------------------------------------------------------------

void StateTable::visit_shard(const Shard& shard, std::uint64_t begin, std::uint64_t end, std::vector<Word>& state,
                             const std::function<void(const Word*)>& visit) const {
    with_tail_bytes(shape_.tail_bytes, [&](auto tail_bytes) {
        for_each_entry<InlineBucket<tail_bytes()>>(shard, begin, end, [&](std::uint64_t hash, std::uint64_t tail) {
            if (state_words_ == 2) state[1] = tail;
            state[0] = successor::first_word(hash, state.data(), state_words_);
            visit(state.data());
        });
    });
}

void StateTable::for_each(const std::function<void(const Word*)>& visit) const {
    if (numbered_) {
        numbered_->for_each([&](std::uint64_t /*number*/, const Word* state) { visit(state); });
        return;
    }
    std::vector<Word> state(state_words_);
    for (std::size_t at = 0; at < zero_hash_.size(); at += state_words_) visit(zero_hash_.data() + at);
    for (const Shard& shard : shards_.all()) visit_shard(shard, 0, shard.count, state, visit);
}

bool StateTable::take_all(const std::function<bool(const Word*)>& visit) {
    bool continues = true;
    const auto visit_each = [&](const Word* state) { continues = continues && visit(state); };
    if (numbered_) {
        for_each(visit_each);
    } else {
        std::vector<Word> state(state_words_);
        for (std::size_t at = 0; at < zero_hash_.size(); at += state_words_) visit_each(zero_hash_.data() + at);
        for (Shard& shard : shards_.all()) {
            visit_shard(shard, 0, shard.count, state, visit_each);
            shard = Shard();
        }
    }
    *this = StateTable(state_words_, state_bytes_, *try_reserve_, split_bits_, most_ordered_);
    return continues;
}

void StateTable::repack(std::size_t state_words, std::size_t state_bytes, const successor::Repacking& translate) {
    if (numbered_ && state_words > 2) {
        numbered_->repack(state_words, state_bytes, translate);
        state_words_ = state_words;
        state_bytes_ = state_bytes;
        return;
    }
    StateTable other(state_words, state_bytes, *try_reserve_, split_bits_, most_ordered_);
    carry_over_to(other, translate);
    *this = std::move(other);
}

// What has been carried over is given back as far as it can be.
void StateTable::carry_over_to(StateTable& other, const successor::Repacking& translate) {
    constexpr std::size_t kBlock = 256;
    std::vector<Word> to(kBlock * other.state_words_);
    std::size_t carried = 0;
    const auto put = [&] { other.insert_distinct(to.data(), std::exchange(carried, 0)); };
    const auto carry = [&](const Word* from) {
        translate(from, to.data() + carried * other.state_words_);
        if (++carried == kBlock) put();
    };
    if (numbered_) {
        for_each(carry);
        put();
        return;
    }
    std::vector<Word> state(state_words_);
    for (std::size_t at = 0; at < zero_hash_.size(); at += state_words_) carry(zero_hash_.data() + at);
    give_back_in_strides(shards_, [&](const Shard& shard, std::uint64_t begin, std::uint64_t end) {
        visit_shard(shard, begin, end, state, carry);
    });
    shards_ = Shards();
    put();
}

}  // namespace tideline::store
