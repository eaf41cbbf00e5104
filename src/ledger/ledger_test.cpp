#include "ledger/ledger.hpp"

#include <sys/stat.h>

#include <fstream>

#include <gtest/gtest.h>

#include "ledger/sample_ledger.hpp"

namespace tideline::ledger {
namespace {

using namespace sample;
namespace fs = std::filesystem;

std::uint64_t file_bytes(const std::string& directory) {
    std::uint64_t sum = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) sum += entry.file_size();
    return sum;
}

template <class Function>
LedgerFault fault_of(Function function) {
    try {
        function();
    } catch (const LedgerError& error) {
        return error.kind();
    }
    ADD_FAILURE() << "no error";
    return LedgerFault::io;
}

TEST(Ledger, AnEmptyOneCanBeReadAndContinued) {
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    LedgerHeader header;
    header.description = R"({"b":1,"a":[true]})";
    (void)LedgerWriter::create(directory, header);
    {
        const auto reader = LedgerReader::open(directory);
        EXPECT_EQ(reader->states(), 0);
        EXPECT_EQ(reader->extent_count(), 0);
        EXPECT_TRUE(reader->extents_of(5).empty());
        EXPECT_EQ(reader->header().description, R"({"a":[true],"b":1})");
        EXPECT_FALSE(std::filesystem::exists(directory + "/parents"));
        reader->verify();
    }
    // States may have no bytes at all.
    auto writer = LedgerWriter::reopen(directory);
    EXPECT_EQ(writer->append_states(3, 0, {.count = 1}), 0);
    writer->commit("x");
    writer.reset();
    const auto reader = LedgerReader::open(directory);
    EXPECT_EQ(reader->states(), 1);
    EXPECT_EQ(reader->engine(), "x");
    EXPECT_EQ(reader->state(0).bytes.size(), 0);
    EXPECT_EQ(reader->extents_of(3), (std::vector<Extent>{{3, 0, 0, 1}}));
}

TEST(Ledger, EveryStreamComesBackAsWritten) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const TemporaryDirectory place;
        const std::string directory = place / "ledger";
        Scribe scribe(seed);
        auto writer = LedgerWriter::create(directory, full_header(), small_settings());
        for (int round = 0; round < 3; ++round) {
            for (int part = 0; part < 4; ++part) {
                scribe.write(*writer, 20);
                // What was just appended is there too.
                ASSERT_TRUE(same(contents_of(*writer), scribe.mirror())) << seed;
            }
            scribe.commit(*writer);
            if (seed % 2 == 0) writer->wait();
            writer.reset();
            {
                const auto reader = LedgerReader::open(directory);
                reader->verify();
                ASSERT_TRUE(same(contents_of(*reader), scribe.mirror())) << seed;
                for (std::uint64_t n = 0; n < reader->states(); n += 7) {
                    const auto bytes = reader->state(n).bytes;
                    ASSERT_EQ(Bytes(bytes.begin(), bytes.end()), scribe.mirror().states[n].bytes);
                    ASSERT_EQ(reader->parent(n), scribe.mirror().states[n].parent);
                }
            }
            writer = LedgerWriter::reopen(directory, small_settings());
        }
    }
}

TEST(Ledger, FindsTheExtentsOfAKey) {
    const TemporaryDirectory place;
    Scribe scribe(7);
    auto writer = LedgerWriter::create(place / "ledger", full_header(), small_settings());
    scribe.write(*writer, 1000, 3);
    std::map<support::UInt128, std::vector<Extent>> expected;
    for (const Extent& extent : scribe.mirror().extents) expected[extent.key].push_back(extent);
    ASSERT_GT(expected.size(), 6);
    for (const auto& [key, extents] : expected) EXPECT_EQ(writer->extents_of(key), extents);
    EXPECT_TRUE(writer->extents_of(77).empty());
}

