// How many bytes a checkpoint would add to a ledger, so that a search can stop while there is room for the last one.
//
// The ledger counts what it has written. What it was given since then, and what a checkpoint would give it, counts by
// how much it has compressed what came before, twice to be safe. What was given last may be in frames that are open,
// and says nothing of that: in a small ledger nothing is known of compression.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tideline::explore {

class CheckpointEstimate {
public:
    static constexpr std::uint64_t kBytesOfStep = 12;  // of a parent and a transition

    // `bytes` of the ledger are older than this search.
    explicit CheckpointEstimate(std::uint64_t bytes) : bytes_before_(bytes) {}

    // The ledger has been given records of this many bytes before compression.
    void note_given(std::uint64_t bytes) { given_ += bytes; }
    // Everything that was given is in the `bytes` of the ledger, but for frames that are open.
    void note_written(std::uint64_t bytes) {
        constexpr std::uint64_t kGivenToOpenFrames = std::uint64_t{512} << 10U;
        const std::uint64_t written = bytes - std::min(bytes, bytes_before_);
        if (given_ > kGivenToOpenFrames)
            compression_ = static_cast<double>(written) / static_cast<double>(given_ - kGivenToOpenFrames);
        given_before_ = given_;
    }

    // For open states of this many bytes that are in memory, in this many layers.
    [[nodiscard]] std::uint64_t bytes(std::uint64_t open_bytes, std::uint64_t layers) const {
        constexpr std::uint64_t kOpenFrames = std::uint64_t{128} << 10U;
        constexpr std::uint64_t kOverhead = 64;  // of the manifest, per layer or batch
        constexpr std::uint64_t kOtherRecords = 256;
        const std::uint64_t raw = given_ - given_before_ + std::min(kOpenFrames, given_) + open_bytes;
        return static_cast<std::uint64_t>(static_cast<double>(raw) * std::min(1.0, 2 * compression_)) +
               (kOtherRecords + layers) * kOverhead;
    }

private:
    std::uint64_t given_ = 0;
    std::uint64_t given_before_ = 0;  // up to note_written()
    std::uint64_t bytes_before_;
    double compression_ = 1;
};

}  // namespace tideline::explore
