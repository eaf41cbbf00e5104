#include "successor/hash.hpp"

#include <bit>
#include <random>

#include <gtest/gtest.h>

namespace tideline::successor {
namespace {

TEST(Hash, TheFirstWordComesBackFromTheHashAndTheOthers) {
    std::mt19937_64 random(7);
    for (std::size_t words = 1; words <= 6; ++words) {
        for (int i = 0; i < 2000; ++i) {
            Word state[6];
            for (Word& word : state) word = i % 3 == 0 ? random() % 5 : random();
            const std::uint64_t hash = hash_state(state, words);
            const Word first = state[0];
            state[0] = 0;
            ASSERT_EQ(first_word(hash, state, words), first);
        }
    }
}

// A change of one bit anywhere changes half of the hash's bits, on average and roughly at every position.
TEST(Hash, EveryBitCounts) {
    std::mt19937_64 random(11);
    for (std::size_t words = 1; words <= 3; ++words) {
        for (std::size_t bit = 0; bit < words * 64; ++bit) {
            int changed = 0;
            for (int i = 0; i < 200; ++i) {
                Word state[3] = {random() % 1000, random() % 1000, random() % 1000};
                const std::uint64_t before = hash_state(state, words);
                state[bit / 64] ^= Word{1} << (bit % 64);
                changed += std::popcount(before ^ hash_state(state, words));
            }
            ASSERT_GT(changed, 200 * 24) << words << " words, bit " << bit;
            ASSERT_LT(changed, 200 * 40) << words << " words, bit " << bit;
        }
    }
}

}  // namespace
}  // namespace tideline::successor