TEST(Ledger, WhatWasNotCommittedIsNotThere) {
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    Scribe scribe(3);
    auto writer = LedgerWriter::create(directory, full_header(), small_settings());
    scribe.write(*writer, 50);
    scribe.commit(*writer);
    const Mirror committed = scribe.mirror();
    for (int i = 0; i < 20; ++i) scribe.append_states(*writer, 60);
    writer.reset();
    EXPECT_TRUE(same(contents_of(*LedgerReader::open(directory)), committed));
    writer = LedgerWriter::reopen(directory, small_settings());
    EXPECT_TRUE(same(contents_of(*writer), committed));
}

TEST(Ledger, MillionsOfTinyLayersShareFrames) {
    constexpr std::uint64_t kLayers = 2000000;
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    LedgerHeader header;
    header.state_bytes = 6;
    header.parents = true;
    const auto bytes_of = [](std::uint64_t number) {
        Bytes bytes;
        append_fixed(bytes, number);
        bytes.resize(6);
        return bytes;
    };
    auto writer = LedgerWriter::create(directory, header);
    std::uint64_t number = 0;
    for (std::uint64_t layer = 0; layer < kLayers; ++layer) {
        for (std::uint64_t i = 0; i <= layer % 2; ++i, ++number) {
            const Bytes state = bytes_of(number);
            const std::uint64_t parent = number / 2;
            const std::uint32_t transition = 1;
            writer->append_states(layer * 3, 0, {1, state, {&parent, 1}, {&transition, 1}, {}});
        }
        if (layer % 500000 == 0) writer->commit({});
    }
    writer->commit("end");
    writer.reset();
    EXPECT_LT(file_bytes(directory), 9 * kLayers);  // the journal has some 5 for a layer
    const auto reader = LedgerReader::open(directory);
    ASSERT_EQ(reader->extent_count(), kLayers);
    ASSERT_EQ(reader->states(), number);
    for (std::uint64_t layer = 0; layer < kLayers; layer += 4999) {
        const std::vector<Extent> extents = reader->extents_of(layer * 3);
        ASSERT_EQ(extents, (std::vector<Extent>{{layer * 3, 0, layer + layer / 2, 1 + layer % 2}}));
        reader->read_extent(extents[0], [&](const Records& records) {
            const Bytes expected = bytes_of(records.first);
            ASSERT_EQ(Bytes(records.bytes.begin(), records.bytes.begin() + 6), expected);
        });
    }
}

TEST(Ledger, LikeStatesAreStoredInAFractionOfTheirBytes) {
    // Counters and a few flags, in the order of a breadth-first search; with parents and transitions.
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    LedgerHeader header;
    header.state_bytes = 8;
    header.parents = true;
    constexpr std::uint64_t kCount = 300000;
    Bytes states;
    std::vector<std::uint64_t> parents;
    std::vector<std::uint32_t> transitions;
    for (std::uint64_t i = 0; i < kCount; ++i) {
        const std::uint64_t state = i / 1000 << 40U | i / 10 % 100 << 16U | i % 10;
        append_fixed(states, state);
        parents.push_back(i / 3);
        transitions.push_back(static_cast<std::uint32_t>(i % 3));
    }
    auto writer = LedgerWriter::create(directory, header);
    writer->append_states(1, 1, {kCount, states, parents, transitions, {}});
    writer->commit({});
    writer->wait();
    EXPECT_LT(writer->bytes(), states.size() / 2);
    EXPECT_EQ(writer->bytes(), file_bytes(directory));
}

