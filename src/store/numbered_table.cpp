#include "store/numbered_table.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

namespace tideline::store {
namespace {

constexpr std::uint64_t kRecordStep = std::uint64_t{1} << 20U;  // bytes of records that are asked for at a time
constexpr std::size_t kSlack = sizeof(Word);                    // behind the last record

}  // namespace

NumberedTable::NumberedTable(std::size_t state_words, std::size_t state_bytes, const MemoryBudget& try_reserve,
                             const Settings& settings)
    : try_reserve_(&try_reserve),
      settings_(settings),
      shards_(settings.split_bits, settings.growth, NumberedBucket::kEntries),
      payload_mask_(settings.payload_bytes == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * settings.payload_bytes)) {
    assert(settings.payload_bytes <= sizeof(std::uint64_t) && settings.most_states <= kMostStates);
    set_packing(state_words, state_bytes);
}

void NumberedTable::set_packing(std::size_t state_words, std::size_t state_bytes) {
    assert(state_bytes > 0 && state_bytes <= state_words * sizeof(Word));
    state_words_ = state_words;
    state_bytes_ = state_bytes;
    compared_words_ = (state_bytes + sizeof(Word) - 1) / sizeof(Word);
    last_mask_ = ~Word{0} >> (8 * (compared_words_ * sizeof(Word) - state_bytes));
    record_bytes_ = state_bytes + settings_.payload_bytes;
}

// ---- inserting ------------------------------------------------------------------------------------------------------

NumberedTable::Insertion NumberedTable::append(const Word* state, std::uint64_t hash, std::byte* bucket,
                                               std::uint64_t tag) {
    if (size_ == capacity_) [[unlikely]]
        grow_records();
    Shard& shard = shards_.of(hash);
    if (shard.size == shard.limit) [[unlikely]] {
        grow_index(hash);
        return insert(state, hash);
    }
    write_record(size_, state);
    NumberedBucket::write(bucket, NumberedBucket::first_free(bucket), tag | (size_ + 1), 0);
    ++shard.size;
    return {size_++, true};
}

// Behind the last record the memory is 0, and so is what is written there.
void NumberedTable::write_record(Number number, const Word* state) {
    std::byte* const record = record_of(number);
    for (std::size_t i = 0; i < compared_words_; ++i) std::memcpy(record + i * sizeof(Word), state + i, sizeof(Word));
    assert((state[compared_words_ - 1] & ~last_mask_) == 0);
}

void NumberedTable::insert_distinct(const Word* states, std::size_t count) {
    std::uint64_t hashes[kBlock];
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
        const std::size_t end = std::min(begin + kBlock, count);
        for (std::size_t i = begin; i < end; ++i) {
            hashes[i - begin] = successor::hash_state(states + i * state_words_, state_words_);
            prefetch(hashes[i - begin]);
        }
        for (std::size_t i = begin; i < end; ++i) {
            if (size_ == capacity_) grow_records();
            write_record(size_, states + i * state_words_);
            add_entry(hashes[i - begin]);
        }
    }
}

// Of the state of number size_, which has none yet.
void NumberedTable::add_entry(std::uint64_t hash) {
    if (const Shard& shard = shards_.of(hash); shard.size == shard.limit) [[unlikely]]
        grow_index(hash);
    Shard& shard = shards_.of(hash);
    place_entry<NumberedBucket>(shard, NumberedBucket::kPlacement,
                                NumberedBucket::tag(hash, shards_.bits()) | (size_ + 1), 0);
    ++shard.size;
    ++size_;
}

void NumberedTable::reserve(std::uint64_t states) {
    assert(size_ == 0 && "an empty table");
    shards_.reserve(states, *try_reserve_);
}

// ---- growing --------------------------------------------------------------------------------------------------------

