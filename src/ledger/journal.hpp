// The journal: one record for each commit, which says everything that came to be part of the ledger with it. And the
// two small files beside it: the header, written once, and `latest`, which says how far the journal reaches at least.
//
// A record has the checksum of the one before, so that the records form a chain that begins with the ledger's own
// random number. What follows the last valid record is the tail of a write that was interrupted, and is cut off; but it
// may also be a record that was written completely and damaged later. `latest` tells them apart: it is written after
// the journal has reached the disk, two slots by turns, so that one of them is always whole.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ledger/files.hpp"
#include "ledger/manifest.hpp"

namespace tideline::ledger {

// What was decided when the ledger was created.
struct LedgerHeader {
    std::string description = "{}";  // JSON of the caller: model, options, measure, packing; comes back in normal form
    std::uint32_t state_bytes = 0;   // of the first packing
    std::uint32_t label_bytes = 0;   // of a state; 0: there is no stream of labels
    bool parents = false;            // which further streams there are
    bool edges = false;
    bool numbers = false;
    bool waiting = false;
    bool waiting_numbers = false;  // waiting states have a number of their own
    bool marks = false;            // edges have acceptance marks
    std::uint64_t id = 0;          // random, chosen by create()

    [[nodiscard]] bool has(Stream stream) const;
    // The columns of a stream; `packing` matters for states.
    [[nodiscard]] Shape shape(Stream stream, const Packing& packing) const;
};

inline constexpr int kLedgerVersion = 5;

// The file header.json. Reading throws LedgerError; so does writing a description that is not JSON.
[[nodiscard]] std::string header_text(const LedgerHeader& header, const std::string& path);
[[nodiscard]] LedgerHeader parse_header(const std::string& text, const std::string& path);
[[nodiscard]] LedgerHeader read_header(Files& files, const std::string& directory);

struct AddedExtent {
    support::UInt128 key = 0;
    std::uint32_t pass = 0;
    std::uint64_t count = 0;
};

struct CommitRecord {
    std::vector<std::pair<Stream, FrameEntry>>
        frames;  // in the order of writing; offset and first follow from those before
    std::vector<Packing> packings;
    std::vector<AddedExtent> extents;
    std::vector<AddedExtent> batches;
    std::vector<std::uint64_t> dropped;
    std::vector<std::uint64_t> initial;  // numbers of initial states, ascending
    std::string engine;                  // the caller's own
};

// Where the journal ends, and what the next record has to follow.
struct JournalEnd {
    std::uint64_t commits = 0;  // records before it
    std::uint64_t offset = 0;
    std::uint64_t checksum = 0;  // of the last record; of none: the ledger's id
};

inline constexpr std::uint64_t kLatestBytes = 128;  // the size of `latest`, from the beginning

using StreamSizes = std::array<std::uint64_t, kStreams>;

// The record that follows the end, as it stands in the file; `sizes` are those of the streams with it.
[[nodiscard]] Bytes commit_bytes(std::uint64_t ledger, const CommitRecord& record, const StreamSizes& sizes,
                                 const JournalEnd& end);
// Appends such a record and makes it last. All frames in it must be on the disk.
void append_commit(LedgerFile& journal, LedgerFile& latest, std::uint64_t ledger, const Bytes& record, JournalEnd& end);
// What append_commit() does with `latest`, by itself: after a recovery.
void write_latest(LedgerFile& latest, std::uint64_t ledger, const JournalEnd& end);

struct LoadedJournal {
    Manifest manifest;
    std::string engine;  // of the last commit
    JournalEnd end;
};
// Reads the journal up to the last commit. Throws LedgerError where something before it is damaged.
[[nodiscard]] LoadedJournal load_journal(const LedgerFile& journal, const LedgerFile& latest,
                                         const LedgerHeader& header);

}  // namespace tideline::ledger
