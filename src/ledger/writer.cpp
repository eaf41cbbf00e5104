// The writing half of ledger.hpp: the caller's thread gathers records into frames, another compresses and writes them.
#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <limits>
#include <mutex>
#include <random>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "ledger/ledger.hpp"

namespace tideline::ledger {
namespace {

constexpr std::uint64_t kLeastBytes = 8;  // that a record counts for: small ones take long to decode
constexpr std::uint64_t kReclaimedTogether = std::uint64_t{16} << 20U;  // bytes of dropped open states

LedgerError too_many_numbers(const std::string& directory) {
    return LedgerError(LedgerFault::limit, directory, "states have no more numbers than can be written");
}

std::string parent_of(const std::string& directory) {
    std::string parent = std::filesystem::absolute(directory).lexically_normal().parent_path().string();
    // A path that ends with a slash is its own parent.
    if (!directory.empty() && directory.back() == '/') parent = std::filesystem::path(parent).parent_path().string();
    return parent;
}

// Everything that create() makes before there is a ledger. The header comes last, under another name at first.
std::vector<std::string> unfinished_files() {
    std::vector<std::string> names{"journal", "latest", "header.json.new"};
    names.insert(names.end(), std::begin(kStreamNames), std::end(kStreamNames));
    return names;
}

// A directory for a new ledger must have nothing that could be lost: an interrupted create() leaves empty streams, and
// no links.
void check_unused(const std::string& directory) {
    std::error_code error;
    std::filesystem::directory_iterator entries(directory, error);
    if (error) throw system_error(directory, "cannot be read", error.value());
    const std::vector<std::string> unfinished = unfinished_files();
    for (const auto& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (name == "header.json")
            throw LedgerError(LedgerFault::exists, directory,
                              "there is a ledger in this directory already: resume, audit or remove it");
        const bool stream = std::find(std::begin(kStreamNames), std::end(kStreamNames), name) != std::end(kStreamNames);
        const bool ours =
            (name == "lock" || std::find(unfinished.begin(), unfinished.end(), name) != unfinished.end()) &&
            std::filesystem::is_regular_file(entry.symlink_status(error)) && (!stream || entry.file_size(error) == 0);
        if (!ours) throw LedgerError(LedgerFault::exists, directory, "the directory is not empty: it has " + name);
    }
}

// So that all files are new ones.
void remove_unfinished(Files& files, const std::string& directory) {
    for (const std::string& name : unfinished_files()) {
        const std::string path = directory + "/" + name;
        std::error_code ignored;
        if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) continue;
        if (const int result = files.remove(path); result < 0) throw system_error(path, "cannot be removed", -result);
    }
}

}  // namespace

// A frame to be written, or a commit.
struct LedgerWriter::Job {
    bool commits = false;
    Stream stream = Stream::states;
    std::uint16_t packing = 0;
    std::uint32_t state_bytes = 0;
    Columns columns;
    CommitRecord record;
    std::vector<std::size_t> reclaimable;  // frames of open states that the commit makes superfluous
};

