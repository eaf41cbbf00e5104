#include "ledger/manifest.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "ledger/error.hpp"

namespace tideline::ledger {

std::uint32_t Manifest::hash_of(support::UInt128 key) {
    const std::uint64_t parts[2] = {static_cast<std::uint64_t>(key), static_cast<std::uint64_t>(key >> 64U)};
    return static_cast<std::uint32_t>(checksum_of(parts, sizeof parts, 0));
}

std::size_t Manifest::slot_of(support::UInt128 key) const {
    const std::uint32_t hash = hash_of(key);
    std::size_t slot = hash >> (32 - index_bits_);
    while (index_[slot].last_extent != kNone &&
           (index_[slot].hash != hash || extents_[index_[slot].last_extent - 1].key != key))
        slot = (slot + 1) & (index_.size() - 1);
    return slot;
}

void Manifest::grow_index() {
    if (index_bits_ == limits_.index_bits)
        throw LedgerError(LedgerFault::limit, "the ledger", "it cannot have more keys");
    index_bits_ = index_.empty() ? kLeastIndexBits : index_bits_ + 1;
    std::vector<Slot> grown(std::size_t{1} << index_bits_);
    // The positions in the table are ordered by hash, before and after: neither is accessed at random.
    for (const Slot& old : index_) {
        if (old.last_extent == kNone) continue;
        std::size_t slot = old.hash >> (32 - index_bits_);
        while (grown[slot].last_extent != kNone) slot = (slot + 1) & (grown.size() - 1);
        grown[slot] = old;
    }
    index_ = std::move(grown);
}

void Manifest::add_extent(support::UInt128 key, std::uint32_t pass, std::uint64_t count) {
    if (count == 0) return;
    if (!extents_.empty() && extents_.back().key == key && extents_.back().pass == pass) {
        states_ += count;
        return;
    }
    if (extents_.size() >= limits_.extents)
        throw LedgerError(LedgerFault::limit, "the ledger", "it cannot have more extents");
    if (keys_ * 3 >= index_.size() * 2) grow_index();
    Slot& slot = index_[slot_of(key)];
    extents_.push_back({key, states_, pass, slot.last_extent});
    keys_ += slot.last_extent == kNone ? 1 : 0;
    slot = {hash_of(key), static_cast<std::uint32_t>(extents_.size())};
    states_ += count;
}

Extent Manifest::extent(std::uint64_t i) const {
    const Entry& entry = extents_[i];
    const std::uint64_t end = i + 1 < extents_.size() ? extents_[i + 1].first : states_;
    return {entry.key, entry.pass, entry.first, end - entry.first};
}

std::vector<Extent> Manifest::extents_of(support::UInt128 key) const {
    std::vector<Extent> result;
    if (index_.empty()) return result;
    for (std::uint32_t extent_number = index_[slot_of(key)].last_extent; extent_number != kNone;
         extent_number = extents_[extent_number - 1].before)
        result.push_back(extent(extent_number - 1));
    std::reverse(result.begin(), result.end());
    return result;
}

bool Manifest::add_initial(std::uint64_t number) {
    if (number >= states_ || (!initial_.empty() && number <= initial_.back())) return false;
    initial_.push_back(number);
    return true;
}

std::uint64_t Manifest::add_batch(support::UInt128 key, std::uint32_t pass, std::uint64_t count) {
    const std::uint64_t id = next_batch_++;
    batches_.emplace_hint(batches_.end(), id, WaitingBatch{id, key, pass, waiting_records_, count});
    waiting_records_ += count;
    return id;
}

bool Manifest::drop_batch(std::uint64_t id) { return batches_.erase(id) != 0; }

std::size_t Manifest::frame_of(Stream stream, std::uint64_t record) const {
    const std::vector<FrameEntry>& all = frames(stream);
    const auto behind =
        std::upper_bound(all.begin(), all.end(), record,
                         [](std::uint64_t value, const FrameEntry& frame) { return value < frame.first; });
    assert(behind != all.begin() && record < records(stream));
    return static_cast<std::size_t>(behind - all.begin()) - 1;
}

std::vector<bool> Manifest::live_waiting_frames() const {
    std::vector<bool> live(frames(Stream::waiting).size());
    const std::uint64_t end = records(Stream::waiting);
    for (const auto& [id, batch] : batches_) {
        if (batch.count == 0 || batch.first >= end) continue;
        const std::size_t last = frame_of(Stream::waiting, std::min(end, batch.first + batch.count) - 1);
        for (std::size_t i = frame_of(Stream::waiting, batch.first); i <= last; ++i) live[i] = true;
    }
    return live;
}

}  // namespace tideline::ledger
