#include "input/promela/actions.hpp"

#include <algorithm>

namespace tideline::input::promela {
namespace {

model::Expression constant(model::Value value) { return model::Expression::constant(value); }
model::Expression apply(model::Op op, model::Expression left, const model::Expression& right) {
    return model::Expression::binary(op, std::move(left), right);
}

// The text between the quotes of a string.
std::string unescaped(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i];
            continue;
        }
        switch (text[++i]) {
            case 'n': result += '\n'; break;
            case 't': result += '\t'; break;
            case 'r': result += '\r'; break;
            default: result += text[i];
        }
    }
    return result;
}

}  // namespace

model::Effect set(model::VariableId variable, model::Expression value) {
    model::Assign assign;
    assign.targets.push_back({variable, std::nullopt});
    assign.values.push_back(std::move(value));
    assign.wrap = true;
    return assign;
}

model::Effect set_element(model::VariableId variable, std::uint32_t element, model::Expression value) {
    model::Assign assign;
    assign.targets.push_back({variable, constant(element)});
    assign.values.push_back(std::move(value));
    assign.wrap = true;
    return assign;
}

std::vector<Action> Actions::of(const Statement* statement, const Context& context) const {
    if (statement == nullptr) return {end_of(*context.self)};
    if (statement->value && polls_rendezvous(*statement->value, context)) {
        Action fault;
        fault.effects.emplace_back(
            model::Require{constant(0), model::FaultKind::assertion, "a rendezvous channel is polled"});
        return {fault};
    }
    if (statement->value)
        if (const Expr* run = Expressions::run_in(*statement->value)) return with_run(*statement, *run, context);
    if (statement->kind == Statement::Kind::send || statement->kind == Statement::Kind::receive)
        return message(*statement, context);
    return {plain(*statement, context)};
}

// SPIN reports an error where such a poll is evaluated. Known only of channel names that are never assigned to.
bool Actions::polls_rendezvous(const Expr& expr, const Context& context) const {
    if (expr.kind == Expr::Kind::poll && expr.operands[0]->kind == Expr::Kind::reference &&
        !slots_.leaf(*expr.operands[0]->reference, context.self).variable) {
        const std::vector<ChannelId> channels = expressions_.channels(*expr.operands[0], context).channels;
        return !channels.empty() && !expressions_.channel(channels.front()).buffered();
    }
    return std::any_of(expr.operands.begin(), expr.operands.end(),
                       [&](const ExprPtr& operand) { return polls_rendezvous(*operand, context); });
}

Action Actions::plain(const Statement& statement, const Context& context) const {
    Action result;
    switch (statement.kind) {
        case Statement::Kind::expression: {
            model::Expression condition = expressions_.condition(*statement.value, context);
            if (!is_value(condition, 1)) result.guards.push_back(std::move(condition));
            break;
        }
        case Statement::Kind::assign: {
            if (statement.target->scratch) break;
            model::Assign assign;
            assign.targets.push_back(expressions_.target(*statement.target, context));
            assign.values.push_back(expressions_.translate(*statement.value, context).code);
            assign.wrap = true;
            result.effects.emplace_back(std::move(assign));
            break;
        }
        case Statement::Kind::assertion: {
            const support::SourceText& file = slots_.program.files[statement.place.file];
            model::Require require;
            require.condition = expressions_.condition(*statement.value, context);
            require.fault = model::FaultKind::assertion;
            require.text = "violated: " + std::string(file.text(statement.place.span));
            if (!is_value(require.condition, 1)) result.effects.emplace_back(std::move(require));
            break;
        }
        case Statement::Kind::print: result.events.push_back(printing(statement, context)); break;
        case Statement::Kind::jump:
        case Statement::Kind::leave: break;
        case Statement::Kind::set_priority: return set_priority(statement, context);
        default: throw Refused{statement.place, "this statement is not supported here", {}};
    }
    return result;
}

model::Event Actions::message_event(model::Event::Kind kind, model::Expression channel, const Channel& type,
                                    std::vector<model::Expression> values) const {
    model::Event event;
    event.kind = kind;
    event.channel = std::move(channel);
    event.values = std::move(values);
    for (const Type& field : type.fields) event.names.push_back(slots_.names_of(field));
    return event;
}

model::Event Actions::printing(const Statement& statement, const Context& context) const {
    model::Event event;
    event.kind = model::Event::Kind::print;
    for (const ExprPtr& value : statement.values) {
        event.values.push_back(expressions_.translate(*value, context).code);
        Type type;
        type.base = Base::mtype;
        if (value->kind == Expr::Kind::reference) type.set = value->reference->type.set;
        event.names.push_back(slots_.names_of(type));
    }
    event.text = statement.is_mtype ? "%e" : unescaped(statement.text);
    return event;
}

