// The states that the sweep line has passed, on disk: what was appended can be read again, in order or at random,
// after the search, by another process, and up to the last commit after a crash. docs/ledger-format.md describes the
// files.
//
// A state's number is its position in the order of appending; parents and edges refer to numbers. The folder knows
// bytes only: what a state, a key or a label means is the caller's, who describes it in the header.
//
// None of these classes may be used by two threads at a time. All functions throw LedgerError.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ledger/files.hpp"
#include "ledger/journal.hpp"
#include "ledger/manifest.hpp"

namespace tideline::ledger {

// Consecutive records of a stream, valid during the visit only. For which columns a stream has, see Columns.
struct Records {
    std::uint64_t first = 0;  // position in the stream; for states, parents, labels, edges: the state's number
    std::uint64_t count = 0;
    std::size_t packing = 0;  // of `bytes` where they are states
    std::size_t record_bytes = 0;
    std::span<const std::uint8_t> bytes{};
    std::span<const std::uint64_t> numbers{};
    std::span<const std::uint64_t> others{};
    std::span<const std::uint32_t> tags{};
    std::span<const std::uint64_t> marks{};
};

struct Parent {
    std::uint64_t number = 0;
    std::uint32_t transition = 0;

    friend bool operator==(const Parent&, const Parent&) = default;
};

// What can be read of a ledger, by a reader or by the writer itself.
class LedgerContents {
public:
    using Visit = std::function<void(const Records&)>;

    LedgerContents(const LedgerContents&) = delete;
    LedgerContents& operator=(const LedgerContents&) = delete;
    virtual ~LedgerContents();

    [[nodiscard]] const LedgerHeader& header() const { return header_; }
    // What the engine gave to the last commit (of a writer: the last one asked for).
    [[nodiscard]] const std::string& engine() const { return engine_; }
    [[nodiscard]] const std::vector<Packing>& packings() const { return manifest_.packings(); }

    [[nodiscard]] std::uint64_t states() const { return manifest_.states(); }
    // The numbers of the initial states, ascending: of those that are their own parents.
    [[nodiscard]] const std::vector<std::uint64_t>& initial_states() const { return manifest_.initial(); }
    // Records of a stream; for states, parents and labels the same.
    [[nodiscard]] virtual std::uint64_t records(Stream stream) const { return manifest_.records(stream); }

    // The extents in the order of their numbers, and those of one key.
    [[nodiscard]] std::uint64_t extent_count() const { return manifest_.extent_count(); }
    // How many distinct keys extents have.
    [[nodiscard]] std::uint64_t key_count() const { return manifest_.key_count(); }
    [[nodiscard]] Extent extent(std::uint64_t i) const { return manifest_.extent(i); }
    [[nodiscard]] std::vector<Extent> extents_of(support::UInt128 key) const { return manifest_.extents_of(key); }
    // The batches of waiting states that have not been dropped, by their ids.
    [[nodiscard]] const std::map<std::uint64_t, WaitingBatch>& waiting() const { return manifest_.batches(); }

    // Visits records in order, as many at a time as are stored together: memory for a few frames, however many they
    // are. The ledger must not be used within the visit. Waiting states are read by their batches: the room of dropped
    // ones may have been given back.
    void read(Stream stream, std::uint64_t first, std::uint64_t count, const Visit& visit);
    // As many of these records, which are there, as are stored together. Valid until the same stream is read again.
    [[nodiscard]] Records read_part(Stream stream, std::uint64_t first, std::uint64_t count) {
        return records_at(stream, first, count);
    }
    void read_extent(const Extent& extent, const Visit& visit) {
        read(Stream::states, extent.first, extent.count, visit);
    }
    void read_waiting(const WaitingBatch& batch, const Visit& visit) {
        read(Stream::waiting, batch.first, batch.count, visit);
    }

    // How many decoded frames of a stream stay in memory; at least a few do.
    void keep(Stream stream, std::size_t frames) {
        most_kept_[static_cast<std::size_t>(stream)] = std::max(kKept, frames);
    }

    // At random: takes up to a millisecond where the number is not near those asked for recently.
    [[nodiscard]] Parent parent(std::uint64_t number);
    // The bytes are valid until the next call of any function.
    [[nodiscard]] Records state(std::uint64_t number);

