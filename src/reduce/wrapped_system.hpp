// What a system around another one passes on: everything but what it changes.
#pragma once

#include <memory>

#include "successor/run_lifter.hpp"

namespace tideline::reduce {

class WrappedSystem : public successor::System, public successor::HasLifter {
public:
    explicit WrappedSystem(std::shared_ptr<const successor::System> own) : own_(std::move(own)) {}

    [[nodiscard]] std::size_t state_words() const override { return own_->state_words(); }
    [[nodiscard]] std::size_t state_bytes() const override { return own_->state_bytes(); }
    [[nodiscard]] std::vector<std::vector<successor::Word>> initial_states() const override {
        return own_->initial_states();
    }
    [[nodiscard]] std::size_t label_count() const override { return own_->label_count(); }
    [[nodiscard]] double compile_seconds() const override { return own_->compile_seconds(); }
    [[nodiscard]] unsigned acceptance_sets() const override { return own_->acceptance_sets(); }
    [[nodiscard]] const successor::Layout* layout() const override { return own_->layout(); }
    [[nodiscard]] const std::vector<std::string>& slot_names() const override { return own_->slot_names(); }
    [[nodiscard]] std::vector<model::Value> key_values(successor::Key key) const override {
        return own_->key_values(key);
    }
    [[nodiscard]] std::vector<model::Value> decode(const successor::Word* state) const override {
        return own_->decode(state);
    }
    [[nodiscard]] std::string value_text(model::SlotId slot, model::Value value) const override {
        return own_->value_text(slot, value);
    }
    [[nodiscard]] std::vector<successor::ChannelSlots> channels() const override { return own_->channels(); }
    [[nodiscard]] successor::Repacking repacking(const successor::System& older) const override {
        return own_->repacking(*static_cast<const WrappedSystem&>(older).own_);
    }
    [[nodiscard]] std::vector<successor::StepDetail> steps(const successor::Word* state) const override {
        return own_->steps(state);
    }
    [[nodiscard]] std::unique_ptr<successor::RunLifter> lifter() const override { return successor::lifter_of(*own_); }

protected:
    [[nodiscard]] const std::shared_ptr<const successor::System>& own() const { return own_; }
    void replace_own(std::shared_ptr<const successor::System> by) { own_ = std::move(by); }

private:
    std::shared_ptr<const successor::System> own_;
};

}  // namespace tideline::reduce