// The address space doubles, which costs nothing until it is touched. The capacity ends with the numbers, so that
// inserting need not check both.
void NumberedTable::grow_records() {
    if (size_ >= settings_.most_states) throw std::bad_alloc();
    const std::uint64_t bytes = (size_ + 1) * record_bytes_;
    std::uint64_t wanted = bytes < kUnnoticedBytes ? std::max(2 * bytes, 4 * record_bytes_) : bytes + kRecordStep;
    if (!is_granted(*try_reserve_, wanted - capacity_ * record_bytes_)) {
        wanted = bytes + kUnnoticedBytes;  // the last one
        if (!(*try_reserve_)(wanted - capacity_ * record_bytes_)) throw std::bad_alloc();
    }
    if (wanted + kSlack > records_.bytes()) records_.grow(std::max<std::size_t>(wanted + kSlack, records_.bytes() * 2));
    capacity_ = std::min(wanted / record_bytes_, settings_.most_states);
}

// May move the shards.
void NumberedTable::grow_index(std::uint64_t hash) {
    if (!shards_.grow<NumberedBucket>(shards_.of(hash), NumberedBucket::kPlacement, *try_reserve_)) split_index();
}

// A tag lacks the bits that those of the shard push into it: the states determine them.
void NumberedTable::split_index() {
    const unsigned bits = shards_.split_bits();
    std::vector<std::uint64_t> hashes(size_);
    std::vector<std::uint64_t> sizes(std::size_t{1} << bits);
    std::vector<Word> state(state_words_);
    for (Number number = 0; number < size_; ++number) {
        read(number, state.data());
        hashes[number] = successor::hash_state(state.data(), state_words_);
        ++sizes[hashes[number] >> (64U - bits)];
    }
    std::vector<Shard> shards = shards_.split(sizes);
    for (Number number = 0; number < size_; ++number) {
        const std::uint64_t hash = hashes[number];
        place_entry<NumberedBucket>(shards[hash >> (64U - bits)], NumberedBucket::kPlacement,
                                    NumberedBucket::tag(hash, bits) | (number + 1), 0);
    }
    shards_.install(std::move(shards));
}

// ---- repacking ------------------------------------------------------------------------------------------------------

// In place: from the end where records become larger, from the beginning where they become smaller, so that no record
// is overwritten before it was read. Hashes change, so the index is made again, in as much memory as the old one had.
void NumberedTable::repack(std::size_t state_words, std::size_t state_bytes, const successor::Repacking& translate) {
    const std::size_t old_bytes = record_bytes_;
    const std::size_t new_bytes = state_bytes + settings_.payload_bytes;
    const bool grows = new_bytes > old_bytes;
    if (grows && !is_granted(*try_reserve_, size_ * (new_bytes - old_bytes))) throw std::bad_alloc();
    const std::uint64_t needed = size_ * new_bytes + kSlack;
    if (needed > records_.bytes()) records_.grow(std::max<std::size_t>(needed, records_.bytes() * 2));
    shards_ = Shards(settings_.split_bits, settings_.growth, NumberedBucket::kEntries);
    shards_.reserve(size_, [](std::uint64_t) { return true; });
    // From here on memory does not run out, unless it does so for a single shard.
    std::vector<Word> from(state_words_);
    std::vector<Word> to(state_words);
    for (std::uint64_t i = 0; i < size_; ++i) {
        const Number number = grows ? size_ - 1 - i : i;
        read_record(number, from.data());
        const std::uint64_t old_payload = payload(number);
        translate(from.data(), to.data());
        std::byte* const record = records_.data() + number * new_bytes;
        std::memcpy(record, to.data(), state_bytes);
        std::memcpy(record + state_bytes, &old_payload, settings_.payload_bytes);
    }
    // Behind the last record the memory is 0.
    if (!grows) std::memset(records_.data() + size_ * new_bytes, 0, size_ * (old_bytes - new_bytes));
    set_packing(state_words, state_bytes);
    capacity_ = size_;
    add_entries();
}

void NumberedTable::add_entries() {
    const std::uint64_t count = std::exchange(size_, 0);  // as many as have entries
    std::uint64_t hashes[kBlock];
    std::vector<Word> state(state_words_);
    while (size_ < count) {
        const std::size_t block = std::min<std::uint64_t>(kBlock, count - size_);
        for (std::size_t i = 0; i < block; ++i) {
            read_record(size_ + i, state.data());
            hashes[i] = successor::hash_state(state.data(), state_words_);
            prefetch(hashes[i]);
        }
        for (std::size_t i = 0; i < block; ++i) add_entry(hashes[i]);
    }
}

}  // namespace tideline::store
