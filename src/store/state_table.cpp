#include "store/state_table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace tideline {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{2} << 20U;
constexpr unsigned kSmallestTable = 10;  // 2^10 entries
// Doubled at this load; where doubling is not permitted, filled up to the higher one.
constexpr double kLoad = 0.8;
constexpr double kHighestLoad = 0.94;

std::uint64_t share(std::uint64_t n, double load) { return static_cast<std::uint64_t>(static_cast<double>(n) * load); }

}  // namespace

StateTable::StateTable(std::size_t state_words, std::size_t state_bytes, Permission may_allocate)
    : may_allocate_(std::move(may_allocate)) {
    set_state_size(state_words, state_bytes);
    rebuild(kSmallestTable);
}

void StateTable::set_state_size(std::size_t state_words, std::size_t state_bytes) {
    assert(state_bytes > 0 && state_bytes <= state_words * sizeof(Word));
    state_words_ = state_words;
    state_bytes_ = state_bytes;
    block_bits_ = static_cast<unsigned>(std::bit_width(std::max<std::size_t>(kBlockBytes / state_bytes, 1)) - 1);
}

void StateTable::read(StateId id, Word* state) const {
    assert(id < size_);
    state[state_words_ - 1] = 0;
    std::memcpy(state, place(id), state_bytes_);
}

void StateTable::rebuild(unsigned bits) {
    table_ = Mapping();
    table_ = Mapping((std::size_t{1} << bits) * sizeof(Entry));
    shift_ = 64 - bits;
    capacity_ = share(std::uint64_t{1} << bits, kLoad);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    // The arena is read in order; the random writes are announced a few states ahead.
    constexpr std::size_t kAhead = 16;
    std::uint64_t hashes[kAhead];
    std::vector<Word> state(state_words_);
    for (StateId id = 0; id < size_ + kAhead; ++id) {
        if (id >= kAhead && id - kAhead < size_) {
            const std::uint64_t hash = hashes[id % kAhead];
            std::uint64_t at = hash >> shift_;
            while (slots()[at] != 0) at = (at + 1) & mask;
            slots()[at] = entry_of(hash, id - kAhead);
        }
        if (id < size_) {
            read(id, state.data());
            hashes[id % kAhead] = hash_state(state.data(), state_words_);
            __builtin_prefetch(&slots()[hashes[id % kAhead] >> shift_], 1);
        }
    }
}

bool StateTable::reserve(std::size_t more) {
    const std::uint64_t wanted = size_ + more;
    if (wanted >= kIdMask) return false;
    while (blocks_.size() << block_bits_ < wanted) {
        const std::size_t bytes = state_bytes_ << block_bits_;
        if (!may_allocate_(bytes)) return false;
        blocks_.emplace_back(bytes);
    }
    if (wanted > capacity_) {
        unsigned bits = 64 - shift_;
        while (wanted > share(std::uint64_t{1} << bits, kLoad)) ++bits;
        const std::uint64_t bytes = (std::uint64_t{1} << bits) * sizeof(Entry);
        if (may_allocate_(bytes - std::min<std::uint64_t>(bytes, table_.bytes())))
            rebuild(bits);
        else
            capacity_ = std::max(capacity_, share(std::uint64_t{1} << (64 - shift_), kHighestLoad));
    }
    return wanted <= capacity_;
}

StateId StateTable::insert(const Word* state, std::uint64_t hash, bool& fresh) {
    const std::uint64_t mask = (std::uint64_t{1} << (64 - shift_)) - 1;
    const std::uint64_t tag = hash << kIdBits;
    for (std::uint64_t at = hash >> shift_;; at = (at + 1) & mask) {
        const Entry entry = slots()[at];
        if (entry == 0) {
            assert(size_ < capacity_ && size_ < blocks_.size() << block_bits_);
            slots()[at] = entry_of(hash, size_);
            std::memcpy(blocks_[size_ >> block_bits_].data() + (size_ & ((StateId{1} << block_bits_) - 1)) * state_bytes_,
                        state, state_bytes_);
            fresh = true;
            return size_++;
        }
        if ((entry & ~kIdMask) != tag) continue;
        const StateId id = (entry & kIdMask) - 1;
        if (std::memcmp(place(id), state, state_bytes_) == 0) {
            fresh = false;
            return id;
        }
    }
}

bool StateTable::repack(std::size_t state_words, std::size_t state_bytes,
                        const std::function<void(const Word*, Word*)>& translate) {
    // Block by block, freeing as it goes, so that both packings never lie in memory as a whole.
    const std::size_t growth = state_bytes > state_bytes_ ? (state_bytes - state_bytes_) * size_ : 0;
    if (!may_allocate_(growth)) return false;
    const unsigned bits = 64 - shift_;
    table_ = Mapping();
    std::vector<Mapping> old = std::move(blocks_);
    blocks_.clear();
    const unsigned old_bits = block_bits_;
    const std::size_t old_bytes = state_bytes_;
    std::vector<Word> from(state_words_);
    std::vector<Word> to(state_words);
    set_state_size(state_words, state_bytes);
    const StateId per_old = StateId{1} << old_bits;
    for (StateId id = 0; id < size_; ++id) {
        from.back() = 0;
        std::memcpy(from.data(), old[id >> old_bits].data() + (id & (per_old - 1)) * old_bytes, old_bytes);
        translate(from.data(), to.data());
        if (blocks_.size() << block_bits_ <= id) blocks_.emplace_back(state_bytes_ << block_bits_);
        std::memcpy(blocks_[id >> block_bits_].data() + (id & ((StateId{1} << block_bits_) - 1)) * state_bytes_, to.data(),
                    state_bytes_);
        if (((id + 1) & (per_old - 1)) == 0) old[id >> old_bits] = Mapping();
    }
    rebuild(bits);
    return true;
}

}  // namespace tideline