    // Reads everything that was committed and throws where something is not as it was written. Waiting states that have
    // been dropped are not part of the ledger any more.
    void verify();

protected:
    LedgerContents(std::shared_ptr<Files> files, std::string directory, LedgerLock lock, LedgerHeader header);

    // Makes the frame with this record known to the manifest, or gives the records that are not in a frame yet.
    [[nodiscard]] virtual const Columns* not_in_a_frame(Stream /*stream*/, std::uint64_t /*record*/,
                                                        std::uint64_t& /*first*/) {
        return nullptr;
    }

    void open_files(int flags);
    // Takes over what the journal says and compares it with the sizes of the streams.
    void load();
    [[nodiscard]] std::string path_of(std::string_view name) const { return directory_ + "/" + std::string(name); }
    [[nodiscard]] LedgerFile& file(Stream stream) { return streams_[static_cast<std::size_t>(stream)]; }

    std::shared_ptr<Files> files_;
    std::string directory_;
    LedgerLock lock_;
    LedgerHeader header_;
    Manifest manifest_;
    std::string engine_;
    JournalEnd end_;
    LedgerFile journal_;
    LedgerFile latest_;
    std::array<LedgerFile, kStreams> streams_;

private:
    struct Decoded {
        std::size_t frame = SIZE_MAX;
        std::uint64_t last_used = 0;
        Columns columns;
    };
    static constexpr std::size_t kKept = 4;  // decoded frames of a stream, unless more are asked for

    [[nodiscard]] const Columns& decoded(Stream stream, std::size_t frame);
    [[nodiscard]] Columns load_frame(Stream stream, std::size_t frame);
    [[nodiscard]] Records records_at(Stream stream, std::uint64_t first, std::uint64_t count);

    FrameCodec codec_;
    Bytes buffer_;
    std::array<std::vector<Decoded>, kStreams> kept_;
    std::array<std::size_t, kStreams> most_kept_;
    std::uint64_t uses_ = 0;
};

// A ledger at its last commit; any number of readers at a time, but no writer.
class LedgerReader final : public LedgerContents {
public:
    [[nodiscard]] static std::unique_ptr<LedgerReader> open(const std::string& directory,
                                                            std::shared_ptr<Files> files = std::make_shared<Files>());

private:
    using LedgerContents::LedgerContents;
};

struct LedgerSettings {
    std::optional<std::uint64_t> disk_limit;                // bytes of all files
    std::uint64_t queue_bytes = std::uint64_t{16} << 20U;   // that may wait to be written
    std::uint64_t frame_bytes = std::uint64_t{128} << 10U;  // of the records of a frame, about; below 1 GB
    // Of decoded states that stay in memory. A sweep comes to layers in the order in which each of the passes before
    // has written them: with one frame per pass, it decodes every frame once at most.
    std::uint64_t kept_bytes = std::uint64_t{16} << 20U;
    std::uint64_t number_end = kNumberEnd;  // one more than the largest number of a state; tests have less
    std::shared_ptr<Files> files = std::make_shared<Files>();

    // For a ledger that takes a part of this memory. Smaller frames, so that those of 256 passes stay decoded.
    void fit_into(std::uint64_t memory) {
        queue_bytes = std::min(queue_bytes, memory / 16);
        kept_bytes = std::min(kept_bytes, memory / 8);
        frame_bytes = std::clamp<std::uint64_t>(memory / 2048, std::uint64_t{16} << 10U, frame_bytes);
    }
};

// States to be appended; columns of streams that the ledger does not have are empty.
struct AppendedStates {
    std::uint64_t count = 0;
    std::span<const std::uint8_t> states{};
    std::span<const std::uint64_t> parents{};
    std::span<const std::uint32_t> transitions{};
    std::span<const std::uint8_t> labels{};
};

struct AppendedWaiting {
    std::uint64_t count = 0;
    std::span<const std::uint8_t> states{};
    std::span<const std::uint64_t> parents{};
    std::span<const std::uint32_t> transitions{};
    std::span<const std::uint64_t> numbers{};  // where the header says so
};

// Appends to a ledger. Records are gathered into frames; a thread of its own compresses and writes them and makes
// commits durable, while the caller continues. An error there is thrown by the next call of append, commit, wait or
// read, and by all later ones: the ledger then ends with the last commit that was durable. The same holds where a call
// itself ends with an exception, such as std::bad_alloc, half done; but not at a limit of the format, where the call
// has not changed anything. What was not committed when the writer goes is lost, as in a crash.
class LedgerWriter final : public LedgerContents {
public:
    // Makes a ledger in a directory that does not exist, is empty, or has what an interrupted create() left.
    [[nodiscard]] static std::unique_ptr<LedgerWriter> create(const std::string& directory, LedgerHeader header,
                                                              LedgerSettings settings = {});
    // Continues a ledger after its last commit; what an interrupted run wrote after it is truncated.
    [[nodiscard]] static std::unique_ptr<LedgerWriter> reopen(const std::string& directory,
                                                              LedgerSettings settings = {});
    ~LedgerWriter() override;

