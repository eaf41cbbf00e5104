// What a ledger is after crashes, failing disks and damage: the last commit, or an error; never something else.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <thread>

#include <fcntl.h>

#include <gtest/gtest.h>

#include "ledger/ledger.hpp"
#include "ledger/sample_ledger.hpp"

namespace tideline::ledger {
namespace {

using namespace sample;
namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
// In a new file: some file systems write a truncated file through to the disk.
void write_text(const std::string& path, const std::string& text) {
    fs::remove(path);
    std::ofstream(path, std::ios::binary) << text;
}

// The index of the commit that a ledger is at, after its contents have been compared with what was committed then.
std::optional<std::size_t> commit_of(LedgerContents& ledger, const std::vector<Mirror>& committed) {
    const std::size_t commit = ledger.engine().empty() ? 0 : std::stoul(ledger.engine());
    ledger.verify();
    if (commit >= committed.size() || !same(contents_of(ledger), committed[commit])) return std::nullopt;
    return commit;
}

// Counts the calls that change something and does something at one of them.
class WatchedFiles : public UnsyncedFiles {
public:
    std::function<void()> before;  // the n-th call, on the thread that makes it
    std::size_t at = SIZE_MAX;
    double part = 0;  // of that call's bytes that are written before it
    int error = 0;    // what the n-th call returns, if not 0; and all later ones
    [[nodiscard]] std::size_t calls() const { return calls_; }
    [[nodiscard]] bool failed() const { return error != 0 && calls_ > at; }

