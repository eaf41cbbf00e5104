#include "ledger/edge_reader.hpp"

#include <algorithm>
#include <ctime>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "ledger/sample_ledger.hpp"

namespace tideline::ledger {
namespace {

using sample::TemporaryDirectory;

LedgerHeader header_with_edges(bool marks = false) {
    LedgerHeader header;
    header.state_bytes = 4;
    header.edges = header.numbers = true;
    header.marks = marks;
    return header;
}

void append_states(LedgerWriter& ledger, support::UInt128 key, std::uint64_t count) {
    const Bytes bytes(count * 4);
    ledger.append_states(key, 0, {count, bytes, {}, {}, {}});
}

// Edges as they were meant: of each state targets, or nothing where the target never gets a number, and transitions.
struct Meant {
    std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> edges;
    std::vector<std::uint64_t> marks;                          // of all edges, where the ledger has such
    std::map<std::uint64_t, std::vector<std::uint64_t>> keys;  // states of each, in order
};

Meant write_random(const std::string& directory, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto ledger = LedgerWriter::create(directory, header_with_edges(seed % 2 == 0), sample::small_settings());
    Meant meant;
    const std::uint64_t states = 1 + random() % 500;
    while (meant.edges.size() < states) {
        const std::uint64_t key = random() % 5;
        const std::uint64_t count = std::min(states - meant.edges.size(), 1 + random() % 20);
        append_states(*ledger, key, count);
        for (std::uint64_t i = 0; i < count; ++i) {
            meant.keys[key].push_back(meant.edges.size());
            meant.edges.emplace_back();
        }
    }
    std::vector<std::uint64_t> temporary;  // the states that they stand for
    for (auto& list : meant.edges) {
        const auto degree = static_cast<std::uint32_t>(random() % 6);
        std::vector<std::uint64_t> targets;
        std::vector<std::uint64_t> transitions;
        for (std::uint32_t k = 0; k < degree; ++k) {
            const std::uint64_t target = random() % 20 == 0 ? EdgeReader::kWaiting : random() % states;
            transitions.push_back(random() % 3);
            list.emplace_back(target, transitions.back());
            const bool has_number = target != EdgeReader::kWaiting && random() % 2 == 0;
            targets.push_back(has_number ? target : temporary.size() | kTemporaryId);
            if (!has_number) temporary.push_back(target);
        }
        std::vector<std::uint64_t> marks;
        for (std::uint32_t k = 0; k < degree && seed % 2 == 0; ++k) marks.push_back(random() >> random() % 64);
        meant.marks.insert(meant.marks.end(), marks.begin(), marks.end());
        ledger->append_edges({&degree, 1}, targets, transitions, marks);
    }
    for (int round = 0; round < 2; ++round)  // the same pair may be there twice
        for (std::uint64_t p = 0; p < temporary.size(); ++p)
            if (temporary[p] != EdgeReader::kWaiting && (round == 0 || random() % 4 == 0))
                ledger->append_numbers({&p, 1}, {&temporary[p], 1});
    ledger->commit("done");
    ledger->wait();
    return meant;
}

TEST(EdgeReader, ResolvesNumbersInMemoryAndInAFile) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        const sample::TemporaryDirectory place;
        const Meant meant = write_random(place / "ledger", seed);
        const auto ledger = LedgerReader::open(place / "ledger");
        for (const std::uint64_t memory : {std::uint64_t{1} << 20U, std::uint64_t{0}}) {
            EdgeReader reader(*ledger, {memory, place / ""});
            std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> read(meant.edges.size());
            const auto take = [&](const Edges& edges) {
                std::size_t next = 0;
                for (std::size_t i = 0; i < edges.degrees.size(); ++i)
                    for (std::uint32_t k = 0; k < edges.degrees[i]; ++k, ++next)
                        read.at(edges.first + i).emplace_back(edges.targets[next], edges.transitions[next]);
            };
            std::vector<std::uint64_t> marks;
            reader.read(0, ledger->states(), [&](const Edges& edges) {
                take(edges);
                marks.insert(marks.end(), edges.marks.begin(), edges.marks.end());
            });
            ASSERT_EQ(read, meant.edges);
            ASSERT_EQ(marks, meant.marks);
            read.assign(read.size(), {});
            std::vector<std::pair<std::uint64_t, std::uint64_t>> order;  // key, state
            reader.read_backwards([&](support::UInt128 key, const Edges& edges) {
                for (std::size_t i = 0; i < edges.degrees.size(); ++i)
                    order.emplace_back(static_cast<std::uint64_t>(key), edges.first + i);
                take(edges);
            });
            ASSERT_EQ(read, meant.edges);
            std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
            for (auto keys = meant.keys.rbegin(); keys != meant.keys.rend(); ++keys)
                for (const std::uint64_t state : keys->second) expected.emplace_back(keys->first, state);
            ASSERT_EQ(order, expected);
        }
    }
}

