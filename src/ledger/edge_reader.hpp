// Reads the edges of a ledger as the numbers of states, in bounded memory.
//
// Edges to states that were open when they were written have temporary ids. The stream `numbers` says which final ones
// belong to them; as an array by temporary id it takes 8 bytes per id. Where that fits into the memory that may be
// taken, it is there; else it is in a temporary file without a name, written window by window, one pass over the stream
// for each, and the edges of a frame look their targets up in the order of their temporary ids. Frames name states that
// were discovered at about the same time, so they touch few blocks of the array.
//
// A check that decides states by their successors reads layers from the last key to the first: within a key, extents
// come in the order of their numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ledger/ledger.hpp"

namespace tideline::ledger {

// The edges of consecutive states, one state's after the other's, valid during the visit only.
struct Edges {
    std::uint64_t first = 0;                   // number of the first state
    std::span<const std::uint32_t> degrees{};  // of each state
    std::span<const std::uint64_t> targets{};
    std::span<const std::uint64_t> transitions{};  // of each target
    std::span<const std::uint64_t> marks{};        // of each target; empty where the ledger has none
};

struct EdgeReaderSettings {
    std::uint64_t memory = std::uint64_t{256} << 20U;  // bytes, about, for the array of numbers
    std::string temporary_directory =
        "/tmp";  // for the array where it does not fit; the caller knows the user's wishes
    // Called for every frame that the constructor reads; it may throw what the caller of the constructor expects.
    std::function<void()> poll{};
    // Called before this number of bytes is written to the temporary file; it may throw, too.
    std::function<void(std::uint64_t)> take_disk{};
};

class EdgeReader {
public:
    using Visit = std::function<void(const Edges&)>;

    // The ledger must have edges, those of all its states, and outlive the reader.
    explicit EdgeReader(LedgerContents& ledger, const EdgeReaderSettings& settings = {});

    // Where an edge leads to whose target has no number yet: it was open at the last checkpoint of a search that is not
    // complete.
    static constexpr std::uint64_t kWaiting = ~std::uint64_t{0};
    // The edges of states first ... first + count - 1, in order, at most a frame's at a time. The ledger must not be
    // used within the visit.
    void read(std::uint64_t first, std::uint64_t count, const Visit& visit);
    // The edges of as many of these states, at least one, as are stored together. Valid until edges are read again.
    [[nodiscard]] Edges read_part(std::uint64_t first, std::uint64_t count);

    // All layers from the largest key to the smallest; `visit` receives the key and the edges. Extents of a key in the
    // order of their numbers.
    void read_backwards(const std::function<void(support::UInt128 key, const Edges& edges)>& visit);

    // Of memory that resolves numbers.
    [[nodiscard]] std::uint64_t bytes() const {
        return (final_numbers_.capacity() + targets_.capacity()) * sizeof(std::uint64_t);
    }

private:
    void measure_numbers();
    void fill(std::uint64_t begin, std::vector<std::uint64_t>& window);
    void resolve();

    LedgerContents& ledger_;
    std::function<void()> poll_;
    Files files_;
    std::uint64_t temporary_end_ = 0;  // one more than the largest
    bool is_in_memory_ = true;
    std::vector<std::uint64_t> final_numbers_;  // by temporary id; where they are in a file, a block of it
    LedgerFile file_;
    std::vector<std::uint64_t> targets_;  // of the current frame
    struct Open {
        std::uint64_t temporary;
        std::uint32_t index;  // in targets_
    };
    std::vector<Open> open_;
};

}  // namespace tideline::ledger
