// How transitions use buffered channels: a send and a receive of one channel that are both possible can happen in
// either order, with the same result, although both change its length and its contents.
//
// A channel is recognised by what a translator makes of it: a length, and arrays that hold the messages in order. A
// transition sends if it does nothing with them but
//
//     guard length < capacity     content[length], ... := values     length := length + 1
//
// and receives if it does nothing with them but
//
//     guard length > 0, conditions on the first message     ... := content[0], ...     shift     length := length - 1
//
// Where both are possible, the channel is neither empty nor full: the send does not touch the first message, and the
// receive leaves room. Every other use is one of the whole channel.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/model.hpp"

namespace tideline::reduce {

class ChannelUse {
public:
    explicit ChannelUse(const model::Model& model);

    enum class Kind : std::uint8_t { other, send, receive };
    struct Use {
        std::uint32_t channel = 0;
        Kind kind = Kind::other;
    };

    [[nodiscard]] std::size_t channels() const { return lengths_.size(); }
    // The channel that a slot belongs to.
    [[nodiscard]] std::optional<std::uint32_t> channel_of(model::SlotId slot) const {
        return of_slot_[slot] == kNone ? std::nullopt : std::optional(of_slot_[slot]);
    }
    // The channel that a transition sends to or receives from, and does nothing else with.
    [[nodiscard]] const std::optional<Use>& use(model::TransitionId t) const { return uses_[t]; }

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;

    void find_channels(const model::Model& model);
    [[nodiscard]] std::optional<Use> use_of(const model::Model& model, const model::Transition& transition) const;
    [[nodiscard]] bool is_send(const model::Model& model, const model::Transition& transition,
                               std::uint32_t channel) const;
    [[nodiscard]] bool is_receive(const model::Model& model, const model::Transition& transition,
                                  std::uint32_t channel) const;

    std::vector<model::VariableId> lengths_;  // by channel
    std::vector<std::uint32_t> of_slot_;      // by slot
    std::vector<std::uint32_t> of_variable_;  // by variable
    std::vector<std::optional<Use>> uses_;    // by transition
};

}  // namespace tideline::reduce
