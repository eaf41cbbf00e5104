// SPIN compares constants, and eval(...) of receives: a variable or `_` among the fields fits every value. Of a receive
// it compares the message at the head of the channel, of a send the one at its tail, whatever ?? and !! did.
#include "input/promela/event_trace.hpp"

#include <algorithm>

#include "input/promela/parser.hpp"

namespace tideline::input::promela {
namespace {

model::Effect required(model::Expression condition, const char* text) {
    model::Require require;
    require.condition = std::move(condition);
    require.fault = model::FaultKind::assertion;
    require.text = text;
    return require;
}

}  // namespace

model::Expression EventTrace::at(std::uint32_t location) const {
    return model::Expression::binary(model::Op::equal, model_.read(location_),
                                     model::Expression::constant(static_cast<model::Value>(location)));
}

bool EventTrace::concerns(const Statement& statement, bool sends, ChannelId channel) const {
    if (statement.kind != (sends ? Statement::Kind::send : Statement::Kind::receive)) return false;
    const std::vector<ChannelId> channels = expressions_.channels(*statement.channel, {}).channels;
    return std::find(channels.begin(), channels.end(), channel) != channels.end();
}

model::Expression EventTrace::fits(const Statement& statement, const std::vector<model::Expression>& message) const {
    model::Expression result = model::Expression::constant(1);
    for (std::size_t f = 0; f < message.size(); ++f) {
        const bool is_sent = f < statement.values.size();
        const Expr* field = is_sent                         ? statement.values[f].get()
                            : f < statement.patterns.size() ? statement.patterns[f].value.get()
                                                            : nullptr;
        if (field == nullptr || (is_sent && !constant_value(*field))) continue;
        const model::Expression wanted = expressions_.translate(*field, {}).code;
        if (!message[f].is_constant() || !wanted.is_constant())
            result = conjunction(std::move(result), model::Expression::binary(model::Op::equal, message[f], wanted));
        else if (message[f].constant_value() != wanted.constant_value()) return model::Expression::constant(0);
    }
    return result;
}

std::vector<EventTrace::Move> EventTrace::moves(bool sends, ChannelId channel,
                                                const std::vector<model::Expression>& message) const {
    std::vector<Move> result;
    for (std::uint32_t from = 0; from < control_.locations.size(); ++from)
        for (const std::uint32_t e : control_.locations[from].edges) {
            const Edge& edge = control_.edges[e];
            if (edge.statement == nullptr || !concerns(*edge.statement, sends, channel)) continue;
            model::Expression fitting = fits(*edge.statement, message);
            if (!is_value(fitting, 0)) result.push_back({from, edge.to, std::move(fitting)});
        }
    return result;
}

std::vector<model::Effect> EventTrace::effects(bool sends, ChannelId channel,
                                               const std::vector<model::Expression>& message) const {
    std::vector<model::Effect> result;
    const bool is_mentioned = std::any_of(control_.edges.begin(), control_.edges.end(), [&](const Edge& edge) {
        return edge.statement != nullptr && concerns(*edge.statement, sends, channel);
    });
    if (!is_mentioned) return result;
    const bool negated = process_.kind == Process::Kind::notrace;
    const std::vector<Move> possible = moves(sends, channel, message);
    // Behind the end of a notrace nothing counts any more; the first message that does not fit leads there too.
    model::Expression next = negated ? model::Expression::constant(control_.end) : model_.read(location_);
    model::Expression some = model::Expression::constant(0);
    model::Expression two = model::Expression::constant(0);
    model::Expression matched = model::Expression::constant(0);
    for (std::size_t i = possible.size(); i-- > 0;) {
        const Move& move = possible[i];
        const model::Expression taken = conjunction(at(move.from), move.fits);
        for (std::size_t j = i + 1; j < possible.size(); ++j)
            if (possible[j].from == move.from) two = disjunction(std::move(two), conjunction(taken, possible[j].fits));
        next = model::Expression::choice(taken, model::Expression::constant(move.to), next);
        some = disjunction(taken, some);
        if (move.to == control_.end) matched = disjunction(std::move(matched), taken);
    }
    if (!negated) result.push_back(required(some, "trace: no event matches this message"));
    else if (!is_value(matched, 0)) result.push_back(required(negation(matched), "notrace: all events have matched"));
    if (!is_value(two, 0)) result.push_back(required(negation(two), "trace: two events match this message"));
    model::Assign assign;
    assign.targets.push_back({location_, std::nullopt});
    assign.values.push_back(std::move(next));
    result.emplace_back(std::move(assign));
    return result;
}

model::Expression EventTrace::is_complete() const {
    model::Expression result = model::Expression::constant(0);
    for (std::uint32_t i = 0; i < control_.locations.size(); ++i)
        if (control_.locations[i].is_end) result = disjunction(std::move(result), at(i));
    return result;
}

}  // namespace tideline::input::promela