TEST(Ledger, ListsOfAnyLengthComeBack) {
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    LedgerHeader header;
    header.edges = true;
    auto writer = LedgerWriter::create(directory, header);
    std::vector<std::uint64_t> targets(1000000);
    for (std::size_t i = 0; i < targets.size(); ++i)
        targets[i] = i * i * 0x9E3779B97F4A7C15U % kNumberEnd | (i % 3 == 0 ? kTemporaryId : 0);
    const std::vector<std::uint32_t> degrees{0, 400000, 0, 1, 599999, 0};
    std::vector<std::uint64_t> transitions(targets.size());
    for (std::size_t i = 0; i < transitions.size(); ++i) transitions[i] = i % 7 * (i % 11 == 0 ? 1000003 : 1);
    writer->append_edges(degrees, targets, transitions);
    writer->commit({});
    writer.reset();
    const auto reader = LedgerReader::open(directory);
    std::vector<std::uint32_t> read_degrees;
    std::vector<std::uint64_t> read_targets;
    std::vector<std::uint64_t> read_transitions;
    for (std::uint64_t i = 0; i < reader->records(Stream::edges); ++i)
        reader->read(Stream::edges, i, 1, [&](const Records& records) {
            ASSERT_EQ(records.numbers.size(), records.tags[0]);
            read_degrees.push_back(records.tags[0]);
            read_targets.insert(read_targets.end(), records.numbers.begin(), records.numbers.end());
            read_transitions.insert(read_transitions.end(), records.others.begin(), records.others.end());
        });
    EXPECT_EQ(read_degrees, degrees);
    EXPECT_EQ(read_targets, targets);
    EXPECT_EQ(read_transitions, transitions);
}

TEST(Ledger, TheRoomOfDroppedWaitingStatesIsGivenBack) {
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    LedgerHeader header;
    header.state_bytes = 64;
    header.waiting = true;
    auto writer = LedgerWriter::create(directory, header);
    std::mt19937_64 random(1);
    constexpr std::uint64_t kCount = 50000;
    Bytes states(kCount * 64);
    for (std::uint8_t& byte : states) byte = static_cast<std::uint8_t>(random());
    const std::vector<std::uint64_t> parents(kCount);
    const std::vector<std::uint32_t> transitions(kCount);
    std::vector<std::uint64_t> batches;
    for (int i = 0; i < 12; ++i)
        batches.push_back(writer->append_waiting(1, 0, {kCount, states, parents, transitions, {}}));
    writer->commit({});
    writer->wait();
    const std::uint64_t full = writer->bytes();
    for (int i = 0; i < 10; ++i) writer->drop_waiting(batches[static_cast<std::size_t>(i)]);
    writer->commit({});
    writer->wait();
    if (writer->bytes() > full) GTEST_SKIP() << "the file system gives no room back";
    EXPECT_LT(writer->bytes(), full / 4);
    const auto check = [&](LedgerContents& ledger) {
        ledger.verify();
        ASSERT_EQ(ledger.waiting().size(), 2);
        for (const auto& [id, batch] : ledger.waiting()) {
            std::uint64_t at = 0;
            ledger.read_waiting(batch, [&](const Records& records) {
                ASSERT_EQ(std::memcmp(records.bytes.data(), states.data() + at, records.bytes.size()), 0);
                at += records.bytes.size();
            });
            EXPECT_EQ(at, states.size());
        }
    };
    check(*writer);
    writer.reset();
    check(*LedgerReader::open(directory));
    writer = LedgerWriter::reopen(directory);
    writer->commit({});
    writer->wait();
    EXPECT_LT(writer->bytes(), full / 4);
}

TEST(Ledger, IsUsedByOneWriterOrByReaders) {
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    auto writer = LedgerWriter::create(directory, full_header());
    EXPECT_EQ(fault_of([&] { (void)LedgerWriter::reopen(directory); }), LedgerFault::locked);
    EXPECT_EQ(fault_of([&] { (void)LedgerReader::open(directory); }), LedgerFault::locked);
    EXPECT_EQ(fault_of([&] { (void)LedgerWriter::create(directory, full_header()); }), LedgerFault::locked);
    writer.reset();
    const auto one = LedgerReader::open(directory);
    const auto another = LedgerReader::open(directory);
    EXPECT_EQ(fault_of([&] { (void)LedgerWriter::reopen(directory); }), LedgerFault::locked);
}