// The other thread and all that it owns: where files end, what was written since the last commit.
class LedgerWriter::Background {
public:
    explicit Background(LedgerWriter& writer)
        : header_(writer.header_),
          limit_(writer.settings_.disk_limit),
          queue_bytes_(writer.settings_.queue_bytes),
          journal_(writer.journal_),
          latest_(writer.latest_),
          streams_(writer.streams_),
          end_(writer.end_) {
        spare_.reserve(kStreams);
        std::error_code ignored;
        const std::uintmax_t header = std::filesystem::file_size(writer.path_of("header.json"), ignored);
        total_ = (ignored ? 0 : header) + journal_.size() + latest_.size();
        for (std::size_t i = 0; i < kStreams; ++i) {
            const auto stream = static_cast<Stream>(i);
            Progress& progress = progress_[i];
            progress.frames = writer.manifest_.frames(stream).size();
            progress.records = writer.manifest_.records(stream);
            progress.bytes = writer.manifest_.bytes(stream);
            total_ += progress.bytes;
        }
        for (const FrameEntry& frame : writer.manifest_.frames(Stream::waiting))
            waiting_frames_.emplace_back(frame.offset, frame.end());
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error& error) {
            throw LedgerError(LedgerFault::io, writer.directory_,
                              std::string("no thread can be started that writes: ") + error.what());
        }
    }
    ~Background() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }

    // Waits while too much is queued. Returns columns for the next frame, which may have memory of one that has been
    // written.
    Columns push(Job job) {
        const std::uint64_t size = job.columns.memory();
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return error_ || queued_bytes_ == 0 || queued_bytes_ + size <= queue_bytes_; });
        rethrow();
        queue_.push_back(std::move(job));
        queued_bytes_ += size;
        Columns next;
        if (!spare_.empty()) {
            next = std::move(spare_.back());
            spare_.pop_back();
        }
        lock.unlock();
        changed_.notify_all();
        return next;
    }
    // Until `enough`, which is asked under the lock, or everything is done.
    template <class Enough>
    void wait(Enough enough) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return error_ || (queue_.empty() && !busy_) || enough(); });
        rethrow();
    }
    // Called for every layer, however small.
    void check() {
        if (!failed_.load(std::memory_order_acquire)) return;
        const std::lock_guard lock(mutex_);
        rethrow();
    }
    // Moves the entries of frames that have been written to the caller's manifest.
    void take_written(Manifest& manifest) {
        const std::lock_guard lock(mutex_);
        rethrow();
        std::size_t moved = 0;
        try {
            for (; moved < written_.size(); ++moved)
                manifest.frames(written_[moved].first).push_back(written_[moved].second);
        } catch (...) {
            written_.erase(written_.begin(), written_.begin() + static_cast<std::ptrdiff_t>(moved));
            throw;
        }
        written_.clear();
    }
    [[nodiscard]] bool has_written() const { return !written_.empty(); }
    [[nodiscard]] std::uint64_t total() const { return total_; }
    [[nodiscard]] std::uint64_t commits() const { return commits_; }
    void reclaim(const std::vector<std::size_t>& frames) {
        for (const std::size_t frame : frames) {
            const auto [begin, end] = waiting_frames_[frame];
            if (streams_[static_cast<std::size_t>(Stream::waiting)].discard(begin, end - begin)) total_ -= end - begin;
        }
    }