// set_priority(pid, value): without effect where there is no such process.
Action Actions::set_priority(const Statement& statement, const Context& context) const {
    Action result;
    const Bounded pid = expressions_.translate(*statement.values[0], context);
    const Bounded value = expressions_.translate(*statement.values[1], context);
    model::Assign assign;
    assign.wrap = true;
    for (const Instance& instance : slots_.instances) {
        if (!instance.priority) continue;
        const model::Expression there =
            conjunction(apply(model::Op::equal, pid.code, constant(instance.pid)),
                        apply(model::Op::not_equal, model_.read(instance.location), constant(0)));
        assign.targets.push_back({*instance.priority, std::nullopt});
        assign.values.push_back(model::Expression::choice(there, value.code, model_.read(*instance.priority)));
    }
    result.effects.emplace_back(std::move(assign));
    return result;
}

// SPIN's state vector has no place for a process that does not run: what it leaves is 0.
Action Actions::end_of(const Instance& instance) const {
    Action result;
    result.guards.push_back(apply(model::Op::equal, model_.read(slots_.process_count), constant(instance.pid + 1)));
    const auto clear = [&](model::VariableId id) {
        const model::Variable& variable = model_.variables[id];
        if (!variable.length) result.effects.push_back(set(id, constant(0)));
        else
            for (std::uint32_t i = 0; i < *variable.length; ++i)
                result.effects.push_back(set_element(id, i, constant(0)));
    };
    for (const Leaves& leaves : instance.locals)
        for (const auto& [path, leaf] : leaves)
            if (leaf.variable) clear(*leaf.variable);
    for (const Channel& channel : slots_.channels) {
        if (!channel.owner || &slots_.instances[*channel.owner] != &instance || !channel.buffered()) continue;
        clear(channel.length);
        for (const model::VariableId contents : channel.contents) clear(contents);
    }
    if (instance.priority) clear(*instance.priority);
    result.effects.push_back(set(slots_.process_count, constant(instance.pid)));
    return result;
}

std::vector<model::Effect> Actions::initial_values(const Leaves& leaves, const Context& context) const {
    std::vector<model::Effect> effects;
    for (const auto& [path, leaf] : leaves) {
        if (!leaf.variable) continue;
        const std::vector<ExprPtr>& initial = leaf.declaration->initial;
        for (std::uint32_t i = 0; i < leaf.count; ++i) {
            model::Expression value = constant(0);
            if (leaf.first_channel != 0) value = constant(leaf.first_channel + i);
            const std::uint32_t of_declaration = leaf.lengths.back().value_or(1);
            // The last value of a list is that of all further elements.
            if (!initial.empty()) {
                const std::size_t given = std::min<std::size_t>(i % of_declaration, initial.size() - 1);
                value = expressions_.translate(*initial[given], context).code;
            }
            if (is_value(value, 0)) continue;
            effects.push_back(leaf.is_array() ? set_element(*leaf.variable, i, std::move(value))
                                              : set(*leaf.variable, std::move(value)));
        }
    }
    return effects;
}

std::vector<model::Effect> Actions::initial_values(const Instance& instance) const {
    std::vector<model::Effect> effects;
    Context context;
    context.self = &instance;
    for (const Leaves& leaves : instance.locals) {
        std::vector<model::Effect> of_leaves = initial_values(leaves, context);
        std::move(of_leaves.begin(), of_leaves.end(), std::back_inserter(effects));
    }
    return effects;
}

std::vector<model::Effect> Actions::birth(const Instance& created, const Expr& run, const Context& context) const {
    std::vector<model::Effect> effects;
    for (std::size_t i = 0; i < run.operands.size(); ++i) {
        const Leaf& parameter = created.locals[i].at({});
        effects.push_back(set(*parameter.variable, expressions_.translate(*run.operands[i], context).code));
    }
    std::vector<model::Effect> initial = initial_values(created);
    std::move(initial.begin(), initial.end(), std::back_inserter(effects));
    if (created.priority) effects.push_back(set(*created.priority, constant(run.priority.value_or(1))));
    effects.push_back(set(created.location, constant(Slots::location(slots_.controls[created.type].start))));
    effects.push_back(set(slots_.process_count, constant(created.pid + 1)));
    return effects;
}

