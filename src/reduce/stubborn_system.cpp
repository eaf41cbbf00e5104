#include "reduce/stubborn_system.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "reduce/stubborn_sets.hpp"

namespace tideline::reduce {
namespace {

using successor::Cursor;
using successor::Expansion;
using successor::SuccessorBatch;
using successor::Word;

// Of the states that are expanded together, how many at most are looked ahead: what does not fit into the caller's
// batch is kept for the next call.
constexpr std::size_t kAhead = 64;
// Successors that fit at first.
constexpr std::size_t kLeast = 1024;

class StubbornExpander final : public successor::Expander {
public:
    StubbornExpander(std::unique_ptr<successor::Expander> whole, const successor::Layout& layout,
                     const std::shared_ptr<const Relations>& relations, Preserved preserved)
        : whole_(std::move(whole)),
          layout_(layout),
          words_(layout.words()),
          sets_(relations, preserved),
          ahead_(words_, kLeast) {}

    Expansion expand(const Word* states, std::size_t count, Cursor& cursor, SuccessorBatch& out) override {
        while (cursor.state < count) {
            const Word* const state = states + cursor.state * words_;
            if (!is_ahead(state)) {
                // It is time to check the limits.
                if (std::exchange(is_pausing_, false)) return Expansion::full;
                const Expansion result = look_ahead(state, count - cursor.state);
                if (ahead_.complete_sources() == 0) return result;
            }
            if (!deliver(state, cursor, out)) return Expansion::full;
        }
        return Expansion::done;
    }
    void labels(const Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        whole_->labels(state, bits, faults);
    }
    std::optional<successor::Key> key(const Word* state) override { return whole_->key(state); }

    [[nodiscard]] const successor::Expander& whole() const { return *whole_; }

private:
    // Whether the steps of this state are there.
    [[nodiscard]] bool is_ahead(const Word* state) const {
        return next_ < ahead_.complete_sources() && std::equal(state, state + words_, sources_.data() + next_ * words_);
    }

    // Computes the steps of this state and of some that follow.
    Expansion look_ahead(const Word* states, std::size_t count) {
        const std::size_t n = std::min(count, kAhead);
        sources_.assign(states, states + n * words_);
        next_ = 0;
        is_chosen_ = false;
        for (;;) {
            ahead_.restart(0);
            Cursor all;
            const Expansion result = whole_->expand(sources_.data(), n, all, ahead_);
            const bool is_full = result == Expansion::full && ahead_.size() > 0;
            if (ahead_.complete_sources() > 0) is_pausing_ = result == Expansion::full && !is_full;
            if (ahead_.complete_sources() > 0 || !is_full) return result;
            ahead_ = SuccessorBatch(words_, 2 * ahead_.capacity());
        }
    }

    // What is taken from the current state. False: the batch is full.
    bool deliver(const Word* state, Cursor& cursor, SuccessorBatch& out) {
        const std::size_t begin = next_ == 0 ? 0 : ahead_.end(next_ - 1);
        const std::size_t end = ahead_.end(next_);
        if (!is_chosen_) choose(state, begin, end);
        std::uint64_t index = 0;
        for (std::size_t i = begin; i < end; ++i) {
            if (is_reduced_ && !sets_.has(ahead_.transition(i))) continue;
            if (index++ < cursor.delivered) continue;
            if (out.full()) return false;
            std::copy_n(ahead_.state(i), words_, out.next_state());
            out.push(ahead_.transition(i), ahead_.marks(i), ahead_.fault(i), ahead_.key(i));
            ++cursor.delivered;
        }
        out.complete_source();
        is_chosen_ = false;
        ++next_;
        ++cursor.state;
        cursor.delivered = 0;
        return true;
    }

    void choose(const Word* state, std::size_t begin, std::size_t end) {
        is_chosen_ = true;
        is_reduced_ = false;
        enabled_.clear();
        for (std::size_t i = begin; i < end; ++i) {
            if (ahead_.fault(i) != model::FaultKind::none) return;
            enabled_.push_back(ahead_.transition(i));
        }
        is_reduced_ = sets_.choose(layout_, state, enabled_);
    }