private:
    struct Progress {
        std::uint64_t frames = 0;
        std::uint64_t records = 0;
        std::uint64_t bytes = 0;
        bool synced = true;
    };

    void rethrow() const {
        if (error_) std::rethrow_exception(error_);
    }

    // Whatever goes wrong is for the caller: outside of `try` nothing takes memory.
    void run() noexcept {
        static_assert(std::is_nothrow_move_constructible_v<Job> && std::is_nothrow_move_constructible_v<Columns>);
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return ending_ || !queue_.empty(); });
            if (queue_.empty() || error_) return;
            Job job = std::move(queue_.front());
            queue_.pop_front();
            busy_ = true;
            lock.unlock();
            std::exception_ptr error;
            try {
                job.commits ? commit(job) : write(job);
            } catch (...) {
                error = std::current_exception();
            }
            lock.lock();
            busy_ = false;
            queued_bytes_ -= job.columns.memory();
            if (spare_.size() < kStreams && !job.commits) {
                job.columns.clear();
                spare_.push_back(std::move(job.columns));  // there is room for kStreams of them
            }
            error_ = error;
            failed_.store(error != nullptr, std::memory_order_release);
            changed_.notify_all();
        }
    }

    void check_limit(const std::string& path, std::uint64_t more) const {
        if (limit_ && total_ + more > *limit_)
            throw LedgerError(LedgerFault::limit, path,
                              "the ledger would have more than " + std::to_string(*limit_) + " bytes");
    }

    void write(const Job& job) {
        Progress& progress = progress_[static_cast<std::size_t>(job.stream)];
        LedgerFile& file = streams_[static_cast<std::size_t>(job.stream)];
        const FrameCodec::Encoded encoded =
            codec_.encode(job.columns, header_.shape(job.stream, {job.state_bytes, {}}));
        FrameHeader header{.magic = kFrameMagic,
                           .stream = job.stream,
                           .codec = encoded.codec,
                           .packing = job.packing,
                           .count = static_cast<std::uint32_t>(job.columns.count),
                           .raw_bytes = encoded.raw_bytes,
                           .stored_bytes = static_cast<std::uint32_t>(encoded.payload.size()),
                           .unused = 0,
                           .first = progress.records,
                           .sequence = progress.frames,
                           .ledger = header_.id,
                           .checksum = 0};
        header.checksum = frame_checksum(header, encoded.payload, progress.bytes);
        buffer_.resize(sizeof header);
        std::memcpy(buffer_.data(), &header, sizeof header);
        buffer_.insert(buffer_.end(), encoded.payload.begin(), encoded.payload.end());
        check_limit(file.path(), buffer_.size());
        file.write(buffer_.data(), buffer_.size(), progress.bytes);

        const FrameEntry entry{.offset = progress.bytes,
                               .first = header.first,
                               .checksum = header.checksum,
                               .count = header.count,
                               .raw_bytes = header.raw_bytes,
                               .stored_bytes = header.stored_bytes,
                               .packing = header.packing,
                               .codec = header.codec};
        if (job.stream == Stream::waiting) waiting_frames_.emplace_back(entry.offset, entry.end());
        total_ += buffer_.size();
        progress.bytes += buffer_.size();
        progress.records += header.count;
        ++progress.frames;
        progress.synced = false;
        uncommitted_.emplace_back(job.stream, entry);
        const std::lock_guard lock(mutex_);
        written_.emplace_back(job.stream, entry);
    }

    void commit(Job& job) {
        job.record.frames = std::move(uncommitted_);
        uncommitted_.clear();
        StreamSizes sizes{};
        journal_.check_linked();
        for (std::size_t i = 0; i < kStreams; ++i) {
            sizes[i] = progress_[i].bytes;
            if (progress_[i].synced) continue;
            streams_[i].check_linked();
            streams_[i].sync();
            progress_[i].synced = true;
        }
        const Bytes record = commit_bytes(header_.id, job.record, sizes, end_);
        check_limit(journal_.path(), record.size());
        append_commit(journal_, latest_, header_.id, record, end_);
        ++commits_;
        total_ += record.size();
        reclaim(job.reclaimable);
    }

    const LedgerHeader& header_;
    std::optional<std::uint64_t> limit_;
    std::uint64_t queue_bytes_;
    LedgerFile& journal_;
    LedgerFile& latest_;
    std::array<LedgerFile, kStreams>& streams_;
    JournalEnd end_;
    std::array<Progress, kStreams> progress_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> waiting_frames_;  // begin and end in the file
    std::vector<std::pair<Stream, FrameEntry>> uncommitted_;
    FrameCodec codec_;
    Bytes buffer_;
    std::atomic<std::uint64_t> total_ = 0;
    std::atomic<std::uint64_t> commits_ = 0;  // that are durable

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> queue_;
    std::uint64_t queued_bytes_ = 0;
    std::vector<Columns> spare_;                          // empty, for their memory
    std::vector<std::pair<Stream, FrameEntry>> written_;  // not yet known to the caller's thread
    std::exception_ptr error_;
    std::atomic<bool> failed_ = false;  // whether there is one
    bool busy_ = false;
    bool ending_ = false;
    std::thread thread_;
};

LedgerWriter::LedgerWriter(std::shared_ptr<Files> files, std::string directory, LedgerLock lock, LedgerHeader header,
                           LedgerSettings settings)
    : LedgerContents(std::move(files), std::move(directory), std::move(lock), std::move(header)),
      settings_(std::move(settings)) {
    keep(Stream::states, settings_.kept_bytes / std::max<std::uint64_t>(settings_.frame_bytes, 1));
}

LedgerWriter::~LedgerWriter() = default;