    std::int64_t write(int file, const void* data, std::size_t size, std::uint64_t offset) override {
        if (const auto partial = static_cast<std::size_t>(part * static_cast<double>(size));
            calls_ == at && partial > 0)
            Files::write(file, data, partial, offset);
        return count() ? -error : Files::write(file, data, size, offset);
    }
    int sync(int /*file*/) override { return count() ? -error : 0; }
    int sync_directory(int /*file*/) override { return count() ? -error : 0; }
    int resize(int file, std::uint64_t size) override { return count() ? -error : Files::resize(file, size); }
    int rename(const std::string& from, const std::string& to) override {
        return count() ? -error : Files::rename(from, to);
    }
    int remove(const std::string& path) override { return count() ? -error : Files::remove(path); }

private:
    bool count() {
        if (calls_++ == at && before) before();
        return failed();
    }
    std::atomic<std::size_t> calls_ = 0;
};

TEST(LedgerRecovery, AfterAKillAtAnyCallTheLastCommitIsThere) {
    // The same run is repeated; at each call that changes a file, the directory is copied: this is what a kill would
    // have left.
    std::size_t continued = 0;
    for (std::size_t at = 0;; at += at < 30 ? 1 : 7) {
        const TemporaryDirectory place;
        const std::string directory = place / "ledger";
        const std::string copy = place / "copy";
        auto files = std::make_shared<WatchedFiles>();
        files->at = at;
        files->part = static_cast<double>(at % 5) / 4;
        Scribe scribe(5);
        std::size_t durable = 0;
        files->before = [&] { fs::copy(directory, copy); };
        auto writer = LedgerWriter::create(directory, full_header(), small_settings(files));
        for (int i = 0; i < 6; ++i) {
            scribe.write(*writer, 12);
            if (files->calls() <= at) writer->wait();
            if (files->calls() <= at) durable = scribe.committed().size() - 1;
        }
        scribe.commit(*writer);
        writer.reset();
        if (files->calls() <= at) break;

        if (!fs::exists(copy + "/header.json")) {
            // It was being created: there is no ledger, and one can be made.
            ASSERT_EQ(durable, 0);
            EXPECT_THROW((void)LedgerReader::open(copy), LedgerError);
            (void)LedgerWriter::create(copy, full_header(), small_settings());
            continue;
        }
        std::optional<std::size_t> commit = commit_of(*LedgerReader::open(copy), scribe.committed());
        ASSERT_TRUE(commit) << at;
        ASSERT_GE(*commit, durable) << at;
        // And the run can continue from there.
        Scribe second(at, scribe.committed()[*commit]);
        writer = LedgerWriter::reopen(copy, small_settings());
        ASSERT_TRUE(same(contents_of(*writer), scribe.committed()[*commit]));
        second.write(*writer, 20);
        second.commit(*writer);
        writer.reset();
        ASSERT_TRUE(same(contents_of(*LedgerReader::open(copy)), second.mirror())) << at;
        ++continued;
    }
    EXPECT_GT(continued, 20);
}

TEST(LedgerRecovery, ErrorsOfTheDiskReachTheCallerAndLeaveTheLastCommit) {
    const std::pair<int, LedgerFault> causes[] = {{ENOSPC, LedgerFault::disk_full},
                                                  {EIO, LedgerFault::io},
                                                  {EROFS, LedgerFault::not_allowed},
                                                  {EDQUOT, LedgerFault::disk_full}};
    std::size_t failures = 0;
    for (std::size_t at = 0;; at += at < 20 ? 1 : 5) {
        const auto [cause, kind] = causes[at % std::size(causes)];
        const TemporaryDirectory place;
        const std::string directory = place / "ledger";
        auto files = std::make_shared<WatchedFiles>();
        files->at = at;
        files->part = static_cast<double>(at % 3) / 2;
        files->error = cause;
        Scribe scribe(6);
        bool reported = false;
        std::size_t durable = 0;
        std::unique_ptr<LedgerWriter> writer;
        const auto expect_report = [&, expected = kind](const std::function<void()>& action) {
            try {
                action();
            } catch (const LedgerError& error) {
                reported = true;
                EXPECT_EQ(error.kind(), expected) << error.what();
                EXPECT_TRUE(error.file().starts_with(directory) || directory.starts_with(error.file() + "/"))
                    << error.what();
                EXPECT_NE(std::string(error.what()).find(std::strerror(files->error)), std::string::npos)
                    << error.what();
            }
        };
        expect_report([&] {
            writer = LedgerWriter::create(directory, full_header(), small_settings(files));
            for (int i = 0; i < 6; ++i) {
                scribe.write(*writer, 12);
                writer->wait();
                durable = scribe.committed().size() - 1;
            }
        });
        if (!files->failed()) {
            EXPECT_FALSE(reported);
            break;
        }
        EXPECT_TRUE(reported);
        if (writer) {
            // It stays so.
            reported = false;
            expect_report([&] { writer->wait(); });
            EXPECT_TRUE(reported);
            reported = false;
            expect_report([&] { writer->commit({}); });
            EXPECT_TRUE(reported);
        }
        writer.reset();
        ++failures;
        if (!fs::exists(directory + "/header.json")) continue;
        const std::optional<std::size_t> commit = commit_of(*LedgerReader::open(directory), scribe.committed());
        ASSERT_TRUE(commit);
        EXPECT_GE(*commit, durable);
    }
    EXPECT_GT(failures, 30);
}

// Lets chosen calls fail, and no others: the disk was full for a moment, a cable loose. A write that fails may have
// written a part; a sync that fails may or may not have reached the disk.
class FailingFiles : public UnsyncedFiles {
public:
    explicit FailingFiles(std::vector<std::size_t> which) : which_(std::move(which)) {}
    [[nodiscard]] std::size_t calls() const { return calls_; }
    [[nodiscard]] std::size_t failures() const { return failures_; }

