#include "store/hash_filter.hpp"

#include <gtest/gtest.h>

#include "successor/hash.hpp"

namespace tideline::store {
namespace {

std::uint64_t hash_of(successor::Word number) { return successor::hash_state(&number, 1); }

TEST(HashFilter, ContainsWhatWasAddedAndLittleElse) {
    HashFilter filter;
    for (const std::uint64_t count : {1U, 7U, 100U, 100000U}) {
        filter.reset(count);
        for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_FALSE(filter.may_contain(hash_of(i)));
        for (std::uint64_t i = 0; i < count; ++i) filter.add(hash_of(i));
        for (std::uint64_t i = 0; i < count; ++i) ASSERT_TRUE(filter.may_contain(hash_of(i)));
        std::uint64_t others = 0;
        for (std::uint64_t i = 0; i < 10000; ++i) others += filter.may_contain(hash_of(1000000 + i));
        EXPECT_LT(others, 1000U) << count;
    }
    EXPECT_TRUE(filter.may_contain(hash_of(5)));
    filter.fill();
    for (std::uint64_t i = 0; i < 10000; ++i) ASSERT_TRUE(filter.may_contain(hash_of(1000000 + i)));
}

}  // namespace
}  // namespace tideline::store