std::unique_ptr<LedgerWriter> LedgerWriter::create(const std::string& directory, LedgerHeader header,
                                                   LedgerSettings settings) {
    std::error_code error;
    std::filesystem::create_directory(directory, error);
    if (error) throw system_error(directory, "cannot be created", error.value());
    LedgerLock lock(directory, true);
    check_unused(directory);
    remove_unfinished(*settings.files, directory);
    std::random_device random;
    header.id = std::uint64_t{random()} << 32U | random();
    // In normal form, as a reader gets it; this also finds a description that is not JSON before anything is written.
    const std::string text = header_text(header, directory + "/header.json");
    header = parse_header(text, directory + "/header.json");

    const std::shared_ptr<Files> files = settings.files;
    std::unique_ptr<LedgerWriter> writer(
        new LedgerWriter(files, directory, std::move(lock), std::move(header), std::move(settings)));
    writer->open_files(O_RDWR | O_CREAT | O_EXCL);
    writer->latest_.resize(kLatestBytes);
    writer->end_.checksum = writer->header_.id;
    const Bytes empty = commit_bytes(writer->header_.id, {}, {}, writer->end_);
    append_commit(writer->journal_, writer->latest_, writer->header_.id, empty, writer->end_);
    // The ledger exists when it has its header.
    LedgerFile file(*files, writer->path_of("header.json.new"), O_RDWR | O_CREAT | O_EXCL);
    file.write(text.data(), text.size(), 0);
    file.sync();
    if (const int result = files->rename(file.path(), writer->path_of("header.json")); result < 0)
        throw system_error(file.path(), "cannot be renamed", -result);
    sync_directory(*files, directory);
    sync_directory(*files, parent_of(directory));
    writer->load();
    writer->start();
    return writer;
}

std::unique_ptr<LedgerWriter> LedgerWriter::reopen(const std::string& directory, LedgerSettings settings) {
    const std::shared_ptr<Files> files = settings.files;
    LedgerHeader header = read_header(*files, directory);
    std::unique_ptr<LedgerWriter> writer(
        new LedgerWriter(files, directory, LedgerLock(directory, true), std::move(header), std::move(settings)));
    writer->open_files(O_RDWR);
    writer->load();
    for (std::size_t i = 0; i < kStreams; ++i)
        if (writer->header_.has(static_cast<Stream>(i)))
            writer->streams_[i].resize(writer->manifest_.bytes(static_cast<Stream>(i)));
    writer->journal_.resize(writer->end_.offset);
    writer->journal_.sync();
    write_latest(writer->latest_, writer->header_.id, writer->end_);
    writer->start();
    return writer;
}

// While one exists, streams, extents and batches may not fit each other. Where an exception ends it, they never will,
// and no commit may make them part of the ledger.
class LedgerWriter::Change {
public:
    explicit Change(LedgerWriter& writer) : writer_(writer), exceptions_(std::uncaught_exceptions()) {
        writer.is_torn_ = true;
    }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;
    ~Change() { writer_.is_torn_ = std::uncaught_exceptions() > exceptions_; }

private:
    LedgerWriter& writer_;
    int exceptions_;
};

void LedgerWriter::check() const {
    background_->check();
    if (is_torn_)
        throw LedgerError(LedgerFault::io, directory_,
                          "what was to be written last is not complete, for want of memory");
}

void LedgerWriter::start() {
    for (std::size_t i = 0; i < kStreams; ++i) sealed_[i] = manifest_.records(static_cast<Stream>(i));
    background_ = std::make_unique<Background>(*this);
    // Space that the run before could have freed.
    dropped_records_ = std::numeric_limits<std::uint64_t>::max();
}

std::uint64_t LedgerWriter::records(Stream stream) const {
    const auto i = static_cast<std::size_t>(stream);
    return sealed_[i] + staged_[i].count;
}

const Columns* LedgerWriter::not_in_a_frame(Stream stream, std::uint64_t record, std::uint64_t& first) {
    check();
    if (record >= sealed_[static_cast<std::size_t>(stream)]) {
        first = sealed_[static_cast<std::size_t>(stream)];
        return &staged(stream);
    }
    while (record >= manifest_.records(stream)) {
        background_->wait([&] { return background_->has_written(); });
        background_->take_written(manifest_);
    }
    return nullptr;
}

std::uint64_t LedgerWriter::room(Stream stream, std::size_t record_bytes) const {
    const Columns& columns = staged_[static_cast<std::size_t>(stream)];
    const std::uint64_t most =
        std::max<std::uint64_t>(1, settings_.frame_bytes / std::max<std::uint64_t>(kLeastBytes, record_bytes));
    return columns.count < most ? most - columns.count : 0;
}

