#include "reduce/symmetric_system.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>

#include "reduce/wrapped_system.hpp"

namespace tideline::reduce {
namespace {

using successor::Word;

bool is_same(const successor::Layout& a, const successor::Layout& b, std::size_t slots) {
    for (model::SlotId s = 0; s < slots; ++s)
        if (a.range(s) != b.range(s)) return false;
    return true;
}

// Replaces packed states.
class PackedRepresentative {
public:
    PackedRepresentative(const SymmetrySettings& settings, const successor::Layout& layout)
        : representative_(settings.group),
          layout_(layout),
          has_ambiguous_(settings.has_ambiguous),
          values_(settings.group->model->slot_count()) {}

    bool replace(Word* state) {
        const std::vector<model::SlotId>& slots = representative_.slots();
        for (const model::SlotId s : slots) values_[s] = layout_.load(state, s);
        const bool is_changed = representative_.replace(values_.data());
        if (!representative_.is_least() && has_ambiguous_ && !has_ambiguous_->load(std::memory_order_relaxed))
            has_ambiguous_->store(true, std::memory_order_relaxed);
        if (!is_changed) return false;
        for (const model::SlotId s : slots) {
            if (!layout_.store(state, s, values_[s]))
                throw std::logic_error("the packing is not closed under symmetries");
        }
        return true;
    }
    [[nodiscard]] Renaming renaming() const { return representative_.renaming(); }

private:
    Representative representative_;
    successor::Layout layout_;
    std::shared_ptr<std::atomic<bool>> has_ambiguous_;
    std::vector<model::Value> values_;
};

class SymmetricExpander final : public successor::Expander {
public:
    SymmetricExpander(const SymmetrySettings& settings, const successor::Layout& layout,
                      std::unique_ptr<successor::Expander> own)
        : own_(std::move(own)),
          representative_(settings, layout),
          words_(layout.words()),
          is_key_invariant_(settings.is_key_invariant) {}

    successor::Expansion expand(const Word* states, std::size_t count, successor::Cursor& cursor,
                                successor::SuccessorBatch& out) override {
        const std::size_t begin = out.size();
        const successor::Expansion result = own_->expand(states, count, cursor, out);
        const successor::SuccessorBatch::Raw raw = out.raw(0);
        for (std::size_t i = begin; i < out.size(); ++i) {
            if (out.fault(i) != model::FaultKind::none) continue;
            if (!representative_.replace(raw.states + i * words_) || is_key_invariant_) continue;
            const std::optional<successor::Key> key = own_->key(out.state(i));
            if (!key) return without(i, cursor, out);
            raw.keys[i] = *key;
        }
        return result;
    }
    void labels(const Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        own_->labels(state, bits, faults);
    }
    std::optional<successor::Key> key(const Word* state) override { return own_->key(state); }

    [[nodiscard]] const successor::Expander& own() const { return *own_; }

private:
    // The measure is not defined in the i-th entry.
    static successor::Expansion without(std::size_t i, successor::Cursor& cursor, successor::SuccessorBatch& out) {
        std::size_t sources = out.complete_sources();
        while (sources > 0 && out.end(sources - 1) > i) --sources;
        out.truncate(i, sources);
        cursor.state = out.first_source() + static_cast<std::uint32_t>(sources);
        cursor.delivered = i - (sources > 0 ? out.end(sources - 1) : 0);
        return successor::Expansion::key_undefined;
    }

    std::unique_ptr<successor::Expander> own_;
    PackedRepresentative representative_;
    std::size_t words_;
    bool is_key_invariant_;
};

class SymmetricLifter final : public successor::RunLifter {
public:
    SymmetricLifter(SymmetrySettings settings, std::shared_ptr<const successor::System> own)
        : settings_(std::move(settings)),
          own_(std::move(own)),
          representative_(settings_, *own_->layout()),
          back_(identity(*settings_.group->model, settings_.group->domains)) {}

    [[nodiscard]] const std::shared_ptr<const successor::System>& system() const override { return own_; }

    std::vector<Word> follow(const Word* representative) override {
        const std::vector<Word> wanted(representative, representative + own_->state_words());
        const auto leads_there = [&](const std::vector<Word>& state) {
            std::vector<Word> replaced = state;
            representative_.replace(replaced.data());
            return replaced == wanted;
        };
        if (at_.empty()) {
            for (const std::vector<Word>& state : own_->initial_states())
                if (leads_there(state)) return moved_to(wanted, state);
            return at_ = wanted;
        }
        const std::vector<successor::StepDetail> steps = own_->steps(at_.data());
        for (const successor::StepDetail& step : steps)
            if (step.fault == model::FaultKind::none && leads_there(step.next)) return moved_to(wanted, step.next);
        // A deadlock that repeats.
        if (steps.empty() && wanted == at_) return renamed(at_);
        return {};
    }

    [[nodiscard]] model::TransitionId transition(model::TransitionId transition) const override {
        return settings_.group->image(back_, transition);
    }

private:
    // The run goes from the renamed representative before to the renamed state.
    std::vector<Word> moved_to(const std::vector<Word>& wanted, const std::vector<Word>& state) {
        std::vector<Word> result = renamed(state);
        std::vector<Word> replaced = state;
        representative_.replace(replaced.data());
        const ValueDomains& domains = settings_.group->domains;
        back_ = composed(domains, inverse(domains, representative_.renaming()), back_);
        at_ = wanted;
        return result;
    }
    [[nodiscard]] std::vector<Word> renamed(const std::vector<Word>& state) const {
        const std::vector<model::Value> values = own_->decode(state.data());
        std::vector<model::Value> image(values.size());
        apply(settings_.group->domains, back_, values.data(), image.data());
        std::vector<Word> packed(own_->state_words());
        const std::optional<model::SlotId> misfit = own_->layout()->pack(image.data(), packed.data());
        assert(!misfit);
        (void)misfit;
        return packed;
    }