    int open(const std::string& path, int flags) override { return fails() ? -ENFILE : Files::open(path, flags); }
    std::int64_t read(int file, void* data, std::size_t size, std::uint64_t offset) override {
        return fails() ? -EIO : Files::read(file, data, size, offset);
    }
    std::int64_t write(int file, const void* data, std::size_t size, std::uint64_t offset) override {
        if (!fails()) return Files::write(file, data, size, offset);
        if (failures_ % 3 != 0) Files::write(file, data, size / (failures_ % 3), offset);
        return -ENOSPC;
    }
    int sync(int /*file*/) override { return fails() ? -EIO : 0; }
    int sync_directory(int /*file*/) override { return fails() ? -EIO : 0; }
    int resize(int file, std::uint64_t size) override { return fails() ? -EIO : Files::resize(file, size); }
    int rename(const std::string& from, const std::string& to) override {
        return fails() ? -EIO : Files::rename(from, to);
    }
    int remove(const std::string& path) override { return fails() ? -EIO : Files::remove(path); }
    int discard(int file, std::uint64_t offset, std::uint64_t size) override {
        return fails() ? -EIO : Files::discard(file, offset, size);
    }

private:
    bool fails() {
        const bool result = std::find(which_.begin(), which_.end(), calls_++) != which_.end();
        failures_ += result ? 1 : 0;
        return result;
    }
    std::vector<std::size_t> which_;
    std::atomic<std::size_t> calls_ = 0;
    std::atomic<std::size_t> failures_ = 0;
};

constexpr std::size_t kRounds = 4;

// A run of some rounds, each with a commit whose engine data is its number. What a round appends depends on its number
// and on what is there. `reached` is what the ledger has after each round.
void run_rounds(LedgerWriter& writer, std::size_t first, const Mirror& start, std::vector<Mirror>& reached,
                std::size_t& durable) {
    Mirror mirror = start;
    for (std::size_t round = first; round < kRounds; ++round) {
        Scribe scribe(100 + round, mirror);
        for (int i = 0; i < 3; ++i) {
            scribe.append_states(writer, 60);
            scribe.append_edges(writer, 20);
            scribe.append_waiting(writer, 60);
        }
        scribe.append_numbers(writer, 10);
        scribe.drop_waiting(writer);
        if (round == 1) scribe.change_packing(writer);
        mirror = scribe.mirror();
        mirror.engine = std::to_string(round + 1);
        reached.resize(std::max(reached.size(), round + 2));
        if (reached[round + 1].engine.empty()) reached[round + 1] = mirror;
        ASSERT_TRUE(same(reached[round + 1], mirror)) << "a round does not do the same again";
        writer.commit(mirror.engine);
        writer.wait();
        durable = round + 1;
    }
}

// Continues after every failure, as a user would who resumes a run, until the rounds are done.
void run_with_failures(const std::string& directory, const std::shared_ptr<FailingFiles>& files,
                       std::vector<Mirror>& reached) {
    std::size_t durable = 0;
    for (std::size_t attempt = 0;; ++attempt) {
        ASSERT_LE(attempt, 3U);
        const std::size_t failures = files->failures();
        try {
            std::unique_ptr<LedgerWriter> writer;
            if (fs::exists(directory + "/header.json")) writer = LedgerWriter::reopen(directory, small_settings(files));
            else writer = LedgerWriter::create(directory, full_header(), small_settings(files));
            writer->verify();
            const std::size_t round = writer->engine().empty() ? 0 : std::stoul(writer->engine());
            ASSERT_GE(round, durable) << "a commit is lost";
            ASSERT_LT(round, reached.size());
            ASSERT_TRUE(same(contents_of(*writer), reached[round])) << "it is not what was committed";
            run_rounds(*writer, round, reached[round], reached, durable);
            return;
        } catch (const LedgerError& error) {
            ASSERT_GT(files->failures(), failures) << "nothing has failed, but: " << error.what();
            ASSERT_NE(error.kind(), LedgerFault::damaged) << error.what();
        }
    }
}

TEST(LedgerRecovery, AfterACallThatFailsTheRunGoesOnAsIfNothingHadHappened) {
    const Mirror empty = Scribe(0).mirror();
    std::vector<Mirror> undisturbed{empty};
    auto counted = std::make_shared<FailingFiles>(std::vector<std::size_t>{});
    {
        const TemporaryDirectory place;
        run_with_failures(place / "ledger", counted, undisturbed);
    }
    ASSERT_EQ(undisturbed.size(), kRounds + 1);
    ASSERT_GT(counted->calls(), 60U);
    // Each call fails once; sometimes also one soon after it, when the run is being resumed.
    for (std::size_t at = 0; at < counted->calls(); ++at) {
        for (const std::size_t later : {std::size_t{0}, 2 + at % 19}) {
            const TemporaryDirectory place;
            auto files = std::make_shared<FailingFiles>(std::vector<std::size_t>{at, at + later});
            std::vector<Mirror> reached = undisturbed;
            run_with_failures(place / "ledger", files, reached);
            ASSERT_FALSE(HasFatalFailure()) << "call " << at << " and " << later << " later";
            ASSERT_GE(files->failures(), 1U) << at;
            const std::unique_ptr<LedgerReader> reader = LedgerReader::open(place / "ledger");
            reader->verify();
            ASSERT_TRUE(same(contents_of(*reader), undisturbed[kRounds])) << at;
        }
    }
}

// A disk that has lost its power: what was synced is there; of what was not, any part may be.
class VolatileFiles : public Files {
public:
    explicit VolatileFiles(std::size_t until) : until_(until) {}
    [[nodiscard]] bool has_ended() const { return calls_ > until_; }

