#include "reduce/stubborn_sets.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "model/evaluate.hpp"

namespace tideline::reduce {

StubbornSets::StubbornSets(std::shared_ptr<const Relations> relations, Preserved preserved)
    : relations_(std::move(relations)), preserved_(preserved) {
    const std::size_t words = relations_->visible.stride();
    for (Bits* bits : {&enabled_, &set_, &open_, &best_}) bits->assign(words, 0);
    const model::Model& model = *relations_->model;
    missing_.resize(relations_->count);
    values_.resize(model.slot_count());
    std::size_t depth = 1;
    for (const model::Transition& transition : model.transitions)
        for (const model::Expression& guard : transition.guards) depth = std::max(depth, guard.stack_depth() + 1);
    stack_.resize(depth);
}

bool StubbornSets::choose(const successor::Layout& layout, const std::uint64_t* state,
                          const std::vector<model::TransitionId>& enabled) {
    if (enabled.size() < 2) return false;
    std::fill(enabled_.begin(), enabled_.end(), 0);
    std::size_t count = 0;
    for (const model::TransitionId t : enabled) {
        if (contains(enabled_, t)) continue;
        enabled_[t / 64] |= std::uint64_t{1} << (t % 64);
        ++count;
    }
    if (count < 2) return false;
    // Where only timeouts are possible.
    if (relations_->has_low && relations_->low[enabled.front()]) return false;
    is_unpacked_ = false;
    if (++state_ == 0) {
        missing_.assign(missing_.size(), {0, 0});
        state_ = 1;
    }
    const bool is_branching = preserved_ == Preserved::branching;
    std::size_t least = is_branching ? 2 : count;
    bool found = false;
    for (std::size_t i = 0; i < enabled.size(); ++i) {
        const model::TransitionId t = enabled[i];
        const bool is_again = i > 0 && enabled[i - 1] == t;
        if (is_again) continue;
        const bool has_outcomes = i + 1 < enabled.size() && enabled[i + 1] == t;
        if (is_branching && (!relations_->lone[t] || has_outcomes)) continue;
        const std::size_t size = close(t, least, layout, state);
        if (size >= least || (preserved_ == Preserved::linear && !keeps_invisible())) continue;
        least = size;
        best_ = set_;
        found = true;
        if (least == 1) break;
    }
    return found;
}

const std::uint64_t* StubbornSets::row_of(std::size_t t, const successor::Layout& layout, const std::uint64_t* state) {
    if (contains(enabled_, t)) return relations_->needs.row(t);
    if (relations_->has_low && relations_->low[t]) return nullptr;
    auto& [row, known_in] = missing_[t];
    if (known_in != state_) {
        row = missing(t, layout, state);
        known_in = state_;
    }
    return relations_->enabling.row(row);
}

std::uint32_t StubbornSets::missing(std::size_t t, const successor::Layout& layout, const std::uint64_t* state) {
    const model::Model& model = *relations_->model;
    for (std::uint32_t i = relations_->first_condition[t]; i < relations_->first_condition[t + 1]; ++i) {
        const Relations::Condition& condition = relations_->conditions[i];
        if (condition.guard == Relations::kLocation) {
            if (layout.load(state, condition.location) != condition.from) return condition.enabling;
            continue;
        }
        if (!std::exchange(is_unpacked_, true)) layout.unpack(state, values_.data());
        const model::Evaluation result =
            model::evaluate(model.transitions[t].guards[condition.guard], model.tables, values_.data(), stack_.data());
        if (result.fault == model::FaultKind::none && result.value == 0) return condition.enabling;
    }
    return 0;
}

std::size_t StubbornSets::close(model::TransitionId from, std::size_t limit, const successor::Layout& layout,
                                const std::uint64_t* state) {
    std::fill(set_.begin(), set_.end(), 0);
    std::fill(open_.begin(), open_.end(), 0);
    set_[from / 64] = open_[from / 64] = std::uint64_t{1} << (from % 64);
    std::size_t size = 1;
    for (std::size_t w = 0; w < open_.size();) {
        if (open_[w] == 0) {
            ++w;
            continue;
        }
        const std::size_t t = w * 64 + static_cast<std::size_t>(std::countr_zero(open_[w]));
        open_[w] &= open_[w] - 1;
        const std::uint64_t* row = row_of(t, layout, state);
        if (row == nullptr) continue;
        std::size_t first_new = w;
        for (std::size_t v = open_.size(); v-- > 0;) {
            const std::uint64_t added = row[v] & ~set_[v];
            if (added == 0) continue;
            set_[v] |= added;
            open_[v] |= added;
            size += static_cast<std::size_t>(std::popcount(added & enabled_[v]));
            first_new = std::min(first_new, v);
        }
        if (size >= limit) return limit;
        w = first_new;
    }
    return size;
}

bool StubbornSets::keeps_invisible() const {
    const std::uint64_t* visible = relations_->visible.row(0);
    bool any = false;
    for (std::size_t w = 0; w < set_.size(); ++w) {
        if ((set_[w] & enabled_[w] & ~visible[w]) != 0) return true;
        any = any || (enabled_[w] & ~visible[w]) != 0;
    }
    return !any;
}

}  // namespace tideline::reduce