    [[nodiscard]] std::uint64_t records(Stream stream) const override;

    // A state that is its own parent is an initial one.
    // Returns the number of the first one. Appending to the key and pass of the call before continues the same extent.
    std::uint64_t append_states(support::UInt128 key, std::uint32_t pass, const AppendedStates& states);
    // The steps of the next states, state by state: the n-th list belongs to the state of number n.
    // Targets as in Columns; `marks` where the header declares them.
    void append_edges(std::span<const std::uint32_t> degrees, std::span<const std::uint64_t> targets,
                      std::span<const std::uint64_t> transitions, std::span<const std::uint64_t> marks = {});
    void append_numbers(std::span<const std::uint64_t> temporary, std::span<const std::uint64_t> final_numbers);
    // Returns the batch's id. Waiting states can be dropped when they are no longer needed; their room is given back
    // some time after the commit.
    std::uint64_t append_waiting(support::UInt128 key, std::uint32_t pass, const AppendedWaiting& waiting);
    void drop_waiting(std::uint64_t batch);
    // States are packed in another way from here on, waiting ones too. Returns the packing's index in packings().
    std::size_t change_packing(std::uint32_t state_bytes, std::string description);

    // Everything before it becomes durable as a whole, with what the engine needs to resume here. Returns at once;
    // see wait().
    void commit(std::string engine);
    // Until everything asked for so far is done; then the last commit is durable.
    void wait();
    // In all files, as far as written.
    [[nodiscard]] std::uint64_t bytes() const;
    // How many commits of this writer are durable.
    [[nodiscard]] std::uint64_t durable_commits() const;
    [[nodiscard]] const std::string& directory() const { return directory_; }

private:
    struct Job;
    class Background;
    class Change;

    LedgerWriter(std::shared_ptr<Files> files, std::string directory, LedgerLock lock, LedgerHeader header,
                 LedgerSettings settings);

    const Columns* not_in_a_frame(Stream stream, std::uint64_t record, std::uint64_t& first) override;

    void start();
    // Throws what has gone wrong before.
    void check() const;
    [[nodiscard]] Columns& staged(Stream stream) { return staged_[static_cast<std::size_t>(stream)]; }
    // How many more records of this size fit into the frame that is being gathered.
    [[nodiscard]] std::uint64_t room(Stream stream, std::size_t record_bytes) const;
    void add_records(Stream stream, const Records& records);
    // Throws LedgerError where one of them, without the flag, is too large.
    void check_numbers(std::span<const std::uint64_t> numbers, std::uint64_t flag = 0) const;
    void seal(Stream stream);
    void collect_reclaimable(Job& job);

    LedgerSettings settings_;
    std::array<Columns, kStreams> staged_;
    std::array<std::uint64_t, kStreams> sealed_{};  // records in frames, written or not
    CommitRecord next_;                             // what the next commit says; its frames are the thread's
    std::uint64_t dropped_records_ = 0;             // since room was last given back
    std::vector<bool> reclaimed_;                   // frames of waiting states
    bool is_torn_ = false;                          // a call ended half done
    std::unique_ptr<Background> background_;
};

}  // namespace tideline::ledger