    int open(const std::string& path, int flags) override {
        const int file = Files::open(path, flags);
        const std::lock_guard lock(mutex_);
        if (file >= 0) paths_[file] = path;
        if (file >= 0 && (flags & O_CREAT) != 0) files_[path] = {};
        return file;
    }
    std::int64_t write(int file, const void* data, std::size_t size, std::uint64_t offset) override {
        const auto* bytes = static_cast<const char*>(data);
        note(file, {offset, std::string(bytes, size), false});
        return Files::write(file, data, size, offset);
    }
    int resize(int file, std::uint64_t size) override {
        note(file, {size, {}, true});
        return Files::resize(file, size);
    }
    int sync(int file) override {
        const std::lock_guard lock(mutex_);
        if (calls_++ >= until_) return 0;
        File& known = files_[paths_[file]];
        for (const Change& change : known.changes) apply(known.durable, change);
        known.changes.clear();
        return 0;
    }
    int sync_directory(int file) override {
        const std::lock_guard lock(mutex_);
        if (calls_++ >= until_) return 0;
        listed_[paths_[file]] = true;
        return 0;
    }
    int rename(const std::string& from, const std::string& to) override {
        const std::lock_guard lock(mutex_);
        if (calls_++ < until_) {
            files_[to] = files_[from];
            files_.erase(from);
            listed_.clear();
        }
        return Files::rename(from, to);
    }
    int discard(int /*file*/, std::uint64_t /*offset*/, std::uint64_t /*size*/) override { return -EOPNOTSUPP; }

    // What is found afterwards. False where the directory may not even have a name for the header.
    bool recover(const std::string& directory, std::uint64_t seed) {
        std::mt19937_64 random(seed);
        const int kept = static_cast<int>(random() % 3);  // nothing, everything, some
        fs::create_directory(directory);
        write_text(directory + "/lock", "");
        bool has_header = false;
        for (const auto& [path, file] : files_) {
            const std::string name = fs::path(path).filename().string();
            has_header |= name == "header.json";
            std::string text = file.durable;
            for (Change change : file.changes) {
                if (kept == 0 || (kept == 2 && random() % 2 == 0)) continue;
                if (kept == 2 && !change.resizes) change.text.resize(random() % (change.text.size() + 1));
                apply(text, change);
            }
            write_text(directory + "/" + name, text);
        }
        return has_header && listed_.contains(fs::path(files_.begin()->first).parent_path().string());
    }

private:
    struct Change {
        std::uint64_t offset;
        std::string text;
        bool resizes;
    };
    struct File {
        std::string durable;
        std::vector<Change> changes;
    };
    void note(int file, Change change) {
        const std::lock_guard lock(mutex_);
        if (calls_++ < until_) files_[paths_[file]].changes.push_back(std::move(change));
    }
    static void apply(std::string& text, const Change& change) {
        const std::size_t end = change.offset + change.text.size();
        if (change.resizes || end > text.size()) text.resize(change.resizes ? change.offset : end);
        if (!change.resizes) text.replace(change.offset, change.text.size(), change.text);
    }

