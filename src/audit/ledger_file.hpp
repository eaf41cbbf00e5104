// A reader of ledgers that has nothing in common with src/ledger but docs/ledger-format.md, from which alone it was
// written. It reads frame by frame, in order, and believes no number before a checksum has confirmed it.
//
// In memory are the list of frames (40 bytes for 512 KB of records) and the batches of waiting states that have not
// been dropped. Damage is an Objection with file and offset; see error.hpp for what is an AuditError.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "audit/file.hpp"
#include "audit/json.hpp"

namespace tideline::audit {

// In the order of the numbers that the files have for them.
enum class Stream : std::uint8_t { states, parents, labels, edges, numbers, waiting };
inline constexpr std::size_t kStreams = 6;
inline constexpr std::array<const char*, kStreams> kStreamNames = {"states", "parents", "labels",
                                                                   "edges",  "numbers", "waiting"};

struct Packing {
    std::uint32_t state_bytes = 0;
    std::string description;  // JSON
};

struct Frame {
    std::uint64_t offset = 0;  // of its header
    std::uint64_t first = 0;   // place in the stream of its first record
    std::uint64_t checksum = 0;
    std::uint32_t count = 0;
    std::uint32_t raw_bytes = 0;
    std::uint32_t stored_bytes = 0;
    std::uint16_t packing = 0;
    std::uint8_t codec = 0;
};

// Targets of edges are numbers of states or, with this bit, temporary ids.
inline constexpr std::uint64_t kTemporaryId = std::uint64_t{1} << 63U;
// The parent of a state that was discovered before there was a ledger.
inline constexpr std::uint64_t kUnknownParent = (std::uint64_t{1} << 40U) - 1;

// The records of a frame. Of waiting states nothing but their form is looked at.
struct Records {
    std::uint64_t count = 0;
    std::vector<std::uint8_t> bytes;         // states, labels, waiting: one record behind the other
    std::vector<std::uint64_t> parents;      // parents only
    std::vector<std::uint32_t> degrees;      // edges: how many a state has,
    std::vector<std::uint64_t> targets;      // and, state after state, where they lead
    std::vector<std::uint64_t> transitions;  // by which transition; parents: the one that was taken from there
    std::vector<std::uint64_t> marks;        // edges, where the header says that there are such: of each target
    std::vector<std::pair<std::uint64_t, std::uint64_t>> numbers;  // numbers only: temporary id and final number
};

class LedgerFile {
public:
    explicit LedgerFile(const std::string& directory);
    ~LedgerFile();
    LedgerFile(const LedgerFile&) = delete;
    LedgerFile& operator=(const LedgerFile&) = delete;

    [[nodiscard]] const std::string& directory() const { return directory_; }
    // That the header says: other files repeat it.
    [[nodiscard]] std::uint64_t id() const { return id_; }
    [[nodiscard]] const Json& description() const { return description_; }
    [[nodiscard]] const std::string& engine() const {
        return engine_;
    }  // of the last commit; empty where there is none
    [[nodiscard]] const std::vector<Packing>& packings() const { return packings_; }
    [[nodiscard]] bool has(Stream stream) const { return present_[index(stream)]; }
    [[nodiscard]] std::uint32_t label_bytes() const { return label_bytes_; }
    // Whether edges have marks.
    [[nodiscard]] bool marks() const { return marks_; }
    // The numbers of the initial states, ascending.
    [[nodiscard]] const std::vector<std::uint64_t>& initial() const { return initial_; }
    [[nodiscard]] const std::vector<Frame>& frames(Stream stream) const { return frames_[index(stream)]; }
    [[nodiscard]] std::uint64_t records(Stream stream) const;
    // Whether nothing of a frame of waiting states is part of the ledger any more; it may be a hole then.
    [[nodiscard]] bool dropped(const Frame& frame) const;

    // Compares all checksums and decodes it.
    void read(Stream stream, std::size_t frame, Records& records);

private:
    struct Decompressor;
    class Digits;

    [[nodiscard]] static std::size_t index(Stream stream) { return static_cast<std::size_t>(stream); }
    [[nodiscard]] std::uint64_t bytes(Stream stream) const;
    void read_header(const std::string& directory);
    void read_journal(const std::string& directory);
    void take_commit(Digits& in);
    void take_frame(Digits& in);
    // How many records were added; of waiting states, the batches are kept.
    std::uint64_t take_extents(Digits& in, bool waiting);
    void check_sizes() const;
    void decode(Stream stream, const Frame& frame, const std::uint8_t* raw, Records& records) const;
    void decode_edges(const Frame& frame, Digits& in, Records& records) const;

    std::string directory_;
    File lock_;
    std::array<File, kStreams> files_;
    std::uint64_t id_ = 0;
    std::uint32_t label_bytes_ = 0;
    bool waiting_numbers_ = false;
    bool marks_ = false;
    std::vector<std::uint64_t> initial_;
    std::array<bool, kStreams> present_{};
    Json description_;
    std::vector<Packing> packings_;
    std::array<std::vector<Frame>, kStreams> frames_;
    std::uint64_t states_ = 0;   // in extents
    std::uint64_t waiting_ = 0;  // in batches
    std::uint64_t batches_ = 0;
    struct Batch {
        std::uint64_t first;
        std::uint64_t end;
    };
    std::map<std::uint64_t, Batch> live_;  // by id, while the journal is read
    std::vector<Batch> kept_;              // what is left then, in order
    std::string engine_;
    std::unique_ptr<Decompressor> decompressor_;
    std::vector<std::uint8_t> stored_;
    std::vector<std::uint8_t> raw_;
};

}  // namespace tideline::audit