std::vector<Action> Actions::with_run(const Statement& statement, const Expr& run, const Context& context) const {
    std::vector<Action> result;
    const model::Expression count = model_.read(slots_.process_count);
    Action missing;
    const auto add = [&](const Instance* created, model::Value pid) {
        Context with = context;
        with.run = pid;
        Action action = plain(statement, with);
        if (!action.guards.empty() && is_value(action.guards[0], 0)) return;
        action.guards.insert(action.guards.begin(),
                             apply(model::Op::equal, count, constant(created != nullptr ? pid : 255)));
        if (created != nullptr) {
            std::vector<model::Effect> effects = birth(*created, run, context);
            std::move(action.effects.begin(), action.effects.end(), std::back_inserter(effects));
            action.effects = std::move(effects);
        }
        result.push_back(std::move(action));
    };
    for (const Instance& instance : slots_.instances) {
        if (instance.type != run.process || instance.pid <= context.self->pid) continue;
        add(&instance, instance.pid);
        missing.guards.push_back(apply(model::Op::not_equal, count, constant(instance.pid)));
    }
    add(nullptr, 0);
    missing.guards.push_back(apply(model::Op::less, count, constant(255)));
    model::Require room;
    room.condition = constant(0);
    room.fault = model::FaultKind::instance;
    room.text = run.name;
    missing.effects.emplace_back(std::move(room));
    result.push_back(std::move(missing));
    return result;
}

std::vector<Action> Actions::message(const Statement& statement, const Context& context) const {
    const bool sends = statement.kind == Statement::Kind::send;
    const Expressions::ChannelChoice choice = expressions_.channels(*statement.channel, context);
    const std::size_t fields = sends ? statement.values.size() : statement.patterns.size();
    std::vector<Action> result;
    const Bounded which = expressions_.translate(*statement.channel, context);
    Handshake handshake;
    bool others = false;
    for (const ChannelId id : choice.channels) {
        const Channel& channel = expressions_.channel(id);
        if (sends ? fields != channel.fields.size() : fields > channel.fields.size()) {
            others = true;
            continue;
        }
        if (!channel.buffered()) {
            handshake.choice.channels.push_back(id);
            continue;
        }
        others = true;
        Action begun;
        if (!choice.is_known) begun.guards.push_back(apply(model::Op::equal, which.code, constant(id)));
        if (!sends) receive(statement, channel, context, begun, result);
        else if (statement.sorted) send_sorted(statement, channel, context, begun, result);
        else send(statement, channel, context, begun, result);
    }
    if (!handshake.choice.channels.empty()) {
        handshake.sends = sends;
        handshake.choice.is_known = choice.is_known;
        handshake.only_these = !others;
        handshake.which = which.code;
        handshake.statement = &statement;
        Action action;
        action.handshake = std::move(handshake);
        result.push_back(std::move(action));
    }
    return result;
}

// The message as the channel stores it.
std::vector<Bounded> Actions::stored_values(const Statement& statement, const Channel& channel,
                                            const Context& context) const {
    std::vector<Bounded> values;
    for (std::size_t f = 0; f < channel.fields.size(); ++f)
        values.push_back(expressions_.truncated(expressions_.translate(*statement.values[f], context),
                                                model_.variables[channel.contents[f]].range));
    return values;
}

model::Value Actions::number_of(const Channel& channel) const { return &channel - slots_.channels.data() + 1; }

// The message at a position of a channel, where that was sent or will be received.
void Actions::observe(bool sends, const Channel& channel, const model::Expression& position, Action& action) const {
    if (trace_ == nullptr) return;
    std::vector<model::Expression> message;
    for (const model::VariableId contents : channel.contents)
        message.push_back(position.is_constant()
                              ? model::Expression::slot(model_.variables[contents].first_slot +
                                                        static_cast<model::SlotId>(position.constant_value()))
                              : model_.read(contents, position));
    std::vector<model::Effect> moved = trace_->effects(sends, static_cast<ChannelId>(number_of(channel)), message);
    std::move(moved.begin(), moved.end(), std::back_inserter(action.effects));
}

void Actions::observe_sent(const Channel& channel, Action& action) const {
    observe(true, channel, apply(model::Op::subtract, model_.read(channel.length), constant(1)), action);
}

void Actions::send(const Statement& statement, const Channel& channel, const Context& context, const Action& begun,
                   std::vector<Action>& out) const {
    Action action = begun;
    const model::Expression length = model_.read(channel.length);
    action.guards.push_back(expressions_.can_send(channel));
    model::Assign message;
    message.wrap = true;
    for (std::size_t f = 0; f < channel.fields.size(); ++f) {
        message.targets.push_back({channel.contents[f], length});
        message.values.push_back(expressions_.translate(*statement.values[f], context).code);
    }
    std::vector<model::Expression> shown;
    for (const Bounded& value : stored_values(statement, channel, context)) shown.push_back(value.code);
    action.events.push_back(
        message_event(model::Event::Kind::send, constant(number_of(channel)), channel, std::move(shown)));
    action.effects.emplace_back(std::move(message));
    action.effects.push_back(set(channel.length, apply(model::Op::add, length, constant(1))));
    observe_sent(channel, action);
    out.push_back(std::move(action));
}