    std::unique_ptr<successor::Expander> whole_;
    successor::Layout layout_;
    std::size_t words_;
    StubbornSets sets_;
    SuccessorBatch ahead_;  // all steps of sources_, as far as they have been computed
    std::vector<Word> sources_;
    std::size_t next_ = 0;     // of them: that is delivered next
    bool is_pausing_ = false;  // behind sources_
    std::vector<model::TransitionId> enabled_;
    bool is_chosen_ = false;  // for the state next_
    bool is_reduced_ = false;
};

class StubbornSystem final : public successor::System {
public:
    StubbornSystem(std::shared_ptr<const successor::System> whole, std::shared_ptr<const Relations> relations,
                   Preserved preserved)
        : whole_(std::move(whole)), relations_(std::move(relations)), preserved_(preserved) {
        assert(whole_->layout() != nullptr && "the system of a model");
    }

    [[nodiscard]] std::size_t state_words() const override { return whole_->state_words(); }
    [[nodiscard]] std::size_t state_bytes() const override { return whole_->state_bytes(); }
    [[nodiscard]] std::vector<std::vector<Word>> initial_states() const override { return whole_->initial_states(); }
    [[nodiscard]] std::unique_ptr<successor::Expander> expander() const override { return around(whole_->expander()); }
    [[nodiscard]] std::unique_ptr<successor::Expander> search_expander() const override {
        return around(whole_->search_expander());
    }
    [[nodiscard]] std::size_t label_count() const override { return whole_->label_count(); }
    [[nodiscard]] std::vector<model::Value> key_values(successor::Key key) const override {
        return whole_->key_values(key);
    }
    [[nodiscard]] double compile_seconds() const override { return whole_->compile_seconds(); }
    [[nodiscard]] unsigned acceptance_sets() const override { return whole_->acceptance_sets(); }
    [[nodiscard]] std::unique_ptr<System> with_wider_fields(const successor::Expander& stopped) const override {
        std::unique_ptr<System> wider =
            whole_->with_wider_fields(static_cast<const StubbornExpander&>(stopped).whole());
        if (wider == nullptr) return nullptr;
        return std::make_unique<StubbornSystem>(std::move(wider), relations_, preserved_);
    }
    [[nodiscard]] successor::Repacking repacking(const System& older) const override {
        return whole_->repacking(*static_cast<const StubbornSystem&>(older).whole_);
    }
    [[nodiscard]] const successor::Layout* layout() const override { return whole_->layout(); }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return whole_->slot_names(); }
    [[nodiscard]] std::vector<model::Value> decode(const Word* state) const override { return whole_->decode(state); }
    [[nodiscard]] std::string value_text(model::SlotId slot, model::Value value) const override {
        return whole_->value_text(slot, value);
    }
    [[nodiscard]] std::vector<successor::ChannelSlots> channels() const override { return whole_->channels(); }
    [[nodiscard]] std::vector<successor::StepDetail> steps(const Word* state) const override {
        std::vector<successor::StepDetail> all = whole_->steps(state);
        std::vector<model::TransitionId> enabled;
        for (const successor::StepDetail& step : all) {
            if (step.fault != model::FaultKind::none) return all;
            enabled.push_back(step.transition);
        }
        StubbornSets sets(relations_, preserved_);
        if (sets.choose(*layout(), state, enabled))
            std::erase_if(all, [&](const successor::StepDetail& step) { return !sets.has(step.transition); });
        return all;
    }

private:
    [[nodiscard]] std::unique_ptr<successor::Expander> around(std::unique_ptr<successor::Expander> expander) const {
        return std::make_unique<StubbornExpander>(std::move(expander), *layout(), relations_, preserved_);
    }

    std::shared_ptr<const successor::System> whole_;
    std::shared_ptr<const Relations> relations_;
    Preserved preserved_;
};

}  // namespace

std::unique_ptr<successor::System> with_stubborn_sets(std::shared_ptr<const successor::System> whole,
                                                      std::shared_ptr<const Relations> relations, Preserved preserved) {
    return std::make_unique<StubbornSystem>(std::move(whole), std::move(relations), preserved);
}

}  // namespace tideline::reduce