TEST(Ledger, IsNotMadeWhereSomethingCouldBeLost) {
    const TemporaryDirectory place;
    const std::string directory = place / "ledger";
    EXPECT_EQ(fault_of([&] { (void)LedgerReader::open(directory); }), LedgerFault::missing);
    EXPECT_EQ(fault_of([&] { (void)LedgerWriter::reopen(directory); }), LedgerFault::missing);
    EXPECT_EQ(fault_of([&] { (void)LedgerWriter::create(directory + "/deeper", full_header()); }),
              LedgerFault::missing);
    (void)LedgerWriter::create(directory, full_header());
    EXPECT_EQ(fault_of([&] { (void)LedgerWriter::create(directory, full_header()); }), LedgerFault::exists);
    const std::string other = place / "other";
    std::filesystem::create_directory(other);
    std::ofstream(other + "/states") << "a poem";
    EXPECT_EQ(fault_of([&] { (void)LedgerWriter::create(other, full_header()); }), LedgerFault::exists);
    LedgerHeader wrong = full_header();
    wrong.description = "{";
    EXPECT_THROW((void)LedgerWriter::create(place / "third", wrong), LedgerError);
    wrong.description = std::string(100000, '[') + std::string(100000, ']');
    EXPECT_THROW((void)LedgerWriter::create(place / "third", wrong), LedgerError);
}

TEST(Ledger, RefusesColumnsThatDoNotFit) {
    const TemporaryDirectory place;
    auto writer = LedgerWriter::create(place / "ledger", full_header());
    const Bytes bytes(7);
    const std::vector<std::uint64_t> one(1);
    EXPECT_THROW(writer->append_states(1, 0, {1, bytes, one, {}, {}}), std::invalid_argument);
    EXPECT_THROW((void)writer->append_waiting(1, 0, {2, bytes, one, {}, {}}), std::invalid_argument);
    EXPECT_THROW(writer->append_edges({}, one, one, one), std::invalid_argument);
    const std::vector<std::uint32_t> degree(1, 1);
    EXPECT_THROW(writer->append_edges(degree, one, {}, one), std::invalid_argument);
    EXPECT_THROW(writer->append_edges(degree, one, one), std::invalid_argument);
    LedgerHeader header = full_header();
    header.marks = false;
    auto without_marks = LedgerWriter::create(place / "without marks", header);
    EXPECT_THROW(without_marks->append_edges(degree, one, one, one), std::invalid_argument);
    EXPECT_THROW(writer->append_numbers({}, one), std::invalid_argument);
    EXPECT_THROW(writer->drop_waiting(0), std::invalid_argument);
}

// Each of them is reported as a limit, so that a search ends as it does on a full disk, and nothing has changed.
TEST(Ledger, LimitsOfTheFormatAreTold) {
    Manifest extents(CatalogueLimits{5, 32});
    for (int i = 0; i < 5; ++i) extents.add_extent(static_cast<support::UInt128>(i % 2), 0, 3);
    EXPECT_EQ(fault_of([&] { extents.add_extent(7, 0, 1); }), LedgerFault::limit);
    EXPECT_EQ(extents.states(), 15U);
    EXPECT_EQ(extents.extent_count(), 5U);
    extents.add_extent(0, 0, 4);  // the last extent continues
    EXPECT_EQ(extents.states(), 19U);

    Manifest keys(CatalogueLimits{1000, 6});
    std::uint64_t added = 0;
    EXPECT_EQ(fault_of([&] {
                  for (;; ++added) keys.add_extent(added, 0, 1);
              }),
              LedgerFault::limit);
    EXPECT_EQ(added, 43U);  // two thirds of 64
    EXPECT_EQ(keys.key_count(), added);
    EXPECT_EQ(keys.states(), added);
    EXPECT_EQ(keys.extents_of(42).size(), 1U);

    FrameCodec codec(100);
    Columns columns;
    columns.count = 10;
    columns.bytes.resize(100);
    EXPECT_EQ(codec.encode(columns, {.record_bytes = 10}).raw_bytes, 100U);
    columns.count = 11;
    columns.bytes.resize(110);
    EXPECT_EQ(fault_of([&] { (void)codec.encode(columns, {.record_bytes = 10}); }), LedgerFault::limit);
}