// One action per position. The message goes before the first that is larger.
void Actions::send_sorted(const Statement& statement, const Channel& channel, const Context& context,
                          const Action& begun, std::vector<Action>& out) const {
    const model::Expression length = model_.read(channel.length);
    const std::vector<Bounded> values = stored_values(statement, channel, context);
    std::vector<model::Expression> shown;
    for (const Bounded& value : values) shown.push_back(value.code);
    const auto stored = [&](std::size_t field, std::uint32_t position) {
        return model::Expression::slot(model_.variables[channel.contents[field]].first_slot + position);
    };
    const auto larger = [&](std::uint32_t position) {
        model::Expression result = constant(0);
        for (std::size_t f = channel.fields.size(); f-- > 0;)
            result = disjunction(apply(model::Op::greater, stored(f, position), values[f].code),
                                 conjunction(apply(model::Op::equal, stored(f, position), values[f].code), result));
        return result;
    };
    const auto capacity = static_cast<std::uint32_t>(channel.capacity);
    for (std::uint32_t p = 0; p < capacity; ++p) {
        Action action = begun;
        action.guards.push_back(expressions_.can_send(channel));
        if (p > 0) action.guards.push_back(apply(model::Op::greater_equal, length, constant(p)));
        for (std::uint32_t j = 0; j < p; ++j) action.guards.push_back(negation(larger(j)));
        action.guards.push_back(disjunction(apply(model::Op::equal, length, constant(p)), larger(p)));
        action.events.push_back(message_event(model::Event::Kind::send, constant(number_of(channel)), channel, shown));
        model::Assign insert;
        insert.wrap = true;
        for (std::size_t f = 0; f < channel.fields.size(); ++f) {
            insert.targets.push_back({channel.contents[f], constant(p)});
            insert.values.push_back(values[f].code);
            for (std::uint32_t j = p + 1; j < capacity; ++j) {
                insert.targets.push_back({channel.contents[f], constant(j)});
                insert.values.push_back(stored(f, j - 1));
            }
        }
        action.effects.emplace_back(std::move(insert));
        action.effects.push_back(set(channel.length, apply(model::Op::add, length, constant(1))));
        observe_sent(channel, action);
        out.push_back(std::move(action));
    }
}

void Actions::receive(const Statement& statement, const Channel& channel, const Context& context, const Action& begun,
                      std::vector<Action>& out) const {
    const model::Expression length = model_.read(channel.length);
    const bool always = expressions_.always_matches(statement.patterns);
    const auto capacity = static_cast<std::uint32_t>(channel.capacity);
    const std::uint32_t positions = statement.anywhere && !always ? capacity : 1;
    for (std::uint32_t p = 0; p < positions; ++p) {
        Action action = begun;
        action.guards.push_back(apply(model::Op::greater, length, constant(p)));
        if (!always) {
            action.guards.push_back(*expressions_.matches(channel, p, statement.patterns, context));
            for (std::uint32_t j = 0; j < p; ++j)
                action.guards.push_back(negation(*expressions_.matches(channel, j, statement.patterns, context)));
        }
        model::Assign message;
        message.wrap = true;
        for (std::size_t f = 0; f < statement.patterns.size(); ++f) {
            const Pattern& pattern = statement.patterns[f];
            if (!pattern.target || pattern.target->scratch) continue;
            message.targets.push_back(expressions_.target(*pattern.target, context));
            message.values.push_back(model::Expression::slot(model_.variables[channel.contents[f]].first_slot + p));
        }
        std::vector<model::Expression> shown;
        for (const model::VariableId contents : channel.contents)
            shown.push_back(model::Expression::slot(model_.variables[contents].first_slot + p));
        action.events.push_back(
            message_event(model::Event::Kind::receive, constant(number_of(channel)), channel, std::move(shown)));
        if (!statement.keep) observe(false, channel, constant(0), action);
        if (!message.targets.empty()) action.effects.emplace_back(std::move(message));
        if (!statement.keep) {
            for (const model::VariableId contents : channel.contents)
                action.effects.emplace_back(model::Shift{contents, constant(p), capacity - p});
            action.effects.push_back(set(channel.length, apply(model::Op::subtract, length, constant(1))));
        }
        out.push_back(std::move(action));
    }
}

}  // namespace tideline::input::promela
