#include "store/state_table.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <utility>

namespace tideline {
namespace {

constexpr std::uint64_t kFirstLines = 2;
constexpr std::uint64_t kUnnoticed = std::uint64_t{64} << 10U;  // growth below this needs no permission
constexpr std::uint64_t kArenaStep = std::uint64_t{1} << 20U;   // the arena asks for this much at a time
constexpr std::uint64_t kSmallestInPlace = std::uint64_t{64} << 10U;  // of memory that begins with a line wherever it is moved
constexpr std::uint64_t kLinesBeforeShards = std::uint64_t{1} << 15U;  // 2 MB
constexpr double kHighestLoad = 0.95;  // where growing is not permitted

// By how much a shard grows, and how full it may get at most before that. The fuller, the longer look-ups take; the shorter the steps, the
// longer growing. Since shards grow at different times, a state takes on average 1 / load * (factor - 1) / ln(factor) entries.
struct Growth {
    double factor;
    double highest_load;
    // The load with which a state takes so many entries.
    [[nodiscard]] double load(double entries_per_state) const { return (factor - 1) / std::log(factor) / entries_per_state; }
};
constexpr Growth kGrowths[] = {{2, 0.84}, {1.5, 0.86}, {1.3, 0.9}, {1.2, 0.9}};
constexpr double kBytesOnTop = 7.6;  // of a packed state that a table may take, where it can be had

// For at least eight bytes.
bool equal_bytes(const std::byte* a, const std::byte* b, std::size_t bytes) {
    const auto differ = [&](std::size_t at) {
        std::uint64_t words[2];
        std::memcpy(&words[0], a + at, 8);
        std::memcpy(&words[1], b + at, 8);
        return words[0] != words[1];
    };
    for (std::size_t at = 0; at + 8 <= bytes; at += 8)
        if (differ(at)) return false;
    return !differ(bytes - 8);
}

std::uint64_t share(std::uint64_t n, double load) { return static_cast<std::uint64_t>(static_cast<double>(n) * load); }

}  // namespace

StateTable::StateTable(std::size_t state_words, std::size_t state_bytes, const Permission& may_allocate, unsigned cut_bits,
                       std::uint64_t most_ordered)
    : may_allocate_(&may_allocate), cut_bits_(cut_bits), most_ordered_(most_ordered) {
    assert(most_ordered <= kMostOrdered);
    set_format(state_words, state_bytes);
    start_empty();
}

void StateTable::start_empty() {
    shards_.clear();
    shards_.emplace_back();
    shard_bits_ = 0;
    allocate(shards_[0], kFirstLines);
    shards_[0].limit = limit_of(kFirstLines, load_);
}

void StateTable::set_format(std::size_t state_words, std::size_t state_bytes) {
    assert(state_bytes > 0 && state_bytes <= state_words * sizeof(Word));
    state_words_ = state_words;
    state_bytes_ = state_bytes;
    format_ = state_words == 1 ? Format::one_word : state_words == 2 ? Format::two_words : Format::wide;
    const std::size_t rest = format_ == Format::two_words ? std::max<std::size_t>(9, state_bytes) - 8 : 0;
    shape_ = {kLine / (sizeof(Word) + rest), rest};
    const double entry_bytes = static_cast<double>(kLine) / static_cast<double>(shape_.entries);
    const double most = kBytesOnTop + (ordered() ? 0 : static_cast<double>(state_bytes));
    for (const Growth& growth : kGrowths) {
        const double load = growth.load(most / entry_bytes);
        factor_ = growth.factor;
        load_ = std::min(load, growth.highest_load);
        if (load <= growth.highest_load) break;
    }
}

bool StateTable::permitted(std::uint64_t bytes) const { return bytes < kUnnoticed || (*may_allocate_)(bytes); }

// ---- inserting ---------------------------------------------------------------------------------------------------------------------

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

bool StateTable::line_holds(const std::byte* line, const Word* state, std::uint64_t hash) const {
    if (format_ == Format::wide) return line_holds_wide(line, match_tags(line, hash), state);
    for (std::size_t i = 0; i < shape_.entries; ++i)
        if (entry(line, i) == hash && (format_ == Format::one_word || rest(line, i) == state[1])) return true;
    return false;
}

bool StateTable::line_holds_wide(const std::byte* line, TagMatches matches, const Word* state) const {
    for (unsigned equal = matches.equal; equal != 0; equal &= equal - 1) {
        const std::uint64_t found = entry(line, TagMatches::first_of(equal));
        if (equal_bytes(arena_state(found), reinterpret_cast<const std::byte*>(state), state_bytes_)) return true;
    }
    return false;
}

bool StateTable::insert(const Word* state, std::uint64_t hash) {
    if (format_ == Format::wide) return insert_wide(state, hash);
    if (hash == 0) [[unlikely]] return insert_zero_hash(state);
    Shard& shard = shard_of(hash);
    for (std::uint64_t at = line_of(shard, hash);; at = next_line(shard, at)) {
        std::byte* const line = shard.lines + at * kLine;
        if (line_holds(line, state, hash)) return false;
        const std::size_t place = filled(line, shape_);
        if (place == shape_.entries) continue;
        if (shard.size == shard.limit) [[unlikely]] {
            grow(shard);
            return insert(state, hash);
        }
        write(line, place, hash, rest_of(state));
        ++shard.size;
        ++size_;
        return true;
    }
}

bool StateTable::insert_wide(const Word* state, std::uint64_t hash) {
    Shard& shard = shard_of(hash);
    for (std::uint64_t at = line_of(shard, placing(hash));; at = next_line(shard, at)) {
        std::byte* const line = shard.lines + at * kLine;
        const TagMatches matches = match_tags(line, hash);
        if (line_holds_wide(line, matches, state)) return false;
        if (matches.free == 0) continue;
        if (shard.size == shard.limit) [[unlikely]] {
            grow(shard);
            return insert_wide(state, hash);
        }
        if (size_ == arena_capacity_) [[unlikely]] make_room_in_arena();
        std::memcpy(arena_.data() + size_ * state_bytes_, state, state_bytes_);
        write<0>(line, TagMatches::first_of(matches.free), (hash & ~kNumberMask) | (size_ + 1), 0);
        ++shard.size;
        ++size_;
        return true;
    }
}

void StateTable::insert_distinct(const Word* states, std::size_t count) {
    std::vector<std::uint64_t> hashes(count);
    for (std::size_t i = 0; i < count; ++i) {
        hashes[i] = hash_state(states + i * state_words_, state_words_);
        prefetch(hashes[i]);
    }
    with_rest_bytes(shape_.rest_bytes, [&](auto rest_bytes) {
        for (std::size_t i = 0; i < count; ++i) {
            const Word* state = states + i * state_words_;
            const std::uint64_t hash = hashes[i];
            Shard& shard = shard_of(hash);
            if ((hash == 0 && format_ != Format::wide) || shard.size == shard.limit) {
                insert(state, hash);
                continue;
            }
            if (format_ == Format::wide) {
                if (size_ == arena_capacity_) make_room_in_arena();
                std::memcpy(arena_.data() + size_ * state_bytes_, state, state_bytes_);
                place_entry<0>(shard, (hash & ~kNumberMask) | (size_ + 1), 0);
            } else {
                place_entry<rest_bytes()>(shard, hash, rest_of(state));
            }
            ++shard.size;
            ++size_;
        }
    });
}

bool StateTable::contains(const Word* state, std::uint64_t hash) const {
    if (hash == 0 && format_ != Format::wide) return contains_zero_hash(state);
    const Shard& shard = shard_of(hash);
    for (std::uint64_t at = line_of(shard, placing(hash));; at = next_line(shard, at)) {
        const std::byte* line = shard.lines + at * kLine;
        if (line_holds(line, state, hash)) return true;
        if (entry(line, shape_.entries - 1) == 0) return false;
    }
}

void StateTable::read(std::uint64_t number, Word* state) const {
    assert(ordered() && number < size_);
    state[state_words_ - 1] = 0;
    std::memcpy(state, arena_.data() + number * state_bytes_, state_bytes_);
}

// ---- growing -----------------------------------------------------------------------------------------------------------------------

// The address space doubles, which costs nothing until it is touched. The capacity ends with the numbers, so that inserting need not look at
// both.
void StateTable::make_room_in_arena() {
    if (size_ >= most_ordered_) throw std::bad_alloc();
    const std::uint64_t bytes = (size_ + 1) * state_bytes_;
    std::uint64_t wanted = bytes < kUnnoticed ? std::max(2 * bytes, 8 * state_bytes_) : bytes + kArenaStep;
    if (!permitted(wanted - arena_capacity_ * state_bytes_)) {
        wanted = bytes + kUnnoticed;  // the last that there is
        if (!(*may_allocate_)(wanted - arena_capacity_ * state_bytes_)) throw std::bad_alloc();
    }
    if (wanted > arena_.bytes()) arena_.grow(std::max<std::size_t>(wanted, arena_.bytes() * 2));
    arena_capacity_ = std::min(wanted / state_bytes_, most_ordered_);
}

std::uint64_t StateTable::limit_of(std::uint64_t lines, double load) const { return share(lines * shape_.entries, load); }

// May move the shards: the caller looks its own up again.
void StateTable::grow(Shard& shard) {
    ++growths_;
    const bool is_cut = shard_bits_ == 0 && shard.count >= kLinesBeforeShards;
    // Of several tables that are one set, each grows as a shard does.
    const bool is_shard = shard_bits_ > 0 || is_cut || (cut_bits_ < kMostCutBits && shard.count * kLine >= kSmallestInPlace);
    const std::uint64_t lines = share(shard.count, is_shard ? factor_ : 2) + 1;
    const bool in_place = !is_cut && shard.count * kLine >= kSmallestInPlace;
    if (permitted((in_place ? lines - shard.count : lines) * kLine)) {
        if (is_cut) {
            cut_into_shards(shard);
            return;
        }
        with_rest_bytes(shape_.rest_bytes, [&](auto rest_bytes) {
            in_place ? spread<rest_bytes()>(shard, lines) : refill<rest_bytes()>(shard, lines);
        });
        shard.limit = limit_of(lines, load_);
        return;
    }
    const std::uint64_t highest = limit_of(shard.count, kHighestLoad);
    if (shard.limit >= highest) throw std::bad_alloc();
    shard.limit = highest;
}

// As if it had grown to that: the shards of a large table get their sizes as if they had grown at different times.
void StateTable::make_room(std::uint64_t states) {
    assert(size_ == 0 && "an empty table");
    const std::uint64_t lines = share(states / shape_.entries + 1, 1 / load_) + 1;
    if (lines <= shards_[0].count || !permitted(lines * kLine)) return;
    ++growths_;
    shard_bits_ = lines > kLinesBeforeShards ? cut_bits_ : 0;
    shards_ = std::vector<Shard>(std::size_t{1} << shard_bits_);
    for (std::size_t i = 0; i < shards_.size(); ++i) {
        const double phase = shard_bits_ == 0 ? 1 : std::pow(factor_, (static_cast<double>(i) + 1) / static_cast<double>(shards_.size()));
        allocate(shards_[i], share(lines / shards_.size() + 1, phase));
        shards_[i].limit = limit_of(shards_[i].count, load_);
    }
}

void StateTable::allocate(Shard& shard, std::uint64_t lines) {
    shard.memory = Mapping::resident(lines * kLine + kLine);
    void* place = shard.memory.data();
    std::size_t room = shard.memory.bytes();
    shard.lines = static_cast<std::byte*>(std::align(kLine, lines * kLine, place, room));
    shard.count = lines;
}

template <std::size_t kRestBytes>
void StateTable::refill(Shard& shard, std::uint64_t lines) const {
    constexpr std::size_t kEntries = kEntriesOfLine<kRestBytes>;
    Shard larger;
    allocate(larger, lines);
    larger.size = shard.size;
    // Without a branch that depends on the contents: a free entry is written to a free place, which does not count as filled by it.
    std::vector<std::uint8_t> filled_places(lines);
    for (std::uint64_t from = 0; from < shard.count; ++from) {
        const std::byte* line = shard.lines + from * kLine;
        for (std::size_t i = 0; i < kEntries; ++i) {
            const std::uint64_t its_entry = entry(line, i);
            std::uint64_t at = line_of(larger, placing(its_entry));
            while (filled_places[at] == kEntries && its_entry != 0) [[unlikely]] at = next_line(larger, at);
            if (filled_places[at] == kEntries) [[unlikely]] continue;
            write<kRestBytes>(larger.lines + at * kLine, filled_places[at], its_entry, load_rest<kRestBytes>(line, i));
            filled_places[at] += its_entry != 0;
        }
    }
    shard = std::move(larger);
}

// In place, block by block from the end. An entry's new line is not before its old one but for those that had been pushed on, so nearly all
// go to lines that have been read and cleared already; the others wait until theirs are.
template <std::size_t kRestBytes>
void StateTable::spread(Shard& shard, std::uint64_t lines) const {
    constexpr std::uint64_t kBlock = 64;
    constexpr std::size_t kEntries = kEntriesOfLine<kRestBytes>;
    std::byte block[kBlock * kLine];
    const unsigned shard_bits = shard_bits_;
    const std::uint64_t placing_mask = placing(~std::uint64_t{0});
    std::vector<std::uint8_t> filled_places(lines);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> waiting;  // entries and rests
    std::vector<std::pair<std::uint64_t, std::uint64_t>> still_waiting;
    const std::uint64_t before = shard.count;
    shard.memory.grow_resident(lines * kLine + kLine);
    std::byte* const first = shard.memory.data();
    std::uint8_t* const filled_of = filled_places.data();
    shard.lines = first;
    shard.count = lines;
    std::uint64_t cleared = before;  // lines from here on have been read
    const auto place = [&](std::uint64_t its_entry, std::uint64_t its_rest, std::uint64_t from) {
        auto at = static_cast<std::uint64_t>((UInt128{(its_entry & placing_mask) << shard_bits} * lines) >> 64U);
        while (at >= from && filled_of[at] == kEntries) [[unlikely]] at = at + 1 == lines ? 0 : at + 1;
        if (at < from) [[unlikely]]
            still_waiting.emplace_back(its_entry, its_rest);
        else
            write<kRestBytes>(first + at * kLine, filled_of[at]++, its_entry, its_rest);
    };
    const auto place_waiting = [&](std::uint64_t from) {
        waiting.swap(still_waiting);
        still_waiting.clear();
        for (const auto& [its_entry, its_rest] : waiting) place(its_entry, its_rest, from);
    };
    while (cleared > 0) {
        const std::uint64_t begin = cleared - std::min(cleared, kBlock);
        const std::size_t bytes = (cleared - begin) * kLine;
        std::memcpy(block, first + begin * kLine, bytes);
        std::memset(first + begin * kLine, 0, bytes);
        cleared = begin;
        place_waiting(begin);
        for (std::size_t at = 0; at < bytes; at += kLine) {
            const std::byte* line = block + at;
            for (std::size_t i = 0; i < kEntries && entry(line, i) != 0; ++i) place(entry(line, i), load_rest<kRestBytes>(line, i), begin);
        }
    }
    place_waiting(0);
    assert(still_waiting.empty());
}

template <std::size_t kRestBytes, class Visit>
void StateTable::visit_lines(const Shard& shard, std::uint64_t begin, std::uint64_t end, Visit visit) {
    for (std::uint64_t at = begin; at < end; ++at) {
        const std::byte* line = shard.lines + at * kLine;
        for (std::size_t i = 0; i < kEntriesOfLine<kRestBytes> && entry(line, i) != 0; ++i) visit(entry(line, i), load_rest<kRestBytes>(line, i));
    }
}

template <class Visit>
void StateTable::visit_entries(const Shard& shard, std::uint64_t begin, std::uint64_t end, Visit visit) const {
    with_rest_bytes(shape_.rest_bytes, [&](auto rest_bytes) { visit_lines<rest_bytes()>(shard, begin, end, visit); });
}

template <std::size_t kRestBytes>
void StateTable::place_entry(Shard& shard, std::uint64_t its_entry, std::uint64_t its_rest) const {
    constexpr std::size_t kEntries = kEntriesOfLine<kRestBytes>;
    std::uint64_t at = line_of(shard, placing(its_entry));
    while (entry(shard.lines + at * kLine, kEntries - 1) != 0) [[unlikely]] at = next_line(shard, at);
    std::byte* const line = shard.lines + at * kLine;
    // All are looked at: how many there are cannot be predicted.
    std::size_t filled = 0;
    for (std::size_t i = 0; i + 1 < kEntries; ++i) filled += entry(line, i) != 0;
    write<kRestBytes>(line, filled, its_entry, its_rest);
}

// The first shard is about to grow, the last one has just grown, the others lie in between.
void StateTable::cut_into_shards(Shard& whole) {
    const std::size_t count = std::size_t{1} << cut_bits_;
    std::vector<Shard> shards(count);
    const auto shard_for = [&](std::uint64_t its_entry) -> Shard& { return shards[its_entry >> (64U - cut_bits_)]; };
    visit_entries(whole, 0, whole.count, [&](std::uint64_t its_entry, std::uint64_t /*rest*/) { ++shard_for(its_entry).size; });
    const double average = static_cast<double>(whole.size) / static_cast<double>(count * shape_.entries) / load_;
    for (std::size_t i = 0; i < count; ++i) {
        const double phase = std::pow(factor_, (static_cast<double>(i) + 1) / static_cast<double>(count));
        const std::uint64_t needed = share(shards[i].size / shape_.entries + 1, 1 / load_) + 1;
        allocate(shards[i], std::max(static_cast<std::uint64_t>(average * phase), needed));
        shards[i].limit = limit_of(shards[i].count, load_);
    }
    shard_bits_ = cut_bits_;
    with_rest_bytes(shape_.rest_bytes, [&](auto rest_bytes) {
        visit_lines<rest_bytes()>(whole, 0, whole.count, [&](std::uint64_t its_entry, std::uint64_t its_rest) {
            place_entry<rest_bytes()>(shard_for(its_entry), its_entry, its_rest);
        });
    });
    shards_ = std::move(shards);
}

// ---- all states --------------------------------------------------------------------------------------------------------------------

void StateTable::visit_shard(const Shard& shard, std::uint64_t begin, std::uint64_t end, std::vector<Word>& state,
                             const std::function<void(const Word*)>& visit) const {
    visit_entries(shard, begin, end, [&](std::uint64_t hash, std::uint64_t its_rest) {
        if (state_words_ == 2) state[1] = its_rest;
        state[0] = first_word(hash, state.data(), state_words_);
        visit(state.data());
    });
}

void StateTable::for_each(const std::function<void(const Word*)>& visit) const {
    std::vector<Word> state(state_words_);
    if (ordered()) {
        for (std::uint64_t number = 0; number < size_; ++number) {
            read(number, state.data());
            visit(state.data());
        }
        return;
    }
    for (std::size_t at = 0; at < zero_hash_.size(); at += state_words_) visit(zero_hash_.data() + at);
    for (const Shard& shard : shards_) visit_shard(shard, 0, shard.count, state, visit);
}

void StateTable::repack(std::size_t state_words, std::size_t state_bytes, const std::function<void(const Word*, Word*)>& translate) {
    if (ordered() && state_words > 2) {
        repack_arena(state_words, state_bytes, translate);
        return;
    }
    StateTable other(state_words, state_bytes, *may_allocate_, cut_bits_, most_ordered_);
    constexpr std::size_t kBlock = 256;
    std::vector<Word> to(kBlock * state_words);
    std::size_t carried = 0;
    const auto put = [&] { other.insert_distinct(to.data(), std::exchange(carried, 0)); };
    const auto carry = [&](const Word* from) {
        translate(from, to.data() + carried * state_words);
        if (++carried == kBlock) put();
    };
    if (ordered()) {
        for_each(carry);
    } else {
        // Entries lie in the order of their hashes, which the new ones may resemble: taken in that order they would all belong into the first lines of
        // a table that has yet to grow, and be pushed on from line to line. So every kStride-th page of all shards comes first, then the next ones;
        // each page is given back when it is done.
        constexpr std::uint64_t kStride = 16;
        constexpr std::uint64_t kPageLines = 4096 / kLine;
        std::vector<Word> state(state_words_);
        for (std::size_t at = 0; at < zero_hash_.size(); at += state_words_) carry(zero_hash_.data() + at);
        for (std::uint64_t phase = 0; phase < kStride; ++phase)
            for (Shard& shard : shards_)
                for (std::uint64_t line = phase * kPageLines; line < shard.count; line += kStride * kPageLines) {
                    visit_shard(shard, line, std::min(line + kPageLines, shard.count), state, carry);
                    shard.memory.give_back(line * kLine, kPageLines * kLine);
                }
        shards_.clear();
    }
    put();
    *this = std::move(other);
}

// In place: from the end where states become larger, from the beginning where they become smaller, so that no state is overwritten before it
// was read. The entries are made anew.
void StateTable::repack_arena(std::size_t state_words, std::size_t state_bytes,
                              const std::function<void(const Word*, Word*)>& translate) {
    const std::uint64_t bytes = size_ * state_bytes;
    if (state_bytes > state_bytes_ && !permitted(bytes - size_ * state_bytes_)) throw std::bad_alloc();
    if (bytes > arena_.bytes()) arena_.grow(std::max<std::size_t>(bytes, arena_.bytes() * 2));
    std::vector<Word> from(state_words_);
    std::vector<Word> to(state_words);
    const bool grows = state_bytes > state_bytes_;
    for (std::uint64_t i = 0; i < size_; ++i) {
        const std::uint64_t number = grows ? size_ - 1 - i : i;
        read(number, from.data());
        translate(from.data(), to.data());
        std::memcpy(arena_.data() + number * state_bytes, to.data(), state_bytes);
    }
    const std::uint64_t count = size_;
    set_format(state_words, state_bytes);
    arena_capacity_ = size_;
    // Hashes have changed, so shards may need other sizes than they had; in the end they hold as many states as before.
    start_empty();
    size_ = 0;
    constexpr std::uint64_t kBlock = 256;
    for (std::uint64_t begin = 0; begin < count; begin += kBlock) {
        const std::uint64_t end = std::min(begin + kBlock, count);
        to.assign((end - begin) * state_words, 0);
        for (std::uint64_t number = begin; number < end; ++number)
            std::memcpy(to.data() + (number - begin) * state_words, arena_.data() + number * state_bytes, state_bytes);
        insert_distinct(to.data(), end - begin);
    }
}

}  // namespace tideline
