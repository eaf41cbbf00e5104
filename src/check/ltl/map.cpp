#include "check/ltl/map.hpp"

#include "check/ltl/evidence_by_search.hpp"
#include "check/ltl/product_search.hpp"
#include "store/numbered_table.hpp"

namespace tideline::check::ltl {
namespace {

using store::NumberedTable;
using Number = NumberedTable::Number;

class Map final : public ProductSearch {
public:
    explicit Map(const EmptinessTask& task)
        : ProductSearch(task),
          states_(system()->state_words(), system()->state_bytes(), memory_budget(),
                  {.payload_bytes = 6, .growth = NumberedTable::kFast}) {
        words_.resize(system()->state_words());
    }

    using ProductSearch::run;

    [[nodiscard]] const NumberedTable& states() const { return states_; }
    [[nodiscard]] bool is_expanded(Number state) const { return (states_.payload(state) & kExpanded) != 0; }
    [[nodiscard]] std::optional<Number> cycle_state() const {
        return reason() == support::StopReason::violation ? std::optional(seed_) : std::nullopt;
    }

private:
    // What is kept of a state: its map, as number + 1, 0: none; then flags.
    static constexpr std::uint64_t kMapMask = (std::uint64_t{1} << NumberedTable::kNumberBits) - 1;
    static constexpr std::uint64_t kExpanded = kMapMask + 1;
    static constexpr std::uint64_t kAccepting = kExpanded << 1U;  // and not removed
    static constexpr std::uint64_t kWaiting = kExpanded << 2U;
    static constexpr std::uint64_t kRemoved = kExpanded << 3U;  // at the end of this search

    void search() override {
        for (const std::vector<Word>& state : system()->initial_states()) {
            const NumberedTable::Insertion initial =
                states_.insert(state.data(), successor::hash_state(state.data(), state.size()));
            if (initial.is_new) wait(initial.number, states_.payload(initial.number));
        }
        do propagate();
        while (is_running() && remove_propagated());
    }

    void wait(Number state, std::uint64_t payload) {
        states_.set_payload(state, payload | kWaiting);
        queue_.push_back(state);
    }

    void propagate() {
        for (std::size_t next = 0; next < queue_.size() && is_running(); ++next) {
            visit(queue_[next]);
            // What has been visited is dropped when it is half of the queue.
            constexpr std::size_t kNoticeable = 1U << 16U;
            if (next < kNoticeable || next < queue_.size() / 2) continue;
            queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(next + 1));
            next = static_cast<std::size_t>(-1);
        }
        queue_.clear();
    }

    void visit(Number state) {
        const std::uint64_t payload = states_.payload(state);
        const bool is_first = (payload & kExpanded) == 0;
        states_.set_payload(state, (payload & ~kWaiting) | kExpanded);
        states_.read(state, words_.data());
        bool is_known = !is_first;  // whether it is accepting
        std::uint64_t passed = passed_on(state, payload);
        expand(
            words_.data(), is_first, [&](std::uint64_t hash) { states_.prefetch(hash); },
            [&](const successor::SuccessorBatch& batch, std::size_t i) {
                if (!is_known) {
                    is_known = true;
                    if (is_accepting(batch.marks(i))) {
                        states_.set_payload(state, states_.payload(state) | kAccepting);
                        passed = std::max(passed, state + 1);
                    }
                }
                take(states_.insert(batch.state(i), batch.hash(i)), passed);
            });
    }

    static std::uint64_t passed_on(Number state, std::uint64_t payload) {
        return std::max((payload & kAccepting) != 0 ? state + 1 : 0, payload & kMapMask);
    }

    void take(NumberedTable::Insertion target, std::uint64_t passed) {
        if (passed == target.number + 1) {
            seed_ = target.number;
            stop(support::StopReason::violation);
        }
        const std::uint64_t payload = states_.payload(target.number);
        if (!target.is_new && passed <= (payload & kMapMask)) return;
        const std::uint64_t changed = (payload & ~kMapMask) | passed;
        if ((payload & kWaiting) == 0) wait(target.number, changed);
        else states_.set_payload(target.number, changed);
    }

    // Leaves the accepting states that may still lie on a cycle, all waiting. False: there are none.
    bool remove_propagated() {
        constexpr Number kStatesPerCheck = 1U << 16U;
        for (Number state = 0; state < states_.size() && is_running(); ++state) {
            if (const std::uint64_t map = states_.payload(state) & kMapMask; map != 0)
                states_.set_payload(map - 1, states_.payload(map - 1) | kRemoved);
            if (state % kStatesPerCheck == 0) look_at_limits();
        }
        for (Number state = 0; state < states_.size() && is_running(); ++state) {
            std::uint64_t payload = states_.payload(state);
            const bool has_predecessor = (payload & kMapMask) != 0;
            if ((payload & kRemoved) != 0 || !has_predecessor) payload &= ~kAccepting;
            payload &= ~(kMapMask | kRemoved);
            if ((payload & kAccepting) != 0) wait(state, payload);
            else states_.set_payload(state, payload);
            if (state % kStatesPerCheck == 0) look_at_limits();
        }
        return is_running() && !queue_.empty();
    }

    void repack(const successor::System& wider, const successor::Repacking& translate) override {
        states_.repack(wider.state_words(), wider.state_bytes(), translate);
        words_.resize(wider.state_words());
    }

    void count(explore::Statistics& statistics) const override {
        statistics.states = statistics.peak_states = states_.size();
        statistics.layers = 1;
    }

    NumberedTable states_;
    std::vector<Number> queue_;
    std::vector<Word> words_;
    Number seed_ = 0;
};

}  // namespace

EmptinessResult map(const EmptinessTask& task) { return result_of_search(task, std::make_shared<Map>(task)); }

}  // namespace tideline::check::ltl
