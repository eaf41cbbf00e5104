// What a ledger contains and where it is: packings, frames, extents of states by their key, batches of open states.
//
// All of it comes from the journal and stays in memory. A frame takes some 50 bytes for ten thousand records, an extent
// 50: a sweep may have millions of tiny layers. So extents are found by a table of their indices, and the extents of a
// key are linked to the ones before; an extent ends where the next begins.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ledger/frame.hpp"
#include "support/wide.hpp"

namespace tideline::ledger {

// States of one key that were appended one after the other in one pass: numbers first ... first + count - 1.
struct Extent {
    support::UInt128 key = 0;
    std::uint32_t pass = 0;
    std::uint64_t first = 0;
    std::uint64_t count = 0;

    friend bool operator==(const Extent&, const Extent&) = default;
};

// Open states of one key, to be dropped together.
struct WaitingBatch {
    std::uint64_t id = 0;
    support::UInt128 key = 0;
    std::uint32_t pass = 0;
    std::uint64_t first = 0;  // position in the stream
    std::uint64_t count = 0;

    friend bool operator==(const WaitingBatch&, const WaitingBatch&) = default;
};

// How states are packed from some point on.
struct Packing {
    std::uint32_t state_bytes = 0;
    std::string description;  // the caller's
};

struct FrameEntry {
    std::uint64_t offset = 0;  // of the header
    std::uint64_t first = 0;
    std::uint64_t checksum = 0;
    std::uint32_t count = 0;
    std::uint32_t raw_bytes = 0;
    std::uint32_t stored_bytes = 0;
    std::uint16_t packing = 0;
    Codec codec = Codec::stored;

    [[nodiscard]] std::uint64_t end() const { return offset + sizeof(FrameHeader) + stored_bytes; }
};

// What 32 bits can index. Tests have smaller ones.
struct CatalogueLimits {
    std::uint64_t extents = 0xFFFF'FFFE;
    unsigned index_bits = 32;  // keys take two thirds of the index
};

class Manifest {
public:
    explicit Manifest(CatalogueLimits limits = {}) : limits_(limits) {}

    // Continues the last extent where that has the same key and pass. Throws LedgerError, and nothing has changed, at a
    // limit.
    void add_extent(support::UInt128 key, std::uint32_t pass, std::uint64_t count);
    [[nodiscard]] std::uint64_t extent_count() const { return extents_.size(); }
    [[nodiscard]] std::uint64_t key_count() const { return keys_; }
    [[nodiscard]] Extent extent(std::uint64_t i) const;
    // In the order of their numbers.
    [[nodiscard]] std::vector<Extent> extents_of(support::UInt128 key) const;
    [[nodiscard]] std::uint64_t states() const { return states_; }
    // False where the number is not larger than that of the last initial state, or there is no such state.
    bool add_initial(std::uint64_t number);
    // The numbers of the initial states, ascending.
    [[nodiscard]] const std::vector<std::uint64_t>& initial() const { return initial_; }

    std::uint64_t add_batch(support::UInt128 key, std::uint32_t pass, std::uint64_t count);
    // False where there is no such batch.
    bool drop_batch(std::uint64_t id);
    [[nodiscard]] const std::map<std::uint64_t, WaitingBatch>& batches() const { return batches_; }
    [[nodiscard]] std::uint64_t waiting_records() const { return waiting_records_; }

    std::vector<Packing>& packings() { return packings_; }
    [[nodiscard]] const std::vector<Packing>& packings() const { return packings_; }
    std::vector<FrameEntry>& frames(Stream stream) { return frames_[static_cast<std::size_t>(stream)]; }
    [[nodiscard]] const std::vector<FrameEntry>& frames(Stream stream) const {
        return frames_[static_cast<std::size_t>(stream)];
    }
    // After the last record and after the last byte of the frames.
    [[nodiscard]] std::uint64_t records(Stream stream) const {
        return frames(stream).empty() ? 0 : frames(stream).back().first + frames(stream).back().count;
    }
    [[nodiscard]] std::uint64_t bytes(Stream stream) const {
        return frames(stream).empty() ? 0 : frames(stream).back().end();
    }
    // The frame that has a record; there must be one.
    [[nodiscard]] std::size_t frame_of(Stream stream, std::uint64_t record) const;
    // Which frames of open states have a record of a batch that has not been dropped.
    [[nodiscard]] std::vector<bool> live_waiting_frames() const;

private:
    struct Entry {
        support::UInt128 key;
        std::uint64_t first;
        std::uint32_t pass;
        std::uint32_t before;  // 1 + index of the extent of the same key before this one; 0: none
    };
    static constexpr std::uint32_t kNone = 0;
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t last_extent = kNone;  // 1 + index of the last extent of a key
    };
    static constexpr unsigned kLeastIndexBits = 6;

    [[nodiscard]] static std::uint32_t hash_of(support::UInt128 key);
    [[nodiscard]] std::size_t slot_of(support::UInt128 key) const;
    void grow_index();

    CatalogueLimits limits_;
    std::vector<Entry> extents_;
    std::vector<Slot> index_;  // from the upper bits of the hash on, by linear probing
    unsigned index_bits_ = 0;
    std::uint64_t keys_ = 0;
    std::uint64_t states_ = 0;
    std::vector<std::uint64_t> initial_;
    std::map<std::uint64_t, WaitingBatch> batches_;
    std::uint64_t next_batch_ = 0;
    std::uint64_t waiting_records_ = 0;
    std::vector<Packing> packings_;
    std::array<std::vector<FrameEntry>, kStreams> frames_;
};

}  // namespace tideline::ledger