// A smaller end of numbers than that of the format, which nobody reaches in a test.
TEST(Ledger, NumbersEndAtALimit) {
    const TemporaryDirectory place;
    LedgerSettings settings = small_settings();
    EXPECT_EQ(settings.number_end, std::uint64_t{1} << 40U);
    settings.number_end = 5;
    auto writer = LedgerWriter::create(place / "ledger", full_header(), settings);
    const Bytes bytes(7 * 3);
    const Bytes labels(3 * 3);
    const std::vector<std::uint64_t> parents(3);
    const std::vector<std::uint32_t> transitions(3);
    const auto append = [&](std::uint64_t count) {
        writer->append_states(1, 0,
                              {count, std::span(bytes).first(7 * count), std::span(parents).first(count),
                               std::span(transitions).first(count), std::span(labels).first(3 * count)});
    };
    append(3);
    EXPECT_EQ(fault_of([&] { append(3); }), LedgerFault::limit);
    EXPECT_EQ(writer->states(), 3U);
    append(2);
    EXPECT_EQ(fault_of([&] { append(1); }), LedgerFault::limit);
    const std::uint32_t degree = 1;
    const std::uint64_t one = 1;
    const auto edge_to = [&](std::uint64_t target) {
        writer->append_edges({&degree, 1}, {&target, 1}, {&one, 1}, {&one, 1});
    };
    edge_to(4);
    edge_to(4 | kTemporaryId);
    EXPECT_EQ(fault_of([&] { edge_to(5); }), LedgerFault::limit);
    EXPECT_EQ(fault_of([&] { edge_to(5 | kTemporaryId); }), LedgerFault::limit);
    const std::uint64_t five = 5;
    EXPECT_EQ(fault_of([&] { writer->append_numbers({&five, 1}, {&one, 1}); }), LedgerFault::limit);
    EXPECT_EQ(fault_of([&] { writer->append_numbers({&one, 1}, {&five, 1}); }), LedgerFault::limit);
    EXPECT_EQ(fault_of([&] {
                  (void)writer->append_waiting(1, 0,
                                               {1, std::span(bytes).first(7), {&one, 1}, {&degree, 1}, {&five, 1}});
              }),
              LedgerFault::limit);
    // What is there can still be committed.
    writer->commit("the last");
    writer->wait();
    writer.reset();
    const auto reader = LedgerReader::open(place / "ledger");
    reader->verify();
    EXPECT_EQ(reader->states(), 5U);
    EXPECT_EQ(reader->records(Stream::edges), 2U);
}

TEST(Ledger, ListsTheStatesThatAreTheirOwnParents) {
    const TemporaryDirectory place;
    LedgerHeader header;
    header.state_bytes = 1;
    header.parents = true;
    auto writer = LedgerWriter::create(place / "ledger", header, small_settings());
    const std::vector<std::uint32_t> transitions(3);
    const Bytes bytes(3);
    const auto append = [&](std::vector<std::uint64_t> parents) {
        writer->append_states(1, 0, {3, bytes, parents, transitions, {}});
    };
    append({0, 0, 2});
    writer->commit("first");
    append({3, 1, 5});
    append({6, 7, 1});  // not committed
    EXPECT_EQ(writer->initial_states(), (std::vector<std::uint64_t>{0, 2, 3, 5, 6, 7}));
    writer->wait();
    writer.reset();
    EXPECT_EQ(LedgerReader::open(place / "ledger")->initial_states(), (std::vector<std::uint64_t>{0, 2}));
    writer = LedgerWriter::reopen(place / "ledger", small_settings());
    append({0, 4, 0});
    writer->commit("second");
    writer->wait();
    writer.reset();
    EXPECT_EQ(LedgerReader::open(place / "ledger")->initial_states(), (std::vector<std::uint64_t>{0, 2, 4}));
}

