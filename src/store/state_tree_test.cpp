#include "store/state_tree.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

using State = std::vector<successor::Word>;

class StateTreeTest : public testing::Test {
protected:
    static std::size_t words(std::size_t bytes) { return (bytes + 7) / 8; }

    // Each byte takes `variety` values.
    State random_state(std::size_t bytes, unsigned variety) {
        State state(words(bytes));
        for (std::size_t i = 0; i < bytes; ++i) state[i / 8] |= successor::Word{random_() % variety} << (i % 8 * 8);
        return state;
    }

    std::mt19937_64 random_{1};
};

TEST_F(StateTreeTest, StatesOfAnySizeComeBackFromTheirRoots) {
    for (std::size_t bytes = 1; bytes <= 130; ++bytes) {
        for (const unsigned variety : {2U, 256U}) {
            State sample;
            for (int i = 0; i < 20; ++i) {
                const State state = random_state(bytes, variety);
                sample.insert(sample.end(), state.begin(), state.end());
            }
            StateTree tree(words(bytes), bytes, sample);
            std::map<State, StateTree::Root> roots;
            EXPECT_FALSE(tree.find(sample.data())) << "the sample is not folded";
            for (int batch = 0; batch < 20; ++batch) {
                const std::size_t count = 1 + random_() % StateTree::kBatch;
                State states;
                for (std::size_t i = 0; i < count; ++i) {
                    const State state = random_state(bytes, variety);
                    states.insert(states.end(), state.begin(), state.end());
                }
                StateTree::Root folded[StateTree::kBatch];
                tree.fold(states.data(), count, folded);
                for (std::size_t i = 0; i < count; ++i) {
                    const State state(states.begin() + static_cast<std::ptrdiff_t>(i * words(bytes)),
                                      states.begin() + static_cast<std::ptrdiff_t>((i + 1) * words(bytes)));
                    ASSERT_EQ(roots.try_emplace(state, folded[i]).first->second, folded[i]);
                }
            }
            std::map<StateTree::Root, State> inverse;
            for (const auto& [state, root] : roots) {
                ASSERT_TRUE(inverse.try_emplace(root, state).second) << "two states with one root";
                ASSERT_EQ(tree.find(state.data()), root);
                State back(words(bytes), ~successor::Word{0});
                tree.unfold(root, back.data());
                ASSERT_EQ(back, state);
            }
        }
    }
}

TEST_F(StateTreeTest, CutsSoThatPartsTakeFewValues) {
    // All that changes is in the first eight bytes, in two independent halves of 300 values: a cut in the middle of the
    // state would make 90,000 values left.
    constexpr std::size_t kWords = 8;
    const auto state_of = [](std::uint64_t i) {
        State state(kWords, 7);
        state[0] = (i / 300 * 977) << 32U | (i % 300) * 1009;
        return state;
    };
    State sample;
    for (int i = 0; i < 2000; ++i) {
        const State state = state_of(random_() % 90000);
        sample.insert(sample.end(), state.begin(), state.end());
    }
    StateTree tree(kWords, kWords * sizeof(successor::Word), sample);
    const std::uint64_t before = tree.bytes();
    StateTree::Root root = 0;
    for (std::uint64_t i = 0; i < 90000; ++i) tree.fold(state_of(i).data(), 1, &root);
    EXPECT_LE(tree.bytes() - before, 300 * 2 * 20 + 2000);
}

}  // namespace
}  // namespace tideline::store
