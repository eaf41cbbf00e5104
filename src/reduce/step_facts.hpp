// What a step reads and writes, as sets of facts.
//
// A fact is the value of a slot, but of a location, which has one fact per value: whether the process is there. A
// process that moves from a to b changes two facts; what asks whether it is in c does not depend on that.
//
// A buffered channel has two facts, its front and its back: a send changes the back, a receive the front, and every
// other use is one of both (channel_use.hpp). Whether one can send depends on the front, since only a receive makes
// room.
//
// Where a model has atomic sequences (Model::atomic), the step that begins with a transition goes on through others:
// its facts are those of all transitions that the sequence may try. The slot of Model::atomic is 0 in all states, and
// no fact.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "reduce/bit_rows.hpp"
#include "reduce/channel_use.hpp"

namespace tideline::reduce {

class Facts {
public:
    explicit Facts(const model::Model& model);

    [[nodiscard]] std::size_t count() const { return count_; }
    // Adds the facts that an expression reads to a row.
    void add_reads(const model::Expression& expression, BitRows& rows, std::size_t row) const;
    // Adds all facts of a slot.
    void add_slot(model::SlotId slot, BitRows& rows, std::size_t row) const;
    // The fact that a process is in a location.
    [[nodiscard]] std::size_t at(const model::Model& model, model::ProcessId process, model::Value location) const {
        return first_[model.variables[model.processes[process].location].first_slot] +
               static_cast<std::size_t>(location);
    }

    // The front of a channel; its back is the next one.
    [[nodiscard]] std::size_t front(std::uint32_t channel) const { return channels_ + std::size_t{2} * channel; }
    [[nodiscard]] const ChannelUse& channel_use() const { return use_; }

private:
    ChannelUse use_;
    std::vector<std::size_t> first_;    // by slot
    std::vector<std::uint32_t> width_;  // by slot: how many facts
    std::vector<bool> is_location_;     // by slot
    std::size_t channels_ = 0;          // the first fact of a channel
    std::size_t count_ = 0;
};

// By transition, the facts of the step that begins with it.
struct StepFacts {
    BitRows reads;
    BitRows writes;
    std::vector<std::vector<model::TransitionId>> members;  // the transitions of the step; of a single one: itself
};

[[nodiscard]] StepFacts step_facts(const model::Model& model, const Facts& facts);

// Whether an effect of the transition assigns the location of a process, as the creation of a process does.
[[nodiscard]] bool assigns_location(const model::Model& model, const model::Transition& transition);

}  // namespace tideline::reduce
