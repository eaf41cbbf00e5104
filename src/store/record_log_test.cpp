#include "store/record_log.hpp"

#include <deque>
#include <random>

#include <gtest/gtest.h>

namespace tideline::store {
namespace {

struct Expected {
    std::vector<std::byte> state;
    std::uint64_t parent;
    model::TransitionId transition;
};

class RecordLogTest : public testing::TestWithParam<std::size_t> {
protected:
    RecordLogTest() : log_(GetParam()) {}

    void push() {
        Expected record{std::vector<std::byte>(GetParam()),
                        random_() % 5 == 0 ? RecordLog::kNoParent : random_() >> 17U,
                        static_cast<model::TransitionId>(random_())};
        for (std::byte& each : record.state) each = static_cast<std::byte>(random_());
        log_.push(record.state.data(), record.parent, record.transition);
        expected_.push_back(record);
    }
    static void expect_equal(const RecordLog::Record& record, const Expected& expected) {
        ASSERT_EQ(std::vector<std::byte>(record.state, record.state + expected.state.size()), expected.state);
        ASSERT_EQ(record.parent, expected.parent);
        ASSERT_EQ(record.transition, expected.transition);
    }

    RecordLog log_;
    std::deque<Expected> expected_;
    std::uint64_t popped_ = 0;
    std::mt19937_64 random_{11};
};

INSTANTIATE_TEST_SUITE_P(Bytes, RecordLogTest, testing::Values(1, 5, 8, 13, 100));

TEST_P(RecordLogTest, GivesRecordsInTheOrderInWhichTheyCame) {
    for (int round = 0; round < 1000; ++round) {
        for (std::uint64_t i = random_() % 40; i > 0; --i) push();
        for (std::uint64_t i = random_() % 35; i > 0 && log_.size() > 0; --i, ++popped_) {
            expect_equal(log_.pop(), expected_.front());
            expected_.pop_front();
        }
        ASSERT_EQ(log_.size(), expected_.size());
        ASSERT_EQ(log_.begin(), popped_);
        ASSERT_EQ(log_.end(), popped_ + expected_.size());
    }
    for (; log_.size() > 0; expected_.pop_front()) expect_equal(log_.pop(), expected_.front());
    push();
    expect_equal(log_.pop(), expected_.front());
}

TEST_P(RecordLogTest, VisitsItsRecordsFromAPositionOn) {
    for (int round = 0; round < 100; ++round) {
        for (std::uint64_t i = random_() % 60; i > 0; --i) push();
        for (std::uint64_t i = random_() % 50; i > 0 && log_.size() > 0; --i) {
            (void)log_.pop();
            expected_.pop_front();
        }
        const std::uint64_t from = log_.begin() + (expected_.empty() ? 0 : random_() % (expected_.size() + 1));
        std::uint64_t at = from;
        log_.for_each_from(
            from, [&](const RecordLog::Record& record) { expect_equal(record, expected_[at++ - log_.begin()]); });
        ASSERT_EQ(at, log_.end());
        ASSERT_EQ(log_.size(), expected_.size()) << "nothing is read";
    }
}

}  // namespace
}  // namespace tideline::store