TEST(Ledger, HasAsManyPackingsAsAFrameCanTell) {
    const TemporaryDirectory place;
    LedgerHeader header;
    header.state_bytes = 1;
    auto writer = LedgerWriter::create(place / "ledger", header, small_settings());
    for (std::size_t i = 1; i <= 65'535; ++i) ASSERT_EQ(writer->change_packing(1, ""), i);
    EXPECT_EQ(fault_of([&] { writer->change_packing(1, ""); }), LedgerFault::limit);
    // What is there can still be committed.
    const Bytes state(1);
    writer->append_states(1, 0, {1, state, {}, {}, {}});
    writer->commit("the last");
    writer->wait();
    writer.reset();
    const auto reader = LedgerReader::open(place / "ledger");
    EXPECT_EQ(reader->packings().size(), 65'536U);
    EXPECT_EQ(reader->state(0).packing, 65'535U);
}

// The directory may hold other files.
TEST(Ledger, FollowsNoLinksAndOverwritesNothing) {
    for (const char* name : {"header.json.new", "journal", "latest", "states", "lock"}) {
        const TemporaryDirectory place;
        std::ofstream(place / "victim") << "precious";
        fs::create_directory(place / "ledger");
        fs::create_symlink(place / "victim", place / ("ledger/" + std::string(name)));
        EXPECT_THROW((void)LedgerWriter::create(place / "ledger", full_header(), small_settings()), LedgerError)
            << name;
        std::string text;
        std::ifstream(place / "victim") >> text;
        EXPECT_EQ(text, "precious") << name;
        EXPECT_EQ(fs::file_size(place / "victim"), 8U) << name;
    }
    // A link to nowhere is one, too.
    const TemporaryDirectory dangling;
    fs::create_directory(dangling / "ledger");
    fs::create_symlink(dangling / "nowhere", dangling / "ledger/states");
    EXPECT_THROW((void)LedgerWriter::create(dangling / "ledger", full_header(), small_settings()), LedgerError);
    EXPECT_FALSE(fs::exists(dangling / "nowhere"));
    // Nor are links followed, or pipes waited for, in a ledger that is there.
    for (const char* name : {"header.json", "journal", "latest", "states", "lock"}) {
        const TemporaryDirectory place;
        (void)LedgerWriter::create(place / "ledger", full_header(), small_settings());
        const std::string path = place / ("ledger/" + std::string(name));
        fs::rename(path, place / "elsewhere");
        fs::create_symlink(place / "elsewhere", path);
        EXPECT_EQ(fault_of([&] { (void)LedgerReader::open(place / "ledger"); }), LedgerFault::not_allowed) << name;
        EXPECT_EQ(fault_of([&] { (void)LedgerWriter::reopen(place / "ledger", small_settings()); }),
                  LedgerFault::not_allowed)
            << name;
        fs::remove(path);
        ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
        if (std::string(name) == "lock") continue;  // nothing is read from it
        EXPECT_THROW((void)LedgerReader::open(place / "ledger"), LedgerError) << name;
    }
    // What an interrupted create() has left is no obstacle.
    const TemporaryDirectory place;
    (void)LedgerWriter::create(place / "ledger", full_header(), small_settings());
    fs::rename(place / "ledger/header.json", place / "ledger/header.json.new");
    (void)LedgerWriter::create(place / "ledger", full_header(), small_settings());
    EXPECT_EQ(LedgerReader::open(place / "ledger")->states(), 0U);
}

}  // namespace
}  // namespace tideline::ledger
