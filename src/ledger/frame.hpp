// A frame: some ten thousand records of one stream, compressed, with a header that says what it is and a checksum that
// says where it belongs.
//
// Records arrive in the order in which a search finds them, in which neighbours are alike: siblings differ in a few
// bytes, their parents are the same or next to each other. So the bytes of a record are xor-delta encoded against
// those of the record before, numbers are delta encoded, and zstd on its fastest regular level finds the repeated
// patterns. docs/ledger-format.md has what this was measured against.
//
// The checksum covers the payload, the header and the offset in the file, and the header has the ledger's own random
// number, the stream and the position in it: a frame is not valid anywhere else.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ledger/bytes.hpp"

namespace tideline::ledger {

enum class Stream : std::uint8_t {
    states,   // a state: its packed bytes
    parents,  // of each state: the number of the one that it was discovered from, and the transition
    labels,   // of each state: what the labels are, as bytes
    edges,    // of each state: its steps, the number of the successor and the transition
    numbers,  // a pair: temporary id, final number
    waiting,  // a state that waits to be expanded: bytes, parent, transition, perhaps a number of its own
};
inline constexpr std::size_t kStreams = 6;
inline constexpr std::string_view kStreamNames[kStreams] = {"states", "parents", "labels",
                                                            "edges",  "numbers", "waiting"};

// Numbers of states have 40 bits. The target of an edge is a state's number or, with the bit kTemporaryId, a
// temporary id, which a record of the stream `numbers` resolves; these have 40 bits beside it, too.
inline constexpr unsigned kNumberBits = 40;
inline constexpr std::uint64_t kNumberEnd = std::uint64_t{1} << kNumberBits;
// The parent of a state that was discovered before there was a ledger. Nothing comes after the state of this number,
// so it is nobody's parent.
inline constexpr std::uint64_t kUnknownParent = kNumberEnd - 1;
inline constexpr std::uint64_t kTemporaryId = std::uint64_t{1} << 63U;

// Records as columns. Which there are depends on the stream.
struct Columns {
    std::uint64_t count = 0;
    Bytes bytes;  // states, labels, waiting: all of the same size, one after the other
    std::vector<std::uint64_t>
        numbers;  // parents, waiting: parents; edges: targets, state after state; numbers: temporary ids
    std::vector<std::uint64_t> others;  // edges: transitions; numbers: final ones; waiting: numbers of their own
    std::vector<std::uint32_t> tags;    // parents, waiting: transitions; edges: how many targets
    std::vector<std::uint64_t> marks;   // edges: acceptance marks, where the header declares them
    std::vector<std::uint64_t>
        starts;  // edges: where the targets of each record begin; not stored, the sums of the tags before it

    // Keeps the memory.
    void clear() {
        count = 0;
        bytes.clear();
        numbers.clear();
        others.clear();
        tags.clear();
        marks.clear();
        starts.clear();
    }
    [[nodiscard]] std::uint64_t memory() const {
        return bytes.size() + 8 * (numbers.size() + others.size() + marks.size() + starts.size()) + 4 * tags.size();
    }
};

// What columns the records of a stream have.
struct Shape {
    std::size_t record_bytes = 0;  // 0: none
    bool numbers = false;
    bool others = false;
    bool tags = false;
    bool marks = false;
    bool bounded_numbers = false;  // all are below kNumberEnd; those of lists always are
    bool bounded_others = false;
    bool lists = false;  // `tags` says how many of `numbers` and `others` belong to each record
};

enum class Codec : std::uint8_t { stored, zstd };

struct FrameHeader {
    std::uint32_t magic;
    Stream stream;
    Codec codec;
    std::uint16_t packing;       // of the states in it
    std::uint32_t count;         // of records
    std::uint32_t raw_bytes;     // of the payload before compression
    std::uint32_t stored_bytes;  // of the payload in the file
    std::uint32_t unused;        // 0
    std::uint64_t first;         // position in the stream of the first record
    std::uint64_t sequence;      // position in the stream of the frame
    std::uint64_t ledger;
    std::uint64_t checksum;  // of the above, the payload and the offset
};
inline constexpr std::uint32_t kFrameMagic = 0x52464C54;  // "TLFR"
static_assert(sizeof(FrameHeader) == 56);

[[nodiscard]] std::uint64_t checksum_of(const void* data, std::size_t size, std::uint64_t seed);
[[nodiscard]] std::uint64_t frame_checksum(const FrameHeader& header, std::span<const std::uint8_t> payload,
                                           std::uint64_t offset);

// Turns columns into payloads and back. Has buffers: one for each thread.
class FrameCodec {
public:
    // Of a payload before compression, the most that a header can hold. Tests have less.
    static constexpr std::uint64_t kMostBytes = 0xFFFF'FFFF;

    explicit FrameCodec(std::uint64_t most_bytes = kMostBytes);
    FrameCodec(FrameCodec&&) noexcept;
    FrameCodec& operator=(FrameCodec&&) noexcept;
    ~FrameCodec();

    struct Encoded {
        Codec codec;
        std::uint32_t raw_bytes;
        std::span<const std::uint8_t> payload;  // until the next call
    };
    // Throws LedgerError where they take too many bytes.
    [[nodiscard]] Encoded encode(const Columns& columns, const Shape& shape);
    // Nothing where the payload cannot come from encode().
    [[nodiscard]] std::optional<Columns> decode(std::span<const std::uint8_t> payload, Codec codec,
                                                std::uint32_t raw_bytes, std::uint32_t count, const Shape& shape);

private:
    struct Contexts;
    std::uint64_t most_bytes_;
    std::unique_ptr<Contexts> contexts_;
    Bytes raw_;
    Bytes stored_;
};

}  // namespace tideline::ledger
