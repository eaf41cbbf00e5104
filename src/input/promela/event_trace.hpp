// A trace or notrace declaration: an automaton that moves with every message through the channels that it mentions. Its
// location is a variable of the model, `_event`. docs/promela.md has the meaning.
#pragma once

#include <vector>

#include "input/promela/control.hpp"
#include "input/promela/expressions.hpp"
#include "model/model.hpp"

namespace tideline::input::promela {

class EventTrace {
public:
    EventTrace(const Process& process, const Control& control, model::VariableId location,
               const Expressions& expressions, const model::Model& model)
        : process_(process), control_(control), location_(location), expressions_(expressions), model_(model) {}

    // What a message of these values does to it.
    [[nodiscard]] std::vector<model::Effect> effects(bool sends, ChannelId channel,
                                                     const std::vector<model::Expression>& message) const;
    // Whether it is at its end or at a label that begins with "end".
    [[nodiscard]] model::Expression is_complete() const;

private:
    // A step of the automaton, and when it is taken.
    struct Move {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        model::Expression fits;  // the message, whatever the location is
    };
    [[nodiscard]] std::vector<Move> moves(bool sends, ChannelId channel,
                                          const std::vector<model::Expression>& message) const;
    [[nodiscard]] bool concerns(const Statement& statement, bool sends, ChannelId channel) const;
    [[nodiscard]] model::Expression fits(const Statement& statement,
                                         const std::vector<model::Expression>& message) const;
    [[nodiscard]] model::Expression at(std::uint32_t location) const;

    const Process& process_;
    const Control& control_;
    model::VariableId location_;
    const Expressions& expressions_;
    const model::Model& model_;
};

}  // namespace tideline::input::promela
