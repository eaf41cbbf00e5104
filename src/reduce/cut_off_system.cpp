#include "reduce/cut_off_system.hpp"

#include <algorithm>

#include "reduce/wrapped_system.hpp"

namespace tideline::reduce {

using successor::Word;

std::size_t CutOff::Hash::operator()(const std::vector<model::Value>& values) const {
    std::uint64_t hash = values.size();
    for (const model::Value value : values) {
        hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 32U;
    }
    return hash;
}

void CutOff::note(std::vector<model::Value> successor) {
    const std::lock_guard lock(mutex_);
    successors_.try_emplace(std::move(successor), false);
}

void CutOff::visit(const std::vector<model::Value>& state) {
    const auto found = successors_.find(state);
    if (found != successors_.end()) found->second = true;
}

std::uint64_t CutOff::left() const {
    return (has_lost_ ? 1 : 0) +
           static_cast<std::uint64_t>(
               std::count_if(successors_.begin(), successors_.end(), [](const auto& entry) { return !entry.second; }));
}

namespace {

class CutOffExpander final : public successor::Expander {
public:
    CutOffExpander(std::shared_ptr<const successor::System> system, std::shared_ptr<CutOff> cut_off,
                   std::unique_ptr<successor::Expander> own)
        : system_(std::move(system)),
          cut_off_(std::move(cut_off)),
          own_(std::move(own)),
          words_(system_->state_words()),
          batch_(words_, kBatch),
          bits_(system_->label_words()),
          faults_(system_->label_count()) {}

    successor::Expansion expand(const Word* states, std::size_t count, successor::Cursor& cursor,
                                successor::SuccessorBatch& out) override {
        while (cursor.state < count) {
            const std::size_t end = first_cut(states, cursor.state, count);
            if (cursor.state < end) {
                const std::uint32_t begin = cursor.state;
                const successor::Expansion result = own_->expand(states, end, cursor, out);
                if (cut_off_->phase() == CutOff::Phase::recall)
                    for (std::size_t i = begin; i < std::min<std::size_t>(end, cursor.state + 1); ++i)
                        cut_off_->visit(system_->decode(states + i * words_));
                if (result != successor::Expansion::done) return result;
            } else {
                const successor::Expansion result = cut(states + cursor.state * words_, out);
                if (result != successor::Expansion::done) return result;
                ++cursor.state;
                cursor.delivered = 0;
            }
        }
        return successor::Expansion::done;
    }
    void labels(const Word* state, std::uint64_t* bits, model::FaultKind* faults) override {
        own_->labels(state, bits_.data(), faults_.data());
        const std::size_t count = system_->label_count() - 1;
        std::copy_n(faults_.begin(), count, faults);
        std::copy_n(bits_.begin(), (count + 63) / 64, bits);
        if (count % 64 != 0) bits[count / 64] &= (std::uint64_t{1} << (count % 64)) - 1;
    }
    std::optional<successor::Key> key(const Word* state) override { return own_->key(state); }

    [[nodiscard]] const successor::Expander& own() const { return *own_; }

private:
    static constexpr std::size_t kBatch = 256;

    [[nodiscard]] std::size_t first_cut(const Word* states, std::size_t begin, std::size_t count) {
        const std::size_t label = system_->label_count() - 1;
        for (; begin < count; ++begin) {
            own_->labels(states + begin * words_, bits_.data(), faults_.data());
            if (((bits_[label / 64] >> (label % 64)) & 1U) != 0) return begin;
        }
        return count;
    }

    // Its steps count, but lead nowhere; faulty ones are kept.
    successor::Expansion cut(const Word* state, successor::SuccessorBatch& out) {
        const std::size_t before = out.size();
        const std::size_t sources = out.complete_sources();
        const auto take_back = [&](successor::Expansion result) {
            out.truncate(before, sources);
            return result;
        };
        if (cut_off_->phase() == CutOff::Phase::recall) cut_off_->visit(system_->decode(state));
        std::uint32_t steps = 0;
        successor::Cursor from;
        for (;;) {
            batch_.restart(0);
            const successor::Expansion result = own_->expand(state, 1, from, batch_);
            for (std::size_t i = 0; i < batch_.size(); ++i) {
                if (batch_.fault(i) == model::FaultKind::none) {
                    ++steps;
                    if (cut_off_->phase() == CutOff::Phase::cut) cut_off_->note(system_->decode(batch_.state(i)));
                    continue;
                }
                if (out.full()) return take_back(successor::Expansion::full);
                out.push(batch_.transition(i), 0, batch_.fault(i));
            }
            if (result == successor::Expansion::done) break;
            if (result == successor::Expansion::needs_repacking) return take_back(result);
            if (result != successor::Expansion::key_undefined) continue;
            out.truncate(before, sources);
            return cut_without_keys(state, out);
        }
        out.complete_source(steps);
        return successor::Expansion::done;
    }

    // The measure is not defined in a successor, which the search will not see.
    successor::Expansion cut_without_keys(const Word* state, successor::SuccessorBatch& out) {
        const std::size_t before = out.size();
        const std::size_t sources = out.complete_sources();
        std::uint32_t steps = 0;
        for (const successor::StepDetail& step : system_->steps(state)) {
            if (step.fault == model::FaultKind::none) {
                ++steps;
                if (cut_off_->phase() != CutOff::Phase::cut) continue;
                if (step.next.empty()) cut_off_->lose();  // the packing cannot hold it
                else cut_off_->note(system_->decode(step.next.data()));
                continue;
            }
            if (out.full()) {
                out.truncate(before, sources);
                return successor::Expansion::full;
            }
            out.push(step.transition, 0, step.fault);
        }
        out.complete_source(steps);
        return successor::Expansion::done;
    }

    std::shared_ptr<const successor::System> system_;
    std::shared_ptr<CutOff> cut_off_;
    std::unique_ptr<successor::Expander> own_;
    std::size_t words_;
    successor::SuccessorBatch batch_;
    std::vector<std::uint64_t> bits_;
    std::vector<model::FaultKind> faults_;
};

class CutOffSystem final : public WrappedSystem {
public:
    CutOffSystem(std::shared_ptr<const successor::System> system, std::shared_ptr<CutOff> cut_off)
        : WrappedSystem(std::move(system)), cut_off_(std::move(cut_off)) {}

    [[nodiscard]] std::size_t label_count() const override { return own()->label_count() - 1; }
    [[nodiscard]] std::unique_ptr<successor::Expander> expander() const override {
        return std::make_unique<CutOffExpander>(own(), cut_off_, own()->expander());
    }
    [[nodiscard]] std::unique_ptr<successor::Expander> search_expander() const override {
        return std::make_unique<CutOffExpander>(own(), cut_off_, own()->search_expander());
    }
    [[nodiscard]] std::unique_ptr<successor::System> with_wider_fields(
        const successor::Expander& stopped) const override {
        std::shared_ptr<const successor::System> wider =
            own()->with_wider_fields(static_cast<const CutOffExpander&>(stopped).own());
        if (!wider) return nullptr;
        return std::make_unique<CutOffSystem>(std::move(wider), cut_off_);
    }

private:
    std::shared_ptr<CutOff> cut_off_;
};

}  // namespace

std::shared_ptr<const successor::System> make_cut_off(std::shared_ptr<const successor::System> system,
                                                      std::shared_ptr<CutOff> cut_off) {
    return std::make_shared<CutOffSystem>(std::move(system), std::move(cut_off));
}

}  // namespace tideline::reduce