    std::size_t until_;
    std::atomic<std::size_t> calls_ = 0;
    std::mutex mutex_;
    std::map<int, std::string> paths_;
    std::map<std::string, File> files_;
    std::map<std::string, bool> listed_;
};

TEST(LedgerRecovery, AfterALossOfPowerAtAnyCallTheLastCommitIsThere) {
    std::size_t recovered = 0;
    for (std::size_t at = 0;; ++at) {
        const TemporaryDirectory place;
        auto files = std::make_shared<VolatileFiles>(at);
        std::vector<Mirror> reached{Scribe(0).mirror()};
        std::size_t durable = 0;
        {
            auto writer = LedgerWriter::create(place / "ledger", full_header(), small_settings(files));
            for (std::size_t round = 0; round < kRounds; ++round) {
                Scribe scribe(200 + round, reached.back());
                scribe.append_states(*writer, 60);
                scribe.append_waiting(*writer, 60);
                scribe.append_edges(*writer, 20);
                Mirror mirror = scribe.mirror();
                mirror.engine = std::to_string(round + 1);
                writer->commit(mirror.engine);
                writer->wait();
                reached.push_back(std::move(mirror));
                if (!files->has_ended()) durable = round + 1;
            }
        }
        if (!files->has_ended()) break;
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            const std::string copy = place / ("copy" + std::to_string(seed));
            if (!files->recover(copy, seed)) {
                ASSERT_EQ(durable, 0U) << at;
                continue;
            }
            const std::unique_ptr<LedgerReader> reader = LedgerReader::open(copy);
            reader->verify();
            const std::size_t round = reader->engine().empty() ? 0 : std::stoul(reader->engine());
            ASSERT_GE(round, durable) << at;
            ASSERT_TRUE(same(contents_of(*reader), reached[round])) << at;
            ++recovered;
        }
    }
    EXPECT_GT(recovered, 100U);
}

TEST(LedgerRecovery, TheLimitIsNotExceeded) {
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    constexpr std::uint64_t kLimit = 100000;
    LedgerSettings settings = small_settings();
    settings.disk_limit = kLimit;
    Scribe scribe(8);
    auto writer = LedgerWriter::create(directory, full_header(), settings);
    try {
        for (int i = 0; i < 1000; ++i) {
            scribe.append_states(*writer, 100);
            if (i % 10 == 0) scribe.commit(*writer);
        }
        FAIL() << "no error";
    } catch (const LedgerError& error) {
        EXPECT_EQ(error.kind(), LedgerFault::limit);
    }
    writer.reset();
    std::uint64_t sum = 0;
    for (const auto& entry : fs::directory_iterator(directory)) sum += entry.file_size();
    EXPECT_LE(sum, kLimit);
    EXPECT_GT(sum, kLimit / 2);
    ASSERT_TRUE(commit_of(*LedgerReader::open(directory), scribe.committed()));
    // With more room it continues.
    writer = LedgerWriter::reopen(directory, small_settings());
    Scribe second(9, contents_of(*writer));
    second.append_states(*writer, 100);
    second.commit(*writer);
    writer->wait();
}

// A disk on which a write takes its time.
class SlowFiles : public UnsyncedFiles {
public:
    std::atomic<int> writes = 0;
    std::int64_t write(int file, const void* data, std::size_t size, std::uint64_t offset) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        const std::int64_t result = Files::write(file, data, size, offset);
        ++writes;
        return result;
    }
};

