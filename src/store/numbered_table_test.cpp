#include "store/numbered_table.hpp"

#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "store/sample_states.hpp"

namespace tideline::store {
namespace {

using sample::always;
using sample::hash_of;
using sample::random_state;
using sample::State;
using Number = NumberedTable::Number;

NumberedTable::Insertion insert(NumberedTable& table, const State& state) {
    return table.insert(state.data(), hash_of(state));
}

TEST(NumberedTable, KeepsNumbersAndPayloadsOfStatesOfAnySize) {
    for (std::size_t bytes = 1; bytes <= 40; ++bytes) {
        for (std::size_t payload_bytes = 0; payload_bytes <= 8; ++payload_bytes) {
            SCOPED_TRACE(testing::Message() << bytes << " bytes, payload of " << payload_bytes);
            std::mt19937_64 random(bytes * 9 + payload_bytes);
            NumberedTable table((bytes + 7) / 8, bytes, always, {.payload_bytes = payload_bytes});
            struct Expected {
                Number number;
                std::uint64_t payload;
            };
            std::map<State, Expected> expected;
            const std::uint64_t mask = payload_bytes == 0 ? 0 : ~std::uint64_t{0} >> (64 - 8 * payload_bytes);
            for (int i = 0; i < 1500; ++i) {
                const State state = random_state(bytes, random() % 1000);
                table.prefetch(hash_of(state));
                table.prefetch_state(hash_of(state));
                const auto known = expected.find(state);
                const std::optional<Number> found = table.find(state.data(), hash_of(state));
                ASSERT_EQ(found.has_value(), known != expected.end());
                const NumberedTable::Insertion inserted = insert(table, state);
                ASSERT_EQ(inserted.is_new, known == expected.end());
                if (inserted.is_new) {
                    ASSERT_EQ(inserted.number, expected.size());
                    ASSERT_EQ(table.payload(inserted.number), 0U);
                } else {
                    ASSERT_EQ(inserted.number, *found);
                    ASSERT_EQ(inserted.number, known->second.number);
                    ASSERT_EQ(table.payload(inserted.number), known->second.payload);
                }
                const std::uint64_t payload = random() & mask;
                table.set_payload(inserted.number, payload);
                expected[state] = {inserted.number, payload};
            }
            ASSERT_EQ(table.size(), expected.size());
            State read((bytes + 7) / 8, ~Word{0});
            for (const auto& [state, entry] : expected) {
                table.read(entry.number, read.data());
                ASSERT_EQ(read, state);
                ASSERT_EQ(table.payload(entry.number), entry.payload);
            }
        }
    }
}

// Past the size at which the index is split into shards, with few and with many of them.
TEST(NumberedTable, FindsEveryStateOfALargeTable) {
    for (const unsigned split_bits : {1U, 6U}) {
        NumberedTable table(1, 8, always,
                            {.payload_bytes = 5,
                             .growth = split_bits == 1 ? NumberedTable::kFast : NumberedTable::kSmall,
                             .split_bits = split_bits});
        constexpr Number kCount = 1'000'000;
        const auto state_of = [](Number number) { return State{number * 0x9E3779B97F4A7C15U}; };
        for (Number i = 0; i < kCount; ++i) {
            const NumberedTable::Insertion inserted = insert(table, state_of(i));
            ASSERT_TRUE(inserted.is_new);
            ASSERT_EQ(inserted.number, i);
            table.set_payload(i, i + 1);
        }
        for (Number i = 0; i < kCount; ++i) {
            const State state = state_of(i);
            ASSERT_EQ(table.find(state.data(), hash_of(state)), i);
            ASSERT_EQ(table.payload(i), i + 1);
            const State other = state_of(kCount + i);
            ASSERT_FALSE(table.find(other.data(), hash_of(other)));
        }
    }
}

// Two states whose tags are equal are told apart, and the tag of a hash whose bits are all 0 is no free entry.
TEST(NumberedTable, TellsStatesApartThatTheIndexDoesNot) {
    for (const std::uint64_t upper : {std::uint64_t{77} << 40U, std::uint64_t{0}, ~std::uint64_t{0} << 40U}) {
        NumberedTable table(1, 8, always);
        for (Word word = 0; word < 300; ++word) EXPECT_EQ(table.insert(&word, upper + word).number, word);
        for (Word word = 0; word < 300; ++word) EXPECT_EQ(table.find(&word, upper + word), word);
        const Word other = 300;
        EXPECT_FALSE(table.find(&other, upper + other));
    }
}

struct Batch {
    std::vector<State> states;
    [[nodiscard]] const Word* state(std::size_t i) const { return states[i].data(); }
    [[nodiscard]] std::uint64_t hash(std::size_t i) const { return hash_of(states[i]); }
};

TEST(NumberedTable, ABatchIsInsertedAsItsStatesOneByOne) {
    NumberedTable one_by_one(3, 20, always);
    NumberedTable in_batches(3, 20, always);
    std::mt19937_64 random(3);
    for (int round = 0; round < 50; ++round) {
        Batch batch;
        std::vector<std::size_t> picked;
        const std::size_t count = random() % 400;
        for (std::size_t i = 0; i < count; ++i) {
            batch.states.push_back(random_state(20, random() % 3000));
            if (random() % 3 != 0) picked.push_back(i);
        }
        const auto pick = [&](std::size_t j) { return picked[j]; };
        in_batches.prefetch_batch(batch, picked.size(), pick);
        std::size_t next = 0;
        in_batches.insert_batch(batch, picked.size(), pick, [&](std::size_t i, NumberedTable::Insertion inserted) {
            ASSERT_EQ(i, picked[next++]);
            const NumberedTable::Insertion expected = insert(one_by_one, batch.states[i]);
            ASSERT_EQ(inserted.number, expected.number);
            ASSERT_EQ(inserted.is_new, expected.is_new);
        });
        ASSERT_EQ(next, picked.size());
    }
    EXPECT_GT(in_batches.size(), 1000U);
}

// From small records to large ones and back, before and after the index is split.
TEST(NumberedTable, NumbersAndPayloadsStayWhenStatesAreRepacked) {
    for (const Number count : {Number{0}, Number{1}, Number{20'000}, Number{400'000}}) {
        SCOPED_TRACE(count);
        NumberedTable table(1, 4, always, {.payload_bytes = 5});
        for (Number i = 0; i < count; ++i) {
            ASSERT_TRUE(insert(table, {i * 7}).is_new);
            table.set_payload(i, i * 3);
        }
        const auto expect_all = [&](const auto& state_of) {
            State read(table.state_words());
            for (Number i = 0; i < count; ++i) {
                table.read(i, read.data());
                ASSERT_EQ(read, state_of(i));
                ASSERT_EQ(table.payload(i), i * 3);
                ASSERT_FALSE(insert(table, read).is_new);
                ASSERT_EQ(insert(table, read).number, i);
            }
        };
        table.repack(3, 20, [](const Word* from, Word* to) {
            to[0] = 5;
            to[1] = from[0];
            to[2] = from[0] % 3;
        });
        expect_all([](Number i) { return State{5, i * 7, i * 7 % 3}; });
        table.repack(2, 9, [](const Word* from, Word* to) {
            to[0] = from[1];
            to[1] = 1;
        });
        expect_all([](Number i) { return State{i * 7, 1}; });
        EXPECT_EQ(insert(table, {1, 2}).number, count);
        EXPECT_EQ(table.payload(count), 0U);
    }
}

TEST(NumberedTable, VisitsItsStatesInTheOrderOfTheirNumbers) {
    NumberedTable table(2, 11, always);
    std::vector<State> states;
    for (std::uint64_t i = 0; i < 500; ++i) states.push_back(random_state(11, i));
    for (const State& state : states) ASSERT_TRUE(insert(table, state).is_new);
    Number next = 0;
    table.for_each([&](Number number, const Word* state) {
        ASSERT_EQ(number, next++);
        ASSERT_EQ(State(state, state + 2), states[number]);
    });
    EXPECT_EQ(next, states.size());
}

TEST(NumberedTable, StatesThatAreKnownToDifferAreInsertedWithoutProbing) {
    NumberedTable table(2, 12, always);
    constexpr Number kCount = 300'000;
    std::vector<Word> states;
    for (Number i = 0; i < kCount; ++i) states.insert(states.end(), {i * i, i});
    table.reserve(kCount / 2);
    table.insert_distinct(states.data(), kCount);
    EXPECT_EQ(table.size(), kCount);
    for (Number i = 0; i < kCount; ++i) ASSERT_EQ(insert(table, {i * i, i}).number, i);
}

TEST(NumberedTable, StaysAsItWasWhereItMayNotGrow) {
    std::uint64_t left = std::uint64_t{4} << 20U;
    const MemoryBudget limited = [&](std::uint64_t bytes) {
        if (bytes > left) return false;
        left -= bytes;
        return true;
    };
    NumberedTable table(2, 16, limited, {.payload_bytes = 8});
    std::uint64_t inserted = 0;
    const auto fill = [&] {
        for (;; ++inserted) (void)insert(table, random_state(16, inserted));
    };
    EXPECT_THROW(fill(), std::bad_alloc);
    EXPECT_GT(inserted, 50'000U);
    EXPECT_EQ(table.size(), inserted);
    EXPECT_THROW(fill(), std::bad_alloc);
    EXPECT_EQ(table.size(), inserted);
    for (std::uint64_t i = 0; i < inserted; ++i) {
        const State state = random_state(16, i);
        ASSERT_EQ(table.find(state.data(), hash_of(state)), i);
    }
    left = std::uint64_t{4} << 20U;
    const std::uint64_t before = inserted;
    EXPECT_THROW(fill(), std::bad_alloc);
    EXPECT_GT(inserted, before);
    EXPECT_EQ(table.size(), inserted);
}

TEST(NumberedTable, StaysAsItWasWhereRepackedStatesDoNotFit) {
    bool is_allowed = true;
    const MemoryBudget budget = [&](std::uint64_t) { return is_allowed; };
    NumberedTable table(1, 8, budget, {.payload_bytes = 2});
    constexpr Number kCount = 50'000;
    for (Number i = 0; i < kCount; ++i) (void)insert(table, {i});
    is_allowed = false;
    const successor::Repacking wider = [](const Word* from, Word* to) {
        to[0] = from[0];
        to[1] = 9;
    };
    EXPECT_THROW(table.repack(2, 10, wider), std::bad_alloc);
    EXPECT_EQ(table.state_bytes(), 8U);
    for (Number i = 0; i < kCount; ++i) ASSERT_EQ(insert(table, {i}).number, i);
    is_allowed = true;
    table.repack(2, 10, wider);
    for (Number i = 0; i < kCount; ++i) ASSERT_EQ(insert(table, {i, 9}).number, i);
}

TEST(NumberedTable, EndsWithItsNumbers) {
    constexpr Number kMost = 1000;
    NumberedTable table(1, 8, always, {.payload_bytes = 4, .most_states = kMost});
    for (Number i = 0; i < kMost; ++i) ASSERT_EQ(insert(table, {i}).number, i);
    EXPECT_THROW((void)insert(table, {kMost}), std::bad_alloc);
    const Word one_more = kMost;
    EXPECT_THROW(table.insert_distinct(&one_more, 1), std::bad_alloc);
    EXPECT_EQ(table.size(), kMost);
    EXPECT_FALSE(table.find(&one_more, hash_of({one_more})));
    for (Number i = 0; i < kMost; ++i) ASSERT_EQ(insert(table, {i}).number, i);
    table.repack(1, 7, [](const Word* from, Word* to) { to[0] = from[0]; });
    EXPECT_THROW((void)insert(table, {kMost}), std::bad_alloc);
}

// Number 2^32 - 1 is written as 2^32, whose lower half is 0.
TEST(NumberedBucket, HoldsNumbersOfFortyBits) {
    const Number numbers[] = {0,
                              (Number{1} << 32U) - 2,
                              (Number{1} << 32U) - 1,
                              Number{1} << 32U,
                              (Number{1} << 33U) - 1,
                              Number{1} << 39U,
                              NumberedTable::kMostStates - 1,
                              NumberedTable::kMostStates};
    alignas(kBucketBytes) std::byte bucket[kBucketBytes] = {};
    const auto hash_for = [](std::size_t i) { return (std::uint64_t{i % 3} << 40U) + (std::uint64_t{i} << 60U); };
    for (std::size_t i = 0; i < NumberedBucket::kEntries; ++i) {
        EXPECT_FALSE(NumberedBucket::is_full(bucket));
        EXPECT_EQ(NumberedBucket::first_free(bucket), i);
        NumberedBucket::write(bucket, i, NumberedBucket::tag(hash_for(i), 0) | (numbers[i] + 1), 0);
    }
    EXPECT_TRUE(NumberedBucket::is_full(bucket));
    for (std::size_t i = 0; i < NumberedBucket::kEntries; ++i) {
        EXPECT_EQ(NumberedBucket::number(bucket, i), numbers[i]);
        EXPECT_EQ(NumberedBucket::matches(bucket, NumberedBucket::tag(hash_for(i), 0)), 1U << i);
        EXPECT_EQ(NumberedBucket::entry(bucket, i), NumberedBucket::tag(hash_for(i), 0) | (numbers[i] + 1));
    }
    EXPECT_EQ(NumberedBucket::matches(bucket, NumberedBucket::tag(std::uint64_t{99} << 40U, 0)), 0U);
}

}  // namespace
}  // namespace tideline::store
