// What a statement does, as guards and effects of transitions: one action for each way in which it can be executed (a
// channel that its variable may hold, a position in a buffer, a process that run creates).
#pragma once

#include <optional>
#include <vector>

#include "input/promela/event_trace.hpp"
#include "input/promela/expressions.hpp"

namespace tideline::input::promela {

// The part of one process in a rendezvous.
struct Handshake {
    bool sends = false;
    Expressions::ChannelChoice choice;  // rendezvous channels only
    bool only_these = false;            // it can stand for no other channel, apart from none at all
    model::Expression which;
    const Statement* statement = nullptr;
};

struct Action {
    std::vector<model::Expression> guards;
    std::vector<model::Effect> effects;
    std::vector<model::Event> events;
    std::optional<Handshake> handshake;  // then guards and effects are those that do not depend on the partner
};

class Actions {
public:
    Actions(const Slots& slots, const Expressions& expressions, const model::Model& model)
        : slots_(slots), expressions_(expressions), model_(model) {}

    // Every message moves this automaton.
    void observe_by(const EventTrace* trace) { trace_ = trace; }

    // Of a statement that is a step by itself; null: the end of the process. Not of else and d_step, which depend on
    // others.
    [[nodiscard]] std::vector<Action> of(const Statement* statement, const Context& context) const;
    // A message of these values, by field.
    [[nodiscard]] model::Event message_event(model::Event::Kind kind, model::Expression channel, const Channel& type,
                                             std::vector<model::Expression> values) const;
    // What creates a process: its parameters have the arguments' values.
    [[nodiscard]] std::vector<model::Effect> birth(const Instance& created, const Expr& run,
                                                   const Context& context) const;
    // Sets the variables of a process as they are at its beginning, all of them being 0.
    [[nodiscard]] std::vector<model::Effect> initial_values(const Instance& instance) const;
    [[nodiscard]] std::vector<model::Effect> initial_values(const Leaves& leaves, const Context& context) const;

private:
    [[nodiscard]] bool polls_rendezvous(const Expr& expr, const Context& context) const;
    [[nodiscard]] model::Event printing(const Statement& statement, const Context& context) const;
    [[nodiscard]] Action end_of(const Instance& instance) const;
    [[nodiscard]] std::vector<Action> with_run(const Statement& statement, const Expr& run,
                                               const Context& context) const;
    [[nodiscard]] Action set_priority(const Statement& statement, const Context& context) const;
    [[nodiscard]] Action plain(const Statement& statement, const Context& context) const;
    [[nodiscard]] std::vector<Action> message(const Statement& statement, const Context& context) const;
    [[nodiscard]] std::vector<Bounded> stored_values(const Statement& statement, const Channel& channel,
                                                     const Context& context) const;
    void observe(bool sends, const Channel& channel, const model::Expression& position, Action& action) const;
    void observe_sent(const Channel& channel, Action& action) const;
    [[nodiscard]] model::Value number_of(const Channel& channel) const;
    void send(const Statement& statement, const Channel& channel, const Context& context, const Action& begun,
              std::vector<Action>& out) const;
    void send_sorted(const Statement& statement, const Channel& channel, const Context& context, const Action& begun,
                     std::vector<Action>& out) const;
    void receive(const Statement& statement, const Channel& channel, const Context& context, const Action& begun,
                 std::vector<Action>& out) const;

    const EventTrace* trace_ = nullptr;
    const Slots& slots_;
    const Expressions& expressions_;
    const model::Model& model_;
};

[[nodiscard]] model::Effect set(model::VariableId variable, model::Expression value);
[[nodiscard]] model::Effect set_element(model::VariableId variable, std::uint32_t element, model::Expression value);

}  // namespace tideline::input::promela