TEST(LedgerRecovery, ACallerThatIsFasterThanTheDiskIsHeldBack) {
    const TemporaryDirectory place;
    LedgerHeader header;
    header.state_bytes = 10;
    auto files = std::make_shared<SlowFiles>();
    auto writer = LedgerWriter::create(place / "ledger", header, small_settings(files));
    const int before = files->writes;
    const Bytes states(500);  // a frame
    for (int frames = 1; frames <= 60; ++frames) {
        writer->append_states(1, 0, {50, states, {}, {}, {}});
        // Six of 500 bytes may be queued, one may be in flight to the disk, one is being gathered.
        ASSERT_LE(frames - (files->writes - before), 8);
    }
    writer->wait();
    EXPECT_EQ(files->writes - before, 59);
}

TEST(LedgerRecovery, ALedgerThatIsRemovedMeanwhileIsMissed) {
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    auto writer = LedgerWriter::create(directory, full_header(), small_settings());
    fs::remove_all(directory);
    writer->commit({});
    try {
        writer->wait();
        FAIL() << "no error";
    } catch (const LedgerError& error) {
        EXPECT_EQ(error.kind(), LedgerFault::missing);
    }
}

// A ledger with an uncommitted tail, in memory: cheap to restore after each damage.
class DamagedLedger {
public:
    DamagedLedger(std::uint64_t seed, bool tail) : directory_(place_ / "ledger"), scribe_(seed) {
        auto writer = LedgerWriter::create(directory_, full_header(), small_settings());
        for (int i = 0; i < 8; ++i) {
            scribe_.write(*writer, 12);
            scribe_.commit(*writer);
        }
        writer->wait();
        for (const auto& entry : fs::directory_iterator(directory_))
            committed_[entry.path().filename().string()] = entry.file_size();
        if (tail) {
            for (int i = 0; i < 20; ++i) {
                scribe_.append_states(*writer, 60);
                scribe_.append_waiting(*writer, 60);
                scribe_.append_edges(*writer, 60);
                scribe_.append_numbers(*writer, 60);
            }
        }
        writer.reset();
        for (const auto& [name, size] : committed_) files_[name] = text_of(path(name));
    }

    [[nodiscard]] const std::map<std::string, std::string>& files() const { return files_; }
    [[nodiscard]] std::uint64_t committed(const std::string& name) const { return committed_.at(name); }
    void restore() const {
        for (const auto& [name, text] : files_) write_text(path(name), text);
    }
    void damage(const std::string& name, const std::string& text) const { write_text(path(name), text); }

    enum class Outcome : std::uint8_t { same, reported, wrong };
    Outcome read(bool by_writer) const {
        try {
            std::unique_ptr<LedgerContents> ledger;
            if (by_writer) ledger = LedgerWriter::reopen(directory_, small_settings());
            else ledger = LedgerReader::open(directory_);
            ledger->verify();
            return same(contents_of(*ledger), scribe_.committed().back()) ? Outcome::same : Outcome::wrong;
        } catch (const LedgerError& error) {
            // With the file that it is about.
            return error.file().find(directory_) == 0 ? Outcome::reported : Outcome::wrong;
        }
    }

private:
    [[nodiscard]] std::string path(const std::string& name) const { return directory_ + "/" + name; }

    TemporaryDirectory place_;
    std::string directory_;
    Scribe scribe_;
    std::map<std::string, std::string> files_;
    std::map<std::string, std::uint64_t> committed_;
};

using Outcome = DamagedLedger::Outcome;

