// Expressions of Promela over the slots of a Model. Promela computes in int: every result carries its range, and where
// that exceeds an int the value wraps around.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "input/promela/channel_flow.hpp"
#include "input/promela/slots.hpp"
#include "model/evaluate.hpp"
#include "model/model.hpp"

namespace tideline::input::promela {

// Thrown where a program cannot be translated.
struct Refused {
    Place place;
    std::string message;
    std::string hint;
};

struct Bounded {
    model::Expression code;
    model::Range range;
};

// For whom an expression is evaluated.
struct Context {
    const Instance* self = nullptr;  // null: for nobody, as in an ltl block
    bool timeout = false;
    std::optional<model::Value> run;  // the value of run
};

class Expressions {
public:
    Expressions(const Slots& slots, const ChannelFlow& flow, const model::Model& model)
        : slots_(slots), flow_(flow), model_(model) {}

    [[nodiscard]] Bounded translate(const Expr& expr, const Context& context) const;
    // Whether it is not 0, as 0 or 1.
    [[nodiscard]] model::Expression condition(const Expr& expr, const Context& context) const;
    [[nodiscard]] Bounded read(const Reference& reference, const Context& context) const;
    [[nodiscard]] model::Target target(const Reference& reference, const Context& context) const;
    // The value as a variable of this type holds it.
    [[nodiscard]] Bounded truncated(Bounded value, model::Range range) const;

    // The channels that an expression can stand for. One where it is known.
    struct ChannelChoice {
        bool is_known = false;  // it is always this one
        std::vector<ChannelId> channels;
    };
    [[nodiscard]] ChannelChoice channels(const Expr& expr, const Context& context) const;
    [[nodiscard]] const Channel& channel(ChannelId id) const { return slots_.channels[id - 1]; }

    // Whether the message at a position of a buffered channel matches. Nothing: it always does.
    [[nodiscard]] std::optional<model::Expression> matches(const Channel& channel, std::uint32_t position,
                                                           const std::vector<Pattern>& patterns,
                                                           const Context& context) const;
    [[nodiscard]] bool always_matches(const std::vector<Pattern>& patterns) const;
    // Whether a message can be received from a buffered channel.
    [[nodiscard]] model::Expression can_receive(const Channel& channel, const std::vector<Pattern>& patterns,
                                                bool anywhere, const Context& context) const;
    [[nodiscard]] model::Expression can_send(const Channel& channel) const;
    // Whether a process has a step; set by whoever knows steps, before the first use of enabled(...).
    std::function<model::Expression(const Instance&)> has_step;
    // Whether no process is at a progress label.
    [[nodiscard]] model::Expression non_progress() const;

    [[nodiscard]] static bool contains(const Expr& expr, Expr::Kind kind);
    // The run operator in an expression; null: there is none.
    [[nodiscard]] static const Expr* run_in(const Expr& expr);

private:
    [[nodiscard]] Bounded binary(const Expr& expr, const Context& context) const;
    [[nodiscard]] Bounded unary(const Expr& expr, const Context& context) const;
    [[nodiscard]] Bounded of_channel(const Expr& expr, const Context& context) const;
    [[nodiscard]] Bounded remote(const Expr& expr, const Context& context) const;
    [[nodiscard]] Bounded of_process(const Expr& expr, const Context& context) const;
    // The element of a leaf that the indices of a reference choose; nothing for a scalar.
    [[nodiscard]] std::optional<Bounded> element(const Leaf& leaf, const Reference& reference,
                                                 const Context& context) const;
    [[nodiscard]] Bounded load(const Leaf& leaf, std::optional<Bounded> index) const;

    const Slots& slots_;
    const ChannelFlow& flow_;
    const model::Model& model_;
};

[[nodiscard]] Bounded number(model::Value value);
[[nodiscard]] model::Expression negation(model::Expression condition);
// With constants taken into account.
[[nodiscard]] model::Expression conjunction(model::Expression left, const model::Expression& right);
[[nodiscard]] model::Expression disjunction(model::Expression left, const model::Expression& right);
[[nodiscard]] bool is_value(const model::Expression& expression, model::Value value);

}  // namespace tideline::input::promela