// Half a million layers of one state each in one frame: adding up the degrees before each would take a hundred billion
// additions.
TEST(EdgeReader, TinyLayersDoNotCostAFrameEach) {
    constexpr std::uint64_t kStates = 500'000;
    const sample::TemporaryDirectory place;
    LedgerSettings settings;
    settings.files = std::make_shared<sample::UnsyncedFiles>();
    settings.frame_bytes = std::uint64_t{64} << 20U;
    const auto ledger = LedgerWriter::create(place / "ledger", header_with_edges(), settings);
    for (std::uint64_t i = 0; i < kStates; ++i) {
        append_states(*ledger, i, 1);
        const auto degree = static_cast<std::uint32_t>(i % 3);
        const std::uint64_t targets[2] = {i / 2, i};
        const std::uint64_t transitions[2] = {i % 7, 3};
        ledger->append_edges({&degree, 1}, {targets, degree}, {transitions, degree});
    }
    const auto read_all = [&](LedgerContents& contents) {
        EdgeReader reader(contents);
        std::uint64_t expected = kStates;
        const std::clock_t start = std::clock();
        reader.read_backwards([&](support::UInt128 key, const Edges& edges) {
            const std::uint64_t i = --expected;
            ASSERT_EQ(static_cast<std::uint64_t>(key), i);
            ASSERT_EQ(edges.degrees.size(), 1U);
            ASSERT_EQ(edges.targets.size(), i % 3);
            const std::uint64_t targets[2] = {i / 2, i};
            ASSERT_TRUE(std::equal(edges.targets.begin(), edges.targets.end(), targets));
        });
        EXPECT_EQ(expected, 0U);
        EXPECT_LT(std::clock() - start, 20 * CLOCKS_PER_SEC);
    };
    read_all(*ledger);  // not in a frame yet
    ledger->commit("done");
    ledger->wait();
    read_all(*ledger);
}

TEST(EdgeReader, RefusesWhatItCannotRead) {
    const sample::TemporaryDirectory place;
    const auto fault_of = [&](const std::string& name, const std::function<void(LedgerWriter&)>& fill,
                              LedgerHeader header) {
        const auto ledger = LedgerWriter::create(place / name, std::move(header), sample::small_settings());
        fill(*ledger);
        try {
            EdgeReader reader(*ledger);
        } catch (const LedgerError& error) {
            return std::string(to_string(error.kind()));
        }
        return std::string("none");
    };
    const std::uint32_t degree = 1;
    const std::uint64_t zero = 0;
    const std::uint64_t one = 1;
    const auto with_one_state = [&](LedgerWriter& ledger) {
        append_states(ledger, 0, 1);
        ledger.append_edges({&degree, 1}, {&zero, 1}, {&zero, 1});
    };
    EXPECT_EQ(fault_of("good", with_one_state, header_with_edges()), "none");
    LedgerHeader without;
    without.state_bytes = 4;
    EXPECT_EQ(fault_of("without", [](LedgerWriter& ledger) { append_states(ledger, 0, 1); }, without), "missing");
    EXPECT_EQ(
        fault_of("few", [](LedgerWriter& ledger) { append_states(ledger, 0, 1); }, header_with_edges()), "damaged");
    const auto with_number = [&](const std::uint64_t& temporary, const std::uint64_t& number) {
        return [&](LedgerWriter& ledger) {
            with_one_state(ledger);
            ledger.append_numbers({&temporary, 1}, {&number, 1});
        };
    };
    EXPECT_EQ(fault_of("far", with_number(zero, one), header_with_edges()), "damaged");
}

}  // namespace
}  // namespace tideline::ledger
