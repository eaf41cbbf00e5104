#include "explore/layer_numbers.hpp"

#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explore/sample_sweep.hpp"

namespace tideline::explore {
namespace {

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

// The fix-ups of a ledger.
Pairs fixups_of(ledger::LedgerWriter& writer) {
    Pairs pairs;
    writer.read(ledger::Stream::numbers, 0, writer.records(ledger::Stream::numbers),
                [&](const ledger::Records& records) {
                    for (std::size_t i = 0; i < records.count; ++i)
                        pairs.emplace_back(records.numbers[i], records.others[i]);
                });
    return pairs;
}

LayerNumbers::Position position_of(const LayerNumbers& numbers, successor::Word state) {
    return numbers.table.find(&state, successor::hash_state(&state, 1)).value();
}
bool reopen(LayerNumbers& numbers, successor::Word state, std::uint64_t id) {
    return numbers.reopen(&state, successor::hash_state(&state, 1), id);
}

TEST(LayerNumbers, NoTwoPartitionsGiveTheSameTemporaryId) {
    std::set<std::uint64_t> given;
    for (std::uint64_t partition = 0; partition < 3; ++partition) {
        TemporaryIds ids(100 + partition, 3);
        for (int i = 0; i < 50; ++i) EXPECT_TRUE(given.insert(ids.give()).second);
        EXPECT_EQ(ids.next(), 100 + partition + 150);
    }
    EXPECT_EQ(given.size(), 150U);
}

TEST(LayerNumbers, AnOpenStateHasATemporaryIdUntilItIsResolved) {
    sample::SampleLedger sample(Recorded::edges);
    LayerNumbers numbers(1, 2, sample::kUnlimited);
    ASSERT_TRUE(reopen(numbers, 5, 40));
    const LayerNumbers::Position position = position_of(numbers, 5);
    EXPECT_TRUE(numbers.is_temporary(position));
    EXPECT_EQ(numbers.temporary(position), 40U);
    ASSERT_EQ(numbers.positions.size(), 1U);
    EXPECT_EQ(numbers.positions[0], position);
    IdFixups fixups;
    numbers.resolve(position, 3, fixups);
    EXPECT_FALSE(numbers.is_temporary(position));
    EXPECT_EQ(numbers.table.payload(position), 3U);
    EXPECT_FALSE(fixups.empty());
    fixups.write(*sample.writer);
    EXPECT_TRUE(fixups.empty());
    fixups.write(*sample.writer);
    EXPECT_EQ(fixups_of(*sample.writer), (Pairs{{40, 3}})) << "a fix-up is written once";
}

TEST(LayerNumbers, EveryIdOfAStateThatWasDiscoveredAgainIsResolvedWhenTheLayerIsLeft) {
    sample::SampleLedger sample(Recorded::edges);
    LayerNumbers numbers(1, 2, sample::kUnlimited);
    EXPECT_TRUE(reopen(numbers, 5, 40));
    EXPECT_FALSE(reopen(numbers, 5, 41)) << "the same state under another id";
    EXPECT_FALSE(reopen(numbers, 5, 40)) << "the same state written twice";
    ASSERT_EQ(numbers.aliases.size(), 1U);
    EXPECT_EQ(numbers.positions.size(), 1U) << "it is open once";
    IdFixups fixups;
    numbers.resolve(position_of(numbers, 5), 3, fixups);
    numbers.resolve_aliases(fixups);
    fixups.write(*sample.writer);
    EXPECT_EQ(fixups_of(*sample.writer), (Pairs{{40, 3}, {41, 3}}));
}

}  // namespace
}  // namespace tideline::explore