    SymmetrySettings settings_;
    std::shared_ptr<const successor::System> own_;
    PackedRepresentative representative_;
    std::vector<Word> at_;  // the representative where the run is
    Renaming back_;         // makes the run's state of it
};

class SymmetricSystem final : public WrappedSystem {
public:
    SymmetricSystem(MakePacked make, SymmetrySettings settings, std::shared_ptr<const successor::System> packed)
        : WrappedSystem(std::move(packed)), make_(std::move(make)), settings_(std::move(settings)) {
        // Machine code packs arrays in its own way, which may not be closed again.
        for (int attempt = 0; attempt < 4; ++attempt) {
            const successor::Layout closed = closed_layout(*settings_.group, *layout());
            if (is_same(closed, *layout(), settings_.group->model->slot_count())) return;
            replace_own(make_(&closed));
        }
    }

    [[nodiscard]] std::vector<std::vector<Word>> initial_states() const override {
        std::vector<std::vector<Word>> states = own()->initial_states();
        PackedRepresentative representative(settings_, *layout());
        for (std::vector<Word>& state : states) representative.replace(state.data());
        return states;
    }
    [[nodiscard]] std::unique_ptr<successor::Expander> expander() const override {
        return std::make_unique<SymmetricExpander>(settings_, *layout(), own()->expander());
    }
    [[nodiscard]] std::unique_ptr<successor::Expander> search_expander() const override {
        return std::make_unique<SymmetricExpander>(settings_, *layout(), own()->search_expander());
    }
    [[nodiscard]] std::unique_ptr<successor::System> with_wider_fields(
        const successor::Expander& stopped) const override {
        std::shared_ptr<const successor::System> wider =
            own()->with_wider_fields(static_cast<const SymmetricExpander&>(stopped).own());
        if (!wider) return nullptr;
        return std::make_unique<SymmetricSystem>(make_, settings_, std::move(wider));
    }
    [[nodiscard]] std::vector<successor::StepDetail> steps(const Word* state) const override {
        std::vector<successor::StepDetail> steps = own()->steps(state);
        PackedRepresentative representative(settings_, *layout());
        for (successor::StepDetail& step : steps)
            if (!step.next.empty()) representative.replace(step.next.data());
        return steps;
    }
    [[nodiscard]] std::unique_ptr<successor::RunLifter> lifter() const override {
        return std::make_unique<SymmetricLifter>(settings_, own());
    }

private:
    MakePacked make_;
    SymmetrySettings settings_;
};

}  // namespace

successor::Layout closed_layout(const SymmetryGroup& group, const successor::Layout& layout) {
    std::vector<model::Range> ranges;
    for (model::SlotId s = 0; s < group.model->slot_count(); ++s) ranges.push_back(layout.range(s));
    // A field holds whatever its bits can, of what is declared.
    const auto whole_bits = [&](model::SlotId s) {
        const model::Range declared = group.model->variables[group.domains.variable_of_slot[s]].range;
        const int width = std::bit_width(ranges[s].span());
        if (width >= 63) return declared;
        const std::uint64_t reach = (std::uint64_t{1} << static_cast<unsigned>(width)) - 1;
        model::Range whole = ranges[s];
        if (static_cast<std::uint64_t>(declared.high) - static_cast<std::uint64_t>(whole.low) <= reach)
            whole.high = std::max(whole.high, declared.high);
        else whole.high = static_cast<model::Value>(static_cast<std::uint64_t>(whole.low) + reach);
        return whole;
    };
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (model::SlotId s = 0; s < ranges.size(); ++s) ranges[s] = whole_bits(s);
        const auto extend = [&](model::SlotId slot, model::Range by) {
            model::Range& range = ranges[slot];
            const model::Range wider{std::min(range.low, by.low), std::max(range.high, by.high)};
            is_changed |= wider != range;
            range = wider;
        };
        for (const Renaming& renaming : group.generators) {
            for (model::SlotId s = 0; s < ranges.size(); ++s) {
                const model::SlotId to = renaming.slots[s];
                extend(to, ranges[s]);
                extend(s, ranges[to]);
                const DomainId domain = group.domains.of_slot(s);
                for (std::size_t i = 0; i < renaming.values[domain].size(); ++i) {
                    const model::Value value = group.domains.members[domain][i];
                    const model::Value image = renaming.values[domain][i];
                    if (ranges[s].holds(value)) extend(to, {image, image});
                    if (ranges[to].holds(image)) extend(s, {value, value});
                }
            }
        }
    }
    return successor::Layout(std::move(ranges));
}

std::shared_ptr<const successor::System> make_symmetric(MakePacked make, SymmetrySettings settings) {
    std::shared_ptr<const successor::System> own = make(nullptr);
    return std::make_shared<SymmetricSystem>(std::move(make), std::move(settings), std::move(own));
}

}  // namespace tideline::reduce