TEST(LedgerRecovery, ACutTailIsNormalAndACutBeforeTheCommitIsDamage) {
    const DamagedLedger ledger(11, true);
    std::mt19937_64 random(1);
    for (const auto& [name, text] : ledger.files()) {
        if (name == "lock" || name == "header.json" || name == "latest") continue;
        const std::uint64_t committed = ledger.committed(name);
        ASSERT_GT(committed, 0) << name;
        if (name != "journal") {
            ASSERT_GT(text.size(), committed) << name;
        }
        for (int i = 0; i < 12; ++i) {
            const std::uint64_t behind = i == 0 ? committed : committed + random() % (text.size() - committed + 1);
            ledger.restore();
            ledger.damage(name, text.substr(0, behind));
            EXPECT_EQ(ledger.read(i % 2 != 0), Outcome::same) << name << " cut to " << behind;
            const std::uint64_t before = i == 0 ? committed - 1 : random() % committed;
            ledger.restore();
            ledger.damage(name, text.substr(0, before));
            EXPECT_EQ(ledger.read(i % 2 != 0), Outcome::reported) << name << " cut to " << before;
            // What an interrupted write leaves behind the commit may be anything.
            std::string garbage = text.substr(0, behind);
            for (std::uint64_t k = random() % 3000; k > 0; --k)
                garbage.push_back(static_cast<char>(random() % (i % 3 == 0 ? 1 : 256)));
            ledger.restore();
            ledger.damage(name, garbage);
            EXPECT_EQ(ledger.read(i % 2 == 0), Outcome::same) << name << " with garbage behind";
        }
    }
}

TEST(LedgerRecovery, NoDamageIsReadAsData) {
    std::mt19937_64 random(2);
    std::map<std::string, std::pair<int, int>> outcomes;  // by kind of damage: reported, harmless
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const DamagedLedger ledger(20 + seed, seed % 2 == 0);
        std::vector<std::string> names;
        for (const auto& [name, text] : ledger.files())
            if (!text.empty()) names.push_back(name);
        for (int i = 0; i < 300; ++i) {
            const std::string& name = names[random() % names.size()];
            std::string text = ledger.files().at(name);
            std::string kind;
            switch (random() % 5) {
                case 0:
                    kind = "bit";
                    text[random() % text.size()] ^= static_cast<char>(1U << random() % 8);
                    break;
                case 1:
                    kind = "cut";
                    text.resize(random() % text.size());
                    break;
                case 2: {
                    kind = "swapped";
                    const std::size_t size = 1 + random() % (text.size() / 2);
                    const std::size_t first = random() % (text.size() - 2 * size + 1);
                    const std::size_t second = first + size + random() % (text.size() - first - 2 * size + 1);
                    std::swap_ranges(text.data() + first, text.data() + first + size, text.data() + second);
                    break;
                }
                case 3:
                    kind = "zeroed";
                    for (std::size_t begin = random() % text.size(), k = begin; k < std::min(text.size(), begin + 200);
                         ++k)
                        text[k] = 0;
                    break;
                default:
                    kind = "removed";
                    text.erase(random() % text.size(), 1 + random() % 100);
                    break;
            }
            ledger.restore();
            ledger.damage(name, text);
            const Outcome outcome = ledger.read(i % 2 == 0);
            ASSERT_NE(outcome, Outcome::wrong) << kind << " in " << name << ", seed " << seed << ", " << i;
            ++(outcome == Outcome::reported ? outcomes[kind].first : outcomes[kind].second);
        }
    }
    ASSERT_EQ(outcomes.size(), 5);
    // Harmless: in the tail, in frames of dropped open states, in the older half of `latest`.
    for (const auto& [kind, counts] : outcomes) EXPECT_GT(counts.first, counts.second) << kind;
}

// The ends of the frames of a stream.
std::vector<std::size_t> frame_ends(const std::string& text) {
    std::vector<std::size_t> ends{0};
    while (ends.back() + sizeof(FrameHeader) <= text.size()) {
        FrameHeader header;
        std::memcpy(&header, text.data() + ends.back(), sizeof header);
        ends.push_back(ends.back() + sizeof header + header.stored_bytes);
    }
    return ends;
}