void LedgerWriter::add_records(Stream stream, const Records& records) {
    Columns& columns = staged(stream);
    std::uint64_t done = 0;
    while (done < records.count) {
        const std::uint64_t free = room(stream, records.record_bytes);
        if (free == 0) {
            seal(stream);
            continue;
        }
        const std::uint64_t count = std::min(free, records.count - done);
        const auto copy = [&](const auto& from, auto& to, std::uint64_t size) {
            if (!from.empty()) to.insert(to.end(), from.data() + done * size, from.data() + (done + count) * size);
        };
        copy(records.bytes, columns.bytes, records.record_bytes);
        copy(records.numbers, columns.numbers, 1);
        copy(records.others, columns.others, 1);
        copy(records.tags, columns.tags, 1);
        columns.count += count;
        done += count;
    }
}

void LedgerWriter::check_numbers(std::span<const std::uint64_t> numbers, std::uint64_t flag) const {
    std::uint64_t bits = 0;
    for (const std::uint64_t number : numbers) bits |= number & ~flag;
    if (bits < settings_.number_end) return;
    // No number has all of these bits, perhaps.
    for (const std::uint64_t number : numbers)
        if ((number & ~flag) >= settings_.number_end) throw too_many_numbers(directory_);
}

void LedgerWriter::seal(Stream stream) {
    Columns& columns = staged(stream);
    if (columns.count == 0) return;
    Job job;
    job.stream = stream;
    job.packing = static_cast<std::uint16_t>(packings().size() - 1);
    job.state_bytes = packings().back().state_bytes;
    job.columns = std::exchange(columns, {});
    sealed_[static_cast<std::size_t>(stream)] += job.columns.count;
    columns = background_->push(std::move(job));
}

std::uint64_t LedgerWriter::append_states(support::UInt128 key, std::uint32_t pass, const AppendedStates& states) {
    check();
    const std::uint64_t count = states.count;
    const std::uint64_t parents = header_.parents ? count : 0;
    if (states.states.size() != count * packings().back().state_bytes || states.parents.size() != parents ||
        states.transitions.size() != parents || states.labels.size() != count * header_.label_bytes)
        throw std::invalid_argument("the columns do not fit the ledger");
    const std::uint64_t first = manifest_.states();
    if (first + count > settings_.number_end) throw too_many_numbers(directory_);
    check_numbers(states.parents);
    manifest_.add_extent(key, pass, count);  // first: at a limit, nothing has changed
    const Change change(*this);
    add_records(Stream::states,
                {.count = count, .record_bytes = packings().back().state_bytes, .bytes = states.states});
    if (header_.parents)
        add_records(Stream::parents, {.count = count, .numbers = states.parents, .tags = states.transitions});
    for (std::uint64_t i = 0; i < parents; ++i) {
        if (states.parents[i] != first + i) continue;
        next_.initial.push_back(first + i);
        manifest_.add_initial(first + i);
    }
    if (header_.label_bytes != 0)
        add_records(Stream::labels, {.count = count, .record_bytes = header_.label_bytes, .bytes = states.labels});
    if (!next_.extents.empty() && next_.extents.back().key == key && next_.extents.back().pass == pass)
        next_.extents.back().count += count;
    else if (count != 0) next_.extents.push_back({key, pass, count});
    return first;
}

void LedgerWriter::append_edges(std::span<const std::uint32_t> degrees, std::span<const std::uint64_t> targets,
                                std::span<const std::uint64_t> transitions, std::span<const std::uint64_t> marks) {
    check();
    std::uint64_t sum = 0;
    for (const std::uint32_t degree : degrees) sum += degree;
    if (!header_.edges || sum != targets.size() || sum != transitions.size() ||
        marks.size() != (header_.marks ? sum : 0))
        throw std::invalid_argument("the columns do not fit the ledger");
    check_numbers(targets, kTemporaryId);
    const Change change(*this);
    Columns& columns = staged(Stream::edges);
    for (const std::uint32_t degree : degrees) {
        if ((columns.count + columns.numbers.size() + degree) * kLeastBytes > settings_.frame_bytes)
            seal(Stream::edges);
        columns.tags.push_back(degree);
        columns.starts.push_back(columns.numbers.size());
        columns.numbers.insert(columns.numbers.end(), targets.begin(), targets.begin() + degree);
        columns.others.insert(columns.others.end(), transitions.begin(), transitions.begin() + degree);
        if (header_.marks) {
            columns.marks.insert(columns.marks.end(), marks.begin(), marks.begin() + degree);
            marks = marks.subspan(degree);
        }
        targets = targets.subspan(degree);
        transitions = transitions.subspan(degree);
        ++columns.count;
    }
}

