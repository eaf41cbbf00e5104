// What a ledger is after crashes, failing disks and damage: the last commit, or an error; never something else.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "ledger/ledger.hpp"
#include "ledger/sample_ledger.hpp"

namespace tideline {
namespace {

using namespace sample;
namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}
// In a new file: some file systems write a file that was cut through to the disk.
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
    std::function<void()> before;              // the n-th call, on the thread that makes it
    std::size_t at = SIZE_MAX;
    double part = 0;                           // of that call's bytes that are written before it
    int error = 0;                             // what the n-th call returns, if not 0; and all later ones
    [[nodiscard]] std::size_t calls() const { return calls_; }
    [[nodiscard]] bool failed() const { return error != 0 && calls_ > at; }

    std::int64_t write(int file, const void* data, std::size_t size, std::uint64_t offset) override {
        if (const auto partial = static_cast<std::size_t>(part * static_cast<double>(size)); calls_ == at && partial > 0)
            Files::write(file, data, partial, offset);
        return count() ? -error : Files::write(file, data, size, offset);
    }
    int sync(int /*file*/) override { return count() ? -error : 0; }
    int sync_directory(int /*file*/) override { return count() ? -error : 0; }
    int resize(int file, std::uint64_t size) override { return count() ? -error : Files::resize(file, size); }
    int rename(const std::string& from, const std::string& to) override { return count() ? -error : Files::rename(from, to); }

private:
    bool count() {
        if (calls_++ == at && before) before();
        return failed();
    }
    std::atomic<std::size_t> calls_ = 0;
};

TEST(LedgerRecovery, AfterAKillAtAnyCallTheLastCommitIsThere) {
    // The same run is repeated; at each call that changes a file, the directory is copied: this is what a kill would have left.
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
        // And the run can go on from there.
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
    const std::pair<int, LedgerFault> causes[] = {
        {ENOSPC, LedgerFault::disk_full}, {EIO, LedgerFault::io}, {EROFS, LedgerFault::not_allowed}, {EDQUOT, LedgerFault::disk_full}};
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
                EXPECT_TRUE(error.file().starts_with(directory) || directory.starts_with(error.file() + "/")) << error.what();
                EXPECT_NE(std::string(error.what()).find(std::strerror(files->error)), std::string::npos) << error.what();
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
    // With more room it goes on.
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
        // Six of 500 bytes may be queued, one may be on its way to the disk, one is being gathered.
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
        for (const auto& entry : fs::directory_iterator(directory_)) committed_[entry.path().filename().string()] = entry.file_size();
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
            if (by_writer)
                ledger = LedgerWriter::reopen(directory_, small_settings());
            else
                ledger = LedgerReader::open(directory_);
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
            for (std::uint64_t k = random() % 3000; k > 0; --k) garbage.push_back(static_cast<char>(random() % (i % 3 == 0 ? 1 : 256)));
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
                    for (std::size_t begin = random() % text.size(), k = begin; k < std::min(text.size(), begin + 200); ++k) text[k] = 0;
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
    // Harmless: in the tail, in frames of dropped waiting states, in the older half of `latest`.
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
    for (const auto& [name, content] : ledger.files()) write_text(directory + "/" + name, name == "states" ? text : content);
    try {
        LedgerReader::open(directory)->verify();
        FAIL() << "no error";
    } catch (const LedgerError& error) {
        EXPECT_EQ(error.kind(), LedgerFault::damaged);
        EXPECT_EQ(error.file(), directory + "/states");
        EXPECT_EQ(error.offset(), ends[2]);
    }
    std::string header = ledger.files().at("header.json");
    header.replace(header.find("\"version\": 2"), 12, "\"version\": 1");
    write_text(directory + "/header.json", header);
    try {
        (void)LedgerReader::open(directory);
        FAIL() << "no error";
    } catch (const LedgerError& error) {
        EXPECT_EQ(error.kind(), LedgerFault::version);
    }
}

}  // namespace
}  // namespace tideline
