// That searches have sleep sets where they are wanted, and none otherwise; the figures are the same.
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explore/search.hpp"
#include "model/example_models.hpp"
#include "successor/interpret/interpreted_system.hpp"

namespace tideline::explore {
namespace {

using namespace model::examples;

// Sees whether what it expands has sleep sets.
class SpyingExpander final : public successor::Expander {
public:
    SpyingExpander(std::unique_ptr<successor::Expander> spied, std::atomic<bool>& sleeps)
        : spied_(std::move(spied)), sleeps_(sleeps) {}
    successor::Expansion expand(const successor::Word* states, std::size_t count, successor::Cursor& cursor,
                                successor::SuccessorBatch& out) override {
        if (out.sources_asleep() != nullptr) sleeps_ = true;
        return spied_->expand(states, count, cursor, out);
    }
    void labels(const successor::Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        spied_->labels(state, bits, faults);
    }
    std::optional<successor::Key> key(const successor::Word* state) override { return spied_->key(state); }

private:
    std::unique_ptr<successor::Expander> spied_;
    std::atomic<bool>& sleeps_;
};

class SpyingSystem final : public successor::System {
public:
    SpyingSystem(std::shared_ptr<const successor::System> spied, std::atomic<bool>& sleeps)
        : spied_(std::move(spied)), sleeps_(sleeps) {}
    [[nodiscard]] std::size_t state_words() const override { return spied_->state_words(); }
    [[nodiscard]] std::size_t state_bytes() const override { return spied_->state_bytes(); }
    [[nodiscard]] std::vector<std::vector<successor::Word>> initial_states() const override {
        return spied_->initial_states();
    }
    [[nodiscard]] std::unique_ptr<successor::Expander> expander() const override {
        return std::make_unique<SpyingExpander>(spied_->expander(), sleeps_);
    }
    [[nodiscard]] std::size_t label_count() const override { return spied_->label_count(); }
    [[nodiscard]] std::vector<model::Value> key_values(successor::Key key) const override {
        return spied_->key_values(key);
    }
    [[nodiscard]] const successor::Commuting* commuting() const override { return spied_->commuting(); }
    [[nodiscard]] std::unique_ptr<successor::System> with_wider_fields(
        const successor::Expander& /*stopped*/) const override {
        return nullptr;
    }
    [[nodiscard]] successor::Repacking repacking(const successor::System& older) const override {
        return spied_->repacking(older);
    }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return spied_->slot_names(); }
    [[nodiscard]] std::vector<model::Value> decode(const successor::Word* state) const override {
        return spied_->decode(state);
    }
    [[nodiscard]] std::string value_text(model::SlotId slot, model::Value value) const override {
        return spied_->value_text(slot, value);
    }
    [[nodiscard]] std::vector<successor::StepDetail> steps(const successor::Word* state) const override {
        return spied_->steps(state);
    }

private:
    std::shared_ptr<const successor::System> spied_;
    std::atomic<bool>& sleeps_;
};

class LastDeadlock final : public SearchObserver {
public:
    bool deadlock(SearchView& /*search*/, const StateRef& state) override {
        number = state.number;
        return true;
    }
    std::uint64_t number = 0;
};

TEST(SleepSets, AreUsedUnlessTheyAreTurnedOff) {
    const model::Model model = two_counters(20);
    const std::shared_ptr<const successor::System> system = successor::make_interpreted_system(
        std::make_shared<const model::Model>(model), {}, successor::Layout::declared(model));
    ASSERT_NE(system->commuting(), nullptr);
    for (const WalkOrder order : {WalkOrder::breadth_first, WalkOrder::sweep}) {
        for (const unsigned threads : {1U, 2U}) {
            for (const bool wanted : {true, false}) {
                std::atomic<bool> sleeps = false;
                SearchSettings settings;
                settings.threads = threads;
                settings.sleep = wanted;
                LastDeadlock observer;
                const SearchResult result =
                    search(std::make_shared<SpyingSystem>(system, sleeps), order, settings, observer);
                EXPECT_EQ(sleeps, wanted);
                EXPECT_EQ(result.statistics.states, 21U * 21U);
                EXPECT_EQ(result.statistics.transitions, 2U * 20U * 21U);
                if (!result.paths) continue;
                // The log of discoveries counts what was awake.
                const std::optional<PackedPath> path = result.paths->path_to(observer.number, {});
                ASSERT_TRUE(path);
                EXPECT_EQ(path->size(), 41U);
                EXPECT_EQ(system->decode(path->state(40)), (std::vector<model::Value>{20, 20}));
            }
        }
    }
}

}  // namespace
}  // namespace tideline::explore
