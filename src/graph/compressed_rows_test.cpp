#include "graph/compressed_rows.hpp"

#include <new>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "graph/sample_stream.hpp"

namespace tideline::graph {
namespace {

using Row = std::vector<SampleEdge>;

void append(CompressedRows& rows, const Row& row) {
    std::vector<std::uint64_t> targets;
    std::vector<model::TransitionId> transitions;
    std::vector<model::Marks> marks;
    for (const SampleEdge& edge : row) {
        targets.push_back(edge.target);
        transitions.push_back(edge.transition);
        marks.push_back(edge.marks);
    }
    rows.append(targets, transitions, marks);
}

Row read(const CompressedRows& rows, std::uint64_t source) {
    Row row;
    CompressedRows::Cursor cursor = rows.row(source);
    for (CompressedRows::Edge edge; rows.next(cursor, edge);) row.push_back({edge.target, edge.transition, edge.marks});
    return row;
}

// Rows with every form of a target: new, itself, the one before, near, and far away in both directions.
std::vector<Row> random_rows(std::uint64_t seed, std::size_t count, std::uint64_t initial) {
    std::mt19937_64 random(seed);
    std::vector<Row> rows(count);
    std::uint64_t next_new = initial;
    for (std::uint64_t source = 0; source < count; ++source) {
        const std::size_t degree = random() % 40 == 0 ? random() % 300 : random() % 6;
        for (std::size_t i = 0; i < degree; ++i) {
            std::uint64_t target = random() % next_new;
            switch (random() % 4) {
                case 0: target = next_new; break;
                case 1: target = source; break;
                case 2:
                    if (!rows[source].empty()) target = rows[source].back().target;
                    break;
                default: break;
            }
            next_new += target == next_new;
            rows[source].push_back({target, static_cast<model::TransitionId>(random() % 50),
                                    random() % 3 == 0 ? model::Marks{random() % 8} : model::Marks{0}});
        }
        if (next_new <= source + 1) rows[source].push_back({next_new++, 0, 0});  // every source has a number
    }
    return rows;
}

CompressedRows compressed(const std::vector<Row>& all, std::uint64_t initial) {
    CompressedRows rows;
    rows.start(initial, nullptr);
    for (const Row& row : all) append(rows, row);
    rows.make_readable();
    return rows;
}

TEST(CompressedRows, EveryRowIsReadByItself) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        const std::uint64_t initial = 1 + seed % 3;
        const std::vector<Row> expected = random_rows(seed, 1 + seed * 17, initial);
        const CompressedRows rows = compressed(expected, initial);
        ASSERT_EQ(rows.rows(), expected.size());
        std::uint64_t edges = 0;
        for (std::uint64_t source = expected.size(); source-- > 0;) {
            ASSERT_EQ(read(rows, source), expected[source]) << source;
            edges += expected[source].size();
        }
        EXPECT_EQ(rows.edges(), edges);
    }
}

TEST(CompressedRows, AStateWithoutARowHasNoEdges) {
    const CompressedRows rows = compressed({{{1, 0, 0}, {2, 0, 0}}}, 1);
    EXPECT_EQ(rows.next_new(), 3U);
    for (const std::uint64_t source : {1U, 2U, 1000U}) EXPECT_TRUE(read(rows, source).empty());
}

TEST(CompressedRows, TargetsFarAwayAndUnusualStepsAreExact) {
    // More steps than have names, and targets whose difference needs up to five bytes.
    CompressedRows rows;
    constexpr std::uint64_t kInitial = std::uint64_t{1} << 39U;
    rows.start(kInitial, nullptr);
    std::vector<Row> expected;
    for (std::uint64_t source = 0; source < 100; ++source) {
        Row& row = expected.emplace_back();
        for (unsigned bits = 0; bits < 39; ++bits)
            row.push_back({(std::uint64_t{1} << bits) - source % 2,
                           static_cast<model::TransitionId>(1000 * source + 7 * bits),
                           model::Marks{1} << (bits + 25U)});
        append(rows, row);
    }
    rows.make_readable();
    for (std::uint64_t source = 0; source < expected.size(); ++source) ASSERT_EQ(read(rows, source), expected[source]);
}

TEST(CompressedRows, FindsTheEdgeThatDiscoversAState) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        const std::vector<Row> expected = random_rows(seed, 200, 2);
        const CompressedRows rows = compressed(expected, 2);
        std::uint64_t next_new = 2;
        for (std::uint64_t source = 0; source < expected.size(); ++source)
            for (std::uint64_t position = 0; position < expected[source].size(); ++position) {
                if (expected[source][position].target != next_new) continue;
                const CompressedRows::Discovery found = rows.discovery(next_new++);
                ASSERT_EQ(found.source, source);
                ASSERT_EQ(found.position, position);
            }
        EXPECT_EQ(rows.next_new(), next_new);
    }
}

TEST(CompressedRows, RowsCanBeAppendedAfterSomeWereRead) {
    const std::vector<Row> expected = random_rows(5, 300, 1);
    CompressedRows rows;
    rows.start(1, nullptr);
    for (std::uint64_t source = 0; source < expected.size(); ++source) {
        append(rows, expected[source]);
        if (source % 7 != 0) continue;
        rows.make_readable();
        for (std::uint64_t before = source / 2; before <= source; ++before)
            ASSERT_EQ(read(rows, before), expected[before]);
    }
    rows.make_readable();
    for (std::uint64_t source = 0; source < expected.size(); ++source) ASSERT_EQ(read(rows, source), expected[source]);
}

TEST(CompressedRows, WithoutMemoryTheRowsBeforeCanBeRead) {
    std::uint64_t left = 20'000;
    const store::MemoryBudget try_reserve = [&](std::uint64_t bytes) {
        if (bytes > left) return false;
        left -= bytes;
        return true;
    };
    const std::vector<Row> expected = random_rows(9, 20'000, 1);
    CompressedRows rows;
    rows.start(1, &try_reserve);
    EXPECT_THROW(for (const Row& row : expected) append(rows, row), std::bad_alloc);
    rows.keep_readable();
    ASSERT_GT(rows.rows(), 1000U);
    ASSERT_LT(rows.rows(), expected.size());
    std::uint64_t edges = 0;
    std::uint64_t bound = 1;
    for (std::uint64_t source = 0; source < rows.rows(); ++source) {
        ASSERT_EQ(read(rows, source), expected[source]) << source;
        edges += expected[source].size();
        for (const SampleEdge& edge : expected[source]) bound = std::max(bound, edge.target + 1);
    }
    EXPECT_EQ(rows.edges(), edges);
    EXPECT_EQ(rows.next_new(), bound);
}

}  // namespace
}  // namespace tideline::graph