void LedgerWriter::append_numbers(std::span<const std::uint64_t> temporary,
                                  std::span<const std::uint64_t> final_numbers) {
    check();
    if (!header_.numbers || temporary.size() != final_numbers.size())
        throw std::invalid_argument("the columns do not fit the ledger");
    check_numbers(temporary);
    check_numbers(final_numbers);
    const Change change(*this);
    add_records(Stream::numbers, {.count = temporary.size(), .numbers = temporary, .others = final_numbers});
}

std::uint64_t LedgerWriter::append_waiting(support::UInt128 key, std::uint32_t pass, const AppendedWaiting& waiting) {
    check();
    const std::uint64_t count = waiting.count;
    if (!header_.waiting || waiting.states.size() != count * packings().back().state_bytes ||
        waiting.parents.size() != count || waiting.transitions.size() != count ||
        waiting.numbers.size() != (header_.waiting_numbers ? count : 0))
        throw std::invalid_argument("the columns do not fit the ledger");
    check_numbers(waiting.numbers);
    const Change change(*this);
    add_records(Stream::waiting, {.count = count,
                                  .record_bytes = packings().back().state_bytes,
                                  .bytes = waiting.states,
                                  .numbers = waiting.parents,
                                  .others = waiting.numbers,
                                  .tags = waiting.transitions});
    next_.batches.push_back({key, pass, count});
    return manifest_.add_batch(key, pass, count);
}

void LedgerWriter::drop_waiting(std::uint64_t batch) {
    check();
    const auto found = waiting().find(batch);
    if (found == waiting().end()) throw std::invalid_argument("there is no such batch of waiting states");
    const Change change(*this);
    const std::uint64_t count = found->second.count;
    dropped_records_ = std::max(dropped_records_, dropped_records_ + count);  // may be at the end of its range
    manifest_.drop_batch(batch);
    next_.dropped.push_back(batch);
}

std::size_t LedgerWriter::change_packing(std::uint32_t state_bytes, std::string description) {
    check();
    if (packings().size() > std::numeric_limits<std::uint16_t>::max())
        throw LedgerError(LedgerFault::limit, directory_, "the ledger cannot have more packings");
    const Change change(*this);
    seal(Stream::states);
    seal(Stream::waiting);
    manifest_.packings().push_back({state_bytes, description});
    next_.packings.push_back({state_bytes, std::move(description)});
    return packings().size() - 1;
}

void LedgerWriter::commit(std::string engine) {
    check();
    const Change change(*this);
    for (std::size_t i = 0; i < kStreams; ++i) seal(static_cast<Stream>(i));
    background_->take_written(manifest_);
    Job job;
    job.commits = true;
    engine_ = engine;
    job.record = std::move(next_);
    next_ = {};
    job.record.engine = std::move(engine);
    collect_reclaimable(job);
    (void)background_->push(std::move(job));
}

// Visits all batches and frames, so only when it pays.
void LedgerWriter::collect_reclaimable(Job& job) {
    if (dropped_records_ / (kReclaimedTogether / std::max<std::uint64_t>(1, packings().back().state_bytes)) == 0)
        return;
    dropped_records_ = 0;
    const std::vector<bool> live = manifest_.live_waiting_frames();
    reclaimed_.resize(live.size());
    for (std::size_t i = 0; i < live.size(); ++i) {
        if (live[i] || reclaimed_[i]) continue;
        reclaimed_[i] = true;
        job.reclaimable.push_back(i);
    }
}

void LedgerWriter::wait() {
    background_->wait([] { return false; });
    background_->take_written(manifest_);
}

std::uint64_t LedgerWriter::bytes() const { return background_->total(); }

std::uint64_t LedgerWriter::durable_commits() const { return background_->commits(); }

}  // namespace tideline::ledger