TEST(LedgerRecovery, FramesOfEqualSizeCannotChangePlaces) {
    // Random states are stored as they are: all full frames have the same size.
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    LedgerHeader header;
    header.state_bytes = 10;
    std::mt19937_64 random(3);
    const auto fill = [&](LedgerWriter& writer) {
        Bytes states(5000);
        for (std::uint8_t& byte : states) byte = static_cast<std::uint8_t>(random());
        writer.append_states(1, 0, {500, states, {}, {}, {}});
        writer.commit({});
        writer.wait();
    };
    fill(*LedgerWriter::create(directory, header, small_settings()));
    const std::string good = text_of(directory + "/states");
    const std::vector<std::size_t> ends = frame_ends(good);
    ASSERT_EQ(ends.size(), 11);
    const std::size_t size = ends[1];
    ASSERT_EQ(good.size(), 10 * size);

    std::string bad = good.substr(size, size) + good.substr(0, size) + good.substr(2 * size);
    write_text(directory + "/states", bad);
    EXPECT_THROW(LedgerReader::open(directory)->verify(), LedgerError);
    EXPECT_THROW((void)LedgerReader::open(directory)->state(0), LedgerError);
    EXPECT_EQ(LedgerReader::open(directory)->state(200).record_bytes, 10);  // the others are as they were

    // Nor may a frame come from another ledger, or from another run of this one.
    const std::string other = place / "other";
    fill(*LedgerWriter::create(other, header, small_settings()));
    write_text(directory + "/states", text_of(other + "/states").substr(0, size) + good.substr(size));
    EXPECT_THROW(LedgerReader::open(directory)->verify(), LedgerError);
    write_text(directory + "/states", good);
    LedgerReader::open(directory)->verify();
    const std::string branch = place / "branch";
    fs::copy(directory, branch);
    fill(*LedgerWriter::reopen(directory, small_settings()));
    fill(*LedgerWriter::reopen(branch, small_settings()));
    LedgerReader::open(directory)->verify();
    const std::string theirs = text_of(branch + "/states");
    ASSERT_EQ(theirs.size(), 20 * size);
    write_text(directory + "/states", theirs);
    EXPECT_THROW(LedgerReader::open(directory)->verify(), LedgerError);
    write_text(directory + "/journal", text_of(branch + "/journal"));
    EXPECT_THROW((void)LedgerReader::open(directory), LedgerError);  // `latest` is not of that run
}

TEST(LedgerRecovery, DamageIsReportedWithItsPlace) {
    const DamagedLedger ledger(31, false);
    std::string text = ledger.files().at("states");
    const std::vector<std::size_t> ends = frame_ends(text);
    ASSERT_GT(ends.size(), 3);
    text[ends[2] + sizeof(FrameHeader) + 1] ^= 1;
    ledger.damage("states", text);
    EXPECT_EQ(ledger.read(false), Outcome::reported);
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    fs::create_directory(directory);
    for (const auto& [name, content] : ledger.files())
        write_text(directory + "/" + name, name == "states" ? text : content);
    try {
        LedgerReader::open(directory)->verify();
        FAIL() << "no error";
    } catch (const LedgerError& error) {
        EXPECT_EQ(error.kind(), LedgerFault::damaged);
        EXPECT_EQ(error.file(), directory + "/states");
        EXPECT_EQ(error.offset(), ends[2]);
    }
    std::string header = ledger.files().at("header.json");
    header.replace(header.find("\"version\": 5"), 12, "\"version\": 4");
    write_text(directory + "/header.json", header);
    try {
        (void)LedgerReader::open(directory);
        FAIL() << "no error";
    } catch (const LedgerError& error) {
        EXPECT_EQ(error.kind(), LedgerFault::version);
        EXPECT_NE(std::string(error.what()).find("format version 4, this program reads 5"), std::string::npos);
    }
}

}  // namespace
}  // namespace tideline::ledger
