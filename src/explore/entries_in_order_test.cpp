#include "explore/entries_in_order.hpp"

#include <gtest/gtest.h>

namespace tideline::explore {
namespace {

TEST(EntriesInOrder, ComeInTheOrderOfTheBatchBehindWhatIsThere) {
    EntriesInOrder entries;
    entries.start(200);
    entries.add(std::vector<std::uint32_t>{190, 64});
    entries.add(std::vector<std::uint32_t>{});
    entries.add(std::vector<std::uint32_t>{63, 0, 65});
    std::vector<std::uint32_t> list{77};
    entries.append_to(list);
    EXPECT_EQ(list, (std::vector<std::uint32_t>{77, 0, 63, 64, 65, 190}));
}

TEST(EntriesInOrder, TheNextBatchBeginsWithNone) {
    EntriesInOrder entries;
    entries.start(64);
    entries.add(std::vector<std::uint32_t>{5});
    std::vector<std::uint32_t> list;
    entries.append_to(list);
    entries.start(10);
    entries.add(std::vector<std::uint32_t>{9, 1});
    entries.append_to(list);
    EXPECT_EQ(list, (std::vector<std::uint32_t>{5, 1, 9}));
}

}  // namespace
}  // namespace tideline::explore
